import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

/// What owners do about the times of requests.
private let manners = [true, false]

extension OnDisplay {
  @Suite("The owner changes while it is read")
  struct OwnershipTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func script(_ text: String, looksAtTime: Bool, of target: String = "UTF8_STRING")
      -> OwnerScript
    {
      var script = OwnerScript(target, text)
      script.refusesEarlierRequests = looksAtTime
      return script
    }

    @Test("What one had who is gone goes on as if it had it still, unless somebody had it since")
    func continued() throws {
      func publish(_ text: String, continuing time: UInt32) -> OwnershipFailure? {
        var offer = Offer()
        offer.add(OfferedTarget(name: "UTF8_STRING", Payload(text)))
        let time = ServerTime(time)
        let result = bench.backend.publish(offer, to: .clipboard, continuing: time) {}
        if case .failure(let failure) = result { return failure }
        return nil
      }
      func ownAndGo() throws -> UInt32 {
        let owner = try RawPeer(bench.server)
        return try owner.own(OwnerScript("UTF8_STRING", "theirs"))
      }
      let peer = try bench.peer()
      let time = try ownAndGo()
      #expect(try peer.work { try $0.owner(of: "CLIPBOARD") == 0 })
      #expect(publish("kept", continuing: time) == nil)
      #expect(try peer.ask("UTF8_STRING").value?.text == "kept")
      #expect(try peer.ask("TIMESTAMP").value?.bytes.uint32s == [time])
      try bench.backend.clear(.clipboard).get()
      #expect(publish("kept", continuing: time) == .contested)
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
      // A time that is yet to come is of another server, which says nothing about this one.
      #expect(publish("restored", continuing: time &+ 1_000_000_000) == nil)
      #expect(try peer.ask("UTF8_STRING").value?.text == "restored")
      let later = try ownAndGo()
      #expect(try peer.work { try $0.owner(of: "CLIPBOARD") == 0 })
      #expect(publish("kept", continuing: time) == .contested)
      #expect(publish("kept", continuing: later) == nil)
      try bench.backend.clear(.clipboard).get()
    }

    @Test("After a list of one owner the content of another is not read", arguments: manners)
    func otherWindow(looksAtTime: Bool) throws {
      var first = script("old", looksAtTime: looksAtTime)
      first.succession = .init(
        "TARGETS", changesWindow: true, to: script("new", looksAtTime: looksAtTime))
      let owner = try BackgroundPeer(bench.server, owning: first)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      #expect(try bench.read("UTF8_STRING", in: ownership).failure == .ownerGone)
      // The new owner is not bothered.
      #expect(!owner.requests.contains("UTF8_STRING"))
      let next = ReadOwnership()
      _ = try bench.targets(in: next).get()
      #expect(try bench.read("UTF8_STRING", in: next).get().payload == Payload("new"))
    }

    @Test("After a list the same window has taken the selection anew: that is another ownership")
    func sameWindow() throws {
      var first = script("old", looksAtTime: true)
      first.succession = .init("TARGETS", to: script("new", looksAtTime: true))
      let owner = try BackgroundPeer(bench.server, owning: first)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      #expect(try bench.read("UTF8_STRING", in: ownership).failure == .ownerGone)
      let next = ReadOwnership()
      _ = try bench.targets(in: next).get()
      #expect(try bench.read("UTF8_STRING", in: next).get().payload == Payload("new"))
      withExtendedLifetime(owner) {}
    }

    @Test("The selection is taken anew just as the request is on its way", arguments: manners)
    func requestOnItsWay(changesWindow: Bool) throws {
      var first = script("old", looksAtTime: true)
      first.succession = .init(
        "UTF8_STRING", .beforeAnswer, changesWindow: changesWindow,
        to: script("new", looksAtTime: true))
      let owner = try BackgroundPeer(bench.server, owning: first)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      #expect(try bench.read("UTF8_STRING", in: ownership).failure == .ownerGone)
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that looks at no times and has something else now is found out by its list")
    func otherListOfSameWindow() throws {
      var first = script("old", looksAtTime: false)
      first.succession = .init("TARGETS", to: script("new", looksAtTime: false, of: "image/png"))
      let owner = try BackgroundPeer(bench.server, owning: first)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      #expect(try bench.read("UTF8_STRING", in: ownership).failure == .ownerGone)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A target that is listed and refused is refused, not another ownership", arguments: manners)
    func plainRefusal(looksAtTime: Bool) throws {
      var script = script("text", looksAtTime: looksAtTime)
      script.refused = ["UTF8_STRING"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      #expect(try bench.read("UTF8_STRING", in: ownership).failure == .refused)
      #expect(try bench.read("x-never-listed", in: ownership).failure == .refused)
      // Asked once, and the list once more for each refusal.
      #expect(
        owner.requests.drop { $0 == "TARGETS" }
          == ["UTF8_STRING", "TARGETS", "x-never-listed", "TARGETS"])
    }

    @Test("A read that succeeds costs the owner one request")
    func successIsOneRequest() throws {
      let owner = try BackgroundPeer(
        bench.server, owning: script("text", looksAtTime: true))
      let ownership = ReadOwnership()
      _ = try bench.read("TARGETS", in: ownership).get()
      let before = owner.requests.count
      #expect(try bench.read("UTF8_STRING", in: ownership).get().payload == Payload("text"))
      #expect(owner.requests.count == before + 1)
    }

    @Test("An owner that came after we connected refuses our first time, and is asked again")
    func ownerSinceConnecting() throws {
      // The back-end has connected before; the ownership begins only now.
      let owner = try BackgroundPeer(bench.server, owning: script("text", looksAtTime: true))
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("text"))
      let times = Set(
        owner.log.compactMap { if case .request(_, let time) = $0 { time } else { 0 } })
      #expect(!times.contains(0))
    }

    @Test("Several at once, all too early: each is asked again and answered")
    func severalTooEarly() throws {
      var script = OwnerScript((0..<4).map { RawTarget("x-\($0)", "\($0)") })
      script.refusesEarlierRequests = true
      let owner = try BackgroundPeer(bench.server, owning: script)
      let ownership = ReadOwnership()
      var results: [Int: Payload] = [:]
      for index in 0..<4 {
        bench.backend.read(
          "x-\(index)", of: .clipboard, in: ownership, deadline: bench.deadline(), limit: .max
        ) { results[index] = (try? $0.get())?.payload ?? Payload("failed") }
      }
      #expect(try bench.turn { results.count == 4 })
      for index in 0..<4 { #expect(results[index] == Payload("\(index)")) }
      withExtendedLifetime(owner) {}
    }

    @Test("INCR of an owner that was replaced goes on to its end", arguments: manners)
    func incrementsGoOn(changesWindow: Bool) throws {
      let content = scrambledBytes(60_000)
      var first = OwnerScript([RawTarget("x-data", content)])
      first.increments = .init(chunk: 10_000, pause: 0.02)
      first.succession = .init(
        "x-data", changesWindow: changesWindow, to: OwnerScript("UTF8_STRING", "new"))
      let owner = try BackgroundPeer(bench.server, owning: first)
      let answer = try bench.read("x-data").get()
      #expect(difference(answer.payload.bytes, content) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("INCR of a replaced owner goes on when the one that replaced it ends")
    func incrementsSurviveNextOwner() throws {
      let content = scrambledBytes(60_000)
      var script = OwnerScript([RawTarget("x-data", content)])
      script.increments = .init(chunk: 10_000, pause: 0.05)
      let owner = try BackgroundPeer(bench.server, owning: script)
      var result: Bench.ReadResult?
      bench.backend.read(
        "x-data", of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
      ) { result = $0 }
      #expect(try bench.turn { owner.requests.contains("x-data") })
      var next: BackgroundPeer? = try BackgroundPeer(
        bench.server, owning: OwnerScript("UTF8_STRING", "new"))
      try bench.idle()
      next = nil
      #expect(try bench.turn { result != nil })
      #expect(difference(try #require(result).get().payload.bytes, content) == nil)
      withExtendedLifetime(next) {}
    }

    @Test("A silent owner that takes the selection anew is not waited for")
    func silentOwnerTakesAnew() throws {
      var script = script("old", looksAtTime: false)
      script.silent = ["UTF8_STRING"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      var result: Bench.ReadResult?
      bench.backend.read(
        "UTF8_STRING", of: .clipboard, in: ownership, deadline: bench.deadline(60), limit: .max
      ) { result = $0 }
      // Changes are reported from when the owner has been silent for a while.
      #expect(
        try bench.turn(within: 20) {
          if result == nil { try? owner.own(OwnerScript("UTF8_STRING", "new")) }
          return result != nil
        })
      #expect(result?.failure == .ownerGone)
    }

    @Test("Notices about earlier owners that lie in the queue end no read of the present one")
    func noticesOfEarlierOwners() throws {
      // Changes are reported from when an owner has been silent for a while.
      var silent = script("old", looksAtTime: true)
      silent.silent = ["UTF8_STRING"]
      var earlier: BackgroundPeer? = try BackgroundPeer(bench.server, owning: silent)
      #expect(try bench.read("UTF8_STRING", patience: 0.1).failure == .timedOut)
      // None of this is looked at before the read.
      let middle = try BackgroundPeer(bench.server, owning: silent)
      earlier = nil
      try middle.release()
      var late = script("new", looksAtTime: true)
      late.delay = 0.3
      let owner = try BackgroundPeer(bench.server, owning: late)
      var passing: BackgroundPeer? = try BackgroundPeer(bench.server, owning: silent)
      passing = nil
      try owner.own(late)
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("new"))
      withExtendedLifetime((earlier, passing)) {}
    }

    @Test("PRIMARY and SECONDARY have ownerships of their own")
    func ownershipsOfOtherSelections() throws {
      for (selection, name) in [(PasteboardName.primary, "PRIMARY"), (.secondary, "SECONDARY")] {
        var first = script("old", looksAtTime: true)
        first.succession = .init("TARGETS", to: script("new", looksAtTime: true))
        let owner = try BackgroundPeer(bench.server, owning: first, selection: name)
        let ownership = ReadOwnership()
        _ = try bench.targets(of: selection, in: ownership).get()
        let failure = try bench.read("UTF8_STRING", of: selection, in: ownership).failure
        #expect(failure == .ownerGone)
        #expect(try bench.read("UTF8_STRING", of: selection).get().payload == Payload("new"))
        withExtendedLifetime(owner) {}
      }
    }

    @Test("Two that ask for the same target are both told that it is refused")
    func sameTargetTwice() throws {
      var script = script("text", looksAtTime: true)
      script.refused = ["UTF8_STRING"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      var failures: [ReadFailure?] = []
      for _ in 0..<2 {
        bench.backend.read(
          "UTF8_STRING", of: .clipboard, in: ownership, deadline: bench.deadline(), limit: .max
        ) { failures.append($0.failure) }
      }
      #expect(try bench.turn(within: 20) { failures.count == 2 })
      #expect(failures == [.refused, .refused])
      withExtendedLifetime(owner) {}
    }

    @Test("What was never owned is asked about all the same, whatever is known of the owner")
    func earlyRequestOfKnownOwner() throws {
      var takers: [UInt32?] = []
      let token = try bench.backend.watch(.clipboard) { change in
        if case .taken(let taker) = change { takers.append(taker) }
      }.get()
      for looksAtTime in manners {
        let owner = try BackgroundPeer(bench.server)
        try owner.own(script("text", looksAtTime: looksAtTime))
        #expect(try bench.turn { takers.last == owner.window })
        let time = try bench.read("TIMESTAMP").get().payload.words[0]
        let early = ReadOwnership(pretendedOf: owner.window, at: ServerTime(time - 1))
        let answer = try bench.read("TARGETS", in: early)
        if looksAtTime {
          #expect(answer.failure == .refused)
        } else {
          _ = try answer.get()
        }
        #expect(owner.requests == ["TIMESTAMP", "TARGETS"])
      }
      withExtendedLifetime(token) {}
    }
  }
}
