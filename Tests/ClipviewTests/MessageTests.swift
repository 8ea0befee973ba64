import SystemIO
import TestSupport
import Testing

extension OnDisplay {
  @Suite("Messages")
  struct MessageTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
      "A selection is called what people call it",
      arguments: [
        (["paste"], "nothing on the clipboard: copy something first"),
        (["paste", "-p"], "nothing on the primary selection: select something first"),
        (["types", "-s", "secondary"], "nothing on the secondary selection: copy something first"),
      ])
    func namesOfSelections(arguments: [String], message: String) throws {
      let result = try run(
        Programs.clipview, arguments, environment: desk.server.environment(), timeout: 20)
      #expect(result.isFailure(1), "\(result)")
      #expect(result.errors == "clipview: \(message)\n")
    }

    @Test(
      "Whoever wants guarded content is told when to try again, whatever for",
      arguments: [["paste"], ["paste", "-t", "text/plain"], ["save", "-"], ["flat", "-v"]])
    func guarded(arguments: [String]) throws {
      try desk.copy("text", "--guard", "1000")
      let result = try run(
        Programs.clipview, arguments, environment: desk.server.environment(), timeout: 20)
      #expect(result.isFailure(5), "\(result)")
      #expect(result.errors.contains("the clipboard is guarded for another"))
      #expect(result.errors.contains(" s: try again then, or"))
    }

    @Test(
      "An output that takes nothing is exit code 6, whatever was to be written",
      arguments: [
        ["paste"], ["types"], ["show"], ["show", "--json"], ["doctor"], ["save", "-"], ["help"],
        ["help", "copy"], ["--version"],
      ])
    func fullOutput(arguments: [String]) throws {
      try desk.copy("text")
      let result = try run(
        "sh", ["-c", "exec \"$0\" \"$@\" >/dev/full", Programs.clipview] + arguments,
        environment: desk.server.environment(), timeout: 20)
      #expect(result.isFailure(6), "\(result)")
      #expect(result.errors.hasPrefix("clipview: cannot write to standard output ("))
    }

    @Test("What could not be had of several wishes is told as one choice")
    func wishes() throws {
      try desk.copy("text", "--only")
      let result = try desk.clipview("paste", "--accept", "image,rtf, files")
      #expect(result.isFailure(1), "\(result)")
      #expect(
        result.errors.hasPrefix("clipview: no image or rtf or files on the clipboard: it has "))
    }

    @Test("An extension without its dot names a target: it is asked whether the type was meant")
    func extensionsWithoutDot() throws {
      let copied = try desk.clipview("copy", "-t", "md", "--text", "# x")
      #expect(copied.status == 0)
      #expect(
        copied.errors
          == "clipview: the content is offered as 'md' and nothing else: did you mean '.md'?\n")
      #expect(try desk.clipview("paste", "-t", "md").text == "# x")
      try desk.copy("text")
      let pasted = try desk.clipview("paste", "-t", "htm")
      #expect(pasted.isFailure(1), "\(pasted)")
      #expect(pasted.errors.hasSuffix(" (or did you mean '.htm'?)\n"))
      let converted = try desk.clipview("convert", "-f", "md", "-t", "html", "/dev/null")
      #expect(
        converted.errors == "clipview: --from does not take 'md': did you mean '.md'?\n")
      for type in ["text", "html", ".md", "text/x-none", "COMPOUND_TEXT", "none"] {
        let result = try desk.clipview("copy", "-t", type, "--text", "x")
        #expect(result.errors.isEmpty, "\(result)")
      }
    }

    @Test("Where a directory stands in the way of a file, a file is asked for")
    func directoryForFile() throws {
      try desk.copy("text")
      let directory = TemporaryDirectory()
      for arguments in [["paste", "-o", directory.path], ["save", directory.path]] {
        let result = try run(
          Programs.clipview, arguments, environment: desk.server.environment(), timeout: 20)
        #expect(result.isFailure(6), "\(result)")
        #expect(result.errors.hasSuffix(": name a file in that directory\n"))
      }
    }

    @Test("With -v it says that a Wayland display is passed over, and only then")
    func waylandIsPassedOver() throws {
      try desk.copy("text")
      let wayland = ["WAYLAND_DISPLAY": "wayland-59999"]
      let told = try desk.clipview("types", "-v", environment: wayland)
      #expect(told.status == 0)
      #expect(told.errors.contains("Wayland"))
      #expect(told.errors.contains(desk.server.display))
      #expect(try desk.clipview("types", environment: wayland).errors == "")
      #expect(try desk.clipview("types", "-vq", environment: wayland).errors == "")
      #expect(try desk.clipview("types", "-v").errors == "")
      let chosen = try desk.clipview("types", "-v", "--backend", "x11", environment: wayland)
      #expect(chosen.errors == "")
    }

    @Test("On a terminal no line of help or of doctor is wider than that")
    func linesFit() throws {
      for arguments in ["help", "help copy", "help watch", "doctor"] {
        let result = try run(
          "sh", ["-c", "stty cols 50; exec \"$0\" \(arguments)", Programs.clipview],
          outputs: .terminal, environment: desk.server.environment(), timeout: 20)
        #expect(result.status == 0)
        let isExample = { (line: String) in line.contains("clipview") && line.contains("--") }
        for line in lines(result.output) where !isExample(line) {
          // Colours are seven characters or eight, which take no columns.
          let shown = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
          #expect(shown.count <= 50, "\(shown)")
        }
      }
    }
  }
}
