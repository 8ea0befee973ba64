/// Which type conforms to which, transitively, as sets of bits.
struct ConformanceTable {
  /// The bit of each type that is a parent of another one, `noColumn` for all others.
  private(set) var columns: [UInt32]
  private(set) var wordsPerType = 0
  private(set) var bits: [UInt64] = []

  static let noColumn = UInt32.max

  /// The table of no types.
  init() {
    columns = []
  }

  /// Follows the parents of all types; throws when some type leads back to itself.
  ///
  /// `parents` has the positions of the parents, by the spans in the types.
  init(
    types: [DeclarationStorage.TypeEntry], parents: [UInt32]
  ) throws(ConformanceCycle) {
    let typeCount = types.count
    columns = Array(repeating: Self.noColumn, count: typeCount)
    var columnCount: UInt32 = 0
    for parent in parents where columns[Int(parent)] == Self.noColumn {
      columns[Int(parent)] = columnCount
      columnCount += 1
    }
    wordsPerType = (Int(columnCount) + 63) / 64
    bits = Array(repeating: 0, count: typeCount * wordsPerType)

    // A walk with a stack of its own: declarations come from outside and may nest as they like.
    // Parents mostly stand before their children, so the stack is rarely used.
    enum State: UInt8 { case unseen, entered, finished }
    var states = Array(repeating: State.unseen, count: typeCount)
    var stack: [Int] = []
    for root in 0..<typeCount where states[root] == .unseen {
      stack.append(root)
      while let type = stack.last {
        switch states[type] {
        case .finished:
          stack.removeLast()
        case .unseen:
          states[type] = .entered
          var isReady = true
          for index in types[type].parents.indices {
            let parent = Int(parents[index])
            switch states[parent] {
            case .finished:
              break
            case .unseen:
              stack.append(parent)
              isReady = false
            case .entered:
              throw ConformanceCycle(type: type, parent: parent)
            }
          }
          if isReady { fallthrough }
        case .entered:
          for index in types[type].parents.indices {
            inherit(type, from: Int(parents[index]))
          }
          states[type] = .finished
          stack.removeLast()
        }
      }
    }
  }

  private mutating func inherit(_ type: Int, from parent: Int) {
    let column = Int(columns[parent])
    bits[type * wordsPerType + column / 64] |= 1 << UInt64(column % 64)
    for word in 0..<wordsPerType {
      bits[type * wordsPerType + word] |= bits[parent * wordsPerType + word]
    }
  }
}

/// The finished table, in memory that whoever has it does not own: asking counts no references, so that
/// any number of threads may ask at once without getting in each other's way.
struct ConformanceRows: Sendable {
  let columns: RowTable<UInt32>
  let wordsPerType: Int
  let bits: RowTable<UInt64>

  func conforms(_ index: Int, to other: Int) -> Bool {
    if index == other { return true }
    let column = columns[other]
    guard column != ConformanceTable.noColumn else { return false }
    return bits[index &* wordsPerType &+ Int(column / 64)] >> UInt64(column % 64) & 1 != 0
  }
}

/// A type that has itself among its supertypes, and the parent by which it has.
struct ConformanceCycle: Error {
  var type: Int
  var parent: Int
}
