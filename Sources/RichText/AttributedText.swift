/// Text with attributes: UTF-8, paragraphs and runs.
///
/// Three things lie over one string of bytes:
///
/// - **Paragraphs** cover it without gaps. Each ends with its *mark*, a line feed, and the mark
///   carries what the paragraph is (``Paragraph``), as in a word processor: where a mark is
///   deleted, its text joins the next paragraph. A line feed that is no mark is a line break within
///   its paragraph (in code: the end of a line).
/// - **Runs** cover it as well; neighbours have different attributes (``TextAttributes``).
/// - **Containers** (quotes, lists, tables) hold paragraphs; each paragraph names those around it.
///
/// For example, `> # A *b*` and a line `c` below it:
///
///     text         A   b ¶ c ¶
///     paragraphs   heading 1 in quote 0 | body
///     runs         plain | [emphasis] | plain
///
/// Positions are offsets in UTF-8, always at the boundary of a scalar. Two texts are equal if they
/// say the same, whatever the identities of their containers.
public struct AttributedText: Sendable {
  /// A paragraph as it is kept: where it ends, behind its mark.
  struct Block: Sendable {
    var end: Int
    var kind: Paragraph.Kind
    var alignment: Paragraph.Alignment?
    /// The innermost container.
    var container: BlockTree.Number
  }

  /// The text, with the marks of its paragraphs.
  ///
  /// Valid UTF-8.
  package internal(set) var utf8: [UInt8] = []
  var runList = RunList()
  var attributeTable = AttributeTable()
  var blocks: [Block] = []
  var tree = BlockTree()

  /// Whether the text is a part of a paragraph, no whole ones: where it is pasted, no paragraph
  /// begins or ends.
  ///
  /// Its last mark is there all the same, and says nothing.
  public var isFragment = false

  /// What a transaction has changed so far; `nil` outside of one.
  var pendingChange: PendingChange?

  /// No text.
  public init() {}

  /// One fragment of running text; line feeds in it are line breaks.
  public init(_ string: String, attributes: TextAttributes = .plain) {
    self.init()
    guard !string.isEmpty else { return }
    utf8 = Array(string.utf8) + [.lineFeed]
    runList.append(length: utf8.count - 1, attributeTable.number(of: attributes))
    runList.append(length: 1, 0)
    blocks = [Block(end: utf8.count, kind: .body, alignment: nil, container: BlockTree.none)]
    isFragment = true
  }

  /// The number of bytes, marks included.
  ///
  /// Positions lie from 0 to here.
  public var length: Int { utf8.count }

  /// Whether there is nothing, not even an empty paragraph.
  public var isEmpty: Bool { utf8.isEmpty }

  /// The text as a string, with a line feed for each mark.
  ///
  /// Takes time by the length.
  public var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The text of a range, as a string.
  public func string(in range: Range<Int>) -> String {
    String(decoding: utf8[range], as: UTF8.self)
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
}

extension AttributedText: Equatable {
  /// Whether two texts say the same; the identities of containers do not count.
  public static func == (left: AttributedText, right: AttributedText) -> Bool {
    guard
      left.utf8 == right.utf8, left.isFragment == right.isFragment,
      left.runList.ends == right.runList.ends, left.blocks.count == right.blocks.count
    else { return false }
    for (a, b) in zip(left.runList.numbers, right.runList.numbers)
    where left.attributeTable[a] != right.attributeTable[b] {
      return false
    }
    // Containers correspond one to one: what number stands for what, both ways.
    var there = [BlockTree.Number](repeating: BlockTree.none, count: left.tree.nodes.count)
    var back = [BlockTree.Number](repeating: BlockTree.none, count: right.tree.nodes.count)
    for (a, b) in zip(left.blocks, right.blocks) {
      guard a.end == b.end, a.kind == b.kind, a.alignment == b.alignment else { return false }
      var (x, y) = (a.container, b.container)
      while x != BlockTree.none, y != BlockTree.none {
        if there[Int(x)] == y, back[Int(y)] == x { break }
        guard
          there[Int(x)] == BlockTree.none, back[Int(y)] == BlockTree.none,
          left.tree[x].kind == right.tree[y].kind
        else { return false }
        there[Int(x)] = y
        back[Int(y)] = x
        (x, y) = (left.tree[x].parent, right.tree[y].parent)
      }
      guard (x == BlockTree.none) == (y == BlockTree.none) else { return false }
    }
    return true
  }
}
