internal import TextEncoding

/// Text on one line, as it is being written.
///
/// What joins two lines depends on what stands on either side, so it is owed until the next text
/// comes.
struct FlatTextOutput {
  private enum Joint: Int {
    case none, blank, lineEnd
  }

  private let text: AttributedText
  private let options: PlainTextWriter
  private var inline: PlainTextInline
  private var scratch: [UInt8] = []
  private var bytes: [UInt8] = []
  private var joint = Joint.none

  /// What the paragraph before stands in, and the numbers of the lists' next items.
  private var openContainers: [BlockTree.Number] = []
  private var path: [BlockTree.Number] = []
  private var nextNumbers: [BlockTree.Number: Int] = [:]

  init(_ text: AttributedText, options: PlainTextWriter) {
    self.text = text
    self.options = options
    inline = PlainTextInline(text, showsLinks: false, softBreak: .lineFeed)
    bytes.reserveCapacity(text.length)
  }

  mutating func write() -> [UInt8] {
    for index in text.blocks.indices {
      owe(options.keepsParagraphEnds ? .lineEnd : .blank)
      scratch.removeAll(keepingCapacity: true)
      if options.keepsMarkers { appendMarkers(of: text.blocks[index].container) }
      switch text.blocks[index].kind {
      case .body, .heading:
        inline.append(index, to: &scratch)
        appendJoined(scratch[...])
      case .code:
        let code = text.utf8[text.blockRange(index)].dropLast()
        if code.contains(.lineFeed) {
          owe(.lineEnd)
          appendAsItIs(code)
          owe(.lineEnd)
        } else {
          appendAsItIs(code)
        }
      case .markup:
        scratch = HTMLPlainText.text(of: Array(text.utf8[text.blockRange(index)]))
        appendJoined(scratch[...])
      case .thematicBreak, .vacant: break
      }
    }
    while let last = bytes.last, last.isHTMLSpace { bytes.removeLast() }
    return bytes
  }

  private mutating func owe(_ other: Joint) {
    if other.rawValue > joint.rawValue { joint = other }
  }

  /// Appends text whose line feeds are joints.
  private mutating func appendJoined(_ lines: ArraySlice<UInt8>) {
    var start = lines.startIndex
    while let end = lines[start...].firstIndex(of: .lineFeed) {
      append(lines[start..<end])
      owe(.blank)
      start = end + 1
    }
    append(lines[start...])
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    let line = joint == .none ? line : line.drop { $0 == 0x20 || $0 == 0x09 }
    appendAsItIs(line)
  }

  private mutating func appendAsItIs(_ line: ArraySlice<UInt8>) {
    guard !line.isEmpty else { return }
    if !bytes.isEmpty {
      switch joint {
      case .none: break
      case .lineEnd: bytes.append(.lineFeed)
      case .blank: join(before: line)
      }
    }
    joint = .none
    bytes.append(contentsOf: line)
  }

  private mutating func join(before line: ArraySlice<UInt8>) {
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    if bytes.suffix(2).elementsEqual("\u{AD}".utf8) {
      bytes.removeLast(2)
      return
    }
    if EastAsianText.ends(bytes), EastAsianText.begins(line) { return }
    if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
  }

  // MARK: Markers

  /// Writes the markers of the items that a paragraph begins.
  private mutating func appendMarkers(of container: BlockTree.Number) {
    guard container != openContainers.last ?? BlockTree.none else { return }
    text.tree.path(to: container, into: &path)
    let shared = zip(path, openContainers).prefix { $0 == $1 }.count
    for number in path[shared...] {
      guard case .item(let isDone) = text.tree[number].kind else { continue }
      let parent = text.tree[number].parent
      var marker = "• "
      if parent != BlockTree.none, case .list(let list) = text.tree[parent].kind,
        list.numbering != .bullet
      {
        let next = nextNumbers[parent] ?? list.start
        nextNumbers[parent] = next &+ 1
        marker = list.numbering.label(next) + ". "
      }
      if let isDone { marker += isDone ? "[x] " : "[ ] " }
      // The text follows behind the marker's blank.
      appendAsItIs(Array(marker.utf8)[...])
    }
    swap(&openContainers, &path)
  }
}

/// Text that has no blanks between words: Chinese and Japanese, but not Korean.
enum EastAsianText {
  static func begins(_ text: ArraySlice<UInt8>) -> Bool {
    text.first.map { $0 >= 0xE2 } == true && scalar(text.prefix(4)).map(isIdeographic) == true
  }

  static func ends(_ text: [UInt8]) -> Bool {
    guard let last = text.last, last >= 0x80 else { return false }
    var start = text.count - 1
    while start > 0, text.count - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(text[start...]).map(isIdeographic) == true
  }

  private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.first
  }

  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x2FDF, 0x3000...0x312F, 0x31A0...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFF61...0xFF9F, 0x1B000...0x1B16F, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
