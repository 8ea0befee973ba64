import Pasteboard
import Testing
import TypeRegistry

@Suite("Unordered request")
struct UnorderedRequestTests {
  let negotiator = Negotiator.standard

  @Test("Among native texts Markdown comes before RTF before HTML before plain text, in any order")
  func richnessDecidesAmongNativeTexts() {
    let ladder: [TypeIdentifier] = [.markdown, .rtf, .html, .utf8PlainText]
    for offered in permutations(of: ladder) {
      for length in 1...offered.count {
        let part = Array(offered.prefix(length))
        let best = ladder.first { part.contains($0) }
        let choice = negotiator.choose(.text, from: part.map { .native($0) })
        #expect(choice?.type == best)
        #expect(choice?.conversion == nil)
      }
    }
  }

  @Test("Only what is accepted counts, however rich the rest is")
  func onlyAcceptedTextsCount() {
    let offer = natives(.rtf, .utf8PlainText, .html)
    #expect(negotiator.choose(.unordered([.html, .markdown]), from: offer) == .taken(2, .html))
    #expect(
      negotiator.choose(.unordered([.utf8PlainText, .html]), from: offer) == .taken(2, .html))
    #expect(
      negotiator.choose(.unordered([.utf8PlainText]), from: offer) == .taken(1, .utf8PlainText))
  }

  @Test("Markdown is plain text, and the richest, for a receiver of plain text too")
  func markdownIsAcceptedAsPlainText() {
    let offer = natives(.utf8PlainText, .html, .markdown)
    #expect(negotiator.choose(.unordered([.plainText]), from: offer) == .taken(2, .markdown))
    #expect(
      negotiator.choose(.unordered([.plainText, .html]), from: offer) == .taken(2, .markdown))
  }

  @Test("The order of the set does not matter")
  func orderOfTheSetIsIrrelevant() {
    let offer = natives(.png, .utf8PlainText, .html)
    for types in permutations(of: [TypeIdentifier.html, .utf8PlainText, .png]) {
      #expect(negotiator.choose(.unordered(types), from: offer) == .taken(0, .png))
    }
  }

  @Test("Native comes before made, however cheap the conversion")
  func nativeBeforeMade() {
    #expect(
      negotiator.choose(.unordered([.html, .png]), from: natives(.markdown, .png))
        == .taken(1, .png))
    #expect(
      negotiator.choose(.unordered([.html, .plainText]), from: natives(.rtf, .utf8PlainText))
        == .taken(1, .utf8PlainText))
  }

  @Test("Between families the owner's order decides")
  func ownersOrderBetweenFamilies() {
    let accepted = TypeRequest.unordered([.image, .text, .url])
    #expect(
      negotiator.choose(accepted, from: natives(.png, .markdown, .fileURL)) == .taken(0, .png))
    #expect(
      negotiator.choose(accepted, from: natives(.fileURL, .png, .markdown)) == .taken(0, .fileURL))
    #expect(
      negotiator.choose(accepted, from: natives(.utf8PlainText, .png, .html)) == .taken(2, .html))
  }

  @Test("Within a family that is not text the owner's order decides")
  func ownersOrderWithinImages() {
    #expect(
      negotiator.choose(.unordered([.image]), from: natives(.jpeg, .png)) == .taken(0, .jpeg))
    #expect(
      negotiator.choose(.unordered([.jpeg, .png]), from: natives(.png, .jpeg)) == .taken(0, .png))
  }

  @Test("A picture written as text is a picture")
  func svgIsAnImage() {
    #expect(
      negotiator.choose(.unordered([.image, .text]), from: natives(.svg, .html))
        == .taken(0, .svg))
    #expect(
      negotiator.choose(.unordered([.image, .text]), from: natives(.utf8PlainText, .svg, .html))
        == .taken(2, .html))
  }

  @Test("Texts that are neither richer nor poorer stay in the owner's order")
  func otherTextsCountAsPlain() {
    #expect(negotiator.choose(.text, from: natives(.csv, .utf8PlainText)) == .taken(0, .csv))
    #expect(
      negotiator.choose(.text, from: natives(.utf8PlainText, .json)) == .taken(0, .utf8PlainText))
    #expect(negotiator.choose(.text, from: natives(.json, .csv, .html)) == .taken(2, .html))
  }

  @Test("Where nothing native is accepted the cheapest conversion is made")
  func cheapestConversion() {
    #expect(
      negotiator.choose(.unordered([.markdown, .html]), from: natives(.utf8PlainText, .rtf))
        == .converted(1, to: .html, cost: 2))
  }

  @Test("Of equally cheap results of one source the richest is made")
  func richestResultOfOneSource() {
    let table = ConversionTable([
      tracing(.rtf, .utf8PlainText, cost: 1), tracing(.rtf, .html, cost: 1),
    ])
    #expect(
      Negotiator(table: table).choose(
        .unordered([.utf8PlainText, .html]), from: natives(.rtf))
        == .converted(0, to: .html, cost: 1))
  }

  @Test("An empty set accepts nothing, an empty offer gives nothing")
  func emptyRequestsAndOffers() {
    #expect(negotiator.choose(.unordered([]), from: natives(.html)) == nil)
    #expect(negotiator.choose(.text, from: []) == nil)
    #expect(negotiator.choose(.any, from: []) == nil)
  }

  @Test("Any takes what conforms to nothing as well, and never converts")
  func anyTakesWhateverIsThere() {
    #expect(
      negotiator.choose(.any, from: natives(.privateFormat, .html)) == .taken(0, .privateFormat))
    #expect(negotiator.choose(.any, from: natives(.html, .privateFormat)) == .taken(0, .html))
    #expect(
      negotiator.choose(.any, from: natives(.utf8PlainText, .png, .markdown))
        == .taken(2, .markdown))
  }

  @Test("Exactly takes this very type: no subtype, no conversion")
  func exactlyTakesTheVeryType() {
    #expect(negotiator.choose(.exactly(.png), from: natives(.jpeg, .png)) == .taken(1, .png))
    #expect(negotiator.choose(.exactly(.image), from: natives(.png)) == nil)
    #expect(negotiator.choose(.exactly(.html), from: natives(.markdown)) == nil)
    #expect(negotiator.choose(.exactly(.plainText), from: natives(.utf8PlainText)) == nil)
    #expect(
      negotiator.choose(
        .exactly(.html), from: [.native(.markdown), .made(.html, from: .markdown)])
        == .taken(1, .html))
  }
}

func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard !elements.isEmpty else { return [[]] }
  return elements.indices.flatMap { index in
    var rest = elements
    let first = rest.remove(at: index)
    return permutations(of: rest).map { [first] + $0 }
  }
}
