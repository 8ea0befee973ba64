extension TypeRegistry {
  /// How much of the end of a name is looked at: as much as a file system allows.
  private static let nameLimit = 255

  /// The longest ending of a file's name that is the extension of a declared type: `tar.gz` of
  /// `data.tar.gz`.
  ///
  /// Else what stands behind the last dot, where something does. A dot at the beginning hides a file
  /// and begins no extension, so nil for `.profile`, as for `notes`.
  ///
  /// - Parameter name: The last component of a path.
  public func filenameExtension(ofFileNamed name: String) -> String? {
    var bytes = name.utf8.drop { $0 == UInt8(ascii: ".") }.suffix(Self.nameLimit)
    var last: Substring.UTF8View?
    while let dot = bytes.firstIndex(of: UInt8(ascii: ".")) {
      bytes = bytes[bytes.index(after: dot)...]
      if bytes.isEmpty { break }
      last = bytes
      if let ending = String(bytes), type(for: ending, in: .filenameExtension) != nil {
        return ending
      }
    }
    return last.flatMap { String($0) }
  }

  /// All types that a file's name means, the best first: the owners of its extension
  /// (``filenameExtension(ofFileNamed:)``).
  ///
  /// A single dynamic type where nobody declares the extension; empty for a name without one.
  public func types(
    forFileNamed name: String, conformingTo supertype: TypeIdentifier? = nil
  ) -> [TypeIdentifier] {
    guard let ending = filenameExtension(ofFileNamed: name) else { return [] }
    return types(for: ending, in: .filenameExtension, conformingTo: supertype)
  }
}
