internal import CLinux
internal import Glibc

/// How a command ended.
package enum CommandEnding: Hashable, Sendable {
  case exited(Int32)
  case signalled(Int32)
}

/// One command of the user's that runs: a child process, which has to be asked for its end.
///
/// It has our output and error streams, an input of its own and no other descriptor of ours, no
/// signal blocked, and SIGPIPE and SIGXFSZ as programs expect them.
package final class ShellCommand {
  private let pid: pid_t

  /// Runs it through `sh -c`.
  ///
  /// - Parameters:
  ///   - command: Bytes without a NUL, as the command line had them.
  ///   - variables: What stands in its environment beside or instead of ours; nil takes one away.
  ///   - input: What it reads; handed over, so its position becomes the child's.
  package init(
    _ command: [UInt8], variables: [(name: String, value: String?)], input: consuming OwnedFD
  ) throws(Errno) {
    var environment = Self.environment(without: variables.map(\.name))
    for (name, value) in variables {
      if let value { environment.append(Array("\(name)=\(value)".utf8)) }
    }
    var child: pid_t = 0
    let descriptor = input.rawValue
    let code = unsafe withCStrings(environment) { environment in
      unsafe FilePath(bytes: command).withCString { command in
        unsafe clinux_spawn_shell(command, environment, descriptor, &child)
      }
    }
    if code != 0 { throw Errno(code) }
    pid = child
  }

  /// How it ended, once it has; it is gone for good then, and must not be asked again.
  package func takeEnding() throws(Errno) -> CommandEnding? {
    var status: Int32 = 0
    let pid = self.pid
    let ended = try blockingSystemCall { unsafe clinux_reap(pid, &status) }
    guard ended != 0 else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Our environment without some variables, as `name=value`.
  private static func environment(without names: [String]) -> [[UInt8]] {
    let prefixes = names.map { Array("\($0)=".utf8) }
    var kept: [[UInt8]] = []
    guard var next = unsafe environ else { return [] }
    while let entry = unsafe next.pointee {
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: entry, count: strlen(entry)))
      if !prefixes.contains(where: { bytes.starts(with: $0) }) { kept.append(bytes) }
      unsafe next += 1
    }
    return kept
  }
}

/// Lends an array of C strings that ends with a null pointer.
private func withCStrings<Result>(
  _ strings: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var block: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(block.count)
    block.append(contentsOf: string.lazy.map { CChar(bitPattern: $0) })
    block.append(0)
  }
  block.append(0)
  return unsafe block.withUnsafeMutableBufferPointer { block in
    // Never nil: there is at least the closing NUL.
    guard let base = block.baseAddress else { preconditionFailure("an empty array") }
    let pointers: [UnsafeMutablePointer<CChar>?] =
      unsafe offsets.map { unsafe base + $0 } + [nil]
    return unsafe pointers.withUnsafeBufferPointer { pointers in
      guard let base = pointers.baseAddress else { preconditionFailure("an empty array") }
      return unsafe body(base)
    }
  }
}

/// Makes children wait for us to ask how they ended, whatever the caller arranged: a caller that
/// ignores SIGCHLD would leave us without their endings.
package func keepEndedChildren() { clinux_reset_signal(SIGCHLD) }

/// The signal that tells of a child's end.
package let childEndedSignal = SIGCHLD

/// From now on Ctrl-C, a termination and a hang-up end this process at once, wherever it waits, and
/// the command that it runs with it: with 128 and the signal's number.
///
/// What the caller has ignored (`nohup`, a job in the background) stays ignored.
package func endOnSignals() throws(Errno) {
  try blockingSystemCall { clinux_end_on_signals() }
}

/// `/dev/null` as the input of a command.
package func emptyInput() throws(Errno) -> OwnedFD {
  OwnedFD(
    adopting: try blockingSystemCall {
      unsafe clinux_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
    })
}

/// A memory file of its own for each command's input, filled and wound back.
///
/// Not a pipe: however much it is, and however slowly, late or never it is read, nobody waits for
/// anybody, and the command may read it several times.
package func memoryInput(_ fill: FileFilling) throws(Errno) -> OwnedFD {
  let file = OwnedFD(adopting: try blockingSystemCall { unsafe clinux_memfd_create("clipview") })
  let descriptor = file.rawValue
  try unsafe fill { bytes throws(Errno) in try unsafe writeFully(bytes, to: descriptor) }
  try blockingSystemCall { lseek(descriptor, 0, SEEK_SET) }
  return file
}
