internal import Pasteboard
package import SelectionCore
internal import TextEncoding

/// What an owner answered to the questions of a checkup: the material of its findings.
package struct OwnerCheckup: Sendable {
  package typealias Reply = Result<ReceivedRepresentation, ReadFailure>

  package struct Content: Sendable {
    package let target: String
    /// Nil where the time did not suffice to ask.
    package let reply: Reply?
  }

  /// TARGETS, as it came.
  package var list: Reply
  /// The names in the list, in its order, repetitions and all.
  package var names: [String] = []
  package var timestamp: Reply = .failure(.refused)
  /// A target that nobody offers.
  package var unheardOf: Reply = .failure(.refused)
  /// TARGETS, asked with a time before the owner took the selection; nil where that time is not known.
  package var early: Reply?
  /// MULTIPLE: TARGETS, and the target that nobody offers.
  package var together: Result<[Reply], ReadFailure> = .failure(.refused)
  package var contents: [Content] = []
  /// Whether there are rules beyond "give what you list": ICCCM has many, Wayland has none.
  package var isHeldToICCCM = true

  package init(list: Reply) { self.list = list }
}

/// One thing that was looked at, and how it fared.
package struct OwnerFinding: Hashable, Sendable {
  /// What was looked at: the rule of ICCCM that it is about.
  package enum Check: String, Hashable, Sendable, CaseIterable {
    case targets
    case required
    case timestamp
    case unheardOf = "unheard-of"
    case early
    case multiple
    case contents
    case text
  }

  package enum Fault: Hashable, Sendable {
    case unanswered(ReadFailure)
    /// Answered with a property of this type and format.
    case malformed(typeName: String, format: Int)
    /// Of the atoms in the list the server has no name for so many.
    case unknownAtoms(Int)
    case repeated([String])
    case notListed([String])
    /// CurrentTime, which is no time.
    case noTime
    /// Something came where a refusal was due.
    case answered(typeName: String)
    /// MULTIPLE did not give what the target by itself gives.
    case notServed
    case refusedContents([String])
    case silentContents([String])
    case otherKind(target: String, typeName: String)
    case notUTF8(target: String)
  }

  package enum Verdict: Hashable, Sendable {
    case good
    /// Not as ICCCM has it, and harmless to nearly everybody.
    case note(Fault)
    case fault(Fault)
  }

  package let check: Check
  package let verdict: Verdict

  package init(_ check: Check, _ verdict: Verdict) {
    self.check = check
    self.verdict = verdict
  }
}

extension OwnerCheckup {
  /// What is to be said of the owner, by ICCCM 2.2 and 2.6.2, in the order of the questions.
  package var findings: [OwnerFinding] {
    guard case .success = list else { return listFindings }
    if !isHeldToICCCM { return listFindings + contentFindings }
    return listFindings
      + [
        OwnerFinding(.required, requiredVerdict),
        OwnerFinding(.timestamp, timestampVerdict),
        OwnerFinding(.unheardOf, refusalVerdict(unheardOf).map { .fault($0) } ?? .good),
        // ICCCM says "should", and the great toolkits do not.
        early.map { OwnerFinding(.early, refusalVerdict($0).map { .note($0) } ?? .good) },
        multipleVerdict.map { OwnerFinding(.multiple, $0) },
      ].compactMap { $0 } + contentFindings
  }

  private var listFindings: [OwnerFinding] {
    switch list {
    case .failure(let failure): return [OwnerFinding(.targets, .fault(.unanswered(failure)))]
    case .success where !isHeldToICCCM:
      let repeated = repeatedNames
      return [OwnerFinding(.targets, repeated.isEmpty ? .good : .note(.repeated(repeated)))]
    case .success(let answer):
      guard answer.format == 32, answer.typeName == "ATOM" || answer.typeName == "TARGETS" else {
        let fault = OwnerFinding.Fault.malformed(
          typeName: answer.typeName, format: answer.format)
        return [OwnerFinding(.targets, .fault(fault))]
      }
      var findings: [OwnerFinding] = []
      if answer.typeName != "ATOM" {
        let fault = OwnerFinding.Fault.malformed(typeName: answer.typeName, format: answer.format)
        findings.append(OwnerFinding(.targets, .note(fault)))
      }
      let unknown = answer.payload.count / 4 - names.count
      if unknown > 0 { findings.append(OwnerFinding(.targets, .fault(.unknownAtoms(unknown)))) }
      let repeated = repeatedNames
      if !repeated.isEmpty { findings.append(OwnerFinding(.targets, .note(.repeated(repeated)))) }
      return findings.isEmpty ? [OwnerFinding(.targets, .good)] : findings
    }
  }

  private var repeatedNames: [String] {
    var counts: [ExactName: Int] = [:]
    for name in names { counts[ExactName(name), default: 0] += 1 }
    return names.filter { counts[ExactName($0), default: 0] > 1 }.eachOnce
  }

  private var requiredVerdict: OwnerFinding.Verdict {
    // ICCCM 2.6.2: every owner must support these.
    let missing = ["TARGETS", "MULTIPLE", "TIMESTAMP"].filter { !names.contains($0) }
    return missing.isEmpty ? .good : .note(.notListed(missing))
  }

  private var timestampVerdict: OwnerFinding.Verdict {
    switch timestamp {
    case .failure(let failure): .fault(.unanswered(failure))
    case .success(let answer):
      if answer.format != 32 || answer.payload.count != 4 {
        .fault(.malformed(typeName: answer.typeName, format: answer.format))
      } else if answer.payload.bytes == [0, 0, 0, 0] {
        .fault(.noTime)
      } else if answer.typeName != "INTEGER" {
        .note(.malformed(typeName: answer.typeName, format: answer.format))
      } else {
        .good
      }
    }
  }

  /// Nil where the refusal came that was due.
  private func refusalVerdict(_ reply: Reply) -> OwnerFinding.Fault? {
    switch reply {
    case .success(let answer): .answered(typeName: answer.typeName)
    case .failure(.refused): nil
    case .failure(let failure): .unanswered(failure)
    }
  }

  /// Nil where nothing is left to be said.
  private var multipleVerdict: OwnerFinding.Verdict? {
    let verdict: OwnerFinding.Verdict
    switch together {
    case .failure(let failure): verdict = .note(.unanswered(failure))
    case .success(let replies):
      guard replies.count == 2, case .success = replies[0] else {
        verdict = .fault(.notServed)
        break
      }
      // Who answers anything by itself does so here too: that is said once.
      if case .success = unheardOf { return .good }
      verdict = refusalVerdict(replies[1]).map { .fault($0) } ?? .good
    }
    // That it is not listed is said already, and whoever asks all the same gets what he deserves.
    return verdict == .good || names.contains("MULTIPLE") ? verdict : nil
  }

  private var contentFindings: [OwnerFinding] {
    var refused: [String] = []
    var silent: [String] = []
    var findings: [OwnerFinding] = []
    for content in contents {
      switch content.reply {
      case nil, .failure(.tooLarge): break
      case .failure(.refused): refused.append(content.target)
      case .failure: silent.append(content.target)
      case .success(let answer):
        if answer.isOfAnotherKind(than: content.target) {
          let fault = OwnerFinding.Fault.otherKind(
            target: content.target, typeName: answer.typeName)
          findings.append(OwnerFinding(.contents, .fault(fault)))
        } else if TextSpelling(content.target)?.charset == .utf8,
          unsafe answer.payload.withUnsafeBytes({
            unsafe UTF8Validation.firstInvalidOffset(in: $0)
          }) != nil
        {
          findings.append(OwnerFinding(.text, .fault(.notUTF8(target: content.target))))
        }
      }
    }
    if !refused.isEmpty {
      findings.append(OwnerFinding(.contents, .fault(.refusedContents(refused))))
    }
    if !silent.isEmpty { findings.append(OwnerFinding(.contents, .fault(.silentContents(silent)))) }
    let isGood = findings.isEmpty && !contents.isEmpty
    return isGood ? [OwnerFinding(.contents, .good)] : findings
  }
}
