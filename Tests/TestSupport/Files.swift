internal import CLinux
internal import Glibc
package import SystemIO

/// The few things that tests do with files.
package enum Files {
  package static func open(_ path: String, _ flags: Int32) throws -> OwnedFD {
    OwnedFD(adopting: try blockingSystemCall { unsafe clinux_open(path, flags, 0o600) })
  }

  /// All bytes of a file.
  package static func read(_ path: String) throws -> [UInt8] {
    let file = try open(path, O_RDONLY | O_CLOEXEC)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
        try blockingSystemCall {
          unsafe Glibc.read(file.rawValue, buffer.baseAddress, buffer.count)
        }
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  package static func write(_ bytes: [UInt8], to file: borrowing OwnedFD) throws {
    var offset = 0
    while offset < bytes.count {
      offset += try unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return try blockingSystemCall {
          unsafe Glibc.write(file.rawValue, rest.baseAddress, rest.count)
        }
      }
    }
  }

  package static func makeDirectory(_ path: String) throws {
    try blockingSystemCall { unsafe mkdir(path, 0o700) }
  }

  package static func makePipe(_ path: String) throws {
    try blockingSystemCall { unsafe mkfifo(path, 0o600) }
  }

  package static func remove(_ path: String) throws {
    guard unsafe unlink(path) == 0 else { throw Errno.current }
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// What a symbolic link says.
  package static func destination(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return text(buffer.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The names in a directory without `.` and `..`; none where it cannot be read.
  package static func names(in directory: String) -> [String] {
    rawNames(in: Array(directory.utf8CString.dropLast()))
      .map { text($0.map { UInt8(bitPattern: $0) }) }
  }

  /// The names as they are, without the closing NUL.
  static func rawNames(in directory: [CChar]) -> [[CChar]] {
    guard let stream = unsafe opendir(directory + [0]) else { return [] }
    defer { unsafe _ = closedir(stream) }
    var names: [[CChar]] = []
    while let entry = unsafe clinux_next_name(stream) {
      let name = unsafe Array(UnsafeBufferPointer(start: entry, count: strlen(entry)))
      if ![".", ".."].contains(text(name.map { UInt8(bitPattern: $0) })) { names.append(name) }
    }
    return names
  }
}
