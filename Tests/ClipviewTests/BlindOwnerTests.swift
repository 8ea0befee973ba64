import TestSupport
import Testing

/// Reading commands that ask for something in particular.
private let particularPastes = [
  ["--accept", "text"], ["--accept", "html,text"], ["--accept-any", "text"], ["--as", "html"],
  ["-o", "x.html"],
]

extension OnDisplay {
  @Suite("Owners that do not tell what they have")
  struct BlindOwnerTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    private func paste(_ arguments: [String], timeout: String = "5") throws -> ProcessResult {
      // A file named in the arguments is one in the directory.
      let arguments = arguments.map { $0.hasPrefix("x.") ? "\(directory.path)/\($0)" : $0 }
      return try run(
        Programs.clipview, ["paste", "--timeout", timeout] + arguments,
        environment: desk.server.environment())
    }

    @Test("A silent owner is exit 4, whatever it is asked for", arguments: particularPastes)
    func silentOwner(arguments: [String]) throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.list = .silent
      script.silent = ["*", "TARGETS"]
      let owner = try desk.owner(script)
      let result = try paste(arguments, timeout: "0.4")
      #expect(result.isFailure(4), "\(result)")
      #expect(directory.names.isEmpty)
      withExtendedLifetime(owner) {}
    }

    @Test("A stopped process that owns the selection is exit 4")
    func stoppedOwner() throws {
      try desk.copy("text")
      let server = try #require(desk.servers.first)
      let stop: Int32 = 19
      let go: Int32 = 18
      Processes.send(signal: stop, to: server)
      defer { Processes.send(signal: go, to: server) }
      for arguments in [["--accept", "text"], ["--as", "html"], ["-t", "text"]] {
        let result = try paste(arguments, timeout: "0.4")
        #expect(result.isFailure(4), "\(arguments): \(result)")
      }
    }

    @Test("An owner that is silent about its targets is asked for what is wanted all the same")
    func silentList() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"),
      ])
      script.list = .silent
      let owner = try desk.owner(script)
      // Half of the time is for the list.
      let result = try paste(["--accept", "html"], timeout: "1")
      #expect(result.status == 0, "\(result)")
      #expect(result.text == "<b>")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "An owner that refuses TARGETS is asked for what is wanted",
      arguments: [
        (["--accept", "text"], "text"), (["--accept", "plain"], "text"),
        (["--accept-any", "text"], "text"), (["-t", "text"], "text"), ([], "text"),
        (["--accept", "html"], "<b>"), (["--accept", "rtf,html"], "<b>"),
        (["--as", "html"], "<b>"),
        (["-t", "html"], "<b>"), (["-t", "text/html"], "<b>"),
      ])
    func refusedList(arguments: [String], expected: String) throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"),
      ])
      script.list = .refused
      let owner = try desk.owner(script)
      let result = try paste(arguments)
      #expect(result.status == 0, "\(result)")
      #expect(result.errors == "")
      #expect(result.text == expected)
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that refuses TARGETS and answers everything with text has no picture")
    func refusedListAndAnyAnswer() throws {
      var script = OwnerScript([])
      script.list = .refused
      script.answersAnything = Array("text".utf8)
      let owner = try desk.owner(script)
      for arguments in [["-t", "image/png"], ["--as", "png"], ["--accept", "png"]] {
        let result = try paste(arguments)
        #expect(result.isFailure(1), "\(arguments): \(result)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("types gives an owner all of the time to list its targets")
    func lateList() throws {
      var script = OwnerScript("UTF8_STRING", "text")
      script.listDelay = 1.1
      let owner = try desk.owner(script)
      let result = try desk.clipview("types", "--timeout", "2")
      #expect(result.status == 0, "\(result)")
      #expect(lines(result.output) == ["UTF8_STRING"])
      withExtendedLifetime(owner) {}
    }
  }
}
