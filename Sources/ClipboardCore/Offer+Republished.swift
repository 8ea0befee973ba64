package import SelectionCore
internal import Pasteboard
internal import TypeRegistry

extension Offer {
  /// What an owner had that is gone: the same targets in the same order with the same bytes, types and
  /// formats, and behind them the spellings of its text that it did not have.
  ///
  /// - Parameters:
  ///   - answers: What was read, in the owner's order.
  ///   - names: What the owner had, in its order. Spellings of the text among them that were not read are
  ///     made, and stand where they stood.
  package init(
    republishing answers: [ReceivedRepresentation], listed names: [String] = [],
    on wire: TextSpelling.Wire
  ) {
    self.init()
    let spellings = Self.spellings(of: answers, on: wire)
    let read = Dictionary(answers.map { (ExactName($0.target), $0) }) { first, _ in first }
    for name in (names + answers.map(\.target)).eachOnce {
      if let answer = read[ExactName(name)] {
        add(
          OfferedTarget(
            name: answer.target, typeName: answer.typeName, format: answer.format, answer.payload))
      } else if let spelling = spellings?.targets.first(where: { $0.name == name }) {
        add(spelling)
      }
    }
    for spelling in spellings?.targets ?? [] { add(spelling) }
  }

  /// All spellings of the text, made of the best one that was read; nil where there is none.
  private static func spellings(
    of answers: [ReceivedRepresentation], on wire: TextSpelling.Wire
  ) -> Offer? {
    // From the best spelling alone: a lesser one may have lost something.
    guard let best = TextSpelling.ranked(among: answers.map(\.target), on: wire).first,
      let answer = answers.first(where: { $0.target == best.target }),
      let charset = best.charset ?? TextSpelling.charset(ofReplyType: answer.typeName)
    else { return nil }
    // Made when somebody asks: nobody may be held up by a long text now.
    var item = PasteboardItem()
    item.promise(.utf8PlainText) {
      guard let text = decodeText(answer.payload, charset: charset) else { throw NotText() }
      return text.payload
    }
    return Offer(item, in: .current)
  }
}

/// The owner's text is not in the charset that it was said to be in.
private struct NotText: Error {}
