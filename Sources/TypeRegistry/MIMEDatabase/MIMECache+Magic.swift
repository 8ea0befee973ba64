/// A rule for content that content has met.
struct MIMEMagicMatch {
  /// Where the name of the type stands in the cache.
  var type: Int
  var priority: Int
}

extension MIMECache {
  /// Stands for a type's order to forget the rules for content of directories behind this one.
  private static let deleteAll = Array("__NOMAGIC__".utf8)

  /// The most rules of one cache that content can meet.
  private static let matchLimit = 256

  /// The rules that content meets, in the order of the cache.
  func matches(
    ofContent content: UnsafeRawBufferPointer, budget: inout WorkBudget
  ) -> [MIMEMagicMatch] {
    unsafe withBytes { file in
      var matcher = unsafe MagicMatcher(file: file, content: content, budget: budget)
      var found: [MIMEMagicMatch] = []
      let rules = self[.magic]
      for index in rules.indices where found.count < Self.matchLimit {
        guard matcher.budget.take() else { break }
        let rule = rules.offset(index)
        guard matcher.isMet(ruleAt: rule), !isDeletion(rule),
          let priority = word(at: rule), let type = word(at: rule + 4)
        else { continue }
        found.append(MIMEMagicMatch(type: type, priority: priority))
      }
      budget = matcher.budget
      return found
    }
  }

  /// The offsets of the names of types whose rules in directories behind this one do not count.
  var typesWithoutInheritedMagic: [Int] {
    let rules = self[.magic]
    return rules.indices.compactMap { index in
      isDeletion(rules.offset(index)) ? word(at: rules.offset(index) + 4) : nil
    }
  }

  private func isDeletion(_ rule: Int) -> Bool {
    guard let part = word(at: rule + 12), word(at: part + 12) == Self.deleteAll.count,
      let value = word(at: part + 16),
      let bytes = data(at: value, count: Self.deleteAll.count)
    else { return false }
    return bytes.elementsEqual(Self.deleteAll)
  }
}

/// Compares content with the rules of a cache.
///
/// Lives as long as one question; every offset is checked before its bytes are read.
@safe private struct MagicMatcher {
  private let file: UnsafeRawBufferPointer
  private let content: UnsafeRawBufferPointer
  var budget: WorkBudget

  /// Both must stay valid and unchanged as long as this is used.
  init(file: UnsafeRawBufferPointer, content: UnsafeRawBufferPointer, budget: WorkBudget) {
    unsafe self.file = file
    unsafe self.content = content
    self.budget = budget
  }

  /// How deep rules may lie within rules.
  ///
  /// The deepest in the database have six levels.
  private static let depthLimit = 32

  /// The size of a part in the file.
  private static let partSize = 32

  mutating func isMet(ruleAt rule: Int) -> Bool {
    guard isInside(rule, 16) else { return false }
    return isAnyMet(count: word(rule + 8), first: word(rule + 12), depth: 0)
  }

  /// Whether so many bytes at an offset are inside of the file.
  @inline(__always)
  private func isInside(_ offset: Int, _ count: Int) -> Bool {
    // Neither number has more than 37 bits.
    unsafe offset >= 0 && offset &+ count <= file.count
  }

  /// The number at an offset that is inside of the file.
  @inline(__always)
  private func word(_ offset: Int) -> Int {
    unsafe Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// Whether one of the parts beside each other is met, with one of the parts within it, if any.
  private mutating func isAnyMet(count: Int, first: Int, depth: Int) -> Bool {
    guard isInside(first, count * Self.partSize) else { return false }
    for index in 0..<count {
      let part = first + index * Self.partSize
      guard budget.take() else { return false }
      guard isMet(partAt: part) else { continue }
      let innerCount = word(part + 24)
      if innerCount == 0 { return true }
      if depth + 1 < Self.depthLimit,
        isAnyMet(count: innerCount, first: word(part + 28), depth: depth + 1)
      {
        return true
      }
    }
    return false
  }

  /// Whether the value of a part stands in the content somewhere in the range of the part.
  private mutating func isMet(partAt part: Int) -> Bool {
    let start = word(part)
    let length = word(part + 12)
    let value = word(part + 16)
    let mask = word(part + 20)
    guard length > 0, unsafe start + length <= content.count, isInside(value, length),
      mask == 0 || isInside(mask, length)
    else { return false }
    let last = unsafe min(start + max(word(part + 4), 1) - 1, content.count - length)
    // Values in the byte order of the machine stand in the file with the highest byte first.
    let swap = Self.swap(wordSize: word(part + 8), length: length)
    if mask == 0 && swap == 0 {
      return isFound(value, length, start...last)
    }
    for offset in start...last {
      guard budget.take(length) else { return false }
      var index = 0
      while index < length {
        let place = index ^ swap
        let bits = unsafe mask == 0 ? 0xff : file[mask &+ place]
        if unsafe (content[offset &+ index] ^ file[value &+ place]) & bits != 0 { break }
        index &+= 1
      }
      if index == length { return true }
    }
    return false
  }

  /// What turns the position of a byte around within its word: 0, 1 or 3.
  private static func swap(wordSize: Int, length: Int) -> Int {
    guard wordSize == 2 || wordSize == 4, length.isMultiple(of: wordSize), 1.littleEndian == 1
    else { return 0 }
    return wordSize - 1
  }

  private mutating func isFound(_ value: Int, _ length: Int, _ range: ClosedRange<Int>) -> Bool {
    let first = unsafe file[value]
    for offset in range where unsafe content[offset] == first {
      var index = 1
      while index < length, unsafe content[offset &+ index] == file[value &+ index] {
        index &+= 1
      }
      if index == length { return true }
      guard budget.take(index) else { return false }
    }
    _ = budget.take(range.count / 16)
    return false
  }
}
