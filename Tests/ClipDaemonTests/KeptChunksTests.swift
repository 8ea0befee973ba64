import TestSupport
import Testing

/// A capture of which only the sizes are there: what its application had was too long for a fixture.
private struct LongCapture {
  let script: OwnerScript
  let byteCount: Int

  static let names = Files.names(in: Fixtures.path("clipboards"))
    .filter { $0.contains("x11-large-text") }.sorted()

  private static let protocolTargets: Set = [
    "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "GTK_TEXT_BUFFER_CONTENTS",
    "INSERT_SELECTION", "INSERT_PROPERTY",
  ]

  init(_ name: String) throws {
    let directory = Fixtures.path("clipboards/\(name)")
    let manifest = try text(Files.read("\(directory)/manifest.json"))
    let entries = JSON(manifest)?["targets"]?.array ?? []
    var targets: [RawTarget] = []
    var incremented: Set<String> = []
    var announced: Int?
    var chunk = 1 << 18
    for entry in entries {
      guard let target = entry["target"]?.string, !Self.protocolTargets.contains(target),
        let size = entry["bytes"]?.int, let type = entry["type_atom"]?.string
      else { continue }
      let file = entry["file"]?.string
      // Any bytes will do that are of the charset: what is looked at is whether they are the same.
      let bytes = try file.map { try Files.read("\(directory)/\($0)") } ?? letters(size)
      targets.append(RawTarget(target, type: type, format: entry["format"]?.int ?? 8, bytes))
      guard let increments = entry["incr"], increments != .null else { continue }
      incremented.insert(target)
      announced = increments["announced"]?.int
      chunk = increments["chunks"]?.array?.first?.int ?? chunk
    }
    var script = OwnerScript(targets)
    script.incremented = incremented
    script.increments = OwnerScript.Increments(
      sizeWord: announced == nil ? .empty : .exact, chunk: chunk)
    self.script = script
    byteCount = targets.reduce(0) { $0 + $1.bytes.count }
  }
}

private func letters(_ count: Int) -> [UInt8] {
  scrambledBytes(count).map { $0 % 26 + UInt8(ascii: "a") }
}

extension OnService {
  @Suite("Long content whose owner has died", .enabled(if: XServer.isExpected))
  struct KeptChunksTests {
    let server: XServer
    let peer: RawPeer
    let daemon: Daemon

    init() throws {
      server = try XServer()
      peer = try RawPeer(server)
      daemon = try Daemon(environment: ["DISPLAY": server.display])
    }

    /// What can be made of UTF8_STRING.
    private static let lesserSpellings = [
      "TEXT", "STRING", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-8",
    ]

    /// Waits until all is read that will be: an owner that is slow, as any is on a busy machine, is not
    /// asked for lesser spellings of a long text, which are made then and are the same.
    private func keep(_ script: OwnerScript) throws {
      var owner: BackgroundPeer? = try BackgroundPeer(server, owning: script)
      let current = "\(daemon.directory.path)/clipview/current"
      #expect(
        eventually(within: 60) { Files.names(in: current).contains { !$0.hasPrefix(".") } },
        "\(daemon.log)")
      let pasteboards = try daemon.json("status")["pasteboards"]?.array ?? []
      let bytes = pasteboards.compactMap { $0["bytes"]?.int }.max() ?? 0
      let all = script.targets.reduce(0) { $0 + $1.bytes.count }
      let lesser = script.targets.filter { Self.lesserSpellings.contains($0.name) }
      #expect(bytes <= all)
      #expect(bytes >= all - lesser.reduce(0) { $0 + $1.bytes.count })
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(daemon.settle(" kept "))
      for target in script.targets {
        let value = try peer.ask(target.name).value
        #expect(value.flatMap { difference($0.bytes, target.bytes) } == nil, "\(target.name)")
        #expect(value?.format == target.format && value != nil, "\(target.name)")
      }
    }

    @Test("What applications send in chunks comes back", arguments: LongCapture.names)
    func longCapturesComeBack(name: String) throws {
      let capture = try LongCapture(name)
      #expect(capture.byteCount > 400_000)
      try keep(capture.script)
    }

    @Test("What a program gives by one transfer for each window, as GTK's do, comes back whole")
    func oneTransferForEachWindow() throws {
      let names = ["UTF8_STRING", "text/html", "text/rtf", "x-a", "x-b", "x-c"]
      var script = OwnerScript(names.map { RawTarget($0, letters(300_000)) })
      script.increments = OwnerScript.Increments()
      script.increments?.isOneForEachWindow = true
      try keep(script)
    }

    @Test(
      "C03: nothing is added to content that came in chunks, nothing taken away",
      arguments: [262_143, 262_144, 262_145])
    func c03KeptChunks(size: Int) throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", letters(size))])
      script.increments = OwnerScript.Increments()
      try keep(script)
    }
  }
}
