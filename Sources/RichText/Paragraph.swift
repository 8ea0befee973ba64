/// What a paragraph is, and what it stands in.
public struct Paragraph: Hashable, Sendable {
  /// What the paragraph itself is.
  public enum Kind: Hashable, Sendable {
    /// Running text.
    case body
    /// A heading; levels from 1 to 6.
    case heading(level: Int)
    /// A block of code. Its text is the code without a closing line end; `info` is what stands
    /// behind the opening fence (its first word is the language), empty for none.
    case code(info: String)
    /// A line across, without text.
    case thematicBreak
    /// A block of HTML within Markdown, byte for byte, without a closing line end.
    case markup
    /// The place of a container that has nothing in it, such as an empty item. Without text.
    case vacant
  }

  /// How lines of the paragraph are aligned.
  public enum Alignment: Hashable, Sendable {
    case left
    case center
    case right
    case justified
  }

  /// What the paragraph itself is.
  public var kind: Kind

  /// What the paragraph stands in, outermost first: quotes, lists and their items, tables and
  /// their rows and cells.
  public var containers: [Container]

  /// How its lines are aligned, where the source says.
  public var alignment: Alignment?

  /// A paragraph in no container, unless told so.
  public init(
    _ kind: Kind = .body, in containers: [Container] = [], alignment: Alignment? = nil
  ) {
    self.kind = kind
    self.containers = containers
    self.alignment = alignment
  }

  /// The level of a heading, from 1 to 6; `nil` for other paragraphs.
  public var headingLevel: Int? {
    if case .heading(let level) = kind { return level }
    return nil
  }

  /// How many quotes the paragraph stands in.
  public var quoteDepth: Int {
    containers.count { $0.kind == .quote }
  }

  /// How many lists the paragraph stands in.
  public var listDepth: Int {
    containers.count { if case .list = $0.kind { true } else { false } }
  }

  /// The language of a block of code: the first word of its info string.
  public var codeLanguage: String? {
    guard case .code(let info) = kind else { return nil }
    let word = info.prefix { $0 != " " && $0 != "\t" }
    return word.isEmpty ? nil : String(word)
  }
}

/// One thing that paragraphs stand in together.
public struct Container: Hashable, Sendable {
  /// What a container is.
  public enum Kind: Hashable, Sendable {
    case quote
    /// Holds items only.
    case list(TextList)
    /// An item of the list around it; `isDone` is the state of a task, `nil` where it is none.
    case item(isDone: Bool?)
    /// Holds rows only.
    case table(TextTable)
    /// Holds cells only.
    case row(isHeader: Bool)
    /// A cell, over so many columns and rows, 1 as a rule.
    case cell(columns: Int, rows: Int)
  }

  /// Tells this container from others of its kind: paragraphs of one item share the item's
  /// identity.
  ///
  /// Unique within one text.
  public let identity: Int

  /// What the container is.
  public let kind: Kind

  package init(identity: Int, kind: Kind) {
    self.identity = identity
    self.kind = kind
  }
}

/// How a list marks its items.
public struct TextList: Hashable, Sendable {
  /// What stands before an item.
  public enum Numbering: Hashable, Sendable {
    case bullet
    case decimal
    case lowerAlpha
    case upperAlpha
    case lowerRoman
    case upperRoman
  }

  /// What stands before an item.
  public var numbering: Numbering

  /// The number of the first item; 1 for bullets.
  public var start: Int

  /// Whether no blank lines stand between the items and what is in them.
  public var isTight: Bool

  /// A list that marks its items so.
  public init(numbering: Numbering = .bullet, start: Int = 1, isTight: Bool = true) {
    self.numbering = numbering
    self.start = start
    self.isTight = isTight
  }
}

/// What a table says of its columns.
public struct TextTable: Hashable, Sendable {
  /// How the cells of each column are aligned, first column first; may be shorter than a row.
  public var alignments: [Paragraph.Alignment?]

  /// A table whose columns are aligned so.
  public init(alignments: [Paragraph.Alignment?] = []) {
    self.alignments = alignments
  }
}
