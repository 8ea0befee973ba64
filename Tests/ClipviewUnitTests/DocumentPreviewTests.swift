import RichText
import Testing

@testable import clipview

private let plain = TerminalStyle(isColoured: false, columns: 40)
private let coloured = TerminalStyle(isColoured: true, columns: 40)

private func shown(
  _ markdown: String, _ style: TerminalStyle = plain, width: Int = 40, lines: Int = 20
) throws -> [String] {
  DocumentPreview.lines(
    of: try MarkdownReader().read(Array(markdown.utf8)), style: style, width: width,
    maximumLines: lines)
}

@Suite("Documents in a terminal", .enabled(if: (try? MarkdownReader().read([])) != nil))
struct DocumentPreviewTests {
  @Test("Headings, paragraphs, lists, code, quotes, tables and rules are told apart without colour")
  func structure() throws {
    let markdown = """
      # A title

      A *paragraph* of
      two lines\\
      and a break.

      - one
      - two

        more of two
        1. inner
        2. inner
      - [x] done
      - [ ] to do

      > quoted

      ```swift
      let x = 1
        indented
      ```

      | a | b |
      | - | - |
      | 1 | 2 |

      ---
      <div>raw</div>
      """
    #expect(
      try shown(markdown, lines: 30) == [
        "# A title", "A paragraph of two lines", "and a break.", "• one", "• two", "  more of two",
        "  1. inner", "  2. inner", "☑ done", "☐ to do", "▏ quoted", "  let x = 1", "    indented",
        "a │ b", "1 │ 2", "────────────────────", "<div>raw</div>",
      ])
  }

  @Test("On a terminal that has it, emphasis is shown as what it is")
  func emphasis() throws {
    #expect(try shown("# T", coloured) == ["\u{1B}[1mT\u{1B}[0m"])
    #expect(
      try shown("a **b** *c* `d` ~~e~~ [f](g)", coloured) == [
        "a \u{1B}[1mb\u{1B}[0m \u{1B}[3mc\u{1B}[0m \u{1B}[36md\u{1B}[0m \u{1B}[9me\u{1B}[0m "
          + "\u{1B}[4mf\u{1B}[0m"
      ])
    #expect(try shown("***b***", coloured) == ["\u{1B}[1;3mb\u{1B}[0m"])
    #expect(
      try shown("- x", coloured) == ["\u{1B}[2m• \u{1B}[0mx"])
    #expect(try shown("`x`", plain) == ["x"])
  }

  @Test("The columns of a table are as wide as what is in them, its head is strong")
  func tables() throws {
    let table = "| one | 二 | c |\n| - | - | - |\n| 1 | **b** | |\n| long cell | x |\n"
    #expect(
      try shown(table) == ["one       │ 二 │ c", "1         │ b  │ ", "long cell │ x  │ "])
    #expect(try shown("|a|\n|-|\n", coloured) == ["\u{1B}[1ma\u{1B}[0m"])
    #expect(try shown("> |a|b|\n> |-|-|\n> |c|d|\n", lines: 1) == ["▏ a │ b", "…"])
  }

  @Test("Lines are wrapped at blanks and continue below their text; code is cut")
  func width() throws {
    #expect(try shown("one two three four", width: 10) == ["one two", "three four"])
    #expect(try shown("- one two three", width: 10) == ["• one two", "  three"])
    #expect(try shown("> one two three", width: 10) == ["▏ one two", "▏ three"])
    #expect(try shown("    code that is long", width: 10) == ["  code th…"])
    #expect(try shown("word-that-is-long x", width: 10) == ["word-that…", "x"])
    #expect(try shown("日本語 日本語", width: 8) == ["日本語", "日本語"])
    #expect(try shown("**bold and** more", width: 9) == ["bold and", "more"])
  }

  @Test("So many lines are shown, and that there are more")
  func length() throws {
    #expect(try shown("a\n\nb\n\nc", lines: 2) == ["a", "b", "…"])
    #expect(try shown("a\n\nb", lines: 2) == ["a", "b"])
    #expect(try shown("a b c d", width: 1, lines: 2).count <= 3)
    #expect(try shown("") == [])
  }

  @Test("Nothing that a terminal would act on gets through", arguments: [plain, coloured])
  func safety(style: TerminalStyle) throws {
    let bad = "\u{1B}]0;title\u{7}\u{202E}\u{9B}31m"
    let markdown = """
      # \(bad)

      - *\(bad)* ![\(bad)](x) `\(bad)`

      ```
      \(bad)
      ```

      <b>\(bad)</b>

      | \(bad) |
      | --- |
      | \(bad) |

      <div>
      \(bad)
      """
    let lines = try shown(markdown, style, width: 200)
    #expect(lines.count >= 6)
    for line in lines {
      // Nothing but our own colours: ESC [ digits and semicolons m.
      let rest = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(!rest.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "\(line)")
      #expect(!rest.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x9B }, "\(line)")
      if style.isColoured == false { #expect(!line.contains("\u{1B}")) }
    }
  }

  @Test("Numbers go on where their list says, and depth has its limits")
  func lists() throws {
    #expect(try shown("7. a\n8. b") == ["7. a", "8. b"])
    #expect(try shown("1. a\n\n   b\n2. c") == ["1. a", "   b", "2. c"])
    let deep = (0..<60).map { String(repeating: "  ", count: $0) + "- x" }.joined(separator: "\n")
    for line in try shown(deep, lines: 100) { #expect(displayWidth(line) <= 40) }
  }
}
