import SelectionCore
import TestSupport
import Testing

private let items = ["UTF8_STRING", "text/html", "x/a"].map { CaptureItem($0) }
private let early = CaptureSchedule.Limits().early
private let whole = CaptureSchedule.Limits().representation

/// A schedule that has come so far, and what it wanted at the last step.
private func run(_ events: CaptureSchedule.Event...) -> (CaptureSchedule, [CaptureSchedule.Action])
{
  var schedule = CaptureSchedule()
  var actions: [CaptureSchedule.Action] = []
  for event in events { actions = schedule.handle(event) }
  return (schedule, actions)
}

private let reads: [CaptureSchedule.Action] = items.map { .read($0.name, limit: early) }
private let all: [CaptureSchedule.Event] = items.map { .read($0.name, bytes: 1) }

@Suite("When an owner is about to end")
struct CaptureSaveTests {
  @Test(
    "One that may be about to end is read at once, one that asks for a save in one read after the other",
    arguments: [false, true])
  func hurry(asks: Bool) {
    let sign: CaptureSchedule.Event = asks ? .saveAsked(nil) : .hurried
    let reads = asks ? Array(reads.prefix(1)) : reads
    #expect(run(.taken, .listed(toRead: items), sign).1 == [.stopTimer] + reads)
    #expect(run(.taken, sign).1 == [.stopTimer])
    #expect(run(.taken, sign, .listed(toRead: items)).1 == reads)
    #expect(run(.taken, .rested, sign, .listed(toRead: items)).1 == reads)
    #expect(run(.taken, .listed(toRead: items), .rested, sign).1 == [])
  }

  @Test("A save is answered when the last that was asked for is there, at once where it is")
  func answers() {
    var (schedule, _) = run(.taken, .listed(toRead: items), .saveAsked(nil))
    #expect(schedule.handle(all[0]) == [reads[1]])
    #expect(schedule.handle(.unread("text/html", .failed)) == [.read("x/a", limit: whole)])
    #expect(schedule.handle(all[2]) == [.answerSave(true)])
    #expect(schedule.state == .held)
    #expect(schedule.handle(.saveAsked(nil)) == [.answerSave(true)])
    #expect(schedule.handle(.ownerEnded) == [.publish])
  }

  @Test("Of a list no more is read than it names, and no more published")
  func lists() {
    var (schedule, actions) = run(
      .taken, .listed(toRead: items), .saveAsked(["x/a", "x/unknown"]))
    #expect(actions == [.stopTimer, .read("x/a", limit: whole)])
    #expect(schedule.handle(all[2]) == [.answerSave(true)])
    #expect(!schedule.isWanted("UTF8_STRING") && schedule.isWanted("x/a"))
    // Another one who asks, for the rest, gets that as well.
    #expect(schedule.handle(.saveAsked(["UTF8_STRING"])) == [.read("UTF8_STRING", limit: whole)])
    #expect(schedule.handle(all[0]) == [.answerSave(true)])
    #expect(schedule.handle(.saveAsked(nil)) == [.read("text/html", limit: whole)])
    #expect(schedule.isWanted("text/html"))
    #expect(schedule.handle(.ownerEnded) == [.answerSave(true), .publish])
    (schedule, actions) = run(
      .taken, .listed(toRead: items), .rested, all[0], all[1], all[2], .saveAsked(["x/b"]))
    #expect(actions == [.answerSave(false)])
    #expect(schedule.handle(.ownerEnded) == [.discard])
  }

  @Test("What is read and not asked for keeps nobody waiting")
  func others() {
    var (schedule, actions) = run(.taken, .listed(toRead: items), .rested, .saveAsked(["x/a"]))
    #expect(actions == [])
    #expect(schedule.handle(all[2]) == [.answerSave(true)])
    // What comes all the same is there when somebody asks for it.
    #expect(schedule.handle(all[0]) == [] && schedule.handle(all[1]) == [])
    actions = schedule.handle(.saveAsked(nil))
    #expect(actions == [.answerSave(true)])
  }

  @Test(
    "What could be made of something else comes late, and not from whoever is slow or about to end")
  func spares() {
    let list = [
      CaptureItem("UTF8_STRING"), CaptureItem("STRING", original: "UTF8_STRING"),
      CaptureItem("TEXT", original: "UTF8_STRING"), CaptureItem("x/a"),
      CaptureItem("image/png", isLast: true),
    ]
    let begun = run(.taken, .listed(toRead: list), .rested)
    #expect(begun.1 == [.read("UTF8_STRING", limit: early), .read("x/a", limit: early)])
    var schedule = begun.0
    #expect(schedule.handle(all[0]) == [])
    #expect(schedule.handle(all[2]) == [.read("STRING", limit: early)])
    var slow = schedule
    #expect(slow.handle(.slow) == [])
    #expect(slow.handle(.read("STRING", bytes: 1)) == [.read("image/png", limit: whole)])
    #expect(schedule.handle(.read("STRING", bytes: 1)) == [.read("TEXT", limit: early)])
    // Whoever asks for a save does not wait for what is under way, either.
    #expect(schedule.handle(.saveAsked(["UTF8_STRING", "TEXT", "x/a"])) == [.answerSave(true)])
    // Where the original is not to be had, the others count.
    schedule = begun.0
    _ = schedule.handle(.saveAsked(nil))
    _ = schedule.handle(all[2])
    #expect(
      schedule.handle(.unread("UTF8_STRING", .failed)) == [.read("STRING", limit: early)])
  }

  @Test("What does not move any more is tried again when the others are there, and once")
  func stalls() {
    var limits = CaptureSchedule.Limits()
    limits.concurrentReads = 1
    var schedule = CaptureSchedule(limits)
    for event in [CaptureSchedule.Event.taken, .listed(toRead: items), .rested] {
      _ = schedule.handle(event)
    }
    #expect(schedule.handle(all[0]) == [.read("text/html", limit: early)])
    #expect(schedule.handle(.saveAsked(nil)) == [])
    #expect(schedule.handle(.unread("text/html", .stalled)) == [.read("x/a", limit: early)])
    #expect(schedule.handle(all[2]) == [.read("text/html", limit: whole)])
    var refused = schedule
    #expect(refused.handle(.unread("text/html", .failed)) == [.answerSave(true)])
    #expect(schedule.handle(.unread("text/html", .stalled)) == [.answerSave(true)])
    #expect(schedule.exceeded == [])
  }

  @Test(
    "The same picture once more comes late, from whoever is about to end too, not from who is slow")
  func pictures() {
    let list = [
      CaptureItem("image/png", isLast: true),
      CaptureItem("image/xpm", isLast: true, original: "image/png", canBeMade: false),
    ]
    let begun = run(.taken, .listed(toRead: list), .saveAsked(nil))
    #expect(begun.1 == [.stopTimer, .read("image/png", limit: whole)])
    let png = CaptureSchedule.Event.read("image/png", bytes: 1)
    let xpm = CaptureSchedule.Action.read("image/xpm", limit: whole)
    var schedule = begun.0
    #expect(schedule.handle(png) == [xpm])
    schedule = begun.0
    #expect(schedule.handle(.slow) == [])
    #expect(schedule.handle(png) == [.answerSave(true)])
    // Where the best is not to be had, the others count.
    schedule = begun.0
    _ = schedule.handle(.slow)
    #expect(schedule.handle(.unread("image/png", .failed)) == [xpm])
  }

  @Test("Nobody waits for ever, nor for what is gone or not to be kept")
  func refusals() {
    #expect(run(.saveAsked(nil)).1 == [.answerSave(false)])
    #expect(run(.taken, .saveAsked(nil), .listed(toRead: [])).1 == [.answerSave(false)])
    #expect(run(.taken, .saveAsked(nil), .notListed).1 == [.answerSave(false)])
    #expect(run(.taken, .saveAsked(nil), .saveOverdue).1 == [.answerSave(false)])
    #expect(
      run(.taken, .listed(toRead: items), .saveAsked(nil), all[0], .saveOverdue).1
        == [.answerSave(true)])
    for event in [CaptureSchedule.Event.ours, .taken, .ownerEnded] {
      let (_, actions) = run(.taken, .listed(toRead: items), .saveAsked(nil), event)
      #expect(actions.first == .answerSave(false), "\(event)")
    }
    #expect(run(.taken, .saveOverdue).1 == [])
  }

  @Test("What a program gives up on its way out is no clear, unless it stays")
  func clears() {
    let saved = run(.taken, .listed(toRead: [items[0]]), .saveAsked(nil), all[0]).0
    var schedule = saved
    #expect(schedule.handle(.cleared) == [.publish])
    schedule = saved
    #expect(schedule.handle(.stayed) == [])
    #expect(schedule.handle(.cleared) == [.discard])
    schedule = saved
    _ = schedule.handle(.taken)
    #expect(schedule.handle(.cleared) == [.stopTimer, .discard])
  }

  @Test(
    "Whatever comes in whatever order, every save is answered once, and reads are no more than may be"
  )
  func randomScripts() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<2000 {
      var schedule = CaptureSchedule()
      var isAsked = false
      var running: Set<String> = []
      for _ in 0..<60 {
        let name = items.randomElement(using: &generator)?.name ?? ""
        let event: CaptureSchedule.Event =
          switch Int.random(in: 0..<15, using: &generator) {
          case 0: .taken
          case 1, 2: .listed(toRead: items)
          case 3: .rested
          case 4, 5: .read(name, bytes: 1)
          case 6:
            .unread(
              name, [.failed, .tooLarge, .stalled].randomElement(using: &generator) ?? .failed)
          case 7: .hurried
          case 8: .saveAsked(nil)
          case 9: .saveAsked([name])
          case 10: .saveOverdue
          case 11: .stayed
          case 12: .cleared
          case 13: .slow
          default: .ownerEnded
          }
        if case .read(let name, _) = event { running.remove(name) }
        if case .unread(let name, _) = event { running.remove(name) }
        if case .saveAsked = event { isAsked = true }
        for action in schedule.handle(event) {
          switch action {
          case .discard, .publish: running = []
          case .answerSave:
            #expect(isAsked)
            isAsked = false
          case .read(let name, _):
            #expect(running.insert(name).inserted)
            #expect(running.count <= CaptureSchedule.Limits().concurrentReads)
          case .list, .startTimer, .stopTimer, .forget: break
          }
        }
        // Whoever waits, waits for something.
        if schedule.state == .idle || schedule.state == .held { #expect(!isAsked) }
      }
    }
  }
}
