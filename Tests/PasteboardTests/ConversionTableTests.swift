import Pasteboard
import Testing
import TypeRegistry

@Suite("Conversion table")
struct ConversionTableTests {
  private func result(of conversion: Conversion?) throws -> String? {
    try conversion.map { String(decoding: try $0.convert(Payload("x")).bytes, as: UTF8.self) }
  }

  @Test("A later conversion for the same pair replaces the earlier where it stands")
  func laterReplacesEarlier() {
    var table = ConversionTable([
      tracing(.markdown, .html, cost: 9), tracing(.markdown, .rtf, cost: 2),
    ])
    table.add(tracing(.markdown, .html, cost: 1))
    #expect(table.conversions.map(\.to) == [.html, .rtf])
    #expect(table.conversions.map(\.cost) == [1, 2])
  }

  @Test("All ways from a type are listed in the order of the table")
  func waysFromAType() {
    let table = ConversionTable.standard
    #expect(table.conversions(from: .rtf).map(\.to) == [.utf8PlainText, .html, .markdown])
    #expect(table.conversions(from: .png).isEmpty)
  }

  @Test("A conversion serves what conforms to its source")
  func conversionsServeSubtypes() {
    let table = ConversionTable.standard
    #expect(table.conversion(from: .swiftSource, to: .html)?.from == .plainText)
    #expect(table.conversion(from: .csv, to: .html)?.cost == 5)
    #expect(table.conversion(from: .json, to: .html) == nil)
  }

  @Test("The nearest source wins, wherever it stands in the table and whatever it costs")
  func nearestSourceWins() {
    let general = tracing(.plainText, .html, cost: 1)
    let special = tracing(.sourceCode, .html, cost: 3)
    for conversions in [[general, special], [special, general]] {
      let table = ConversionTable(conversions)
      #expect(table.conversion(from: .swiftSource, to: .html)?.from == .sourceCode)
      #expect(table.conversions(from: .swiftSource).map(\.cost) == [3])
      #expect(table.conversion(from: .utf8PlainText, to: .html)?.from == .plainText)
    }
  }

  @Test("Of sources that are not related the cheaper wins, then the first")
  func unrelatedSources() {
    // Comma-separated values are plain text and delimited values.
    let delimited = TypeIdentifier.named("public.delimited-values-text")
    let table = ConversionTable([
      tracing(.plainText, .html, cost: 5), tracing(delimited, .html, cost: 2),
    ])
    #expect(table.conversion(from: .csv, to: .html)?.from == delimited)
    let equal = ConversionTable([
      tracing(.plainText, .html, cost: 5), tracing(delimited, .html, cost: 5),
    ])
    #expect(equal.conversion(from: .csv, to: .html)?.from == .plainText)
  }

  @Test(
    "Nothing that reads plain text is let loose on another encoding",
    arguments: [
      TypeIdentifier.utf16PlainText, .named("public.utf16-external-plain-text"),
      .named("com.apple.traditional-mac-plain-text"),
    ])
  func encodedTextNeedsItsOwnEntry(type: TypeIdentifier) throws {
    var table = ConversionTable([tracing(.plainText, .html, cost: 5)])
    #expect(table.conversion(from: type, to: .html) == nil)
    #expect(Negotiator(table: table).choose(.ordered([.html]), from: natives(type)) == nil)
    table.add(tracing(type, .html, cost: 5))
    #expect(table.conversion(from: type, to: .html)?.from == type)
  }

  @Test("Nothing leads from a type to itself by way of a supertype")
  func noWayToItself() {
    let table = ConversionTable.standard
    #expect(table.conversion(from: .utf8PlainText, to: .utf8PlainText) == nil)
    #expect(table.conversions(from: .utf8PlainText).map(\.to) == [.html, .utf16PlainText])
  }

  @Test("The conversion found is the one that converts")
  func conversionConverts() throws {
    let table = ConversionTable.standard
    #expect(try result(of: table.conversion(from: .markdown, to: .rtf)) == "rtf(x)")
  }
}
