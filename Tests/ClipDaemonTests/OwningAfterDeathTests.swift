import ClipboardCore
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import Testing

@testable import ClipDaemon

/// A display with one owner that answers at once, whatever it is asked.
private final class OneOwnerDisplay: SelectionBackend {
  let kind: BackendKind
  private let loop: any EventLoop
  private let names: [String]
  /// Whether it looks at one request each time that another one comes, as Qt does in the end: the last one
  /// lies there.
  var isEnding = false
  private var waiting: [() -> Void] = []
  var isLost: Bool { false }
  var clock: Int64 { loop.now.nanoseconds }
  let displayName = "test"
  let displayFacts = DisplayFacts(server: "test", reportsOwnerChanges: true)

  init(_ kind: BackendKind, _ loop: any EventLoop, offering names: [String]) {
    self.kind = kind
    self.loop = loop
    self.names = names
  }

  func synchronize() {}
  func supports(_ selection: PasteboardName) -> Bool { true }
  func hasOwner(_ selection: PasteboardName) -> Bool { true }
  func ownerFacts(of selection: PasteboardName) -> SelectionOwnerFacts? { nil }
  func watch(
    _ selection: PasteboardName, _ handler: @escaping (SelectionChange) -> Void
  ) -> Result<SelectionWatchToken, WatchFailure> { .failure(.unsupported) }

  func listTargets(
    of selection: PasteboardName, in ownership: ReadOwnership, deadline: ProgressDeadline,
    share: Double, _ completion: @escaping (Result<[String], ReadFailure>) -> Void
  ) { answer { [names] in completion(.success(names)) } }

  func read(
    _ target: String, of selection: PasteboardName, in ownership: ReadOwnership,
    deadline: ProgressDeadline, limit: Int, into sink: (any ContentSink)?,
    _ completion: @escaping (Result<ReceivedRepresentation, ReadFailure>) -> Void
  ) {
    let content = Payload(Array("content of \(target)".utf8))
    answer {
      completion(
        .success(
          ReceivedRepresentation(target: target, typeName: target, format: 8, payload: content)))
    }
  }

  private func answer(_ action: @escaping () -> Void) {
    guard isEnding else { return action() }
    waiting.append(action)
    if waiting.count > 1 { loop.defer(waiting.removeFirst()) }
  }

  func wakeOwner(of selection: PasteboardName) {
    if !waiting.isEmpty { loop.defer(waiting.removeFirst()) }
  }

  func publish(
    _ offer: Offer, to selection: PasteboardName, onEnd: @escaping () -> Void
  ) -> Result<Void, OwnershipFailure> { .failure(.unsupported) }
  func clear(_ selection: PasteboardName) -> Result<Void, OwnershipFailure> {
    .failure(.unsupported)
  }
  func manageClipboard(
    _ onSave: @escaping (SaveRequest) -> Void
  ) -> ClipboardManagerToken? { nil }
  func watchWindows(
    ofOwnerOf selection: PasteboardName, _ onUnmap: @escaping () -> Void
  ) -> SelectionWatchToken? { nil }
}

@Suite("When the place of an owner is taken")
struct OwningAfterDeathTests {
  private let names = ["UTF8_STRING", "text/html", "x/a", "x/b", "x/c"]

  @Test(
    "Never as long as it lives, and after its death within 100 ms, with everything that it had",
    arguments: [BackendKind.x11, .wayland])
  func withinItsTime(kind: BackendKind) throws {
    let loop = ManualEventLoop()
    let display = OneOwnerDisplay(kind, loop, offering: names)
    var published: [(offer: Offer, at: MonotonicTime)] = []
    var waits: [LoopToken?] = []
    let keeper = SelectionKeeper(
      .clipboard, on: display, loop: loop, worker: Worker(on: loop), rules: KeepingRules(),
      onDeath: { offer, _ in
        waits.append(
          SuccessorWait.begin(on: kind, loop) { published.append((offer, loop.now)) })
      },
      onEnrichment: { _, _ in Issue.record("nothing is enriched") })
    keeper.changed(.taken(by: nil), isOurs: false)
    // The living keep it, however long that is.
    for _ in 0..<60 { loop.advance(by: .seconds(60)) }
    #expect(keeper.held?.offer.targets.isEmpty == false)
    #expect(published.isEmpty && waits.isEmpty)

    let death = loop.now
    keeper.changed(.ownerEnded, isOurs: false)
    // The keeper itself waits for nothing: what there is of a wait is for who may follow.
    #expect(waits.count == 1)
    loop.advance(by: .milliseconds(100))
    let taken = try #require(published.first)
    #expect(published.count == 1)
    #expect(taken.at <= death + .milliseconds(100))
    if kind == .x11 { #expect(taken.at == death) }
    #expect(Array(taken.offer.targets.map(\.name).prefix(names.count)) == names)
  }

  @Test("One who follows within the wait keeps the place, where there is a wait")
  func followed() {
    let loop = ManualEventLoop()
    var isPublished = false
    var wait = SuccessorWait.begin(on: .wayland, loop) { isPublished = true }
    loop.advance(by: .milliseconds(1))
    #expect(wait != nil && !isPublished)
    wait = nil
    loop.advance(by: .seconds(1))
    #expect(!isPublished)
  }

  @Test("An owner that looks at what it is asked only when more comes is read all the same")
  func reminded() {
    let loop = ManualEventLoop()
    let display = OneOwnerDisplay(.x11, loop, offering: names)
    var offered: [String] = []
    let keeper = SelectionKeeper(
      .clipboard, on: display, loop: loop, worker: Worker(on: loop), rules: KeepingRules(),
      onDeath: { offer, _ in offered = offer.targets.map(\.name) }, onEnrichment: { _, _ in })
    keeper.changed(.taken(by: nil), isOurs: false)
    loop.advance(by: .milliseconds(1))
    display.isEnding = true
    var answers: [Bool] = []
    keeper.save(SaveRequest(nil) { answers.append($0) })
    // Not at the end of its patience, which is 4 s.
    loop.advance(by: .seconds(1))
    #expect(answers == [true])
    keeper.changed(.ownerEnded, isOurs: false)
    #expect(Array(offered.prefix(names.count)) == names)
  }
}
