internal import TextEncoding

/// Values of attributes in the HTML that stands for a link without text.
enum MarkdownEmptyLink {
  /// A URL, with percent escapes for what no URL has.
  static func append(url: String, to output: inout [UInt8]) {
    for byte in url.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "'"): output += "&#x27;".utf8
      case _ where byte.isASCIILetter || byte.isASCIIDigit: output.append(byte)
      case 0x21...0x7E where !#""<>[\]^`{|}"#.utf8.contains(byte): output.append(byte)
      default:
        output.append(UInt8(ascii: "%"))
        output.append(contentsOf: [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 })
      }
    }
  }

  /// Text.
  static func append(value: String, to output: inout [UInt8]) {
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case .lineFeed: output += "&#10;".utf8
      default: output.append(byte)
      }
    }
  }
}
