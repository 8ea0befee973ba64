import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO

/// Knows secrets again that come without their marks: what a program copies anew that had pasted one,
/// or another clipboard manager brings back.
///
/// What it knows is a hash of each, by a key that only this process has and nobody ever sees; neither
/// is written anywhere, so it ends with the process. Line ends and blanks around a text do not count.
final class SecretMemory {
  private let key = SipHash.Key(uniqueNumber(), uniqueNumber())
  private var hashes: Set<UInt64> = []
  /// The same, the oldest first.
  private var order: [UInt64] = []

  /// More secrets than anybody copies in a session.
  private static let capacity = 1024

  /// What is longer is no password.
  static let maximumSize = 1 << 16

  func remember(_ payload: Payload) {
    guard let hash = hash(of: payload), hashes.insert(hash).inserted else { return }
    order.append(hash)
    if order.count > Self.capacity { hashes.remove(order.removeFirst()) }
  }

  func knows(_ payload: Payload) -> Bool {
    !hashes.isEmpty && hash(of: payload).map { hashes.contains($0) } ?? false
  }

  /// Nil for what is too long, and for nothing at all.
  private func hash(of payload: Payload) -> UInt64? {
    guard payload.count <= Self.maximumSize else { return nil }
    let bytes = payload.bytes
    func isPadding(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || (9...13).contains(byte) }
    guard let start = bytes.firstIndex(where: { !isPadding($0) }),
      let end = bytes.lastIndex(where: { !isPadding($0) })
    else { return nil }
    var hash = SipHash(key)
    for byte in bytes[start...end] { hash.update(byte) }
    return hash.value
  }

  // MARK: Offers

  /// Remembers what there is of an offer that is secret; has one carry the marks of a secret that is
  /// one without saying so.
  func mark(_ offer: inout Offer) {
    let isMarked = !SensitivityMarker.markers(among: offer.targets.map(\.name)).isEmpty
    let contents = offer.targets.filter { !offer.isMark($0) }.compactMap { target in
      // What is still to be made is made of what is there.
      if case .there(let payload) = target.content.state { payload } else { nil }
    }
    if isMarked {
      for payload in contents { remember(payload) }
    } else if contents.contains(where: knows) {
      for mark in SensitivityMarker.published { offer.set(mark) }
    }
  }
}
