import SystemIO
import TestSupport
import Testing

/// All that opens a display runs one at a time: the selections of a display are there once.
@Suite("clipview on a display", .serialized, .enabled(if: XServer.isExpected))
enum OnDisplay {}

/// A display with empty selections, and the programs that people use on it.
struct Desk {
  let server: XServer
  /// A client of our own that looks at what the programs do.
  let peer: RawPeer

  /// The display that most tests share, cleared of what an earlier one left there.
  init() throws { try self.init(XServer.shared()) }

  init(_ server: XServer) throws {
    self.server = server
    peer = try RawPeer(server)
    for selection in ["CLIPBOARD", "PRIMARY", "SECONDARY"] {
      try peer.own(OwnerScript([]), selection: selection)
      try peer.release(selection)
    }
  }

  // MARK: clipview

  func clipview(
    _ arguments: String..., input: [UInt8]? = nil,
    outputs: SpawnOptions.Outputs = .captured, environment: [String: String] = [:],
    timeout: Double = 10
  ) throws -> ProcessResult {
    try run(
      Programs.clipview, arguments, input: input, outputs: outputs,
      environment: server.environment(environment), timeout: timeout)
  }

  /// Copies and expects success without a word.
  func copy(
    _ input: [UInt8]? = nil, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(
      Programs.clipview, ["copy"] + arguments, input: input, environment: server.environment(),
      timeout: 60)
    #expect(result.isSilentSuccess, "\(result)", sourceLocation: sourceLocation)
  }

  func copy(
    _ text: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(
      Programs.clipview, ["copy"] + arguments, input: Array(text.utf8),
      environment: server.environment())
    #expect(result.isSilentSuccess, "\(result)", sourceLocation: sourceLocation)
  }

  /// What `clipview paste` prints, with success.
  func paste(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let result = try run(
      Programs.clipview, ["paste"] + arguments, environment: server.environment(), timeout: 60)
    #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    return result.output
  }

  // MARK: xclip and xsel

  private func required(_ program: String) throws -> String {
    try #require(Programs.installed(program), "\(program) has to be installed")
  }

  /// Lets xclip own the clipboard.
  ///
  /// It returns before its request reaches the server.
  func xclipIn(_ bytes: [UInt8], target: String? = nil) throws {
    try takeover {
      try run(
        required("xclip"),
        ["-selection", "clipboard", "-i"] + (target.map { ["-t", $0] } ?? []), input: bytes,
        outputs: .discarded, environment: server.environment(), timeout: 60)
    }
  }

  /// Lets xsel own the clipboard.
  ///
  /// It returns before it does.
  func xselIn(_ bytes: [UInt8]) throws {
    try takeover {
      try run(
        required("xsel"), ["-b", "-i"], input: bytes, outputs: .discarded,
        environment: server.environment(), timeout: 60)
    }
  }

  private func takeover(_ program: () throws -> ProcessResult) throws {
    let before = try peer.owner(of: "CLIPBOARD")
    let result = try program()
    #expect(result.status == 0, "\(result)")
    let isTaken = try eventually {
      let owner = try peer.owner(of: "CLIPBOARD")
      return owner != 0 && owner != before
    }
    #expect(isTaken)
  }

  func xclipOut(target: String? = nil) throws -> ProcessResult {
    try run(
      required("xclip"), ["-selection", "clipboard", "-o"] + (target.map { ["-t", $0] } ?? []),
      environment: server.environment(), timeout: 60)
  }

  func xselOut() throws -> ProcessResult {
    try run(required("xsel"), ["-b", "-o"], environment: server.environment(), timeout: 60)
  }

  // MARK: Peers

  /// A scripted owner that works beside us as long as it is held.
  func owner(
    _ targets: RawTarget..., selection: String = "CLIPBOARD"
  ) throws -> BackgroundPeer {
    try BackgroundPeer(server, owning: OwnerScript(targets), selection: selection)
  }

  func owner(_ script: OwnerScript, selection: String = "CLIPBOARD") throws -> BackgroundPeer {
    try BackgroundPeer(server, owning: script, selection: selection)
  }

  /// The processes of clipview on this display: those that serve a selection.
  ///
  /// One whose selection was just taken may still be among them.
  var servers: [Int32] { Processes.running(Programs.clipview, display: server.display) }

  /// The process that serves the only selection that is owned.
  func servingProcess() throws -> Int32 {
    #expect(eventually { servers.count == 1 })
    return try #require(servers.first)
  }
}

extension [String] {
  /// Targets without those that ask about the selection and without clipview's own mark.
  var content: [String] {
    filter {
      !["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "application/x-clipview-origin"]
        .contains($0)
    }
  }
}
