/// The containers of a text as a tree by parents: a paragraph names the innermost one.
///
/// Numbers are identities: handed out in the order in which containers were opened, never reused
/// within a text. A parent has a smaller number than what stands in it.
struct BlockTree: Sendable {
  /// The number of a container; ``none`` is the text itself.
  typealias Number = Int32

  static let none: Number = -1

  struct Node: Sendable {
    var kind: Container.Kind
    var parent: Number
  }

  private(set) var nodes: [Node] = []

  subscript(number: Number) -> Node { nodes[Int(number)] }

  mutating func add(_ kind: Container.Kind, in parent: Number) -> Number {
    nodes.append(Node(kind: kind, parent: parent))
    return Number(nodes.count - 1)
  }

  mutating func setKind(_ kind: Container.Kind, of number: Number) {
    nodes[Int(number)].kind = kind
  }

  /// Adds all containers of `other`; what was number n there is n + the result here.
  mutating func append(_ other: BlockTree) -> Number {
    let offset = Number(nodes.count)
    nodes.reserveCapacity(nodes.count + other.nodes.count)
    for node in other.nodes {
      let parent = node.parent == Self.none ? Self.none : node.parent + offset
      nodes.append(Node(kind: node.kind, parent: parent))
    }
    return offset
  }

  /// The numbers from the outermost container to `number`, into an array that is reused.
  func path(to number: Number, into path: inout [Number]) {
    path.removeAll(keepingCapacity: true)
    var current = number
    while current != Self.none {
      path.append(current)
      current = nodes[Int(current)].parent
    }
    path.reverse()
  }

  func containers(of number: Number) -> [Container] {
    var path: [Number] = []
    self.path(to: number, into: &path)
    return path.map { Container(identity: Int($0), kind: self[$0].kind) }
  }
}
