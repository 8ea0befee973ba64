import SelectionCore
import TestSupport
import Testing

@Suite("MULTIPLE as requestor")
struct MultipleRequestTests {
  private let request = MultipleRequest([
    .init(target: 10, property: 20), .init(target: 11, property: 21),
    .init(target: 12, property: 22),
  ])

  @Test("The list has each target followed by its property")
  func list() {
    #expect(request.words == [10, 20, 11, 21, 12, 22])
    #expect(MultipleRequest([]).words.isEmpty)
  }

  @Test(
    "None in the place of the property, of the target, or of both is a refusal",
    arguments: [[0, 21], [11, 0], [0, 0]] as [[UInt32]])
  func refusals(pair: [UInt32]) {
    let verdicts = request.verdicts(on: [10, 20] + pair + [12, 22], format: 32)
    #expect(verdicts == [.granted, .refused, .granted])
  }

  @Test("A list that came back as it was sent grants all")
  func untouched() {
    #expect(request.verdicts(on: request.words, format: 32) == [.granted, .granted, .granted])
  }

  @Test("A list of another length or format, or none, says nothing")
  func unreadable() {
    let unknown: [MultipleRequest.Verdict] = [.unknown, .unknown, .unknown]
    #expect(request.verdicts(on: nil, format: 32) == unknown)
    #expect(request.verdicts(on: [], format: 32) == unknown)
    #expect(request.verdicts(on: Array(request.words.dropLast()), format: 32) == unknown)
    #expect(request.verdicts(on: request.words + [13, 23], format: 32) == unknown)
    #expect(request.verdicts(on: request.words, format: 8) == unknown)
    #expect(request.verdicts(on: request.words, format: 16) == unknown)
  }

  @Test("A pair that is not ours says nothing, the others count")
  func foreignPairs() {
    #expect(
      request.verdicts(on: [10, 20, 12, 21, 12, 0], format: 32) == [.granted, .unknown, .refused])
    #expect(
      request.verdicts(on: [0, 99, 99, 0, 12, 22], format: 32) == [.unknown, .unknown, .granted])
  }

  /// Owners of all kinds: each marks what failed in one of the places, and then perhaps does
  /// something to the list.
  @Test("A hundred thousand random lists: a verdict for each pair, true wherever one can be had")
  func randomLists() {
    var numbers = SeededGenerator(seed: 11)
    for _ in 0..<100_000 {
      let count = Int.random(in: 0...6, using: &numbers)
      let request = MultipleRequest(
        (0..<count).map { .init(target: UInt32(100 + $0), property: UInt32(200 + $0)) })
      let isGranted = (0..<count).map { _ in Bool.random(using: &numbers) }
      var words = request.words
      for index in 0..<count where !isGranted[index] {
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: words[index * 2] = 0
        case 1: words[index * 2 + 1] = 0
        default: (words[index * 2], words[index * 2 + 1]) = (0, 0)
        }
      }
      var format = 32
      var spoilt: Int?
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0: words += [UInt32.random(in: 0...300, using: &numbers)]
      case 1: words = Array(words.dropLast(Int.random(in: 1...3, using: &numbers)))
      case 2: format = [8, 16, 0].randomElement(using: &numbers) ?? 8
      case 3 where count > 0:
        let place = Int.random(in: 0..<words.count, using: &numbers)
        words[place] = 999
        spoilt = place / 2
      default: break
      }
      let verdicts = request.verdicts(on: words, format: format)
      guard verdicts.count == count else {
        Issue.record("\(verdicts.count) verdicts on \(count) pairs")
        return
      }
      let isReadable = format == 32 && words.count == count * 2
      for index in 0..<count {
        let expected: MultipleRequest.Verdict =
          !isReadable || index == spoilt ? .unknown : isGranted[index] ? .granted : .refused
        guard verdicts[index] == expected else {
          Issue.record("\(words), format \(format): \(verdicts), not \(expected) at \(index)")
          return
        }
      }
    }
  }
}
