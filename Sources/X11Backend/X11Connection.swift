internal import CX11
internal import Glibc
internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// Why a display could not be opened.
package enum X11OpenFailure: Error, Hashable, Sendable {
  /// No name was given and the environment names none.
  case noDisplayNamed
  case cannotOpen(String)
}

/// A connection to an X server: the only place where Xlib is called.
///
/// Survives the server: once the connection breaks `isLost` is true, calls do nothing and give back
/// nothing. No call here waits for events; calls that need an answer wait for the server, never for
/// another client.
@safe final class X11Connection {
  private let x: OpaquePointer
  // Written by Xlib's handler through a pointer, so it has an address of its own.
  private let lost: UnsafeMutablePointer<Int32>
  private var queue: [X11Event] = []
  private var queueStart = 0
  private var fixesBase: Int32 = 0
  private var hasLookedForFixes = false
  private var watches: [WindowID: Int] = [:]
  private var structureWatches: [WindowID: Int] = [:]
  private var known = AtomTable()
  /// How many bytes of names that others came up with are still kept.
  private var roomForNames = 4 << 20
  // The time that the notice of our own change told, which was no event for anybody else.
  private var noticedTime: ServerTime?

  /// A window that is never shown: answers come to it, ownership belongs to it.
  let window: WindowID
  let atoms: WellKnownAtoms
  private(set) lazy var servingAtoms = ServingAtoms(atoms(named: ServingAtoms.names))
  let maximumRequestSize: Int
  /// The server's time just before this connection was ready.
  private(set) var openingTime = ServerTime.current

  /// - Parameter authority: A file with keys to displays, tried before those of the environment.
  init(displayName: String?, authority: FilePath? = nil) throws(X11OpenFailure) {
    cx11_install_handlers()
    guard let opened = unsafe Self.open(displayName, authority) else {
      let name = displayName ?? Self.defaultDisplayName
      throw name.isEmpty ? .noDisplayNamed : .cannotOpen(name)
    }
    unsafe x = opened
    unsafe lost = .allocate(capacity: 1)
    unsafe lost.initialize(to: 0)
    unsafe cx11_watch_loss(opened, lost)

    unsafe window = WindowID(
      x: XCreateSimpleWindow(opened, cx11_root_window(opened), -10, -10, 1, 1, 0, 0, 0))
    unsafe XSelectInput(opened, window.x, PropertyChangeMask | StructureNotifyMask)
    // The server's time comes with the notice of a change. It is asked for here so that the notice
    // arrives with the answer that we wait for anyway.
    unsafe XChangeProperty(
      opened, window.x, Atom(WellKnownAtoms.integer.rawValue), WellKnownAtoms.integer.x, 32,
      PropModeAppend, nil, 0)
    let interned = unsafe Self.intern(WellKnownAtoms.names, on: opened)
    atoms = WellKnownAtoms(interned)
    maximumRequestSize = unsafe cx11_maximum_request_size(opened)
    WellKnownAtoms.notePredefined(in: &known)
    for index in interned.indices { known.note(WellKnownAtoms.names[index], interned[index]) }
    openingTime = takeTimeNotice() ?? .current
  }

  private static func open(_ name: String?, _ authority: FilePath?) -> OpaquePointer? {
    guard let name else { return unsafe cx11_open_display(nil) }
    if let authority, let key = AuthorityFile.key(toDisplay: name, in: authority) {
      use(key)
      defer { use(nil) }
      if let opened = unsafe cx11_open_display(name) { return unsafe opened }
    }
    return unsafe cx11_open_display(name)
  }

  /// Has Xlib use this key, or again what it finds itself.
  private static func use(_ key: AuthorityFile.Key?) {
    var name = (key?.name ?? []).map { CChar(bitPattern: $0) }
    var data = (key?.data ?? []).map { CChar(bitPattern: $0) }
    unsafe XSetAuthorization(&name, Int32(name.count), &data, Int32(data.count))
  }

  /// What `DISPLAY` says, empty when it says nothing.
  private static var defaultDisplayName: String {
    guard let name = unsafe XDisplayName(nil) else { return "" }
    return unsafe String(cString: name)
  }

  deinit {
    // A broken connection is closed as well: what it would say goes nowhere.
    unsafe XCloseDisplay(x)
    unsafe lost.deallocate()
  }

  var isLost: Bool { unsafe lost.pointee != 0 }

  /// From now on the connection is as good as broken.
  func giveUp() { unsafe lost.pointee = 1 }

  var descriptor: Int32 { unsafe cx11_connection_number(x) }

  // MARK: Events and errors

  /// The next event, if there is one.
  ///
  /// Never waits.
  func nextEvent() -> X11Event? {
    if queueStart == queue.count { drain() }
    guard queueStart < queue.count else {
      queue.removeAll(keepingCapacity: true)
      queueStart = 0
      return nil
    }
    defer { queueStart += 1 }
    return queue[queueStart]
  }

  /// Sends what is buffered and moves what has arrived out of Xlib.
  ///
  /// XPending first, always: with libX11 1.8 a blocking event function crashes when the server goes
  /// away under it.
  private func drain() {
    guard !isLost else { return }
    var count = unsafe XPending(x)
    while count > 0, !isLost {
      var event = unsafe XEvent()
      unsafe XNextEvent(x, &event)
      switch unsafe X11Event(event, fixesBase: fixesBase) {
      case .propertyChanged(window, WellKnownAtoms.integer, _, let time)?: noticedTime = time
      case let event?: queue.append(event)
      case nil: break
      }
      count -= 1
      if count == 0 { count = unsafe XEventsQueued(x, Int32(QueuedAlready)) }
    }
  }

  /// Sends what is buffered.
  ///
  /// - Returns: Whether events wait in our queue or Xlib's: sending reads the socket as well, and
  ///   nothing on the socket tells of them any more.
  @discardableResult
  func flush() -> Bool {
    guard !isLost else { return false }
    unsafe XFlush(x)
    return unsafe queueStart < queue.count || XEventsQueued(x, Int32(QueuedAlready)) > 0
  }

  /// Returns when the server has done all that it was asked to.
  func synchronize() {
    guard !isLost else { return }
    unsafe XSync(x, 0)
  }

  /// The serial number that the next request will have.
  var nextSerial: UInt { unsafe cx11_next_request(x) }

  struct ReportedError: Equatable {
    let serial: UInt
    let resource: UInt32
    /// The window that is not there any more, where the error says that.
    let goneWindow: WindowID?
  }

  func takeError() -> ReportedError? {
    var error = cx11_error()
    guard unsafe cx11_take_error(x, &error) != 0 else { return nil }
    let resource = UInt32(truncatingIfNeeded: error.resource)
    let isGone = unsafe cx11_is_bad_window(&error) != 0
    return ReportedError(
      serial: error.serial, resource: resource, goneWindow: isGone ? WindowID(resource) : nil)
  }

  // MARK: Atoms

  private static func intern(_ names: [String], on display: OpaquePointer) -> [AtomID] {
    var block: [UInt8] = []
    for name in names {
      block.append(contentsOf: name.utf8)
      // What a NUL ends is all of the name to Xlib.
      if name.utf8.contains(0) {
        block.removeLast(name.utf8.count)
        block += name.utf8.prefix { $0 != 0 }
      }
      block.append(0)
    }
    // Only names that are no UTF-8, which hardly any program has, hold this byte.
    if block.contains(0xF4) {
      block = []
      for name in names { block += name.wireBytes.prefix { $0 != 0 } + [0] }
    }
    var atoms = [UInt32](repeating: 0, count: names.count)
    // Only for want of memory does it fail, and leaves zeros.
    _ = unsafe cx11_intern_atoms(display, block, names.count, &atoms)
    return atoms.map { AtomID($0) }
  }

  /// The atoms of several names, in one round trip for those not known yet.
  func atoms(named wanted: [String]) -> [AtomID] {
    var missing: [String] = []
    for name in wanted where known.atom(named: name) == nil { missing.append(name) }
    if !missing.isEmpty && !isLost {
      let interned = unsafe Self.intern(missing, on: x)
      for index in missing.indices { known.note(missing[index], interned[index]) }
    }
    return wanted.map { known.atom(named: $0) ?? .none }
  }

  func atom(named name: String) -> AtomID {
    known.atom(named: name) ?? atoms(named: [name])[0]
  }

  /// The names of atoms that somebody sent us, in one round trip for those not known yet.
  ///
  /// An atom that the server does not have gives nil.
  func names(of wanted: [AtomID]) -> [String?] {
    let missing = unknown(among: wanted)
    guard !missing.isEmpty, !isLost else { return wanted.map { known.name(of: $0) } }
    // Peers can make up names without end: what there is no room for is told and not kept.
    var unkept: [AtomID: String] = [:]
    var found = unsafe [UnsafeMutablePointer<CChar>?](repeating: nil, count: missing.count)
    unsafe cx11_atom_names(x, missing, missing.count, &found)
    for index in missing.indices {
      guard let name = unsafe found[index] else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      let text = unsafe String(wireBytes: Array(bytes))
      let atom = AtomID(missing[index])
      unsafe XFree(name)
      if roomForNames > 0 {
        roomForNames -= text.utf8.count + 64
        known.note(text, atom)
      } else {
        unkept[atom] = text
      }
    }
    return wanted.map { known.name(of: $0) ?? unkept[$0] }
  }

  /// The atoms whose names are not known, each once.
  private func unknown(among wanted: [AtomID]) -> [UInt32] {
    var missing: [UInt32] = []
    if wanted.count <= AtomTable.fewLimit {
      for atom in wanted
      where atom != .none && known.name(of: atom) == nil && !missing.contains(atom.rawValue) {
        missing.append(atom.rawValue)
      }
    } else {
      var seen: Set<AtomID> = [.none]
      for atom in wanted where known.name(of: atom) == nil && seen.insert(atom).inserted {
        missing.append(atom.rawValue)
      }
    }
    return missing
  }

  func name(of atom: AtomID) -> String? { known.name(of: atom) ?? names(of: [atom])[0] }

  // MARK: Selections

  /// The server's time now: a round trip.
  func serverTime() -> ServerTime {
    guard !isLost else { return .current }
    unsafe XChangeProperty(
      x, window.x, WellKnownAtoms.integer.x, WellKnownAtoms.integer.x, 32, PropModeAppend, nil, 0)
    unsafe XSync(x, 0)
    return takeTimeNotice() ?? .current
  }

  /// How long ago a time is; nil for one that is yet to come, which is of another server's clock.
  func age(of time: ServerTime) -> Duration? {
    let now = serverTime()
    guard time != .current, !now.isBefore(time) else { return nil }
    return .milliseconds(Int64(now.rawValue &- time.rawValue))
  }

  private func takeTimeNotice() -> ServerTime? {
    noticedTime = nil
    drain()
    return noticedTime
  }

  /// How often somebody took a selection from us, as far as it was not handled yet.
  func pendingClears(of selection: AtomID) -> Int {
    drain()
    return queue[queueStart...].count { event in
      if case .selectionClear(selection, _) = event { true } else { false }
    }
  }

  func owner(of selection: AtomID) -> WindowID {
    isLost ? .none : unsafe WindowID(x: XGetSelectionOwner(x, selection.x))
  }

  func setOwner(_ owner: WindowID, of selection: AtomID, at time: ServerTime) {
    guard !isLost else { return }
    unsafe XSetSelectionOwner(x, selection.x, owner.x, time.x)
  }

  func convert(
    _ selection: AtomID, to target: AtomID, into property: AtomID, of window: WindowID,
    at time: ServerTime
  ) {
    guard !isLost else { return }
    unsafe XConvertSelection(x, selection.x, target.x, property.x, window.x, time.x)
  }

  /// Answers a request (ICCCM 2.2); no property refuses it.
  func answer(_ request: X11Event.SelectionRequest, property: AtomID) {
    guard !isLost else { return }
    var event = unsafe XEvent()
    unsafe event.xselection = XSelectionEvent(
      type: SelectionNotify, serial: 0, send_event: 1, display: x,
      requestor: request.requestor.x, selection: request.selection.x, target: request.target.x,
      property: property.x, time: request.time.x)
    unsafe XSendEvent(x, request.requestor.x, 0, 0, &event)
  }

  /// Has changes of the owner of a selection reported; whether the server can.
  @discardableResult
  func watchOwner(of selection: AtomID) -> Bool {
    guard !isLost, hasFixes() else { return false }
    let mask =
      XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
      | XFixesSelectionClientCloseNotifyMask
    unsafe XFixesSelectSelectionInput(x, window.x, selection.x, UInt(mask))
    return true
  }

  /// Calls the reports of ``watchOwner(of:)`` off.
  func unwatchOwner(of selection: AtomID) {
    guard !isLost, hasFixes() else { return }
    unsafe XFixesSelectSelectionInput(x, window.x, selection.x, 0)
  }

  private func hasFixes() -> Bool {
    if hasLookedForFixes { return fixesBase != 0 }
    hasLookedForFixes = true
    var event: Int32 = 0
    var error: Int32 = 0
    var major: Int32 = 1
    var minor: Int32 = 0
    guard unsafe XFixesQueryExtension(x, &event, &error) != 0,
      unsafe XFixesQueryVersion(x, &major, &minor) != 0
    else { return false }
    fixesBase = event
    return true
  }

  /// What the server is called.
  var displayName: String {
    guard let name = unsafe XDisplayString(x) else { return "" }
    return unsafe String(cString: name)
  }

  /// Which server this is, and what of the protocol it offers.
  ///
  /// Asks the server.
  var displayFacts: DisplayFacts {
    guard let vendor = unsafe XServerVendor(x) else {
      return DisplayFacts(server: "", reportsOwnerChanges: hasFixes())
    }
    let release = unsafe Int(XVendorRelease(x))
    // X.Org packs the parts of its version into one number: 12101007 is 1.21.1.7.
    let parts = [
      release / 10_000_000, release / 100_000 % 100, release / 1000 % 100, release % 1000,
    ]
    let version =
      parts[0] > 0 ? parts.map { String($0) }.joined(separator: ".") : String(release)
    return unsafe DisplayFacts(
      server: "\(String(cString: vendor)), release \(version)",
      reportsOwnerChanges: hasFixes())
  }

  // MARK: Windows

  /// Gives our window a class, so that whoever asks who owns a selection gets an answer.
  func nameWindow() { name(window, "clipview\0clipview\0") }

  /// - Parameter name: The name of an instance and that of its class, each with a NUL behind it.
  private func name(_ window: WindowID, _ name: StaticString) {
    guard !isLost else { return }
    unsafe XChangeProperty(
      x, window.x, WellKnownAtoms.wmClass.x, WellKnownAtoms.string.x, 8, PropModeReplace,
      name.utf8Start, Int32(name.utf8CodeUnitCount))
  }

  /// Has changes of the properties of somebody else's window, and its end, reported: until it was
  /// called off as often as it was called for, since several transfers may watch the same window.
  func watch(_ window: WindowID) {
    guard !isOurs(window) else { return }
    watches[window, default: 0] += 1
    if watches[window] == 1 { selectInput(of: window) }
  }

  func unwatch(_ window: WindowID) {
    guard !isOurs(window), let count = watches[window] else { return }
    watches[window] = count > 1 ? count - 1 : nil
    if count == 1 { selectInput(of: window) }
  }

  /// Has it reported that somebody else's window is shown or hidden, and its end, but not what becomes
  /// of its properties; as often as it was called for, likewise.
  func watchStructure(of window: WindowID) {
    guard !isOurs(window) else { return }
    structureWatches[window, default: 0] += 1
    if structureWatches[window] == 1, watches[window] == nil { selectInput(of: window) }
  }

  func unwatchStructure(of window: WindowID) {
    guard !isOurs(window), let count = structureWatches[window] else { return }
    structureWatches[window] = count > 1 ? count - 1 : nil
    if count == 1, watches[window] == nil { selectInput(of: window) }
  }

  private func selectInput(of window: WindowID) {
    guard !isLost else { return }
    let mask =
      watches[window] != nil
      ? PropertyChangeMask | StructureNotifyMask
      : structureWatches[window] != nil ? StructureNotifyMask : 0
    unsafe XSelectInput(x, window.x, mask)
  }

  /// Another window that is never shown, whose properties we hear of.
  func makeAnswerWindow() -> WindowID {
    guard !isLost else { return .none }
    let window = unsafe XCreateSimpleWindow(x, cx11_root_window(x), -10, -10, 1, 1, 0, 0, 0)
    unsafe XSelectInput(x, window, PropertyChangeMask)
    return WindowID(x: window)
  }

  /// Another window that is never shown, with a class as ICCCM 4.1.2.5 has it.
  func makeWindow(ofClass name: StaticString) -> WindowID {
    guard !isLost else { return .none }
    let window = unsafe WindowID(
      x: XCreateSimpleWindow(x, cx11_root_window(x), -10, -10, 1, 1, 0, 0, 0))
    self.name(window, name)
    return window
  }

  func destroy(_ window: WindowID) {
    guard !isLost, window != .none, window != self.window else { return }
    unsafe XDestroyWindow(x, window.x)
  }

  /// Tells everybody who wants to know that a manager selection has an owner (ICCCM 2.8).
  func announceManager(_ window: WindowID, of selection: AtomID, since time: ServerTime) {
    guard !isLost else { return }
    let root = unsafe cx11_root_window(x)
    let manager = atom(named: "MANAGER").x
    var event = unsafe XEvent()
    unsafe event.xclient = XClientMessageEvent(
      type: ClientMessage, serial: 0, send_event: 1, display: x, window: root,
      message_type: manager, format: 32, data: .init())
    unsafe event.xclient.data.l.0 = Int(time.rawValue)
    unsafe event.xclient.data.l.1 = Int(selection.rawValue)
    unsafe event.xclient.data.l.2 = Int(window.rawValue)
    unsafe XSendEvent(x, root, 0, StructureNotifyMask, &event)
  }

  /// Has an event come to whoever made a window, about nothing that anybody knows.
  func wake(_ window: WindowID) {
    guard !isLost, window != .none else { return }
    var event = unsafe XEvent()
    unsafe event.xclient = XClientMessageEvent(
      type: ClientMessage, serial: 0, send_event: 1, display: x, window: window.x,
      message_type: atom(named: "_CLIPVIEW_WAKE").x, format: 32, data: .init())
    unsafe XSendEvent(x, window.x, 0, 0, &event)
    flush()
  }

  /// Whether it is a window of this connection, which has its events anyway.
  func isOurs(_ window: WindowID) -> Bool { client(of: window) == client(of: self.window) }

  /// What all the windows of one client have in common (X11 protocol, connection set-up: the bits
  /// outside of the mask within which a client chooses its ids).
  func client(of window: WindowID) -> UInt32 {
    let mask = unsafe cx11_resource_mask(x)
    return window.rawValue & ~mask
  }

  /// Whether a window is there: a round trip, after which all that it was asked for has been done.
  func exists(_ window: WindowID) -> Bool {
    guard !isLost else { return false }
    var root: Window = 0
    var place: (x: Int32, y: Int32) = (0, 0)
    var size: (width: UInt32, height: UInt32, border: UInt32, depth: UInt32) = (0, 0, 0, 0)
    return unsafe XGetGeometry(
      x, window.x, &root, &place.x, &place.y, &size.width, &size.height, &size.border, &size.depth)
      != 0
  }

  /// The windows that a window manager shows, as it tells (EWMH, `_NET_CLIENT_LIST`); nil where none
  /// does.
  func managedWindows() -> [WindowID]? {
    let list = unsafe readProperty(
      atom(named: "_NET_CLIENT_LIST"), of: WindowID(x: cx11_root_window(x)), limit: 1 << 16)
    guard let list, list.format == 32 else { return nil }
    return list.payload.words.map { WindowID($0) }
  }

  /// Whether it is on the screen and no menu or other passing thing, as far as it says.
  func isShownForLong(_ window: WindowID) -> Bool {
    guard !isLost else { return false }
    var attributes = unsafe XWindowAttributes()
    guard unsafe XGetWindowAttributes(x, window.x, &attributes) != 0 else { return false }
    return unsafe attributes.map_state != IsUnmapped && attributes.override_redirect == 0
  }

  /// The root's children, top-level windows or their frames, and the children of those.
  func topLevelWindows() -> [WindowID] {
    let frames = unsafe children(of: WindowID(x: cx11_root_window(x)))
    return frames + frames.flatMap { children(of: $0) }
  }

  private func children(of parent: WindowID) -> [WindowID] {
    guard !isLost else { return [] }
    var root: Window = 0
    var up: Window = 0
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    guard unsafe XQueryTree(x, parent.x, &root, &up, &list, &count) != 0, let list = unsafe list
    else { return [] }
    defer { unsafe XFree(list) }
    return (0..<Int(count)).map { unsafe WindowID(x: list[$0]) }
  }

  // MARK: Properties

  struct PropertyValue {
    let type: AtomID
    let format: Int
    /// The bytes; 32-bit values as four little-endian or big-endian bytes, as the machine has them.
    let payload: Payload
    /// Whether it is longer than the limit and only its beginning was read.
    var isCut = false
  }

  /// Reads a property of a window and takes it away; nil when it does not exist.
  ///
  /// Long ones come in slices, so that Xlib never holds a second copy of all of it. A slice is used
  /// where Xlib put it, never copied.
  /// - Parameter limit: A longer one is taken away all the same, but not read to its end.
  func takeProperty(
    _ property: AtomID, of window: WindowID, limit: Int = .max
  ) -> PropertyValue? {
    let value = fetchProperty(property, of: window, isTaken: true, limit: limit)
    if let value, value.isCut, !isLost { unsafe XDeleteProperty(x, window.x, property.x) }
    return value
  }

  /// Reads the beginning of a property and leaves it there.
  func readProperty(_ property: AtomID, of window: WindowID, limit: Int) -> PropertyValue? {
    fetchProperty(property, of: window, isTaken: false, limit: limit)
  }

  /// Takes a property of a window of ours away without a look at it.
  func deleteProperty(_ property: AtomID, of window: WindowID) {
    guard !isLost else { return }
    unsafe XDeleteProperty(x, window.x, property.x)
  }

  private func fetchProperty(
    _ property: AtomID, of window: WindowID, isTaken: Bool, limit: Int
  ) -> PropertyValue? {
    let sliceInWords = 1 << 20
    var chunks: [ByteChunk] = []
    var offset = 0
    while !isLost {
      var type: Atom = 0
      var format: Int32 = 0
      var count: UInt = 0
      var rest: UInt = 0
      var data: UnsafeMutablePointer<UInt8>?
      let status = unsafe XGetWindowProperty(
        x, window.x, property.x, offset, min(sliceInWords, limit / 4 + 1), isTaken ? 1 : 0,
        Atom(AnyPropertyType), &type, &format, &count, &rest, &data)
      guard status == Success, type != 0 else {
        if let data = unsafe data { unsafe XFree(data) }
        return nil
      }
      let width = Int(format) / 8
      let size = Int(count) * width
      if let data = unsafe data, size > 0 {
        unsafe chunks.append(Self.chunk(data, count: Int(count), width: width))
      } else if let data = unsafe data {
        unsafe XFree(data)
      }
      // What 32-bit values take in Xlib's memory is not what they take on the wire.
      offset += size / 4
      let isCut = rest > 0 && Int(rest) > limit - min(limit, offset * 4)
      if rest == 0 || size == 0 || isCut {
        return PropertyValue(
          type: AtomID(x: type), format: Int(format), payload: Payload(chunks: chunks),
          isCut: isCut)
      }
    }
    return nil
  }

  private static func chunk(
    _ data: UnsafeMutablePointer<UInt8>, count: Int, width: Int
  ) -> ByteChunk {
    if width == 4 {
      var values = [UInt32](repeating: 0, count: count)
      unsafe cx11_narrow_longs(data, &values, count)
      unsafe XFree(data)
      return unsafe ByteChunk(values.withUnsafeBytes { unsafe Array($0) })
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count * width)
    let address = UInt(bitPattern: data)
    return unsafe ByteChunk(unowned: bytes) {
      unsafe XFree(UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  func setProperty(
    _ property: AtomID, of window: WindowID, type: AtomID, format: Int,
    bytes: UnsafeRawBufferPointer
  ) {
    guard !isLost else { return }
    if format == 32 {
      let count = bytes.count / 4
      var values = [UInt32](repeating: 0, count: count)
      unsafe values.withUnsafeMutableBytes {
        unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<(count * 4)]))
      }
      setProperty(property, of: window, type: type, values: values)
      return
    }
    let data = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe XChangeProperty(
      x, window.x, property.x, type.x, Int32(format), PropModeReplace, data,
      Int32(bytes.count / (format / 8)))
  }

  func setProperty(_ property: AtomID, of window: WindowID, type: AtomID, values: [UInt32]) {
    guard !isLost else { return }
    _ = unsafe cx11_change_property_32(
      x, window.x, property.x, type.x, values, Int32(values.count))
  }
}
