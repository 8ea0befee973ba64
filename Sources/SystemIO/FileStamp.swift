internal import Glibc

/// By what a file is recognised as the same and unchanged.
package struct FileStamp: Equatable, Sendable {
  /// In bytes.
  package let size: Int
  private let device: UInt
  private let inode: UInt
  private let modified: Int
  private let changed: Int

  private init(_ status: stat) {
    size = Int(status.st_size)
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    // In nanoseconds; what a file system pretends to be beyond the year 2262 may wrap around.
    func nanoseconds(_ time: timespec) -> Int { time.tv_sec &* 1_000_000_000 &+ time.tv_nsec }
    modified = nanoseconds(status.st_mtim)
    changed = nanoseconds(status.st_ctim)
  }

  /// Of what a path leads to, links followed.
  package init(ofFileAt path: FilePath) throws(Errno) {
    var status = stat()
    try blockingSystemCall { unsafe path.withCString { unsafe stat($0, &status) } }
    self.init(status)
  }

  /// Of an open file.
  package init(of file: borrowing OwnedFD) throws(Errno) {
    let descriptor = file.rawValue
    var status = stat()
    try blockingSystemCall { unsafe fstat(descriptor, &status) }
    self.init(status)
  }
}
