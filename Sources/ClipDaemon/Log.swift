import SelectionCore
import SystemIO

/// What the service tells of itself: one line for each event, `clipd: event name=value …`.
///
/// Names, numbers and sizes; never a byte of content. A reader of the log that has stopped reading costs
/// it lines, and the service nothing: how many were lost is told when there is room again.
final class Log {
  enum Level: Int {
    // The numbers of syslog, which the journal reads at the beginning of a line.
    case fault = 3
    case notice = 5
    case detail = 7
  }

  var level = Configuration.LogLevel.normal
  /// Whether the journal reads along.
  private let hasPriorities = environmentVariable("JOURNAL_STREAM") != nil

  private var lostLines = 0

  /// What a pipe takes whole and at once where it says that it has room.
  private static let maximumLine = 4096

  init() {}

  func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, Any> = [:]) {
    switch self.level {
    case .quiet where level != .fault: return
    case .normal where level == .detail: return
    default: break
    }
    var line = hasPriorities ? "<\(level.rawValue)>" : "clipd: "
    line += event
    for (name, value) in fields { line += " \(name)=\(Self.spelled(value))" }
    if lostLines > 0 { line += " lost-lines=\(lostLines)" }
    guard line.utf8.count < Self.maximumLine, StandardStream.error.hasRoom else {
      lostLines += 1
      return
    }
    lostLines = 0
    tell(line)
  }

  /// Numbers and plain words as they are, everything else in quotation marks, escaped as in JSON.
  private static func spelled(_ value: Any) -> String {
    let text = "\(value)"
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || "-_./:".utf8.contains(byte)
      }
    return isPlain ? text : JSONValue.string(text).description
  }

  /// A text that somebody else wrote, for a message: one line, nothing that a terminal acts on.
  static func visible(_ text: String) -> String {
    String(JSONValue.string(text).description.dropFirst().dropLast())
  }
}
