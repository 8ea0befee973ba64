internal import Pasteboard
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

/// The instance part of `WM_CLASS` (ICCCM 4.1.2.5).
private func className(of window: WindowID, on connection: X11Connection) -> String? {
  let value = connection.readProperty(WellKnownAtoms.wmClass, of: window, limit: 256)
  guard let value, value.format == 8 else { return nil }
  let instance = value.payload.bytes.prefix { $0 != 0 }
  return instance.isEmpty ? nil : String(decoding: instance, as: UTF8.self)
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
