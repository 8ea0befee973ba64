import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

/// Every selection is read the same way.
private let selections: [(PasteboardName, String)] = [
  (.clipboard, "CLIPBOARD"), (.primary, "PRIMARY"), (.secondary, "SECONDARY"),
]

extension OnDisplay {
  @Suite("Odd answers")
  struct OddAnswerTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    @Test(
      "Values of every format come as they are, in one piece and by INCR", arguments: selections)
    func formats(selection: PasteboardName, name: String) throws {
      let bytes = scrambledBytes(4000)
      var script = OwnerScript([8, 16, 32].map { RawTarget("x-\($0)", format: $0, bytes) })
      let owner = try BackgroundPeer(bench.server, owning: script, selection: name)
      for increments: OwnerScript.Increments? in [nil, .init(chunk: 1000), .init(chunk: 4)] {
        script.increments = increments
        try owner.change(script, selection: name)
        for format in [8, 16, 32] {
          let answer = try bench.read("x-\(format)", of: selection).get()
          #expect(answer.format == format)
          #expect(difference(answer.payload.bytes, bytes) == nil)
        }
      }
    }

    @Test("The announcement of INCR is never content, of whatever format and value")
    func announcements() throws {
      let words: [OwnerScript.Increments.SizeWord] = [
        .exact, .empty, .number(0), .number(1), .number(.max),
      ]
      for word in words {
        for format in [8, 16, 32] {
          for size in [0, 1, 5000] {
            let bytes = scrambledBytes(size)
            var script = OwnerScript([RawTarget("x-data", bytes)])
            script.increments = .init(sizeWord: word, chunk: 1000)
            script.increments?.announcementFormat = format
            let owner = try BackgroundPeer(bench.server, owning: script)
            // Neither a small limit nor a huge announcement makes a difference to the other.
            let answer = try bench.read("x-data", limit: 5000).get()
            #expect(difference(answer.payload.bytes, bytes) == nil, "\(word), \(format), \(size)")
            withExtendedLifetime(owner) {}
          }
        }
      }
    }

    @Test("A chunk that is another announcement breaks the protocol")
    func announcedAgain() throws {
      var script = OwnerScript([RawTarget("x-data", scrambledBytes(5000))])
      script.increments = .init(chunk: 1000)
      script.increments?.chunkType = "INCR"
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("x-data").failure == .malformed)
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that forgets the end of INCR costs the deadline")
    func forgottenEnd() throws {
      var script = OwnerScript([RawTarget("x-data", scrambledBytes(5000))])
      script.increments = .init(chunk: 1000, forgetsEnd: true)
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("x-data", patience: 0.2).failure == .timedOut)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "An answer announced twice, or for something else first, is one answer", arguments: selections
    )
    func announcedOddly(selection: PasteboardName, name: String) throws {
      var script = OwnerScript((0..<6).map { RawTarget("x-\($0)", "content \($0)") })
      let owner = try BackgroundPeer(bench.server, owning: script, selection: name)
      for announcement: OwnerScript.Announcement in [.repeated, .strayFirst] {
        for increments: OwnerScript.Increments? in [nil, .init(chunk: 3)] {
          script.announcement = announcement
          script.increments = increments
          try owner.change(script, selection: name)
          let ownership = ReadOwnership()
          let names = try bench.targets(of: selection, in: ownership).get()
          #expect(names.suffix(6) == (0..<6).map { "x-\($0)" }[...])
          for round in 0..<12 {
            let target = "x-\(round % 6)"
            let answer = try bench.read(target, of: selection, in: ownership, patience: 2).get()
            #expect(answer.payload == Payload("content \(round % 6)"))
          }
        }
      }
    }

    @Test("Content of one selection is safe from answers that name it for another")
    func answersForAnotherSelection() throws {
      var script = OwnerScript([RawTarget("x-data", scrambledBytes(5000))])
      script.announcement = .strayFirst
      let owner = try BackgroundPeer(bench.server)
      for (_, name) in selections { try owner.own(script, selection: name) }
      var results: [Bench.ReadResult] = []
      for _ in 0..<5 {
        for (selection, _) in selections {
          bench.backend.read(
            "x-data", of: selection, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
          ) { results.append($0) }
        }
      }
      #expect(try bench.turn { results.count == 15 })
      for result in results {
        #expect(difference(try result.get().payload.bytes, scrambledBytes(5000)) == nil)
      }
    }

    @Test("An answer without a value is malformed, and spoils nothing")
    func hollowAnswer() throws {
      var script = OwnerScript([RawTarget("x-data", "data"), RawTarget("UTF8_STRING", "text")])
      script.announcement = .hollow
      script.announced = ["x-data"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      for _ in 0..<6 {
        #expect(try bench.read("x-data").failure == .malformed)
        #expect(try bench.read("UTF8_STRING").get().payload == Payload("text"))
      }
      withExtendedLifetime(owner) {}
    }

    @Test("An answer that comes after its deadline is taken away and is nobody's content")
    func lateAnswers() throws {
      var script = OwnerScript([RawTarget("x-late", "late"), RawTarget("UTF8_STRING", "text")])
      script.delay = 0.15
      let owner = try BackgroundPeer(bench.server, owning: script)
      for _ in 0..<5 { #expect(try bench.read("x-late", patience: 0.02).failure == .timedOut) }
      script.delay = 0
      try owner.change(script)
      // The late ones come among these.
      let deadline = Deadline(after: 0.3)
      while !deadline.isOver {
        #expect(try bench.read("UTF8_STRING").get().payload == Payload("text"))
      }
      // None of them lies about on our window.
      let leftovers = try bench.propertiesOfWindows()
      #expect(!leftovers.contains { $0.hasPrefix("_CLIPVIEW_") }, "\(leftovers)")
    }

    @Test("A transfer that is announced after the deadline is not begun")
    func lateAnnouncement() throws {
      var script = OwnerScript([RawTarget("x-late", scrambledBytes(5000))])
      script.delay = 0.1
      script.increments = .init(chunk: 1000)
      let owner = try BackgroundPeer(bench.server, owning: script)
      #expect(try bench.read("x-late", patience: 0.02).failure == .timedOut)
      script.delay = 0
      try owner.change(script)
      // Late ones are answered in their turn: once this one is there, so was the other.
      #expect(try bench.turn { owner.errors.isEmpty && owner.answersSent >= 1 })
      #expect(try bench.read("x-none").failure == .refused)
      #expect(owner.chunksSent == 0)
      #expect(difference(try bench.read("x-late").get().payload.bytes, scrambledBytes(5000)) == nil)
    }

    @Test("Two hundred answers that never come leave a bounded number of names and windows")
    func namesAreBounded() throws {
      var script = OwnerScript([RawTarget("x-silent", "never"), RawTarget("UTF8_STRING", "text")])
      script.silent = ["x-silent"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      let peer = try bench.peer()
      let before = try peer.topLevelWindows().count
      for _ in 0..<200 { #expect(try bench.read("x-silent", patience: 0.001).failure == .timedOut) }
      #expect(try bench.read("UTF8_STRING").get().payload == Payload("text"))
      #expect(try peer.topLevelWindows().count < before + 50)
      // Atoms are there for ever: this one would have been made by the hundredth.
      #expect(try peer.existingAtom("_CLIPVIEW_100") == nil)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Lists of targets that can be read in any way are, in the owner's order",
      arguments: selections)
    func readableLists(selection: PasteboardName, name: String) throws {
      var script = OwnerScript([RawTarget("text/x-b", "b"), RawTarget("text/x-a", "a")])
      let owner = try BackgroundPeer(bench.server, owning: script, selection: name)
      let lists: [OwnerScript.TargetList] =
        [
          .honest, .badAtoms, .mistyped, .repeated, .padded, .incremental, .withoutProtocolTargets,
        ] + (selection == .clipboard ? [.crowded] : [])
      for list in lists {
        script.list = list
        try owner.change(script, selection: name)
        let names = try bench.targets(of: selection).get()
        let content = names.filter { $0.hasPrefix("text/x-") }
        let isRepeated = if case .repeated = list { true } else { false }
        let expected = ["text/x-b", "text/x-a"]
        #expect(content == (isRepeated ? expected + expected + expected : expected), "\(list)")
        #expect(!names.contains(""))
      }
      script.list = .exactly([])
      try owner.change(script, selection: name)
      #expect(try bench.targets(of: selection).get().isEmpty)
    }

    @Test("Lists that cannot be read are told from lists that are refused")
    func unreadableLists() throws {
      var script = OwnerScript([RawTarget("text/x-b", "b")])
      let owner = try BackgroundPeer(bench.server, owning: script)
      let lists: [(OwnerScript.TargetList, ReadFailure)] = [
        (.format(8), .malformed), (.format(16), .malformed), (.endless, .tooLarge),
        (.refused, .refused), (.silent, .timedOut),
      ]
      for (list, failure) in lists {
        script.list = list
        try owner.change(script)
        let patience = failure == .timedOut ? 0.2 : 10
        #expect(throws: failure, "\(list)") { try bench.targets(patience: patience).get() }
      }
    }

    @Test("Answers of another type come with that type; what it means is the caller's to say")
    func typesOfAnswers() throws {
      let owner = try BackgroundPeer(
        bench.server,
        owning: OwnerScript([
          RawTarget("UTF8_STRING", type: "image/png", "x"),
          RawTarget("text/html", type: "x-private", "x"),
        ]))
      #expect(try bench.read("UTF8_STRING").get().typeName == "image/png")
      #expect(try bench.read("text/html").get().typeName == "x-private")
      withExtendedLifetime(owner) {}
    }

    @Test("A slow transfer that moves never times out; one deadline is shared by all steps")
    func sharedDeadline() throws {
      var script = OwnerScript([
        RawTarget("x-slow", scrambledBytes(100)), RawTarget("x-silent", "never"),
        RawTarget("UTF8_STRING", "text"),
      ])
      script.increments = .init(chunk: 10, pause: 0.05)
      script.incremented = ["x-slow"]
      script.silent = ["x-silent"]
      let owner = try BackgroundPeer(bench.server, owning: script)
      // Half a second in all, a fifth of one without progress at the most.
      let deadline = bench.deadline(0.2)
      var slow: Bench.ReadResult?
      bench.backend.read(
        "x-slow", of: .clipboard, in: ReadOwnership(), deadline: deadline, limit: .max
      ) { slow = $0 }
      // Beside it one that never comes: what moves keeps it waiting too, and then it ends.
      var silent: Bench.ReadResult?
      var isSlowDoneFirst = false
      bench.backend.read(
        "x-silent", of: .clipboard, in: ReadOwnership(), deadline: deadline, limit: .max
      ) {
        silent = $0
        isSlowDoneFirst = slow != nil
      }
      #expect(try bench.turn { slow != nil && silent != nil })
      #expect(try slow?.get().payload.count == 100)
      #expect(silent?.failure == .timedOut)
      #expect(isSlowDoneFirst)
      // Where the time is used up a fallback gets none of its own, however long the whole was.
      let spent = ProgressDeadline(
        .seconds(600), startingAt: bench.backend.clock - 600_000_000_000)
      var late: Bench.ReadResult?
      bench.backend.read(
        "x-silent", of: .clipboard, in: ReadOwnership(), deadline: spent, limit: .max
      ) { late = $0 }
      #expect(try bench.turn { late != nil })
      #expect(late?.failure == .timedOut)
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A refusal twice for one request does not refuse the next", arguments: selections)
    func refusedTwice(selection: PasteboardName, name: String) throws {
      var script = OwnerScript([RawTarget("x-no", "no"), RawTarget("UTF8_STRING", "text")])
      script.refused = ["x-no"]
      script.announcement = .repeated
      let owner = try BackgroundPeer(bench.server, owning: script, selection: name)
      for _ in 0..<5 {
        #expect(try bench.read("x-no", of: selection).failure == .refused)
        #expect(
          try bench.read("UTF8_STRING", of: selection).get().payload == Payload("text"))
      }
      withExtendedLifetime(owner) {}
    }
  }
}
