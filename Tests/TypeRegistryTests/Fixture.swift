import TestSupport

/// Tables of facts to which the registry is held.
enum Fixture {
  /// The rows of a file of `Tests/Fixtures/types`, split at the tabs, without the line of column names.
  static func rows(_ name: String, columns: Int) throws -> [[String]] {
    let text = String(decoding: try Files.read(Fixtures.path("types/\(name)")), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return cells + Array(repeating: "", count: max(0, columns - cells.count))
    }
  }

  /// The elements of a list; commas within quotes belong to them.
  static func list(_ cell: String) -> [String] {
    var elements: [String] = []
    var element = ""
    var isQuoted = false
    for character in cell {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        elements.append(element)
        element = ""
      } else {
        element.append(character)
      }
    }
    return cell.isEmpty ? [] : elements + [element]
  }
}
