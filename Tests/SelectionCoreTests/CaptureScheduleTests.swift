import SelectionCore
import TestSupport
import Testing

private typealias Event = CaptureSchedule.Event
private typealias Action = CaptureSchedule.Action

private let items = ["UTF8_STRING", "text/html", "text/rtf", "x/a", "x/b"].map { CaptureItem($0) }
private let early = CaptureSchedule.Limits().early
private let whole = CaptureSchedule.Limits().representation

/// A schedule, and what it wanted at each step.
private struct Run {
  var schedule: CaptureSchedule
  init(_ limits: CaptureSchedule.Limits = .init()) { schedule = CaptureSchedule(limits) }

  @discardableResult
  mutating func feed(_ events: Event...) -> [Action] {
    var actions: [Action] = []
    for event in events { actions = schedule.handle(event) }
    return actions
  }
}

@Suite("When another program's content is read to be kept")
struct CaptureScheduleTests {
  @Test("What it has is asked at once, content only after a moment of rest")
  func order() {
    var run = Run()
    #expect(run.feed(.taken) == [.discard, .list, .startTimer])
    #expect(run.feed(.listed(toRead: items)) == [])
    #expect(
      run.feed(.rested)
        == ["UTF8_STRING", "text/html", "text/rtf", "x/a"].map { .read($0, limit: early) })
    #expect(run.feed(.read("text/html", bytes: 5)) == [.read("x/b", limit: early)])
    for item in items where item.name != "text/html" { run.feed(.read(item.name, bytes: 1)) }
    #expect(run.schedule.state == .held)
  }

  @Test("An owner that is slow to tell is read when it has told")
  func slowList() {
    var run = Run()
    run.feed(.taken, .rested)
    #expect(run.schedule.state == .awaitingList)
    // Nobody waits behind it: it may be as large as it is.
    #expect(run.feed(.listed(toRead: [items[0]])) == [.read("UTF8_STRING", limit: whole)])
  }

  @Test("Each change begins anew, and the time with it")
  func changes() {
    var run = Run()
    run.feed(.taken, .listed(toRead: items))
    #expect(run.feed(.taken) == [.stopTimer, .discard, .list, .startTimer])
    run.feed(.listed(toRead: items), .rested)
    #expect(run.feed(.taken) == [.discard, .list, .startTimer])
    // Answers that were under way are about what was before.
    #expect(run.feed(.read("UTF8_STRING", bytes: 3)) == [])
    #expect(run.schedule.state == .listing)
  }

  @Test("What ended by itself is published, whole or as far as it was read")
  func deaths() {
    var run = Run()
    run.feed(.taken, .listed(toRead: [items[0]]), .rested, .read("UTF8_STRING", bytes: 3))
    #expect(run.schedule.state == .held)
    #expect(run.feed(.ownerEnded) == [.publish])
    #expect(run.schedule.state == .idle)
    run.feed(.taken, .listed(toRead: items), .rested, .read("UTF8_STRING", bytes: 3))
    #expect(run.feed(.ownerEnded) == [.publish])
    run.feed(.taken, .listed(toRead: items), .rested)
    #expect(run.feed(.ownerEnded) == [.discard])
    run.feed(.taken, .listed(toRead: items))
    #expect(run.feed(.ownerEnded) == [.stopTimer, .discard])
  }

  @Test(
    "What was cleared is gone, and so is what we have replaced ourselves, or know to be secret",
    arguments: [CaptureSchedule.Event.cleared, .ours, .secret])
  func endsOnPurpose(event: CaptureSchedule.Event) {
    var run = Run()
    run.feed(.taken, .listed(toRead: [items[0]]), .rested, .read("UTF8_STRING", bytes: 3))
    #expect(run.feed(event) == [.discard])
    #expect(run.feed(.ownerEnded) == [.discard])
  }

  @Test("Content that is not to be kept is left alone")
  func secrets() {
    var run = Run()
    run.feed(.taken)
    #expect(run.feed(.listed(toRead: [])) == [.stopTimer])
    #expect(run.feed(.rested) == [])
    #expect(run.feed(.ownerEnded) == [.discard])
    run.feed(.taken)
    #expect(run.feed(.notListed) == [.stopTimer])
  }

  @Test("Images and what is found to be large come last, one at a time, with more room")
  func largeLast() {
    var run = Run()
    let list = [CaptureItem("image/png", isLast: true), CaptureItem("x/a"), CaptureItem("x/b")]
    run.feed(.taken, .listed(toRead: list))
    #expect(run.feed(.rested) == [.read("x/a", limit: early), .read("x/b", limit: early)])
    #expect(run.feed(.unread("x/a", .tooLarge)) == [])
    #expect(run.feed(.read("x/b", bytes: 1)) == [.read("image/png", limit: whole)])
    #expect(run.feed(.read("image/png", bytes: 1)) == [.read("x/a", limit: whole)])
    #expect(run.feed(.unread("x/a", .tooLarge)) == [])
    #expect(run.schedule.state == .held)
    #expect(run.schedule.exceeded == ["x/a"])
  }

  @Test("What is refused is passed over")
  func refusals() {
    var run = Run()
    run.feed(.taken, .listed(toRead: [items[0], items[1]]), .rested)
    run.feed(.unread("UTF8_STRING", .failed), .read("text/html", bytes: 4))
    #expect(run.schedule.state == .held)
    #expect(run.feed(.ownerEnded) == [.publish])
  }

  @Test("No more is read than an offer may have")
  func offerLimit() {
    var limits = CaptureSchedule.Limits()
    limits.concurrentReads = 1
    limits.offer = 100
    var run = Run(limits)
    run.feed(.taken, .listed(toRead: items))
    #expect(run.feed(.rested) == [.read("UTF8_STRING", limit: 100)])
    #expect(run.feed(.read("UTF8_STRING", bytes: 60)) == [.read("text/html", limit: 40)])
    #expect(run.feed(.read("text/html", bytes: 40)) == [])
    #expect(run.schedule.state == .held)
    #expect(run.schedule.exceeded == ["text/rtf", "x/a", "x/b"])
    #expect(run.feed(.ownerEnded) == [.publish])
  }

  @Test("What is read at the same time is no more than an offer may have, either")
  func offerLimitOfSeveral() {
    var limits = CaptureSchedule.Limits()
    limits.offer = 100
    var run = Run(limits)
    run.feed(.taken, .listed(toRead: items))
    #expect(run.feed(.rested).count == 4)
    #expect(run.feed(.read("UTF8_STRING", bytes: 60)) == [.read("x/b", limit: 40)])
    #expect(run.feed(.read("text/html", bytes: 50)) == [.forget("text/html")])
    #expect(run.feed(.read("text/rtf", bytes: 40)) == [])
    #expect(run.feed(.read("x/a", bytes: 1)) == [.forget("x/a")])
    #expect(run.feed(.unread("x/b", .tooLarge)) == [])
    #expect(run.schedule.state == .held)
    #expect(run.schedule.exceeded == ["text/html", "x/a", "x/b"])
  }

  @Test("Whatever comes in whatever order, no read is begun twice and timers are not lost")
  func randomScripts() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var schedule = CaptureSchedule()
      var isTimerSet = false
      var asked: Set<String> = []
      for _ in 0..<40 {
        let name = items.randomElement(using: &generator)?.name ?? ""
        let event: CaptureSchedule.Event =
          switch Int.random(in: 0..<11, using: &generator) {
          case 0: .taken
          case 1, 2: .listed(toRead: items)
          case 3: .rested
          case 4, 5: .read(name, bytes: 1 << 20)
          case 6: .unread(name, .failed)
          case 7: .ours
          case 8: .cleared
          case 9: .secret
          default: .ownerEnded
          }
        if event == .rested { isTimerSet = false }
        for action in schedule.handle(event) {
          switch action {
          case .discard, .publish: asked = []
          case .list, .answerSave, .forget: break
          case .startTimer:
            #expect(!isTimerSet)
            isTimerSet = true
          case .stopTimer: isTimerSet = false
          case .read(let name, let limit):
            #expect(limit > 0)
            #expect(asked.insert(name).inserted)
          }
        }
        // A timer runs only while its end is waited for.
        if schedule.state == .idle || schedule.state == .held { #expect(!isTimerSet) }
      }
    }
  }
}
