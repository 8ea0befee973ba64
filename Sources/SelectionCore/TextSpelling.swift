package import TextEncoding

/// One of the names under which plain text goes over the wire.
///
/// They are one representation: the same text, transcoded on request. This table is a fact of the
/// wire and small, so the commonest paste never has to ask the type registry.
package struct TextSpelling: Hashable, Sendable {
  /// Which display system's habits decide what comes first.
  package enum Wire: Hashable, Sendable {
    case x11
    case wayland
  }

  /// The target as spelled by whoever offers it.
  package let target: String
  /// How its bytes are to be read; nil where the target does not say (`text/plain`, `TEXT`).
  package let charset: Charset?
  /// How far it can be trusted to hold all of the text: less is better.
  private let reliability: Int

  /// The spelling that a target is, or nil where the target is not plain text.
  package init?(_ target: String) {
    self.target = target
    switch target {
    case "UTF8_STRING": (charset, reliability) = (.utf8, 0)
    // As nearly everybody spells it; a paste need not take it apart.
    case "text/plain;charset=utf-8", "text/plain;charset=UTF-8":
      (charset, reliability) = (.utf8, 1)
    case "UTF-8": (charset, reliability) = (.utf8, 2)
    case "text/plain": (charset, reliability) = (nil, 6)
    case "COMPOUND_TEXT": (charset, reliability) = (.compoundText, 7)
    case "TEXT": (charset, reliability) = (nil, 8)
    // ICCCM 2.7.1: ISO Latin-1 plus TAB and newline.
    case "STRING": (charset, reliability) = (.latin1, 9)
    default:
      guard let (charset, reliability) = Self.parameterised(target) else { return nil }
      (self.charset, self.reliability) = (charset, reliability)
    }
  }

  /// `text/plain` with a charset, in any case, order, quoting and spacing.
  private static func parameterised(_ target: String) -> (Charset?, Int)? {
    let prefix = "text/plain"
    let bytes = target.utf8
    guard bytes.count >= prefix.utf8.count,
      zip(bytes, prefix.utf8).allSatisfy({ $0 == $1 || ($0 ^ 0x20 == $1 && $1 >= 0x61) })
    else { return nil }
    let rest = bytes.dropFirst(prefix.utf8.count).drop(while: isBlank)
    if rest.isEmpty { return (nil, 6) }
    guard rest.first == UInt8(ascii: ";") else { return nil }
    guard let label = charsetLabel(in: rest.dropFirst()) else { return (nil, 6) }
    guard let charset = Charset(label: label) else { return nil }
    switch charset {
    case .utf8: return (charset, 1)
    case .utf16, .utf16LE, .utf16BE: return (charset, 3)
    // Toolkits put escapes for what ASCII lacks into it, as text.
    case .ascii: return (charset, 10)
    case .latin1: return (charset, 5)
    default: return (charset, 4)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func charsetLabel(in parameters: Substring.UTF8View) -> String? {
    for parameter in parameters.split(separator: UInt8(ascii: ";")) {
      let halves = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard halves.count == 2 else { continue }
      let strip: (UInt8) -> Bool = { isBlank($0) || $0 == UInt8(ascii: "\"") }
      let name = halves[0].filter { !strip($0) }.map { $0 | 0x20 }
      guard name == Array("charset".utf8) else { continue }
      return String(decoding: halves[1].filter { !strip($0) }, as: UTF8.self)
    }
    return nil
  }

  /// What ``rank(on:)`` can be.
  private static let ranks = -1...10

  private func rank(on wire: Wire) -> Int {
    // GTK3 on X11 serves CR LF under the MIME name and LF under UTF8_STRING; on Wayland programs
    // follow the MIME name and the X11 name is what Xwayland and old programs look for.
    wire == .wayland && reliability == 1 ? -1 : reliability
  }

  /// The spellings among the targets, the one to read first in front; ties by the owner's order.
  package static func ranked(among targets: [String], on wire: Wire) -> [TextSpelling] {
    let spellings = targets.compactMap { TextSpelling($0) }
    var ranked: [TextSpelling] = []
    // Ranks are few, and a paste has no time to make the types that sorting pairs takes.
    for rank in ranks {
      for spelling in spellings where spelling.rank(on: wire) == rank { ranked.append(spelling) }
    }
    return ranked
  }

  /// What to ask for where the owner does not tell what it has.
  package static let blind = ["UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING"]

  /// The charset of an answer whose target leaves it open, from the type of the property.
  package static func charset(ofReplyType typeName: String) -> Charset? {
    switch typeName {
    case "UTF8_STRING": .utf8
    case "STRING": .latin1
    case "COMPOUND_TEXT": .compoundText
    default: TextSpelling(typeName)?.charset
    }
  }
}

/// The spellings that an owner of text publishes, in this order.
package struct PublishedTextSpelling: Sendable {
  package let target: String
  /// The type of the property that answers (ICCCM 2.6.2: TEXT is answered in a concrete encoding).
  package let replyType: String
  package let charset: Charset

  package init(target: String, replyType: String, charset: Charset) {
    self.target = target
    self.replyType = replyType
    self.charset = charset
  }

  /// The spellings that say themselves that they are UTF-8.
  package static let utf8 = Array(all[..<2])

  package static let all: [PublishedTextSpelling] = [
    .init(target: "UTF8_STRING", replyType: "UTF8_STRING", charset: .utf8),
    .init(
      target: "text/plain;charset=utf-8", replyType: "text/plain;charset=utf-8", charset: .utf8),
    .init(target: "text/plain", replyType: "text/plain", charset: .utf8),
    .init(target: "TEXT", replyType: "UTF8_STRING", charset: .utf8),
    .init(target: "STRING", replyType: "STRING", charset: .latin1),
    .init(target: "COMPOUND_TEXT", replyType: "COMPOUND_TEXT", charset: .compoundText),
  ]
}
