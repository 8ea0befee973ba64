internal import EventLoop
package import Pasteboard
package import SelectionCore
internal import SystemIO

/// The changes of one selection, one after the other.
package final class SelectionWatch {
  let session: ClipboardSession
  let selection: PasteboardName
  private let timeout: Duration
  private var pending: [SelectionChange] = []
  private var token: SelectionWatchToken?

  /// - Parameters:
  ///   - timeout: How long an owner may go without progress when it is read.
  ///   - includesPresent: Whether what is there already comes first, as if it had just changed.
  package init(
    _ session: ClipboardSession, _ selection: PasteboardName, timeout: Duration,
    includesPresent: Bool
  ) throws(WatchFailure) {
    self.session = session
    self.selection = selection
    self.timeout = timeout
    token = try session.backend.watch(selection) { [weak self] change in
      self?.pending.append(change)
    }.get()
    let owner = session.backend.ownerFacts(of: selection)
    if session.backend.isLost { throw .connectionLost }
    if includesPresent {
      pending.append(owner.map { .taken(by: $0.window) } ?? .ownerEnded)
    }
  }

  func reader() -> ContentReader { ContentReader(session, selection, timeout: timeout) }

  /// Whether a change is known that ``next()`` has not told yet.
  var hasNext: Bool { !pending.isEmpty }

  /// The change that ``next()`` will tell, if one is known.
  var upcoming: SelectionChange? { pending.first }

  func takeNext() -> SelectionChange? { pending.isEmpty ? nil : pending.removeFirst() }

  /// Waits for the next change; nil when the connection is lost.
  func next() -> SelectionChange? {
    session.run { hasNext }
    return takeNext()
  }

  /// Waits until something changes, or the connection is lost.
  package func waitForChange() { _ = next() }

  /// Calls once nobody can read the caller's standard output any more.
  ///
  /// Files and terminals always can be written to.
  package func onOutputClosed(_ action: @escaping () -> Void) {
    outputToken = try? session.loop.watch(StandardStream.output.rawValue, for: []) { _ in
      action()
    }
  }

  private var outputToken: LoopToken?
}
