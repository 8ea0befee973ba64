package import Pasteboard

/// A program asks for what it has on the clipboard to be saved, since it is about to end.
///
/// It waits for the answer, so that is to come soon.
package final class SaveRequest {
  /// The targets that are to be saved; nil for all.
  package let targets: [String]?
  private var onAnswer: ((Bool) -> Void)?

  package init(_ targets: [String]?, onAnswer: @escaping (Bool) -> Void) {
    self.targets = targets
    self.onAnswer = onAnswer
  }

  /// Says whether it was saved: once, whatever is called after that.
  package func answer(_ isSaved: Bool) {
    onAnswer?(isSaved)
    onAnswer = nil
  }

  deinit { onAnswer?(false) }
}

/// A manager of the clipboard: it ends when it is let go.
package final class ClipboardManagerToken {
  private let onEnd: () -> Void

  package init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}

// What only some displays have.
extension SelectionBackend {
  package func manageClipboard(
    _ onSave: @escaping (SaveRequest) -> Void
  ) -> ClipboardManagerToken? { nil }

  package func watchWindows(
    ofOwnerOf selection: PasteboardName, _ onUnmap: @escaping () -> Void
  ) -> SelectionWatchToken? { nil }
}
