internal import CLinux
internal import Glibc

/// What was read from a file or a stream: few bytes as an array, many as a memory file.
package enum ReadContents {
  case bytes([UInt8])
  case file(MemoryFile)

  package var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }
}

/// Why nothing was read.
package enum ReadContentsError: Error, Equatable {
  case system(Errno)
  case tooLarge(limit: Int)
}

/// Up to here contents stay in an array; beyond, they move to a memory file.
private let smallSize = 65_536

/// Reads a descriptor to its end.
///
/// The bytes are what they are at this moment: later changes of the file do not show in them.
package func readToEnd(
  of descriptor: Int32, limit: Int
) throws(ReadContentsError) -> ReadContents {
  do {
    return try contents(of: descriptor, limit: limit)
  } catch {
    switch error {
    case .tooLarge: throw .tooLarge(limit: limit)
    default: throw .system(error)
    }
  }
}

/// As above; content beyond the limit is `Errno.tooLarge`.
private func contents(of descriptor: Int32, limit: Int) throws(Errno) -> ReadContents {
  if let size = sizeAhead(of: descriptor), size > limit { throw .tooLarge }
  var small = [UInt8](repeating: 0, count: smallSize)
  var filled = 0
  while filled < smallSize {
    let count = try unsafe small.withUnsafeMutableBufferPointer { buffer throws(Errno) in
      let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
      return try unsafe readSome(descriptor, into: UnsafeMutableRawBufferPointer(room))
    }
    if count == 0 { return .bytes(Array(small[..<filled])) }
    filled += count
    // Not at the end only: a stream may rest for ever behind what is too much already.
    if filled > limit { throw .tooLarge }
  }
  let file = try MemoryFile(name: "clipview")
  _ = try unsafe file.append(upTo: filled) { room in
    unsafe small.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
    return filled
  }
  while file.count <= limit {
    // Asking for much at once keeps the number of calls low; a pipe gives what it has.
    let count = try unsafe file.append(upTo: 1 << 20) { room throws(Errno) in
      try unsafe readSome(descriptor, into: room)
    }
    if count == 0 { return .file(file) }
  }
  throw .tooLarge
}

/// What a file has behind the place where it is read next; nil for anything that is no file.
private func sizeAhead(of descriptor: Int32) -> Int? {
  var status = stat()
  guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    return nil
  }
  return Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
}

/// Reads at least a byte, waiting for it, or 0 at the end.
private func readSome(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(Errno) -> Int {
  while true {
    switch try systemCall(
      isOurs: false, { unsafe read(descriptor, buffer.baseAddress, buffer.count) })
    {
    case .done(let count): return count
    case .wouldBlock:
      // The caller's standard input may have been made non-blocking by another program.
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try blockingSystemCall { unsafe poll(&wait, 1, -1) }
    }
  }
}

/// Opens a file for reading; a directory is refused.
package func openForReading(_ path: FilePath) throws(Errno) -> OwnedFD {
  let descriptor = try blockingSystemCall {
    unsafe path.withCString { unsafe clinux_open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0) }
  }
  let file = OwnedFD(adopting: descriptor)
  var status = stat()
  try blockingSystemCall { unsafe fstat(descriptor, &status) }
  if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
  return file
}

/// The first bytes of a file, up to a limit, and how many it has in all.
///
/// Anything but a regular file (a device, a pipe) has no beginning that could be looked at without
/// taking something away: `Errno.notSupported`. A directory is `Errno.isDirectory`.
package func beginning(
  ofFile path: FilePath, limit: Int
) throws(Errno) -> (bytes: [UInt8], size: Int) {
  let file = try openRegularFile(path, followsLinks: true)
  var status = stat()
  try blockingSystemCall { unsafe fstat(file.rawValue, &status) }
  var bytes = [UInt8](repeating: 0, count: limit)
  var filled = 0
  while filled < limit {
    let count = try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(Errno) in
      let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
      return try unsafe readSome(file.rawValue, into: UnsafeMutableRawBufferPointer(room))
    }
    if count == 0 { break }
    filled += count
  }
  return (Array(bytes[..<filled]), Int(status.st_size))
}

/// Opens a regular file, where somebody else may have put something: no link is followed unless that
/// is wanted, and nothing that is no file can hold us up.
///
/// A directory is `Errno.isDirectory`, anything else that is no file `Errno.notSupported`.
package func openRegularFile(
  _ path: FilePath, followsLinks: Bool = false
) throws(Errno) -> OwnedFD {
  let flags =
    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
  let descriptor = try blockingSystemCall {
    unsafe path.withCString { unsafe clinux_open($0, flags, 0) }
  }
  let file = OwnedFD(adopting: descriptor)
  var status = stat()
  try blockingSystemCall { unsafe fstat(descriptor, &status) }
  if status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
  guard status.st_mode & S_IFMT == S_IFREG else { throw .notSupported }
  return file
}

/// Reads a regular file from where it stands, `count` bytes or up to its end.
package func readStart(of file: borrowing OwnedFD, count: Int) throws(Errno) -> [UInt8] {
  let descriptor = file.rawValue
  var failure: Errno?
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    do throws(Errno) {
      while filled < count {
        let room = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let more = try unsafe readSome(descriptor, into: room)
        if more == 0 { break }
        filled += more
      }
    } catch {
      failure = error
    }
  }
  if let failure { throw failure }
  return bytes
}
