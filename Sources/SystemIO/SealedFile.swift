internal import CLinux
internal import Glibc

/// Bytes in a memory file that nobody can change any more: what is handed to another process by
/// descriptor and used there without a copy.
///
/// The seals are what makes foreign memory safe to map: without them whoever sent it could cut it
/// short under a reader, who would be killed by the next access, or change it while it is looked at.
@safe package final class SealedFile: Sendable {
  private let file: OwnedFD
  // Never written after init, and nothing can change what it points to: that is what the seals say.
  nonisolated(unsafe) private let base: UnsafeRawPointer?
  package let count: Int

  /// Why a file that was received is not used.
  package enum Refusal: Error, Hashable, Sendable {
    /// It could be changed behind our back, or is no memory file.
    case notSealed
    case tooLarge
    case system(Errno)
  }

  /// Makes a file of `size` bytes, which `write` fills from its beginning to its end.
  package init(name: String, size: Int, writing write: FileFilling) throws(Errno) {
    file = OwnedFD(adopting: try blockingSystemCall { unsafe clinux_memfd_create(name) })
    let descriptor = file.rawValue
    var filled = 0
    try unsafe write { bytes throws(Errno) in
      try unsafe writeFully(bytes, to: descriptor)
      filled += bytes.count
    }
    precondition(filled == size, "a file that was not filled as it was said to be")
    try blockingSystemCall { clinux_seal(descriptor) }
    count = size
    unsafe base = try Self.map(descriptor, size)
  }

  /// Takes a file that another process sent.
  package init(
    adopting descriptor: consuming OwnedFD, limit: Int
  ) throws(Refusal) {
    let raw = descriptor.rawValue
    file = descriptor
    guard clinux_is_sealed(raw) == 1 else { throw .notSealed }
    var status = stat()
    guard unsafe fstat(raw, &status) == 0 else { throw .system(.current) }
    guard status.st_size <= limit else { throw .tooLarge }
    count = Int(status.st_size)
    do throws(Errno) {
      unsafe base = try Self.map(raw, Int(status.st_size))
    } catch {
      throw .system(error)
    }
  }

  deinit {
    if let base = unsafe base { _ = unsafe munmap(UnsafeMutableRawPointer(mutating: base), count) }
  }

  /// Private: kernels before 6.7 refuse any shared mapping of a file that is sealed against writing.
  private static func map(_ descriptor: Int32, _ size: Int) throws(Errno) -> UnsafeRawPointer? {
    guard size > 0 else { return nil }
    let mapped = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .current }
    return UnsafeRawPointer(mapped)
  }

  package var descriptor: Int32 { file.rawValue }

  /// Valid as long as the file lives.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }
}
