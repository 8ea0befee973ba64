/// The readable beginning of a saved clipboard: what it was, and one line a representation.
package struct SavedIndex: Sendable {
  /// Where the contents are.
  enum Place: String, CaseIterable {
    /// Behind the index, in its order.
    case below
    /// Each in a file beside the index.
    case files
    /// Nowhere: the owner's targets, types and sizes were all that was wanted.
    case leftOut = "left-out"
  }

  enum ByteOrder: String, CaseIterable {
    case little
    case big

    static var ofThisMachine: ByteOrder { 1.littleEndian == 1 ? .little : .big }
  }

  /// What became of a representation: the first word of its line.
  enum State: String, CaseIterable {
    case bytes
    case atoms
    case refused
    case bound
    case redacted

    var hasContent: Bool { self == .bytes || self == .atoms }

    /// What is said about it at the end of its line.
    var note: String {
      switch self {
      case .bytes: ""
      case .atoms: "  # its content is the names of the atoms, one a line"
      case .refused: "  # the owner listed it and did not give it"
      case .bound: "  # means nothing without its owner and its X server, so it was not saved"
      case .redacted: ""
      }
    }
  }

  struct Entry {
    var target: String
    var state: State
    /// Nil of what was refused.
    var form: SavedClipboard.Form?
    /// The bytes of the content as it stands in the file; of what has none there, as it was.
    var size = 0
    /// The checksum of a content that is there.
    var checksum: UInt32 = 0
    /// The file beside the index that holds the content.
    var file: String?
  }

  static let magic = "clipview saved clipboard "
  static let version = "1"
  static let endMark = "end of index, crc32 "

  var program = ""
  var selection = ""
  var backend = ""
  var owner: String?
  var byteOrder = ByteOrder.ofThisMachine
  var place = Place.below
  var entries: [Entry] = []
  /// Where it ends, in bytes from the beginning.
  var end = 0

  init() {}

  /// The content files of a directory, in order.
  package var files: [String] { entries.compactMap(\.file) }

  /// What stands before the content of a representation.
  func separator(before number: Int) -> [UInt8] {
    let entry = entries[number - 1]
    return Array(
      "\n--- \(number) \(QuotedName.encode(entry.target)), \(entry.size) bytes\n".utf8)
  }

  /// What stands behind the last content.
  static let endSeparator = Array("\n--- end\n".utf8)

  /// The index as text, up to and with its own checksum.
  func encoded() -> [UInt8] {
    var text = """
      \(Self.magic)\(Self.version)
      # One line a representation, in the owner's order; \(explanation)
      # Documentation/saved-clipboard.md of clipview describes the format.
      program \(QuotedName.encode(program))
      selection \(QuotedName.encode(selection))
      backend \(QuotedName.encode(backend))

      """
    if let owner { text += "owner \(QuotedName.encode(owner))\n" }
    text += """
      byte-order \(byteOrder.rawValue)
      contents \(place.rawValue)
      representations \(entries.count)

      """
    for (index, entry) in entries.enumerated() {
      text += "\(index + 1) \(entry.state.rawValue) \(QuotedName.encode(entry.target))"
      if let form = entry.form {
        text += " type \(QuotedName.encode(form.type)) format \(form.format) size \(entry.size)"
      }
      if entry.state.hasContent { text += " crc32 \(Self.digits(entry.checksum))" }
      if let file = entry.file { text += " file \(QuotedName.encode(file))" }
      text += entry.state.note + "\n"
    }
    var bytes = Array(text.utf8)
    bytes += Array("\(Self.endMark)\(Self.digits(CRC32(of: bytes).value))\n".utf8)
    return bytes
  }

  private var explanation: String {
    switch place {
    case .below: "then the contents, byte for byte."
    case .files: "the contents are in files, byte for byte."
    case .leftOut: "the contents were left out."
    }
  }

  private static func digits(_ checksum: UInt32) -> String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
