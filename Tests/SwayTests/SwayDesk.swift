import SystemIO
import TestSupport
import Testing

/// All that opens the display runs one at a time: the selections of a display are there once.
@Suite("clipview in sway", .serialized, .enabled(if: SwayCompositor.isExpected))
enum InSway {}

/// A compositor with empty selections, and the programs that people use in it.
struct SwayDesk {
  let compositor: SwayCompositor

  /// The one that most tests share, cleared of what an earlier one left there.
  init() throws { try self.init(SwayCompositor.shared()) }

  init(_ compositor: SwayCompositor) throws {
    self.compositor = compositor
    for arguments in [["--clear"], ["--clear", "--primary"]] {
      _ = try wlCopy(nil, arguments)
    }
  }

  // MARK: clipview

  func clipview(
    _ arguments: String..., input: [UInt8]? = nil,
    outputs: SpawnOptions.Outputs = .captured, environment: [String: String] = [:],
    timeout: Double = 20
  ) throws -> ProcessResult {
    try run(
      Programs.clipview, arguments, input: input, outputs: outputs,
      environment: compositor.environment(environment), timeout: timeout)
  }

  /// Copies and expects success without a word.
  func copy(
    _ input: [UInt8]?, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(
      Programs.clipview, ["copy"] + arguments, input: input,
      environment: compositor.environment(), timeout: 60)
    #expect(result.isSilentSuccess, "\(result)", sourceLocation: sourceLocation)
  }

  /// What `clipview paste` prints, with success.
  func paste(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    let result = try run(
      Programs.clipview, ["paste"] + arguments, environment: compositor.environment(),
      timeout: 60)
    #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    return result.output
  }

  // MARK: wl-copy and wl-paste

  private func required(_ program: String) throws -> String {
    try #require(Programs.installed(program), "\(program) has to be installed")
  }

  /// Lets wl-copy own the clipboard.
  ///
  /// It keeps its outputs open.
  @discardableResult
  func wlCopy(_ input: [UInt8]?, _ arguments: [String] = []) throws -> ProcessResult {
    let result = try run(
      required("wl-copy"), arguments, input: input, outputs: .discarded,
      environment: compositor.environment(), timeout: 60)
    #expect(result.status == 0, "\(result)")
    return result
  }

  func wlPaste(_ arguments: String...) throws -> ProcessResult {
    try run(
      required("wl-paste"), arguments, environment: compositor.environment(), timeout: 60)
  }

  // MARK: Processes

  private func processes(_ program: String) -> [Int32] {
    Processes.running(program, with: "XDG_RUNTIME_DIR=\(compositor.directory)")
  }

  /// The processes of clipview on this display: those that serve a selection.
  var servers: [Int32] { processes(Programs.clipview) }

  /// The process that serves the only selection that is owned.
  func servingProcess() throws -> Int32 {
    #expect(eventually { servers.count == 1 })
    return try #require(servers.first)
  }

  /// The processes of wl-copy that serve a selection.
  func wlCopyServers() throws -> [Int32] { processes(try required("wl-copy")) }
}

/// A `clipview watch` that watches, as long as it is held.
final class SwayWatching {
  let child: ChildProcess

  init(_ desk: SwayDesk, _ arguments: String...) throws {
    child = try ChildProcess(
      Programs.clipview, ["watch", "-v"] + arguments, environment: desk.compositor.environment())
    let isReady = child.settle(within: 20) { child in
      text(child.receivedErrors).contains("watching the ")
    }
    try #require(isReady, "it does not watch: \(text(child.receivedErrors))")
  }

  /// Whole lines.
  var lines: [String] { TestSupport.lines(child.received) }

  /// Waits until it has printed that many lines.
  func hasLines(_ count: Int, within seconds: Double = 20) -> Bool {
    child.settle(within: seconds) { _ in lines.count >= count }
  }
}
