import ClipboardCore
import ControlProtocol
import EventLoop

/// Which display a service manages that was started before there was one, as happens where its socket
/// starts it: the first of this machine that a program asks about.
struct DisplayAdoption {
  private var lastAttempt: MonotonicTime?
  private var lastAuthority: String?

  /// How long a display that cannot be had is not tried again, whoever asks.
  private static let pause = Duration.seconds(30)

  /// The display to be tried, if it is time for that.
  ///
  /// - Parameter authority: A file that may have the key to it: with another one than the last it is
  ///   tried at once.
  mutating func candidate(
    for name: String, authority: String?, at now: MonotonicTime
  ) -> DisplayChoice? {
    // Whoever asks does not have us wait for another machine.
    guard let display = DisplayName.local(name) else { return nil }
    let isNews = authority != nil && authority != lastAuthority
    if !isNews, let lastAttempt, now - lastAttempt < Self.pause { return nil }
    lastAttempt = now
    lastAuthority = authority ?? lastAuthority
    var choice = DisplayChoice()
    choice.authority = authority
    switch display {
    case .x11(let name):
      choice.backend = .x11
      choice.display = name
    case .wayland(let name):
      choice.backend = .wayland
      choice.waylandDisplay = name
    }
    return choice
  }
}
