package import Pasteboard

extension SavedClipboard {
  /// Reads a whole file; contents are parts of it, not copies.
  ///
  /// Every byte is accounted for: a file that was cut short, lengthened or changed anywhere is told
  /// with the place.
  package init(decoding file: Payload) throws(SavedClipboardFault) {
    let index = try SavedIndex(parsing: file)
    if index.place == .files {
      throw SavedClipboardFault(.inDirectory, .index(line: 0), at: 0)
    }
    self.init(index)
    var position = index.end
    for (offset, entry) in index.entries.enumerated() {
      let part = SavedClipboardFault.Part.representation(offset + 1, target: entry.target)
      var content = Payload([])
      if entry.state.hasContent {
        try Self.take(index.separator(before: offset + 1), from: file, at: &position, part)
        let end = position + min(entry.size, file.count - position)
        content = file[position..<end]
        position = end
      }
      try append(entry, content, part, at: position - content.count, index)
    }
    if index.place == .below {
      try Self.take(SavedIndex.endSeparator, from: file, at: &position, .end)
    }
    guard position == file.count else {
      throw SavedClipboardFault(.surplus, .end, at: position)
    }
  }

  /// Puts together what an index and the files beside it say.
  ///
  /// - Parameters:
  ///   - indexFile: All of the index's own file.
  ///   - contents: What the files hold that ``SavedIndex/files`` names, in that order.
  package init(
    _ index: SavedIndex, of indexFile: Payload, contents: [Payload]
  ) throws(SavedClipboardFault) {
    if index.place == .below {
      throw SavedClipboardFault(.notInDirectory, .index(line: 0), at: 0)
    }
    guard index.end == indexFile.count else {
      throw SavedClipboardFault(.surplus, .end, at: index.end)
    }
    self.init(index)
    var contents = contents[...]
    for (offset, entry) in index.entries.enumerated() {
      let part = SavedClipboardFault.Part.representation(offset + 1, target: entry.target)
      let content = entry.state.hasContent ? contents.popFirst() : nil
      try append(entry, content ?? Payload([]), part, at: 0, index)
    }
  }

  private init(_ index: SavedIndex) {
    self.init()
    program = index.program
    selection = index.selection
    backend = index.backend
    owner = index.owner
  }

  private static func take(
    _ expected: [UInt8], from file: Payload, at position: inout Int,
    _ part: SavedClipboardFault.Part
  ) throws(SavedClipboardFault) {
    let end = min(file.count, position + expected.count)
    let found = unsafe file.withUnsafeBytes(in: position..<end) { unsafe Array($0) }
    if let wrong = found.indices.first(where: { found[$0] != expected[$0] }) {
      throw SavedClipboardFault(.malformed, part, at: position + wrong)
    }
    guard found.count == expected.count else {
      throw SavedClipboardFault(.cutShort, part, at: end)
    }
    position = end
  }

  /// Appends a representation, its content checked.
  private mutating func append(
    _ entry: SavedIndex.Entry, _ payload: Payload, _ part: SavedClipboardFault.Part,
    at position: Int, _ index: SavedIndex
  ) throws(SavedClipboardFault) {
    // What was refused has no form, and needs none.
    let form = entry.form ?? Form(type: entry.target, format: 8)
    let content: Content
    switch entry.state {
    case .refused: content = .refused
    case .bound: content = .bound(form, size: entry.size)
    case .redacted: content = .redacted(form, size: entry.size)
    case .bytes:
      try Self.check(payload, entry, part, at: position)
      content = .bytes(form, payload.units(of: form.format, in: index.byteOrder))
    case .atoms:
      try Self.check(payload, entry, part, at: position)
      content = .atoms(form, try Self.atoms(payload, part, at: position, in: entry.file))
    }
    representations.append(Representation(entry.target, content))
  }

  private static func check(
    _ payload: Payload, _ entry: SavedIndex.Entry, _ part: SavedClipboardFault.Part,
    at position: Int
  ) throws(SavedClipboardFault) {
    if payload.count < entry.size {
      throw SavedClipboardFault(.cutShort, part, at: position + payload.count, in: entry.file)
    }
    if payload.count > entry.size {
      throw SavedClipboardFault(.surplus, part, at: position + entry.size, in: entry.file)
    }
    guard CRC32(of: payload).value == entry.checksum else {
      throw SavedClipboardFault(.checksum, part, at: position, in: entry.file)
    }
  }

  /// The names in the content of a list of atoms.
  private static func atoms(
    _ payload: Payload, _ part: SavedClipboardFault.Part, at start: Int, in file: String?
  ) throws(SavedClipboardFault) -> [String?] {
    var names: [String?] = []
    var rest = payload.bytes[...]
    while !rest.isEmpty {
      let position = start + rest.startIndex
      if rest.starts(with: "\(noAtom)\n".utf8) {
        names.append(nil)
        rest = rest.dropFirst(2)
      } else {
        guard let name = QuotedName.decode(&rest), rest.popFirst() == 0x0A else {
          throw SavedClipboardFault(.malformed, part, at: position, in: file)
        }
        guard isWireName(name) else {
          throw SavedClipboardFault(.name, part, at: position, in: file)
        }
        names.append(String(wireBytes: name))
      }
      guard names.count <= maximumAtoms else {
        throw SavedClipboardFault(.count, part, at: position, in: file)
      }
    }
    return names
  }
}

extension Payload {
  /// The same units in the machine's order of bytes.
  fileprivate func units(of format: Int, in order: SavedIndex.ByteOrder) -> Payload {
    guard format > 8, order != .ofThisMachine else { return self }
    let width = format / 8
    var bytes = self.bytes
    for start in stride(from: 0, to: bytes.count - width + 1, by: width) {
      bytes[start..<start + width].reverse()
    }
    return Payload(bytes)
  }
}
