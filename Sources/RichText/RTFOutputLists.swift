/// The lists that RTF under way has asked for.
///
/// A list of RTF has up to nine levels, each with its marker; those beyond the deepest one that is used
/// are left out, as Cocoa does. A list within an item is the next level of
/// the list around it, where that level is free or says the same; else it is a list of its own, of
/// which only that level is used. Numbers of a level begin anew after each item of the level above,
/// so two numbered lists in one item are two lists as well.
struct RTFOutputLists {
  struct Place: Equatable {
    /// From 1 on, as `\ls` counts.
    let list: Int
    /// From 0 on, as `\ilvl` counts.
    let level: Int
  }

  private struct List {
    var levels: [TextList?] = Array(repeating: nil, count: RTFOutputLists.levelCount)
    /// The item that the last list of each level stands in.
    var items: [BlockTree.Number] = Array(
      repeating: BlockTree.none, count: RTFOutputLists.levelCount)
  }

  private static let levelCount = 9
  private var lists: [List] = []

  /// Finds a place for a list that stands in an item of the list at `outer`.
  mutating func add(_ list: TextList, in outer: Place?, item: BlockTree.Number) -> Place {
    let level = min(outer.map { $0.level + 1 } ?? 0, Self.levelCount - 1)
    if let outer, level > outer.level {
      let known = lists[outer.list - 1].levels[level]
      let looksTheSame =
        known.map { $0.numbering == list.numbering && $0.start == list.start } ?? true
      let beginsAnew =
        list.numbering == .bullet || lists[outer.list - 1].items[level] != item
      if looksTheSame, beginsAnew {
        lists[outer.list - 1].levels[level] = list
        lists[outer.list - 1].items[level] = item
        return Place(list: outer.list, level: level)
      }
    }
    lists.append(List())
    lists[lists.count - 1].levels[level] = list
    lists[lists.count - 1].items[level] = item
    return Place(list: lists.count, level: level)
  }

  /// The bullet of a level, in UTF-8.
  static func bullet(ofLevel level: Int) -> String {
    switch level % 3 {
    case 0: "\u{2022}"
    case 1: "\u{25E6}"
    default: "\u{25AA}"
    }
  }

  func append(to bytes: inout [UInt8]) {
    guard !lists.isEmpty else { return }
    bytes.append("{\\*\\listtable\n" as StaticString)
    for (index, list) in lists.enumerated() {
      bytes.append("{\\list\\listtemplateid", index + 1)
      bytes.append("\\listhybrid\n" as StaticString)
      let example = list.levels.lazy.compactMap { $0 }.first ?? TextList()
      let deepest = list.levels.lastIndex { $0 != nil } ?? 0
      for (level, used) in list.levels[...deepest].enumerated() {
        Self.append(used ?? TextList(numbering: example.numbering), level: level, to: &bytes)
      }
      bytes.append("{\\listname ;}\\listid", index + 1)
      bytes.append("}\n" as StaticString)
    }
    bytes.append("}\n{\\*\\listoverridetable" as StaticString)
    for index in lists.indices {
      bytes.append("{\\listoverride\\listid", index + 1)
      bytes.append("\\listoverridecount0\\ls", index + 1)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append("}\n" as StaticString)
  }

  private static func append(_ list: TextList, level: Int, to bytes: inout [UInt8]) {
    let format = list.numbering.rtfNumber
    bytes.append("{\\listlevel\\levelnfc", format)
    bytes.append("\\levelnfcn", format)
    bytes.append("\\leveljc0\\leveljcn0\\levelfollow0\\levelstartat", list.start)
    // The text begins with its length; in it a byte below nine stands for the number of that level.
    if list.numbering == .bullet {
      bytes.append("{\\leveltext\\'01" as StaticString)
      bytes.appendRTF(escaping: Array(bullet(ofLevel: level).utf8)[...])
      bytes.append(";}{\\levelnumbers;}" as StaticString)
    } else {
      bytes.append("{\\leveltext\\'02\\'0", level)
      bytes.append(".;}{\\levelnumbers\\'01;}" as StaticString)
    }
    bytes.append("\\fi-360\\li", RTFOutput.itemIndent * (level + 1))
    bytes.append("}\n" as StaticString)
  }
}

extension TextList.Numbering {
  /// What `\levelnfc` says.
  fileprivate var rtfNumber: Int {
    switch self {
    case .decimal: 0
    case .upperRoman: 1
    case .lowerRoman: 2
    case .upperAlpha: 3
    case .lowerAlpha: 4
    case .bullet: 23
    }
  }
}
