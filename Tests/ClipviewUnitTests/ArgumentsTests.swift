import ClipboardCore
import Pasteboard
import Testing

@testable import clipview

func parsed(_ words: String...) throws -> ParsedArguments {
  try ParsedArguments(words.map { Argument($0) })
}

/// What is said of words that cannot be understood; nil where they can.
func refusal(_ words: [String]) -> Failure? {
  do throws(Failure) {
    _ = try ParsedArguments(words.map { Argument($0) })
    return nil
  } catch {
    return error
  }
}

@Suite("Arguments")
struct ArgumentsTests {
  @Test("Every command is known by its name", arguments: CommandSpec.table.indices)
  func commands(index: Int) throws {
    let name = CommandSpec.table[index].name
    #expect(try parsed(name).command?.name == name)
  }

  @Test("Nothing at all is no command and no option")
  func nothing() throws {
    let arguments = try parsed()
    #expect(arguments.command == nil)
    #expect(arguments.arguments.isEmpty)
    #expect(Option.allCases.allSatisfy { !arguments.has($0) })
  }

  @Test("Options stand before the command, behind it and between its arguments")
  func positions() throws {
    let arguments = try parsed("-p", "copy", "-t", "html", "file", "--only")
    #expect(arguments.command?.name == "copy")
    #expect(arguments.arguments.map(\.text) == ["file"])
    #expect(arguments.has(.primary) && arguments.has(.only))
    #expect(arguments.value(of: .type)?.text == "html")
  }

  @Test(
    "Every option of the table is taken in both of its forms, with its value",
    arguments: OptionSpec.table.indices)
  func everyOption(index: Int) throws {
    let spec = OptionSpec.table[index]
    let command =
      CommandSpec.table.first { $0.options.contains(spec.option) }?.name ?? CommandSpec.show.name
    switch spec.value {
    case .none:
      #expect(try parsed(command, "--\(spec.long)").has(spec.option))
      if let short = spec.short { #expect(try parsed(command, "-\(short)").has(spec.option)) }
    case .required:
      var forms = [["--\(spec.long)", "a=b"], ["--\(spec.long)=a=b"]]
      if let short = spec.short { forms += [["-\(short)", "a=b"], ["-\(short)a=b"]] }
      for form in forms {
        let arguments = try ParsedArguments(([command] + form).map { Argument($0) })
        #expect(arguments.value(of: spec.option)?.text == "a=b")
        #expect(arguments.arguments.isEmpty)
      }
    case .optionalNumber:
      let bare = try parsed(command, "--\(spec.long)")
      #expect(bare.has(spec.option) && bare.value(of: spec.option) == nil)
      for form in [["--\(spec.long)", "2.5"], ["--\(spec.long)=2.5"]] {
        let arguments = try ParsedArguments(([command] + form).map { Argument($0) })
        #expect(arguments.value(of: spec.option)?.text == "2.5")
        #expect(arguments.arguments.isEmpty)
      }
    case .choice(let choices):
      let bare = try parsed(command, "--\(spec.long)")
      #expect(bare.has(spec.option) && bare.value(of: spec.option) == nil)
      for choice in choices {
        #expect(
          try parsed(command, "--\(spec.long)=\(choice)").value(of: spec.option)?.text == choice)
      }
    }
  }

  @Test(
    "Letters go together, the last may have a value",
    arguments: [
      (["paste", "-pn"], [Option.primary, .trimNewline], nil),
      (["paste", "-pnt", "html"], [.primary, .trimNewline, .type], "html"),
      (["paste", "-pthtml"], [.primary, .type], "html"), (["paste", "-tn"], [.type], "n"),
      (["paste", "-t-"], [.type], "-"), (["paste", "-vq"], [.verbose, .quiet], nil),
    ] as [([String], [Option], String?)])
  func clusters(words: [String], options: [Option], type: String?) throws {
    let arguments = try ParsedArguments(words.map { Argument($0) })
    #expect(
      Option.allCases.filter { arguments.has($0) } == Option.allCases.filter(options.contains))
    #expect(arguments.value(of: .type)?.text == type)
  }

  @Test("An optional value needs its equals sign")
  func flat() throws {
    #expect(try parsed("paste").flattening == nil)
    #expect(try parsed("paste", "--flat").flattening == .blanks)
    #expect(try parsed("paste", "--flat=join").flattening == .joined)
    let arguments = try parsed("copy", "--flat", "join")
    #expect(arguments.flattening == .blanks)
    #expect(arguments.arguments.map(\.text) == ["join"])
    // What is said last counts.
    #expect(try parsed("paste", "--flat=join", "--flat").flattening == .blanks)
  }

  @Test("Of several values the last counts; --also may be repeated")
  func repetition() throws {
    let arguments = try parsed(
      "copy", "-t", "a", "--type=b", "-tc", "--also", "x=1", "--also=y=2")
    #expect(arguments.value(of: .type)?.text == "c")
    #expect(arguments.allValues(of: .also).map(\.text) == ["x=1", "y=2"])
    #expect(arguments.allValues(of: .text).isEmpty)
  }

  @Test("A value may look like an option, be empty or hold an equals sign")
  func oddValues() throws {
    #expect(try parsed("copy", "--text", "--only").value(of: .text)?.text == "--only")
    #expect(try parsed("copy", "--text", "-").value(of: .text)?.text == "-")
    #expect(try parsed("copy", "--text", "--").value(of: .text)?.text == "--")
    #expect(try parsed("copy", "--text", "").value(of: .text)?.text == "")
    #expect(try parsed("copy", "--text=").value(of: .text)?.text == "")
    #expect(try parsed("copy", "--text==").value(of: .text)?.text == "=")
    #expect(try parsed("copy", "--text=a=b=c").value(of: .text)?.text == "a=b=c")
    #expect(try parsed("copy", "--text", "two\nlines").value(of: .text)?.text == "two\nlines")
  }

  @Test("Behind -- everything is an argument")
  func endOfOptions() throws {
    let arguments = try parsed("copy", "--only", "--", "--text", "-p", "--")
    #expect(arguments.arguments.map(\.text) == ["--text", "-p", "--"])
    #expect(arguments.has(.only) && !arguments.has(.primary))
    #expect(try parsed("--", "copy", "-p").command?.name == "copy")
  }

  @Test("A lone hyphen is an argument")
  func hyphen() throws {
    #expect(try parsed("copy", "-").arguments.map(\.text) == ["-"])
  }

  @Test("Arguments and values keep their bytes, UTF-8 or not")
  func foreignBytes() throws {
    let name: [UInt8] = [0x66, 0xFF, 0xFE]
    let arguments = try ParsedArguments([
      Argument("copy"), Argument(bytes: name), Argument(bytes: Array("--text=".utf8) + name),
    ])
    #expect(arguments.arguments.map(\.bytes) == [name])
    #expect(arguments.value(of: .text)?.bytes == name)
    let short = try ParsedArguments([Argument("copy"), Argument(bytes: Array("-t".utf8) + name)])
    #expect(short.value(of: .type)?.bytes == name)
  }

  @Test(
    "What cannot be understood is a usage error that names it",
    arguments: [
      (["frobnicate"], "unknown command 'frobnicate'"), ([""], "unknown command ''"),
      (["COPY"], "unknown command 'COPY'"), (["paste", "--frobnicate"], "option '--frobnicate'"),
      (["paste", "--frobnicate=x"], "option '--frobnicate'"), (["paste", "--="], "option '--'"),
      (["paste", "-Z"], "option -Z"), (["paste", "-pZ"], "option -Z"),
      (["paste", "-é"], "option -"),
      (["paste", "--type"], "--type needs TYPE"), (["paste", "-t"], "-t needs TYPE"),
      (["paste", "-pt"], "-t needs TYPE"), (["--selection"], "--selection needs NAME"),
      (["paste", "--json=yes"], "--json takes no value"),
      (["paste", "--lf="], "--lf takes no value"),
      (["paste", "--flat=wide"], "does not take 'wide'"),
      (["paste", "--flat="], "does not take ''"),
      (["paste", "surplus"], "takes no argument 'surplus'"),
      (["clear", "--", "-x"], "takes no argument '-x'"),
      (["clear", "--only"], "'clipview clear' has no option --only"),
      (["--only", "paste"], "'clipview paste' has no option --only"),
      (["paste", "-t", "x", "--no-read"], "'clipview paste' has no option --no-read"),
      (["show", "-n"], "'clipview show' has no option --trim-newline"),
    ])
  func usageErrors(words: [String], happened: String) throws {
    let failure = try #require(refusal(words))
    #expect(failure.code == .usage)
    #expect(failure.happened.contains(happened), "\(failure.message)")
    #expect(!failure.hint.isEmpty)
    #expect(!failure.message.contains("\n"))
    #expect(failure.message.hasPrefix("clipview: "))
  }

  @Test(
    "What was probably meant is suggested",
    arguments: [
      (["pasta"], "did you mean 'paste'?"), (["cpoy"], "did you mean 'copy'?"),
      (["clea"], "did you mean 'clear'?"), (["shwo"], "did you mean 'show'?"),
      (["paste", "--tpye", "x"], "did you mean '--type'?"),
      (["paste", "--acept", "x"], "did you mean '--accept'?"),
      (["copy", "--onyl"], "did you mean '--only'?"),
      (["copy", "--foregroud"], "did you mean '--foreground'?"),
      (["--jsno"], "did you mean '--json'?"),
      (["paste", "--trim"], "did you mean '--trim-newline'?"),
    ])
  func suggestions(words: [String], hint: String) {
    #expect(refusal(words)?.hint == hint)
  }

  @Test(
    "Where nothing is near, nothing is suggested",
    arguments: [["frobnicate"], ["x"], ["paste", "--xyzzy"], ["paste", "--foreground-colour"]])
  func noSuggestion(words: [String]) {
    #expect(refusal(words)?.hint.contains("did you mean") == false)
    #expect(refusal(words)?.hint.contains("clipview") == true)
  }

  @Test("Only options that the command has are suggested")
  func suggestionsOfCommand() {
    #expect(refusal(["paste", "--onyl"])?.hint.contains("--only") == false)
  }

  @Test(
    "What a later version will have is named as such, and nothing else suggested",
    arguments: [
      (["live"], ExitCode.usage), (["compat", "install", "x"], .usage),
      (["copy", "--code", "swift", "x"], .usage), (["copy", "--code=swift"], .usage),
      // The contract has a code for what needs the service.
      (["history"], .noDisplay), (["history", "list", "--json"], .noDisplay),
      (["history", "clear"], .noDisplay), (["--json", "history"], .noDisplay),
    ])
  func laterVersions(words: [String], code: ExitCode) throws {
    let failure = try #require(refusal(words))
    #expect(failure.code == code)
    let happened = code == .usage ? "is not part of this version" : "needs clipd"
    #expect(failure.happened.hasSuffix(happened), "\(failure.message)")
    #expect(!failure.hint.contains("did you mean"))
  }

  @Test("No command or option is planned that is there")
  func plannedIsNotThere() {
    for planned in CommandSpec.planned {
      #expect(!CommandSpec.table.contains { $0.name == planned.name })
    }
    for planned in OptionSpec.planned {
      #expect(!OptionSpec.table.contains { $0.long == planned })
    }
  }

  @Test(
    "-q silences what cannot be understood as well, wherever it stands",
    arguments: [
      (["-q", "paste", "--bogus"], true), (["paste", "--bogus", "-q"], true),
      (["frobnicate", "--quiet"], true), (["paste", "surplus", "-pq"], true),
      (["-q", "clear", "--only"], true), (["paste", "--bogus"], false),
      (["paste", "--bogus", "--", "-q"], false), (["copy", "--bogus", "--text", "-q"], false),
    ])
  func quietFailures(words: [String], isSilent: Bool) throws {
    let failure = try #require(refusal(words))
    #expect(failure.code == .usage)
    #expect(failure.isSilent == isSilent)
  }

  @Test("Of several faults the first is told")
  func firstFault() {
    #expect(refusal(["paste", "--first", "-Z", "--type"])?.happened == "unknown option '--first'")
    #expect(refusal(["first", "second"])?.happened == "unknown command 'first'")
  }

  @Test("Options without a command are those of the command that is run then")
  func defaultCommand() throws {
    let arguments = try parsed("-t", "html", "-p")
    try arguments.check(for: .paste)
    #expect(throws: Failure.self) { try arguments.check(for: .show) }
    let copying = try parsed("--only")
    #expect(throws: Failure.self) { try copying.check(for: .paste) }
  }
}

@Suite("--also TYPE=FILE")
struct AlsoTests {
  private func split(_ text: String) -> [String]? {
    let bytes = Array(text.utf8)
    guard let index = CopyCommand.splitIndex(bytes) else { return nil }
    return [
      String(decoding: bytes[..<index], as: UTF8.self),
      String(decoding: bytes[(index + 1)...], as: UTF8.self),
    ]
  }

  @Test(
    "It is split at the first equals sign behind the parameters of the TYPE",
    arguments: [
      ("html=page.html", "html", "page.html"), ("text/html=a=b", "text/html", "a=b"),
      ("public.html=x", "public.html", "x"), (".md=notes.md", ".md", "notes.md"),
      ("text/plain;charset=utf-8=notes.txt", "text/plain;charset=utf-8", "notes.txt"),
      ("text/plain; charset=utf-8=notes.txt", "text/plain; charset=utf-8", "notes.txt"),
      ("text/plain;charset=\"utf-8\"=n.txt", "text/plain;charset=\"utf-8\"", "n.txt"),
      (
        "text/plain;charset=utf-8;format=flowed=n.txt", "text/plain;charset=utf-8;format=flowed",
        "n.txt"
      ),
      ("text/plain;charset=utf-8=a=b;c=d", "text/plain;charset=utf-8", "a=b;c=d"),
      ("html=a;b=c", "html", "a;b=c"), ("html=dir;x/y=z", "html", "dir;x/y=z"),
      ("application/x;a=\"p=q;r\"=f", "application/x;a=\"p=q;r\"", "f"),
      ("application/x;a=\"p\\\"=q\"=f", "application/x;a=\"p\\\"=q\"", "f"),
      (
        "application/x;windows_formatname=\"Star (XML)\"=f.odt",
        "application/x;windows_formatname=\"Star (XML)\"", "f.odt"
      ),
      ("html=-", "html", "-"), ("html=", "html", ""), ("=file", "", "file"),
      ("UTF8_STRING=x", "UTF8_STRING", "x"),
      ("text/html=/a/b=c", "text/html", "/a/b=c"),
    ])
  func splitting(text: String, type: String, file: String) {
    #expect(split(text) == [type, file])
  }

  @Test(
    "Where there is no such sign it is not split",
    arguments: [
      "", "html", "page.html", "text/plain;charset=utf-8", "text/plain;charset=\"utf-8\"",
      "text/plain;charset=\"utf-8=x", "text/plain;charset", "text/plain;a=b;c=d", ";", ";a=",
      "text/plain;a=\"",
    ])
  func notSplit(text: String) {
    #expect(split(text) == nil)
  }
}

@Suite("Selections and times")
struct CommandContextTests {
  private func context(_ words: String...) throws -> CommandContext {
    try CommandContext(try ParsedArguments((["paste"] + words).map { Argument($0) }))
  }

  private func code(_ words: String...) -> ExitCode? {
    do {
      _ = try CommandContext(try ParsedArguments((["paste"] + words).map { Argument($0) }))
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Selections by name and letter")
  func selections() throws {
    #expect(try context().selection == .clipboard)
    #expect(try context("-s", "clipboard").selection == .clipboard)
    #expect(try context("-s", "primary").selection == .primary)
    #expect(try context("--selection=secondary").selection == .secondary)
    #expect(try context("-p").selection == .primary)
    #expect(try context("-p", "-s", "primary").selection == .primary)
  }

  @Test("Selections that are none of these")
  func wrongSelections() {
    #expect(code("-p", "-s", "clipboard") == .usage)
    #expect(code("-s", "") == .usage)
    #expect(code("-s", String(repeating: "x", count: 256)) == .usage)
    // Whatever else is the name of a pasteboard; whether there is a clipd is found out later.
    #expect(code("-s", "scratch") == nil)
    #expect(code("-s", "CLIPBOARD") == nil)
  }

  @Test(
    "Times are seconds, with fractions",
    arguments: [
      ("5", Duration.seconds(5)), ("2.5", .milliseconds(2500)), ("0.01", .milliseconds(10)),
      ("1000000", .seconds(1_000_000)), (".5", .milliseconds(500)),
    ])
  func timeouts(text: String, expected: Duration) throws {
    #expect(try context("--timeout", text).timeout == expected)
  }

  @Test("Without being told it is five seconds")
  func standardTimeout() throws {
    #expect(try context().timeout == .seconds(5))
  }

  @Test(
    "What is no time is a usage error",
    arguments: [
      "", "0", "-1", "soon", "nan", "inf", "1e300", "5s", " 5", "1,5", "1e3", "0x10", "+1",
      "0.0000000001",
    ])
  func wrongTimeouts(text: String) {
    #expect(code("--timeout", text) == .usage)
  }

  @Test("A display without a name is a usage error, not the one of the environment")
  func displayWithoutName() {
    #expect(code("--display", "") == .usage)
    #expect(code("--display=") == .usage)
    #expect(code("--display", ":0") == nil)
  }

  @Test("Back-ends by name; others are a usage error")
  func backends() throws {
    for name in DisplayChoice.Backend.allCases.map(\.rawValue) {
      #expect(code("--backend", name) == nil)
    }
    for name in ["", "X11", "carrier-pigeon"] { #expect(code("--backend", name) == .usage) }
  }
}
