internal import Glibc

/// The time since the machine was started, that in which it slept included: for what is to last a
/// minute and not longer, whatever happens to the machine.
package func currentTimeSinceBoot() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_BOOTTIME, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
