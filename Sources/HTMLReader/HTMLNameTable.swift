internal import TextEncoding

/// Names of elements, or of attributes, as small numbers.
///
/// The names that this module knows come first, in the order of their enumeration, so that the number
/// of a known name is its raw value. A document brings its own behind them.
struct HTMLNameTable: Sendable {
  static let tags = HTMLNameTable(known: HTMLTag.spellings)
  static let attributes = HTMLNameTable(known: HTMLAttributeName.spellings)

  /// The number of all names that find no place any more.
  static let overflow = UInt16.max
  /// How many names a document may bring: real ones have some dozens, and the time for names that
  /// were chosen to collide grows with the square.
  private static let limit = 4096
  private static let vacant = UInt16.max

  private var slots: [UInt16]
  private var hashes: [UInt32] = []
  /// Where each name begins in `bytes`, and at the end where the next one will.
  private var offsets: [Int32] = [0]
  private var bytes: [UInt8] = []
  let knownCount: Int

  private init(known: StaticString) {
    slots = Array(repeating: HTMLNameTable.vacant, count: 1024)
    var words: [[UInt8]] = [[]]
    known.withUTF8Buffer { letters in
      for index in 0..<letters.count {
        let letter = unsafe letters[index]
        if letter == UInt8(ascii: " ") {
          words.append([])
        } else {
          words[words.count - 1].append(letter)
        }
      }
    }
    knownCount = words.count
    for word in words {
      _ = number(of: word[...], hash: HTMLNameTable.hash(word), limit: .max)
    }
  }

  // MARK: Hashing

  /// FNV-1a, taken up byte by byte while a name is read.
  static let emptyHash: UInt32 = 0x811C_9DC5

  @inline(__always)
  static func extend(_ hash: UInt32, by byte: UInt8) -> UInt32 {
    (hash ^ UInt32(byte)) &* 0x0100_0193
  }

  private static func hash(_ name: [UInt8]) -> UInt32 {
    name.reduce(emptyHash) { extend($0, by: $1) }
  }

  // MARK: Looking up

  /// The number of a name, whose capitals stand for small letters.
  mutating func number(of name: ArraySlice<UInt8>, hash: UInt32) -> UInt16 {
    number(of: name, hash: hash, limit: knownCount + HTMLNameTable.limit)
  }

  /// The number of a name whose capitals are its own.
  mutating func number(ofExactly name: [UInt8]) -> UInt16 {
    let hash = HTMLNameTable.hash(name)
    let (found, slot) = search(hash) { $0 == name[...] }
    return found
      ?? insert(name[...], hash, at: slot, limit: knownCount + HTMLNameTable.limit) { $0 }
  }

  private mutating func number(
    of name: ArraySlice<UInt8>, hash: UInt32, limit: Int
  ) -> UInt16 {
    let (found, slot) = search(hash) { known in
      guard known.count == name.count else { return false }
      var offset = name.startIndex
      for byte in known {
        if byte != name[offset].lowercasedASCII { return false }
        offset += 1
      }
      return true
    }
    return found ?? insert(name, hash, at: slot, limit: limit, \.lowercasedASCII)
  }

  @inline(__always)
  private func search(
    _ hash: UInt32, _ matches: (ArraySlice<UInt8>) -> Bool
  ) -> (found: UInt16?, slot: Int) {
    let mask = slots.count - 1
    var slot = Int(hash ^ hash >> 15) & mask
    while slots[slot] != HTMLNameTable.vacant {
      let number = slots[slot]
      if hashes[Int(number)] == hash, matches(bytes[range(of: Int(number))]) {
        return (number, slot)
      }
      slot = (slot + 1) & mask
    }
    return (nil, slot)
  }

  private mutating func insert(
    _ name: ArraySlice<UInt8>, _ hash: UInt32, at slot: Int, limit: Int, _ fold: (UInt8) -> UInt8
  ) -> UInt16 {
    guard hashes.count < limit else { return HTMLNameTable.overflow }
    let number = UInt16(hashes.count)
    slots[slot] = number
    hashes.append(hash)
    bytes.append(contentsOf: name.lazy.map(fold))
    offsets.append(Int32(bytes.count))
    if hashes.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    var larger = Array(repeating: HTMLNameTable.vacant, count: slots.count * 2)
    let mask = larger.count - 1
    for (number, hash) in hashes.enumerated() {
      var slot = Int(hash ^ hash >> 15) & mask
      while larger[slot] != HTMLNameTable.vacant { slot = (slot + 1) & mask }
      larger[slot] = UInt16(number)
    }
    slots = larger
  }

  private func range(of number: Int) -> Range<Int> {
    Int(offsets[number])..<Int(offsets[number + 1])
  }

  /// The spelling of a name; empty for one that found no place.
  func spelling(of number: UInt16) -> ArraySlice<UInt8> {
    Int(number) < hashes.count ? bytes[range(of: Int(number))] : []
  }

  var count: Int { hashes.count }
}
