internal import SelectionCore

/// One change of a selection and what is there now, as far as its owner tells without being read.
package enum ChangeReport: Sendable {
  case content(ContentSurvey)
  /// An owner is there and what it has is not known: a survey without rows.
  case unknown(ContentSurvey, UnknownContent)
  case empty(isCleared: Bool)

  package enum UnknownContent: Hashable, Sendable {
    /// The next owner took over before this one had answered.
    case replaced
    /// It does not tell.
    case notListed
    case timedOut
    /// It went away, or broke the protocol.
    case brokenOff
  }
}

extension SelectionWatch {
  /// Waits for the next change and asks its owner what it has, not for content; nil when the
  /// connection is lost.
  ///
  /// Each change is reported, in order. Only an owner that takes the selection anew before it has
  /// answered is reported once for both.
  package func nextReport() -> ChangeReport? {
    while let change = next() {
      let window: UInt32?
      switch change {
      case .cleared: return .empty(isCleared: true)
      case .ownerEnded: return .empty(isCleared: false)
      case .taken(let taker): window = taker
      }
      if upcoming == change { continue }
      if hasNext { return unknown(window, .replaced) }
      let report = survey(window)
      if session.backend.isLost { return nil }
      if upcoming == change, !report.isContent { continue }
      return report
    }
    return nil
  }

  private func survey(_ window: UInt32?) -> ChangeReport {
    var budget = SurveyBudget()
    budget.readsContent = false
    let reader = reader()
    do throws(ReadProblem) {
      let survey = try reader.withNewOwner { () throws(ReadProblem) in try reader.survey(budget) }
      // Somebody else answered: that is for the report of the change which is to come.
      if let window, survey.ownerWindow != window { return unknown(window, .replaced) }
      return .content(survey)
    } catch {
      let isReplaced = hasNext
      switch error {
      case .timedOut: return unknown(window, .timedOut)
      case .notListed, .notOffered: return unknown(window, isReplaced ? .replaced : .notListed)
      case .nothingThere, .brokenOff, .changed, .connectionLost, .unconvertible, .guarded,
        .guardedByService, .taken, .noLocalFiles, .notAllLocalFiles, .unwritable:
        return unknown(window, isReplaced ? .replaced : .brokenOff)
      }
    }
  }

  private func unknown(_ window: UInt32?, _ reason: ChangeReport.UnknownContent) -> ChangeReport {
    let facts = session.backend.ownerFacts(of: selection)
    let name = facts?.window == window ? facts?.name : nil
    return .unknown(
      ContentSurvey(
        rows: [], isSensitive: false, preview: nil, ownerName: name, ownerWindow: window), reason)
  }
}

extension ChangeReport {
  fileprivate var isContent: Bool { if case .content = self { true } else { false } }
}
