package import SystemIO

/// Files that were copied or cut, in the forms in which file managers hand them to each other.
package struct FileList: Hashable, Sendable {
  package enum Operation: String, Sendable {
    case copy
    /// To be moved where they are pasted.
    case cut
  }

  package let operation: Operation
  /// Absolute paths, each once, in the order given.
  package let paths: [FilePath]

  package init(_ operation: Operation, _ paths: [FilePath]) {
    self.operation = operation
    var seen: Set<FilePath> = []
    // Whoever pastes would find a file gone, or there already, the second time.
    self.paths = paths.filter { seen.insert($0).inserted }
  }

  /// `text/uri-list`: a URL a line, each with CR LF behind it (RFC 2483).
  package var uriList: [UInt8] {
    paths.flatMap { $0.fileURL + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
  }

  /// `x-special/gnome-copied-files` and `x-special/mate-copied-files`: the operation and the URLs, LF
  /// between them and none at the end.
  package var copiedFiles: [UInt8] {
    paths.reduce(into: Array(operation.rawValue.utf8)) { list, path in
      list.append(UInt8(ascii: "\n"))
      list += path.fileURL
    }
  }

  /// The paths as text, LF between them and none at the end.
  ///
  /// A path that is no UTF-8 or has control characters, a line end among them, stands as its URL: so
  /// do GNOME's and Xfce's programs, so nothing is lost, a line is a file, and nothing is run where
  /// it is pasted into a terminal.
  package var text: [UInt8] {
    Array(paths.map { Self.isShownAsItIs($0) ? $0.bytes : $0.fileURL }.joined(separator: "\n".utf8))
  }

  private static func isShownAsItIs(_ path: FilePath) -> Bool {
    guard let text = String(validating: path.bytes, as: UTF8.self) else { return false }
    return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

/// The targets under which programs offer a list of files, and how to read one.
package enum FileListTarget {
  /// The targets, the one to read first in front.
  ///
  /// KDE's own list comes behind the general one: its URLs may be KDE's alone (`desktop:/`), those
  /// of the general one are of files wherever there are such.
  package static let all = [
    "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files",
    "application/x-kde4-urilist", "x-special/KDE-copied-files", "code/file-list",
  ]

  /// The addresses of a list as they stand there, in its order.
  ///
  /// Lines end with CR LF or LF, whatever the rule of the target. Not taken for addresses: empty
  /// lines, comments, a first line that is an operation, and NULs that some programs put at the end.
  package static func addresses(in bytes: [UInt8]) -> [[UInt8]] {
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let lines = bytes[..<end].split(separator: UInt8(ascii: "\n")).map { trimmed($0) }
    let operations = [FileList.Operation.copy, .cut].map { Array($0.rawValue.utf8) }
    return lines.enumerated()
      .filter { !($0.offset == 0 && operations.contains($0.element)) }.map(\.element)
      .filter { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
    guard let first = line.firstIndex(where: { !isBlank($0) }),
      let last = line.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(line[first...last])
  }
}
