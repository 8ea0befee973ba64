internal import SelectionCore

/// Where a transfer goes: a requestor has at most one transfer a property.
struct Destination: Hashable {
  let requestor: WindowID
  let property: AtomID
}

/// What all the transfers to readers have in common, whichever selection they come from.
final class X11OutgoingState {
  /// More transfers at once than any honest set of readers starts; beyond, requests are refused.
  static let maximumTransfers = 1024

  /// How long a reader may take nothing before its transfer is dropped.
  let patience: Duration
  /// Up to here a value goes into one property.
  let singleLimit: Int
  var allowance: ChunkAllowance
  /// Whose transfer fills a property.
  var occupants: [Destination: X11Publication] = [:]

  /// - Parameter maximumRequestSize: The longest request that the server takes, in bytes.
  init(patience: Duration, maximumRequestSize: Int) {
    self.patience = patience
    let room = maximumRequestSize - 256
    singleLimit = min(1 << 18, room)
    allowance = ChunkAllowance(ChunkAllowance.Limits(largest: min(1 << 20, room)))
  }

  var isFull: Bool { allowance.transfers >= Self.maximumTransfers }

  /// The size of a transfer's next chunk at the most, in whole items of any format.
  func nextChunkSize(after last: Int?) -> Int { allowance.nextSize(after: last) & ~3 }
}
