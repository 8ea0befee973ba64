import ControlProtocol
import DaemonBackend
import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("The guard", .enabled(if: XServer.isExpected))
  struct GuardTests {
    let desk: ManagedDesk

    init() throws { desk = try ManagedDesk() }

    private func arm(_ arguments: String...) throws {
      let result = try run(
        Programs.clipview, ["guard"] + arguments, environment: desk.daemon.environment)
      #expect(result.isSilentSuccess, "\(result)")
    }

    /// The lines of the log that tell of refusals, when there are so many.
    private func refusals(_ count: Int) -> [Substring] {
      func lines() -> [Substring] {
        desk.daemon.log.split(separator: "\n").filter { $0.contains("guard-refused ") }
      }
      _ = desk.daemon.process.settle { _ in lines().count >= count }
      return lines()
    }

    private func answers(_ target: String) throws -> Bool { try desk.peer.ask(target).value != nil }

    @Test("Every content target is refused with a line in the log, what is there is told")
    func refusesContent() throws {
      let copied = try desk.daemon.clipview("copy", "-t", "markdown", "--text", "# secret words")
      #expect(copied.status == 0)
      let before = try desk.peer.targets()
      try arm("600")
      #expect(try desk.peer.targets() == before)
      #expect(try answers("TIMESTAMP"))
      let content = try #require(before).filter {
        !["TARGETS", "TIMESTAMP", "MULTIPLE", "application/x-clipview-origin"].contains($0)
      }
      #expect(content.count > 5)
      for target in content { #expect(try !answers(target), "\(target)") }
      // What only says something about the content is given.
      #expect(try answers("application/x-clipview-origin"))
      let together = try #require(try desk.peer.multiple([content[0], "TIMESTAMP"]))
      #expect(together.answers.map { $0.value != nil } == [false, true])
      let refusals = refusals(content.count + 1)
      #expect(refusals.count == content.count + 1)
      for (line, target) in zip(refusals, content) {
        #expect(line.contains("display=x11:\(desk.server.display) name=clipboard"))
        #expect(line.contains(target))
      }
      let paste = try desk.daemon.clipview("paste")
      #expect(paste.isFailure(5), "\(paste)")
      #expect(paste.errors.contains("guarded for another"))
      #expect(paste.errors.contains("clipview guard off"))
      #expect(try desk.daemon.clipview("paste", "--backend", "x11").isFailure(5))
      #expect(try desk.daemon.clipview("show").text.contains("guarded: nobody gets it"))
      try arm("off")
      #expect(try desk.daemon.clipview("paste").text == "# secret words")
      #expect(!desk.daemon.log.contains("secret words"))
    }

    @Test("It lifts itself, and counts from the last time that it was armed")
    func liftsItself() throws {
      _ = try desk.daemon.clipview("copy", "--text", "x")
      try arm("600")
      #expect(try !answers("UTF8_STRING"))
      try arm("0.05")
      #expect(try eventually { try answers("UTF8_STRING") })
      #expect(desk.daemon.settle("guard-ended name=all"))
    }

    @Test("A service that is started again goes on with it, and status tells of it")
    func outlivesService() throws {
      func start() throws -> Daemon {
        try Daemon(
          in: desk.daemon.directory, environment: ["DISPLAY": desk.server.display])
      }
      let file = "\(desk.daemon.directory.path)/clipview/guard"
      try desk.daemon.copy("z")
      try arm("600")
      try arm("900", "-s", "notes")
      let mode = try run("stat", ["-c", "%a", file], environment: Programs.environment())
      #expect(mode.text == "600\n")
      desk.daemon.kill()
      let second = try start()
      #expect(second.log.contains("guard-restored name=all"))
      #expect(try second.clipview("paste", "-s", "notes").isFailure(5))
      _ = try second.clipview("copy", "--text", "x")
      #expect(try !answers("UTF8_STRING"))
      let guards = try #require(try second.json("status")["guards"]?.array)
      #expect(guards.map { $0["selection"]?.string } == [nil, "notes"])
      let times = guards.compactMap { $0["milliseconds"]?.int }
      #expect((500_000...600_000).contains(times[0]) && (800_000...900_000).contains(times[1]))
      let status = try second.clipview("status").text
      #expect(status.contains("guarded: nobody gets everything that clipd serves for another "))
      // In good order as well.
      _ = second.end()
      let third = try start()
      #expect(try third.clipview("paste", "-s", "notes").isFailure(5))
      #expect(try third.clipview("guard", "off").isSilentSuccess)
      #expect(try third.json("status")["guards"]?.array == [])
      third.kill()
      let fourth = try start()
      #expect(try fourth.paste() == "z")
      #expect(!Files.names(in: "\(desk.daemon.directory.path)/clipview").contains("guard"))
    }

    @Test(
      "A file of it that is damaged, or of another start of the machine, is nothing",
      arguments: [
        "", "x", "{\"schema\":1,\"boot\":\"other\",\"guards\":[{\"name\":null,\"end\":1}]}\n",
      ])
    func uselessGuardFile(text: String) throws {
      let directory = desk.daemon.directory
      desk.daemon.kill()
      try directory.write(Array(text.utf8), to: "clipview/guard")
      let second = try Daemon(in: directory)
      #expect(second.log.contains("guard-unreadable"))
      #expect(try second.json("status")["guards"]?.array == [])
      #expect(!Files.names(in: "\(directory.path)/clipview").contains("guard"))
    }

    @Test("It is for what is copied meanwhile as well, and for named pasteboards")
    func isForEverything() throws {
      try arm()
      _ = try desk.daemon.clipview("copy", "--text", "x")
      _ = try desk.daemon.clipview("copy", "-p", "--text", "y")
      try desk.daemon.copy("z")
      #expect(try !answers("UTF8_STRING"))
      #expect(try desk.peer.ask("UTF8_STRING", of: "PRIMARY").value == nil)
      #expect(try desk.daemon.clipview("paste", "-s", "notes").isFailure(5))
      #expect(refusals(3).contains { $0.contains("display=none name=notes") })
      try arm("off")
      #expect(try desk.daemon.paste() == "z")
    }

    @Test("With -s it is for that selection or pasteboard alone")
    func isForOne() throws {
      _ = try desk.daemon.clipview("copy", "--text", "x")
      try desk.daemon.copy("z")
      try desk.daemon.copy("other", to: "other")
      try arm("-s", "notes")
      #expect(try desk.daemon.clipview("paste", "-s", "notes").isFailure(5))
      #expect(try desk.daemon.paste(from: "other") == "other")
      #expect(try answers("UTF8_STRING"))
      try arm("-s", "clipboard", "60")
      #expect(try !answers("UTF8_STRING"))
      try arm("off", "-s", "clipboard")
      #expect(try answers("UTF8_STRING"))
      #expect(try desk.daemon.clipview("paste", "-s", "notes").isFailure(5))
      try arm("off")
      #expect(try desk.daemon.paste() == "z")
    }

    @Test("A copy that brings its own guard along is refused with a line, until that is lifted")
    func guardedCopy() throws {
      let copied = try desk.daemon.clipview("copy", "--guard", "600", "--text", "x")
      #expect(copied.status == 0)
      try desk.daemon.copy("z", to: "notes", "--guard", "600")
      #expect(try !answers("UTF8_STRING"))
      #expect(try desk.daemon.clipview("paste", "-s", "notes").isFailure(5))
      #expect(refusals(2).count == 2)
      try arm("off")
      #expect(try answers("UTF8_STRING"))
      #expect(try desk.daemon.paste() == "z")
    }

    @Test("A copy for one paste is not used up by what is refused")
    func onceSurvivesRefusals() throws {
      _ = try desk.daemon.clipview("copy", "--once", "--text", "x")
      try arm("600")
      #expect(try !answers("UTF8_STRING"))
      try arm("off")
      #expect(try desk.daemon.clipview("paste").text == "x")
    }

    @Test("Only so many names have one: who thinks them up does not make the service grow")
    func guardedNames() throws {
      let connection = try desk.daemon.connect()
      func arms(_ name: String?) throws -> Bool {
        let order = ControlRequest.guarding(.arm(milliseconds: 600_000), name: name)
        guard case .guarding = try connection.call(order, timeout: .seconds(10)).reply else {
          return false
        }
        return true
      }
      for number in 0..<1024 { #expect(try arms("name \(number)")) }
      #expect(try !arms("one more"))
      #expect(try arms("name 0"))
      #expect(try arms(nil))
      try arm("off")
      #expect(try arms("one more"))
    }

    @Test("Another program's copy is left to it, and that is said")
    func livingOwners() throws {
      let owner = try BackgroundPeer(desk.server, owning: OwnerScript("UTF8_STRING", "theirs"))
      let result = try desk.daemon.clipview("guard", "600")
      #expect(result.status == 0)
      #expect(result.errors.contains("another program serves the clipboard of x11:"))
      #expect(try desk.daemon.clipview("guard", "-q").errors == "")
      let state = try desk.daemon.json("guard", "600")
      #expect(state["guarded"]?.bool == true)
      #expect(state["unguarded"]?.array?.first?["name"]?.string == "clipboard")
      #expect(try desk.daemon.clipview("paste").text == "theirs")
      withExtendedLifetime(owner) {}
    }

    @Test("One connection to clipd is enough for all that is refused to a reader on its own")
    func oneConnection() throws {
      try desk.reload("log = verbose\n")
      let names = (0..<12).map { "x/refused-\($0)" }
      var script = OwnerScript([RawTarget("UTF8_STRING", "x")] + names.map { RawTarget($0, "y") })
      script.refused = Set(names)
      let owner = try BackgroundPeer(desk.server, owning: script)
      func connections() -> Int {
        desk.daemon.log.split(separator: "\n").count { $0.contains("client-connected") }
      }
      let before = connections()
      let saved = try desk.daemon.clipview("save", "--backend", "x11", "-")
      #expect(saved.status == 0, "\(saved)")
      #expect(owner.requests.contains(names[11]))
      // The second one is that which asks for the log's line.
      _ = try desk.daemon.clipview("status")
      #expect(desk.daemon.process.settle { _ in connections() >= before + 2 })
      #expect(connections() == before + 2)
    }

    @Test("Without clipd there is none: exit 3")
    func withoutService() throws {
      _ = desk.daemon.end()
      #expect(try desk.daemon.clipview("guard").isFailure(3))
      #expect(try desk.daemon.clipview("guard", "off").isFailure(3))
    }

    @Test("What is no time is a usage error", arguments: [["0"], ["x"], ["-1"], ["1", "2"]])
    func usageErrors(words: [String]) throws {
      let result = try run(
        Programs.clipview, ["guard"] + words, environment: desk.daemon.environment)
      #expect(result.isFailure(2), "\(result)")
    }
  }
}
