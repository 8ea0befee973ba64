internal import CLinux
internal import Glibc

/// A large block of memory that is filled once, in large pages where the system has them.
///
/// For much that comes in pieces and stays. What malloc gives out comes to the process in pages of
/// 4 KiB, each the first time that it is touched: for 256 MiB that takes longer than copying them
/// through the caches does. Pages of 2 MiB are five hundred times fewer.
///
/// Sendable although it grows: whoever fills it does so before anybody else sees it.
@safe package final class MemoryBlock: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  /// The number of bytes that were put in.
  package private(set) var count = 0

  private static let largePage = 2 << 20

  /// - Parameter size: The bytes that it can hold at least; what is never filled takes no memory.
  package init(size: Int) throws(Errno) {
    // Only memory that begins where a large page does can be given in large pages.
    let rounded = (size + Self.largePage - 1) / Self.largePage * Self.largePage
    let mapped = unsafe mmap(
      nil, rounded + Self.largePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .current }
    let before = (0 &- Int(bitPattern: mapped)) & (Self.largePage - 1)
    if before > 0 { _ = unsafe munmap(mapped, before) }
    unsafe base = mapped + before
    capacity = rounded
    if before < Self.largePage { _ = unsafe munmap(base + capacity, Self.largePage - before) }
    // Where the system has no large pages the small ones do.
    _ = unsafe madvise(base, capacity, MADV_HUGEPAGE)
  }

  deinit { _ = unsafe munmap(base, capacity) }

  /// What was put in, valid as long as the block lives.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  package var isFull: Bool { count == capacity }

  /// Copies in as much as there is room for; how many bytes that were.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, capacity - count)
    guard taken > 0, let source = bytes.baseAddress else { return 0 }
    unsafe (base + count).copyMemory(from: source, byteCount: taken)
    count += taken
    return taken
  }

  /// Lets the body fill the room that is left; it returns how many bytes it put there.
  package func fill(
    _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  ) throws(Errno) -> Int {
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let added = try unsafe body(room)
    precondition(added <= room.count, "more bytes than there was room for")
    count += added
    return added
  }
}

/// Says that large buffers will come and go: the allocator then keeps them at hand.
package func expectLargeBuffers() { clinux_keep_freed_memory() }
