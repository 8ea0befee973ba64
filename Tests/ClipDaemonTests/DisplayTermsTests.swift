import Synchronization
import TestSupport
import Testing

extension OnService {
  @Suite("Copies on terms, served by the service on a display", .enabled(if: XServer.isExpected))
  struct DisplayTermsTests {
    let desk: ManagedDesk

    init() throws { desk = try ManagedDesk() }

    private var isGone: Bool {
      get throws { try eventually { try desk.peer.owner(of: "CLIPBOARD") == 0 } }
    }

    @Test(
      "Of two readers at the same moment one gets what is served once", arguments: [10, 400_000])
    func racingReaders(size: Int) throws {
      let bytes = scrambledBytes(size)
      let readers = try (0..<2).map { _ in try BackgroundPeer(desk.server) }
      for _ in 0..<5 {
        let copied = try desk.daemon.clipview("copy", "--once", "-t", "x/data", input: bytes)
        #expect(copied.status == 0, "\(copied)")
        let answers = Answers()
        for reader in readers { reader.start { answers.add(try $0.ask("x/data").value?.bytes) } }
        #expect(eventually { answers.all.count == 2 })
        #expect(answers.all.count { $0 == bytes } == 1)
        #expect(answers.all.count { $0 == nil } == 1)
        #expect(try isGone)
        #expect(try desk.daemon.clipview("paste", "-t", "x/data").status == 1)
      }
      #expect(try desk.daemon.json("status")["pasteboards"]?.array?.first?["owner"] == .null)
    }

    @Test("What expires is there until then, and then nothing is")
    func expiry() throws {
      let begin = Deadline.now
      #expect(try desk.daemon.clipview("copy", "--expire", "1.5", "--text", "x").status == 0)
      let terms = try desk.peer.ask("application/x-clipview-terms").value
      #expect(terms.map { text($0.bytes) }?.contains("lifetime_milliseconds") == true)
      #expect(try isGone)
      // Not a moment before; how much later depends on the machine.
      #expect(Deadline.now - begin >= 1.5)
      #expect(try desk.peer.ask("UTF8_STRING").value == nil)
      #expect(try desk.daemon.clipview("paste").status == 1)
      #expect(try desk.daemon.json("status")["pasteboards"]?.array?.first?["owner"] == .null)
    }

    @Test("What replaces something that expires does not expire with it")
    func replacement() throws {
      #expect(try desk.daemon.clipview("copy", "--expire", "0.3", "--text", "short").status == 0)
      #expect(try desk.daemon.clipview("copy", "--text", "long").status == 0)
      #expect(
        try desk.daemon.clipview("copy", "-p", "--expire", "0.3", "--text", "other").status == 0)
      #expect(try eventually { try desk.peer.owner(of: "PRIMARY") == 0 })
      #expect(try desk.daemon.clipview("paste").text == "long")
    }

    @Test("A guard lets nobody have it, and lifts itself")
    func guarded() throws {
      #expect(try desk.daemon.clipview("copy", "--guard", "1", "--text", "x").status == 0)
      #expect(try desk.peer.targets()?.contains("UTF8_STRING") == true)
      let early = try desk.daemon.clipview("paste")
      #expect(early.status == 5 || early.text == "x")
      #expect(try eventually { try desk.daemon.clipview("paste").text == "x" })
    }
  }
}

/// What several readers got.
private final class Answers: Sendable {
  private let state = Mutex<[[UInt8]?]>([])
  func add(_ bytes: [UInt8]?) { state.withLock { $0.append(bytes) } }
  var all: [[UInt8]?] { state.withLock { $0 } }
}
