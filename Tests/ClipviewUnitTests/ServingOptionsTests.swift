import ClipboardCore
import SelectionCore
import Testing

@testable import clipview

@Suite("--once, --expire, --guard, --max")
struct ServingOptionsTests {
  private func policy(_ words: String...) throws -> ServingPolicy {
    try ParsedArguments((["copy"] + words).map { Argument($0) }).servingPolicy()
  }

  private func refusal(_ words: [String]) -> Failure? {
    do throws(Failure) {
      let arguments = try ParsedArguments((["copy"] + words).map { Argument($0) })
      _ = try arguments.servingPolicy()
      _ = try arguments.maximumSize()
      return nil
    } catch {
      return error
    }
  }

  @Test("Without options everybody is served until the content is replaced")
  func nothingIsLimited() throws {
    #expect(try policy().isUnlimited)
    #expect(try policy("--sensitive", "--foreground").isUnlimited)
  }

  @Test("Each option says its part, and they go together")
  func policies() throws {
    #expect(try policy("--once").isOnce)
    #expect(try policy("--expire", "45").lifetime == .seconds(45))
    #expect(try policy("--expire=0.25").lifetime == .milliseconds(250))
    #expect(try policy("--expire", ".5").lifetime == .milliseconds(500))
    #expect(try policy("--guard").guardTime == .seconds(10))
    #expect(try policy("--guard=3").guardTime == .seconds(3))
    #expect(try policy("--guard", "1.5").guardTime == .milliseconds(1500))
    let all = try policy("--once", "--expire", "60", "--guard")
    #expect(all.isOnce && all.lifetime == .seconds(60) && all.guardTime == .seconds(10))
    // What is said last counts.
    #expect(try policy("--guard=3", "--guard").guardTime == .seconds(10))
  }

  @Test(
    "A word behind --guard is its value where it is a number, else a file",
    arguments: [
      (["--guard", "3", "file"], "3", ["file"]), (["--guard", "file"], nil, ["file"]),
      (["--guard", "3d"], nil, ["3d"]), (["--guard", "nan"], nil, ["nan"]),
      (["--guard", "inf"], nil, ["inf"]), (["--guard", "1e3"], nil, ["1e3"]),
      (["--guard", "0x10"], nil, ["0x10"]), (["--guard", "1.2.3"], nil, ["1.2.3"]),
      (["--guard", "."], nil, ["."]), (["--guard", ""], nil, [""]),
      (["--guard", "-"], nil, ["-"]), (["--guard", "--", "3"], nil, ["3"]),
      (["--guard=2", "3"], "2", ["3"]), (["file", "--guard"], nil, ["file"]),
      (["--guard", "--once"], nil, []), (["--guard", "-n"], nil, []),
      (["--guard", "-0"], nil, []), (["--guard", "5."], "5.", []),
    ] as [([String], String?, [String])])
  func guardValues(words: [String], value: String?, files: [String]) throws {
    let arguments = try ParsedArguments((["copy"] + words).map { Argument($0) })
    #expect(arguments.has(.guarded))
    #expect(arguments.value(of: .guarded)?.text == value)
    #expect(arguments.arguments.map(\.text) == files)
  }

  @Test(
    "What is no time is a usage error that says what to give", arguments: ["--expire", "--guard"],
    [
      "", "0", "0.0", "-1", "-0", "+1", "nan", "inf", "1e3", "0x10", "soon", "5s", " 5", "1,5",
      "999999999999", "0.0000000001", "٣",
    ])
  func wrongTimes(option: String, text: String) throws {
    let failure = try #require(refusal(["\(option)=\(text)"]))
    #expect(failure.code == .usage)
    #expect(failure.happened.contains(option) && failure.happened.contains("'\(text)'"))
    #expect(failure.hint.contains("seconds"))
  }

  @Test(
    "A guard that lasts until the end is a usage error",
    arguments: [
      ["--expire", "10", "--guard"], ["--guard", "5", "--expire", "5"],
      ["--expire=0.1", "--guard=0.2"],
    ])
  func guardBeyondExpiry(words: [String]) throws {
    let failure = try #require(refusal(words))
    #expect(failure.code == .usage)
    #expect(failure.happened.contains("--guard") && failure.happened.contains("--expire"))
  }

  @Test(
    "Sizes are bytes, or powers of 1024 by their letter",
    arguments: [
      ("0", 0), ("1", 1), ("5000000", 5_000_000), ("1K", 1024), ("3M", 3 << 20), ("2G", 2 << 30),
      ("1T", 1 << 40), ("007", 7),
    ])
  func sizes(text: String, expected: Int) throws {
    #expect(byteCount(text) == expected)
    #expect(try parsed("copy", "--max", text).maximumSize() == expected)
  }

  @Test("Without --max it is a gibibyte")
  func standardSize() throws { #expect(try parsed("copy").maximumSize() == 1 << 30) }

  @Test(
    "What is no size is a usage error that says what to give",
    arguments: [
      "", "-1", "+1", "1.5", "1e3", "many", "K", "1k", "1KiB", "1 M", "0x10", "64T", "1MM", "٣",
      "99999999999999999999", "9999999999999T",
    ])
  func wrongSizes(text: String) throws {
    let failure = try #require(refusal(["--max=\(text)"]))
    #expect(failure.code == .usage)
    #expect(failure.happened.contains("--max") && failure.hint.contains("bytes"))
  }

  @Test(
    "Times to wait are told in whole seconds, rounded up",
    arguments: [
      (Duration.seconds(8), "8 s"), (.milliseconds(7001), "8 s"), (.nanoseconds(1), "1 s"),
      (.zero, "0 s"),
    ])
  func spokenTimes(time: Duration, text: String) { #expect(spoken(time) == text) }
}
