internal import EventLoop
internal import Pasteboard
internal import SelectionCore
package import SystemIO

/// What a command that runs for a change finds on the selection.
package enum WatchedContent: Sendable {
  /// Content, and the names under which its owner offers it, none where it does not tell.
  case content(PastedContent, offered: [String], isSensitive: Bool)
  case empty(isCleared: Bool)
}

/// A command that runs for each change of a selection, and how the rest of the program takes part.
package struct WatchCommand {
  /// What `sh -c` runs, without a NUL.
  package let command: [UInt8]
  /// What stands in its environment; nil takes a variable away.
  package let variables: (WatchedContent) -> [(name: String, value: String?)]
  package let onEnd: (CommandEnding) -> Void
  /// Called for a change whose content cannot be had; the watch goes on.
  package let onProblem: (ReadProblem) -> Void
  /// Called where no process can be made, or no room for its input; the watch goes on.
  package let onStartFailure: (Errno) -> Void

  package init(
    command: [UInt8], variables: @escaping (WatchedContent) -> [(name: String, value: String?)],
    onEnd: @escaping (CommandEnding) -> Void, onProblem: @escaping (ReadProblem) -> Void,
    onStartFailure: @escaping (Errno) -> Void
  ) {
    self.command = command
    self.variables = variables
    self.onEnd = onEnd
    self.onProblem = onProblem
    self.onStartFailure = onStartFailure
  }
}

extension SelectionWatch {
  /// Runs a command for each change, one at a time, the latest change last; returns when the
  /// connection is lost.
  package func run(_ command: WatchCommand) throws(Errno) {
    let runner = try CommandRunner(self, command)
    while let event = runner.nextEvent() { runner.feed(event) }
  }
}

/// The shell around ``CommandSchedule``: reads, starts, waits for the end.
private final class CommandRunner {
  private let watch: SelectionWatch
  private let command: WatchCommand
  private var schedule = CommandSchedule()
  private var lastChange: SelectionChange?
  private var content: WatchedContent?
  private var problem: ReadProblem?
  private var running: ShellCommand?
  private var mayHaveEnded = false
  private var signals: SignalSource?
  // What our own actions brought about, behind the changes that came meanwhile.
  private var outcome: CommandSchedule.Event?

  init(_ watch: SelectionWatch, _ command: WatchCommand) throws(Errno) {
    self.watch = watch
    self.command = command
    keepEndedChildren()
    signals = try SignalSource([childEndedSignal], on: watch.session.loop) { [weak self] _ in
      self?.mayHaveEnded = true
    }
  }

  /// Waits for whatever comes next; nil when the connection is lost.
  func nextEvent() -> CommandSchedule.Event? {
    while true {
      if let change = watch.takeNext() {
        lastChange = change
        return .changed
      }
      if let outcome {
        self.outcome = nil
        return outcome
      }
      if mayHaveEnded {
        mayHaveEnded = false
        if let ending = takeEnding() {
          command.onEnd(ending)
          return .commandEnded
        }
      }
      if watch.session.backend.isLost { return nil }
      watch.session.run { watch.hasNext || mayHaveEnded }
    }
  }

  private func takeEnding() -> CommandEnding? {
    guard let running else { return nil }
    do {
      guard let ending = try running.takeEnding() else { return nil }
      self.running = nil
      return ending
    } catch {
      preconditionFailure("a child that is not ours: \(error.message)")
    }
  }

  func feed(_ event: CommandSchedule.Event) {
    switch schedule.handle(event) {
    case nil: break
    case .read: outcome = read() ? .read : .readFailed
    case .run: if !start() { outcome = .commandEnded }
    case .report: if let problem { command.onProblem(problem) }
    }
  }

  /// Reads what is there now; whether that could be done.
  private func read() -> Bool {
    let isCleared = lastChange == .cleared
    content = nil
    guard watch.session.backend.hasOwner(watch.selection) else {
      content = .empty(isCleared: isCleared)
      return true
    }
    let reader = watch.reader()
    do throws(ReadProblem) {
      content = try reader.withNewOwner { () throws(ReadProblem) in
        let offered = try reader.targetNames() ?? []
        let isSensitive = try !reader.secretMarkers().isEmpty
        return .content(
          try reader.textOrFirstContent(), offered: offered, isSensitive: isSensitive)
      }
      return true
    } catch .nothingThere {
      content = .empty(isCleared: isCleared)
      return true
    } catch {
      problem = error
      return false
    }
  }

  private func start() -> Bool {
    guard let content else { preconditionFailure("a command without content to run with") }
    self.content = nil
    do throws(Errno) {
      running = try ShellCommand(
        command.command, variables: command.variables(content), input: try input(content))
      return true
    } catch {
      command.onStartFailure(error)
      return false
    }
  }

  private func input(_ content: WatchedContent) throws(Errno) -> OwnedFD {
    switch content {
    case .empty: return try emptyInput()
    case .content(let pasted, _, _):
      return try unsafe memoryInput { write throws(Errno) in
        try unsafe pasted.payload.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
      }
    }
  }
}
