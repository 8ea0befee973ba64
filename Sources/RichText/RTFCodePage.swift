internal import Synchronization
internal import TextEncoding

/// What the bytes of a code page mean as characters.
///
/// Text in RTF is a multitude of short runs, `na\'efve` being one of a single byte; a converter for
/// each would cost far more than the text. The code page is asked once what each of its bytes means,
/// and each pair of bytes with the same first one when that first one is met; once in the life of the
/// process, since finding a converter takes longer than reading a small document.
final class RTFCodePage {
  enum Kind: Equatable {
    case singleByte
    case doubleByte
    case utf8
    case symbols(RTFSymbolSet)
  }

  let kind: Kind

  /// Whether bytes that were not escaped and are valid UTF-8 are taken for it.
  ///
  /// Editors put UTF-8 into RTF that claims to be in one of these code pages, whose letters hardly
  /// ever make valid sequences by chance.
  let mayHoldUTF8: Bool

  private let number: Int
  private lazy var charset = RTFCodePage.label(of: number).flatMap { Charset(label: $0) }
  /// The scalars of bytes 0x80 to 0xFF, 0 where a byte alone means nothing.
  private lazy var singles =
    RTFCodePageTables.scalars(ofCodePage: number) ?? scalars(behind: nil, from: 0x80)
  /// By first byte, those of the second bytes from `firstTrail` on; empty until they are needed.
  private var pairs: [[UInt32]]

  private static let firstTrail = 0x30
  static let windowsLatin1 = 1252

  /// The code page of a number that is known.
  init(_ number: Int) {
    kind =
      switch number {
      case RTFCodePage.utf8: .utf8
      case 932, 936, 949, 950, 1361, 10001, 10002, 10003, 10008: .doubleByte
      default: .singleByte
      }
    mayHoldUTF8 = [1250, 1251, 1252, 1253, 1254, 1257].contains(number)
    self.number = number
    pairs = kind == .doubleByte ? [[UInt32]](repeating: [], count: 0x80) : []
  }

  init(symbols: RTFSymbolSet) {
    kind = .symbols(symbols)
    mayHoldUTF8 = false
    number = RTFCodePage.symbols
    pairs = []
  }

  /// The scalar that a byte of 0x80 and up is, or nil if it is none alone.
  func scalar(for byte: UInt8) -> UInt32? {
    let index = Int(byte) - 0x80
    guard singles.indices.contains(index), singles[index] != 0 else { return nil }
    return singles[index]
  }

  /// The scalar that two bytes are, or nil if they are none.
  func scalar(for lead: UInt8, _ trail: UInt8) -> UInt32? {
    let row = Int(lead) - 0x80
    let column = Int(trail) - RTFCodePage.firstTrail
    guard pairs.indices.contains(row), column >= 0 else { return nil }
    if pairs[row].isEmpty {
      pairs[row] = scalars(behind: lead, from: RTFCodePage.firstTrail)
    }
    guard pairs[row].indices.contains(column), pairs[row][column] != 0 else { return nil }
    return pairs[row][column]
  }

  /// What was asked before, by code page and first byte: a megabyte if all of all were.
  private static let answers = Mutex<[Int: [UInt32]]>([:])

  /// What each byte from `first` to 0xFF means, behind another or alone.
  private func scalars(behind lead: UInt8?, from first: Int) -> [UInt32] {
    let key = number << 8 | Int(lead ?? 0)
    if let known = Self.answers.withLock({ $0[key] }) { return known }
    let scalars = asked(behind: lead, from: first)
    Self.answers.withLock { $0[key] = scalars }
    return scalars
  }

  /// Asks the system's converter.
  private func asked(behind lead: UInt8?, from first: Int) -> [UInt32] {
    var scalars = [UInt32](repeating: 0, count: 0x100 - first)
    guard let charset else { return scalars }
    // A line end is no second byte anywhere, so it keeps apart what is asked.
    var question: [UInt8] = []
    question.reserveCapacity(3 * scalars.count)
    for byte in first...0xFF {
      if let lead { question.append(lead) }
      question.append(UInt8(truncatingIfNeeded: byte))
      question.append(0x0A)
    }
    let answer = unsafe question.withUnsafeBytes { bytes in
      unsafe (try? TextDecoder.decode(bytes, as: charset, repairing: true))?.bytes(of: bytes)
    }
    guard let answer else { return scalars }
    var index = 0
    var length = 0
    for scalar in String(decoding: answer, as: UTF8.self).unicodeScalars {
      guard scalar != "\n" else {
        if length != 1 { scalars[index] = 0 }
        index += 1
        length = 0
        if index == scalars.count { break }
        continue
      }
      length += 1
      let isMeant = scalar != "\u{FFFD}" && !(0x80..<0xA0).contains(scalar.value)
      scalars[index] = isMeant ? scalar.value : 0
    }
    return scalars
  }

  // MARK: Numbers

  static let utf8 = 65001
  /// What Windows calls the charset of fonts of symbols.
  static let symbols = 42

  /// Whether RTF uses a code page of this number.
  static func isKnown(_ number: Int) -> Bool {
    switch number {
    case utf8, 10004, 10005, 10006, 10021, 10081: true
    default: label(of: number) != nil
    }
  }

  /// A name by which the system knows the code page.
  private static func label(of number: Int) -> String? {
    switch number {
    case 437, 737, 775, 850, 852, 855, 857, 858, 860...866, 869, 932, 936, 949, 950, 1250...1258,
      1361:
      "CP\(number)"
    case 874: "windows-874"
    case 10000: "macintosh"
    // Apple's variants of the four differ from these in signs only.
    case 10001: "CP932"
    case 10002: "CP950"
    case 10003: "CP949"
    case 10008: "CP936"
    case 10007: "MAC-CYRILLIC"
    case 10029: "MAC-CENTRALEUROPE"
    case 20866: "KOI8-R"
    case 21866: "KOI8-U"
    case 28591...28599, 28603, 28605: "ISO-8859-\(number - 28590)"
    default: nil
    }
  }

  /// The code page that a font has by its `\fcharset`; nil for that of the document.
  static func number(ofCharset charset: Int) -> Int? {
    switch charset {
    case 0: 1252
    case 2: symbols
    case 77, 256: 10000
    case 78: 10001
    case 79: 10003
    case 80: 10008
    case 81: 10002
    case 83: 10005
    case 84: 10004
    case 85: 10006
    case 86: 10081
    case 87: 10021
    case 88: 10029
    case 89: 10007
    case 128: 932
    case 129: 949
    case 130: 1361
    case 134: 936
    case 136: 950
    case 161: 1253
    case 162: 1254
    case 163: 1258
    case 177: 1255
    case 178: 1256
    case 186: 1257
    case 204: 1251
    case 222: 874
    case 238: 1250
    case 254: 437
    case 255: 850
    default: nil
    }
  }
}
