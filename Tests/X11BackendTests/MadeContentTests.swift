import Pasteboard
import SelectionCore
import Synchronization
import TestSupport
import Testing

@testable import X11Backend

private let made = "application/x-made"
private let text = "UTF8_STRING"
private let content = scrambledBytes(900_000)

/// Content whose making takes until the test says so.
private final class SlowContent: Sendable {
  private let state = Mutex((isOpen: false, made: 0))
  let bytes: [UInt8]
  let isBroken: Bool

  init(_ bytes: [UInt8] = content, isBroken: Bool = false) {
    self.bytes = bytes
    self.isBroken = isBroken
  }

  private struct Broken: Error {}

  func make() throws -> Payload {
    state.withLock { $0.made += 1 }
    let isOpen = eventually(within: 60) { state.withLock { $0.isOpen } }
    if isBroken || !isOpen { throw Broken() }
    return Payload(bytes)
  }

  func finish() { state.withLock { $0.isOpen = true } }

  /// How often somebody began to make it.
  var made: Int { state.withLock { $0.made } }
}

extension OnDisplay {
  @Suite("Content that is made when it is asked for")
  struct MadeContentTests {
    let bench: Bench
    let peer: RawPeer

    init() throws {
      bench = try Bench()
      peer = try bench.peer()
    }

    private func publish(
      _ slow: SlowContent, on bench: Bench, policy: ServingPolicy = ServingPolicy(),
      onEnd: @escaping () -> Void = {}
    ) throws {
      var offer = Offer()
      offer.serving = policy
      offer.add(.promised(made) { try slow.make() })
      offer.add(OfferedTarget(name: text, Payload("text")))
      try bench.backend.publish(offer, to: .clipboard, onEnd: onEnd).get()
    }

    /// Waits until the request has reached the worker.
    private func begin(_ slow: SlowContent, _ count: Int = 1) throws {
      #expect(try bench.turn { slow.made == count })
    }

    @Test("Others are served while it is made, and who asked gets it when it is there")
    func othersAreServed() throws {
      let slow = SlowContent()
      try publish(slow, on: bench)
      try peer.convert(made)
      try begin(slow)
      for _ in 0..<3 {
        let other = try bench.peer()
        #expect(try other.ask(text).value?.text == "text")
        #expect(try other.targets()?.contains(made) == true)
        #expect(try other.ask("TIMESTAMP").value != nil)
      }
      slow.finish()
      #expect(try peer.ask(made, property: "OTHER").value?.bytes == content)
      #expect(slow.made == 1)
    }

    @Test("It is made once, however many ask, before and after it is there")
    func madeOnce() throws {
      let slow = SlowContent(Array("small".utf8))
      try publish(slow, on: bench)
      let readers = try (0..<20).map { _ in try RawPeer(bench.server) }
      for reader in readers { try reader.convert(made) }
      try begin(slow)
      slow.finish()
      for reader in readers {
        let value = try eventuallyContent(of: reader)
        #expect(value == Array("small".utf8))
      }
      #expect(try peer.ask(made).value?.text == "small")
      #expect(slow.made == 1)
    }

    private func eventuallyContent(of reader: RawPeer) throws -> [UInt8]? {
      var bytes: [UInt8]?
      _ = try bench.turn {
        bytes = try? reader.content(ofProperty: "CLIPVIEW_TEST")?.bytes
        return bytes != nil
      }
      return bytes
    }

    @Test("What cannot be made is refused, to everybody, and the rest is served")
    func failure() throws {
      let slow = SlowContent(isBroken: true)
      try publish(slow, on: bench)
      slow.finish()
      for _ in 0..<2 {
        #expect(try peer.ask(made) == .refused)
        #expect(try peer.ask(text).value?.text == "text")
      }
      #expect(slow.made == 1)
    }

    @Test("In a MULTIPLE the pairs that are there wait for those that are made; one answer comes")
    func multiple() throws {
      for isBroken in [false, true] {
        let slow = SlowContent(isBroken: isBroken)
        try publish(slow, on: bench)
        let opener = Mutex(0)
        peer.idle = { [bench] in
          // The list is on its way by the time that somebody asks for the content.
          if slow.made == 1,
            opener.withLock({
              $0 += 1; return $0
            }) == 20
          {
            slow.finish()
          }
          try bench.idle()
        }
        let result = try #require(try peer.multiple([text, made, "x/unheard-of"]))
        #expect(result.answers[0].value?.text == "text")
        #expect(result.answers[1].value?.bytes == (isBroken ? nil : content))
        #expect(result.answers[2] == .refused)
        #expect(opener.withLock { $0 } >= 20)
      }
    }

    @Test("A reader that vanishes meanwhile is forgotten, and the next one is served")
    func readerVanishes() throws {
      let slow = SlowContent()
      var hasEnded = false
      try publish(slow, on: bench) { hasEnded = true }
      do {
        let victim = try RawPeer(bench.server)
        try victim.convert(made)
        try begin(slow)
      }
      // It keeps no place: the publication ends although the content was never there.
      try peer.own(OwnerScript(text, "theirs"))
      #expect(try bench.turn { hasEnded })
      slow.finish()
    }

    @Test("A request for the same property ends the one that waits, with an answer")
    func askedAnew() throws {
      let slow = SlowContent()
      try publish(slow, on: bench)
      try peer.convert(made)
      try begin(slow)
      #expect(try peer.ask(text).value?.text == "text")
      slow.finish()
      #expect(try peer.ask(made).value?.bytes == content)
    }

    @Test("A selection that is lost meanwhile still gives what was asked for, then ends")
    func lostMeanwhile() throws {
      let slow = SlowContent(Array("made".utf8))
      var hasEnded = false
      try publish(slow, on: bench) { hasEnded = true }
      let reader = try RawPeer(bench.server)
      try reader.convert(made)
      try begin(slow)
      try peer.own(OwnerScript(text, "theirs"))
      try bench.idle()
      #expect(!hasEnded)
      slow.finish()
      #expect(try eventuallyContent(of: reader) == Array("made".utf8))
      #expect(try bench.turn { hasEnded })
    }

    @Test("Who waits for too long is refused; the result is kept for whoever comes later")
    func patience() throws {
      let bench = try Bench(patience: .milliseconds(100))
      let peer = try bench.peer()
      let slow = SlowContent(Array("made".utf8))
      try publish(slow, on: bench)
      #expect(try peer.ask(made) == .refused)
      slow.finish()
      #expect(try bench.turn { (try? peer.ask(made).value?.text) == "made" })
      #expect(slow.made == 1)
    }

    @Test("Served once: the reader that waits has it, and is free again where the reader goes")
    func once() throws {
      var policy = ServingPolicy()
      policy.isOnce = true
      let slow = SlowContent(Array("made".utf8))
      var hasEnded = false
      try publish(slow, on: bench, policy: policy) { hasEnded = true }
      do {
        let victim = try RawPeer(bench.server)
        try victim.convert(made)
        try begin(slow)
        // It belongs to one reader from the first request on, not from the first byte.
        #expect(try peer.ask(text) == .refused)
      }
      #expect(try bench.turn { (try? peer.ask(text).value?.text) == "text" })
      slow.finish()
      #expect(try bench.turn { hasEnded })
    }

    @Test("Served once, and made: the paste has what it asked for, then it is over")
    func onceIsMade() throws {
      var policy = ServingPolicy()
      policy.isOnce = true
      let slow = SlowContent()
      var hasEnded = false
      try publish(slow, on: bench, policy: policy) { hasEnded = true }
      slow.finish()
      #expect(try peer.ask(made).value?.bytes == content)
      #expect(try bench.turn { hasEnded })
      #expect(try peer.owner(of: "CLIPBOARD") == 0)
    }

    @Test("What is guarded is not made")
    func guarded() throws {
      var policy = ServingPolicy()
      policy.guardTime = .seconds(60)
      let slow = SlowContent()
      try publish(slow, on: bench, policy: policy)
      #expect(try peer.ask(made) == .refused)
      #expect(slow.made == 0)
    }

    @Test("More requests than there is room for are refused, and none is forgotten")
    func crowd() throws {
      let slow = SlowContent(Array("made".utf8))
      try publish(slow, on: bench)
      let count = 1100
      let readers = try RawPeer(bench.server)
      for index in 0..<count { try readers.convert(made, property: "P\(index)", time: .current) }
      try begin(slow)
      #expect(try peer.ask(text).value?.text == "text")
      slow.finish()
      #expect(try peer.ask(made).value?.text == "made")
      func given() throws -> Int {
        try (0..<count).count {
          try readers.content(ofProperty: "P\($0)")?.bytes == Array("made".utf8)
        }
      }
      #expect(try bench.turn { (try? given()) == 1024 })
      // Those that there was no room for were refused long ago.
      #expect(try peer.ask(made).value?.text == "made")
      #expect(try given() == 1024)
    }
  }
}
