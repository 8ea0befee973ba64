internal import CLinux
internal import Glibc
internal import Synchronization

/// A large block of memory that is filled and never moves.
///
/// For much that comes in pieces and stays. Its pages are asked for just before they are filled, some dozens at a
/// time: one by one, as they are touched, they take a quarter longer. Behind the first 2 MiB they are large
/// ones, as long as these come quickly (``LargePagePolicy``).
///
/// Sendable although it grows: whoever fills it does so before anybody else sees it.
@safe package final class MemoryBlock: @unchecked Sendable {
  /// Where it begins: at a place where a large page may.
  private let base: UnsafeMutableRawPointer
  private let capacity: Int
  /// The number of bytes that were put in.
  package private(set) var count = 0
  /// The number of bytes whose pages are there.
  private var present = 0

  /// Of what the processor has at hand when it is filled, and 64 pages with one call.
  private static let step = 1 << 18
  private static let policy = Mutex(LargePagePolicy())

  /// - Parameter size: The bytes that it can hold; what is never filled takes no memory.
  package init(size: Int) throws(Errno) {
    let (reserved, overflow) = size.addingReportingOverflow(LargePagePolicy.size)
    guard !overflow else { throw .noMemory }
    let mapped = unsafe mmap(
      nil, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .current }
    unsafe base = mapped.alignedUp(toMultipleOf: LargePagePolicy.size)
    capacity = size
    // What lies around it for its beginning's sake is given back.
    let end = unsafe (base + size).alignedUp(toMultipleOf: Int(getpagesize()))
    let (before, behind) = unsafe (base - mapped, mapped + reserved - end)
    if before > 0 { _ = unsafe munmap(mapped, before) }
    if behind > 0 { _ = unsafe munmap(end, behind) }
    // Large pages are asked for one by one, also where the system would give them unasked.
    _ = unsafe madvise(base, size, MADV_NOHUGEPAGE)
  }

  deinit { _ = unsafe munmap(base, capacity) }

  /// What was put in, valid as long as the block lives.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  package var isFull: Bool { count == capacity }

  /// Sees to it that there are pages for some bytes more.
  private func makeRoom(for size: Int) {
    while present < count + size {
      if present > 0, present % LargePagePolicy.size == 0,
        capacity - present >= LargePagePolicy.size,
        Self.policy.withLock({ $0.takesLarge() })
      {
        let start = currentTimeSinceBoot()
        unsafe clinux_populate_large(base + present, LargePagePolicy.size)
        let time = currentTimeSinceBoot() - start
        Self.policy.withLock { $0.note(time) }
        present += LargePagePolicy.size
      } else {
        let more = min(Self.step, capacity - present)
        unsafe clinux_populate(base + present, more)
        present += more
      }
    }
  }

  /// Forgets what was put in, for a block whose bytes nobody keeps; the memory stays at hand.
  package func removeAll() { count = 0 }

  /// Copies in as much as there is room for; how many bytes that were.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    let taken = min(bytes.count, capacity - count)
    guard taken > 0, let source = bytes.baseAddress else { return 0 }
    var copied = 0
    while copied < taken {
      let piece = min(taken - copied, Self.step)
      makeRoom(for: piece)
      unsafe (base + count).copyMemory(from: source + copied, byteCount: piece)
      copied += piece
      count += piece
    }
    return taken
  }

  /// Lets the body fill room that is left, not all at a time; it returns how many bytes it put there.
  package func fill(
    _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  ) throws(Errno) -> Int {
    makeRoom(for: min(Self.step, capacity - count))
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: present - count)
    let added = try unsafe body(room)
    precondition(added <= room.count, "more bytes than there was room for")
    count += added
    return added
  }
}

/// Says that large buffers will come and go: the allocator then keeps them at hand.
package func expectLargeBuffers() { clinux_keep_freed_memory() }
