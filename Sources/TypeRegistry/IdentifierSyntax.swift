/// What may be a type identifier.
///
/// Letters, digits, dot, hyphen and everything beyond ASCII; at least two labels, none empty.
/// Underscore, colon, slash, blank and all other ASCII make a name invalid, which is what keeps
/// MIME types and most X11 targets from being taken for identifiers. Case is ignored in comparisons
/// (of ASCII letters, the only ones seen in real identifiers) and kept in output.
enum IdentifierSyntax {
  private static var publicPrefix: TextSlice { "public." }
  private static var dynamicPrefix: TextSlice { "dyn." }

  static func isValid(_ name: TextSlice) -> Bool {
    var hasDot = false
    var previous = UInt8(ascii: ".")
    for index in 0..<name.count {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: "."):
        if previous == byte { return false }
        hasDot = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), 0x80...:
        break
      default:
        return false
      }
      previous = byte
    }
    return hasDot && previous != UInt8(ascii: ".")
  }

  /// Whether the name is in the space reserved to types nobody declared.
  static func isDynamic(_ name: TextSlice) -> Bool {
    name.count >= dynamicPrefix.count
      && name[0..<dynamicPrefix.count].isEqual(to: dynamicPrefix, folding: true)
  }

  /// Whether the name is in the space of common types.
  static func isPublic(_ name: TextSlice) -> Bool {
    name.count >= publicPrefix.count
      && name[0..<publicPrefix.count].isEqual(to: publicPrefix, folding: true)
  }
}
