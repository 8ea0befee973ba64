import ClipboardCore
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// The guards that are armed, as a file in the runtime directory, so that a service that is started again,
/// however the one before it ended, refuses what that one had to refuse.
///
/// Ends are times since the machine was started, that in which it slept included, and count for that start
/// only. The names of pasteboards stand there, and no content.
struct GuardFile {
  struct Entry: Hashable {
    /// Nil for the guard of everything.
    let name: String?
    let end: Duration
  }

  enum Contents {
    case entries([Entry])
    /// It is no file of ours, or of another start of the machine.
    case useless
  }

  let path: FilePath
  private let directory: FilePath

  init(in directory: FilePath) {
    self.directory = directory
    path = directory.appending("guard")
  }

  /// Far more than all names together have.
  private static let limit = 16 << 20

  // MARK: Reading

  /// What stands there; no entries where there is no file.
  func read() throws -> Contents {
    let contents: ReadContents
    do {
      let file = try openRegularFile(path)
      contents = try readToEnd(of: file.rawValue, limit: Self.limit)
    } catch let error as Errno {
      switch error {
      case .notFound: return .entries([])
      case .isDirectory, .notSupported, .isLink: return .useless
      default: throw error
      }
    } catch ReadContentsError.tooLarge {
      return .useless
    }
    guard let value = JSONValue(parsing: Payload(contents).bytes),
      value["boot"] == .string(try Self.boot()), case .array(let guards)? = value["guards"]
    else { return .useless }
    var entries: [Entry] = []
    for item in guards {
      guard case .integer(let end)? = item["end"] else { return .useless }
      switch item["name"] {
      case .string(let name)?: entries.append(Entry(name: name, end: .nanoseconds(end)))
      case .null?: entries.append(Entry(name: nil, end: .nanoseconds(end)))
      default: return .useless
      }
    }
    return .entries(entries)
  }

  // MARK: Writing

  /// Puts these in the place of what stands there, in one step; no file where there are none.
  func write(_ entries: [Entry]) throws(Errno) {
    if entries.isEmpty { return try removeFile(at: path) }
    let value = JSONValue.object([
      .init("schema", .integer(1)), .init("boot", .string(try Self.boot())),
      .init(
        "guards",
        .array(
          entries.map { entry in
            .object([
              .init("name", entry.name.map { .string($0) } ?? .null),
              .init("end", .integer(Int(entry.end.nanoseconds))),
            ])
          })),
    ])
    let text = Payload(Array("\(value)\n".utf8))
    let draft = try unsafe FileDraft(privateIn: directory) { write throws(Errno) in
      try unsafe text.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
    }
    try draft.put(at: path)
  }

  /// What this start of the machine is called.
  private static func boot() throws(Errno) -> String {
    let file = try openForReading(FilePath("/proc/sys/kernel/random/boot_id"))
    do throws(ReadContentsError) {
      guard case .bytes(let bytes) = try readToEnd(of: file.rawValue, limit: 256) else { return "" }
      return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    } catch {
      if case .system(let error) = error { throw error }
      throw .tooLarge
    }
  }
}
