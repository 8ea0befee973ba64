import Testing

@Suite("Coverage of what was asked for")
struct CoverageTests {
  let table: DocumentTable

  init() throws {
    table = try #require(DocumentTable.inFile("Documentation/coverage.md"))
  }

  @Test("Each row has an id, a text and what shows it")
  func coverageRowsHaveThreeCells() {
    let faults = table.rows.filter { $0.cells.count != 3 || $0.cells.contains("") }
    #expect(faults.map { "line \($0.line): \($0.id)" } == [])
  }

  @Test("Each line of an issue and each bug case has exactly one row")
  func coverageNamesEachDemandOnce() {
    let counts = Dictionary(table.rows.map { ($0.id, 1) }, uniquingKeysWith: +)
    let ids = AskedFor.ids
    #expect(ids.filter { counts[$0] == nil } == [], "missing")
    #expect(counts.filter { $0.value > 1 }.map(\.key).sorted() == [], "doubled")
    #expect(Set(counts.keys).subtracting(ids).sorted() == [], "unknown")
  }

  @Test("Each test, make target and file that a row names exists")
  func coverageNamesWhatExists() {
    let evidence = Evidence.inRepository()
    let faults = table.rows.flatMap { row in
      row.evidence.compactMap { evidence.fault(in: $0) }.map { "\(row.id): \($0)" }
    }
    #expect(faults == [])
  }

  @Test("Each row names evidence or says that it is open")
  func coverageRowsAreShownOrOpen() {
    let silent = table.rows.filter { $0.evidence.isEmpty && !$0.isOpen }
    #expect(silent.map(\.id) == [])
  }
}

@Suite("Reading of coverage rows and their evidence")
struct CoverageReadingTests {
  @Test("A row's evidence is what stands in backticks in its last cell only")
  func evidenceIsReadFromTheLastCell() throws {
    let table = DocumentTable(
      parsing: """
        | id | what | shown by |
        | --- | --- | --- |
        | I2-D1 | text of `code` | `a`, `B/c`; rest open |
        | I2-D2 | text | reopened by `d` |
        """)
    try #require(table.rows.count == 2)
    #expect(table.rows[0].evidence == ["a", "B/c"])
    #expect(table.rows[0].isOpen)
    #expect(table.rows[0].line == 3)
    #expect(table.rows[1].evidence == ["d"])
    #expect(!table.rows[1].isOpen)
  }

  @Test("Only functions marked as tests count, under their own suite")
  func evidenceIsTestsOnly() {
    var evidence = Evidence()
    evidence.addTests(
      in: "A.swift",
      source: """
        struct Alpha {
          @Test(
            "A sentence", arguments: [1, 2])
          func first(_ number: Int) {}
          func helper() {}
          // @Test func commentedOut() {}
        }
        """)
    evidence.addTests(in: "B.swift", source: "struct Beta {\n  @Test func second() {}\n}")
    #expect(evidence.fault(in: "first") == nil)
    #expect(evidence.fault(in: "Alpha/first") == nil)
    #expect(evidence.fault(in: "Beta/first") != nil)
    #expect(evidence.fault(in: "helper") != nil)
    #expect(evidence.fault(in: "commentedOut") != nil)
    #expect(evidence.fault(in: "nothing/of/the/kind.md") != nil)
  }

  @Test("Targets of a Makefile are told from variables and recipes")
  func evidenceKnowsMakeTargets() {
    var evidence = Evidence()
    evidence.addMakeTargets(
      in:
        "BINARY := x: y\nPREFIX ?= /usr\n.PHONY: ghost\nbuild demo: deps ## text\n\techo recipe: no\n"
    )
    #expect(evidence.makeTargets == ["build", "demo"])
    #expect(evidence.fault(in: "make build") == nil)
    #expect(evidence.fault(in: "make ghost") != nil)
  }
}
