import Pasteboard
import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Several targets by one request")
  struct MultipleTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private static let large = scrambledBytes(50_000)

    /// Two that come in one piece, one by INCR, one that is refused, one that does not exist.
    private func script(_ manner: OwnerScript.MultipleManner = .honest) -> OwnerScript {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("x-large", Self.large),
        RawTarget("x-refused", "never"), RawTarget("x-empty", []),
      ])
      script.multiple = manner
      script.refused = ["x-refused"]
      script.increments = .init(chunk: 9_000)
      script.incremented = ["x-large"]
      return script
    }

    private let targets = [
      "UTF8_STRING", "x-large", "x-refused", "TIMESTAMP", "x-absent", "x-empty",
    ]

    private func expectAll(
      _ result: Bench.TogetherResult, unpromised: ReadFailure = .refused,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let answers = try result.get()
      try #require(answers.count == targets.count, sourceLocation: sourceLocation)
      #expect(try answers[0].get().payload == Payload("text"), sourceLocation: sourceLocation)
      #expect(try answers[0].get().target == "UTF8_STRING", sourceLocation: sourceLocation)
      #expect(
        difference(try answers[1].get().payload.bytes, Self.large) == nil,
        sourceLocation: sourceLocation)
      #expect(answers[2].failure == unpromised, sourceLocation: sourceLocation)
      #expect(try answers[3].get().typeName == "INTEGER", sourceLocation: sourceLocation)
      #expect(answers[4].failure == unpromised, sourceLocation: sourceLocation)
      #expect(try answers[5].get().payload.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("C62: each pair has an answer of its own; what failed may be marked in either place")
    func c62PairsAreToldApart() throws {
      for manner: OwnerScript.MultipleManner in [
        .honest, .marksTargets, .typed("ATOM"), .typed("INTEGER"), .incremental,
      ] {
        let owner = try BackgroundPeer(bench.server, owning: script(manner))
        try expectAll(bench.together(targets))
        #expect(owner.requests == ["MULTIPLE"] + targets, "\(manner)")
      }
    }

    @Test("C62: where the list that comes back makes no sense the properties are looked at")
    func c62SenselessLists() throws {
      for manner: OwnerScript.MultipleManner in [
        .format(8), .format(16), .shortened, .lengthened, .deleted, .reversed,
      ] {
        let owner = try BackgroundPeer(bench.server, owning: script(manner))
        try expectAll(bench.together(targets))
        withExtendedLifetime(owner) {}
      }
    }

    @Test("A pair that is said to be granted and has no value is malformed, the others are not")
    func promiseWithoutValue() throws {
      let owner = try BackgroundPeer(bench.server, owning: script(.untouched))
      try expectAll(bench.together(targets), unpromised: .malformed)
      withExtendedLifetime(owner) {}
    }

    @Test("An owner that refuses the request as a whole is a value")
    func refusedAltogether() throws {
      var script = script()
      script.knowsMultiple = false
      let owner = try BackgroundPeer(bench.server, owning: script)
      let ownership = ReadOwnership()
      _ = try bench.targets(in: ownership).get()
      for _ in 0..<3 {
        #expect(throws: ReadFailure.refused) { try bench.together(targets, in: ownership).get() }
      }
      // The names of its properties are free again, and clean.
      #expect(try bench.read("UTF8_STRING", in: ownership).get().payload == Payload("text"))
      script.announcement = .hollow
      script.announced = ["UTF8_STRING"]
      try owner.change(script)
      for _ in 0..<12 {
        #expect(try bench.read("UTF8_STRING", in: ownership).failure == .malformed)
      }
    }

    @Test("Nothing asked, nothing sent")
    func nothingAsked() throws {
      let owner = try BackgroundPeer(bench.server, owning: script())
      #expect(try bench.together([]).get().isEmpty)
      #expect(owner.requests.isEmpty)
    }

    @Test("The same target may be asked for more than once")
    func repeatedTargets() throws {
      let owner = try BackgroundPeer(bench.server, owning: script())
      let answers = try bench.together(["x-large", "UTF8_STRING", "x-large"]).get()
      #expect(answers.count == 3)
      for index in [0, 2] {
        #expect(difference(try answers[index].get().payload.bytes, Self.large) == nil)
      }
      withExtendedLifetime(owner) {}
    }

    @Test("No owner, a silent one, one that ends: as with a single target")
    func failures() throws {
      try bench.backend.clear(.clipboard).get()
      #expect(throws: ReadFailure.noOwner) { try bench.together(targets).get() }
      var silent = script()
      silent.silent = ["MULTIPLE"]
      var owner: BackgroundPeer? = try BackgroundPeer(bench.server, owning: silent)
      #expect(throws: ReadFailure.timedOut) { try bench.together(targets, patience: 0.2).get() }
      var result: Bench.TogetherResult?
      bench.backend.readTogether(
        targets, of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(60), limit: .max
      ) { result = $0 }
      #expect(try bench.turn { owner?.requests.count == 2 })
      owner = nil
      #expect(try bench.turn { result != nil })
      #expect(throws: ReadFailure.ownerGone) { try result?.get() }
    }

    @Test("One pair that stops costs the others nothing")
    func oneStops() throws {
      var script = script()
      script.increments = .init(chunk: 9_000, stopsAfter: 2)
      let owner = try BackgroundPeer(bench.server, owning: script)
      let answers = try bench.together(targets, patience: 0.3).get()
      #expect(try answers[0].get().payload == Payload("text"))
      #expect(answers[1].failure == .timedOut)
      #expect(answers[2].failure == .refused)
      withExtendedLifetime(owner) {}
    }

    @Test("The limit is that of each target")
    func limitOfEach() throws {
      let owner = try BackgroundPeer(bench.server, owning: script())
      let answers = try bench.together(targets, limit: 20_000).get()
      #expect(try answers[0].get().payload == Payload("text"))
      #expect(answers[1].failure == .tooLarge)
      withExtendedLifetime(owner) {}
    }

    @Test("A request that is too early is made again with its list")
    func tooEarly() throws {
      var script = script()
      script.refusesEarlierRequests = true
      let owner = try BackgroundPeer(bench.server, owning: script)
      try expectAll(bench.together(targets))
      withExtendedLifetime(owner) {}
    }

    @Test("Two requests at once do not get mixed up")
    func twoAtOnce() throws {
      let owner = try BackgroundPeer(bench.server, owning: script())
      var results: [Bench.TogetherResult] = []
      for _ in 0..<2 {
        bench.backend.readTogether(
          targets, of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(), limit: .max
        ) { results.append($0) }
      }
      #expect(try bench.turn { results.count == 2 })
      for result in results { try expectAll(result) }
      withExtendedLifetime(owner) {}
    }

    @Test("clipview serves what clipview asks")
    func ownPublication() throws {
      let other = try Bench(bench.server)
      try other.publish(["UTF8_STRING": Array("text".utf8), "x-large": scrambledBytes(3_000_000)])
      var result: Bench.TogetherResult?
      bench.backend.readTogether(
        ["UTF8_STRING", "x-none", "x-large"], of: .clipboard, in: ReadOwnership(),
        deadline: bench.deadline(), limit: .max
      ) { result = $0 }
      let deadline = Deadline(after: 10)
      while result == nil, !deadline.isOver {
        try other.idle()
        try bench.idle()
      }
      let answers = try #require(result).get()
      #expect(try answers[0].get().payload == Payload("text"))
      #expect(answers[1].failure == .refused)
      #expect(difference(try answers[2].get().payload.bytes, scrambledBytes(3_000_000)) == nil)
    }

    @Test("A hundred random owners: one result for each target, and the right one")
    func randomOwners() throws {
      var numbers = SeededGenerator(seed: 23)
      let owner = try BackgroundPeer(bench.server, owning: OwnerScript([]))
      let manners: [OwnerScript.MultipleManner] = [
        .honest, .marksTargets, .typed("ATOM"), .format(8), .shortened, .lengthened, .deleted,
        .reversed, .incremental,
      ]
      for round in 0..<100 {
        let names = (0..<8).map { "x-\(round % 3)-\($0)" }
        var script = OwnerScript(
          names.map { name in
            let format = [8, 16, 32].randomElement(using: &numbers) ?? 8
            let count = Int.random(in: 0...3000, using: &numbers)
            return RawTarget(name, format: format, scrambledBytes(count / 4 * 4))
          })
        script.multiple = manners.randomElement(using: &numbers) ?? .honest
        script.refused = Set(names.filter { _ in Int.random(in: 0..<3, using: &numbers) == 0 })
        script.increments = .init(chunk: 4 * Int.random(in: 1...400, using: &numbers))
        script.incremented = Set(names.filter { _ in Bool.random(using: &numbers) })
        script.refusesEarlierRequests = Bool.random(using: &numbers)
        try owner.own(script)
        let asked = (0..<Int.random(in: 1...9, using: &numbers)).map { _ in
          (names + ["x-absent"]).randomElement(using: &numbers) ?? "x-absent"
        }
        let answers = try bench.together(asked).get()
        guard answers.count == asked.count else {
          Issue.record("round \(round): \(answers.count) answers to \(asked.count)")
          return
        }
        for (name, answer) in zip(asked, answers) {
          let target = script.targets.first { $0.name == name && !script.refused.contains(name) }
          switch (target, answer) {
          case (let target?, .success(let value)) where value.format == target.format:
            #expect(difference(value.payload.bytes, target.bytes) == nil, "round \(round), \(name)")
          case (nil, .failure(.refused)): break
          default: Issue.record("round \(round), \(script.multiple), \(name): \(answer)")
          }
        }
      }
    }

    @Test("A server that is killed in the middle ends it")
    func killedServer() throws {
      let server = try XServer()
      let bench = try Bench(server)
      var script = script()
      script.increments = .init(chunk: 9_000, stopsAfter: 1)
      let owner = try BackgroundPeer(server, owning: script)
      var result: Bench.TogetherResult?
      bench.backend.readTogether(
        targets, of: .clipboard, in: ReadOwnership(), deadline: bench.deadline(60), limit: .max
      ) { result = $0 }
      #expect(try bench.turn { owner.requests.count == 1 + targets.count })
      for _ in 0..<20 { try bench.idle() }
      #expect(result == nil)
      server.crash()
      #expect(try bench.turn { result != nil })
      let answers = try #require(result).get()
      #expect(try answers[0].get().payload == Payload("text"))
      #expect(answers[1].failure == .connectionLost)
    }
  }
}
