package import Pasteboard

/// What whoever runs a back-end has to say about everything that it serves, beside the policy of each
/// offer.
package struct ServingSupervisor {
  /// Whether content of a selection is refused to everybody at this moment.
  package let isGuarded: (PasteboardName) -> Bool

  /// Told of each request for content that a guard stood in the way of, with the target's name.
  package let onRefusal: (PasteboardName, String) -> Void

  package init(
    isGuarded: @escaping (PasteboardName) -> Bool,
    onRefusal: @escaping (PasteboardName, String) -> Void
  ) {
    self.isGuarded = isGuarded
    self.onRefusal = onRefusal
  }
}

/// The supervisor of one publication.
package struct ServingSupervision {
  private let supervisor: ServingSupervisor
  private let selection: PasteboardName

  package init(_ supervisor: ServingSupervisor, of selection: PasteboardName) {
    self.supervisor = supervisor
    self.selection = selection
  }

  /// Whether a request is refused, which is told then.
  ///
  /// What only says something about the content is given all the same.
  package func refuses(_ target: OfferedTarget, of offer: Offer) -> Bool {
    guard supervisor.isGuarded(selection), target.name != ServingTerms.target,
      !offer.isMark(target)
    else { return false }
    noteRefusal(of: target)
    return true
  }

  /// Tells of a request that the offer's own guard stood in the way of.
  package func noteRefusal(of target: OfferedTarget) {
    supervisor.onRefusal(selection, target.name)
  }
}
