/// A name that the server keeps as a number.
package struct AtomID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package static let none = AtomID(0)
}

/// A window, ours or somebody else's.
package struct WindowID: Hashable, Sendable {
  package let rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package static let none = WindowID(0)
}

/// Every protocol string of this back-end, interned in one round trip when a display is opened.
struct WellKnownAtoms {
  static let names = [
    "CLIPBOARD", "TARGETS", "TIMESTAMP", "MULTIPLE", "INCR", "ATOM_PAIR",
    "UTF8_STRING", "TEXT", "COMPOUND_TEXT",
    "text/plain;charset=utf-8", "text/plain", "text/html", "text/uri-list",
    "_NET_WM_NAME", "_NET_WM_PID",
    "_CLIPVIEW_0", "_CLIPVIEW_1", "_CLIPVIEW_2", "_CLIPVIEW_3",
  ]

  // The atoms that every server has (X11 protocol, appendix B).
  static let primary = AtomID(1)
  static let secondary = AtomID(2)
  static let atom = AtomID(4)
  static let integer = AtomID(19)
  static let string = AtomID(31)
  static let wmClass = AtomID(67)
  static let predefined: [(String, AtomID)] = [
    ("PRIMARY", primary), ("SECONDARY", secondary), ("ATOM", atom), ("INTEGER", integer),
    ("STRING", string), ("WM_CLASS", wmClass),
  ]

  let clipboard, targets, timestamp, multiple, incremental, atomPair: AtomID
  let netWMName, netWMPID: AtomID
  /// The properties that answers to us are put into.
  let transferProperties: [AtomID]

  /// - Parameter atoms: The atoms of `names`, in that order.
  init(_ atoms: [AtomID]) {
    precondition(atoms.count == Self.names.count, "an atom for each name")
    clipboard = atoms[0]
    targets = atoms[1]
    timestamp = atoms[2]
    multiple = atoms[3]
    incremental = atoms[4]
    atomPair = atoms[5]
    netWMName = atoms[13]
    netWMPID = atoms[14]
    transferProperties = Array(atoms[15...])
  }
}
