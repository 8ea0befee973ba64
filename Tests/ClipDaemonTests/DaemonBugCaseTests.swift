import TestSupport
import Testing

private let rich: [RawTarget] = [
  .patterned("UTF8_STRING", count: 20), .patterned("text/html", count: 400_000),
  .patterned("text/rtf", count: 3000), .patterned("application/x-private", count: 17),
  .patterned("image/png", count: 1_200_000),
]

private func size(_ targets: [RawTarget]) -> Int { targets.reduce(0) { $0 + $1.bytes.count } }

extension OnService {
  @Suite("Cases of other clipboard managers", .enabled(if: XServer.isExpected))
  struct DaemonBugCaseTests {
    @Test("C14: every type survives a program that is killed")
    func c14EveryTypeSurvives() throws {
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try desk.owner(OwnerScript(rich))
      try desk.waitForCapture(bytes: size(rich))
      desk.die(&owner)
      #expect(try desk.contentTargets().prefix(rich.count) == rich.map(\.name)[...])
      for target in rich {
        let value = try #require(try desk.peer.ask(target.name).value, "\(target.name)")
        #expect(difference(value.bytes, target.bytes) == nil, "\(target.name)")
      }
    }

    @Test("C15: not the text alone survives", arguments: ["text/html", "text/rtf", "image/png"])
    func c15RichContentSurvives(target: String) throws {
      let desk = try ManagedDesk()
      let content = RawTarget.patterned(target, count: 5000)
      let text = RawTarget("text/plain", "text")
      var owner: BackgroundPeer? = try desk.owner(OwnerScript([text, content]))
      try desk.waitForCapture(bytes: size([text, content]))
      desk.die(&owner)
      #expect(try desk.daemon.clipview("paste", "-t", target).output == content.bytes)
      #expect(try desk.daemon.clipview("paste").text == "text")
    }

    @Test("C18: whoever pastes right after a copy is answered by the program that copied")
    func c18PastesGoToTheOwner() throws {
      let desk = try ManagedDesk()
      let owner = try BackgroundPeer(desk.server)
      for number in 0..<200 {
        try owner.own(OwnerScript("UTF8_STRING", "content \(number)"))
        #expect(try desk.peer.ask("UTF8_STRING").value?.text == "content \(number)")
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
      #expect(!owner.log.contains(.cleared(selection: "CLIPBOARD")))
    }

    @Test(
      "C19: a picture that takes for ever keeps nobody waiting, and of what is selected none is read"
    )
    func c19PicturesComeLast() throws {
      let desk = try ManagedDesk(settings: "keep-primary = yes\n")
      var script = OwnerScript(rich.reversed())
      script.silent = ["image/png"]
      let selected = try desk.owner(OwnerScript(rich), of: "PRIMARY")
      var owner: BackgroundPeer? = try desk.owner(script)
      try desk.waitForCapture(bytes: size(rich) - 1_200_000)
      #expect(eventually { owner?.requests.last == "image/png" })
      try desk.waitForCapture(bytes: 20, of: "primary")
      #expect(selected.requests == ["TARGETS", "UTF8_STRING"])
      #expect(try desk.peer.ask("text/html").value != nil)
      desk.die(&owner)
      #expect(
        try desk.contentTargets().prefix(4) == rich.map(\.name).dropLast().reversed()[...])
    }

    @Test("C71: what is selected stays selected", arguments: [false, true])
    func c71PrimaryIsNeverTaken(isKept: Bool) throws {
      let desk = try ManagedDesk(settings: isKept ? "keep-primary = yes\n" : "")
      let owner = try BackgroundPeer(desk.server)
      for number in 0..<100 {
        try owner.own(OwnerScript("UTF8_STRING", "\(number)"), selection: "PRIMARY")
      }
      if isKept {
        try desk.waitForCapture(bytes: 2, of: "primary")
      } else {
        let other = try desk.owner(OwnerScript("UTF8_STRING", "text"))
        try desk.waitForCapture(bytes: 4)
        #expect(owner.requests == [])
        withExtendedLifetime(other) {}
      }
      #expect(!owner.log.contains(.cleared(selection: "PRIMARY")))
      #expect(try desk.peer.owner(of: "PRIMARY") == owner.window)
    }

    @Test("C72: what is selected does not become what was copied, nor the other way round")
    func c72SelectionsAreApart() throws {
      let desk = try ManagedDesk(settings: "keep-primary = yes\n")
      let copied = try desk.owner(OwnerScript("UTF8_STRING", "copied"))
      var selected: BackgroundPeer? = try desk.owner(
        OwnerScript("UTF8_STRING", "selected"), of: "PRIMARY")
      try desk.waitForCapture(bytes: 8, of: "primary")
      desk.die(&selected)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == copied.window)
      #expect(try desk.state()["change_count"]?.int == 1)
      #expect(try desk.peer.ask("UTF8_STRING", of: "PRIMARY").value?.text == "selected")
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "copied")
    }

    @Test("C73: a program that lives answers for what it has itself")
    func c73LivingOwnerAnswers() throws {
      let desk = try ManagedDesk()
      let owner = try desk.owner(OwnerScript(rich))
      try desk.waitForCapture(bytes: size(rich))
      let count = owner.requests.count
      for _ in 0..<3 { #expect(try desk.peer.ask("application/x-private").value != nil) }
      #expect(
        owner.requests.dropFirst(count) == ["application/x-private"][...] + [
          "application/x-private", "application/x-private",
        ])
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }

    @Test("C76: who owns it at that moment decides, whatever it calls itself later")
    func c76DecidedAtOnce() throws {
      let desk = try ManagedDesk(settings: "ignore-applications = vault\nkeep-primary = yes\n")
      let owner = try BackgroundPeer(desk.server)
      try owner.perform { try $0.setClass("vault") }
      try owner.own(OwnerScript("UTF8_STRING", "secret"))
      #expect(try eventually { try desk.state()["change_count"]?.int == 1 })
      try owner.perform { try $0.setClass("editor") }
      // What was copied before this would have been read before it is.
      let other = try desk.owner(OwnerScript("UTF8_STRING", "selected"), of: "PRIMARY")
      try desk.waitForCapture(bytes: 8, of: "primary")
      #expect(owner.requests == [])
      withExtendedLifetime(other) {}
    }

    @Test("C76: one that calls itself otherwise later stays what it was, whatever is set anew")
    func c76RenamedLater() throws {
      let desk = try ManagedDesk(settings: "ignore-applications = vault\n")
      let owner = try BackgroundPeer(desk.server)
      try owner.perform { try $0.setClass("vault") }
      try owner.own(OwnerScript("UTF8_STRING", "secret"))
      #expect(try eventually { try desk.state()["change_count"]?.int == 1 })
      try owner.perform { try $0.setClass("editor") }
      try desk.reload("ignore-applications = vault\nkeep-primary = yes\nkeep-offer = 1M\n")
      let other = try desk.owner(OwnerScript("UTF8_STRING", "selected"), of: "PRIMARY")
      try desk.waitForCapture(bytes: 8, of: "primary")
      #expect(owner.requests == [])
      // What it takes from then on is the editor's.
      try owner.own(OwnerScript("UTF8_STRING", "open"))
      try desk.waitForCapture(bytes: 4)
      withExtendedLifetime(other) {}
    }

    @Test("C76: every name counts that a program has, not the first that is found")
    func c76EveryName() throws {
      let desk = try ManagedDesk(settings: "ignore-applications = vault\nkeep-primary = yes\n")
      let owner = try BackgroundPeer(desk.server)
      try owner.perform { peer in
        try peer.setClass("vault")
        let window = try peer.makeWindow()
        try peer.setClass("editor", of: window)
        try peer.own(OwnerScript("UTF8_STRING", "secret"), by: window)
      }
      let other = try desk.owner(OwnerScript("UTF8_STRING", "selected"), of: "PRIMARY")
      try desk.waitForCapture(bytes: 8, of: "primary")
      #expect(owner.requests == [])
      withExtendedLifetime(other) {}
    }

    @Test("C50: cells of a spreadsheet come back in their order, with all that only it understands")
    func c50CellsComeBack() throws {
      let desk = try ManagedDesk()
      let capture = try Capture("libreoffice-calc-gtk3-x11-cells")
      let protocolTargets = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"]
      let content = capture.targets.filter {
        !protocolTargets.contains($0.name) && !$0.bytes.isEmpty
      }
      var owner: BackgroundPeer? = try desk.owner(capture.script)
      try desk.waitForCapture(bytes: size(content.map { RawTarget($0.name, $0.bytes) }))
      desk.die(&owner)
      let listed = try desk.contentTargets()
      #expect(listed.prefix(content.count) == content.map(\.name)[...])
      // Behind them only spellings of the text.
      #expect(
        !listed.dropFirst(content.count).contains { $0.contains("image") || $0.contains("html") })
    }

    @Test(
      "C10: a large picture costs its size, and nothing when it has gone; too large a one is not held"
    )
    func c10MemoryIsBounded() throws {
      let desk = try ManagedDesk(settings: "keep-representation = 60M\n")
      let pid = desk.daemon.process.pid
      let start = try #require(Processes.residentMemory(of: pid))
      var owner: BackgroundPeer? = try desk.owner(
        OwnerScript([RawTarget("image/png", [UInt8](repeating: 1, count: 50 << 20))]))
      try desk.waitForCapture(bytes: 50 << 20)
      let isBounded = eventually {
        (Processes.residentMemory(of: pid) ?? .max) <= start + (50 + 24) << 20
      }
      #expect(isBounded || Programs.areSanitized)
      #expect(try desk.daemon.clipview("paste", "-t", "text").status == 1)
      owner = try desk.owner(
        OwnerScript([RawTarget("image/png", [UInt8](repeating: 1, count: 61 << 20))]))
      #expect(try eventually(within: 30) { try desk.state()["left_out"]?.array?.count == 1 })
      let isGivenBack = eventually {
        (Processes.residentMemory(of: pid) ?? .max) <= start + 16 << 20
      }
      #expect(isGivenBack || Programs.areSanitized)
      #expect(try desk.state()["bytes"]?.int == 0)
      withExtendedLifetime(owner) {}
    }
  }
}
