package import Pasteboard

extension SavedClipboard {
  /// The whole file: the index, then the contents, which are not copied.
  package func encoded() -> Payload {
    var index = SavedIndex(self, in: isRedacted ? .leftOut : .below)
    let contents = representations.map(\.encodedContent)
    index.note(contents)
    var chunks = [ByteChunk(index.encoded())]
    if index.place == .leftOut { return Payload(chunks: chunks) }
    for (position, content) in contents.enumerated() {
      guard let content else { continue }
      chunks.append(ByteChunk(index.separator(before: position + 1)))
      chunks += content.chunks
    }
    chunks.append(ByteChunk(SavedIndex.endSeparator))
    return Payload(chunks: chunks)
  }

  /// The name of the index in a directory.
  package static let indexFile = "index"

  /// The same as files of a directory: the index, and one file a representation.
  package func encodedForDirectory() -> [(name: String, content: Payload)] {
    var index = SavedIndex(self, in: isRedacted ? .leftOut : .files)
    let contents = representations.map(\.encodedContent)
    index.note(contents)
    var files: [(name: String, content: Payload)] = []
    for (position, content) in contents.enumerated() {
      guard let content else { continue }
      let name = Self.fileName(
        of: representations[position].target, number: position + 1, of: representations.count)
      index.entries[position].file = name
      files.append((name, content))
    }
    return [(Self.indexFile, Payload(index.encoded()))] + files
  }

  /// `02-text_html`: the place in the owner's order, and as much of the target as is harmless.
  private static func fileName(of target: String, number: Int, of count: Int) -> String {
    let width = max(2, String(count).utf8.count)
    let digits = String(number)
    let harmless = target.utf8.prefix(80).map { byte -> Character in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        Character(Unicode.Scalar(byte))
      default: "_"
      }
    }
    return String(repeating: "0", count: width - digits.utf8.count) + digits + "-"
      + String(harmless)
  }
}

extension SavedClipboard.Representation {
  /// The content as it stands in a file; nil where there is none.
  fileprivate var encodedContent: Payload? {
    switch content {
    case .bytes(_, let payload): payload
    case .atoms(_, let names):
      Payload(names.map { ($0.map(QuotedName.encode) ?? SavedClipboard.noAtom) + "\n" }.joined())
    case .refused, .bound, .redacted: nil
    }
  }
}

extension SavedClipboard {
  /// Stands for an atom without a name.
  static let noAtom = "-"
}

extension SavedIndex {
  fileprivate init(_ saved: SavedClipboard, in place: Place) {
    self.init()
    self.place = place
    program = saved.program
    selection = saved.selection
    backend = saved.backend
    owner = saved.owner
    entries = saved.representations.map { representation in
      var entry = Entry(target: representation.target, state: .refused)
      switch representation.content {
      case .bytes(let form, _): (entry.state, entry.form) = (.bytes, form)
      case .atoms(let form, _): (entry.state, entry.form) = (.atoms, form)
      case .refused: break
      case .bound(let form, let size): (entry.state, entry.form, entry.size) = (.bound, form, size)
      case .redacted(let form, let size):
        (entry.state, entry.form, entry.size) = (.redacted, form, size)
      }
      return entry
    }
  }

  fileprivate mutating func note(_ contents: [Payload?]) {
    for (index, content) in contents.enumerated() {
      guard let content else { continue }
      entries[index].size = content.count
      entries[index].checksum = CRC32(of: content).value
    }
  }
}
