import ClipboardCore
import ControlProtocol
import DaemonBackend
import EventLoop
import Pasteboard
import SelectionCore
import SystemIO

/// What is on the pasteboards, as files in the runtime directory, so that a service that is started
/// again, however the one before it ended, has it: one file a pasteboard, in `current`.
///
/// Never secret content, and nothing that is served on terms. A file is there whole or not at all,
/// and says of each of its bytes whether it is right. It is gone as soon as its content is.
final class RuntimeCopies {
  /// The most bytes of all contents.
  var limit: Int {
    didSet { if limit == 0 { for name in slots.keys { remove(name) } } }
  }
  private let directory: FilePath?
  private let loop: any EventLoop
  private let worker: Worker
  private let log: Log
  private var slots: [String: Slot] = [:]

  private struct Slot {
    var size: Int
    /// Nil when it is there.
    var writing: Writing?
  }

  /// A file that is being written on the worker.
  private final class Writing {
    var job: LoopToken?
    /// Who is told when it is there, or given up.
    private var waiters: [() -> Void] = []
    private var timer: LoopToken?

    func wait(on loop: any EventLoop, _ waiter: @escaping () -> Void) {
      waiters.append(waiter)
      timer = timer ?? loop.schedule(after: patience) { [weak self] in self?.end() }
    }

    func end() {
      timer = nil
      let waiters = waiters
      self.waiters = []
      for waiter in waiters { waiter() }
    }
  }

  /// Up to here it is written at once, more on the worker.
  private static let quickSize = 1 << 16

  /// How long somebody who copies waits for a file: what is large is written in less, but the worker
  /// may have something else to do.
  private static let patience = Duration.seconds(1)

  /// More than what stands in a file beside contents.
  private static let indexRoom = 16 << 20

  /// - Parameter base: The service's own directory; nobody else may have it.
  init(in base: FilePath, limit: Int, loop: any EventLoop, worker: Worker, log: Log) {
    self.limit = limit
    self.loop = loop
    self.worker = worker
    self.log = log
    do throws(RuntimeDirectory.Problem) {
      directory = try RuntimeDirectory.makePrivate("current", in: base)
    } catch {
      // Everything else works without.
      directory = nil
      log.write(.fault, "nothing-outlives-a-restart", ["reason": error])
    }
    guard let directory else { return }
    for name in (try? namesInDirectory(directory)) ?? [] {
      let path = directory.appending(name)
      if limit == 0 || name.hasPrefix(FileDraft.prefix) {
        // Not wanted any more, or one before us was killed while it wrote.
        try? removeFile(at: path)
      } else if let size = try? fileSize(at: path) {
        slots[name] = Slot(size: size)
      }
    }
  }

  // MARK: Writing

  /// Writes down what is on a pasteboard, in the place of what was there.
  ///
  /// - Parameter isSame: Whether that is the same content: it stays until the new one is there.
  func put(_ copy: KeptCopy, isSame: Bool = false) {
    guard let directory else { return }
    guard limit > 0 else { return remove(copy.place) }
    let name = Self.fileName(of: copy.place)
    let size = copy.size
    let others = slots.reduce(0) { $1.key == name ? $0 : $0 + $1.value.size }
    guard size <= limit - others else { return refuse(copy.place, size, "limit") }
    if size <= Self.quickSize {
      do throws(Errno) {
        try Self.draft(of: copy, in: directory).put(at: directory.appending(name))
        set(Slot(size: size), at: name)
      } catch {
        refuse(copy.place, size, error.message)
      }
      return
    }
    if !isSame { remove(copy.place) }
    let writing = Writing()
    writing.job = worker.run({ try Self.draft(of: copy, in: directory) }) {
      [weak self, weak writing] result in
      guard let self, let writing, self.slots[name]?.writing === writing else { return }
      self.written(result, copy.place, size)
    }
    guard writing.job != nil else { return refuse(copy.place, size, "busy") }
    set(Slot(size: size, writing: writing), at: name)
  }

  private func written(_ result: Result<FileDraft, any Error>, _ place: ControlPlace, _ size: Int) {
    guard let directory else { return }
    let name = Self.fileName(of: place)
    do {
      try result.get().put(at: directory.appending(name))
      set(Slot(size: size), at: name)
    } catch {
      refuse(place, size, (error as? Errno)?.message ?? "\(error)")
    }
  }

  /// What was under way there is given up: its file never gets a name.
  private func set(_ slot: Slot?, at name: String) {
    let before = slots[name]?.writing
    slots[name] = slot
    before?.end()
  }

  /// Calls when what was put last is there, or will not be: at once where nothing is under way.
  ///
  /// Whoever copies is told that it is done when it is safe, unless that takes too long.
  func settle(_ place: ControlPlace, _ completion: @escaping () -> Void) {
    guard let writing = slots[Self.fileName(of: place)]?.writing else { return completion() }
    writing.wait(on: loop, completion)
  }

  private func refuse(_ place: ControlPlace, _ size: Int, _ reason: String) {
    remove(place)
    log.write(
      .notice, "not-kept-over-restart",
      ["display": place.display ?? "none", "name": place.name, "bytes": size, "reason": reason])
  }

  /// The directory lies in memory as a rule and is shared with all that runs for the user.
  private static func draft(
    of copy: KeptCopy, in directory: FilePath
  ) throws(Errno) -> FileDraft {
    if copy.size > quickSize, copy.size > (try freeSpace(in: directory)) / 2 { throw .noSpace }
    let file = copy.saved.encoded()
    return try unsafe FileDraft(privateIn: directory) { write throws(Errno) in
      try unsafe file.forEachChunk { bytes throws(Errno) in try unsafe write(bytes) }
    }
  }

  /// Takes away what is there: it was cleared, replaced, or is not to be kept.
  func remove(_ place: ControlPlace) {
    remove(Self.fileName(of: place))
  }

  private func remove(_ name: String) {
    guard let directory, slots[name] != nil else { return }
    set(nil, at: name)
    try? removeFile(at: directory.appending(name))
  }

  // MARK: Reading

  /// What is there of a pasteboard; what cannot be read is taken away.
  func copy(of place: ControlPlace) -> KeptCopy? {
    read(Self.fileName(of: place), at: place)
  }

  /// What is there of the pasteboards that no display knows.
  func namedCopies() -> [KeptCopy] {
    slots.keys.filter { $0.hasPrefix(Self.namedPrefix) }.sorted().compactMap { read($0, at: nil) }
  }

  private func read(_ name: String, at place: ControlPlace?) -> KeptCopy? {
    guard let directory, let slot = slots[name], slot.writing == nil else { return nil }
    let path = directory.appending(name)
    do {
      let file = try openRegularFile(path)
      let contents = try readToEnd(of: file.rawValue, limit: slot.size + Self.indexRoom)
      return try KeptCopy(decoding: Payload(contents), at: place)
    } catch {
      slots[name] = nil
      try? removeFile(at: path)
      log.write(.fault, "kept-copy-unreadable", ["file": name, "reason": error])
      return nil
    }
  }

  // MARK: Names

  private static let namedPrefix = "pasteboard-"

  /// `x11::0-clipboard`, `pasteboard-notes`.
  static func fileName(of place: ControlPlace) -> String {
    let prefix = place.display.map { spelled($0) + "-" } ?? namedPrefix
    let name = prefix + spelled(place.name)
    // A file system takes 255 bytes.
    guard name.utf8.count > 200 else { return name }
    let checksum = CRC32(of: Array(name.utf8)).value
    return "\(name.utf8.prefix(180).map { String(Unicode.Scalar($0)) }.joined())~\(checksum)"
  }

  /// Letters, digits and some marks as they are, every other byte as `%` and two digits.
  private static func spelled(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return result
  }
}
