/// A character set that text on a clipboard may be in.
///
/// The sets that occur on nearly every clipboard are known here and converted by this module; any
/// other is a name that the system's iconv knows. Names are folded, so `utf8` and `UTF-8`, or
/// `cp1252` and `windows-1252`, are equal.
package struct Charset: Hashable, Sendable, CustomStringConvertible {
  enum Kind: Hashable, Sendable {
    case utf8
    case utf16
    case utf16LE
    case utf16BE
    case latin1
    case ascii
    case compoundText
    /// Known to iconv by this name.
    case other(String)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }

  package static let utf8 = Charset(.utf8)

  /// UTF-16 whose byte order is not said.
  ///
  /// A byte order mark decides; without one the zero bytes beside ASCII characters do, and where
  /// there are none the order of this machine. It is written in this machine's order and without a
  /// mark, as LibreOffice, Firefox and Qt write it.
  package static let utf16 = Charset(.utf16)
  package static let utf16LE = Charset(.utf16LE)
  package static let utf16BE = Charset(.utf16BE)

  /// ISO 8859-1, and so the X11 target `STRING` (ICCCM 2.7.1: Latin-1 with TAB and LF).
  package static let latin1 = Charset(.latin1)
  package static let ascii = Charset(.ascii)

  /// The X11 target `COMPOUND_TEXT` (Compound Text Encoding, X Consortium standard 1.1).
  package static let compoundText = Charset(.compoundText)

  /// The customary name, for instance `ISO-8859-1`.
  package var name: String {
    switch kind {
    case .utf8: "UTF-8"
    case .utf16: "UTF-16"
    case .utf16LE: "UTF-16LE"
    case .utf16BE: "UTF-16BE"
    case .latin1: "ISO-8859-1"
    case .ascii: "US-ASCII"
    case .compoundText: "COMPOUND_TEXT"
    case .other(let name): name
    }
  }

  package var description: String { name }

  /// Whether bytes under 0x80 mean ASCII whatever stands around them, so that text made of them
  /// alone already is UTF-8.
  var isASCIISuperset: Bool {
    switch kind {
    case .utf8, .latin1, .ascii: true
    case .utf16, .utf16LE, .utf16BE, .compoundText: false
    case .other(let name):
      // Not the whole truth about iconv's sets, only the common part of it: Shift_JIS, the ISO 646
      // variants, UTF-7 and the shifting sets must not be taken for supersets.
      name.hasPrefix("ISO-8859-") || name.hasPrefix("WINDOWS-125") || name.hasPrefix("KOI8-")
        || name.hasPrefix("EUC-")
    }
  }

  /// Whether what bytes mean depends on shifts before them.
  var isShifting: Bool {
    guard case .other(let name) = kind else { return false }
    return name.hasPrefix("ISO-2022-") || name.hasPrefix("ISO2022") || name.hasPrefix("UTF-7")
      || name.hasPrefix("UTF7") || name.hasPrefix("IBM")
  }

  /// Bytes of the smallest unit, the step by which undecodable input is skipped.
  var unitSize: Int {
    switch kind {
    case .utf8, .latin1, .ascii, .compoundText: return 1
    case .utf16, .utf16LE, .utf16BE: return 2
    case .other(let name):
      if name.hasPrefix("UTF-32") || name.hasPrefix("UTF32") { return 4 }
      if name.hasPrefix("UCS-4") || name.hasPrefix("UCS4") { return 4 }
      return 1
    }
  }
}
