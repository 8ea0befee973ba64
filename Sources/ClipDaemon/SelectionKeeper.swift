import ClipboardCore
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// Reads what another program has on one selection of a display, politely, so that it can be published
/// when that program has died: the shell around ``CaptureSchedule``.
final class SelectionKeeper {
  private let selection: PasteboardName
  private let backend: any SelectionBackend
  private let loop: any EventLoop
  private let worker: Worker
  private let rules: KeepingRules
  private let onDeath: (Offer, _ byteCount: Int) -> Void
  private let onEnrichment: (Offer, _ byteCount: Int) -> Void
  private var hasLookedForMarkdown = false
  private var isListDue = false
  private var schedule: CaptureSchedule
  private var timer: LoopToken?
  /// Which ownership it is about; what belongs to an earlier one is not looked at.
  private var generation = 0
  private var ownership = ReadOwnership()
  private var names: [String] = []
  /// What the owner called itself when it took the selection, in small letters; known where programs are
  /// to be left alone.
  ///
  /// What it calls itself later does not matter, also when it is looked at anew by other rules.
  private(set) var ownerNames: Set<String> = []
  /// Whether these are all that the owner has.
  private var isListWhole = true
  private var captured: [ExactName: ReceivedRepresentation] = [:]
  /// Knows the files that were cut, when all is read; nil where none were.
  private var cutFiles: CutFilesCheck?
  private var isChecked = false
  /// Called when what was kept is not published, since files that were cut are somewhere else by now.
  var onDrop: (() -> Void)?
  /// Those who wait until their content is saved.
  private var saves: [SaveRequest] = []
  private var saveTimer: LoopToken?
  private var leaveTimer: LoopToken?
  /// What is being read, and what of an owner that is about to end does not move any more.
  private var reads: [ReadUnderWay] = []
  private var stallTimer: LoopToken?
  /// When a read ended last.
  private var lastAnswer: Int64 = 0
  /// Tells that a window of the owner was closed, while its content waits to be read.
  private var windowWatch: SelectionWatchToken?
  /// Called with what was read of an owner, in its order, when all of it is there, or when the owner
  /// has died before; with nothing where nothing of it is to be kept.
  var onCapture: (_ answers: [ReceivedRepresentation], _ isWhole: Bool) -> Void = { _, _ in }
  private var reportedGeneration = -1
  private var hasFailedReads = false
  /// Knows secrets again that do not say that they are.
  var secrets: SecretMemory?
  /// Learns those that do; nil where they are not to be read.
  var secretReader: SecretReader?
  /// Whether what is there is secret, by its marks or since it is known.
  private(set) var isSecret = false

  /// How long nothing must have changed before content is read.
  private static let rest = Duration.milliseconds(100)
  /// How long an owner may go without progress.
  private static let patience = Duration.seconds(5)
  /// An owner that takes longer for something that is not short is not asked for what could be made: GTK
  /// needs seconds for some spellings of a long text, during which its program stands still.
  private static let quick = Duration.milliseconds(250)
  private static let shortText = 1 << 16
  /// How long whoever asks for a save is kept waiting at the most: Qt waits for 5 s, GTK for 10.
  private static let savePatience = Duration.seconds(4)
  /// How long an answer in parts may stand still where somebody waits for a save.
  ///
  /// Qt sends no more parts from then on, and refuses what would need some.
  private static let stallPatience = Duration.milliseconds(500)
  /// How often it is looked whether anything moves then.
  private static let stallCheck = Duration.milliseconds(20)
  /// More than ever wait at the same time.
  private static let maximumSaves = 256
  /// How long after that it counts as about to end.
  private static let leaveTime = Duration.seconds(10)

  /// - Parameters:
  ///   - onDeath: Called with what is to be published, when the owner has died.
  ///   - onEnrichment: Called with what is to be published in a living owner's place.
  init(
    _ selection: PasteboardName, on backend: any SelectionBackend, loop: any EventLoop,
    worker: Worker, rules: KeepingRules, onDeath: @escaping (Offer, _ byteCount: Int) -> Void,
    onEnrichment: @escaping (Offer, _ byteCount: Int) -> Void
  ) {
    self.selection = selection
    self.backend = backend
    self.loop = loop
    self.worker = worker
    self.rules = rules
    self.onDeath = onDeath
    self.onEnrichment = onEnrichment
    schedule = CaptureSchedule(rules.limits)
  }

  /// What was read so far of another program's content, in bytes.
  var byteCount: Int { captured.values.reduce(0) { $0 + $1.payload.count } }

  /// What was too much to be kept: of what is there now, or of what was published of it.
  private(set) var leftOut: [String] = []
  /// Whether what is taken next is what was published.
  private var isPublishing = false

  /// - Parameters:
  ///   - isOurs: Whether it is ours that took it.
  ///   - names: What its owner is known to have called itself.
  func changed(_ change: SelectionChange, isOurs: Bool, by names: Set<String> = []) {
    ownerNames = names
    // At once: a moment later it may call itself something else. Only where it matters, since that takes
    // round trips.
    if case .taken = change, !isOurs, !rules.ignoredApplications.isEmpty {
      ownerNames.formUnion(backend.ownerNames(of: selection).map { $0.lowercased() })
    }
    switch change {
    case .taken: feed(isOurs ? .ours : .taken)
    case .cleared: feed(.cleared)
    case .ownerEnded: feed(.ownerEnded)
    }
  }

  /// The owner asks for its content to be saved.
  func save(_ request: SaveRequest) {
    guard saves.count < Self.maximumSaves else { return request.answer(false) }
    saves.append(request)
    // Whoever comes later does not prolong the wait of the others.
    if saveTimer == nil {
      saveTimer = loop.schedule(after: Self.savePatience) { [weak self] in
        self?.feed(.saveOverdue)
      }
    }
    leaveTimer = loop.schedule(after: Self.leaveTime) { [weak self] in self?.feed(.stayed) }
    if stallTimer == nil { watchForStalls() }
    feed(.saveAsked(request.targets))
  }

  /// Goes on without what does not move any more, as long as somebody waits.
  private func watchForStalls() {
    stallTimer = loop.schedule(after: Self.stallCheck) { [weak self] in
      guard let self else { return }
      self.stallTimer = nil
      for read in self.reads where read.isStalled(for: Self.stallPatience, at: self.backend.clock) {
        // Where it was ourselves who stood still, its parts may lie here.
        read.stalls += 1
        guard read.stalls > 1 else { continue }
        self.reads.removeAll { $0 === read }
        self.hasFailedReads = true
        self.feed(.unread(read.name, .stalled))
      }
      guard !self.saves.isEmpty else { return }
      self.wake()
      self.watchForStalls()
    }
  }

  /// Has an owner that waits for a save look at what it was asked before that.
  ///
  /// Qt then looks at one request whenever something comes, and no further: those that had come together,
  /// or in the wrong moment, lie there until something else does.
  private func wake() {
    if reads.contains(where: { !$0.hasBegun }) { backend.wakeOwner(of: selection) }
  }

  private func answerSaves(_ isSaved: Bool) {
    let asked = saves
    saves = []
    saveTimer = nil
    for request in asked { request.answer(isSaved) }
  }

  /// It was cleared for good, whatever its owner had asked for.
  func forget() { feed(.ours) }

  private func feed(_ event: CaptureSchedule.Event) {
    if event == .taken || event == .cleared || event == .ours {
      if event != .ours || !isPublishing { leftOut = [] }
      isPublishing = false
    }
    perform(schedule.handle(event))
    if !schedule.exceeded.isEmpty { leftOut = schedule.exceeded }
    if schedule.state == .held, !isChecked {
      isChecked = true
      cutFiles = CutFilesCheck(Array(captured.values), loop: loop, worker: worker)
    }
    if schedule.state == .held { reportCapture() }
    // Windows matter only while the moment of rest can be cut short.
    if ![.listing, .settling].contains(schedule.state) { windowWatch = nil }
  }

  private func watchWindows() {
    windowWatch = backend.watchWindows(ofOwnerOf: selection) { [weak self] in
      self?.feed(.hurried)
    }
  }

  private func perform(_ actions: [CaptureSchedule.Action]) {
    for action in actions {
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
      case .forget(let name): captured[ExactName(name)] = nil
      case .answerSave(let isSaved): answerSaves(isSaved)
      case .publish: publish()
      }
    }
    if schedule.state == .held, rules.enrichesMarkdown { enrich() }
  }

  /// Puts what can be made of the owner's Markdown beside it, once all that it has was read.
  private func enrich() {
    guard !hasLookedForMarkdown else { return }
    hasLookedForMarkdown = true
    guard isListWhole, rules.isWhole(names, captured: { captured[ExactName($0)] != nil }),
      let offer = Offer(enrichingMarkdownAmong: answers, on: wire)
    else { return }
    onEnrichment(offer, byteCount)
  }

  private var wire: TextSpelling.Wire { backend.kind == .wayland ? .wayland : .x11 }

  /// What of the owner's is kept, in its order; what can be made of the rest need not have been read.
  private var wanted: [String] { names.eachOnce.filter { schedule.isWanted($0) } }

  /// What was read of it.
  private var answers: [ReceivedRepresentation] { wanted.compactMap { captured[ExactName($0)] } }

  /// What would be published if the owner died now; nil where nothing was read, and for files that were
  /// cut, which may have been moved by then.
  var held: (offer: Offer, byteCount: Int)? {
    let answers = answers
    return answers.isEmpty || cutFiles != nil
      ? nil : (Offer(republishing: answers, listed: wanted, on: wire), byteCount)
  }

  private func discard() {
    let wasLarge = byteCount > 1 << 20
    generation += 1
    reads = []
    isSecret = false
    hasFailedReads = false
    secretReader?.cancel()
    ownership = ReadOwnership()
    names = []
    captured = [:]
    cutFiles = nil
    isChecked = false
    hasLookedForMarkdown = false
    if wasLarge { loop.defer { giveBackFreedMemory() } }
  }

  private var deadline: ProgressDeadline {
    ProgressDeadline(Self.patience, startingAt: backend.clock)
  }

  /// Asks what the owner has, and looks for its windows, when all changes that have come are known: where
  /// many came at once, of the last of them, since each takes several round trips and would be the slower
  /// for it.
  private func list() {
    guard !isListDue else { return }
    isListDue = true
    loop.defer { [weak self] in
      guard let self else { return }
      self.isListDue = false
      if self.schedule.state == .listing { self.watchWindows() }
      if self.schedule.state == .listing || self.schedule.state == .awaitingList { self.listNow() }
    }
  }

  private func listNow() {
    let number = generation
    if rules.ignores(applications: ownerNames) {
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
    self.names = Array(names.prefix(KeepingRules.maximumTargets))
    isListWhole = self.names.count == names.count
    // Marks that say secret are not read to find out: whoever sets one means it.
    let items = rules.items(among: names, on: wire)
    if items.isEmpty { report(isWhole: true) }
    if !SensitivityMarker.markers(among: names).isEmpty {
      isSecret = true
      secretReader?.begin(names, in: ownership)
    }
    feed(.listed(toRead: items))
  }

  private func read(_ name: String, _ limit: Int) {
    let read = ReadUnderWay(name, deadline, since: backend.clock)
    reads.append(read)
    backend.read(
      name, of: selection, in: ownership, deadline: read.deadline, limit: limit
    ) { [weak self] result in
      guard let self else { return }
      if read.hasReturned { return self.look(at: result, of: read, limit) }
      // Where the owner is gone each read of a list ends before it returns, and leads to the next.
      self.loop.defer { [weak self] in self?.look(at: result, of: read, limit) }
    }
    read.hasReturned = true
  }

  private func look(
    at result: Result<ReceivedRepresentation, ReadFailure>, of read: ReadUnderWay, _ limit: Int
  ) {
    // What belongs to an earlier ownership is none of ours, nor is what was given up.
    guard reads.contains(where: { $0 === read }) else { return }
    let name = read.name
    // Several share their owner's time, which gives one after the other.
    let now = backend.clock
    let isSlow = .nanoseconds(now - max(read.beginning, lastAnswer)) > Self.quick
    lastAnswer = now
    reads.removeAll { $0 === read }
    switch result {
    case .success(let answer):
      guard answer.payload.count <= limit else { return feed(.unread(name, .tooLarge)) }
      if secrets?.knows(answer.payload) == true { return meetSecret() }
      if !KeepingRules.isBoundToOwner(answer) { captured[ExactName(name)] = answer }
      if answer.payload.count > Self.shortText, isSlow { feed(.slow) }
      feed(.read(name, bytes: answer.payload.count))
    case .failure(.tooLarge): feed(.unread(name, .tooLarge))
    case .failure:
      hasFailedReads = true
      if isSlow { feed(.slow) }
      feed(.unread(name, .failed))
    }
  }

  /// It is a secret that somebody copied anew.
  private func meetSecret() {
    feed(.secret)
    isSecret = true
    report(isWhole: true)
  }

  /// Nothing is left to be read: what an owner refuses is refused, what one that has died did not give
  /// is told when its death is.
  private func reportCapture() {
    if hasFailedReads, !backend.hasOwner(selection) { return }
    report(isWhole: true)
  }

  private func report(isWhole: Bool) {
    guard reportedGeneration != generation else { return }
    reportedGeneration = generation
    onCapture(answers, isWhole)
  }

  private func publish() {
    let wanted = wanted
    let answers = answers
    let count = answers.reduce(0) { $0 + $1.payload.count }
    let check = cutFiles
    // Again, where it was told already: the owner may have given the selection up before it died.
    let isWhole = reportedGeneration == generation
    reportedGeneration = generation
    onCapture(answers, isWhole)
    discard()
    guard !answers.isEmpty else { return }
    isPublishing = true
    let offer = Offer(republishing: answers, listed: wanted, on: wire)
    guard let check else { return onDeath(offer, count) }
    let number = generation
    // Whoever copies meanwhile ends the wait.
    cutFiles = check
    check.ask { [weak self] isGood in
      guard let self, self.generation == number else { return }
      self.cutFiles = nil
      if isGood { self.onDeath(offer, count) } else { self.onDrop?() }
    }
  }
}
