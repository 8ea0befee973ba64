/// Where content is: a named pasteboard, or a selection of a display that `clipd` manages.
package struct ControlPlace: Hashable, Sendable {
  /// The display, as ``DisplayName`` has it; nil for a pasteboard that no display knows.
  package var display: String?
  /// The selection, or the name of the pasteboard.
  package var name: String

  package init(display: String?, name: String) {
    self.display = display
    self.name = name
  }

  /// Names are told apart by their bytes; strings would be equal where Unicode takes them for one
  /// text.
  package static func == (left: ControlPlace, right: ControlPlace) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8)
      && (left.display == nil) == (right.display == nil)
      && (left.display ?? "").utf8.elementsEqual((right.display ?? "").utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }

  /// The longest name of a pasteboard, in bytes.
  package static let maximumNameSize = 255
}

extension ControlPlace: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.optional(display) { $0.text($1) }
    writer.text(name)
  }

  init?(from reader: inout ControlReader) {
    guard let display = reader.optional({ $0.text() }), let name = reader.text(), !name.isEmpty,
      name.utf8.count <= Self.maximumNameSize,
      display.map({ !$0.isEmpty && $0.utf8.count <= Self.maximumNameSize }) ?? true
    else { return nil }
    self.init(display: display, name: name)
  }
}

/// How two programs that were told of the same display in different words find that it is one.
package enum DisplayName {
  /// An X display without the number of its screen: selections belong to the display.
  package static func x11(_ name: String) -> String {
    guard let colon = name.lastIndex(of: ":") else { return "x11:" + name }
    var host = name[..<colon]
    if host == "unix" { host = "" }
    let number = name[name.index(after: colon)...].prefix { $0 != "." }
    return "x11:\(host):\(number)"
  }

  package static func wayland(_ name: String) -> String {
    // The compositor's own socket may be named by its path.
    "wayland:" + (name.split(separator: "/").last.map(String.init) ?? name)
  }

  /// What leads to a display of this machine.
  package enum Local: Hashable, Sendable {
    /// What `DISPLAY` has to be.
    case x11(String)
    /// What `WAYLAND_DISPLAY` has to be.
    case wayland(String)
  }

  /// The way to the display of this name; nil for those of other machines, and for what is no name.
  package static func local(_ name: String) -> Local? {
    let x11 = "x11::"
    let wayland = "wayland:"
    if name.hasPrefix(x11) {
      let number = name.dropFirst(x11.count)
      let isNumber = !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      return isNumber ? .x11(":\(number)") : nil
    }
    guard name.hasPrefix(wayland) else { return nil }
    let socket = name.dropFirst(wayland.count)
    return socket.isEmpty || socket.contains("/") ? nil : .wayland(String(socket))
  }
}
