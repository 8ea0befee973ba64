internal import Glibc

/// A path as the system has it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }
  package init(stringLiteral text: String) { self.init(text) }

  /// For messages: what is not UTF-8 becomes U+FFFD.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The last component.
  package var lastComponent: ArraySlice<UInt8> {
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    return bytes[(slash.map { $0 + 1 } ?? 0)...]
  }

  /// What stands behind the last dot of the last component, where it is ASCII: `nil` for `.profile`
  /// and for `notes`.
  package var filenameExtension: String? {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
      dot + 1 < name.endIndex, name[dot...].allSatisfy({ $0 < 0x80 })
    else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self)
  }

  /// The directory that holds it, `.` for a bare name.
  var directory: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == 0 ? "/" : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// The same without slashes at its end; nil where nothing is left.
  var withoutClosingSlashes: FilePath? {
    let end = bytes.lastIndex { $0 != UInt8(ascii: "/") }
    return end.map { FilePath(bytes: Array(bytes[...$0])) }
  }

  package func appending(_ component: String) -> FilePath {
    FilePath(bytes: bytes + [UInt8(ascii: "/")] + Array(component.utf8))
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe characters.withUnsafeBufferPointer { buffer in
      // Never nil: there is at least the closing NUL.
      guard let base = buffer.baseAddress else { preconditionFailure("an empty array") }
      return unsafe body(base)
    }
  }
}
