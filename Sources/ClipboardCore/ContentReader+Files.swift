internal import Pasteboard
internal import SelectionCore
package import SystemIO
internal import TypeRegistry

/// The files of a list that an owner offers.
package struct PastedFiles: Sendable {
  /// Absolute paths, in the owner's order.
  package let paths: [FilePath]
  /// The target that was read.
  package let target: String
}

extension ContentReader {
  /// The files that are offered, from the best of the lists that there are.
  ///
  /// Text with paths in it is text. A list with an address that is no file of this machine is not
  /// given in part: that is ``ReadProblem/notAllLocalFiles(address:target:)``.
  package func files() throws(ReadProblem) -> PastedFiles {
    let names = try targetNames()
    let host = hostName()
    var foreign: ReadProblem?
    var empty: PastedFiles?
    for target in Self.fileListTargets(among: names) {
      guard let answer = try readIfGiven(target) else { continue }
      let addresses = FileListTarget.addresses(in: answer.payload.bytes)
      let paths = addresses.map { FilePath(fileURL: $0, onHost: host) }
      if let first = paths.firstIndex(of: nil) {
        let address = String(decoding: addresses[first], as: UTF8.self)
        let hasFiles = paths.contains { $0 != nil }
        if hasFiles { throw .notAllLocalFiles(address: address, target: target) }
        if foreign == nil { foreign = .noLocalFiles(address: address, target: target) }
        continue
      }
      let files = PastedFiles(paths: paths.compactMap(\.self), target: target)
      if !files.paths.isEmpty { return files }
      // Others may have more. Whoever answers without listing may answer anything with nothing.
      if empty == nil, names != nil { empty = files }
    }
    guard let names else { throw notListed }
    if let foreign { throw foreign }
    guard let empty else { throw .notOffered(offered: names) }
    return empty
  }

  /// The targets of lists of files, the one to read first in front, each in the spellings offered;
  /// those to try where the owner does not tell.
  private static func fileListTargets(among names: [String]?) -> [String] {
    guard let names else { return Array(FileListTarget.all[..<2]) }
    return FileListTarget.all.flatMap { target in
      names.filter { $0 == target || MIMEType($0)?.essence == target }
    }.eachOnce
  }
}
