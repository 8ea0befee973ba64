import TestSupport
import Testing

/// What needs no display.
@Suite("Command line")
struct CommandLineTests {
  private func clipview(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ProcessResult {
    try run(
      Programs.clipview, arguments, environment: Programs.environment(environment), timeout: 20)
  }

  @Test("The version goes to standard output", arguments: ["--version", "-V"])
  func versionIsPrinted(option: String) throws {
    let result = try clipview(option)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.text.hasPrefix("clipview "))
    #expect(result.text.contains { $0.isNumber })
    #expect(lines(result.output).count == 1)
  }

  @Test("Help names every command", arguments: ["help", "-h", "--help"])
  func helpNamesCommands(option: String) throws {
    let result = try clipview(option)
    #expect(result.status == 0)
    #expect(result.errors == "")
    for command in ["show", "types", "copy", "paste", "clear", "plain", "flat"] {
      #expect(result.text.contains(command))
    }
  }

  @Test(
    "Help for a command is the same both ways",
    arguments: ["show", "types", "copy", "paste", "clear", "plain", "flat"])
  func helpForCommand(command: String) throws {
    let asCommand = try clipview("help", command)
    let asOption = try clipview(command, "--help")
    #expect(asCommand.status == 0)
    #expect(asCommand.errors == "")
    #expect(asCommand.text.contains(command))
    #expect(asOption.text == asCommand.text)
  }

  @Test(
    "What cannot be understood is a usage error",
    arguments: [
      ["frobnicate"], ["paste", "--frobnicate"], ["paste", "-Z"], ["paste", "--timeout"],
      ["paste", "--timeout", "soon"], ["paste", "--timeout", "-1"], ["paste", "-t"],
      ["paste", "surplus"], ["paste", "--flat=wide"], ["paste", "--flat", "join"],
      ["paste", "--accept", "png", "--accept-any", "png"], ["clear", "surplus"],
      ["copy", "--also", "text/html"], ["copy", "--text"], ["help", "frobnicate"],
      ["help", "paste", "show"], ["help", "live"], ["paste", "-t", ""], ["paste", "--as="],
      ["paste", "-o", ""], ["paste", "--display", ""],
      ["--backend", "carrier-pigeon", "paste"],
    ])
  func usageErrors(arguments: [String]) throws {
    let result = try run(
      Programs.clipview, arguments, environment: Programs.environment(), timeout: 20)
    #expect(result.isFailure(2), "\(result)")
  }

  @Test(
    "With -q a failure is its exit code alone",
    arguments: [
      (["-q", "paste", "--frobnicate"], 2), (["frobnicate", "-q"], 2), (["-q", "help", "x"], 2),
      (["-q", "paste", "-t", ""], 2), (["-q", "paste", "--display", ":59999"], 3),
      (["-q", "guard"], 3), (["-q", "copy", "/nonexistent"], 6),
    ] as [([String], Int32)])
  func quietExitCodes(arguments: [String], code: Int32) throws {
    let result = try run(
      Programs.clipview, arguments, environment: Programs.environment(), timeout: 20)
    #expect(result.isSilentFailure(code), "\(result)")
  }

  @Test("Several files without --files are a usage error that names it")
  func severalFilesNeedFiles() throws {
    let directory = TemporaryDirectory()
    let first = try directory.write([97], to: "a.txt")
    let second = try directory.write([98], to: "b.txt")
    let result = try clipview("copy", first, second)
    #expect(result.isFailure(2), "\(result)")
    #expect(result.errors.contains("--files"))
  }

  @Test("A message shows control characters and bidi overrides instead of sending them")
  func messagesAreSafe() throws {
    let result = try clipview("paste", "--a\u{1B}[31m\u{202E}b\u{7}\nc")
    #expect(result.status == 2)
    #expect(result.isOneMessage, "\(result)")
    for scalar in ["\u{1B}", "\u{202E}", "\u{7}"] { #expect(!result.errors.contains(scalar)) }
  }

  @Test(
    "C40: a display that is missing is an error at once",
    arguments: [[:], ["DISPLAY": ""], ["DISPLAY": ":59999"], ["DISPLAY": "nonsense"]],
    [
      ["paste"], ["copy", "--text", "x"], ["types"], ["show"], ["show", "--json"], ["clear"],
    ])
  func c40MissingDisplayIsAnError(environment: [String: String], arguments: [String]) throws {
    let result = try run(
      Programs.clipview, arguments, environment: Programs.environment(environment), timeout: 20)
    #expect(result.isFailure(3), "\(result)")
  }

  @Test(
    "C40: a missing display is an error without a word for a hot key", arguments: ["plain", "flat"])
  func c40HotKeysAreSilent(command: String) throws {
    let result = try clipview(command, environment: ["DISPLAY": ":59999"])
    #expect(result.isSilentFailure(3), "\(result)")
  }

  @Test("C40: a dead Wayland display alone is an error at once")
  func c40DeadWaylandDisplayIsAnError() throws {
    let result = try clipview("paste", environment: ["WAYLAND_DISPLAY": "wayland-59999"])
    #expect(result.isFailure(3), "\(result)")
  }

  @Test("A display can be named on the command line and does not exist")
  func displayOptionIsUsed() throws {
    let result = try clipview("paste", "--display", ":59999")
    #expect(result.isFailure(3), "\(result)")
    #expect(result.errors.contains(":59999"))
  }

  @Test("Closed standard descriptors break nothing")
  func closedDescriptors() throws {
    let result = try run(
      "sh", ["-c", "\"$0\" paste <&- >&- 2>&-; echo $?", Programs.clipview],
      environment: Programs.environment())
    #expect(result.text == "3\n")
  }
}
