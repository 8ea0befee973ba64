internal import RichText

/// Any bytes as RTF: read, and written in every format.
enum RTFSubject {
  private static let start = Array("{\\rtf1 ".utf8)

  static func run(_ bytes: UnsafeRawBufferPointer) {
    let bytes = unsafe Array(bytes)
    // As they are, and as the content of a document.
    for rtf in [bytes, start + bytes] {
      guard let text = try? RTFReader().read(rtf) else { continue }
      check(text)
      // What clipview writes, it reads.
      guard let again = try? RTFReader().read(RTFWriter().write(text)) else {
        preconditionFailure("clipview's own RTF is none")
      }
      check(again)
    }
  }

  /// Paragraphs cover the text, runs too, and what is written is UTF-8.
  private static func check(_ text: AttributedText) {
    var position = 0
    for (paragraph, range) in text.paragraphs {
      precondition(range.lowerBound == position && range.upperBound > position)
      precondition(paragraph.containers.count <= AttributedTextBuilder.maximumDepth)
      position = range.upperBound
    }
    precondition(position == text.length)
    precondition(text.runs.last.map { $0.range.upperBound == text.length } ?? text.isEmpty)
    for run in text.runs {
      guard run.attributes.image != nil else { continue }
      precondition(text.string(in: run.range).unicodeScalars.allSatisfy { $0 == "\u{FFFC}" })
    }
    check(MarkdownWriter(isExact: true).write(text))
    check(MarkdownWriter(isExact: false).write(text))
    check(PlainTextWriter().write(text))
    check(PlainTextWriter.flat.write(text))
    check(HTMLWriter(isSafe: false, isDocument: false).write(text))
    check(HTMLWriter(isSafe: true, isDocument: true).write(text))
    precondition(RTFWriter().write(text).allSatisfy { $0 < 0x80 })
  }

  private static func check(_ utf8: [UInt8]) {
    precondition(String(validating: utf8, as: UTF8.self) != nil)
    precondition(!utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A })
  }
}
