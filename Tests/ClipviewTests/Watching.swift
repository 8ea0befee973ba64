import TestSupport
import Testing

/// A `clipview watch` that watches, as long as it is held.
final class Watching {
  let child: ChildProcess

  /// Starts it and waits until it says that it watches.
  ///
  /// - Parameter outputs: On a terminal what it says stands between what it prints.
  init(
    _ desk: Desk, _ arguments: String..., outputs: SpawnOptions.Outputs = .captured
  ) throws {
    child = try ChildProcess(
      Programs.clipview, ["watch", "-v"] + arguments, environment: desk.server.environment(),
      options: SpawnOptions(outputs: outputs))
    let isReady = child.settle(within: 20) { child in
      text(child.received + child.receivedErrors).contains("watching the ")
    }
    try #require(isReady, "it does not watch: \(errors)")
  }

  var output: String { text(child.received) }
  var errors: String { text(child.receivedErrors) }
  /// Whole lines.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }

  /// What it said beside that it watches.
  var messages: [String] {
    errors.split(separator: "\n").map(String.init).filter { !$0.contains("watching the ") }
  }

  /// Waits until it has printed that many lines.
  func hasLines(_ count: Int, within seconds: Double = 20) -> Bool {
    child.settle(within: seconds) { _ in lines.count >= count }
  }

  /// Ends it as Ctrl-C does.
  func interrupt() -> ProcessResult {
    child.send(signal: 2)
    return child.finish(within: 10)
  }
}
