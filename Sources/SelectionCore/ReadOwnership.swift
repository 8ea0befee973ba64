package import Pasteboard

/// The ownership of a selection that the reads of one operation belong to.
///
/// The first request binds it to whoever owns the selection then. A later request of the operation
/// that finds another owner, or the same window with the selection taken anew, fails with
/// ``ReadFailure/ownerGone``: the list of one ownership is never followed by the content of another.
///
/// Without I/O. Not to be shared by operations: each begins with one of its own.
package final class ReadOwnership {
  /// The window, or whatever else the back-end knows an owner by; nil until the first request.
  package private(set) var owner: UInt32?
  /// The time that requests name.
  package private(set) var time = ServerTime.current
  /// Whether the owner has granted a request of this time.
  private var isTimeGranted = false
  /// Whether anything was granted, so that what follows has to belong to that.
  package private(set) var hasBegun = false
  /// Whether the time is one of this operation, so that a refusal is not for its sake.
  private var isTimeFresh = false
  /// What the owner listed, as it came.
  private var list: Payload?

  /// Whether its requests are to meet an ownership that was not there at their time.
  private var isPretended = false

  package init() {}

  /// One that never was: for a request to be refused, by an owner that looks at times.
  ///
  /// - Parameter time: A time at which this owner did not own the selection.
  package init(pretendedOf owner: UInt32, at time: ServerTime) {
    self.owner = owner
    self.time = time
    isTimeFresh = true
    isPretended = true
  }

  /// - Parameters:
  ///   - time: What its requests are to name.
  ///   - isFresh: Whether that is the server's time now, and not an older one that saves asking for it.
  package func bind(to owner: UInt32, at time: ServerTime, isFresh: Bool) {
    precondition(self.owner == nil, "an ownership is bound once")
    self.owner = owner
    self.time = time
    isTimeFresh = isFresh
  }

  /// Requests name the server's time now from now on, since a refusal may have been about the old one.
  package func renew(at time: ServerTime) {
    self.time = time
    isTimeGranted = false
    isTimeFresh = true
  }

  package func noteGrant(ofRequestAt time: ServerTime) {
    hasBegun = true
    if time == self.time { isTimeGranted = true }
  }

  package func noteList(_ list: Payload) { self.list = list }

  /// Whether the owner, being the same one, is known to have taken the selection anew.
  ///
  /// - Parameter acquired: When it last took it, as far as that was reported.
  package func isSuperseded(byAcquisitionAt acquired: ServerTime?) -> Bool {
    guard let acquired, owner != nil, time != .current, !isPretended else { return false }
    return !time.concerns(ownershipSince: acquired)
  }

  /// What a refusal may mean.
  ///
  /// ICCCM 2.2 has one answer for "no such target" and "not at the time that you name".
  package enum Refusal: Hashable, Sendable {
    /// The owner does not have the target.
    case isFinal
    /// Another request has learnt a better time since: ask with that.
    case mayConcernOldTime
    /// The time is an old one and nothing was granted at it: ask once more, with the server's now.
    case mayConcernTime
    /// The time was granted before, so a refusal for its sake would mean that the selection was taken
    /// anew: whether that is so, a second list at the same time tells.
    case mayConcernOwnership
  }

  /// - Parameters:
  ///   - time: The time that the refused request named.
  ///   - isRepeated: Whether it was asked again already.
  ///   - acquired: When the owner last took the selection, as far as that was reported.
  package func meaning(
    ofRefusalAt time: ServerTime, isRepeated: Bool, acquired: ServerTime? = nil
  ) -> Refusal {
    if time != self.time { return isRepeated ? .isFinal : .mayConcernOldTime }
    if !hasBegun, isSuperseded(byAcquisitionAt: acquired) { return .mayConcernTime }
    if !isTimeGranted { return isTimeFresh ? .isFinal : .mayConcernTime }
    // Where nothing was listed, what was refused is not expected to be there either.
    return list == nil ? .isFinal : .mayConcernOwnership
  }

  /// Whether a second list shows another ownership: a target that was in the first is gone.
  ///
  /// Owners that look at no times grant the second list whatever happened.
  package func isContradicted(by second: Payload, on target: UInt32) -> Bool {
    guard let list else { return false }
    return list.holdsWord(target) && !second.holdsWord(target)
  }
}

extension Payload {
  /// Whether one of its 32-bit values, in the machine's order of bytes, is this one.
  fileprivate func holdsWord(_ word: UInt32) -> Bool {
    unsafe withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).contains { offset in
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == word
      }
    }
  }
}
