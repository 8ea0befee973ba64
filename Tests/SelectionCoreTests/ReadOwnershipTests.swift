import Pasteboard
import SelectionCore
import TestSupport
import Testing

@Suite("The ownership that a read belongs to")
struct ReadOwnershipTests {
  private func bound(at time: UInt32 = 1000, isFresh: Bool = false) -> ReadOwnership {
    let ownership = ReadOwnership()
    ownership.bind(to: 7, at: ServerTime(time), isFresh: isFresh)
    return ownership
  }

  private func list(_ atoms: [UInt32]) -> Payload { Payload(littleEndian(atoms)) }

  @Test("Nothing is known before the first request")
  func unbound() {
    let ownership = ReadOwnership()
    #expect(ownership.owner == nil)
    #expect(!ownership.isSuperseded(byAcquisitionAt: ServerTime(5)))
  }

  @Test("A refusal at an old time, with nothing granted, may be about the time: once")
  func refusalAtOldTime() {
    let ownership = bound()
    #expect(
      ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: false) == .mayConcernTime)
    ownership.renew(at: ServerTime(2000))
    // Two were under way: the second one finds that the first has learnt the time.
    #expect(
      ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: false) == .mayConcernOldTime)
    #expect(ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: true) == .isFinal)
    #expect(ownership.meaning(ofRefusalAt: ServerTime(2000), isRepeated: true) == .isFinal)
    #expect(ownership.meaning(ofRefusalAt: ServerTime(2000), isRepeated: false) == .isFinal)
  }

  @Test("A refusal at a time of this operation is what it says")
  func refusalAtFreshTime() {
    let ownership = bound(isFresh: true)
    #expect(ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: false) == .isFinal)
  }

  @Test("One that never was is no other for what is known of the owner, and a refusal is final")
  func pretended() {
    let ownership = ReadOwnership(pretendedOf: 7, at: ServerTime(1000))
    #expect(ownership.owner == 7 && ownership.time == ServerTime(1000))
    #expect(!ownership.isSuperseded(byAcquisitionAt: ServerTime(1001)))
    let meaning = ownership.meaning(
      ofRefusalAt: ServerTime(1000), isRepeated: false, acquired: ServerTime(1001))
    #expect(meaning == .isFinal)
  }

  @Test("A refusal by an owner that is known to have taken the selection since is about the time")
  func refusalByLaterOwner() {
    let ownership = bound(isFresh: true)
    func meaning(_ time: UInt32, _ acquired: UInt32) -> ReadOwnership.Refusal {
      ownership.meaning(
        ofRefusalAt: ServerTime(time), isRepeated: true, acquired: ServerTime(acquired))
    }
    #expect(meaning(1000, 1001) == .mayConcernTime)
    #expect(meaning(1000, 1000) == .isFinal)
    ownership.renew(at: ServerTime(1002))
    #expect(meaning(1002, 1001) == .isFinal)
    #expect(meaning(1002, 1003) == .mayConcernTime)
    // Once something was read it has to be that ownership.
    #expect(!ownership.hasBegun)
    ownership.noteGrant(ofRequestAt: ServerTime(1002))
    #expect(ownership.hasBegun)
    #expect(meaning(1002, 1003) == .isFinal)
  }

  @Test("A refusal after a grant is one, unless there was a list to compare with")
  func refusalAfterGrant() {
    let ownership = bound()
    ownership.noteGrant(ofRequestAt: ServerTime(1000))
    #expect(ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: false) == .isFinal)
    ownership.noteList(list([1, 2]))
    #expect(
      ownership.meaning(ofRefusalAt: ServerTime(1000), isRepeated: false) == .mayConcernOwnership)
  }

  @Test("A grant at a time that is not asked with any more proves nothing")
  func lateGrant() {
    let ownership = bound()
    ownership.renew(at: ServerTime(2000))
    ownership.noteGrant(ofRequestAt: ServerTime(1000))
    ownership.noteList(list([1]))
    #expect(ownership.meaning(ofRefusalAt: ServerTime(2000), isRepeated: false) == .isFinal)
  }

  @Test("A second list contradicts the first where what was listed is gone")
  func contradictedLists() {
    let ownership = bound()
    #expect(!ownership.isContradicted(by: list([]), on: 5))
    ownership.noteList(list([4, 5, 6]))
    #expect(ownership.isContradicted(by: list([4, 6]), on: 5))
    #expect(ownership.isContradicted(by: list([]), on: 5))
    #expect(!ownership.isContradicted(by: list([9, 5]), on: 5))
    // What was never listed is not missed.
    #expect(!ownership.isContradicted(by: list([4, 6]), on: 7))
    // The values count, not bytes that happen to lie so.
    #expect(ownership.isContradicted(by: Payload([0] + littleEndian([5]) + [0, 0, 0]), on: 5))
  }

  @Test(
    "An acquisition after the time of asking supersedes it, around the end of the clock too",
    arguments: [
      (1000, 999, false), (1000, 1000, false), (1000, 1001, true), (.max, 5, true),
      (5, .max, false),
    ] as [(UInt32, UInt32, Bool)])
  func superseded(time: UInt32, acquired: UInt32, isSuperseded: Bool) {
    let ownership = bound(at: time)
    #expect(ownership.isSuperseded(byAcquisitionAt: ServerTime(acquired)) == isSuperseded)
    #expect(!ownership.isSuperseded(byAcquisitionAt: nil))
  }
}
