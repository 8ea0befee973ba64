internal import Pasteboard
internal import SelectionCore
internal import SystemIO

/// What the owner of a window calls itself, as far as it says so: its window class, its process, or
/// the class of a top-level window of the same client.
///
/// Toolkits own selections through bare windows.
func ownerName(of window: WindowID, on connection: X11Connection) -> String? {
  if let name = className(of: window, on: connection) { return name }
  if let name = processName(of: window, on: connection) { return name }
  let client = connection.client(of: window)
  for other in connection.topLevelWindows() where connection.client(of: other) == client {
    if let name = className(of: other, on: connection) { return name }
  }
  return nil
}

/// More windows of one program than anybody looks at.
private let maximumWindows = 64

/// All that the owner of a window calls itself, each name once: the classes of that window and of the
/// top-level windows of the same client, and its process.
///
/// A program may call its windows what it likes, and its windows other names than itself.
func allNames(ofOwner window: WindowID, on connection: X11Connection) -> [String] {
  let client = connection.client(of: window)
  // Below a window manager's frames the windows of programs are not the root's own.
  let windows = connection.managedWindows() ?? connection.topLevelWindows()
  let others = windows.filter {
    $0 != window && connection.client(of: $0) == client
  }
  var names: [String] = []
  for window in [window] + others.prefix(maximumWindows) {
    names += classNames(of: window, on: connection)
    if let process = processName(of: window, on: connection) { names.append(process) }
  }
  return names.eachOnce
}

/// The instance part of `WM_CLASS` (ICCCM 4.1.2.5), or the class where there is none.
private func className(of window: WindowID, on connection: X11Connection) -> String? {
  classNames(of: window, on: connection).first
}

/// The parts of `WM_CLASS` that say something: the instance, then the class.
private func classNames(of window: WindowID, on connection: X11Connection) -> [String] {
  let value = connection.readProperty(WellKnownAtoms.wmClass, of: window, limit: 256)
  guard let value, value.format == 8 else { return [] }
  let parts = value.payload.bytes.split(
    separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
  return parts.prefix(2).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
}

private func processName(of window: WindowID, on connection: X11Connection) -> String? {
  let value = connection.readProperty(
    connection.atom(named: "_NET_WM_PID"), of: window, limit: 4)
  guard let value, value.format == 32, let identifier = value.payload.words.first,
    let file = try? openForReading(FilePath("/proc/\(identifier)/comm")),
    case .bytes(let name)? = try? readToEnd(of: file.rawValue, limit: 256)
  else { return nil }
  return String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
}
