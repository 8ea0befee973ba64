import TestSupport
import Testing

extension OnService {
  /// `make test` has a few rounds, the same every time; `make chaos` a hundred, from its seed.
  @Suite("A service that is killed again and again", .enabled(if: XServer.isExpected))
  struct RestartChaosTests {
    static let seed = Programs.variable("CLIPVIEW_CHAOS_SEED").flatMap(UInt64.init) ?? 1
    static let rounds = Programs.variable("CLIPVIEW_CHAOS_SECONDS") == nil ? 12 : 100

    @Test("At whatever moment it is killed, what was kept is there, whole and unmixed")
    func killedAtRandom() throws {
      let world = try RestartWorld(seed: Self.seed)
      for round in 1...Self.rounds {
        try world.play(round)
        let complaint = "seed \(Self.seed), round \(round): \(world.deed)"
        #expect(world.fault == nil, "\(complaint): \(world.fault ?? "")\n\(world.log)")
        if world.fault != nil { return }
      }
    }
  }
}

/// What somebody copied: two representations that both say which copy they belong to.
private struct NumberedCopy {
  let number: Int
  let one: [UInt8]
  let two: [UInt8]

  init(_ number: Int, size: Int) {
    self.number = number
    one = Array("copy \(number)\n".utf8) + scrambledBytes(size, seed: UInt64(number))
    two = Array("copy \(number)\n".utf8) + scrambledBytes(size / 2, seed: UInt64(number) + 1000)
  }
}

/// A display, a service that is killed and started again, and programs that copy meanwhile.
private final class RestartWorld {
  private let server: XServer
  private let peer: RawPeer
  private let directory = TemporaryDirectory()
  private var random: SeededGenerator
  private var daemon: Daemon
  private var copies: [NumberedCopy] = []
  /// The copy that has to be there.
  private var kept: Int?
  private(set) var deed = ""
  private(set) var fault: String?

  init(seed: UInt64) throws {
    server = try XServer()
    peer = try RawPeer(server)
    random = SeededGenerator(seed: seed)
    daemon = try Daemon(in: directory, environment: ["DISPLAY": server.display])
  }

  var log: String { daemon.log }

  func play(_ round: Int) throws {
    let sizes = [10, 5000, 60_000, 70_000, 400_000, 2_000_000]
    let copy = NumberedCopy(round, size: sizes.randomElement(using: &random) ?? 0)
    copies.append(copy)
    switch Int.random(in: 0..<3, using: &random) {
    // There is something from the first round on.
    case 0 where kept != nil: try copyThroughService(copy)
    case 1: try copyByProgram(copy)
    default: try copyByProgramThatDies(copy)
    }
  }

  private func passTime(upTo seconds: Double) {
    _ = eventually(within: Double.random(in: 0...seconds, using: &random)) { false }
  }

  private func start() throws {
    daemon = try Daemon(in: directory, environment: ["DISPLAY": server.display])
  }

  /// The service dies while something is handed over to it.
  private func copyThroughService(_ copy: NumberedCopy) throws {
    deed = "\(copy.one.count) bytes copied through the service"
    let files = try (
      directory.write(copy.one, to: "one"), directory.write(copy.two, to: "two")
    )
    let process = try ChildProcess(
      Programs.clipview,
      ["copy", "--only", "-t", "x/one", files.0, "--also", "x/two=\(files.1)"],
      environment: daemon.environment)
    passTime(upTo: 0.06)
    daemon.kill()
    let result = process.finish(within: 20)
    deed += ", which ended with \(result.ending)"
    try start()
    // Who was told that it is done has it; who was not has it or what was there before.
    try expect(result.status == 0 ? [copy.number] : [copy.number, kept].compactMap { $0 })
  }

  /// The service dies while it reads what a program has, which lives on.
  private func copyByProgram(_ copy: NumberedCopy) throws {
    deed = "\(copy.one.count) bytes copied by a program that lives on"
    var owner: BackgroundPeer? = try BackgroundPeer(server, owning: Self.script(copy))
    passTime(upTo: 0.25)
    daemon.kill()
    try start()
    try waitForCapture(copy)
    withExtendedLifetime(owner) {}
    owner = nil
    try expect([copy.number])
  }

  /// The service dies about when the program does whose content it has.
  private func copyByProgramThatDies(_ copy: NumberedCopy) throws {
    deed = "\(copy.one.count) bytes copied by a program that dies too"
    var owner: BackgroundPeer? = try BackgroundPeer(server, owning: Self.script(copy))
    try waitForCapture(copy)
    withExtendedLifetime(owner) {}
    let isFirst = Bool.random(using: &random)
    if isFirst { daemon.kill() }
    owner = nil
    passTime(upTo: 0.03)
    if !isFirst { daemon.kill() }
    try start()
    try expect([copy.number])
  }

  private static func script(_ copy: NumberedCopy) -> OwnerScript {
    OwnerScript([RawTarget("x/one", copy.one), RawTarget("x/two", copy.two)])
  }

  /// Waits until a file has all of it.
  private func waitForCapture(_ copy: NumberedCopy) throws {
    let current = "\(directory.path)/clipview/current"
    let isThere = eventually {
      Files.names(in: current).contains { name in
        let bytes = name.hasPrefix(".") ? nil : try? Files.read("\(current)/\(name)")
        return bytes.map { contains($0, copy.one) && contains($0, copy.two) } ?? false
      }
    }
    if !isThere { fault = "it was not captured" }
  }

  /// Expects one of the copies, all of it.
  private func expect(_ numbers: [Int]) throws {
    var found: Int?
    var state = "nothing"
    let isThere = try eventually {
      guard let one = try peer.ask("x/one").value?.bytes,
        let two = try peer.ask("x/two").value?.bytes
      else {
        state = "nothing"
        return false
      }
      found = copies.last { $0.one == one && $0.two == two }?.number
      state = found.map { "copy \($0)" } ?? "a mixture of \(one.count) and \(two.count) bytes"
      return found.map { numbers.contains($0) } ?? false
    }
    if !isThere { fault = "\(state) is there, not \(numbers)" }
    kept = found
  }
}

/// Whether bytes stand somewhere among others.
func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  guard let first = part.first, part.count <= bytes.count else { return part.isEmpty }
  var start = 0
  while let next = bytes[start...].firstIndex(of: first), next + part.count <= bytes.count {
    if bytes[next..<next + part.count].elementsEqual(part) { return true }
    start = next + 1
  }
  return false
}
