import SelectionCore
import TestSupport
import Testing

private typealias Incoming = TransitionRow<
  IncomingStream.State, IncomingStream.Event, IncomingStream.Action
>
private typealias Outgoing = TransitionRow<
  OutgoingStream.State, OutgoingStream.Event, OutgoingStream.Action
>

@Suite("Transfers through a pipe, received")
struct IncomingStreamTests {
  static let everyEvent: [IncomingStream.Event] = [
    .bytes(count: 5), .end(pipeWasFull: false, isLate: false), .failed,
    .verified(isSameOwner: true), .verified(isSameOwner: false),
    .deadline, .limitExceeded, .connectionLost,
  ]

  private static let table: [Incoming] = [
    .init(.reading, .bytes(count: 5), .reading, [.restartDeadline]),
    .init(
      .reading, .end(pipeWasFull: false, isLate: false), .verifying, [.restartDeadline, .verify]),
    .init(.reading, .failed, .finished(.malformed), [.finish(.malformed)]),
    .init(.reading, .limitExceeded, .finished(.tooLarge), [.finish(.tooLarge)]),
    .init(.reading, .deadline, .finished(.timedOut), [.finish(.timedOut)]),
    .init(.reading, .connectionLost, .finished(.connectionLost), [.finish(.connectionLost)]),
    .init(.verifying, .verified(isSameOwner: true), .finished(.received), [.finish(.received)]),
    .init(.verifying, .verified(isSameOwner: false), .finished(.ownerGone), [.finish(.ownerGone)]),
    .init(.verifying, .deadline, .finished(.timedOut), [.finish(.timedOut)]),
    .init(.verifying, .connectionLost, .finished(.connectionLost), [.finish(.connectionLost)]),
  ]

  private func stream(in state: IncomingStream.State) -> IncomingStream {
    var stream = IncomingStream()
    if state == .verifying { _ = stream.handle(.end(pipeWasFull: false, isLate: false)) }
    return stream
  }

  @Test("Each pair of state and event does what its row says")
  func incomingTable() {
    for row in Self.table {
      var stream = stream(in: row.state)
      #expect(stream.handle(row.event) == row.actions, "\(row)")
      #expect(stream.state == row.next, "\(row)")
    }
    #expect(Self.table.count == 10)
  }

  @Test("What only a fault of ours could bring about traps")
  func forbiddenIncoming() async {
    await #expect(processExitsWith: .failure) {
      var stream = IncomingStream()
      _ = stream.handle(.verified(isSameOwner: true))
    }
    await #expect(processExitsWith: .failure) {
      var stream = IncomingStream()
      _ = stream.handle(.end(pipeWasFull: false, isLate: false))
      _ = stream.handle(.bytes(count: 1))
    }
  }

  @Test("Nothing happens behind the end")
  func incomingEnd() {
    for event in Self.everyEvent {
      var stream = IncomingStream()
      _ = stream.handle(.deadline)
      #expect(stream.handle(event) == [])
      #expect(stream.state == .finished(.timedOut))
    }
  }

  @Test(
    "The display is asked where the end may mean something else",
    arguments: [0, 1, 4095, 4096, 4097, 65_536, 65_537, 69_632, 69_633, 1 << 30])
  func doubtfulEnds(_ count: Int) {
    for (pipeWasFull, isLate) in [(false, false), (true, false), (false, true), (true, true)] {
      var stream = IncomingStream()
      if count > 0 { _ = stream.handle(.bytes(count: count)) }
      let isShortAndCut = pipeWasFull && [4096, 65_536].contains(count)
      let isLongAndCut = [69_632, 1 << 30].contains(count)
      let isDoubtful = count == 0 || isLate || isShortAndCut || isLongAndCut
      #expect(
        stream.handle(.end(pipeWasFull: pipeWasFull, isLate: isLate))
          == (isDoubtful ? [.restartDeadline, .verify] : [.finish(.received)]))
    }
  }
}

@Suite("Transfers through a pipe, sent")
struct OutgoingStreamTests {
  static let everyEvent: [OutgoingStream.Event] = [
    .contentReady(count: 9), .contentFailed, .wrote(count: 1), .pipeFull, .writable, .readerGone,
    .deadline, .connectionLost,
  ]

  private static let table: [Outgoing] = [
    .init(
      .filling, .contentReady(count: 9), .writing(offset: 0), [.restartDeadline, .write(from: 0)]),
    .init(.filling, .contentReady(count: 0), .finished(.sent), [.finish(.sent)]),
    .init(.filling, .contentFailed, .finished(.refused), [.finish(.refused)]),
    .init(.filling, .readerGone, .finished(.readerGone), [.finish(.readerGone)]),
    .init(.filling, .deadline, .finished(.stalled), [.finish(.stalled)]),
    .init(.filling, .connectionLost, .filling),
    .init(.writing(offset: 4), .wrote(count: 1), .writing(offset: 5), [.restartDeadline]),
    .init(.writing(offset: 4), .wrote(count: 5), .finished(.sent), [.finish(.sent)]),
    .init(.writing(offset: 4), .pipeFull, .writing(offset: 4), [.awaitRoom]),
    .init(.writing(offset: 4), .writable, .writing(offset: 4), [.write(from: 4)]),
    .init(.writing(offset: 4), .readerGone, .finished(.readerGone), [.finish(.readerGone)]),
    .init(.writing(offset: 4), .deadline, .finished(.stalled), [.finish(.stalled)]),
    .init(.writing(offset: 4), .connectionLost, .writing(offset: 4)),
  ]

  private func stream(in state: OutgoingStream.State) -> OutgoingStream {
    var stream = OutgoingStream()
    if case .writing(let offset) = state {
      _ = stream.handle(.contentReady(count: 9))
      if offset > 0 { _ = stream.handle(.wrote(count: offset)) }
    }
    return stream
  }

  @Test("Each pair of state and event does what its row says")
  func outgoingTable() {
    for row in Self.table {
      var stream = stream(in: row.state)
      #expect(stream.handle(row.event) == row.actions, "\(row)")
      #expect(stream.state == row.next, "\(row)")
    }
    #expect(Self.table.count == 13)
  }

  @Test("What only a fault of ours could bring about traps")
  func forbiddenOutgoing() async {
    await #expect(processExitsWith: .failure) {
      var stream = OutgoingStream()
      _ = stream.handle(.writable)
    }
    await #expect(processExitsWith: .failure) {
      var stream = OutgoingStream()
      _ = stream.handle(.contentReady(count: 1))
      _ = stream.handle(.wrote(count: 2))
    }
    await #expect(processExitsWith: .failure) {
      var stream = OutgoingStream()
      _ = stream.handle(.contentReady(count: 1))
      _ = stream.handle(.contentReady(count: 1))
    }
  }

  @Test("Nothing happens behind the end")
  func outgoingEnd() {
    for event in Self.everyEvent {
      var stream = OutgoingStream()
      _ = stream.handle(.contentFailed)
      #expect(stream.handle(event) == [])
      #expect(stream.state == .finished(.refused))
    }
  }

  @Test(
    "Whatever happens in whatever order, there is one end, and no byte is written twice",
    arguments: 1...200 as ClosedRange<UInt64>)
  func outgoingScripts(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var stream = OutgoingStream()
    let count = Int.random(in: 0...40, using: &random)
    var actions = stream.handle(.contentReady(count: count))
    var position = 0
    var ends = 0
    for _ in 0..<200 {
      for action in actions {
        switch action {
        case .write(let offset): #expect(offset == position)
        case .finish: ends += 1
        case .awaitRoom, .restartDeadline: break
        }
      }
      guard case .writing(let offset) = stream.state else { break }
      #expect(offset == position)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: actions = stream.handle(.readerGone)
      case 1: actions = stream.handle(.deadline)
      case 2: actions = stream.handle(.connectionLost)
      case 3..<8: actions = stream.handle(.pipeFull)
      case 8..<12: actions = stream.handle(.writable)
      default:
        let more = Int.random(in: 1...(count - position), using: &random)
        position += more
        actions = stream.handle(.wrote(count: more))
      }
    }
    #expect(ends <= 1)
    if case .finished = stream.state { #expect(ends == 1) }
  }
}
