/// What is wrong with a saved clipboard, and where.
package struct SavedClipboardFault: Error, Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    /// A line of the index, from 1; 0 is the index as a whole.
    case index(line: Int)
    /// The content of a representation, from 1.
    case representation(Int, target: String)
    /// What stands behind the last content.
    case end
  }

  package enum Kind: Hashable, Sendable {
    /// It does not begin as a saved clipboard does.
    case foreign
    /// A version of the format that is not known here.
    case version
    case cutShort
    /// The bytes are not those that were written.
    case checksum
    /// A line, or what stands between two contents, is not what belongs there.
    case malformed
    /// The index announces another number of representations than it has.
    case count
    /// A name that no X server takes: empty, too long, or with a NUL byte.
    case name
    case repeatedTarget
    /// A target that every owner answers for itself.
    case protocolTarget
    /// A format other than 8, 16 and 32, or a size that is no multiple of it.
    case form
    /// A value that means something only to an owner and a server that are gone.
    case bound
    /// Bytes behind the end.
    case surplus
    /// Contents were left out when it was saved.
    case redacted
    /// The contents are in files beside it.
    case inDirectory
    /// An index in a directory whose contents are said to follow it.
    case notInDirectory
  }

  package let kind: Kind
  package let part: Part
  /// The byte at which it was found.
  package let offset: Int
  /// The file of a directory that it was found in.
  package let file: String?

  init(_ kind: Kind, _ part: Part, at offset: Int, in file: String? = nil) {
    self.kind = kind
    self.part = part
    self.offset = offset
    self.file = file
  }
}
