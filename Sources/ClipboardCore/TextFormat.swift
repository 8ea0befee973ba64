package import Pasteboard
package import RichText
internal import TextEncoding
package import TypeRegistry

/// A format of text that can be read into the attributed model, or written from it.
///
/// The one place where readers and writers are named: what ``ConversionTable`` holds follows from it.
package enum TextFormat: CaseIterable, Sendable {
  case markdown, html, rtf, plain, csv, tsv

  /// The format that content of a type is in; nil where it is no text that can be converted.
  package init?(_ type: TypeIdentifier, in registry: TypeRegistry = .current) {
    func isA(_ other: TypeIdentifier) -> Bool { type.conforms(to: other, in: registry) }
    if isA(.markdown) {
      self = .markdown
    } else if isA(.html) || isA(.xhtml) {
      self = .html
    } else if isA(.rtf) {
      self = .rtf
    } else if isA(.csv) {
      self = .csv
    } else if isA(.tsv) {
      self = .tsv
    } else if isA(.text), !isA(.image) {
      self = .plain
    } else {
      return nil
    }
  }

  /// The type of what is written in the format.
  package var type: TypeIdentifier {
    switch self {
    case .markdown: .markdown
    case .html: .html
    case .rtf: .rtf
    case .plain: .utf8PlainText
    case .csv: .csv
    case .tsv: .tsv
    }
  }
}

/// Why text cannot be converted.
package enum TextConversionFailure: Error, Hashable, Sendable {
  /// It is not what it is said to be.
  case notInItsFormat(TextFormat)
  /// A table is wanted, and there is none.
  case noTable
  /// Longer than what is converted, in bytes.
  case tooLong(limit: Int)
  /// The library that reads Markdown is not there.
  case noMarkdownParser
}

extension TextFormat {
  /// Content in the format, as the model has it; text in any charset.
  ///
  /// - Throws: ``TextConversionFailure``.
  package func document(_ payload: Payload) throws -> AttributedText {
    switch self {
    case .markdown:
      do {
        return try MarkdownReader().read(utf8(payload).bytes)
      } catch .parserNotInstalled {
        throw TextConversionFailure.noMarkdownParser
      }
    case .rtf:
      do {
        return try RTFReader().read(payload.bytes)
      } catch .notRTF {
        throw TextConversionFailure.notInItsFormat(.rtf)
      }
    case .html:
      return HTMLTextReader().read(payload.bytes)
    case .plain, .csv, .tsv:
      return lines(of: utf8(payload).bytes)
    }
  }
}

extension TextFormat {
  /// What content is that nobody says anything about.
  ///
  /// RTF and HTML where it begins as they do, else plain text; what merely looks like Markdown is none.
  package init(looksOf payload: Payload) {
    let head = unsafe payload.withUnsafeBytes(in: 0..<min(payload.count, 512)) { unsafe Array($0) }
    func begins(_ text: String) -> Bool {
      let start = head.firstIndex { !Self.blanks.contains($0) } ?? head.endIndex
      return zip(head[start...].prefix(text.utf8.count).map(Self.lowered), text.utf8).allSatisfy(==)
        && head.count - start >= text.utf8.count
    }
    if begins(#"{\rtf"#) {
      self = .rtf
    } else if begins("<!doctype html") || begins("<html") {
      self = .html
    } else {
      self = .plain
    }
  }

  /// What may stand before a document: blanks, line ends, the mark of UTF-8.
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0C, 0x0D, 0xEF, 0xBB, 0xBF]

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
