internal import CLinux
internal import Glibc

/// A descriptor with one owner, closed when the owner goes.
package struct OwnedFD: ~Copyable {
  private let descriptor: Int32

  /// Adopts a descriptor that nobody else will close.
  package init(adopting descriptor: Int32) {
    precondition(descriptor >= 0, "adopting a descriptor that is none")
    self.descriptor = descriptor
  }

  /// The number, for calls; it stays ours.
  package var rawValue: Int32 { descriptor }

  /// Gives the descriptor away, to C or to another process.
  package consuming func take() -> Int32 {
    let descriptor = self.descriptor
    discard self
    return descriptor
  }

  /// Closes and reports what the file system had held back.
  ///
  /// Without it, closing is silent.
  package consuming func close() throws(Errno) {
    let descriptor = take()
    // Not repeated on EINTR: Linux has closed the descriptor by then.
    if Glibc.close(descriptor) != 0, errno != EINTR { throw .current }
  }

  deinit { _ = Glibc.close(descriptor) }
}

// A number that never changes; what two threads do with the descriptor behind it, the system orders.
extension OwnedFD: Sendable {}

extension OwnedFD {
  /// Reads once; 0 at the end.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> IOResult<Int> {
    let descriptor = self.descriptor
    return try systemCall { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Makes reads and writes return at once.
  ///
  /// The flag belongs to the open file description, so only an end that no other process writes
  /// through may be given it.
  package borrowing func setNonBlocking() throws(Errno) {
    let descriptor = self.descriptor
    let flags = try blockingSystemCall { clinux_fcntl(descriptor, F_GETFL, 0) }
    try blockingSystemCall { clinux_fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }
}

/// How many descriptors this process may have open; 0 where the system does not tell.
package func descriptorLimit() -> Int { Int(clinux_descriptor_limit()) }

/// A pipe, closed on exec, both ends blocking.
package struct Pipe: ~Copyable {
  package let readEnd: OwnedFD
  package let writeEnd: OwnedFD

  package init() throws(Errno) {
    var ends: (Int32, Int32) = (-1, -1)
    try unsafe withUnsafeMutableBytes(of: &ends) { raw throws(Errno) in
      let pair = unsafe raw.assumingMemoryBound(to: Int32.self).baseAddress
      try blockingSystemCall { unsafe clinux_pipe(pair) }
    }
    readEnd = OwnedFD(adopting: ends.0)
    writeEnd = OwnedFD(adopting: ends.1)
  }

  /// Makes the pipe hold more, where the system lets it: fewer turns for contents that are long.
  ///
  /// - Parameter end: Either end.
  package static func enlarge(_ end: Int32) { _ = clinux_enlarge_pipe(end, 1 << 20) }

  /// Takes the pipe apart.
  package consuming func ends() -> (read: Int32, write: Int32) {
    (readEnd.take(), writeEnd.take())
  }
}
