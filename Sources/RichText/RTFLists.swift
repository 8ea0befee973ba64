/// The lists of a document: its list table, the table of overrides, and the lists of old (`\pn`).
struct RTFLists {
  struct Level: Equatable {
    /// By `\levelnfc`; `nil` for a level without any marker.
    var numbering: TextList.Numbering? = .decimal
    var start = 1
  }

  /// A list as Word 6 and RichEdit write it, before each paragraph or for all up to `\pard`.
  struct OldList: Equatable {
    var level = Level()
    /// Whether the paragraph has no marker (`\pnlvlcont`).
    var isContinued = false
  }

  private struct Override {
    var list: Int32?
    var starts: [Int?] = []
    /// What AbiWord says in the override itself.
    var level: Level?
  }

  private var levels: [Int32: [Level]] = [:]
  private var overrides: [Int32: Override] = [:]
  private(set) var oldLists: [OldList] = []

  private var currentLevels: [Level] = []
  private var currentOverride = Override()

  private static let limit = 8192
  private static let deepestLevel = 9

  // MARK: The list table

  mutating func beginList() {
    currentLevels = []
  }

  mutating func beginLevel() {
    if currentLevels.count < RTFLists.deepestLevel { currentLevels.append(Level()) }
  }

  mutating func setNumbering(_ number: Int) {
    guard !currentLevels.isEmpty else { return }
    currentLevels[currentLevels.count - 1].numbering = RTFLists.numbering(ofFormat: number)
  }

  mutating func setStart(_ number: Int) {
    guard !currentLevels.isEmpty else { return }
    currentLevels[currentLevels.count - 1].start = number
  }

  mutating func endList(_ identity: Int32) {
    if levels.count < RTFLists.limit { levels[identity] = currentLevels }
  }

  // MARK: The overrides

  mutating func beginOverride() {
    currentOverride = Override()
  }

  mutating func setOverriddenList(_ identity: Int32) {
    currentOverride.list = identity
  }

  mutating func beginOverrideLevel() {
    if currentOverride.starts.count < RTFLists.deepestLevel { currentOverride.starts.append(nil) }
  }

  mutating func setOverriddenNumbering(_ number: Int) {
    guard currentOverride.starts.isEmpty else { return }
    currentOverride.level = Level(numbering: RTFLists.numbering(ofFormat: number))
  }

  mutating func setOverriddenStart(_ number: Int) {
    if currentOverride.starts.isEmpty {
      currentOverride.level?.start = number
    } else {
      currentOverride.starts[currentOverride.starts.count - 1] = number
    }
  }

  mutating func endOverride(_ number: Int32) {
    if overrides.count < RTFLists.limit { overrides[number] = currentOverride }
  }

  // MARK: Lists of old

  /// Adds a list and gives its number, which starts at 1.
  mutating func add(_ list: OldList) -> Int32 {
    if let last = oldLists.last, last == list { return Int32(clamping: oldLists.count) }
    oldLists.append(list)
    return Int32(clamping: oldLists.count)
  }

  func oldList(_ number: Int32) -> OldList? {
    let index = Int(number) - 1
    return oldLists.indices.contains(index) ? oldLists[index] : nil
  }

  // MARK: Questions

  /// What the tables say of a level of the list that `\ls` names; `nil` if they know nothing of it.
  func level(_ level: Int32, ofList list: Int32) -> Level? {
    guard let override = overrides[list] else { return nil }
    let index = Int(min(max(level, 0), Int32(RTFLists.deepestLevel - 1)))
    let levels = override.list.flatMap { self.levels[$0] } ?? []
    var found = override.level ?? (levels.indices.contains(index) ? levels[index] : levels.last)
    if override.starts.indices.contains(index), let start = override.starts[index] {
      found?.start = start
    }
    return found
  }

  private static func numbering(ofFormat number: Int) -> TextList.Numbering? {
    switch number {
    case 1: .upperRoman
    case 2: .lowerRoman
    case 3: .upperAlpha
    case 4: .lowerAlpha
    case 23: .bullet
    case 255: nil
    default: .decimal
    }
  }
}
