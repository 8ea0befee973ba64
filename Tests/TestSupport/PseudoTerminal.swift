internal import Glibc
internal import SystemIO

/// A pseudo terminal without echo, so that what comes out of it is what the child wrote.
final class PseudoTerminal {
  /// The side that the child opens.
  let path: String
  private var control: OwnedFD?
  /// Held until the child has opened the other side: a terminal that nobody has open reads as ended.
  private var keeper: OwnedFD?

  init() throws {
    // posix_openpt and its kind are not in the Glibc module.
    let control = try Files.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: UInt32 = 0
    let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
    let ask: UInt = 0x8004_5430  // TIOCGPTN
    try blockingSystemCall { unsafe ioctl(control.rawValue, unlock, &locked) }
    try blockingSystemCall { unsafe ioctl(control.rawValue, ask, &number) }
    path = "/dev/pts/\(number)"
    var settings = termios()
    try blockingSystemCall { unsafe tcgetattr(control.rawValue, &settings) }
    settings.c_lflag &= ~UInt32(ECHO)
    settings.c_oflag &= ~UInt32(OPOST)
    try blockingSystemCall { unsafe tcsetattr(control.rawValue, TCSANOW, &settings) }
    keeper = try Files.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    self.control = consume control
  }

  /// Hands over our side.
  func takeControl() throws -> OwnedFD {
    guard let control = control.take() else { throw Errno(EBADF) }
    return control
  }
}
