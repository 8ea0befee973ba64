import SystemIO

/// What systemd's service manager and its like say to a service, and are told by it: `sd_notify(3)`
/// and `sd_listen_fds(3)`, of which a few lines are needed.
struct ServiceManager {
  private let address = environmentVariable("NOTIFY_SOCKET")

  /// Tells the manager; nothing where there is none.
  func tell(_ state: String) {
    guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
    try? sendDatagram(state, to: address)
  }

  /// The listening socket that the manager made for us; nil where it made none.
  static func inheritedListener() -> LocalListener? {
    guard environmentVariable("LISTEN_PID") == String(ownProcessID),
      let count = environmentVariable("LISTEN_FDS").flatMap({ Int32($0) }), count >= 1
    else { return nil }
    // The first one, behind the standard streams; one is what the unit asks for.
    return LocalListener.adopting(OwnedFD(adopting: 3))
  }
}
