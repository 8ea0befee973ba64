/// Makes an ``AttributedText`` from its beginning to its end: what readers write to.
///
/// Containers are opened and closed, paragraphs begun and ended, text appended with the
/// ``attributes`` of the moment. Whatever a reader does in whatever order, the result is a sound
/// text: text outside of a paragraph begins one, a container that closes without a paragraph gets a
/// vacant one, containers deeper than ``maximumDepth`` are left out and what stands in them stands
/// in the last one that is not.
public struct AttributedTextBuilder {
  /// How deep containers may nest.
  public static let maximumDepth = 256

  /// What is said of text that is appended from now on.
  public var attributes: TextAttributes = .plain {
    didSet { attributeNumber = nil }
  }

  private var text = AttributedText()
  private var attributeNumber: AttributeTable.Number? = 0
  private var openContainers: [OpenContainer] = []
  private var paragraph: (kind: Paragraph.Kind, alignment: Paragraph.Alignment?, start: Int)?

  private struct OpenContainer {
    /// `nil` for one that is left out.
    var number: BlockTree.Number?
    var hasContent = false
  }

  /// A builder of an empty text.
  public init() {}

  /// How many bytes the text has so far.
  public var length: Int { text.utf8.count }

  /// Whether a paragraph was begun and not ended.
  public var isInParagraph: Bool { paragraph != nil }

  /// Whether the paragraph under way has no text so far; true as well where none is under way.
  public var isParagraphEmpty: Bool { paragraph.map { $0.start == length } ?? true }

  /// How many containers are open.
  public var depth: Int { openContainers.count }

  /// Makes room for a text of so many bytes.
  public mutating func reserveCapacity(_ bytes: Int) {
    text.utf8.reserveCapacity(bytes)
  }

  /// Opens a container in the one that is open.
  ///
  /// A paragraph under way ends.
  ///
  /// - Returns: the identity, for ``setKind(_:ofContainer:)``; `nil` for a container too deep.
  @discardableResult
  public mutating func open(_ kind: Container.Kind) -> Int? {
    endParagraph()
    guard openContainers.count < Self.maximumDepth else {
      openContainers.append(OpenContainer(number: nil))
      return nil
    }
    let number = text.tree.add(kind, in: innermost)
    openContainers.append(OpenContainer(number: number))
    return Int(number)
  }

  /// Closes the container that was opened last.
  ///
  /// A paragraph under way ends.
  public mutating func close() {
    endParagraph()
    guard let container = openContainers.last else { return }
    if !container.hasContent, container.number != nil {
      beginParagraph(.vacant)
      endParagraph()
    }
    openContainers.removeLast()
    // What stood in a container that was left out stands in the one around it.
    if !openContainers.isEmpty, container.number != nil || container.hasContent {
      openContainers[openContainers.count - 1].hasContent = true
    }
  }

  /// Says anew what a container is, for what is known only at its end, such as whether a list is
  /// tight.
  public mutating func setKind(_ kind: Container.Kind, ofContainer identity: Int) {
    text.tree.setKind(kind, of: BlockTree.Number(identity))
  }

  /// Begins a paragraph in the container that is open.
  ///
  /// A paragraph under way ends.
  public mutating func beginParagraph(
    _ kind: Paragraph.Kind = .body, alignment: Paragraph.Alignment? = nil
  ) {
    endParagraph()
    paragraph = (kind, alignment, length)
    if !openContainers.isEmpty { openContainers[openContainers.count - 1].hasContent = true }
  }

  /// Says anew what the paragraph under way is; nothing where none is.
  public mutating func setParagraph(_ kind: Paragraph.Kind, alignment: Paragraph.Alignment? = nil) {
    paragraph?.kind = kind
    paragraph?.alignment = alignment
  }

  /// Ends the paragraph under way; nothing where none is.
  public mutating func endParagraph() {
    guard let ended = paragraph else { return }
    text.utf8.append(.lineFeed)
    text.runList.append(length: 1, 0)
    text.blocks.append(
      AttributedText.Block(
        end: length, kind: ended.kind, alignment: ended.alignment, container: innermost))
    paragraph = nil
  }

  /// Appends text; line feeds in it are line breaks.
  public mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { bytes in unsafe append(utf8: bytes) }
  }

  /// Appends UTF-8, which must be valid; line feeds in it are line breaks.
  package mutating func append(utf8 bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    if paragraph == nil { beginParagraph() }
    text.utf8.append(contentsOf: bytes)
    text.runList.append(length: bytes.count, currentAttributes())
  }

  /// The number of attributes, for ``append(utf8:number:)``.
  mutating func number(of attributes: TextAttributes) -> AttributeTable.Number {
    text.attributeTable.number(of: attributes)
  }

  /// Appends UTF-8 with attributes by their number, whatever ``attributes`` are at the moment.
  mutating func append(utf8 bytes: ArraySlice<UInt8>, number: AttributeTable.Number) {
    guard !bytes.isEmpty else { return }
    if paragraph == nil { beginParagraph() }
    text.utf8.append(contentsOf: bytes)
    text.runList.append(length: bytes.count, number)
  }

  /// Appends a line break within the paragraph.
  public mutating func appendLineBreak() {
    append(utf8: CollectionOfOne(.lineFeed))
  }

  /// Appends a blank that was a line end in the source.
  public mutating func appendSoftBreak() {
    let kept = attributes
    attributes.isSoftBreak = true
    append(utf8: CollectionOfOne(UInt8(ascii: " ")))
    attributes = kept
  }

  /// Appends a picture.
  public mutating func append(_ image: TextImage) {
    let kept = attributes
    attributes.image = image
    append(utf8: "\u{FFFC}".utf8)
    attributes = kept
  }

  /// The byte that was appended last to the paragraph under way.
  package var lastByte: UInt8? { isParagraphEmpty ? nil : text.utf8.last }

  /// Ends what is open; the text is done.
  public mutating func finish() -> AttributedText {
    while !openContainers.isEmpty { close() }
    endParagraph()
    defer { self = AttributedTextBuilder() }
    return text
  }

  private var innermost: BlockTree.Number {
    openContainers.last { $0.number != nil }?.number ?? BlockTree.none
  }

  private mutating func currentAttributes() -> AttributeTable.Number {
    if let attributeNumber { return attributeNumber }
    let number = text.attributeTable.number(of: attributes)
    attributeNumber = number
    return number
  }
}
