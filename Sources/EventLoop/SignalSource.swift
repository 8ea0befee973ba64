internal import CLinux
package import SystemIO

/// Signals as events of a loop, through a signalfd.
///
/// They are blocked for the process from then on.
package final class SignalSource {
  private let file: OwnedFD
  private var token: LoopToken?

  package init(
    _ signals: [Int32], on loop: any EventLoop, _ handler: @escaping (Int32) -> Void
  ) throws(Errno) {
    let descriptor = try blockingSystemCall { unsafe clinux_signalfd(signals, signals.count) }
    file = OwnedFD(adopting: descriptor)
    token = try loop.watch(descriptor, for: .readable) { _ in
      while true {
        let signal = clinux_signalfd_read(descriptor)
        guard signal > 0 else { return }
        handler(signal)
      }
    }
  }
}
