import RichText

/// The beginning of a document as lines for a terminal: headings and strong words bold, lists with
/// their markers, code in its colour, tables in columns of text.
///
/// Whatever stands in it, nothing reaches the terminal but visible symbols and our own colours.
struct DocumentPreview {
  private let style: TerminalStyle
  private let width: Int
  private let maximumLines: Int
  private var lines: [StyledLine] = []
  /// The containers that the last line stood in, by identity.
  private var open: [Int] = []
  /// For each list that is open, the number of its next item.
  private var numbers: [Int: Int] = [:]
  private var table: Int?
  private var rows: [Row] = []

  /// - Parameters:
  ///   - width: The columns of a line.
  ///   - maximumLines: The lines that are shown; where there are more, one with an ellipsis follows.
  static func lines(
    of text: AttributedText, style: TerminalStyle, width: Int, maximumLines: Int
  ) -> [String] {
    var preview = DocumentPreview(style: style, width: width, maximumLines: maximumLines)
    for (paragraph, range) in text.paragraphs {
      if preview.lines.count + preview.rows.count > maximumLines { break }
      preview.add(paragraph, range, of: text)
    }
    preview.endTable()
    let shown = preview.lines.prefix(maximumLines).map { $0.text(style, width: width) }
    return shown + (preview.lines.count > maximumLines ? ["…"] : [])
  }

  private init(style: TerminalStyle, width: Int, maximumLines: Int) {
    self.style = style
    self.width = width
    self.maximumLines = maximumLines
  }

  // MARK: Paragraphs

  private mutating func add(
    _ paragraph: Paragraph, _ range: Range<Int>, of text: AttributedText
  ) {
    let content = pieces(paragraph, range.dropLast(), of: text)
    if let cell = paragraph.containers.last(where: \.kind.isCell) {
      return add(cell: content, of: cell.identity, paragraph)
    }
    endTable()
    let (first, rest) = margins(paragraph)
    let isWrapped: Bool
    switch paragraph.kind {
    case .code, .markup: isWrapped = false
    default: isWrapped = true
    }
    for (index, line) in content.split().enumerated() {
      let begin = index == 0 ? first : rest
      guard isWrapped else {
        lines.append(StyledLine([StyledPiece(begin, [.faint])] + line))
        continue
      }
      let room = max(8, width - displayWidth(begin))
      for (number, part) in line.wrapped(toWidth: room).enumerated() {
        let margin = number == 0 ? begin : rest
        lines.append(StyledLine([StyledPiece(margin, [.faint])] + part))
        if lines.count > maximumLines { return }
      }
    }
  }

  // MARK: Tables

  /// The rows of the table under way, whose columns are as wide as what is in them.
  private struct Row {
    let margin: String
    var cells: [[StyledPiece]] = []
  }

  /// A cell stands in the line of its row.
  private mutating func add(
    cell content: [StyledPiece], of identity: Int, _ paragraph: Paragraph
  ) {
    let newTable = paragraph.containers.last { $0.kind.isTable }?.identity
    if newTable != table { endTable() }
    table = newTable
    let row = paragraph.containers.last { $0.kind.isRow }
    let isHeader = row.map { $0.kind == .row(isHeader: true) } ?? false
    let content = content.map { piece in
      StyledPiece(
        String(piece.text.map { $0.isNewline ? " " : $0 }),
        isHeader ? piece.looks + [.strong] : piece.looks)
    }
    let isSameRow = row.map { open.contains($0.identity) } ?? false
    let isSameCell = open.contains(identity)
    if !isSameRow || rows.isEmpty { rows.append(Row(margin: margins(paragraph).first)) }
    open = paragraph.containers.map(\.identity)
    if isSameCell, let last = rows[rows.count - 1].cells.popLast() {
      rows[rows.count - 1].cells.append(last + [StyledPiece(" ", [])] + content)
    } else {
      rows[rows.count - 1].cells.append(content)
    }
  }

  private mutating func endTable() {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.cells.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.columns)
      }
    }
    for row in rows {
      var line = [StyledPiece(row.margin, [.faint])]
      for (column, cell) in row.cells.enumerated() {
        if column > 0 { line.append(StyledPiece(" │ ", [.faint])) }
        line += cell
        guard column < row.cells.count - 1 else { break }
        let gap = widths[column] - cell.columns
        line.append(StyledPiece(String(repeating: " ", count: gap), []))
      }
      lines.append(StyledLine(line))
    }
    rows = []
    table = nil
  }

  // MARK: Margins

  /// What stands before the first line of a paragraph and before its others: bars of quotes, markers
  /// of items.
  private mutating func margins(_ paragraph: Paragraph) -> (first: String, rest: String) {
    var first = ""
    var rest = ""
    var list: (identity: Int, list: TextList)?
    for container in paragraph.containers {
      let isNew = !open.contains(container.identity)
      switch container.kind {
      case .quote:
        first += "▏ "
        rest += "▏ "
      case .list(let kind):
        list = (container.identity, kind)
        if isNew { numbers[container.identity] = kind.start }
      case .item(let isDone):
        let marker = isNew ? marker(list, isDone) : ""
        let columns = isNew ? displayWidth(marker) : list.map { markerWidth($0.list, isDone) } ?? 2
        first += isNew ? marker : String(repeating: " ", count: columns)
        rest += String(repeating: " ", count: columns)
      case .table, .row, .cell: break
      }
    }
    open = paragraph.containers.map(\.identity)
    if case .code = paragraph.kind { return (first + "  ", rest + "  ") }
    return (first, rest)
  }

  private mutating func marker(
    _ list: (identity: Int, list: TextList)?, _ isDone: Bool?
  ) -> String {
    var marker = "• "
    if let list, list.list.numbering != .bullet {
      let number = numbers[list.identity, default: list.list.start]
      numbers[list.identity] = number &+ 1
      marker = "\(number). "
    }
    guard let isDone else { return marker }
    return (marker == "• " ? "" : marker) + (isDone ? "☑ " : "☐ ")
  }

  private func markerWidth(_ list: TextList, _ isDone: Bool?) -> Int {
    list.numbering == .bullet ? 2 : 3
  }

  // MARK: Runs

  private func pieces(
    _ paragraph: Paragraph, _ range: Range<Int>, of text: AttributedText
  ) -> [StyledPiece] {
    switch paragraph.kind {
    case .thematicBreak: return [StyledPiece(String(repeating: "─", count: 20), [.faint])]
    case .markup: return [StyledPiece(text.string(in: range), [.faint])]
    case .code: return [StyledPiece(text.string(in: range), [.code])]
    case .vacant: return [StyledPiece("", [])]
    case .heading(let level):
      // Without emphasis the marks tell what it is.
      let mark = style.isColoured ? "" : String(repeating: "#", count: level) + " "
      return [StyledPiece(mark, [])]
        + text.runs(in: range).map { piece($0, of: text, [.strong]) }
    case .body: return text.runs(in: range).map { piece($0, of: text, []) }
    }
  }

  private func piece(
    _ run: AttributedText.Run, of text: AttributedText, _ looks: [TerminalStyle.Look]
  ) -> StyledPiece {
    let attributes = run.attributes
    var looks = looks
    if attributes.isStrong, !looks.contains(.strong) { looks.append(.strong) }
    if attributes.isEmphasized { looks.append(.emphasized) }
    if attributes.isStruckThrough { looks.append(.struck) }
    if attributes.isCode { looks.append(.code) }
    if attributes.link != nil { looks.append(.link) }
    if attributes.isMarkup { looks = [.faint] }
    if let image = attributes.image {
      return StyledPiece("[\(image.alternative)]", looks + [.image])
    }
    return StyledPiece(text.string(in: run.range), looks)
  }
}

extension Container.Kind {
  fileprivate var isTable: Bool { if case .table = self { true } else { false } }
  fileprivate var isCell: Bool { if case .cell = self { true } else { false } }
  fileprivate var isRow: Bool { if case .row = self { true } else { false } }
}
