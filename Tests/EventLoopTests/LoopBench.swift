import EventLoop
import SystemIO
import TestSupport

/// Which loop a test runs on: all that both promise is tested on both.
enum LoopKind: CaseIterable, Sendable {
  case epoll
  case manual
}

/// A loop and what moves it: for the real one the clock and what is written to pipes, for the manual
/// one the test.
final class LoopBench {
  let loop: any EventLoop
  private let manual: ManualEventLoop?

  init(_ kind: LoopKind) throws {
    switch kind {
    case .epoll:
      loop = try EpollEventLoop()
      manual = nil
    case .manual:
      let manual = ManualEventLoop(startingAt: MonotonicTime(nanoseconds: 1_000_000))
      loop = manual
      self.manual = manual
    }
  }

  /// Turns until the condition holds.
  ///
  /// For the manual loop time jumps to the next timer by itself.
  func run(until isDone: () -> Bool) throws {
    // A loop that turns without anything to do is a failure, not a hang of the tests.
    var turns = 0
    try loop.run {
      turns += 1
      return isDone() || turns > 100_000
    }
  }

  /// One turn that does not wait.
  func turn() throws { try loop.turn(waitingUntil: loop.now) }

  /// One turn that would wait for an hour if nothing kept it from that; whether it did not.
  func turnReturnsAtOnce() throws -> Bool {
    let start = loop.now
    try loop.turn(waitingUntil: start + .seconds(3600))
    return loop.now < start + .seconds(3600)
  }

  /// Makes the reading end of a pipe readable.
  func feed(_ channel: Channel) throws {
    try channel.write()
    manual?.makeReady(channel.readEnd, for: .readable)
  }

  /// Breaks the pipe from the writing side.
  func hangUp(_ channel: Channel) {
    channel.closeWriteEnd()
    manual?.makeReady(channel.readEnd, for: .hangUp)
  }

  /// Tells that the descriptor can be written to, which for a real one is so by itself.
  func allowWriting(_ channel: Channel) {
    manual?.makeReady(channel.writeEnd, for: .writable)
  }
}

/// A pipe whose ends can be closed one by one.
final class Channel {
  let readEnd: Int32
  let writeEnd: Int32
  private var reader: OwnedFD?
  private var writer: OwnedFD?

  init() throws {
    (readEnd, writeEnd) = try Pipe().ends()
    reader = OwnedFD(adopting: readEnd)
    writer = OwnedFD(adopting: writeEnd)
  }

  func write() throws {
    guard let writer = writer.take() else { return }
    try Files.write([1], to: writer)
    self.writer = consume writer
  }

  /// Takes one byte out.
  func drain() throws {
    guard let reader = reader.take() else { return }
    var byte: UInt8 = 0
    _ = try unsafe withUnsafeMutableBytes(of: &byte) { buffer in
      try unsafe reader.read(into: buffer)
    }
    self.reader = consume reader
  }

  func closeWriteEnd() { writer = nil }
}
