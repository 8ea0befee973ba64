import SystemIO
import TestSupport
import Testing

/// A `clipd` on a display of its own, and somebody who looks at what becomes of it.
struct ManagedDesk {
  let server: XServer
  let daemon: Daemon
  let peer: RawPeer

  /// - Parameter settings: The lines of its configuration.
  init(settings: String = "") throws {
    server = try XServer()
    daemon = try Daemon(settings: settings, environment: ["DISPLAY": server.display])
    peer = try RawPeer(server)
  }

  /// A program that owns the clipboard, until it is let go.
  func owner(
    _ script: OwnerScript, of selection: String = "CLIPBOARD"
  ) throws -> BackgroundPeer {
    try BackgroundPeer(server, owning: script, selection: selection)
  }

  /// What whoever asks for a target of the clipboard is answered, as text.
  func value(_ target: String) throws -> String? {
    try peer.ask(target).value.map { text($0.bytes) }
  }

  /// What `status` says of a selection.
  func state(of name: String = "clipboard") throws -> JSON {
    try #require(
      try daemon.json("status")["pasteboards"]?.array?.first {
        $0["name"]?.string == name && $0["display"] != .null
      })
  }

  /// Has the service read other settings.
  func reload(
    _ settings: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = reloads
    try daemon.directory.write(Array(settings.utf8), to: "config")
    daemon.process.send(signal: 1)
    #expect(daemon.process.settle { _ in reloads > before }, sourceLocation: sourceLocation)
  }

  private var reloads: Int {
    daemon.log.split(separator: "\n").count { $0.contains("configuration-read") }
  }

  /// Waits until so many bytes of another program's content were read.
  func waitForCapture(
    bytes: Int, of name: String = "clipboard", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try eventually { (try state(of: name)["bytes"]?.int ?? 0) >= bytes }, "\(daemon.log)",
      sourceLocation: sourceLocation)
  }

  /// Lets a program die and waits until what it had is offered by the service.
  func die(
    _ owner: inout BackgroundPeer?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    withExtendedLifetime(owner) {}
    owner = nil
    #expect(daemon.settle(" kept "), "\(daemon.log)", sourceLocation: sourceLocation)
  }

  /// The targets that the owner lists, without those that ask about the selection.
  func contentTargets() throws -> [String] {
    (try peer.targets() ?? []).filter { !["TARGETS", "TIMESTAMP", "MULTIPLE"].contains($0) }
  }
}

extension RawTarget {
  /// Content that can be told from any other, of this length.
  static func patterned(_ name: String, count: Int) -> RawTarget {
    let seed = name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF }
    return RawTarget(name, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) })
  }
}
