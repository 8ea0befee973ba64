import EventLoop
import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

private let manager = "CLIPBOARD_MANAGER"

/// Requests that came, answered when the test says.
private final class Saves {
  var requests: [SaveRequest] = []
  /// What those that come are answered with at once; nil keeps them waiting.
  var verdict: Bool?
  var onRequest: () -> Void = {}
}

extension OnDisplay {
  @Suite("The clipboard manager")
  struct ClipboardManagerTests {
    /// A server of its own: there is one manager on each.
    let bench: Bench
    let peer: RawPeer
    private let saves = Saves()

    init() throws {
      bench = try Bench(XServer())
      peer = try bench.peer()
      // Who owns the clipboard may ask.
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
    }

    private func manage() throws -> ClipboardManagerToken {
      let token = bench.backend.manageClipboard { [saves] request in
        saves.onRequest()
        if let verdict = saves.verdict { return request.answer(verdict) }
        saves.requests.append(request)
      }
      return try #require(token)
    }

    @Test("It answers what every owner has to answer, and says that it is there")
    func convention() throws {
      try peer.watchManagers()
      let token = try manage()
      let announced = try #require(try peer.nextManager())
      #expect(announced.selection == manager)
      #expect(try announced.window == peer.owner(of: manager))
      #expect(
        try peer.targets(of: manager) == ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"])
      let time = try #require(try peer.ask("TIMESTAMP", of: manager).value)
      #expect(time.bytes.uint32s == [announced.time])
      #expect(try peer.ask("UTF8_STRING", of: manager) == .refused)
      saves.verdict = true
      let multiple = try #require(
        try peer.multiple(["SAVE_TARGETS", "UTF8_STRING"], of: manager))
      #expect(multiple.answers[0].value?.type == "NULL")
      #expect(multiple.answers[1] == .refused)
      withExtendedLifetime(token) {}
    }

    @Test(
      "What is asked for is told, in every form of the request, and the answer is empty",
      arguments: [
        (RawPeer.SaveForm.bare, nil), (.emptyProperty, nil), (.list([]), nil),
        (.list(["UTF8_STRING", "text/html"]), ["UTF8_STRING", "text/html"]),
      ] as [(RawPeer.SaveForm, [String]?)])
    func forms(form: RawPeer.SaveForm, names: [String]?) throws {
      let token = try manage()
      saves.verdict = nil
      let idle = peer.idle
      peer.idle = { [saves] in
        try idle?()
        for request in saves.requests {
          #expect(request.targets == names)
          request.answer(true)
        }
      }
      #expect(try peer.save(form) == .value(RawValue(type: "NULL", format: 8, bytes: [])))
      withExtendedLifetime(token) {}
    }

    @Test("What is not saved is refused, and so is what nobody answers")
    func refusals() throws {
      let token = try manage()
      saves.verdict = false
      #expect(try peer.save(.emptyProperty) == .refused)
      saves.verdict = nil
      try peer.convert("SAVE_TARGETS", of: manager)
      #expect(try bench.turn { saves.requests.count == 1 })
      saves.requests = []
      #expect(try peer.save(.bare, timeout: 0.2) == .unanswered)
      #expect(saves.requests.count == 1)
      withExtendedLifetime(token) {}
    }

    @Test("Only the program that owns the clipboard may ask, by whichever window")
    func strangers() throws {
      let token = try manage()
      saves.verdict = true
      let other = try bench.peer()
      let forms: [RawPeer.SaveForm] = [.bare, .emptyProperty, .list(["UTF8_STRING"])]
      for form in forms { #expect(try other.save(form) == .refused, "\(form)") }
      let together = try #require(try other.multiple(["SAVE_TARGETS", "TIMESTAMP"], of: manager))
      #expect(together.answers.map { $0.value != nil } == [false, true])
      // The one owns it now, the other does not any more.
      try other.own(OwnerScript("UTF8_STRING", "x"))
      #expect(try peer.save(.bare) == .refused)
      #expect(try other.save(.bare).value != nil)
      // It asks by the window that it talks through, and owns by another one.
      try other.own(OwnerScript("UTF8_STRING", "x"), by: other.makeWindow())
      #expect(try other.save(.bare).value != nil)
      try other.release()
      #expect(try other.save(.bare) == .refused)
      withExtendedLifetime(token) {}
    }

    @Test("What counts is who owned it when it asked: it may have gone since")
    func goneOwner() throws {
      let token = try manage()
      try bench.idle()
      // Nothing of it is looked at before all of it has happened.
      peer.idle = nil
      try peer.convert("SAVE_TARGETS", of: manager)
      try peer.release()
      #expect(try bench.turn { saves.requests.count == 1 })
      withExtendedLifetime(token) {}
    }

    @Test("Of any number of pairs one is done: each would cost a round trip")
    func manyPairs() throws {
      let token = try manage()
      saves.verdict = true
      var count = 0
      let target = try peer.atom("SAVE_TARGETS")
      let places = try (0..<64).map { try peer.atom("P\($0)") }
      let list = (0..<4096).flatMap { [target, places[$0 % 64]] }
      saves.onRequest = { count += 1 }
      let answer = try peer.askMultiple(list: list, of: manager)
      #expect(count == 1)
      let slots = try #require(answer.value).bytes.uint32s
      #expect(slots.prefix(2) == [target, places[0]])
      for index in 1..<4096 { #expect(slots[index * 2 + 1] == 0) }
      withExtendedLifetime(token) {}
    }

    @Test("Another manager is left alone; when it goes the selection is ours")
    func waits() throws {
      var other: RawPeer? = try bench.peer()
      try other?.own(OwnerScript([]), selection: manager)
      let token = try manage()
      #expect(try peer.owner(of: manager) == other?.window)
      try peer.watchManagers()
      other = nil
      let announced = try #require(try peer.nextManager())
      #expect(try peer.owner(of: manager) == announced.window)
      withExtendedLifetime(token) {}
    }

    @Test("One that takes over gets it: our window goes, and we come back when it has gone")
    func givesWay() throws {
      try peer.watchManagers()
      let token = try manage()
      let first = try #require(try peer.nextManager()).window
      var other: RawPeer? = try bench.peer()
      try other?.own(OwnerScript([]), selection: manager)
      #expect(try peer.work { try !$0.hasProperty("WM_CLASS", of: first) })
      #expect(try peer.owner(of: manager) == other?.window)
      other = nil
      let second = try #require(try peer.nextManager()).window
      #expect(try peer.owner(of: manager) == second)
      // What comes is for the new one.
      saves.verdict = true
      #expect(try peer.save(.emptyProperty).value != nil)
      withExtendedLifetime(token) {}
    }

    @Test("A window that somebody destroys is replaced by another one")
    func destroyedWindow() throws {
      try peer.watchManagers()
      let token = try manage()
      let first = try #require(try peer.nextManager()).window
      try peer.destroy(first)
      let second = try #require(try peer.nextManager()).window
      #expect(second != first)
      #expect(try peer.owner(of: manager) == second)
      withExtendedLifetime(token) {}
    }

    @Test("It is left when it is let go, and our selections stay")
    func leaves() throws {
      var token: ClipboardManagerToken? = try manage()
      var offer = Offer()
      offer.add(OfferedTarget(name: "UTF8_STRING", Payload(Array("x".utf8))))
      try bench.backend.publish(offer, to: .clipboard) {}.get()
      #expect(try peer.owner(of: manager) != 0)
      withExtendedLifetime(token) {}
      token = nil
      #expect(try peer.work { try $0.owner(of: manager) == 0 })
      #expect(try peer.ask("UTF8_STRING").value?.text == "x")
    }

    @Test("A reader that goes while it waits is forgotten")
    func vanishedAsker() throws {
      let token = try manage()
      do {
        let asker = try bench.peer()
        try asker.own(OwnerScript("UTF8_STRING", "x"))
        try asker.convert("SAVE_TARGETS", of: manager)
        #expect(try bench.turn { saves.requests.count == 1 })
      }
      saves.requests.removeFirst().answer(true)
      saves.verdict = true
      try peer.own(OwnerScript("UTF8_STRING", "theirs"))
      #expect(try peer.save(.bare).value != nil)
      withExtendedLifetime(token) {}
    }
  }

  @Suite("Windows of an owner")
  struct OwnerWindowTests {
    let bench: Bench
    let peer: RawPeer

    init() throws {
      bench = try Bench(XServer())
      peer = try bench.peer()
      try peer.own(OwnerScript("UTF8_STRING", "x"))
    }

    private final class Count {
      var value = 0
    }

    @Test(
      "One that is hidden is told of, as long as somebody wants to know", arguments: [false, true])
    func hiding(hasManager: Bool) throws {
      let window = try peer.makeWindow()
      try peer.show(window)
      if hasManager { try bench.peer().listManagedWindows([window]) }
      let count = Count()
      var token = bench.backend.watchWindows(ofOwnerOf: .clipboard) { count.value += 1 }
      #expect(token != nil)
      // Of two programs the server may hear the later one first.
      bench.backend.synchronize()
      try peer.hide(window)
      #expect(try bench.turn { count.value == 1 })
      withExtendedLifetime(token) {}
      token = nil
      bench.backend.synchronize()
      try peer.show(window)
      try peer.hide(window)
      bench.backend.synchronize()
      try bench.idle()
      #expect(count.value == 1)
    }

    @Test("Those of other programs, and those that a window manager does not know, are none of its")
    func others() throws {
      #expect(bench.backend.watchWindows(ofOwnerOf: .clipboard) {} == nil)
      let other = try bench.peer()
      let window = try other.makeWindow()
      try other.show(window)
      #expect(bench.backend.watchWindows(ofOwnerOf: .clipboard) {} == nil)
      try other.listManagedWindows([window])
      let menu = try peer.makeWindow()
      try peer.show(menu)
      #expect(bench.backend.watchWindows(ofOwnerOf: .clipboard) {} == nil)
      #expect(bench.backend.watchWindows(ofOwnerOf: .primary) {} == nil)
    }
  }
}
