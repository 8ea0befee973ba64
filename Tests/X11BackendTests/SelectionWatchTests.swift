import EventLoop
import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

/// What a watch has reported so far.
private final class Reports {
  var changes: [SelectionChange] = []
}

extension OnDisplay {
  @Suite("Watching a selection")
  struct SelectionWatchTests {
    private func watch(
      _ selection: PasteboardName, on bench: Bench
    ) throws -> (reports: Reports, token: SelectionWatchToken) {
      let reports = Reports()
      let token = try bench.backend.watch(selection) { reports.changes.append($0) }.get()
      return (reports, token)
    }

    @Test(
      "Taking, taking anew, clearing and the end of an owner are told apart, of each selection",
      arguments: [
        ("CLIPBOARD", PasteboardName.clipboard), ("PRIMARY", .primary), ("SECONDARY", .secondary),
      ]
    )
    func changesAreToldApart(atom: String, selection: PasteboardName) throws {
      let bench = try Bench()
      let (reports, token) = try watch(selection, on: bench)
      let window: UInt32
      do {
        let peer = try bench.peer()
        window = peer.window
        try peer.own(OwnerScript("UTF8_STRING", "one"), selection: atom)
        try peer.own(OwnerScript("UTF8_STRING", "two"), selection: atom)
        try peer.release(atom)
        try peer.own(OwnerScript("UTF8_STRING", "three"), selection: atom)
        // A selection that nobody watches.
        try peer.own(OwnerScript("UTF8_STRING", "x"), selection: "CLIPVIEW_TEST_OTHER")
      }
      let expected: [SelectionChange] = [
        .taken(by: window), .taken(by: window), .cleared, .taken(by: window), .ownerEnded,
      ]
      #expect(try bench.turn { reports.changes.count == expected.count })
      #expect(reports.changes == expected)
      withExtendedLifetime(token) {}
    }

    @Test("A watch that was let go of reports nothing, another one of the same selection goes on")
    func tokenEndsWatch() throws {
      let bench = try Bench()
      let first = try watch(.clipboard, on: bench)
      let second = try watch(.clipboard, on: bench)
      let peer = try bench.peer()
      try peer.own(OwnerScript("UTF8_STRING", "one"))
      #expect(
        try bench.turn { first.reports.changes.count == 1 && second.reports.changes.count == 1 })
      first.token.cancel()
      try peer.own(OwnerScript("UTF8_STRING", "two"))
      #expect(try bench.turn { second.reports.changes.count == 2 })
      #expect(first.reports.changes.count == 1)
      second.token.cancel()
      let owner = try BackgroundPeer(bench.server, owning: OwnerScript("UTF8_STRING", "three"))
      // What is read now has come through the same connection: a notice would have come before it.
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("three"))
      #expect(second.reports.changes.count == 2)
      withExtendedLifetime(owner) {}
    }

    @Test("A watch that another one ends while both are told is not told any more")
    func tokenEndedByAnother() throws {
      let bench = try Bench()
      var told = 0
      var second: SelectionWatchToken?
      let first = try bench.backend.watch(.clipboard) { _ in second?.cancel() }.get()
      second = try bench.backend.watch(.clipboard) { _ in told += 1 }.get()
      let third = try watch(.clipboard, on: bench)
      let peer = try bench.peer()
      try peer.own(OwnerScript("UTF8_STRING", "one"))
      #expect(try bench.turn { third.reports.changes.count == 1 })
      #expect(told == 0)
      withExtendedLifetime((first, third.token)) {}
    }

    @Test("An owner that takes the selection anew can be read anew, whatever its clock says")
    func takenAnewIsReadAnew() throws {
      let bench = try Bench()
      let (reports, token) = try watch(.clipboard, on: bench)
      let owner = try BackgroundPeer(bench.server)
      for number in 1...20 {
        var script = OwnerScript("UTF8_STRING", "\(number)")
        script.refusesEarlierRequests = true
        try owner.own(script)
        #expect(try bench.turn { reports.changes.count == number })
        #expect(try bench.read("UTF8_STRING").get().payload == Payload("\(number)"))
      }
      withExtendedLifetime(token) {}
    }

    @Test("The end of an earlier owner does not end what is asked of the present one")
    func earlierEndsAreStale() throws {
      let bench = try Bench()
      let (reports, token) = try watch(.clipboard, on: bench)
      let onlooker = try RawPeer(bench.server)
      for _ in 1...50 {
        do {
          let earlier = try RawPeer(bench.server)
          try earlier.own(OwnerScript("UTF8_STRING", "gone"))
        }
        // Our loop stands still: the notices of this lie unread when we ask.
        #expect(try eventually { try onlooker.owner(of: "CLIPBOARD") == 0 })
      }
      let owner = try BackgroundPeer(bench.server, owning: OwnerScript("UTF8_STRING", "here"))
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("here"))
      #expect(try bench.turn { reports.changes.count == 101 })
      withExtendedLifetime((owner, token)) {}
    }

    @Test("A server without XFIXES is said to report nothing")
    func serverWithoutFixes() throws {
      let bench = try Bench(try XServer(arguments: ["-extension", "XFIXES"]))
      guard case .failure(.unsupported) = bench.backend.watch(.clipboard, { _ in }) else {
        Issue.record("a watch where there is none")
        return
      }
    }
  }
}
