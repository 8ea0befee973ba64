internal import CLinux
internal import Glibc

/// Reads once from a descriptor that does not block; 0 at the end.
package func readAvailable(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(Errno) -> IOResult<Int> {
  try systemCall { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Writes once to a descriptor that does not block and that somebody else opened; how many bytes it
/// took.
package func writeAvailable(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
) throws(Errno) -> IOResult<Int> {
  try systemCall(isOurs: false) { unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
}

/// Sends bytes of a file without a copy in this process; how many the other side took.
///
/// `Errno.invalidArgument` where that side is nothing that can be sent to.
package func sendFile(
  _ file: Int32, from offset: Int, count: Int, to descriptor: Int32
) throws(Errno) -> IOResult<Int> {
  try systemCall(isOurs: false) { clinux_send_file(descriptor, file, off_t(offset), count) }
}
