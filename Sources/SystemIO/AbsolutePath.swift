internal import Glibc

/// The path from the root of a file that is there, which need not be readable.
///
/// Names the same file as the path given: `.` and surplus slashes are left out, and so is `..` with
/// what stands before it. Symbolic links stay links, the last component above all: what a link
/// stands for is looked up only where `..` leads out of it.
package func absolutePath(of path: FilePath) throws(Errno) -> FilePath {
  // The system reads a path up to the first NUL: such a one would name another file.
  if path.bytes.contains(0) { throw .invalidArgument }
  _ = try status(of: path, followsLinks: false)
  let slash = UInt8(ascii: "/")
  var result = path.bytes.first == slash ? [] : try workingDirectory().bytes
  if result == [slash] { result = [] }
  for component in path.bytes.split(separator: slash) {
    if component.elementsEqual(".".utf8) { continue }
    guard component.elementsEqual("..".utf8) else {
      result.append(slash)
      result += component
      continue
    }
    // The parent of the root is the root.
    if result.isEmpty { continue }
    let parent = FilePath(bytes: result)
    let isLink = try status(of: parent, followsLinks: false).st_mode & S_IFMT == S_IFLNK
    if isLink { result = try realPath(of: parent).bytes }
    result.removeSubrange((result.lastIndex(of: slash) ?? 0)...)
  }
  return FilePath(bytes: result.isEmpty ? [slash] : result)
}

/// The working directory as the shell shows it: by way of the links that led there, where `PWD` says
/// so and is right.
package func workingDirectory() throws(Errno) -> FilePath {
  if let shown = unsafe getenv("PWD").map({ unsafe bytes(of: $0) }),
    isPlainAbsolute(shown), let there = try? identity(of: FilePath(bytes: shown)),
    let here = try? identity(of: "."), there == here
  {
    return FilePath(bytes: shown)
  }
  guard let real = unsafe getcwd(nil, 0) else { throw .current }
  defer { unsafe free(real) }
  return FilePath(bytes: unsafe bytes(of: real))
}

/// Whether a path starts at the root and has nothing to be resolved or left out.
private func isPlainAbsolute(_ path: [UInt8]) -> Bool {
  guard path.first == UInt8(ascii: "/") else { return false }
  return path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
}

private func identity(of path: FilePath) throws(Errno) -> [UInt64] {
  let status = try status(of: path, followsLinks: true)
  return [UInt64(status.st_dev), UInt64(status.st_ino)]
}

private func status(of path: FilePath, followsLinks: Bool) throws(Errno) -> stat {
  var result = stat()
  try blockingSystemCall {
    unsafe path.withCString { unsafe followsLinks ? stat($0, &result) : lstat($0, &result) }
  }
  return result
}

private func realPath(of path: FilePath) throws(Errno) -> FilePath {
  let resolved = unsafe path.withCString { path in unsafe realpath(path, nil) }
  guard let resolved = unsafe resolved else { throw .current }
  defer { unsafe free(resolved) }
  return FilePath(bytes: unsafe bytes(of: resolved))
}

private func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
  unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
}
