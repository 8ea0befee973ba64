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
  /// Whether it is known what is there.
  private var isListed = false
  /// The files of named pasteboards that have not been read yet.
  private var unreadNames: Set<String> = []
  /// What could not be read at first.
  let retries: Retries

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
    retries = Retries(on: loop)
    self.worker = worker
    self.log = log
    do throws(RuntimeDirectory.Problem) {
      directory = try RuntimeDirectory.makePrivate("current", in: base)
    } catch {
      // Everything else works without.
      directory = nil
      log.write(.fault, "nothing-outlives-a-restart", ["reason": error])
    }
    if directory != nil, !list() { retries.add { [weak self] in self?.list() ?? true } }
  }

  /// Looks at what is there; whether that could be done.
  private func list() -> Bool {
    guard let directory else { return true }
    do throws(Errno) {
      for name in try namesInDirectory(directory) where slots[name] == nil {
        let path = directory.appending(name)
        let isDraft = name.hasPrefix(FileDraft.prefix)
        if limit == 0 || isDraft {
          // Not wanted any more, or one before us was killed while it wrote; later it may be ours.
          if !isDraft || !retries.isRetrying { try removeFile(at: path) }
        } else {
          slots[name] = Slot(size: try fileSize(at: path))
          if name.hasPrefix(Self.namedPrefix) { unreadNames.insert(name) }
        }
      }
    } catch {
      noteUnread("all", error)
      return false
    }
    isListed = true
    return true
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
    unreadNames.remove(name)
    slots[name] = slot
    before?.end()
  }

  /// Whether what was put last is not there yet.
  func isWriting(_ place: ControlPlace) -> Bool {
    slots[Self.fileName(of: place)]?.writing != nil
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
    guard let directory else { return }
    // Also where it is not known: whatever could not be looked at must not come back after this.
    set(nil, at: name)
    try? removeFile(at: directory.appending(name))
  }

  // MARK: Reading

  enum Finding {
    case copy(KeptCopy)
    case nothing
    /// There may be something, which cannot be read now.
    case unreadable
  }

  /// What is there of a pasteboard; what is damaged is taken away.
  func copy(of place: ControlPlace) -> Finding {
    read(Self.fileName(of: place), at: place)
  }

  /// Hands on what is there of the pasteboards that no display knows: at once, and what cannot be read or
  /// used now when it can.
  ///
  /// - Parameter use: Whether it could be used.
  func restoreNamed(_ use: @escaping (KeptCopy) -> Bool) {
    if !readNamed(use) { retries.add { [weak self] in self?.readNamed(use) ?? true } }
  }

  /// Whether nothing is left to be read.
  private func readNamed(_ use: (KeptCopy) -> Bool) -> Bool {
    for name in unreadNames.sorted() {
      switch read(name, at: nil) {
      case .copy(let copy):
        if use(copy) { unreadNames.remove(name) }
      case .nothing: unreadNames.remove(name)
      case .unreadable: break
      }
    }
    return isListed && unreadNames.isEmpty
  }

  private func read(_ name: String, at place: ControlPlace?) -> Finding {
    guard let directory, slots[name]?.writing == nil else { return .nothing }
    let path = directory.appending(name)
    let contents: ReadContents
    do {
      let file = try openRegularFile(path)
      contents = try readToEnd(of: file.rawValue, limit: try fileSize(at: path) + Self.indexRoom)
    } catch let error as Errno where error == .notFound {
      set(nil, at: name)
      return .nothing
    } catch let error where Self.mayPass(error) {
      noteUnread(name, error)
      return .unreadable
    } catch {
      return drop(name, error)
    }
    do throws(KeptCopy.Fault) {
      let copy = try KeptCopy(decoding: Payload(contents), at: place)
      slots[name] = slots[name] ?? Slot(size: copy.size)
      return .copy(copy)
    } catch {
      return drop(name, error)
    }
  }

  /// It is no file of ours, or not what we wrote: nothing will ever come of it.
  private func drop(_ name: String, _ reason: any Error) -> Finding {
    remove(name)
    log.write(.fault, "kept-copy-unreadable", ["file": name, "reason": reason])
    return .nothing
  }

  /// Whether an error says nothing about the file, which is left as it is then.
  ///
  /// The system has no descriptor or no memory to spare, or the device does not answer.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case ReadContentsError.system: true
    case let error as Errno: ![.isDirectory, .notSupported, .isLink].contains(error)
    default: false
    }
  }

  /// Tells of it once, not each time that it is tried.
  private func noteUnread(_ name: String, _ reason: any Error) {
    guard !retries.isRetrying else { return }
    let reason = (reason as? Errno)?.message ?? "\(reason)"
    log.write(.fault, "kept-copy-not-read", ["file": name, "reason": reason])
  }

  /// It was read, and there is no room for it now.
  func noteUnused(_ place: ControlPlace, _ reason: Errno) {
    noteUnread(Self.fileName(of: place), reason)
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
