import SystemIO
import TestSupport
import Testing

/// A `clipd` that manages displays, in a runtime directory of its own, ended together with whoever holds
/// it.
final class SwayDaemon {
  let directory = TemporaryDirectory()
  let process: ChildProcess
  /// Leads to the socket of a compositor, and may be led to that of another one.
  let display: String
  private let additions: [String: String]

  /// Starts one and waits until it says that it is ready.
  init(
    _ compositor: SwayCompositor, _ arguments: [String] = [], settings: String = "",
    environment additions: [String: String] = [:]
  ) throws {
    self.additions = additions
    display = "\(directory.path)/display-\(uniqueNumber())"
    try Self.link(display, to: compositor)
    let configuration = try directory.write(Array(settings.utf8), to: "config")
    process = try ChildProcess(
      Programs.clipd, ["--config", configuration, "--wayland-display", display] + arguments,
      environment: Programs.environment(["XDG_RUNTIME_DIR": directory.path]))
    #expect(process.settle { text($0.receivedErrors).contains("ready") }, "\(log)")
  }

  private static func link(_ name: String, to compositor: SwayCompositor) throws {
    let result = try run(
      "ln", ["-sfn", "\(compositor.directory)/\(compositor.display)", name],
      environment: Programs.environment())
    try #require(result.status == 0, "\(result)")
  }

  /// From now on the display is another compositor's.
  func lead(to compositor: SwayCompositor) throws { try Self.link(display, to: compositor) }

  var environment: [String: String] {
    Programs.environment([
      "XDG_RUNTIME_DIR": directory.path, "WAYLAND_DISPLAY": display,
    ]).merging(additions) { $1 }
  }

  var log: String { text(process.receivedErrors) }

  /// Waits until the service has said something.
  func settle(_ words: String) -> Bool {
    process.settle(within: 60) { text($0.receivedErrors).contains(words) }
  }

  func clipview(_ arguments: String..., input: [UInt8]? = nil) throws -> ProcessResult {
    try run(Programs.clipview, arguments, input: input, environment: environment, timeout: 60)
  }

  func wlPaste(_ arguments: String...) throws -> ProcessResult {
    try run(
      try #require(Programs.installed("wl-paste")), arguments, environment: environment,
      timeout: 60)
  }

  func wlCopy(_ text: String, _ arguments: String...) throws {
    let result = try run(
      try #require(Programs.installed("wl-copy")), arguments, input: Array(text.utf8),
      outputs: .discarded, environment: environment, timeout: 60)
    #expect(result.status == 0, "\(result)")
  }

  /// The processes of wl-copy on this display.
  func wlCopyServers() throws -> [Int32] {
    let program = try #require(Programs.installed("wl-copy"))
    return Processes.running(program, with: "WAYLAND_DISPLAY=\(display)")
  }

  /// What `clipview status` tells of a selection of a display.
  func state(
    of name: String = "clipboard", on kind: String = "wayland"
  ) throws -> JSON? {
    JSON(try clipview("status", "--json").text)?["pasteboards"]?.array?.first {
      $0["name"]?.string == name && $0["display"]?.string?.hasPrefix(kind) == true
    }
  }

  /// Waits until so many bytes of another program's content were read.
  func waitForCapture(_ bytes: Int) throws {
    #expect(try eventually { (try state()?["bytes"]?.int ?? 0) >= bytes }, "\(log)")
    // What has no bytes is read last where the owner has it last: written down is only what is whole.
    #expect(eventually { !Files.names(in: "\(directory.path)/clipview/current").isEmpty }, "\(log)")
  }
}
