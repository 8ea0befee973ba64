import SystemIO
import TestSupport
import Testing

/// Ten types and five megabytes, some of it more than goes into one property.
private let ten: [RawTarget] =
  [.patterned("UTF8_STRING", count: 1000), .patterned("text/html", count: 2_000_000)]
  + (1...7).map { .patterned("application/x-part-\($0)", count: 300_000 + $0) }
  + [.patterned("image/png", count: 900_000)]

private let done = RawAnswer.value(RawValue(type: "NULL", format: 8, bytes: []))

extension OnService {
  @Suite("Programs that ask for a save before they end", .enabled(if: XServer.isExpected))
  struct SaveTargetsTests {
    @Test(
      "C21: the answer comes when all is read, whatever the form, and all comes back",
      arguments: [RawPeer.SaveForm.bare, .emptyProperty, .list(ten.map(\.name))])
    func c21SaveHandshake(form: RawPeer.SaveForm) throws {
      let desk = try ManagedDesk()
      var script = OwnerScript(ten)
      script.refusesEarlierRequests = true
      var owner: BackgroundPeer? = try desk.owner(script)
      // It cannot come before all was asked for, nor wait for anything after that.
      #expect(try owner?.save(form) == done)
      let requests = owner?.requests ?? []
      #expect(Set(ten.map(\.name)).isSubset(of: requests))
      // Saved already: the next one needs nothing more.
      #expect(try owner?.save(form) == done)
      #expect(owner?.requests == requests)
      // It lives: what it has stays its own.
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner?.window)
      desk.die(&owner)
      #expect(try desk.contentTargets().prefix(ten.count) == ten.map(\.name)[...])
      for target in ten {
        let value = try #require(try desk.peer.ask(target.name).value, "\(target.name)")
        #expect(difference(value.bytes, target.bytes) == nil, "\(target.name)")
      }
    }

    @Test("Of a list that part is kept, in the owner's order")
    func list() throws {
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try desk.owner(
        OwnerScript(["x/a", "x/b", "x/c", "x/d"].map { .patterned($0, count: 10) }))
      #expect(try owner?.save(.list(["x/d", "x/unknown", "x/b"])) == done)
      desk.die(&owner)
      #expect(try desk.contentTargets() == ["x/b", "x/d"])
    }

    @Test("What stops half-way when its program ends, as Qt's does, loses nothing else")
    func stoppedHalfWay() throws {
      let desk = try ManagedDesk()
      var script = OwnerScript(["x/a", "x/large", "x/b"].map { .patterned($0, count: 500_000) })
      script.incremented = ["x/large"]
      script.increments = OwnerScript.Increments(stopsAfter: 1)
      var owner: BackgroundPeer? = try desk.owner(script)
      #expect(eventually { (owner?.chunksSent ?? 0) > 0 })
      // From here on it refuses what would go out in parts.
      script.refused = ["x/large"]
      try owner?.change(script)
      #expect(try owner?.save(.emptyProperty) == done)
      let read = owner?.requests.filter { $0 != "TARGETS" }
      #expect(read == ["x/a", "x/large", "x/b", "x/large"])
      desk.die(&owner)
      #expect(try desk.contentTargets() == ["x/a", "x/b"])
    }

    @Test("Of a picture PNG is read first; who is slow to make it is not asked for it again")
    func pictures() throws {
      let names = [
        "application/x-qt-image", "PIXMAP", "image/bmp", "image/xpm", "image/png", "image/jpeg",
      ]
      let desk = try ManagedDesk()
      var owner: BackgroundPeer? = try desk.owner(
        OwnerScript(names.map { .patterned($0, count: 100) }))
      #expect(try owner?.save(.emptyProperty) == done)
      let order = ["image/png", "image/bmp", "image/jpeg"]
      #expect(
        owner?.requests
          == ["TARGETS"] + order + ["image/xpm", "application/x-qt-image", "PIXMAP"])
      desk.die(&owner)
      #expect(try desk.contentTargets() == names.filter { $0 != "PIXMAP" })
      // A photograph, of which each form takes as long.
      var slow = OwnerScript(names.map { .patterned($0, count: 70_000) })
      slow.delay = 0.3
      owner = try desk.owner(slow)
      #expect(try owner?.save(.emptyProperty) == done)
      #expect(owner?.requests == ["TARGETS"] + order)
      withExtendedLifetime(owner) {}
    }

    @Test("What a program gives up after it was saved is kept, as LibreOffice ends")
    func clearedAfterwards() throws {
      let desk = try ManagedDesk()
      let owner = try desk.owner(OwnerScript("UTF8_STRING", "text"))
      #expect(try owner.save(.emptyProperty) == done)
      try owner.release()
      #expect(desk.daemon.settle(" kept "))
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == "text")
    }

    @Test("What somebody else asks means nothing: what is cleared then is gone")
    func strangersAskInVain() throws {
      let desk = try ManagedDesk()
      let owner = try desk.owner(OwnerScript("UTF8_STRING", "text"))
      try desk.waitForCapture(bytes: 4)
      for form in [RawPeer.SaveForm.bare, .emptyProperty, .list(["UTF8_STRING"])] {
        #expect(try desk.peer.save(form) == .refused)
      }
      try owner.release()
      #expect(try eventually { try desk.state()["bytes"]?.int == 0 })
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(!desk.daemon.log.contains(" kept "))
    }

    @Test("What clipview clears is gone, also where its program had asked for a save")
    func clearsOutrankSaves() throws {
      let desk = try ManagedDesk()
      let owner = try desk.owner(OwnerScript("UTF8_STRING", "text"))
      #expect(try owner.save(.emptyProperty) == done)
      #expect(try desk.daemon.clipview("clear").status == 0)
      #expect(try desk.peer.owner(of: "CLIPBOARD") == 0)
      #expect(try desk.daemon.clipview("paste").status == 1)
    }

    @Test("What is not kept is refused at once: secrets, ignored programs, nothing at all")
    func refusals() throws {
      let desk = try ManagedDesk(settings: "ignore-applications = vault\n")
      #expect(try desk.peer.save(.bare) == .refused)
      let secret = try Capture("keepassxc-x11-password")
      var owner: BackgroundPeer? = try desk.owner(secret.script)
      #expect(try owner?.save(.emptyProperty) == .refused)
      owner = try BackgroundPeer(desk.server)
      try owner?.perform { peer in
        try peer.setClass("Vault")
        try peer.own(OwnerScript("UTF8_STRING", "x"))
      }
      #expect(try owner?.save(.emptyProperty) == .refused)
      #expect(owner?.requests == [])
      #expect(try desk.daemon.clipview("copy", "--text", "ours").status == 0)
      #expect(try desk.peer.save(.emptyProperty) == .refused)
      withExtendedLifetime(owner) {}
    }

    @Test("Nobody is managed for where nothing is to be kept")
    func notKeeping() throws {
      let desk = try ManagedDesk(settings: "keep = no\n")
      #expect(try desk.daemon.clipview("copy", "--text", "x").status == 0)
      #expect(try desk.peer.owner(of: "CLIPBOARD_MANAGER") == 0)
    }
  }
}
