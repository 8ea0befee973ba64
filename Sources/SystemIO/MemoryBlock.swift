internal import CLinux
internal import Glibc

/// A large block of memory that is filled once and never moves.
///
/// For much that comes in pieces and stays. The pages are those that the system gives of itself,
/// of 4 KiB as a rule. Asking for large ones (`MADV_HUGEPAGE`) takes fewer faults, but each then
/// waits until 2 MiB in a row are there: where memory is scattered the system moves others' pages
/// first, and in a virtual machine that hands free memory back to its host, the host fetches them
/// anew. A paste of 256 MiB took between 0.3 s and 4 s so, and 0.4 s to 0.8 s without.
///
/// Sendable although it grows: whoever fills it does so before anybody else sees it.
@safe package final class MemoryBlock: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  /// The number of bytes that were put in.
  package private(set) var count = 0

  /// - Parameter size: The bytes that it can hold; what is never filled takes no memory.
  package init(size: Int) throws(Errno) {
    let mapped = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .current }
    unsafe base = mapped
    capacity = size
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
