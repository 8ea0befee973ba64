internal import Glibc
package import Pasteboard

extension SavedIndex {
  /// Reads the index at the beginning of a file.
  ///
  /// Nothing of it is believed before its checksum was found right; then each line has to be what it
  /// should, since a file may also have been written to do harm.
  package init(parsing file: Payload) throws(SavedClipboardFault) {
    self.init()
    try Self.checkMagic(file)
    let length = try Self.checkedLength(of: file)
    let bytes = unsafe file.withUnsafeBytes(in: 0..<length) { unsafe Array($0) }
    var lines = IndexLines(bytes)
    _ = lines.next()
    program = try lines.name(of: "program")
    selection = try lines.name(of: "selection")
    backend = try lines.name(of: "backend")
    owner = try lines.optionalName(of: "owner")
    byteOrder = try lines.choice(of: "byte-order", among: ByteOrder.allCases)
    place = try lines.choice(of: "contents", among: Place.allCases)
    let count = try lines.number(of: "representations")
    var targets: Set<ExactName> = []
    var files: Set<String> = []
    while var line = lines.next() {
      let entry = try Self.entry(&line, number: entries.count + 1, in: place)
      guard targets.insert(ExactName(entry.target)).inserted else {
        throw line.fault(.repeatedTarget)
      }
      if let file = entry.file, !files.insert(file).inserted { throw line.fault(.malformed) }
      entries.append(entry)
      if entries.count > min(count, SavedClipboard.maximumCount) { throw line.fault(.count) }
    }
    guard entries.count == count else {
      throw SavedClipboardFault(.count, .index(line: lines.number), at: length)
    }
    // Behind the index stands the line with its checksum, whose length is always the same.
    end = length + Self.endMark.utf8.count + 9
  }

  private static func checkMagic(_ file: Payload) throws(SavedClipboardFault) {
    let expected = Array("\(magic)\(version)\n".utf8)
    let count = min(file.count, expected.count)
    let start = unsafe file.withUnsafeBytes(in: 0..<count) { unsafe Array($0) }
    if let wrong = (0..<count).first(where: { start[$0] != expected[$0] }) {
      throw SavedClipboardFault(
        wrong < magic.utf8.count ? .foreign : .version, .index(line: 1), at: wrong)
    }
    guard count == expected.count else {
      throw SavedClipboardFault(.cutShort, .index(line: 1), at: count)
    }
  }

  /// The length of the index up to the line that holds its checksum, which is checked.
  private static func checkedLength(of file: Payload) throws(SavedClipboardFault) -> Int {
    let mark = Array(endMark.utf8)
    let found = unsafe file.withUnsafeBytes { bytes in
      unsafe lineStart(of: mark, in: bytes)
    }
    guard let length = found.start else {
      throw SavedClipboardFault(.cutShort, .index(line: found.line), at: file.count)
    }
    let digits = length + mark.count
    guard digits + 9 <= file.count else {
      throw SavedClipboardFault(.cutShort, .index(line: found.line), at: file.count)
    }
    let line = unsafe file.withUnsafeBytes(in: digits..<digits + 9) { unsafe Array($0) }
    guard line[8] == UInt8(ascii: "\n"), let checksum = checksum(line[..<8]) else {
      throw SavedClipboardFault(.malformed, .index(line: found.line), at: digits)
    }
    guard CRC32(of: file[0..<length]).value == checksum else {
      throw SavedClipboardFault(.checksum, .index(line: 0), at: 0)
    }
    return length
  }

  /// Where the line begins that starts with the mark, and its number; without one, that of the last.
  private static func lineStart(
    of mark: [UInt8], in bytes: UnsafeRawBufferPointer
  ) -> (start: Int?, line: Int) {
    guard let base = bytes.baseAddress else { return (nil, 1) }
    var position = 0
    var line = 1
    while position < bytes.count {
      if position + mark.count <= bytes.count,
        unsafe memcmp(base + position, mark, mark.count) == 0
      {
        return (position, line)
      }
      guard let end = unsafe memchr(base + position, 0x0A, bytes.count - position) else { break }
      position = unsafe UnsafeRawPointer(end) - base + 1
      line += 1
    }
    return (nil, line)
  }

  fileprivate static func checksum(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    var value: UInt32 = 0
    for digit in digits {
      guard let digit = QuotedName.hexadecimalDigit(digit) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func entry(
    _ line: inout IndexLine, number: Int, in place: Place
  ) throws(SavedClipboardFault) -> Entry {
    guard try line.number() == number else { throw line.fault(.count) }
    let state = try line.choice(among: State.allCases)
    guard place != .leftOut || !state.hasContent, place == .leftOut || state != .redacted else {
      throw line.fault(.malformed)
    }
    var entry = Entry(target: try line.wireName(), state: state)
    if SavedClipboard.isProtocolTarget(entry.target) { throw line.fault(.protocolTarget) }
    if state != .refused {
      try line.word("type")
      let type = try line.wireName()
      try line.word("format")
      let form = SavedClipboard.Form(type: type, format: try line.number())
      guard [8, 16, 32].contains(form.format) else { throw line.fault(.form) }
      try line.word("size")
      entry.size = try line.number()
      // The content of an atom list is text that stands for the list.
      if state != .atoms, !entry.size.isMultiple(of: form.format / 8) { throw line.fault(.form) }
      entry.form = form
      try check(entry, form, line)
    }
    if state.hasContent {
      try line.word("crc32")
      guard let checksum = checksum(line.token()) else { throw line.fault(.malformed) }
      entry.checksum = checksum
      if place == .files {
        try line.word("file")
        entry.file = try line.fileName()
      }
    }
    try line.end()
    return entry
  }

  private static func check(
    _ entry: Entry, _ form: SavedClipboard.Form, _ line: IndexLine
  ) throws(SavedClipboardFault) {
    switch entry.state {
    case .bytes where SavedClipboard.isBound(entry.target, form): throw line.fault(.bound)
    case .atoms where !SavedClipboard.isAtomList(form): throw line.fault(.form)
    // Numbers of atoms are those of another server.
    case .bytes where SavedClipboard.isAtomList(form): throw line.fault(.bound)
    default: break
    }
  }
}

/// The lines of an index, without those that are empty or a comment.
private struct IndexLines {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var number = 0
  /// A line that was looked at and not taken.
  private var pending: IndexLine?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> IndexLine? {
    if let line = pending {
      pending = nil
      return line
    }
    while position < bytes.count {
      let start = position
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      position = end + 1
      number += 1
      guard start < end, bytes[start] != UInt8(ascii: "#") else { continue }
      return IndexLine(rest: bytes[start..<end], place: number)
    }
    return nil
  }

  /// The line that holds the value of a key.
  private mutating func line(of key: String) throws(SavedClipboardFault) -> IndexLine {
    guard var line = next() else {
      throw SavedClipboardFault(.malformed, .index(line: number), at: bytes.count)
    }
    try line.word(key)
    return line
  }

  mutating func name(of key: String) throws(SavedClipboardFault) -> String {
    var line = try line(of: key)
    let name = try line.text()
    try line.end()
    return name
  }

  mutating func optionalName(of key: String) throws(SavedClipboardFault) -> String? {
    guard let line = next() else { return nil }
    pending = line
    guard line.rest.starts(with: "\(key) ".utf8) else { return nil }
    return try name(of: key)
  }

  mutating func number(of key: String) throws(SavedClipboardFault) -> Int {
    var line = try line(of: key)
    let value = try line.number()
    try line.end()
    return value
  }

  mutating func choice<Value: RawRepresentable<String>>(
    of key: String, among values: [Value]
  ) throws(SavedClipboardFault) -> Value {
    var line = try line(of: key)
    let value = try line.choice(among: values)
    try line.end()
    return value
  }
}

/// A line of an index, read from its beginning.
private struct IndexLine {
  private(set) var rest: ArraySlice<UInt8>
  private let place: Int

  /// - Parameter place: Its number in the file, from 1.
  init(rest: ArraySlice<UInt8>, place: Int) {
    self.rest = rest
    self.place = place
  }

  func fault(_ kind: SavedClipboardFault.Kind) -> SavedClipboardFault {
    SavedClipboardFault(kind, .index(line: place), at: rest.startIndex)
  }

  /// What stands up to the next blank, which is taken too.
  mutating func token() -> ArraySlice<UInt8> {
    let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
    defer { rest = rest[min(end + 1, rest.endIndex)...] }
    return rest[..<end]
  }

  mutating func word(_ expected: String) throws(SavedClipboardFault) {
    let start = self
    guard token().elementsEqual(expected.utf8) else { throw start.fault(.malformed) }
  }

  mutating func choice<Value: RawRepresentable<String>>(
    among values: [Value]
  ) throws(SavedClipboardFault) -> Value {
    let start = self
    let token = token()
    guard let value = values.first(where: { token.elementsEqual($0.rawValue.utf8) }) else {
      throw start.fault(.malformed)
    }
    return value
  }

  /// A number that any machine holds, without sign or leading zeros.
  mutating func number() throws(SavedClipboardFault) -> Int {
    let start = self
    let digits = token()
    guard (1...18).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1
    else { throw start.fault(.malformed) }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
        throw start.fault(.malformed)
      }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// A text in quotes.
  mutating func text() throws(SavedClipboardFault) -> String {
    String(wireBytes: try quoted())
  }

  private mutating func quoted() throws(SavedClipboardFault) -> [UInt8] {
    let start = self
    guard let bytes = QuotedName.decode(&rest), rest.isEmpty || rest.first == UInt8(ascii: " ")
    else { throw start.fault(.malformed) }
    rest = rest.dropFirst()
    return bytes
  }

  /// A name in quotes that an X server takes.
  mutating func wireName() throws(SavedClipboardFault) -> String {
    let start = self
    let bytes = try quoted()
    guard SavedClipboard.isWireName(bytes) else { throw start.fault(.name) }
    return String(wireBytes: bytes)
  }

  /// The name of a file in the index's own directory.
  mutating func fileName() throws(SavedClipboardFault) -> String {
    let start = self
    let bytes = try quoted()
    let isPlain = bytes.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }
    guard isPlain, (1...255).contains(bytes.count), bytes[0] != UInt8(ascii: "."),
      !bytes.elementsEqual(SavedClipboard.indexFile.utf8)
    else { throw start.fault(.name) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nothing more than a comment may follow.
  func end() throws(SavedClipboardFault) {
    let rest = rest.drop { $0 == UInt8(ascii: " ") }
    if let first = rest.first, first != UInt8(ascii: "#") { throw fault(.malformed) }
  }
}

extension SavedClipboard {
  /// Whether an X server takes these bytes for a name.
  package static func isWireName(_ bytes: [UInt8]) -> Bool {
    (1...maximumNameLength).contains(bytes.count) && !bytes.contains(0)
  }
}
