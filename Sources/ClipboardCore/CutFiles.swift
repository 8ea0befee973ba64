internal import Pasteboard
package import SelectionCore
package import SystemIO

/// Files that were cut: to be moved to where they are pasted.
///
/// Such a list is good for one paste. What is kept of it when the file manager has ended must not be
/// offered when the files are somewhere else by then.
package struct CutFiles: Hashable, Sendable {
  /// The files of this machine that are listed.
  package let paths: [FilePath]

  /// Whether what was read of an owner says that files were cut: a look at the beginning of each.
  package static func isMeant(by answers: [ReceivedRepresentation]) -> Bool {
    answers.contains(where: saysCut)
  }

  /// - Parameter answers: What was read of an owner; nil where that is no list of files that were cut.
  package init?(_ answers: [ReceivedRepresentation], onHost host: [UInt8] = hostName()) {
    guard Self.isMeant(by: answers) else { return nil }
    let lists = FileListTarget.all + Self.textTargets
    let found = lists.lazy.compactMap { target in
      answers.first { $0.target == target }.map { Self.paths(in: $0, host) }
    }
    paths = found.first { !$0.isEmpty } ?? []
  }

  /// Those that are there now.
  package var present: CutFiles {
    CutFiles(paths: paths.filter { FilePresence(of: $0) == .there })
  }

  /// Whether one of them is not there any more.
  package var hasLost: Bool { paths.contains { FilePresence(of: $0) == .gone } }

  private init(paths: [FilePath]) { self.paths = paths }

  /// GNOME's Files of some years put its list into the text.
  private static let textTargets = ["UTF8_STRING", "text/plain;charset=utf-8"]
  private static let textMark = Array("x-special/nautilus-clipboard\n".utf8)

  private static func saysCut(_ answer: ReceivedRepresentation) -> Bool {
    let bytes = answer.payload
    switch answer.target {
    case "application/x-kde-cutselection":
      return bytes.starts(with: [UInt8(ascii: "1")])
    case "x-special/gnome-copied-files", "x-special/mate-copied-files":
      return bytes.starts(with: Array("cut\n".utf8))
    case let target where textTargets.contains(target):
      return bytes.starts(with: textMark + Array("cut\n".utf8))
    default:
      return false
    }
  }

  private static func paths(in answer: ReceivedRepresentation, _ host: [UInt8]) -> [FilePath] {
    var bytes = answer.payload.bytes
    if bytes.starts(with: textMark) { bytes.removeFirst(textMark.count) }
    return FileListTarget.addresses(in: bytes).compactMap { FilePath(fileURL: $0, onHost: host) }
  }
}

extension Payload {
  fileprivate func starts(with prefix: [UInt8]) -> Bool {
    count >= prefix.count && self[0..<prefix.count].bytes == prefix
  }
}
