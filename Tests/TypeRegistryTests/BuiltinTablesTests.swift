import Testing

@testable import TypeRegistry

@Suite("Tables made beforehand")
struct BuiltinTablesTests {
  @Test("The tables in the program are what its declarations say: Scripts/number-types makes them")
  func tablesAreCurrent() throws {
    let tables = try #require(
      BuiltinDeclarations.tables, "data was changed: run Scripts/number-types")
    let parsed = BuiltinDeclarations.parsed
    func isEqual<Row: Equatable>(_ one: RowTable<Row>, _ other: RowTable<Row>) -> Bool {
      one.elementsEqual(other)
    }
    #expect(isEqual(tables.types, parsed.types))
    #expect(isEqual(tables.parents, parsed.parents))
    #expect(isEqual(tables.names, parsed.names))
    #expect(isEqual(tables.patterns, parsed.patterns))
    #expect(isEqual(tables.slots, parsed.slots))
    #expect(isEqual(tables.conformance.columns, parsed.conformance.columns))
    #expect(isEqual(tables.conformance.bits, parsed.conformance.bits))
    #expect(tables.conformance.wordsPerType == parsed.conformance.wordsPerType)
  }
}
