/// The bytes of one `mime.cache`, the binary form of the shared MIME database of freedesktop.org.
///
/// `update-mime-database` makes such a file from all XML packages of one directory. It has nine
/// sections (shared-mime-info specification 0.21, "The mime.cache file"); numbers are big-endian,
/// offsets count from the start of the file, strings end in NUL.
///
/// Any package and any user can write one, so nothing in it is believed: a section must lie inside
/// the file or the file is refused, and every later access is checked where it happens. What leads
/// outside is not there. Chains that a hostile file could make endless are bounded by a
/// `WorkBudget`. The bytes are a private copy: a mapping of a file that somebody cuts off in place
/// would end the process (SIGBUS), and the 150 kB that systems have are read in some 20 µs.
struct MIMECache: Sendable {
  private let bytes: [UInt8]

  /// Larger files are refused; the largest database known has 0.2 MB.
  static let sizeLimit = 16 << 20

  /// What a cache holds.
  ///
  /// The raw value is the position of the section's offset in the header.
  enum Section: Int, CaseIterable {
    case aliases, parents, literals, suffixTree, globs, magic, namespaces, icons, genericIcons

    /// Where the offset of the first entry stands, from the start of the section; nil where the
    /// entries follow the count.
    var offsetOfFirst: Int? {
      switch self {
      case .suffixTree: 4
      case .magic: 8
      case .aliases, .parents, .literals, .globs, .namespaces, .icons, .genericIcons: nil
      }
    }

    var entrySize: Int {
      switch self {
      case .aliases, .parents, .icons, .genericIcons: 8
      case .literals, .globs, .suffixTree, .namespaces: 12
      case .magic: 16
      }
    }
  }

  /// Equal entries, one behind the other.
  struct Entries: Sendable {
    var start: Int
    var count: Int
    var stride: Int

    var indices: Range<Int> { 0..<count }
    func offset(_ index: Int) -> Int { start + index * stride }
  }

  private var sections: [Entries] = []

  /// The patterns for names.
  ///
  /// Databases have ten. They are tried with every name, so what can be known beforehand is.
  private(set) var patterns: [Pattern] = []

  struct Pattern: Sendable {
    /// Where its entry stands, and its text.
    var entry: Int
    var text: Range<Int>
    /// What names begin and end with that match.
    var first: ByteSet
    var last: ByteSet
  }

  private static let patternLimit = 4096

  /// Takes the bytes of a cache; throws when they cannot be one.
  init(_ bytes: [UInt8]) throws(MIMECacheFault) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
    self.bytes = bytes
    guard let versions = word(at: 0) else { throw .cutOff }
    let (major, minor) = (versions >> 16, versions & 0xffff)
    // 1.1 has no case-sensitive globs, which is all the difference.
    guard major == 1, minor == 1 || minor == 2 else {
      throw .unknownVersion(major: major, minor: minor)
    }
    for section in Section.allCases {
      guard let start = word(at: 4 + 4 * section.rawValue) else { throw .cutOff }
      guard let count = word(at: start) else { throw .cutOff }
      var first = start + 4
      if let place = section.offsetOfFirst {
        guard let offset = word(at: start + place) else { throw .cutOff }
        first = offset
      }
      guard count == 0 || isInside(first, count: count, size: section.entrySize) else {
        throw .cutOff
      }
      sections.append(Entries(start: first, count: count, stride: section.entrySize))
    }
    // Offsets into the header would read as numbers that are none.
    guard sections.allSatisfy({ $0.count == 0 || $0.start >= 40 }) else { throw .damaged }
    let globs = self[.globs]
    patterns = unsafe bytes.withUnsafeBytes { bytes in
      let file = unsafe MIMECacheBytes(borrowing: bytes)
      return globs.indices.prefix(Self.patternLimit).compactMap { index in
        let entry = globs.offset(index)
        guard let offset = file.word(at: entry), let pattern = file.string(at: offset) else {
          return nil
        }
        let ends = GlobPattern(pattern).ends
        return Pattern(
          entry: entry, text: offset..<offset + pattern.count, first: ends.first, last: ends.last)
      }
    }
  }

  subscript(_ section: Section) -> Entries { sections[section.rawValue] }

  /// How many leading bytes of content all the magic may look at, as the file has it.
  var magicExtent: Int {
    word(at: 24).flatMap { word(at: $0 + 4) } ?? 0
  }

  // MARK: Access

  /// The number at an offset, nil outside of the file.
  @inline(__always)
  func word(at offset: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count &- 4 else { return nil }
    return Int(bytes[offset]) << 24 | Int(bytes[offset &+ 1]) << 16
      | Int(bytes[offset &+ 2]) << 8 | Int(bytes[offset &+ 3])
  }

  /// `count` entries of `size` bytes each, nil where they are not inside of the file.
  func entries(at offset: Int, count: Int, size: Int) -> Entries? {
    isInside(offset, count: count, size: size)
      ? Entries(start: offset, count: count, stride: size) : nil
  }

  // Numbers of the file have 32 bits, so neither sum nor product can overflow.
  private func isInside(_ offset: Int, count: Int, size: Int) -> Bool {
    offset >= 0 && count >= 0 && offset + count * size <= bytes.count
  }

  /// The bytes at an offset, nil where they are not inside of the file.
  func data(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    isInside(offset, count: count, size: 1) ? bytes[offset..<offset + count] : nil
  }

  // MARK: Strings

  /// The longest string that means anything here: names of files and of types are shorter.
  static let stringLimit = 1024

  /// Whether a string ends at an offset.
  func isEnd(at offset: Int) -> Bool { offset < bytes.count && bytes[offset] == 0 }

  /// How long the name of the type at an offset is; nil for what cannot be the name of one.
  func typeNameCount(at offset: Int) -> Int? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let limit = min(bytes.count, offset + 256)
    var slash = 0
    var position = offset
    while position < limit {
      let byte = bytes[position]
      if byte == 0 {
        let isName = slash > offset && position > slash + 1
        return isName ? position - offset : nil
      }
      if byte == UInt8(ascii: "/") && slash == 0 {
        slash = position
      } else if !byte.isMIMEToken {
        return nil
      }
      position &+= 1
    }
    return nil
  }

  /// Calls `body` with the bytes of a name, which must not leave it.
  @inline(__always)
  func withSlice<Result>(of name: MIMETypeName, _ body: (TextSlice) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      let end = name.offset + name.count
      return unsafe body(
        TextSlice(borrowing: UnsafeRawBufferPointer(rebasing: bytes[name.offset..<end])))
    }
  }

  /// Calls `body` with all bytes, which must not leave it.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes(body)
  }
}

/// Why a `mime.cache` is of no use.
public enum MIMECacheFault: Error, Hashable, Sendable {
  /// It ends before what its header promises.
  case cutOff
  /// Its header contradicts itself.
  case damaged
  /// It is larger than any database can be.
  case tooLarge
  /// It is of a version that is not known; 1.1 and 1.2 are.
  case unknownVersion(major: Int, minor: Int)
  /// It cannot be read, for the reason with that number (`errno`).
  case unreadable(Int32)
  /// It changed each time it was read.
  case changing
}

/// How much work a question may cost before the answer has to do with what was found so far.
///
/// A hostile cache can make trees of rules that refer to themselves. Real ones stay far below any
/// budget.
struct WorkBudget {
  private var left: Int

  init(_ steps: Int) { left = steps }

  /// Takes some steps; false when that was too much.
  @inline(__always)
  mutating func take(_ steps: Int = 1) -> Bool {
    left &-= steps
    return left > 0
  }
}
