import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("What the service adds to a copy", .enabled(if: XServer.isExpected))
  struct EnrichmentTests {
    let server: XServer
    let peer: RawPeer

    init() throws {
      server = try XServer()
      peer = try RawPeer(server)
    }

    private func start(settings: String = "") throws -> Daemon {
      try Daemon(settings: settings, environment: ["DISPLAY": server.display])
    }

    private func value(_ target: String) throws -> String? {
      try peer.ask(target).value.map { text($0.bytes) }
    }

    private func clipboard(_ daemon: Daemon) throws -> JSON? {
      try daemon.json("status")["pasteboards"]?.array?.first {
        $0["name"]?.string == "clipboard" && $0["display"] != .null
      }
    }

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
      let daemon = try start()
      var owner: BackgroundPeer? = try BackgroundPeer(server, owning: script)
      let direct = try daemon.clipview("enrich", "--backend", "x11")
      #expect(direct.isSilentSuccess, "\(direct)")
      let expected = try peer.targets()
      var answers: [String: String?] = [:]
      for target in expected ?? [] { answers[target] = try value(target) }
      owner = try BackgroundPeer(server, owning: script)
      let through = try daemon.clipview("enrich")
      #expect(through.isSilentSuccess, "\(through)")
      #expect(try clipboard(daemon)?["owner"]?.string == "clipd")
      #expect(try peer.targets() == expected)
      for target in expected ?? [] where !["TARGETS", "TIMESTAMP", "MULTIPLE"].contains(target) {
        #expect(try value(target) == answers[target], "\(target)")
      }
      #expect(try value("text/rtf")?.hasPrefix("{\\rtf1") == true)
      withExtendedLifetime(owner) {}
    }

    @Test("What is added is made when somebody asks for it")
    func enrichedLazily() throws {
      let daemon = try start()
      let text = String(repeating: "word *word* ", count: 10_000)
      let owner = try BackgroundPeer(server, owning: OwnerScript("UTF8_STRING", text))
      #expect(try daemon.clipview("enrich").isSilentSuccess)
      // The text, once: neither the HTML nor the RTF is among what was handed over.
      let bytes = try #require(try clipboard(daemon)?["bytes"]?.int)
      #expect(bytes < text.utf8.count + 10_000)
      #expect(try daemon.clipview("paste", "--as", "html").output.count > text.utf8.count)
      withExtendedLifetime(owner) {}
    }

    @Test("By the policy, a living owner's Markdown gets what can be made of it")
    func markdownPolicy() throws {
      let daemon = try start(settings: "enrich-markdown = yes\n")
      let owner = try BackgroundPeer(server, owning: Self.markdown)
      #expect(daemon.settle(" enriched "))
      #expect(try clipboard(daemon)?["owner"]?.string == "clipd")
      let types = try daemon.clipview("types").text
      #expect(types.hasPrefix("x/private\ntext/markdown\nUTF8_STRING\n"), "\(types)")
      #expect(try peer.ask("x/private").value?.bytes == [0, 1, 2])
      #expect(try value("text/markdown") == "# T\n")
      #expect(try value("text/html")?.contains("<h1>T</h1>") == true)
      #expect(try value("text/rtf")?.hasPrefix("{\\rtf1") == true)
      #expect(try daemon.clipview("paste").text == "# T\n")
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
      let daemon = try start(settings: "enrich-markdown = yes\nkeep-primary = yes\n" + settings)
      let owner = try BackgroundPeer(server, owning: script)
      let before = try peer.owner(of: "CLIPBOARD")
      // Read after the same moment of rest.
      let selected = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "x"), selection: "PRIMARY")
      #expect(
        try eventually {
          try daemon.json("status")["pasteboards"]?.array?.contains {
            $0["name"]?.string == "primary" && $0["bytes"]?.int == 1
          } == true
        })
      #expect(try peer.owner(of: "CLIPBOARD") == before)
      #expect(!daemon.log.contains(" enriched "))
      withExtendedLifetime((owner, selected)) {}
    }

    @Test("Without the policy a living owner's Markdown is left alone")
    func policyIsOff() throws {
      let daemon = try start()
      let owner = try BackgroundPeer(server, owning: Self.markdown)
      #expect(try eventually { try clipboard(daemon)?["bytes"]?.int == 11 })
      #expect(try clipboard(daemon)?["owner"]?.string == "other")
      #expect(try peer.targets()?.contains("text/html") == false)
      withExtendedLifetime(owner) {}
    }
  }
}
