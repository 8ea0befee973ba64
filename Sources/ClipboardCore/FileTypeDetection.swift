package import SystemIO
package import TypeRegistry

/// A type that a file may be of.
package struct DetectedType: Hashable, Sendable {
  package let type: TypeIdentifier
  /// The MIME type to name beside it; nil where there is none.
  package let mimeType: String?

  package init(type: TypeIdentifier, mimeType: String?) {
    self.type = type
    self.mimeType = mimeType
  }
}

/// What the type of a file is told by.
package enum FileEvidence: String, Hashable, Sendable, CaseIterable {
  case name
  case content
  /// Both: a name that says more than the content counts (a document in a ZIP archive), and so does a
  /// name that the content has nothing against.
  case both
}

/// The types that a file may be of, the best first; at least one.
///
/// By its name alone a file need not exist; else the errors are those of opening and reading it.
package func detectedTypes(
  ofFile path: FilePath, by evidence: FileEvidence, in registry: TypeRegistry = .current
) throws(Errno) -> [DetectedType] {
  let name = String(decoding: path.lastComponent, as: UTF8.self)
  var types: [TypeIdentifier] = []
  if evidence != .content {
    types = registry.types(forFileNamed: name, conformingTo: .data)
    // What is no stream of bytes is a package, which a directory may be.
    types += registry.types(forFileNamed: name).filter { !$0.isDynamic && !types.contains($0) }
  }
  if evidence != .name {
    let shown = try shownType(ofFile: path)
    let family = shown == .plainText ? TypeIdentifier.text : shown
    // Anything can be seen as bytes, so that these say nothing.
    let narrows = shown != .data
    let agreeing = narrows ? types.filter { $0.conforms(to: family, in: registry) } : []
    types = agreeing + types.filter { !agreeing.contains($0) }
    if !types.contains(shown) { types.append(shown) }
  }
  if types.isEmpty { types = [.data] }
  return types.map { DetectedType(type: $0, mimeType: registry.preferredMIMEType(of: $0)) }
}

/// What the content shows: a type with a signature, text, a folder, or bytes.
private func shownType(ofFile path: FilePath) throws(Errno) -> TypeIdentifier {
  let head: [UInt8]
  let size: Int
  do throws(Errno) {
    (head, size) = try beginning(ofFile: path, limit: 4096)
  } catch {
    if error == .isDirectory { return .folder }
    throw error
  }
  let sniffed = unsafe head.withUnsafeBytes { bytes in
    unsafe sniffedType(ofHead: UnsafeRawBufferPointer(rebasing: bytes.prefix(64)), size: size)
  }
  if let sniffed { return sniffed }
  // As the MIME database has it: no control characters in the first 128 bytes but those of text.
  let isText = head.prefix(128).allSatisfy {
    $0 >= 0x20 && $0 != 0x7f || (0x07...0x0d).contains($0) || $0 == 0x1b
  }
  return isText && !head.isEmpty ? .plainText : .data
}

extension TypeRegistry {
  /// The longest ending of a path's last component that is a declared extension, else what stands
  /// behind its last dot.
  package func filenameExtension(of path: FilePath) -> String? {
    filenameExtension(ofFileNamed: String(decoding: path.lastComponent, as: UTF8.self))
  }
}
