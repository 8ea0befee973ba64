package import SelectionCore
internal import Pasteboard
internal import TypeRegistry

extension Offer {
  /// What an owner had that is gone: the same targets in the same order with the same bytes, types and
  /// formats, and behind them the spellings of its text that it did not have.
  ///
  /// - Parameter answers: What was read, in the owner's order.
  package init(republishing answers: [ReceivedRepresentation], on wire: TextSpelling.Wire) {
    self.init()
    for answer in answers {
      add(
        OfferedTarget(
          name: answer.target, typeName: answer.typeName, format: answer.format, answer.payload))
    }
    // From the best spelling alone: a lesser one may have lost something.
    guard let best = TextSpelling.ranked(among: answers.map(\.target), on: wire).first,
      let answer = answers.first(where: { $0.target == best.target }),
      let charset = best.charset ?? TextSpelling.charset(ofReplyType: answer.typeName)
    else { return }
    // Made when somebody asks: nobody may be held up by a long text now.
    var item = PasteboardItem()
    item.promise(.utf8PlainText) {
      guard let text = decodeText(answer.payload, charset: charset) else { throw NotText() }
      return text.payload
    }
    for target in Offer(item, in: .current).targets { add(target) }
  }
}

/// The owner's text is not in the charset that it was said to be in.
private struct NotText: Error {}
