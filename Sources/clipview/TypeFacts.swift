import SelectionCore
import TypeRegistry

/// All that the registry knows of one type, as text and as JSON.
struct TypeFacts {
  private let type: TypeIdentifier
  private let registry: TypeRegistry

  init(_ type: TypeIdentifier, in registry: TypeRegistry) {
    self.type = type
    self.registry = registry
  }

  private func tags(_ tagClass: TagClass) -> [String] { registry.tags(of: type, in: tagClass) }
  private var parents: [String] {
    MIMEDatabase.installed.parents(of: type, in: registry).map(\.description)
  }
  private var supertypes: [String] {
    MIMEDatabase.installed.supertypes(of: type, in: registry).map(\.description)
  }

  private var kind: String {
    if registry.isDeclared(type) { return type.isPublic ? "declared, public" : "declared" }
    return type.isDynamic ? "dynamic: nobody declares it" : "not declared"
  }

  func text(_ style: TerminalStyle) -> String {
    var text = style.dressed(visible(type.description), .heading) + "\n"
    if let description = registry.description(of: type) { text += "  \(visible(description))\n" }
    let rows: [(String, [String])] = [
      ("kind", [kind]), ("conforms to", parents), ("supertypes", supertypes),
      ("extensions", tags(.filenameExtension)), ("MIME types", tags(.mimeType)),
      ("targets", tags(.x11Target)), ("pasteboards", tags(.pasteboardName)),
      ("OSTypes", tags(.osType).map { "'\($0)'" }),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    for (name, values) in rows where !values.isEmpty {
      let title = name + String(repeating: " ", count: width - name.count)
      let margin = String(repeating: " ", count: width + 4)
      let lines = Self.wrapped(values.map(visible), columns: style.columns.map { $0 - width - 4 })
      text += "  \(style.dressed(title, .faint))  "
      text += lines.joined(separator: "\n\(margin)") + "\n"
    }
    return text
  }

  /// Values divided by commas, in lines that fit.
  private static func wrapped(_ values: [String], columns: Int?) -> [String] {
    var lines: [String] = []
    for (index, value) in values.enumerated() {
      let item = index == values.count - 1 ? value : value + ","
      if let last = lines.last, let columns,
        displayWidth(last) + 1 + displayWidth(item) <= columns
      {
        lines[lines.count - 1] = last + " " + item
      } else if let last = lines.last, columns == nil {
        lines[lines.count - 1] = last + " " + item
      } else {
        lines.append(item)
      }
    }
    return lines
  }

  var json: JSONValue {
    func list(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    var others: [JSONValue.Member] = []
    for (name, tagClass) in [
      ("com.apple.nspboard-type", TagClass.pasteboardName), ("com.apple.ostype", .osType),
    ] where !tags(tagClass).isEmpty {
      others.append(.init(name, list(tags(tagClass))))
    }
    return .object([
      .init("schema", .integer(1)), .init("identifier", .string(type.description)),
      .init("description", registry.description(of: type).map { .string($0) } ?? .null),
      .init("declared", .boolean(registry.isDeclared(type))),
      .init("dynamic", .boolean(type.isDynamic)), .init("public", .boolean(type.isPublic)),
      .init("conforms_to", list(parents)), .init("supertypes", list(supertypes)),
      .init("extensions", list(tags(.filenameExtension))),
      .init("mime_types", list(tags(.mimeType))), .init("targets", list(tags(.x11Target))),
      .init("other_tags", .object(others)),
    ])
  }
}
