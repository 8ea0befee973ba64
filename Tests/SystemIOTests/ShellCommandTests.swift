import SystemIO
import TestSupport
import Testing

@Suite("Commands of the user's")
struct ShellCommandTests {
  private let directory = TemporaryDirectory()

  /// Runs a command to its end.
  private func run(
    _ command: [UInt8], variables: [(name: String, value: String?)] = [],
    input: consuming OwnedFD
  ) throws -> CommandEnding? {
    let child = try ShellCommand(command, variables: variables, input: input)
    var ending: CommandEnding?
    _ = try eventually {
      ending = try child.takeEnding()
      return ending != nil
    }
    return ending
  }

  @Test("The ending is the exit status or the signal")
  func endings() throws {
    for code in [0, 3, 127, 255] as [Int32] {
      #expect(try run(Array("exit \(code)".utf8), input: emptyInput()) == .exited(code))
    }
    #expect(try run(Array("kill -9 $$".utf8), input: emptyInput()) == .signalled(9))
  }

  @Test("Its input is what was filled in, from the beginning, and may be empty")
  func input() throws {
    let bytes = scrambledBytes(300_000)
    let file = try unsafe memoryInput { write throws(Errno) in
      for part in [bytes[..<100_000], bytes[100_000...]] {
        let result = unsafe part.withUnsafeBytes { bytes in
          Result { () throws(Errno) in try unsafe write(bytes) }
        }
        try result.get()
      }
    }
    let command = "cat > '\(directory.path)/copy'"
    #expect(try run(Array(command.utf8), input: file) == .exited(0))
    #expect(difference(try Files.read("\(directory.path)/copy"), bytes) == nil)
    #expect(try run(Array(command.utf8), input: emptyInput()) == .exited(0))
    #expect(try Files.read("\(directory.path)/copy").isEmpty)
  }

  @Test("Variables stand beside ours, instead of ours, or are taken away")
  func variables() throws {
    let path = try #require(Programs.variable("PATH"))
    let command =
      "printf '%s|%s|%s' \"$CLIPVIEW_TEST\" \"$PATH\" \"${HOME-none}\" > '\(directory.path)/v'"
    #expect(
      try run(
        Array(command.utf8), variables: [("CLIPVIEW_TEST", "a=b\nc"), ("HOME", nil)],
        input: emptyInput()) == .exited(0))
    #expect(text(try Files.read("\(directory.path)/v")) == "a=b\nc|\(path)|none")
  }

  @Test("A command is bytes, and may begin like an option")
  func odd() throws {
    let name = Array("\(directory.path)/".utf8) + [0xFF]
    #expect(
      try run(Array(": > '".utf8) + name + Array("'".utf8), input: emptyInput()) == .exited(0))
    #expect(directory.names.count == 1)
    #expect(try run(Array("-no-such-command 2>&-".utf8), input: emptyInput()) == .exited(127))
  }

  @Test("What cannot be started is an error, not a child")
  func tooLarge() throws {
    let value = String(repeating: "x", count: 1 << 20)
    #expect(throws: Errno.self) {
      _ = try run(Array(":".utf8), variables: [("CLIPVIEW_TEST", value)], input: emptyInput())
    }
  }

  @Test("The time of day has two digits each")
  func timeOfDay() {
    #expect(TimeOfDay(hour: 9, minute: 5, second: 0).description == "09:05:00")
    #expect(TimeOfDay(hour: 23, minute: 59, second: 60).description == "23:59:60")
    let now = TimeOfDay.now
    #expect((0..<24).contains(now.hour) && (0..<60).contains(now.minute))
  }
}
