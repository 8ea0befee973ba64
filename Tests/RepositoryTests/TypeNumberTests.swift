import Testing

/// The constants of built-in types have the numbers of their rows, so that nothing need be read to
/// compare with them.
@Suite("Numbers of the built-in types")
struct TypeNumberTests {
  private let constants = "Sources/TypeRegistry/TypeIdentifier+Constants.swift"

  /// The identifiers of data/types.tsv, each at its number.
  private func rows() throws -> [String] {
    try #require(Repository.text(of: "data/types.tsv")).allLines
      .filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("identifier\t") }
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("Each constant has the number of its row: Scripts/number-types writes them")
  func numbers() throws {
    let rows = try rows()
    var count = 0
    for line in try #require(Repository.text(of: constants)).allLines {
      // public static let html = declared("public.html", row: 152)
      let parts = line.split(separator: "\"")
      guard parts.count == 3, parts[0].hasSuffix("= declared(") else { continue }
      let name = parts[1]
      let number = parts[2].drop { !$0.isNumber }.prefix { $0.isNumber }
      let row = try #require(Int(number), "\(line)")
      #expect(row < rows.count && rows[row] == name, "\(line)")
      count += 1
    }
    #expect(count > 50)
  }
}
