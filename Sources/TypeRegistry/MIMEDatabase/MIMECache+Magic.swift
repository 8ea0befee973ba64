/// A rule for content that content has met.
struct MIMEMagicMatch {
  /// Where the name of the type stands in the cache.
  var type: Int
  var priority: Int
}

extension MIMECache {
  /// Stands for a type's order to forget the rules for content of directories behind this one.
  private static let deleteAll = Array("__NOMAGIC__".utf8)

  /// How deep rules may lie within rules.
  ///
  /// The deepest in the database have six levels.
  private static let depthLimit = 32

  /// The rules that content meets, in the order of the cache.
  func matches(
    ofContent content: UnsafeRawBufferPointer, budget: inout WorkBudget
  ) -> [MIMEMagicMatch] {
    var found: [MIMEMagicMatch] = []
    let rules = self[.magic]
    for index in rules.indices {
      guard budget.take() else { break }
      let rule = rules.offset(index)
      guard let priority = word(at: rule), let type = word(at: rule + 4), !isDeletion(rule),
        let parts = matchlets(count: rule + 8, first: rule + 12),
        unsafe isAnyMet(of: parts, by: content, depth: 0, &budget)
      else { continue }
      found.append(MIMEMagicMatch(type: type, priority: priority))
    }
    return found
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

  // MARK: Parts of a rule

  /// The parts whose count and first offset stand at these places.
  private func matchlets(count: Int, first: Int) -> Entries? {
    guard let count = word(at: count), let first = word(at: first) else { return nil }
    return entries(at: first, count: count, size: 32)
  }

  private func isAnyMet(
    of parts: Entries, by content: UnsafeRawBufferPointer, depth: Int,
    _ budget: inout WorkBudget
  ) -> Bool {
    for index in parts.indices {
      guard budget.take() else { return false }
      let part = parts.offset(index)
      guard unsafe isMet(part, by: content, &budget) else { continue }
      // Parts within a part say what must be there as well, one of them at least.
      guard let inner = matchlets(count: part + 24, first: part + 28) else { continue }
      if inner.count == 0 { return true }
      if depth + 1 < Self.depthLimit,
        unsafe isAnyMet(of: inner, by: content, depth: depth + 1, &budget)
      {
        return true
      }
    }
    return false
  }

  /// Whether the value of a part stands in the content somewhere in the range of the part.
  private func isMet(
    _ part: Int, by content: UnsafeRawBufferPointer, _ budget: inout WorkBudget
  ) -> Bool {
    guard let start = word(at: part), let range = word(at: part + 4),
      let wordSize = word(at: part + 8), let length = word(at: part + 12),
      let valueOffset = word(at: part + 16), let maskOffset = word(at: part + 20),
      length > 0, start + length <= content.count,
      let value = data(at: valueOffset, count: length)
    else { return false }
    var mask: ArraySlice<UInt8>?
    if maskOffset != 0 {
      mask = data(at: maskOffset, count: length)
      guard mask != nil else { return false }
    }
    // Values in the byte order of the machine stand in the file with the highest byte first.
    let swap = Self.swap(wordSize: wordSize, length: length)
    let last = min(start + max(range, 1) - 1, content.count - length)
    if mask == nil, swap == 0 {
      return unsafe isFound(value, in: content, start...last, &budget)
    }
    for offset in start...last {
      guard budget.take() else { return false }
      var isEqual = true
      for index in 0..<length {
        let place = index ^ swap
        let mask = mask.map { $0[$0.startIndex + place] } ?? 0xff
        let difference = unsafe content[offset + index] ^ value[value.startIndex + place]
        if difference & mask != 0 {
          isEqual = false
          break
        }
        guard budget.take() else { return false }
      }
      if isEqual { return true }
    }
    return false
  }

  /// What turns the position of a byte around within its word: 0, 1 or 3.
  private static func swap(wordSize: Int, length: Int) -> Int {
    guard wordSize == 2 || wordSize == 4, length.isMultiple(of: wordSize), 1.littleEndian == 1
    else { return 0 }
    return wordSize - 1
  }

  private func isFound(
    _ value: ArraySlice<UInt8>, in content: UnsafeRawBufferPointer, _ range: ClosedRange<Int>,
    _ budget: inout WorkBudget
  ) -> Bool {
    unsafe value.withUnsafeBytes { value in
      let first = unsafe value[0]
      for offset in range where unsafe content[offset] == first {
        var index = 1
        while index < value.count, unsafe content[offset + index] == value[index] { index += 1 }
        if index == value.count { return true }
        guard budget.take(index) else { return false }
      }
      _ = budget.take(range.count / 16)
      return false
    }
  }
}
