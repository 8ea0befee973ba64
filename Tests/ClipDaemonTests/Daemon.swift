import ControlProtocol
import DaemonBackend
import SystemIO
import TestSupport
import Testing

/// What starts processes and counts their descriptors runs one at a time.
@Suite("clipd", .serialized)
enum OnService {}

/// A `clipd` of our own in a runtime directory of its own, ended together with whoever holds it.
final class Daemon {
  let directory: TemporaryDirectory
  let process: ChildProcess
  private let additions: [String: String]

  /// Starts one and waits until it says that it is ready.
  ///
  /// - Parameters:
  ///   - directory: The runtime directory: that of another one, which has ended.
  ///   - settings: The lines of its configuration.
  ///   - descriptors: How many it may have open until it is allowed more, as with `ulimit -n`; it may not
  ///     get ready then.
  init(
    _ arguments: String..., in directory: TemporaryDirectory = TemporaryDirectory(),
    settings: String = "", environment additions: [String: String] = [:], descriptors: Int? = nil
  ) throws {
    self.directory = directory
    self.additions = additions
    let configuration = try directory.write(Array(settings.utf8), to: "config")
    var words = [Programs.clipd, "--config", configuration] + arguments
    if let descriptors { words = ["/usr/bin/prlimit", "--nofile=\(descriptors):4096"] + words }
    process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: Self.environment(directory, additions))
    let isReady = process.settle { $0.log.contains("ready") || !$0.isRunning }
    #expect(isReady || descriptors != nil, "\(process.log)")
  }

  /// Lets it have as many descriptors as programs have.
  func giveDescriptors() throws {
    let result = try run(
      "/usr/bin/prlimit", ["--pid", "\(process.pid)", "--nofile=1024:"],
      environment: Programs.environment())
    #expect(result.status == 0, "\(result)")
  }

  static func environment(
    _ directory: TemporaryDirectory, _ additions: [String: String] = [:]
  ) -> [String: String] {
    Programs.environment(["XDG_RUNTIME_DIR": directory.path].merging(additions) { $1 })
  }

  var environment: [String: String] { Self.environment(directory, additions) }
  var socket: FilePath { FilePath("\(directory.path)/clipview/control") }
  var log: String { process.log }

  /// Waits until the service has said something.
  func settle(_ text: String) -> Bool { process.settle { $0.log.contains(text) } }

  /// Ends it as nothing but a signal 9 does.
  func kill() {
    process.send(signal: 9)
    _ = process.finish(within: 10)
  }

  func end() -> ProcessResult {
    process.send(signal: 15)
    return process.finish(within: 10)
  }

  // MARK: Programs

  func clipview(
    _ arguments: String..., input: [UInt8]? = nil, environment more: [String: String] = [:],
    timeout: Double = 20
  ) throws -> ProcessResult {
    try run(
      Programs.clipview, arguments, input: input, environment: environment.merging(more) { $1 },
      timeout: timeout)
  }

  /// Copies to a named pasteboard and expects success without a word.
  func copy(
    _ text: String, to name: String = "notes", _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(
      Programs.clipview, ["copy", "-s", name] + arguments, input: Array(text.utf8),
      environment: environment)
    #expect(
      result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)",
      sourceLocation: sourceLocation)
  }

  func paste(
    from name: String = "notes", _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try run(
      Programs.clipview, ["paste", "-s", name] + arguments, environment: environment)
    #expect(
      result.status == 0 && result.errors.isEmpty, "\(result)", sourceLocation: sourceLocation)
    return result.text
  }

  func json(_ arguments: String...) throws -> JSON {
    let result = try run(
      Programs.clipview, arguments + ["--json"], environment: environment)
    #expect(result.status == 0, "\(result)")
    return try #require(JSON(result.text))
  }

  // MARK: The socket

  func connect() throws -> ControlConnection { try ControlConnection(path: socket) }

  /// A connection over which anything may be said.
  func rawClient() throws -> RawClient { try RawClient(socket) }
}

extension ChildProcess {
  var log: String { text(receivedErrors) }
}

extension ProcessResult {
  /// Whether it failed with this code, without output, and with one line.
  func isFailure(_ code: Int32) -> Bool {
    status == code && output.isEmpty && errors.hasPrefix("clipview: ")
      && errors.split(separator: "\n").count == 1
  }
}

/// One end of the control socket that does not keep to the protocol.
final class RawClient {
  private let socket: LocalSocket

  init(_ path: FilePath) throws { socket = try LocalSocket(connectingTo: path) }

  /// Sends what the other end takes; how many bytes that were.
  @discardableResult
  func send(_ bytes: [UInt8], descriptor: Int32? = nil) throws -> Int {
    let result = try unsafe bytes.withUnsafeBufferPointer { bytes in
      try unsafe socket.send(UnsafeRawBufferPointer(bytes), descriptor: descriptor)
    }
    if case .done(let count) = result { return count }
    return 0
  }

  /// All that comes until the other end closes, or a condition holds.
  func receive(
    within seconds: Double = 10, until isEnough: (([UInt8]) -> Bool)? = nil
  ) throws -> (bytes: [UInt8], isClosed: Bool) {
    var received: [UInt8] = []
    var isClosed = false
    _ = try eventually(within: seconds) {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count: Int? = try unsafe buffer.withUnsafeMutableBytes { buffer in
        do {
          switch try unsafe socket.receive(into: buffer) {
          case .wouldBlock: return nil
          case .done(let bytes): return bytes.count
          }
        } catch let error as Errno where error == .connectionReset {
          return 0
        }
      }
      guard let count else { return false }
      if count == 0 { isClosed = true }
      received += buffer[..<count]
      return isClosed || isEnough?(received) ?? false
    }
    return (received, isClosed)
  }

  /// The first reply that comes.
  func reply() throws -> ControlReply? {
    var decoder = ControlFrameDecoder()
    let received = try receive { bytes in
      bytes.count >= ControlFrame.headerSize
        && bytes.count >= ControlFrame.headerSize + Int(bytes[12]) + Int(bytes[13]) << 8
    }
    decoder.append(received.bytes)
    return try decoder.next().map { try ControlReply($0) }
  }
}
