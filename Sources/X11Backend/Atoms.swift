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

/// The protocol's names that every command needs, interned in one round trip when a display is
/// opened.
///
/// Each costs the server and us a reply, a fiftieth of a round trip, so what only some need is in
/// `ServingAtoms` or asked for by name.
struct WellKnownAtoms {
  static let names = [
    "CLIPBOARD", "TARGETS", "INCR", "_CLIPVIEW_0", "_CLIPVIEW_1",
    // What most owners of text list: where nothing else is in the list, its names cost nothing.
    "UTF8_STRING", "TIMESTAMP", "MULTIPLE", "TEXT", "COMPOUND_TEXT", "text/plain",
    "text/plain;charset=utf-8",
  ]

  // The atoms that every server has (X11 protocol, appendix B).
  static let primary = AtomID(1)
  static let secondary = AtomID(2)
  static let atom = AtomID(4)
  static let integer = AtomID(19)
  static let string = AtomID(31)
  static let wmClass = AtomID(67)

  /// Notes them for looking up by name.
  static func notePredefined(in table: inout AtomTable) {
    table.note("PRIMARY", primary)
    table.note("SECONDARY", secondary)
    table.note("ATOM", atom)
    table.note("INTEGER", integer)
    table.note("STRING", string)
    table.note("WM_CLASS", wmClass)
  }

  let clipboard, targets, incremental: AtomID
  /// The properties that the first answers to us are put into; more are made as needed.
  let transferProperties: [AtomID]

  /// - Parameter atoms: The atoms of `names`, in that order.
  init(_ atoms: [AtomID]) {
    precondition(atoms.count == Self.names.count, "an atom for each name")
    clipboard = atoms[0]
    targets = atoms[1]
    incremental = atoms[2]
    transferProperties = Array(atoms[3...4])
  }
}

/// The names that only the owner of a selection needs besides.
struct ServingAtoms {
  static let names = ["TIMESTAMP", "MULTIPLE", "ATOM_PAIR"]

  let timestamp, multiple, atomPair: AtomID

  /// - Parameter atoms: The atoms of `names`, in that order.
  init(_ atoms: [AtomID]) {
    precondition(atoms.count == Self.names.count, "an atom for each name")
    timestamp = atoms[0]
    multiple = atoms[1]
    atomPair = atoms[2]
  }
}
