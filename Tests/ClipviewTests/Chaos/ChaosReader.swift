import Synchronization
import TestSupport

/// What a reader does in its turn.
enum ReaderDeed: String, CaseIterable, Sendable {
  case readsAll, readsMultiple, asksAgain
  case stalls, dies, vanishes, floods, lies, forges

  static func random(using numbers: inout SeededGenerator) -> ReaderDeed {
    // Half of them behave: what the others do must cost these nothing.
    let isGood = Bool.random(using: &numbers)
    let deeds = allCases.filter { $0.behaves == isGood }
    return deeds[Int.random(in: deeds.indices, using: &numbers)]
  }

  /// Whether it does what the protocol asks of it, and has to get all bytes.
  var behaves: Bool {
    switch self {
    case .readsAll, .readsMultiple, .asksAgain: true
    case .stalls, .dies, .vanishes, .floods, .lies, .forges: false
    }
  }
}

/// What the readers of a round have in common.
final class ChaosTally: Sendable {
  private struct State {
    var violations: [String] = []
    var deeds: Set<ReaderDeed> = []
    var windows: [UInt32] = []
    var working = 0
  }

  private let state = Mutex(State())

  var violations: [String] { state.withLock { $0.violations } }
  var deeds: Set<ReaderDeed> { state.withLock { $0.deeds } }
  /// Windows of readers that behave, for those that do not.
  var windows: [UInt32] { state.withLock { $0.windows } }
  var isIdle: Bool { state.withLock { $0.working == 0 } }

  func report(_ violation: String) { state.withLock { $0.violations.append(violation) } }
  func note(_ deed: ReaderDeed) { state.withLock { _ = $0.deeds.insert(deed) } }
  func begin() { state.withLock { $0.working += 1 } }
  func end() { state.withLock { $0.working -= 1 } }

  /// Lets those that forge know a window meanwhile.
  func show(_ window: UInt32, during body: () throws -> Void) rethrows {
    state.withLock { $0.windows.append(window) }
    defer { state.withLock { state in state.windows.removeAll { $0 == window } } }
    try body()
  }
}

/// One reader after the other, on a thread of its own.
struct ChaosReader: Sendable {
  let display: String
  let tally: ChaosTally
  /// Whether the owner changes meanwhile: a request may then be older than the ownership it meets.
  let ownerChanges: Bool

  private static let targets = [
    "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8",
  ]
  private static let patience = 30.0

  /// Reads until time is over.
  func work(seed: UInt64, until deadline: Deadline) {
    var numbers = SeededGenerator(seed: seed)
    // Those that stall stay a while.
    var stalled: [RawPeer] = []
    while !deadline.isOver {
      let deed = ReaderDeed.random(using: &numbers)
      tally.note(deed)
      do {
        // A window that has the identifier of one that is gone is something that an owner must get
        // right; of two owners, one cannot know what the other still sends there.
        let number = ownerChanges ? UInt32.random(in: 1...1_000_000, using: &numbers) : 1
        let peer = try RawPeer(display: display, windowNumber: number)
        try perform(deed, as: peer, &numbers)
        if deed == .stalls { stalled.append(peer) }
      } catch {
        tally.report("\(deed.rawValue): \(error)")
      }
      if stalled.count > 8 { stalled.remove(at: Int.random(in: 0..<8, using: &numbers)) }
    }
  }

  private func perform(
    _ deed: ReaderDeed, as peer: RawPeer, _ numbers: inout SeededGenerator
  ) throws {
    let target = Self.targets[Int.random(in: Self.targets.indices, using: &numbers)]
    let chunks = Int.random(in: 0...4, using: &numbers)
    switch deed {
    case .readsAll:
      try readAll(target, as: peer)
    case .readsMultiple:
      let count = Int.random(in: 1...4, using: &numbers)
      let targets = Self.targets.shuffled(using: &numbers).prefix(count) + ["x/unknown"]
      try tally.show(peer.window) {
        let reply = try peer.multiple(Array(targets), timeout: Self.patience)
        guard let reply else {
          if !ownerChanges { tally.report("MULTIPLE of \(targets): refused") }
          return
        }
        for (target, answer) in zip(targets, reply.answers) where target != "x/unknown" {
          look(at: answer, "\(target) in MULTIPLE")
        }
        if reply.answers.last != .refused { tally.report("x/unknown in MULTIPLE: not refused") }
      }
    case .asksAgain:
      _ = try peer.ask(target, timeout: 5, chunkLimit: chunks)
      let next = Self.targets[Int.random(in: Self.targets.indices, using: &numbers)]
      // The next owner cannot end what the last one still sends to the same property.
      try readAll(next, as: peer, property: ownerChanges ? "CLIPVIEW_AGAIN" : "CLIPVIEW_TEST")
    case .stalls, .dies:
      _ = try peer.ask(target, timeout: 5, chunkLimit: chunks)
    case .vanishes:
      _ = try peer.ask(target, timeout: 5, chunkLimit: chunks)
      try peer.destroyWindow()
    case .floods:
      for index in 0..<Int.random(in: 1...60, using: &numbers) {
        try peer.convert(target, property: "CLIPVIEW_FLOOD_\(index)", time: .current)
      }
      try peer.synchronize()
    case .lies:
      try lie(target, as: peer, &numbers)
    case .forges:
      guard let victim = tally.windows.randomElement(using: &numbers) else { return }
      try peer.forgeNotices(about: victim, property: try peer.atom("CLIPVIEW_TEST"))
    }
  }

  private func lie(
    _ target: String, as peer: RawPeer, _ numbers: inout SeededGenerator
  ) throws {
    let atom = try peer.atom(target)
    let property = try peer.atom("CLIPVIEW_LIE")
    let anything = UInt32.random(in: 0 ... .max, using: &numbers)
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: _ = try peer.multiple(list: [atom, property, atom], timeout: 5)
    case 1: _ = try peer.multiple(list: [atom, property], format: 8, timeout: 5)
    case 2: _ = try peer.multiple(list: [], property: "", timeout: 5)
    case 3: _ = try peer.ask(target, time: .at(anything), timeout: 5)
    case 4: _ = try peer.multiple(list: (0..<200).flatMap { _ in [atom, property] }, timeout: 5)
    case 5:
      // Windows that are not there, the owner's own, the root window or a pixmap's number.
      let owner = try peer.owner(of: "CLIPBOARD")
      for window in [anything, owner, peer.window | 0xFFFFF, 0] {
        try peer.forgeRequest(to: owner, requestor: window, target: atom, property: property)
      }
    case 6:
      let owner = try peer.owner(of: "CLIPBOARD")
      try peer.forgeRequest(
        to: owner, requestor: peer.window, target: anything, property: property)
      try peer.forgeRequest(to: owner, requestor: peer.window, target: atom, property: anything)
    default:
      _ = try peer.ask("x/unknown-\(anything % 64)", timeout: 5)
    }
  }

  /// Asks as one should, and looks at every byte.
  private func readAll(
    _ target: String, as peer: RawPeer, property: String = "CLIPVIEW_TEST"
  ) throws {
    try tally.show(peer.window) {
      look(at: try peer.ask(target, property: property, timeout: Self.patience), target)
    }
  }

  private func look(at answer: RawAnswer, _ target: String) {
    if answer == .refused, ownerChanges { return }
    guard let value = answer.value else { return tally.report("\(target): \(answer)") }
    if let fault = ChaosContents.all.fault(of: value.bytes) { tally.report("\(target): \(fault)") }
  }
}
