internal import TextEncoding

/// The charset that a document names in a `meta` element (13.2.3.2, prescan a byte stream).
enum HTMLMetaCharset {
  /// How far it is looked for.
  static let extent = 1024

  static func charset(of bytes: UnsafeRawBufferPointer) -> Charset? {
    let head = unsafe [UInt8](bytes.prefix(extent))
    var tokenizer = HTMLTokenizer(head, attributeLimit: 64)
    var text: [UInt8] = []
    while true {
      text.removeAll(keepingCapacity: true)
      switch tokenizer.next(into: &text) {
      case .startTag:
        guard tokenizer.tag.tag == .meta, let label = label(tokenizer) else { continue }
        if let charset = charset(labelled: label) { return charset }
      case .text, .comment, .endTag, .doctype:
        continue
      case .end:
        return nil
      }
    }
  }

  private static func charset(labelled label: [UInt8]) -> Charset? {
    guard let charset = Charset(label: String(decoding: label, as: UTF8.self)) else { return nil }
    // Who could read that far reads no UTF-16.
    switch charset {
    case .utf16, .utf16LE, .utf16BE: return .utf8
    case .compoundText: return nil
    default: return charset
    }
  }

  /// The label in the attributes of the current tag.
  private static func label(_ tokenizer: HTMLTokenizer) -> [UInt8]? {
    var content: [UInt8]?
    var isPragma = false
    for attribute in tokenizer.attributes {
      var value: [UInt8] = []
      tokenizer.append(attribute, to: &value)
      switch HTMLAttributeName(rawValue: UInt8(truncatingIfNeeded: min(attribute.name, 0xFF))) {
      case .charset: return value
      case .content: content = label(inContent: value)
      case .httpEquiv: isPragma = value.isWord("content-type", in: 0..<value.count)
      default: continue
      }
    }
    return isPragma ? content : nil
  }

  /// The label in `text/html; charset=label`.
  private static func label(inContent value: [UInt8]) -> [UInt8]? {
    var offset = 0
    while offset < value.count {
      guard value.hasWord("charset", at: offset) else {
        offset += 1
        continue
      }
      offset += 7
      while offset < value.count, value[offset].isHTMLSpace { offset += 1 }
      guard offset < value.count, value[offset] == UInt8(ascii: "=") else { continue }
      offset += 1
      while offset < value.count, value[offset].isHTMLSpace { offset += 1 }
      guard offset < value.count else { return nil }
      let quote = value[offset]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        guard let end = value[(offset + 1)...].firstIndex(of: quote) else { return nil }
        return Array(value[offset + 1..<end])
      }
      let end = value[offset...].firstIndex { $0.isHTMLSpace || $0 == UInt8(ascii: ";") }
      return Array(value[offset..<(end ?? value.count)])
    }
    return nil
  }
}
