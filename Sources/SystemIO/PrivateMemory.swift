internal import CLinux

/// Keeps what this process holds in memory to itself: no core is written when it crashes, and other
/// processes of the same user cannot read it.
///
/// Holds for the processes that it forks too. Memory is not locked: the display server keeps a copy of
/// what is pasted in memory of its own, which nobody here can lock.
package func keepMemoryPrivate() { _ = clinux_forbid_dumps() }

/// Whether ``keepMemoryPrivate()`` holds for this process.
package var isMemoryPrivate: Bool { clinux_are_dumps_allowed() == 0 }
