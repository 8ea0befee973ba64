import Testing
import TypeRegistry

@testable import clipview

private let looksOfTypes: [(TypeIdentifier, TerminalStyle.Look?)] = [
  (.png, .image), (.svg, .image), (.html, .markup), (.markdown, .markup), (.rtf, .markup),
  (.utf8PlainText, .text), (.csv, .text), (.fileURL, .files), (.gnomeCopiedFiles, .files),
  (.pdf, nil), (.data, nil), (.audio, nil),
]

@Suite("Tables for people")
struct TextTableTests {
  private func table() -> TextTable {
    var table = TextTable([
      .init(title: "name"), .init(title: "size", isRightAligned: true), .init(title: "note"),
    ])
    table.add(["日本語", "5 B", "wide"])
    table.add(["e\u{301}", "12.5 KiB", "a mark"], look: .image)
    table.add(["a name that takes many columns", "–", ""], look: .faint)
    return table
  }

  @Test("Columns line up by what a terminal shows, numbers by their end")
  func alignment() {
    let text = table().text(TerminalStyle(isColoured: false, columns: nil))
    #expect(
      text == """
          name                                size  note
          日本語                               5 B  wide
          e\u{301}                               12.5 KiB  a mark
          a name that takes many columns         –  \("")

        """)
  }

  @Test("No line is wider than the terminal, whatever that is; every row stays", arguments: 30...90)
  func fits(columns: Int) {
    let text = table().text(TerminalStyle(isColoured: false, columns: columns))
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    for line in lines { #expect(displayWidth(line) <= columns, "\(line)") }
    #expect(columns < 60 || text.contains("12.5 KiB"))
  }

  @Test("Colour dresses whole lines and leaves the text as it is")
  func colour() {
    let plain = table().text(TerminalStyle(isColoured: false, columns: 60))
    let coloured = table().text(TerminalStyle(isColoured: true, columns: 60))
    #expect(coloured != plain)
    #expect(!plain.contains("\u{1B}"))
    #expect(coloured.contains("\u{1B}[35m  e\u{301}"))
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    for line in coloured.split(separator: "\n") where line.contains("\u{1B}") {
      #expect(line.hasSuffix("\u{1B}[0m"), "the look goes on behind the line: \(line)")
    }
  }

  @Test("Kinds of content look different", arguments: looksOfTypes)
  func looks(type: TypeIdentifier, look: TerminalStyle.Look?) {
    #expect(TerminalStyle.Look(type) == look)
  }
}
