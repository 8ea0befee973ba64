import Glibc

/// The working copy that these tests were compiled from, read as text.
enum Repository {
  /// The directory of Package.swift: this file lies in Tests/RepositoryTests below it.
  static let root: String = {
    let components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return components.dropLast(3).joined(separator: "/")
  }()

  /// The content of the file at a path relative to the root; nil when it cannot be read.
  static func text(of path: String) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  static func bytes(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(root + "/" + path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }

    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return content }
      content += buffer[..<count]
    }
  }

  static func exists(_ path: String) -> Bool {
    unsafe access(root + "/" + path, F_OK) == 0
  }

  /// The names in a directory, sorted, each with whether it is a directory itself.
  static func entries(of path: String) -> [(name: String, isDirectory: Bool)] {
    guard let directory = unsafe opendir(root + "/" + path) else { return [] }
    defer { unsafe closedir(directory) }

    var found: [(name: String, isDirectory: Bool)] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != "." && name != ".." else { continue }
      found.append((name, unsafe Int(entry.pointee.d_type) == Int(DT_DIR)))
    }
    return found.sorted { $0.name < $1.name }
  }

  /// All files below a directory, as paths from the root; what was built and the history of the
  /// repository are left out.
  static func files(under directory: String = "", named suffix: String = "") -> [String] {
    let prefix = directory.isEmpty ? "" : directory + "/"
    return entries(of: directory).flatMap { name, isDirectory in
      if isDirectory {
        return [".git", ".build", ".swiftpm"].contains(name)
          ? [] : files(under: prefix + name, named: suffix)
      }
      return name.hasSuffix(suffix) ? [prefix + name] : []
    }
  }
}

extension StringProtocol {
  /// The lines, empty ones too, so that an index is a line number less one.
  var allLines: [SubSequence] {
    split(separator: "\n", omittingEmptySubsequences: false)
  }

  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Whether this could be the name of a Swift declaration.
  var isIdentifier: Bool {
    guard let first, first.isLetter || first == "_" else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
