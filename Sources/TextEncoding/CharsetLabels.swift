// Which charset a label means. Labels come from MIME parameters, HTML and XML declarations, locales
// (`ANSI_X3.4-1968`) and COMPOUND_TEXT segments, so they are foreign data: spelled in any way, and
// perhaps hostile.

extension Charset {
  /// Longer names are nobody's charset.
  private static let longestLabel = 64

  /// The charset that `label` names, in any customary spelling.
  ///
  /// - Returns: nil only for a name known neither here nor to iconv.
  package init?(label: String) {
    guard label.utf8.count <= Charset.longestLabel else { return nil }
    let label = Charset.trimmingBlanks(label)
    let key = Charset.foldedKey(label)
    if let kind = Charset.knownKind(key) {
      self.init(kind)
      return
    }
    if let name = Charset.regularName(key) {
      guard IconvDescriptor.canDecode(name) else { return nil }
      self.init(.other(name))
      return
    }
    guard var name = Charset.iconvName(label) else { return nil }
    if !IconvDescriptor.canDecode(name) {
      // "x-gbk", "x-johab": unregistered spellings of a registered name.
      guard name.hasPrefix("X-"),
        let registered = Charset.iconvName(String(name.dropFirst(2))),
        IconvDescriptor.canDecode(registered)
      else { return nil }
      name = registered
    }
    self.init(.other(name))
  }

  /// The charsets converted here, by folded name.
  private static func knownKind(_ key: String) -> Kind? {
    switch key {
    case "utf8", "unicode11utf8", "unicode20utf8", "xunicode20utf8", "cp65001", "iso10646utf8":
      .utf8
    case "utf16", "csutf16", "unicode", "csunicode", "ucs2", "iso10646ucs2":
      .utf16
    case "utf16le", "csutf16le", "unicodelittle", "unicodefeff", "ucs2le":
      .utf16LE
    case "utf16be", "csutf16be", "unicodebig", "unicodefffe", "ucs2be", "iso106461":
      .utf16BE
    case "iso88591", "latin1", "l1", "isolatin1", "csisolatin1", "iso885911987", "isoir100",
      "cp819",
      "ibm819", "88591":
      .latin1
    case "usascii", "ascii", "us", "ansix341968", "ansix341986", "iso646us", "iso646irv1991",
      "iso646", "646", "isoir6", "cp367", "ibm367", "csascii":
      .ascii
    case "compoundtext", "xcompoundtext", "ctext", "xctext":
      .compoundText
    default:
      nil
    }
  }

  /// iconv's name for the families whose spellings follow a rule.
  private static func regularName(_ key: String) -> String? {
    if let number = number(in: key, after: "iso8859", "xiso8859"), (2...16).contains(number) {
      return "ISO-8859-\(number)"
    }
    if let number = number(in: key, after: "latin", "isolatin", "csisolatin", "l") {
      // Latin-5 and up are numbered apart from the parts of ISO 8859.
      let parts = [2: 2, 3: 3, 4: 4, 5: 9, 6: 10, 7: 13, 8: 14, 9: 15, 10: 16]
      return parts[number].map { "ISO-8859-\($0)" }
    }
    if let number = number(in: key, after: "windows", "cp", "xcp", "win", "microsoftcp", "mscp"),
      (1250...1258).contains(number)
    {
      return "WINDOWS-\(number)"
    }
    return switch key {
    case "iso88598i", "iso88598e": "ISO-8859-8"
    case "koi8r", "cskoi8r", "koi8": "KOI8-R"
    case "koi8u", "koi8ru": "KOI8-U"
    case "eucjp", "xeucjp", "cseucpkdfmtjapanese": "EUC-JP"
    case "euckr", "xeuckr", "ksc56011987", "ksc56011989", "ksc5601", "ksc56010", "ksc560119870":
      "EUC-KR"
    case "euccn", "xeuccn", "gb2312", "gb231280", "gb231219800", "chinese": "EUC-CN"
    case "gb18030", "gb1803020000": "GB18030"
    case "macintosh", "mac", "macroman", "xmacroman": "MACINTOSH"
    case "sjis", "xsjis", "shiftjis": "SHIFT_JIS"
    default: nil
    }
  }

  private static func number(in key: String, after prefixes: String...) -> Int? {
    for prefix in prefixes where key.hasPrefix(prefix) {
      let digits = key.utf8.dropFirst(prefix.utf8.count)
      guard (1...4).contains(digits.count) else { continue }
      var number = 0
      var isNumber = true
      for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
          isNumber = false
          break
        }
        number = number * 10 + Int(digit - UInt8(ascii: "0"))
      }
      if isNumber { return number }
    }
    return nil
  }

  private static func trimmingBlanks(_ label: String) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let body = label.utf8.drop(while: isBlank)
    guard let last = body.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(Substring(body[...last]))
  }

  /// Letters in lower case and digits: what is left of a name when its punctuation, which everybody
  /// sets differently, is taken away.
  private static func foldedKey(_ label: String) -> String {
    var key = ""
    for byte in label.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        key.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        key.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
      case 0x21..<0x7F: continue
      default: return ""
      }
    }
    return key
  }

  /// The label as iconv may see it.
  ///
  /// glibc gives `/` a meaning (`//TRANSLIT`, `//IGNORE`, an error handler's name), takes the empty
  /// name for the locale's charset, and knows `INTERNAL` and `WCHAR_T`, its own in-memory forms,
  /// whose converters trust their input. None of that is for a peer to choose.
  private static func iconvName(_ label: String) -> String? {
    guard !label.isEmpty else { return nil }
    for byte in label.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        continue
      default:
        return nil
      }
    }
    let name = label.uppercased()
    return name == "INTERNAL" || name == "WCHAR_T" ? nil : name
  }
}
