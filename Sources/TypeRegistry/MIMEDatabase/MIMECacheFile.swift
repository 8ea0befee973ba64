internal import SystemIO

/// One `mime.cache` on disk and what was read from it last.
struct MIMECacheFile: Sendable {
  let path: String
  /// What answers come from: the newest state of the file that was of use.
  private(set) var cache: MIMECache?
  /// Why the newest state is not.
  private(set) var fault: MIMECacheFault?
  private var stamp: FileStamp?

  init(path: String) {
    self.path = path
  }

  /// Looks at the file, and reads it where it is another one than before; tells whether that
  /// changes the cache.
  ///
  /// The file is replaced in one step by those who know how to. Where one does not, and what is
  /// there is no cache for the moment, the one from before stays until the file is whole or gone.
  mutating func update() -> Bool {
    let newStamp: FileStamp
    do {
      newStamp = try FileStamp(ofFileAt: FilePath(path))
    } catch {
      return forget(error)
    }
    if newStamp == stamp { return false }
    do throws(MIMECacheFault) {
      let (bytes, stamp) = try Self.read(FilePath(path))
      self.stamp = stamp
      cache = try MIMECache(bytes)
      fault = nil
      return true
    } catch {
      // What is no cache need not be read again before it changes; what changed must be.
      if error == .changing { stamp = nil } else { stamp = newStamp }
      fault = error
      return false
    }
  }

  /// Forgets a file that is gone.
  private mutating func forget(_ error: Errno) -> Bool {
    let hadCache = cache != nil
    cache = nil
    stamp = nil
    fault = error == .notFound || error == .notDirectory ? nil : .unreadable(error.code)
    return hadCache
  }

  /// The bytes of a file that stayed the same while it was read.
  private static func read(_ path: FilePath) throws(MIMECacheFault) -> ([UInt8], FileStamp) {
    do {
      for _ in 0..<3 {
        // Not blocked by a pipe of that name; a link is as good as a file.
        let file = try openRegularFile(path, followsLinks: true)
        let before = try FileStamp(of: file)
        guard before.size <= MIMECache.sizeLimit else { throw MIMECacheFault.tooLarge }
        let bytes = try readStart(of: file, count: before.size)
        if try FileStamp(of: file) == before, bytes.count == before.size { return (bytes, before) }
      }
    } catch let error as Errno {
      throw .unreadable(error.code)
    } catch let fault as MIMECacheFault {
      throw fault
    } catch {
      preconditionFailure("neither an error of the system nor of the cache")
    }
    throw .changing
  }

  /// The environment of the process.
  static func environmentVariable(_ name: String) -> String? {
    SystemIO.environmentVariable(name)
  }
}
