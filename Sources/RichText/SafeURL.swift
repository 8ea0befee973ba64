internal import TextEncoding

/// Tells URLs that could act from those that lead somewhere.
enum SafeURL {
  enum Use {
    /// Followed when it is clicked.
    case link
    /// Loaded to be seen or heard, never as a document.
    case picture
  }

  /// Whether a URL is no script, no file of this machine, and no data but a picture.
  static func isSafe(_ url: String, in use: Use) -> Bool {
    isSafe(Array(url.utf8), in: use)
  }

  /// Blanks and control characters do not count wherever they stand: browsers leave out some of
  /// them (WHATWG URL, 4.4), other programs more.
  static func isSafe(_ url: [UInt8], in use: Use) -> Bool {
    var offset = 0
    while true {
      var scheme: [UInt8] = []
      var hasScheme = false
      while offset < url.count, !hasScheme {
        let byte = url[offset].lowercasedASCII
        offset += 1
        switch byte {
        case 0...0x20, 0x7F: break
        case UInt8(ascii: ":"): hasScheme = true
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
          // No scheme that matters is longer.
          guard scheme.count < 32 else { return true }
          scheme.append(byte)
        default: return true
        }
      }
      guard hasScheme else { return true }
      switch String(decoding: scheme, as: UTF8.self) {
      case "javascript", "vbscript", "livescript", "mocha", "file": return false
      case "data": return isPicture(url[offset...], in: use)
      case "feed", "jar", "pcast", "view-source", "wyciwyg":
        // What they stand before is a URL by itself.
        continue
      default: return true
      }
    }
  }

  /// Whether the media type at the front is that of a picture, and, where the data could be opened
  /// as a document, of one that is no XML.
  private static func isPicture(_ data: ArraySlice<UInt8>, in use: Use) -> Bool {
    var type: [UInt8] = []
    for byte in data where byte > 0x20 && byte != 0x7F {
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") || type.count > 64 { break }
      type.append(byte.lowercasedASCII)
    }
    guard type.starts(with: "image/".utf8) else { return false }
    switch use {
    case .picture: return true
    case .link:
      return !type.contains(UInt8(ascii: "+")) && !type.starts(with: "image/svg".utf8)
        && !type.starts(with: "image/xml".utf8)
    }
  }
}
