import TypeRegistry

/// Declarations as tests write them.
enum Declarations {
  static let typeHeader =
    "identifier\tconforms_to\textensions\tmime_types\ttargets\tpasteboard_names\tostypes\taliases"
    + "\tdescription\tnotes"
  static let targetHeader = "name\tclass\trole\ttype\tnote"

  /// A registry of these rows of types and of targets.
  static func registry(
    types: [String], targets: [String] = []
  ) throws(TypeDeclarationError) -> TypeRegistry {
    let lines = [typeHeader] + types + [targetHeader] + targets
    return try TypeRegistry(parsing: Array(lines.joined(separator: "\n").utf8))
  }

  /// The rows of the built-in tables, split at the tabs: types, then targets.
  static let builtinRows: (types: [[String]], targets: [[String]]) = {
    var rows: (types: [[String]], targets: [[String]]) = ([], [])
    var inTargets = false
    let text = String(decoding: TypeRegistry.builtinDeclarations, as: UTF8.self)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line == typeHeader { continue }
      if line == targetHeader {
        inTargets = true
        continue
      }
      var row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      row += Array(repeating: "", count: max(0, (inTargets ? 5 : 10) - row.count))
      if inTargets { rows.targets.append(row) } else { rows.types.append(row) }
    }
    return rows
  }()
}
