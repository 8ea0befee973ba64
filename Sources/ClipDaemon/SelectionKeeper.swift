import ClipboardCore
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// Reads what another program has on one selection of an X display, politely, so that it can be
/// published when that program has died: the shell around ``CaptureSchedule``.
final class SelectionKeeper {
  private let selection: PasteboardName
  private let backend: any SelectionBackend
  private let loop: any EventLoop
  private let rules: KeepingRules
  private let onDeath: (Offer, _ byteCount: Int) -> Void
  private var schedule: CaptureSchedule
  private var timer: LoopToken?
  /// Which ownership it is about; what belongs to an earlier one is not looked at.
  private var generation = 0
  private var ownership = ReadOwnership()
  private var names: [String] = []
  private var captured: [ExactName: ReceivedRepresentation] = [:]

  /// How long nothing must have changed before content is read.
  private static let rest = Duration.milliseconds(100)
  /// How long an owner may go without progress.
  private static let patience = Duration.seconds(5)

  /// - Parameter onDeath: Called with what is to be published, when the owner has died.
  init(
    _ selection: PasteboardName, on backend: any SelectionBackend, loop: any EventLoop,
    rules: KeepingRules, onDeath: @escaping (Offer, _ byteCount: Int) -> Void
  ) {
    self.selection = selection
    self.backend = backend
    self.loop = loop
    self.rules = rules
    self.onDeath = onDeath
    schedule = CaptureSchedule(rules.limits)
  }

  /// What was read so far of another program's content, in bytes.
  var byteCount: Int { captured.values.reduce(0) { $0 + $1.payload.count } }

  /// What was too much to be kept.
  var exceeded: [String] { schedule.exceeded }

  /// - Parameter isOurs: Whether it is ours that took it.
  func changed(_ change: SelectionChange, isOurs: Bool) {
    switch change {
    case .taken: feed(isOurs ? .ours : .taken)
    case .cleared: feed(.cleared)
    case .ownerEnded: feed(.ownerEnded)
    }
  }

  private func feed(_ event: CaptureSchedule.Event) {
    for action in schedule.handle(event) {
      switch action {
      case .discard: discard()
      case .list: list()
      case .startTimer:
        timer = loop.schedule(after: Self.rest) { [weak self] in
          self?.timer = nil
          self?.feed(.rested)
        }
      case .stopTimer: timer = nil
      case .read(let name, let limit): read(name, limit)
      case .publish: publish()
      }
    }
  }

  private func discard() {
    let wasLarge = byteCount > 1 << 20
    generation += 1
    ownership = ReadOwnership()
    names = []
    captured = [:]
    if wasLarge { loop.defer { giveBackFreedMemory() } }
  }

  private var deadline: ProgressDeadline {
    ProgressDeadline(Self.patience, startingAt: backend.clock)
  }

  private func list() {
    let number = generation
    if let owner = backend.ownerFacts(of: selection)?.name, rules.ignores(application: owner) {
      return loop.defer { [weak self] in self?.listed([], number) }
    }
    backend.listTargets(
      of: selection, in: ownership, deadline: deadline, share: 1
    ) { [weak self] result in
      guard let self, self.generation == number else { return }
      switch result {
      case .success(let names): self.listed(names, number)
      case .failure: self.feed(.notListed)
      }
    }
  }

  private func listed(_ names: [String], _ number: Int) {
    guard generation == number else { return }
    self.names = names
    // Marks that say secret are not read to find out: whoever sets one means it.
    feed(.listed(toRead: rules.items(among: names)))
  }

  private func read(_ name: String, _ limit: Int) {
    let number = generation
    backend.read(
      name, of: selection, in: ownership, deadline: deadline, limit: limit
    ) { [weak self] result in
      guard let self, self.generation == number else { return }
      switch result {
      case .success(let answer):
        guard answer.payload.count <= limit else { return self.feed(.unread(name, .tooLarge)) }
        if !KeepingRules.isBoundToOwner(answer) { self.captured[ExactName(name)] = answer }
        self.feed(.read(name, bytes: answer.payload.count))
      case .failure(.tooLarge): self.feed(.unread(name, .tooLarge))
      case .failure: self.feed(.unread(name, .failed))
      }
    }
  }

  private func publish() {
    let answers = names.eachOnce.compactMap { captured[ExactName($0)] }
    let count = byteCount
    discard()
    guard !answers.isEmpty else { return }
    onDeath(Offer(republishing: answers, on: .x11), count)
  }
}
