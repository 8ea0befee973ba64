import Pasteboard
import Testing
import TypeRegistry

@Suite("Conversion costs")
struct ConversionCostTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let from: TypeIdentifier
    let to: TypeIdentifier
    let cost: Int

    init(_ from: TypeIdentifier, _ to: TypeIdentifier, _ cost: Int) {
      self.from = from
      self.to = to
      self.cost = cost
    }

    var testDescription: String { "\(from) to \(to): \(cost)" }
  }

  static let rows = [
    Row(.markdown, .html, 1), Row(.markdown, .utf8PlainText, 1),
    Row(.html, .utf8PlainText, 1), Row(.rtf, .utf8PlainText, 1),
    Row(.markdown, .rtf, 2), Row(.html, .rtf, 2), Row(.rtf, .html, 2),
    Row(.html, .markdown, 3), Row(.rtf, .markdown, 4), Row(.plainText, .html, 5),
    Row(.utf8PlainText, .html, 5),
    Row(.plainText, .utf8PlainText, 0), Row(.utf16PlainText, .utf8PlainText, 0),
    Row(.utf8PlainText, .utf16PlainText, 0),
  ]

  @Test("Every row is what the conversion between the two types costs", arguments: rows)
  func costOfEachConversion(row: Row) {
    let conversion = ConversionTable.standard.conversion(from: row.from, to: row.to)
    #expect(conversion?.cost == row.cost)
  }

  @Test(
    "Every row is what a receiver of that type gets, unless it has that already",
    arguments: rows.filter { !$0.from.conforms(to: $0.to) })
  func conversionIsChosen(row: Row) {
    #expect(
      Negotiator.standard.choose(.ordered([row.to]), from: natives(row.from))
        == .converted(0, to: row.to, cost: row.cost))
    #expect(
      Negotiator.standard.choose(.unordered([row.to]), from: natives(row.from))
        == .converted(0, to: row.to, cost: row.cost))
  }

  @Test("What is there already costs nothing", arguments: rows)
  func identityIsFree(row: Row) {
    for request in [
      TypeRequest.ordered([row.from]), .unordered([row.from]), .exactly(row.from), .any,
    ] {
      #expect(
        Negotiator.standard.choose(request, from: natives(row.from)) == .taken(0, row.from))
    }
  }

  @Test("The pairs outside of the cost table lead nowhere")
  func otherPairsAreUnreachable() {
    let types: [TypeIdentifier] = [.markdown, .rtf, .html, .utf8PlainText, .utf16PlainText]
    let known = Set(Self.rows.map { [$0.from, $0.to] } + [[.markdown, .utf16PlainText]])
    for from in types {
      for to in types where !from.conforms(to: to) && !known.contains([from, to]) {
        #expect(Negotiator.standard.choose(.ordered([to]), from: natives(from)) == nil)
      }
    }
  }

  @Test("Of two sources the one that loses less is converted, wherever it stands")
  func leastCostWins() {
    #expect(
      Negotiator.standard.choose(.ordered([.html]), from: natives(.utf8PlainText, .rtf))
        == .converted(1, to: .html, cost: 2))
    #expect(
      Negotiator.standard.choose(.ordered([.html]), from: natives(.rtf, .markdown))
        == .converted(1, to: .html, cost: 1))
    #expect(
      Negotiator.standard.choose(.ordered([.markdown]), from: natives(.rtf, .html))
        == .converted(1, to: .markdown, cost: 3))
    #expect(
      Negotiator.standard.choose(.unordered([.rtf, .utf16PlainText]), from: natives(.html, .rtf))
        == .taken(1, .rtf))
  }

  @Test(
    "At the same cost the owner's order decides",
    arguments: [[TypeIdentifier.html, .png, .rtf], [.rtf, .png, .html]])
  func tiesGoByTheOwnersOrder(types: [TypeIdentifier]) {
    // Plain text costs one from HTML and from RTF.
    let offer = types.map { OfferedRepresentation.native($0) }
    for request in [TypeRequest.ordered([.utf8PlainText]), .unordered([.utf8PlainText])] {
      #expect(
        Negotiator.standard.choose(request, from: offer)
          == .converted(0, to: .utf8PlainText, cost: 1))
    }
  }

  @Test("RTF costs the same from Markdown as from HTML, so their order decides")
  func tieOfMarkdownAndHTMLForRTF() {
    #expect(
      Negotiator.standard.choose(.ordered([.rtf]), from: natives(.markdown, .html))
        == .converted(0, to: .rtf, cost: 2))
    #expect(
      Negotiator.standard.choose(.ordered([.rtf]), from: natives(.html, .markdown))
        == .converted(0, to: .rtf, cost: 2))
  }
}
