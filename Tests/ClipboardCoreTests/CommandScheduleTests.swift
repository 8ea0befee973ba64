import TestSupport
import Testing

@testable import ClipboardCore

private typealias State = CommandSchedule.State
private typealias Event = CommandSchedule.Event
private typealias Action = CommandSchedule.Action

@Suite("When a command runs for a selection that changes")
struct CommandScheduleTests {
  /// A schedule in the state.
  private func schedule(in state: State) -> CommandSchedule {
    var schedule = CommandSchedule()
    let way: [Event] =
      switch state {
      case .idle: []
      case .reading: [.changed]
      case .readingOutdated: [.changed, .changed]
      case .running: [.changed, .read]
      case .runningOutdated: [.changed, .read, .changed]
      }
    for event in way { _ = schedule.handle(event) }
    #expect(schedule.state == state)
    return schedule
  }

  @Test(
    "Every pair that can be",
    arguments: [
      (.idle, .changed, .reading, .read),
      (.reading, .changed, .readingOutdated, nil), (.reading, .read, .running, .run),
      (.reading, .readFailed, .idle, .report),
      (.readingOutdated, .changed, .readingOutdated, nil),
      (.readingOutdated, .read, .runningOutdated, .run),
      (.readingOutdated, .readFailed, .reading, .read),
      (.running, .changed, .runningOutdated, nil), (.running, .commandEnded, .idle, nil),
      (.runningOutdated, .changed, .runningOutdated, nil),
      (.runningOutdated, .commandEnded, .reading, .read),
    ]
      as [(
        CommandSchedule.State, CommandSchedule.Event, CommandSchedule.State, CommandSchedule.Action?
      )])
  func possiblePairs(
    from: CommandSchedule.State, event: CommandSchedule.Event, to: CommandSchedule.State,
    action: CommandSchedule.Action?
  ) {
    var schedule = schedule(in: from)
    #expect(schedule.handle(event) == action)
    #expect(schedule.state == to)
  }

  /// A selection that changes and a shell that does as it is told; what was asked to be done is done
  /// some steps later.
  private struct World {
    var schedule = CommandSchedule()
    /// Counts the changes; what the selection holds is the number of the last.
    var changes = 0
    /// Whether what is there can be read.
    var isReadable = true
    var isReading = false
    var content: Int?
    var isRunning = false
    /// The changes that the command ran for.
    var seen: [Int] = []
    /// The changes whose content could not be had.
    var reported: [Int] = []

    mutating func feed(_ event: CommandSchedule.Event) {
      switch schedule.handle(event) {
      case nil: break
      case .read:
        #expect(!isReading && !isRunning, "read while a command runs")
        isReading = true
      case .run:
        #expect(!isRunning, "two at once")
        isRunning = true
        if let content { seen.append(content) } else { Issue.record("run without content") }
      case .report:
        reported.append(changes)
      }
    }

    mutating func change() {
      changes += 1
      feed(.changed)
    }

    mutating func finishReading() {
      isReading = false
      content = isReadable ? changes : nil
      feed(isReadable ? .read : .readFailed)
    }

    mutating func endCommand() {
      isRunning = false
      feed(.commandEnded)
    }
  }

  @Test(
    "Under a hundred thousand random steps there is one at a time, in order, and the last is seen",
    arguments: [1, 2, 3])
  func randomScripts(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    var world = World()
    var isComplete = true
    for _ in 0..<100_000 {
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0...3:
        world.isReadable = Int.random(in: 0..<6, using: &numbers) > 0
        world.change()
      case 4, 5: if world.isReading { world.finishReading() }
      case 6: if world.isRunning { world.endCommand() }
      default:
        // Nothing changes any more: the shell does what there is to do, to the end.
        var steps = 0
        while world.isReading || world.isRunning {
          if world.isReading { world.finishReading() } else { world.endCommand() }
          steps += 1
          if steps > 4 { break }
        }
        // What changed last was run for, or said to be unreadable; nothing goes on by itself.
        isComplete = isComplete && steps <= 4 && world.schedule.state == .idle
        let last = world.isReadable ? world.seen.last : world.reported.last
        if world.changes > 0 { isComplete = isComplete && last == world.changes }
      }
    }
    #expect(isComplete)
    #expect(zip(world.seen, world.seen.dropFirst()).allSatisfy { $0 <= $1 }, "out of order")
    #expect(world.seen.count > 1000 && world.reported.count > 100)
  }
}
