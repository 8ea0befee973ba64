import SelectionCore
import TypeRegistry

/// What conforms to what, as a tree.
///
/// A type with several parents stands below each of them. What is below the type itself is told once,
/// below the first of its parents that is met; the other places say so.
struct TypeTree {
  private let registry: TypeRegistry
  private let roots: [TypeIdentifier]
  private var children: [TypeIdentifier: [TypeIdentifier]] = [:]

  /// - Parameter root: Nil for all types.
  init(_ registry: TypeRegistry, below root: TypeIdentifier?) {
    self.registry = registry
    var roots: [TypeIdentifier] = []
    for type in registry.declaredTypes {
      let parents = registry.parents(of: type)
      if parents.isEmpty { roots.append(type) }
      for parent in parents { children[parent, default: []].append(type) }
    }
    self.roots = root.map { [$0] } ?? roots
  }

  /// One place in the tree.
  private struct Node {
    let type: TypeIdentifier
    /// The parents that the type has beside the one above.
    let otherParents: [TypeIdentifier]
    /// Whether there is more below the type, told elsewhere.
    let isToldElsewhere: Bool
    var children: [Node] = []
  }

  private func node(
    _ type: TypeIdentifier, below parent: TypeIdentifier?, _ told: inout Set<TypeIdentifier>
  ) -> Node {
    let others = registry.parents(of: type).filter { $0 != parent }
    let own = children[type] ?? []
    let isFirst = told.insert(type).inserted
    var node = Node(
      type: type, otherParents: others, isToldElsewhere: !isFirst && !own.isEmpty)
    if isFirst { node.children = own.map { self.node($0, below: type, &told) } }
    return node
  }

  private var nodes: [Node] {
    var told: Set<TypeIdentifier> = []
    return roots.map { node($0, below: nil, &told) }
  }

  func text(_ style: TerminalStyle) -> String {
    var text = ""
    func write(_ node: Node, _ branch: String, _ margin: String) {
      text += style.dressed(branch, .faint) + visible(node.type.description)
      var notes: [String] = []
      if !node.otherParents.isEmpty {
        let names = node.otherParents.map { visible($0.description) }.joined(separator: ", ")
        notes.append(branch.isEmpty ? "below \(names)" : "also \(names)")
      }
      if node.isToldElsewhere { notes.append("… above") }
      if !notes.isEmpty {
        text += style.dressed("  (\(notes.joined(separator: "; ")))", .faint)
      }
      text += "\n"
      for (index, child) in node.children.enumerated() {
        let isLast = index == node.children.count - 1
        write(child, margin + (isLast ? "└── " : "├── "), margin + (isLast ? "    " : "│   "))
      }
    }
    for node in nodes { write(node, "", "") }
    return text
  }

  var json: JSONValue {
    func value(_ node: Node) -> JSONValue {
      .object([
        .init("identifier", .string(node.type.description)),
        .init("also", .array(node.otherParents.map { .string($0.description) })),
        .init("elsewhere", .boolean(node.isToldElsewhere)),
        .init("children", .array(node.children.map(value))),
      ])
    }
    return .object([.init("schema", .integer(1)), .init("tree", .array(nodes.map(value)))])
  }
}
