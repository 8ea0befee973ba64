internal import Synchronization
internal import SystemIO

/// The shared MIME database of freedesktop.org, as it is installed: which MIME types files have by
/// their names and by their content, and which types are kinds of which.
///
/// Every Linux desktop has this database, packages and users add to it, and file managers decide by
/// it. One call is enough:
///
///     MIMEDatabase.installed.mimeTypes(forFileName: "notes.tar.gz")  // application/x-compressed-tar
///
/// Nothing is read before the first question, which costs a fraction of a millisecond. Later ones
/// look whether the database has changed, every five seconds at most. Where no database is
/// installed, all answers are what can be said without one: none for names, text or bytes for
/// content. Names of types are compared without case, and come in the spelling of the database.
///
/// Detection tells formats. What a type conforms to is told by ``type(forMIMEType:in:)`` and
/// ``isType(_:conformingTo:in:)``. May be used from several threads at once.
public final class MIMEDatabase: Sendable {
  private let state: Mutex<State>
  private let checkInterval: Duration

  private struct State: Sendable {
    var files: [MIMECacheFile]
    var overlay: MIMEOverlay?
    /// On the clock of ``currentTimeSinceBoot()``.
    var lastCheck: Duration?
  }

  /// The database that programs on this system share: of `XDG_DATA_HOME` and `XDG_DATA_DIRS`, or of
  /// `~/.local/share`, `/usr/local/share` and `/usr/share` where these are not set.
  public static let installed = MIMEDatabase(
    dataDirectories: dataDirectories(environmentVariable: MIMECacheFile.environmentVariable))

  /// The database of some data directories, that of the highest precedence first.
  ///
  /// In each the file `mime/mime.cache` is read, which `update-mime-database` makes. It need not
  /// exist; when it comes, changes or goes, answers change with it after `checkInterval`.
  public init(dataDirectories: [String], checkInterval: Duration = .seconds(5)) {
    self.checkInterval = checkInterval
    state = Mutex(
      State(files: dataDirectories.map { MIMECacheFile(path: $0 + "/mime/mime.cache") }))
  }

  /// A database that never changes, of the bytes of caches, that of the highest precedence first.
  public convenience init(caches: [[UInt8]]) throws(MIMECacheFault) {
    var read: [MIMECache] = []
    for bytes in caches { read.append(try MIMECache(bytes)) }
    self.init(overlay: MIMEOverlay(read))
  }

  private init(overlay: MIMEOverlay) {
    checkInterval = .zero
    state = Mutex(State(files: [], overlay: overlay))
  }

  /// The data directories of the XDG base directory specification, by a way to ask for environment
  /// variables.
  ///
  /// Paths that do not begin with a slash are left out, as it demands.
  static func dataDirectories(environmentVariable: (String) -> String?) -> [String] {
    var directories: [String] = []
    if let home = environmentVariable("XDG_DATA_HOME"), home.hasPrefix("/") {
      directories.append(home)
    } else if let home = environmentVariable("HOME") {
      directories.append(home + "/.local/share")
    }
    let others = environmentVariable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    directories += others.split(separator: ":").map(String.init)
    var seen: Set<String> = []
    return directories.filter { $0.hasPrefix("/") && seen.insert($0).inserted }
  }

  // MARK: Changes

  /// Looks now whether the database has changed; later questions are answered by what it says then.
  public func refresh() {
    state.withLock { _ = Self.update(&$0, now: currentTimeSinceBoot()) }
  }

  /// What is wrong with caches that exist, by their paths.
  ///
  /// Such a cache is left out, or used in the state it had before.
  public var faults: [(path: String, fault: MIMECacheFault)] {
    _ = overlay
    return state.withLock { state in
      state.files.compactMap { file in file.fault.map { (file.path, $0) } }
    }
  }

  /// The caches that answers come from, by their paths, that of the highest precedence first.
  public var files: [String] {
    _ = overlay
    return state.withLock { state in state.files.filter { $0.cache != nil }.map(\.path) }
  }

  var overlay: MIMEOverlay {
    state.withLock { state in
      if let overlay = state.overlay {
        if state.files.isEmpty { return overlay }
        let now = currentTimeSinceBoot()
        if let last = state.lastCheck, now - last < checkInterval { return overlay }
        return Self.update(&state, now: now)
      }
      return Self.update(&state, now: currentTimeSinceBoot())
    }
  }

  private static func update(_ state: inout State, now: Duration) -> MIMEOverlay {
    var isChanged = state.overlay == nil
    for index in state.files.indices {
      if state.files[index].update() { isChanged = true }
    }
    state.lastCheck = now
    if let overlay = state.overlay, !isChanged || state.files.isEmpty { return overlay }
    let overlay = MIMEOverlay(state.files.compactMap(\.cache))
    state.overlay = overlay
    return overlay
  }

  // MARK: Detection

  /// The MIME types that a file of that name may have, the best first; empty when no rule knows it.
  ///
  /// Only what stands behind the last slash counts. Without a look at the content the first type is
  /// the best guess there is.
  public func mimeTypes(forFileName name: String) -> [String] {
    overlay.types(forFileName: name.utf8)
  }

  /// As ``mimeTypes(forFileName:)-(String)``, of the bytes of a name, which need not be UTF-8.
  public func mimeTypes(forFileName name: some Sequence<UInt8>) -> [String] {
    overlay.types(forFileName: name)
  }

  /// The MIME types that content may have, the best first; never empty.
  ///
  /// Content that no rule knows is `text/plain`, or `application/octet-stream` when there are
  /// control characters near its start, or `application/x-zerosize` when there is none.
  ///
  /// - Parameter content: The content from its start; ``contentExtent`` bytes of it are enough.
  public func mimeTypes(forContent content: [UInt8]) -> [String] {
    unsafe content.withUnsafeBytes { unsafe mimeTypes(forContent: $0) }
  }

  /// As ``mimeTypes(forContent:)-([UInt8])``, of bytes in memory.
  public func mimeTypes(forContent content: UnsafeRawBufferPointer) -> [String] {
    let found = unsafe overlay.types(forContent: content)
    return unsafe found.isEmpty ? [MIMEOverlay.fallbackType(forContent: content)] : found
  }

  /// The MIME types that a file of that name and content may have, the best first; never empty.
  ///
  /// If the name leaves several types, the first that is the type of the content or a kind of it is
  /// the best. A name that leaves one decides alone.
  public func mimeTypes(forFileName name: String, content: [UInt8]) -> [String] {
    unsafe content.withUnsafeBytes {
      unsafe overlay.types(forFileName: name.utf8, content: $0)
    }
  }

  /// As ``mimeTypes(forFileName:content:)-(String,[UInt8])``, of the bytes of a name and bytes in
  /// memory.
  public func mimeTypes(
    forFileName name: some Sequence<UInt8>, content: UnsafeRawBufferPointer
  ) -> [String] {
    unsafe overlay.types(forFileName: name, content: content)
  }

  /// How many bytes from the start of content decide about its type.
  public var contentExtent: Int { overlay.contentExtent }

  // MARK: Types

  /// The name that the database prefers for a MIME type, without its parameters: that of which it
  /// is an alias, in the spelling of the database.
  ///
  /// Nil for what is no MIME type. A type that the database does not know keeps its name.
  public func canonicalMIMEType(of name: String) -> String? {
    guard let type = MIMEType(name) else { return nil }
    return overlay.graph.canonicalName(of: type.essence)
  }

  /// The other names of a MIME type, in alphabetic order.
  public func aliases(ofMIMEType name: String) -> [String] {
    guard let type = MIMEType(name) else { return [] }
    return overlay.graph.aliases(of: type.essence)
  }

  /// The MIME types that a MIME type is declared a kind of, in the order of the database.
  ///
  /// What goes without saying is not among them: that each `text/` type is `text/plain`, and nearly
  /// everything `application/octet-stream`.
  public func parents(ofMIMEType name: String) -> [String] {
    guard let type = MIMEType(name) else { return [] }
    return overlay.graph.parents(of: type.essence)
  }

  /// Whether a MIME type is another one or, directly or not, a kind of it.
  ///
  /// Parameters do not count; names that are no MIME types are kinds of nothing.
  public func isMIMEType(_ name: String, kindOf other: String) -> Bool {
    guard let type = MIMEType(name), let other = MIMEType(other) else { return false }
    return overlay.graph.isKind(type.essence, of: other.essence)
  }
}
