import SelectionCore
import Testing

@testable import clipview

@Suite("Visible text")
struct VisibleTextTests {
  @Test(
    "What people read stays as it is", arguments: ["", "plain", "naïve – 日本語 🎉", "a\u{301}", "␛"])
  func unchanged(text: String) {
    #expect(visible(text) == text)
  }

  @Test(
    "What a terminal acts on or nobody sees becomes a symbol",
    arguments: [
      ("\u{1B}[31mred", "␛[31mred"), ("a\nb\r\n", "a␊b␍␊"), ("\t", "␉"), ("\u{0}", "␀"),
      ("\u{1F}", "␟"), ("\u{7}", "␇"), ("\u{8}", "␈"), ("\u{7F}", "␡"),
      ("\u{9B}31m", "⟨U+009B⟩31m"),
      ("\u{85}", "⟨U+0085⟩"), ("\u{AD}", "⟨U+00AD⟩"), ("a\u{202E}b", "a⟨U+202E⟩b"),
      ("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩"), ("\u{200B}", "⟨U+200B⟩"),
      ("\u{2028}", "⟨U+2028⟩"),
      ("\u{FEFF}", "⟨U+FEFF⟩"), ("\u{E0041}", "⟨U+E0041⟩"), ("\u{1B}]0;title\u{7}", "␛]0;title␇"),
    ])
  func symbols(text: String, expected: String) {
    #expect(visible(text) == expected)
  }

  @Test("Nothing invisible is left of any character")
  func everyCharacter() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.isInvisibleControl else { continue }
      let remaining = visible(String(scalar)).unicodeScalars.filter { $0.isInvisibleControl }
      #expect(remaining.isEmpty)
    }
  }

  @Test("Messages show control characters as symbols, in one line")
  func messages() {
    let failure = Failure(.usage, "unknown command 'a\nb\u{1B}[2J'", hint: "x\ry")
    #expect(failure.message == "clipview: unknown command 'a␊b␛[2J': x␍y")
  }
}

@Suite("Columns of a terminal")
struct DisplayWidthTests {
  @Test(
    "Letters take one column, East Asian ones and emoji two, marks none",
    arguments: [
      ("", 0), ("abc", 3), ("naïve", 5), ("e\u{301}", 1), ("日本語", 6), ("한국어", 6), ("ｆｕｌｌ", 8),
      ("ﾊﾝｶｸ", 4), ("🎉", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("1️⃣", 2), ("🚀", 2),
      ("⟨U+202E⟩", 8),
      ("␛[31m", 5), ("–…", 2), ("\u{301}", 0), ("العربية", 7), ("𝄞", 1), ("𠀀", 2), ("✓", 1),
    ])
  func widths(text: String, width: Int) {
    #expect(displayWidth(text) == width)
    #expect(displayWidth(text + text) == 2 * width || text == "\u{301}")
  }

  @Test(
    "A text is cut so that it fits, an ellipsis in place of the rest",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("", 0, ""), ("", 5, ""),
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 3, "日…"),
      ("日本語", 2, "…"), ("a日本", 4, "a日…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
      ("🎉🎉", 3, "🎉…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("abc", 0, ""),
    ])
  func cutting(text: String, width: Int, expected: String) {
    #expect(truncated(text, toWidth: width) == expected)
  }

  @Test("A text that was cut is never wider than it may be")
  func neverWider() {
    let text = "aé日🎉b–本👩‍👩‍👧z"
    for width in 0...20 { #expect(displayWidth(truncated(text, toWidth: width)) <= width) }
  }
}

@Suite("Lines broken at blanks")
struct TextWrappingTests {
  @Test(
    "As many words as fit",
    arguments: [
      ("a b c", 5, ["a b c"]), ("a b c", 4, ["a b", "c"]), ("a b c", 1, ["a", "b", "c"]),
      ("", 5, []), ("  a   b ", 9, ["a b"]), ("a\nb", 9, ["a b"]),
      ("ab abcdef ab", 4, ["ab", "abcdef", "ab"]), ("日本 語", 4, ["日本", "語"]),
      ("日本 語", 7, ["日本 語"]), ("abc", 0, ["abc"]),
    ] as [(String, Int, [String])])
  func lines(text: String, width: Int, expected: [String]) {
    #expect(wrapped(text, toWidth: width) == expected)
  }

  @Test("What is said of a thing stands beside it, and below it where that is too narrow")
  func columns() {
    let rows = [("-a", "one two three four five six"), ("--long", "seven"), ("-c", "")]
    #expect(
      twoColumns(rows, inColumns: 34) == """
          -a      one two three four five
                  six
          --long  seven
          -c

        """)
    #expect(twoColumns([("-a", "b")], inColumns: 40, leftWidth: 6) == "  -a      b\n")
    #expect(
      twoColumns(rows, inColumns: 20) == """
          -a
                  one two
                  three four
                  five six
          --long
                  seven
          -c

        """)
  }
}

@Suite("Help")
struct HelpTests {
  private static func everything(inColumns columns: Int = 80) -> String {
    let help = Help(columns: columns)
    return help.overview + CommandSpec.table.map { help.text(for: $0) }.joined()
  }

  /// The words of a text, wherever its lines end.
  private static func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test(
    "No line is wider than the terminal but one that is to be copied", arguments: [50, 80, 100])
  func helpFits(columns: Int) {
    let whole = CommandSpec.table.flatMap { $0.examples.map { "  \($0)" } }
    for line in Self.everything(inColumns: columns).split(separator: "\n") {
      #expect(displayWidth(line) <= columns || whole.contains(String(line)), "\(line)")
    }
  }

  @Test("Nothing is lost where lines are broken", arguments: [1, 20, 40, 79, 1000])
  func helpIsWhole(columns: Int) {
    #expect(Self.words(Self.everything(inColumns: columns)) == Self.words(Self.everything()))
  }

  @Test("Every option has one row, one long name and one letter")
  func tableIsSound() {
    for option in Option.allCases {
      #expect(OptionSpec.table.count { $0.option == option } == 1, "\(option)")
    }
    #expect(Set(OptionSpec.table.map(\.long)).count == OptionSpec.table.count)
    let letters = OptionSpec.table.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
    #expect(Set(CommandSpec.table.map(\.name)).count == CommandSpec.table.count)
  }

  @Test("Every option belongs to a command or to all")
  func optionsBelong() {
    let reachable = Set(CommandSpec.table.flatMap(\.options) + OptionSpec.everywhere)
    #expect(reachable == Set(Option.allCases))
    for command in CommandSpec.table {
      #expect(Set(command.options).isDisjoint(with: OptionSpec.everywhere), "\(command.name)")
      #expect(Set(command.options).count == command.options.count, "\(command.name)")
    }
  }

  @Test("Help mentions every option of the table with letter, name and meaning")
  func mentionsOptions() {
    for spec in OptionSpec.table {
      let form = (spec.short.map { "-\($0), " } ?? "    ") + "--\(spec.long)"
      #expect(Self.everything().contains(form), "\(form)")
      #expect(Self.words(Self.everything()).contains(spec.help), "\(form)")
      #expect(!spec.help.isEmpty)
    }
    for option in OptionSpec.everywhere {
      #expect(Help(columns: 80).overview.contains("--\(OptionSpec.spec(of: option).long)"))
    }
  }

  @Test(
    "Help on a command mentions its options, examples and what it does",
    arguments: CommandSpec.table.indices)
  func commandHelp(index: Int) {
    let command = CommandSpec.table[index]
    let text = Help(columns: 80).text(for: command)
    #expect(text.hasPrefix("usage: clipview \(command.name) [OPTIONS]"))
    for option in command.options + OptionSpec.everywhere {
      #expect(text.contains("--\(OptionSpec.spec(of: option).long)"))
    }
    for example in command.examples { #expect(text.contains(example)) }
    #expect(Self.words(text).contains(Self.words(command.details)))
    #expect(text.hasSuffix("\n"))
  }

  @Test("The overview names every command, short name and exit code")
  func overview() {
    let overview = Help(columns: 80).overview
    for command in CommandSpec.table {
      #expect(overview.contains("  \(command.name)"))
      #expect(Self.words(overview).contains(command.summary))
    }
    for code in ExitCode.allCases {
      #expect(overview.contains("\n  \(code.rawValue)  \(code.meaning)\n"))
    }
  }

  @Test("Examples can be parsed", arguments: CommandSpec.table.indices)
  func examples(index: Int) {
    for example in CommandSpec.table[index].examples {
      guard let words = pipeline(example).first(where: { $0.first == "clipview" })?.dropFirst()
      else {
        Issue.record("no command in '\(example)'")
        continue
      }
      #expect(refusal(Array(words)) == nil, "\(example)")
    }
  }

  /// The commands of a pipeline, taken apart as a shell does where there are blanks, bars and single
  /// quotes.
  private func pipeline(_ text: String) -> [[String]] {
    var commands: [[String]] = [[]]
    var word: String?
    var isQuoted = false
    func endWord() {
      if let word { commands[commands.count - 1].append(word) }
      word = nil
    }
    for character in text {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted: endWord()
      case "|" where !isQuoted:
        endWord()
        commands.append([])
      default: word = (word ?? "") + String(character)
      }
    }
    endWord()
    return commands
  }

  @Test("No line ends in blanks", arguments: [30, 80])
  func lines(columns: Int) {
    for line in Self.everything(inColumns: columns).split(separator: "\n") {
      #expect(line.last != " ", "\(line)")
    }
  }
}

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "A word that is a letter or two off, or the beginning of only one",
    arguments: [
      ("copy", "copy"), ("cop", "copy"), ("kopy", "copy"), ("ocpy", "copy"), ("coppy", "copy"),
      ("plian", "plain"), ("forground", "foreground"), ("pas", "paste"),
    ])
  func near(word: String, expected: String) {
    let words = ["copy", "paste", "plain", "foreground"]
    #expect(suggestion(for: word, among: words) == expected)
  }

  @Test("Others are not guessed at", arguments: ["", "x", "p", "xyzzy", "frobnicate", "pl-st"])
  func far(word: String) {
    #expect(suggestion(for: word, among: ["copy", "paste", "plain"]) == nil)
    #expect(suggestion(for: word, among: []) == nil)
  }
}
