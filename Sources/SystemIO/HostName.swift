internal import Glibc

/// The name of this machine, as other programs write it into the addresses of its files.
package func hostName() -> [UInt8] {
  var buffer = [CChar](repeating: 0, count: 256)
  // Never more than 64 bytes on Linux; what was cut off would have no closing NUL.
  guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
  return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
}
