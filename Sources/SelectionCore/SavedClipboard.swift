package import Pasteboard

/// What was on a selection, as it goes into a file and comes back: every representation in the
/// owner's order.
///
/// Documentation/saved-clipboard.md describes the file; ``SavedClipboard/encoded()`` writes it and
/// ``SavedClipboard/init(decoding:)`` reads it.
package struct SavedClipboard: Sendable {
  /// One target that the owner listed.
  package struct Representation: Sendable {
    package let target: String
    package let content: Content

    package init(_ target: String, _ content: Content) {
      self.target = target
      self.content = content
    }
  }

  /// The form of an answer: the type of its property and the unit in bits: 8, 16 or 32.
  package struct Form: Hashable, Sendable {
    package let type: String
    package let format: Int

    package init(type: String, format: Int) {
      self.type = type
      self.format = format
    }
  }

  /// What became of a representation.
  package enum Content: Sendable {
    /// The bytes of the answer; units of 16 and 32 bits in the machine's order of bytes.
    case bytes(Form, Payload)
    /// An answer that is a list of atoms, numbers of which only this server knew the meaning: their
    /// names, nil where there was none.
    case atoms(Form, [String?])
    /// The owner lists it and does not give it.
    case refused
    /// The value means something only while its owner or its X server lives, so it cannot be kept.
    case bound(Form, size: Int)
    /// The content was left out on purpose.
    case redacted(Form, size: Int)
  }

  /// The program that wrote it, with its version.
  package var program = ""
  package var selection = ""
  package var backend = ""
  /// The owner's name, where it was known.
  package var owner: String?
  package var representations: [Representation] = []

  package init() {}

  /// The same without contents: targets, types and sizes are left.
  package var redacted: SavedClipboard {
    var result = self
    result.representations = representations.map { representation in
      switch representation.content {
      case .refused, .bound, .redacted: return representation
      case .bytes(let form, let payload):
        return Representation(
          representation.target, .redacted(form, size: payload.count))
      case .atoms(let form, let names):
        return Representation(
          representation.target, .redacted(form, size: names.count * 4))
      }
    }
    return result
  }

  /// Whether contents were left out.
  package var isRedacted: Bool {
    representations.contains { if case .redacted = $0.content { true } else { false } }
  }

  /// The bytes of all contents.
  package var size: Int {
    representations.reduce(0) { sum, representation in
      switch representation.content {
      case .bytes(_, let payload): sum + payload.count
      case .atoms(_, let names): sum + names.count * 4
      case .refused, .bound, .redacted: sum
      }
    }
  }
}

// MARK: - What is kept

extension SavedClipboard {
  /// Targets that ask the owner about the selection or to do something (ICCCM 2.6.2 and 2.6.3): each
  /// owner answers them for itself, and to ask for some of them changes things.
  private static let protocolTargets: Set = [
    "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
    "INSERT_PROPERTY", "INCR", "ATOM_PAIR", "NULL",
  ]

  /// Types whose values are numbers of things in the X server, which it takes away with the client
  /// that made them.
  private static let resourceTypes: Set = [
    "PIXMAP", "BITMAP", "DRAWABLE", "WINDOW", "COLORMAP", "CURSOR", "FONT", "VISUALID",
  ]

  /// Targets that hold addresses in the owner's memory.
  private static let pointerTargets: Set = ["GTK_TEXT_BUFFER_CONTENTS"]

  /// Whether a listed target is part of how selections are handed over, not of what is on one.
  package static func isProtocolTarget(_ target: String) -> Bool {
    protocolTargets.contains(target)
  }

  /// Whether a target holds an address in the owner's memory: nobody else need ask for it.
  package static func isPointer(_ target: String) -> Bool { pointerTargets.contains(target) }

  /// Whether a value means something only while its owner or its X server lives.
  package static func isBound(_ target: String, _ form: Form) -> Bool {
    if pointerTargets.contains(target) || pointerTargets.contains(form.type) { return true }
    return form.format == 32
      && (resourceTypes.contains(target) || resourceTypes.contains(form.type))
  }

  /// Whether a value is a list of atoms, which are numbers that differ from server to server.
  package static func isAtomList(_ form: Form) -> Bool {
    form.format == 32 && (form.type == "ATOM" || form.type == "ATOM_PAIR")
  }

  /// More representations than any owner has: as many names as a list of targets may hold.
  static let maximumCount = 1 << 16
  /// More atoms in one value than any honest list has.
  package static let maximumAtoms = 1 << 16
  /// An X server takes names up to here (the length of InternAtom is a 16-bit number).
  static let maximumNameLength = 65_535
}
