import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("What the service adds to a copy", .enabled(if: XServer.isExpected))
  struct EnrichmentTests {
    private static let markdown = OwnerScript([
      RawTarget("x/private", [0, 1, 2]), RawTarget("text/markdown", Array("# T\n".utf8)),
      RawTarget("UTF8_STRING", Array("# T\n".utf8)),
    ])

    @Test(
      "enrich hands everything over, in the same order as without clipd",
      arguments: [
        OwnerScript([RawTarget("text/html", Array("<b>x</b>".utf8)), RawTarget("x/private", [7])]),
        markdown, OwnerScript("UTF8_STRING", "# T\n"),
      ])
    func enrichedThroughService(script: OwnerScript) throws {
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try BackgroundPeer(desk.server, owning: script)
      let direct = try desk.daemon.clipview("enrich", "--backend", "x11")
      #expect(direct.isSilentSuccess, "\(direct)")
      let expected = try desk.peer.targets()
      var answers: [String: String?] = [:]
      for target in expected ?? [] { answers[target] = try desk.value(target) }
      owner = try BackgroundPeer(desk.server, owning: script)
      let through = try desk.daemon.clipview("enrich")
      #expect(through.isSilentSuccess, "\(through)")
      #expect(try desk.state()["owner"]?.string == "clipd")
      #expect(try desk.peer.targets() == expected)
      for target in expected ?? [] where !["TARGETS", "TIMESTAMP", "MULTIPLE"].contains(target) {
        #expect(try desk.value(target) == answers[target], "\(target)")
      }
      #expect(try desk.value("text/rtf")?.hasPrefix("{\\rtf1") == true)
      withExtendedLifetime(owner) {}
    }

    @Test("What is added is made when somebody asks for it")
    func enrichedLazily() throws {
      let desk = try ManagedDesk()
      let text = String(repeating: "word *word* ", count: 10_000)
      let owner = try BackgroundPeer(desk.server, owning: OwnerScript("UTF8_STRING", text))
      #expect(try desk.daemon.clipview("enrich").isSilentSuccess)
      // The text, once: neither the HTML nor the RTF is among what was handed over.
      let bytes = try #require(try desk.state()["bytes"]?.int)
      #expect(bytes < text.utf8.count + 10_000)
      #expect(try desk.daemon.clipview("paste", "--as", "html").output.count > text.utf8.count)
      withExtendedLifetime(owner) {}
    }

    @Test("By the policy, a living owner's Markdown gets what can be made of it")
    func markdownPolicy() throws {
      let desk = try ManagedDesk(settings: "enrich-markdown = yes\n")
      let owner = try BackgroundPeer(desk.server, owning: Self.markdown)
      #expect(desk.daemon.settle(" enriched "))
      #expect(try desk.state()["owner"]?.string == "clipd")
      let types = try desk.daemon.clipview("types").text
      #expect(types.hasPrefix("x/private\ntext/markdown\nUTF8_STRING\n"), "\(types)")
      #expect(try desk.peer.ask("x/private").value?.bytes == [0, 1, 2])
      #expect(try desk.value("text/markdown") == "# T\n")
      #expect(try desk.value("text/html")?.contains("<h1>T</h1>") == true)
      #expect(try desk.value("text/rtf")?.hasPrefix("{\\rtf1") == true)
      #expect(try desk.daemon.clipview("paste").text == "# T\n")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "The policy is about nothing else",
      arguments: [
        // Only looks like it.
        ("", OwnerScript("UTF8_STRING", "# T\n")),
        ("", OwnerScript([RawTarget("text/html", Array("<b>x</b>".utf8))])),
        // Too large to be read, so that something would be lost.
        (
          "keep-representation = 1K\n",
          OwnerScript([
            RawTarget("text/markdown", Array("# T".utf8)),
            RawTarget("x/large", [UInt8](repeating: 1, count: 5000)),
          ])
        ),
      ])
    func policyLeavesAlone(settings: String, script: OwnerScript) throws {
      let desk = try ManagedDesk(settings: "enrich-markdown = yes\nkeep-primary = yes\n" + settings)
      let owner = try BackgroundPeer(desk.server, owning: script)
      let before = try desk.peer.owner(of: "CLIPBOARD")
      // Read after the same moment of rest.
      let selected = try BackgroundPeer(
        desk.server, owning: OwnerScript("UTF8_STRING", "x"), selection: "PRIMARY")
      #expect(
        try eventually {
          try desk.daemon.json("status")["pasteboards"]?.array?.contains {
            $0["name"]?.string == "primary" && $0["bytes"]?.int == 1
          } == true
        })
      #expect(try desk.peer.owner(of: "CLIPBOARD") == before)
      #expect(!desk.daemon.log.contains(" enriched "))
      withExtendedLifetime((owner, selected)) {}
    }

    @Test("Without the policy a living owner's Markdown is left alone")
    func policyIsOff() throws {
      let desk = try ManagedDesk()
      let owner = try BackgroundPeer(desk.server, owning: Self.markdown)
      #expect(try eventually { try desk.state()["bytes"]?.int == 11 })
      #expect(try desk.state()["owner"]?.string == "other")
      #expect(try desk.peer.targets()?.contains("text/html") == false)
      withExtendedLifetime(owner) {}
    }
  }
}
