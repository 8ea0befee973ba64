package import Pasteboard
internal import TypeRegistry

extension ConversionTable {
  /// Every conversion that negotiation knows: what can be offered is computed from it, what is
  /// converted is only what somebody asks for.
  package static let standard = ConversionTable(
    rows.flatMap { conversions(from: $0.source, to: $0.target, cost: $0.cost) })

  /// What is added to an offer unasked.
  ///
  /// No RTF from HTML: programs that take RTF first would paste worse than before. No HTML from plain
  /// text, and no tables: that is for whoever asks.
  package static let offered = enriching.filter {
    $0.to != .rtf || $0.from != .html && $0.from != .xhtml
  }

  /// What is added where somebody asks for all that can be made, RTF from HTML included.
  package static let enriching = serving.filter {
    $0.from != .plainText && $0.to != .csv && $0.to != .tsv
  }

  /// What is made here is kept until the offer is gone, so large results live in memory files.
  private static let serving = ConversionTable(
    standard.conversions.map { conversion in
      Conversion(from: conversion.from, to: conversion.to, cost: conversion.cost) {
        try conversion.convert($0, target: $1).inMemoryFile
      }
    })

  private func filter(_ isIncluded: (Conversion) -> Bool) -> ConversionTable {
    ConversionTable(conversions.filter(isIncluded))
  }

  private static let rows: [(source: TextFormat, target: TextFormat, cost: Int)] = [
    (.markdown, .html, ConversionCost.markdownToHTML),
    (.markdown, .plain, ConversionCost.markdownToPlainText),
    (.html, .plain, ConversionCost.htmlToPlainText),
    (.rtf, .plain, ConversionCost.rtfToPlainText),
    (.markdown, .rtf, ConversionCost.markdownToRTF),
    (.html, .rtf, ConversionCost.htmlToRTF),
    (.rtf, .html, ConversionCost.rtfToHTML),
    (.html, .markdown, ConversionCost.htmlToMarkdown),
    (.rtf, .markdown, ConversionCost.rtfToMarkdown),
    (.plain, .html, ConversionCost.plainTextToHTML),
    (.html, .csv, ConversionCost.tableToValues), (.html, .tsv, ConversionCost.tableToValues),
    (.rtf, .csv, ConversionCost.tableToValues), (.rtf, .tsv, ConversionCost.tableToValues),
    (.markdown, .csv, ConversionCost.tableToValues),
    (.markdown, .tsv, ConversionCost.tableToValues),
  ]

  /// The ways from one format to another; none where this build cannot read or write one of them.
  private static func conversions(
    from source: TextFormat, to target: TextFormat, cost: Int
  ) -> [Conversion] {
    // Markdown is plain text: on the clipboard that is the Markdown itself, rendered only by `convert`.
    if source == .markdown, target == .plain {
      return [
        Conversion(from: .markdown, to: .utf8PlainText, cost: cost, convert: { utf8($0) })
      ]
    }
    guard var way = TextConversion(from: source, to: target) else { return [] }
    way.isSafe = true
    way.purpose = .clipboard
    let sources: [TypeIdentifier] =
      switch source {
      case .plain: [.plainText]
      case .html: [.html, .xhtml]
      default: [source.type]
      }
    return sources.map { [way] type in
      Conversion(from: type, to: target.type, cost: cost) { payload, target in
        try way.convert(target.flatMap { way.decoded(payload, asTold: $0) } ?? payload)
      }
    }
  }
}
