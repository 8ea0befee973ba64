/// The fonts of a document, as far as they say what its bytes mean and how wide characters are.
struct RTFFonts {
  private struct Font {
    var charset: Int?
    var codePage: Int?
    var isModern = false
    var isFixedPitch = false
    var name = ""
  }

  private var fonts: [Int: Font] = [:]
  /// The font that is being defined.
  private var current: Int?
  private var pages: [Int: RTFCodePage] = [:]
  private var symbolPages: [RTFSymbolSet: RTFCodePage] = [:]
  /// What unknown numbers mean as well, and bytes of 0x80 to 0x9F as scalar values.
  let windowsLatin1 = RTFCodePage(RTFCodePage.windowsLatin1)

  /// Set by `\ansi`, `\mac`, `\pc` and `\pca`.
  var characterSet = RTFCodePage.windowsLatin1
  /// Set by `\ansicpg`, which tells more.
  var ansiCodePage: Int?
  /// Set by `\deff`.
  var defaultFont: Int?

  private static let limit = 4096
  /// As many letters as tell the fonts of symbols apart.
  private static let longestName = 24

  private var documentCodePage: Int { ansiCodePage ?? characterSet }

  // MARK: The font table

  mutating func define(_ number: Int) {
    guard fonts[number] != nil || fonts.count < RTFFonts.limit else { return current = nil }
    fonts[number] = Font()
    current = number
  }

  mutating func setCharset(_ charset: Int) {
    guard let current else { return }
    fonts[current]?.charset = charset
  }

  mutating func setCodePage(_ codePage: Int) {
    guard let current, codePage > 0 else { return }
    fonts[current]?.codePage = codePage
  }

  mutating func setModern() {
    guard let current else { return }
    fonts[current]?.isModern = true
  }

  mutating func setPitch(_ pitch: Int) {
    guard let current else { return }
    fonts[current]?.isFixedPitch = pitch == 1
  }

  /// Appends to the current font's name.
  mutating func appendName(_ text: ArraySlice<UInt8>) {
    guard let current, let name = fonts[current]?.name else { return }
    let end = text.firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
    let part = text[..<end].prefix(max(0, RTFFonts.longestName - name.utf8.count))
    fonts[current]?.name += String(decoding: part, as: UTF8.self)
    if end < text.endIndex { self.current = nil }
  }

  // MARK: Code pages

  /// The code page of text in a font; nil means the default font.
  mutating func codePage(ofFont number: Int?) -> RTFCodePage {
    let font = (number ?? defaultFont).flatMap { fonts[$0] }
    let codePage = self.codePage(of: font)
    if codePage == RTFCodePage.symbols {
      let set = RTFSymbolSet(fontName: font?.name ?? "")
      if let page = symbolPages[set] { return page }
      let page = RTFCodePage(symbols: set)
      symbolPages[set] = page
      return page
    }
    if codePage == RTFCodePage.windowsLatin1 || !RTFCodePage.isKnown(codePage) {
      return windowsLatin1
    }
    if let page = pages[codePage] { return page }
    let page = RTFCodePage(codePage)
    pages[codePage] = page
    return page
  }

  private func codePage(of font: Font?) -> Int {
    guard let font else { return documentCodePage }
    if let codePage = font.codePage { return codePage }
    guard let charset = font.charset, let codePage = RTFCodePage.number(ofCharset: charset) else {
      return documentCodePage
    }
    // Programs that write UTF-8 say so for the document, and leave 0 with the fonts.
    if charset == 0, documentCodePage == RTFCodePage.utf8 { return documentCodePage }
    return codePage
  }

  // MARK: Looks

  /// Whether all characters of a font have one width; nil means the default font.
  func isMonospaced(_ number: Int32?) -> Bool {
    guard let font = (number.map(Int.init) ?? defaultFont).flatMap({ fonts[$0] }) else {
      return false
    }
    if RTFFonts.isMonospaced(fontName: font.name) { return true }
    // The standard fonts of Chinese, Japanese and Korean text are of this kind as well.
    let isEastAsian = [128, 129, 130, 134, 136].contains(font.charset ?? 0)
    return font.isModern && font.isFixedPitch && !isEastAsian
  }

  static func isMonospaced(fontName: String) -> Bool {
    let name = fontName.lowercased()
    let families = [
      "courier", "consolas", "menlo", "monaco", "monospace", "lucida console", "lucida sans typew",
      "source code", "fira code", "firacode", "inconsolata", "cascadia", "fixedsys", "terminal",
      "andale mono", "anonymous", "sf mono", "sfmono", "iosevka", "letter gothic",
      "prestige", "ocr a", "operator mono", "jetbrains", "victor mono", "input mono",
    ]
    if families.contains(where: { name.hasPrefix($0) }) { return true }
    // A word of its own behind others, or the end of what stands before a hyphen.
    return name.split(separator: " ", omittingEmptySubsequences: false).dropFirst().contains("mono")
      || name.split(separator: "-", omittingEmptySubsequences: false).dropLast()
        .contains { $0.hasSuffix("mono") }
      || name.hasPrefix("nimbus mono") || name.hasPrefix("freemono") || name.hasPrefix("tlwg mono")
  }
}
