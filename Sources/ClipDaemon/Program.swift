import ClipboardCore
import EventLoop
import SystemIO

/// The version that `--version` tells.
let programVersion = "0.1.0"

/// What the process says with its end; documented in Documentation/clipd.md.
enum ExitStatus: Int32 {
  case done = 0
  /// Another one serves this user already.
  case alreadyRuns = 1
  case usage = 2
  /// There is no place for the socket.
  case noPlace = 3
  /// The configuration has faults.
  case faultyConfiguration = 6
}

@main
struct Program {
  static func main() {
    StandardStream.ensureOpen()
    ignoreBrokenPipes()
    ignoreFileSizeLimits()
    do throws(StartFailure) {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try run(options)
    } catch {
      tell("clipd: \(error.message)")
      exitImmediately(error.status.rawValue)
    }
    exitImmediately(ExitStatus.done.rawValue)
  }

  private static func run(_ options: Options) throws(StartFailure) {
    switch options.action {
    case .help: return write(Options.help)
    case .version: return write("clipd \(programVersion)\n")
    case .printConfiguration: return write(try configuration(options).text)
    case .checkConfiguration: return try check(options)
    case .serve: break
    }
    // What it holds is nobody's business: no core is written, and no other program of the user may
    // look into its memory.
    keepMemoryPrivate()
    let configuration = try configuration(options)
    let service = try Service(options: options, configuration: configuration)
    try service.run()
  }

  private static func configuration(_ options: Options) throws(StartFailure) -> Configuration {
    let source = ConfigurationFile(options.configuration)
    do throws(ConfigurationFaults) {
      return try source.read()
    } catch {
      throw StartFailure(.faultyConfiguration, error.lines.joined(separator: "\nclipd: "))
    }
  }

  private static func check(_ options: Options) throws(StartFailure) {
    _ = try configuration(options)
  }

  private static func write(_ text: String) { try? StandardStream.output.write(text) }
}

/// Why the service does not begin.
struct StartFailure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// A line on standard error.
func tell(_ line: String) { try? StandardStream.error.write(line + "\n") }
