/// The rows of all tables of one of our papers, such as Documentation/coverage.md.
struct DocumentTable {
  struct Row {
    let line: Int
    let cells: [String]

    var id: String { cells.first ?? "" }

    /// What stands in backticks in the last column; in coverage.md the tests, commands and files that
    /// show what was asked for.
    var evidence: [String] {
      let parts = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
      return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Whether the row says that something is left to be shown.
    var isOpen: Bool {
      let parts = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
      let prose = parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      return prose.contains { $0.split { !$0.isLetter }.contains("open") }
    }
  }

  let rows: [Row]

  /// The rules under the headings of tables are not rows, nor is a heading that begins with `id`.
  init(parsing text: String) {
    rows = text.allLines.enumerated().compactMap { index, line in
      guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false)
      let row = Row(line: index + 1, cells: cells.map(\.trimmed))
      return row.id == "id" || row.id.allSatisfy({ $0 == "-" }) ? nil : row
    }
  }

  static func inFile(_ path: String) -> DocumentTable? {
    Repository.text(of: path).map(DocumentTable.init(parsing:))
  }
}
