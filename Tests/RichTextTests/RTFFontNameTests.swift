import Testing

@testable import RichText

@Suite("Fonts of one width, by their names in RTF")
struct RTFFontNameTests {
  @Test(
    "These are",
    arguments: [
      "Courier New", "DejaVu Sans Mono", "Noto Sans Mono CJK JP", "Ubuntu Mono", "Roboto-Mono-Bold",
      "LiberationMono-Regular", "mono-", "Nimbus Mono PS", "FreeMono", "JetBrains Mono NL",
    ])
  func monospaced(name: String) {
    #expect(RTFFonts.isMonospaced(fontName: name))
  }

  @Test(
    "These are not",
    arguments: [
      "", "Monotype Corsiva", "Monoton", "Arial", "Kimono Sans", "Mono", "Mono Lisa",
      "Sans Monochrome",
    ])
  func proportional(name: String) {
    #expect(!RTFFonts.isMonospaced(fontName: name))
  }
}
