internal import SystemIO

/// The transfers to readers, over all that a display has of ours, and how many there may be.
///
/// Each holds a descriptor, and a process may have so many open: with none left the next that comes
/// through the display is lost, and the connection with it. A reader that takes nothing keeps its place
/// for long, so where there is no room the one that has waited longest makes room.
final class TransferRoom {
  private var transfers: [PipeWriter] = []

  /// Half of what the process may have, and no more than any honest set of readers starts.
  private lazy var maximum = min(1024, max(8, descriptorLimit() / 2))

  func enter(_ transfer: PipeWriter) {
    if transfers.count >= maximum {
      transfers.min { $0.lastProgress < $1.lastProgress }?.giveUp()
    }
    transfers.append(transfer)
  }

  func leave(_ transfer: PipeWriter) { transfers.removeAll { $0 === transfer } }
}
