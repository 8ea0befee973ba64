import Pasteboard
import SelectionCore
import Testing

@testable import ClipboardCore

/// Words as they stand in a property of format 32.
private func words(_ values: UInt32...) -> Payload {
  Payload(values.flatMap { value in unsafe withUnsafeBytes(of: value) { unsafe Array($0) } })
}

private func reply(
  _ target: String, _ payload: Payload, type: String? = nil, format: Int = 8
) -> OwnerCheckup.Reply {
  .success(
    ReceivedRepresentation(
      target: target, typeName: type ?? target, format: format, payload: payload))
}

/// An owner with which nothing is wrong.
private func healthy() -> OwnerCheckup {
  var checkup = OwnerCheckup(
    list: reply("TARGETS", words(1, 2, 3, 4), type: "ATOM", format: 32))
  checkup.names = ["TARGETS", "MULTIPLE", "TIMESTAMP", "UTF8_STRING"]
  checkup.timestamp = reply("TIMESTAMP", words(4711), type: "INTEGER", format: 32)
  checkup.unheardOf = .failure(.refused)
  checkup.early = .failure(.refused)
  checkup.together = .success([
    reply("TARGETS", words(1, 2, 3, 4), type: "ATOM", format: 32), .failure(.refused),
  ])
  checkup.contents = [
    .init(target: "UTF8_STRING", reply: reply("UTF8_STRING", Payload(Array("naïve".utf8))))
  ]
  return checkup
}

private func faults(_ checkup: OwnerCheckup) -> [OwnerFinding.Fault] {
  checkup.findings.compactMap { if case .fault(let fault) = $0.verdict { fault } else { nil } }
}

private func notes(_ checkup: OwnerCheckup) -> [OwnerFinding.Fault] {
  checkup.findings.compactMap { if case .note(let fault) = $0.verdict { fault } else { nil } }
}

@Suite("Findings of a checkup")
struct OwnerCheckupTests {
  @Test("An owner that keeps to the rules is well, in every respect")
  func healthyOwner() {
    let findings = healthy().findings
    #expect(findings.allSatisfy { $0.verdict == .good }, "\(findings)")
    #expect(
      findings.map(\.check) == [
        .targets, .required, .timestamp, .unheardOf, .early, .multiple, .contents,
      ])
  }

  @Test(
    "One that does not list is told as just that",
    arguments: [ReadFailure.refused, .timedOut, .malformed])
  func silentOwner(failure: ReadFailure) {
    let checkup = OwnerCheckup(list: .failure(failure))
    #expect(checkup.findings == [OwnerFinding(.targets, .fault(.unanswered(failure)))])
  }

  @Test("A list of a wrong type or format is a fault, one of type TARGETS a note")
  func malformedList() {
    var checkup = healthy()
    checkup.list = reply("TARGETS", words(1, 2, 3, 4), type: "STRING", format: 8)
    #expect(faults(checkup) == [.malformed(typeName: "STRING", format: 8)])
    checkup.list = reply("TARGETS", words(1, 2, 3, 4), type: "TARGETS", format: 32)
    #expect(faults(checkup) == [])
    #expect(notes(checkup) == [.malformed(typeName: "TARGETS", format: 32)])
  }

  @Test("Atoms that are none, repetitions and missing required targets are told")
  func oddLists() {
    var checkup = healthy()
    checkup.list = reply("TARGETS", words(1, 2, 3, 4, 0, 99), type: "ATOM", format: 32)
    #expect(faults(checkup) == [.unknownAtoms(2)])
    checkup.names = ["TARGETS", "a/b", "UTF8_STRING", "a/b", "UTF8_STRING", "a/b"]
    #expect(faults(checkup) == [])
    #expect(
      notes(checkup) == [
        .repeated(["a/b", "UTF8_STRING"]), .notListed(["MULTIPLE", "TIMESTAMP"]),
      ])
  }

  @Test("TIMESTAMP has to be a time")
  func timestamps() {
    var checkup = healthy()
    checkup.timestamp = .failure(.refused)
    #expect(faults(checkup) == [.unanswered(.refused)])
    checkup.timestamp = reply("TIMESTAMP", words(0), type: "INTEGER", format: 32)
    #expect(faults(checkup) == [.noTime])
    // What xclip answers: its content.
    checkup.timestamp = reply("TIMESTAMP", Payload(Array("text".utf8)), type: "STRING")
    #expect(faults(checkup) == [.malformed(typeName: "STRING", format: 8)])
    checkup.timestamp = reply("TIMESTAMP", words(1, 2), type: "INTEGER", format: 32)
    #expect(faults(checkup) == [.malformed(typeName: "INTEGER", format: 32)])
    checkup.timestamp = reply("TIMESTAMP", words(5), type: "TIMESTAMP", format: 32)
    #expect(faults(checkup) == [])
    #expect(notes(checkup) == [.malformed(typeName: "TIMESTAMP", format: 32)])
  }

  @Test("What nobody offers has to be refused; so should requests from before its time")
  func refusals() {
    var checkup = healthy()
    checkup.unheardOf = reply("x/y", Payload([1]), type: "STRING")
    #expect(faults(checkup) == [.answered(typeName: "STRING")])
    checkup.unheardOf = .failure(.timedOut)
    #expect(faults(checkup) == [.unanswered(.timedOut)])
    checkup = healthy()
    checkup.early = reply("TARGETS", words(1), type: "ATOM", format: 32)
    #expect(faults(checkup) == [])
    #expect(notes(checkup) == [.answered(typeName: "ATOM")])
    checkup.early = nil
    #expect(!checkup.findings.contains { $0.check == .early })
  }

  @Test("MULTIPLE may be unknown, but must not answer wrongly")
  func multiple() {
    var checkup = healthy()
    checkup.together = .failure(.refused)
    #expect(faults(checkup) == [])
    #expect(notes(checkup) == [.unanswered(.refused)])
    checkup.together = .success([.failure(.refused), .failure(.refused)])
    #expect(faults(checkup) == [.notServed])
    let list = reply("TARGETS", words(1), type: "ATOM", format: 32)
    checkup.together = .success([list, reply("x/y", Payload([]), type: "x/y")])
    #expect(faults(checkup) == [.answered(typeName: "x/y")])
    // Said once where it answers anything anyway.
    checkup.unheardOf = reply("x/y", Payload([]), type: "x/y")
    #expect(faults(checkup) == [.answered(typeName: "x/y")])
    // And once that it is not there at all.
    checkup = healthy()
    checkup.names = ["TARGETS", "TIMESTAMP", "UTF8_STRING", "a/b"]
    checkup.together = .failure(.malformed)
    #expect(faults(checkup) == [])
    #expect(notes(checkup) == [.notListed(["MULTIPLE"])])
  }

  @Test("Content that is listed has to be given, as what it is")
  func contents() {
    var checkup = healthy()
    checkup.contents = [
      .init(target: "text/html", reply: .failure(.refused)),
      .init(target: "image/png", reply: reply("image/png", Payload([1]), type: "STRING")),
      .init(target: "UTF8_STRING", reply: reply("UTF8_STRING", Payload([0xE9]))),
      .init(target: "text/rtf", reply: .failure(.timedOut)),
      // Larger than what is looked at, or not asked for: nothing is known against it.
      .init(target: "image/bmp", reply: .failure(.tooLarge)), .init(target: "a/b", reply: nil),
    ]
    #expect(
      faults(checkup) == [
        .otherKind(target: "image/png", typeName: "STRING"), .notUTF8(target: "UTF8_STRING"),
        .refusedContents(["text/html"]), .silentContents(["text/rtf"]),
      ])
    checkup.contents = []
    #expect(faults(checkup) == [])
    #expect(!checkup.findings.contains { $0.check == .contents })
  }
}
