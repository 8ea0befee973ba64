internal import EventLoop
internal import Pasteboard
internal import SelectionCore

/// What a checkup may cost the owner.
package struct CheckupBudget: Sendable {
  /// How long one question may go unanswered.
  package var patience = Duration.seconds(1)
  /// All the time that the questions about content may take.
  package var time = Duration.seconds(2)
  /// The size from which on a representation is not read further: that it is given is enough.
  package var limit = 1 << 20

  package init() {}
}

extension ContentReader {
  /// Asks the owner what ICCCM obliges it to answer, and each of its targets once; secret ones not at
  /// all.
  package func checkup(_ budget: CheckupBudget) throws(ReadProblem) -> OwnerCheckup {
    if wire == .wayland { return try contentCheckup(budget) }
    let list = try answer(to: "TARGETS", in: ownership, budget)
    var checkup = OwnerCheckup(list: list)
    guard case .success = list else { return checkup }
    checkup.names = try targetNames(asksBlindly: false) ?? []
    checkup.timestamp = try answer(to: "TIMESTAMP", in: ownership, budget)
    checkup.unheardOf = try answer(to: Self.unheardOfTarget, in: ownership, budget)
    checkup.early = try earlyAnswer(checkup.timestamp, budget)
    checkup.together = session.wait { done in
      session.backend.readTogether(
        ["TARGETS", Self.unheardOfTarget], of: selection, in: ownership,
        deadline: newDeadline(budget.patience), limit: budget.limit, done)
    }
    checkup.contents = try contents(checkup.names, budget)
    return checkup
  }

  /// Of an owner that cannot be asked for anything but content.
  private func contentCheckup(_ budget: CheckupBudget) throws(ReadProblem) -> OwnerCheckup {
    let names = try listedNames()
    let list = ReceivedRepresentation(
      target: "", typeName: "", format: 8, payload: Payload([]))
    var checkup = OwnerCheckup(list: .success(list))
    checkup.isHeldToICCCM = false
    checkup.names = names
    checkup.contents = try contents(names, budget)
    return checkup
  }

  private func contents(
    _ names: [String], _ budget: CheckupBudget
  ) throws(ReadProblem) -> [OwnerCheckup.Content] {
    // What is secret is nobody's business, and what is served once is not used up by a look.
    guard SensitivityMarker.markers(among: names).isEmpty else { return [] }
    if let terms = try servingTerms(), terms.isOnce || terms.guardTime != nil { return [] }
    var contents: [OwnerCheckup.Content] = []
    let deadline = newDeadline(budget.time, isTotal: true)
    for target in OfferedContent.contentNames(names) {
      let isTimeLeft = session.backend.clock - deadline.lastProgress < budget.time.nanoseconds
      let reply = try isTimeLeft ? answer(to: target, in: ownership, deadline, budget.limit) : nil
      contents.append(.init(target: target, reply: reply))
    }
    return contents
  }

  private static let unheardOfTarget = "application/x-clipview-unheard-of"

  /// What is answered to a request of the time just before the selection was taken.
  private func earlyAnswer(
    _ timestamp: OwnerCheckup.Reply, _ budget: CheckupBudget
  ) throws(ReadProblem) -> OwnerCheckup.Reply? {
    guard case .success(let answer) = timestamp, answer.format == 32, answer.payload.count == 4,
      let owner = ownership.owner
    else { return nil }
    let acquired = unsafe answer.payload.withUnsafeBytes {
      unsafe $0.loadUnaligned(as: UInt32.self)
    }
    // Zero is no time, and one more below it none that could be named.
    guard acquired > 1 else { return nil }
    let early = ReadOwnership(pretendedOf: owner, at: ServerTime(acquired - 1))
    return try self.answer(to: "TARGETS", in: early, budget)
  }

  private func answer(
    to target: String, in ownership: ReadOwnership, _ budget: CheckupBudget
  ) throws(ReadProblem) -> OwnerCheckup.Reply {
    try answer(to: target, in: ownership, newDeadline(budget.patience), budget.limit)
  }

  private func answer(
    to target: String, in ownership: ReadOwnership, _ deadline: ProgressDeadline, _ limit: Int
  ) throws(ReadProblem) -> OwnerCheckup.Reply {
    let reply: OwnerCheckup.Reply = session.wait { done in
      session.backend.read(
        target, of: selection, in: ownership, deadline: deadline, limit: limit, done)
    }
    switch reply {
    case .failure(.noOwner): throw .nothingThere
    case .failure(.connectionLost): throw .connectionLost
    case .failure(.ownerGone): throw .brokenOff(target: target)
    default: return reply
    }
  }

  private func newDeadline(_ interval: Duration, isTotal: Bool = false) -> ProgressDeadline {
    ProgressDeadline(interval, startingAt: session.backend.clock, isTotal: isTotal)
  }
}
