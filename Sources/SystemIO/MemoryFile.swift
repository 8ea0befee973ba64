internal import CLinux
internal import Glibc
internal import Synchronization

/// Bytes in a memory file that grows while it is filled and is mapped while it is used.
///
/// Filling reads straight into the mapping, so the bytes move once, from the source's buffers into
/// memory that can later be handed to another process by descriptor.
///
/// Sendable although it can grow: whoever fills it does so before anybody else sees it.
@safe package final class MemoryFile: @unchecked Sendable {
  private let file: OwnedFD
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  /// The number of bytes that were put in.
  package private(set) var count = 0

  package init(name: String) throws(Errno) {
    file = OwnedFD(adopting: try blockingSystemCall { unsafe clinux_memfd_create(name) })
    let descriptor = file.rawValue
    Self.open.withLock { $0.append(descriptor) }
  }

  /// The descriptors of all memory files of the process: what a detached process has to keep that sends
  /// from them.
  package static var openDescriptors: [Int32] { open.withLock { $0 } }

  private static let open = Mutex<[Int32]>([])

  deinit {
    let descriptor = file.rawValue
    Self.open.withLock { $0.removeAll { $0 == descriptor } }
    if let base = unsafe base { _ = unsafe munmap(base, capacity) }
  }

  package var descriptor: Int32 { file.rawValue }

  /// What was put in so far, valid as long as the file lives and nothing more is put in.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Makes room for more and lets the body fill it; the body returns how many bytes it put there.
  package func append(
    upTo more: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  ) throws(Errno) -> Int {
    try reserve(count + more)
    guard let base = unsafe base else { return 0 }
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: more)
    let added = try unsafe fill(room)
    precondition(added <= more, "more bytes than there was room for")
    count += added
    return added
  }

  /// Grows to at least the size, by doubling: pages that are never touched cost nothing.
  private func reserve(_ size: Int) throws(Errno) {
    guard size > capacity else { return }
    let page = 65_536
    var wanted = max(size, capacity * 2)
    wanted = (wanted + page - 1) / page * page
    let descriptor = file.rawValue
    try blockingSystemCall { ftruncate(descriptor, wanted) }
    let mapped: UnsafeMutableRawPointer?
    if let base = unsafe base {
      unsafe mapped = clinux_mremap(base, capacity, wanted)
    } else {
      unsafe mapped = mmap(nil, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    }
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .current }
    unsafe base = mapped
    capacity = wanted
  }
}
