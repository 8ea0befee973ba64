import TestSupport
import Testing

extension OnDisplay {
  @Suite("Closed descriptors")
  struct ClosedDescriptorTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    /// Runs clipview as a shell does that has closed one of its descriptors.
    private func clipview(_ arguments: [String], _ redirection: String) throws -> ProcessResult {
      try run(
        "sh", ["-c", "exec \"$0\" \"$@\" \(redirection)", Programs.clipview] + arguments,
        environment: desk.server.environment())
    }

    @Test(
      "What cannot be written because standard output is closed is exit 6",
      arguments: [
        ["paste"], ["paste", "-t", "UTF8_STRING"], ["show"], ["show", "--json"], ["types"], [],
      ])
    func closedOutput(arguments: [String]) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      let result = try clipview(arguments, ">&-")
      #expect(result.isFailure(6), "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("Standard output that is closed does not hinder what needs none")
    func closedOutputIsNotNeeded() throws {
      let directory = TemporaryDirectory()
      let owner = try desk.owner(RawTarget("UTF8_STRING", "text"))
      let file = directory.path + "/out"
      let result = try clipview(["paste", "-o", file], ">&-")
      #expect(result.isSilentSuccess, "\(result)")
      #expect(try text(Files.read(file)) == "text")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Nothing is copied from a standard input that is closed",
      arguments: [["copy"], ["copy", "-"], ["copy", "-t", "html"]])
    func closedInput(arguments: [String]) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "before"))
      let result = try clipview(arguments, "<&-")
      #expect(result.isFailure(6), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "before")
    }
  }
}
