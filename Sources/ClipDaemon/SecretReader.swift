import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// Reads the text of another program's secret once, so that it is known when it comes back without
/// its mark: what is remembered is a keyed hash, the text itself is let go at once.
///
/// As politely as content is read that is kept: when nothing has changed for a moment, and the text
/// alone.
final class SecretReader {
  private let selection: PasteboardName
  private let backend: any SelectionBackend
  private let loop: any EventLoop
  private let secrets: SecretMemory
  private var timer: LoopToken?
  private var generation = 0

  private static let rest = Duration.milliseconds(100)
  private static let patience = Duration.seconds(5)

  init(
    _ selection: PasteboardName, on backend: any SelectionBackend, loop: any EventLoop,
    secrets: SecretMemory
  ) {
    self.selection = selection
    self.backend = backend
    self.loop = loop
    self.secrets = secrets
  }

  /// - Parameter names: What the owner listed in the operation.
  func begin(_ names: [String], in ownership: ReadOwnership) {
    cancel()
    // Reading what is for one paste would be the paste.
    guard !names.contains(ServingTerms.target),
      let text = TextSpelling.ranked(among: names, on: .x11).first?.target
    else { return }
    timer = loop.schedule(after: Self.rest) { [weak self] in
      self?.timer = nil
      self?.read(text, in: ownership)
    }
  }

  func cancel() {
    generation += 1
    timer = nil
  }

  private func read(_ text: String, in ownership: ReadOwnership) {
    let number = generation
    let deadline = ProgressDeadline(Self.patience, startingAt: backend.clock)
    backend.read(
      text, of: selection, in: ownership, deadline: deadline, limit: SecretMemory.maximumSize
    ) { [weak self] result in
      guard let self, self.generation == number, case .success(let answer) = result else { return }
      self.secrets.remember(answer.payload)
    }
  }
}
