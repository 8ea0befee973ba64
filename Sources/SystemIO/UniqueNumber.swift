internal import Glibc

/// A number that no other process and no other call of this one gets.
package func uniqueNumber() -> UInt64 {
  var number: UInt64 = 0
  // Never fails for so few bytes once the machine has started.
  if unsafe getentropy(&number, 8) == 0 { return number }
  var time = timespec()
  unsafe clock_gettime(CLOCK_BOOTTIME, &time)
  return UInt64(getpid()) << 40 ^ UInt64(time.tv_nsec) << 8 ^ UInt64(time.tv_sec)
}
