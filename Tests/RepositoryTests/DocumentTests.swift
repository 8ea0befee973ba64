import Testing

@Suite("Papers")
struct DocumentTests {
  @Test("Each link from one of our papers to a file leads somewhere")
  func linksLeadSomewhere() {
    let papers = Repository.files(named: ".md").filter { !$0.hasPrefix("Tests/Fixtures/") }
    let faults = papers.flatMap { paper -> [String] in
      let folder = paper.lastIndex(of: "/").map { String(paper[...$0]) } ?? ""
      return Self.links(in: Repository.text(of: paper) ?? "")
        .filter { !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:") }
        .filter { !Repository.exists(folder + $0.prefix { $0 != "#" }) }
        .map { "\(paper): \($0)" }
    }
    #expect(!papers.isEmpty)
    #expect(faults == [])
  }

  @Test("Links are read out of Markdown")
  func linksAreRead() {
    let text = "[a](b.md), [two words](c/d.md#part) and (none) [here] ![image](e.png)"
    #expect(Self.links(in: text) == ["b.md", "c/d.md#part", "e.png"])
  }

  private static func links(in text: String) -> [String] {
    text.split(separator: "](", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != ")" })
    }
  }
}
