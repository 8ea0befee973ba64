import TestSupport
import Testing

extension InSway {
  @Suite("Programs that copy what they are told of")
  struct SyncLoopTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test("C67: what is copied again at once is no change, so that such a loop comes to its end")
    func c67SyncLoop() throws {
      let daemon = try SwayDaemon(desk.compositor)
      var options = SpawnOptions()
      options.startsGroup = true
      let loop = try ChildProcess(
        try #require(Programs.installed("wl-paste")),
        ["-t", "text/plain", "--watch", Programs.clipview, "copy"],
        environment: daemon.environment, options: options)
      defer { Processes.send(signal: 9, to: -loop.pid) }
      // What is there when it begins counts as told.
      try daemon.wlCopy("round and round")
      func state() throws -> (owner: String?, count: Int?) {
        let state = try daemon.state()
        return (state?["owner"]?.string, state?["change_count"]?.int)
      }
      #expect(try eventually { try state().owner == "clipd" })
      // Each round takes a copy of its own: so many would be far more changes.
      for number in 1...10 {
        #expect(try daemon.clipview("copy", "-s", "notes", "--text", "\(number)").status == 0)
      }
      #expect(try state().count ?? 100 < 5)
      #expect(try daemon.clipview("paste").text == "round and round")
    }

    @Test("What is the same and limited is handed over all the same")
    func sameWithTerms() throws {
      let daemon = try SwayDaemon(desk.compositor)
      for _ in 1...2 {
        #expect(
          try daemon.clipview("copy", "--once", "--text", "same").isSilentSuccess)
      }
      #expect(try daemon.state()?["change_count"]?.int == 2)
    }
  }
}
