import EventLoop
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Watched descriptors", .timeLimit(.minutes(1)))
struct WatchTests {
  @Test("What can be read is told, once a turn while it is not taken", arguments: LoopKind.allCases)
  func readable(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var seen: [Interest] = []
    let token = try bench.loop.watch(channel.readEnd, for: .readable) {
      seen.append($0)
      try? channel.drain()
    }
    try bench.turn()
    #expect(seen == [])
    try bench.feed(channel)
    try bench.turn()
    #expect(seen == [.readable])
    try bench.turn()
    #expect(seen == [.readable])
    try bench.feed(channel)
    try bench.turn()
    #expect(seen == [.readable, .readable])
    withExtendedLifetime(token) {}
  }

  @Test("What is not read stays readable")
  func levelTriggered() throws {
    let bench = try LoopBench(.epoll)
    let channel = try Channel()
    var count = 0
    let token = try bench.loop.watch(channel.readEnd, for: .readable) { _ in count += 1 }
    try bench.feed(channel)
    for _ in 0..<3 { try bench.turn() }
    #expect(count == 3)
    withExtendedLifetime(token) {}
  }

  @Test("What can be written to is told", arguments: LoopKind.allCases)
  func writable(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var seen: [Interest] = []
    let token = try bench.loop.watch(channel.writeEnd, for: .writable) { seen.append($0) }
    bench.allowWriting(channel)
    try bench.turn()
    #expect(seen == [.writable])
    withExtendedLifetime(token) {}
  }

  @Test("That the other end is gone is told, asked or not", arguments: LoopKind.allCases)
  func hangUp(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var seen: [Interest] = []
    let token = try bench.loop.watch(channel.readEnd, for: []) { seen.append($0) }
    bench.hangUp(channel)
    try bench.turn()
    #expect(seen == [.hangUp])
    withExtendedLifetime(token) {}
  }

  @Test("Only what is watched for is told", arguments: LoopKind.allCases)
  func onlyInterests(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channel = try Channel()
    var count = 0
    let token = try bench.loop.watch(channel.readEnd, for: .writable) { _ in count += 1 }
    try bench.feed(channel)
    try bench.turn()
    #expect(count == 0)
    withExtendedLifetime(token) {}
  }

  @Test("A watch ends when it is cancelled or its token is let go", arguments: LoopKind.allCases)
  func cancelledWatches(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channels = try [Channel(), Channel()]
    var count = 0
    let token = try bench.loop.watch(channels[0].readEnd, for: .readable) { _ in count += 1 }
    _ = try bench.loop.watch(channels[1].readEnd, for: .readable) { _ in count += 1 }
    token.cancel()
    for channel in channels { try bench.feed(channel) }
    try bench.turn()
    #expect(count == 0)
  }

  @Test(
    "An event of a watch that another handler of the same turn ended is not told",
    arguments: LoopKind.allCases)
  func cancelledInSameTurn(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let channels = try [Channel(), Channel()]
    var tokens: [LoopToken] = []
    var count = 0
    for channel in channels {
      tokens.append(
        try bench.loop.watch(channel.readEnd, for: .readable) { _ in
          count += 1
          for token in tokens { token.cancel() }
        })
    }
    for channel in channels { try bench.feed(channel) }
    try bench.turn()
    try bench.turn()
    #expect(count == 1)
  }

  @Test(
    "An event of an ended watch is not taken for one of the next owner of the descriptor",
    arguments: LoopKind.allCases)
  func staleAfterReuse(kind: LoopKind) throws {
    let bench = try LoopBench(kind)
    let first = try Channel()
    let second = try Channel()
    let empty = try Channel()
    var stale = 0
    var tokens: [LoopToken?] = [nil, nil]
    // Whichever is told first puts another, empty pipe in place of the other's descriptor and
    // watches that: what was ready under the number is ready no longer.
    func replace(_ other: Channel, at index: Int) throws {
      tokens[index]?.cancel()
      try blockingSystemCall { dup2(empty.readEnd, other.readEnd) }
      tokens[index] = try bench.loop.watch(other.readEnd, for: .readable) { _ in stale += 1 }
    }
    var told = 0
    tokens[0] = try bench.loop.watch(first.readEnd, for: .readable) { _ in
      told += 1
      try? replace(second, at: 1)
    }
    tokens[1] = try bench.loop.watch(second.readEnd, for: .readable) { _ in
      told += 1
      try? replace(first, at: 0)
    }
    try bench.feed(first)
    try bench.feed(second)
    try bench.turn()
    #expect(told == 1)
    #expect(stale == 0)
  }

  @Test("What a watch holds is let go when it ends", arguments: LoopKind.allCases)
  func closuresAreLetGo(kind: LoopKind) throws {
    final class Witness {}
    let bench = try LoopBench(kind)
    let channel = try Channel()
    weak var witness: Witness?
    let token: LoopToken
    do {
      let object = Witness()
      witness = object
      token = try bench.loop.watch(channel.readEnd, for: .readable) { _ in
        withExtendedLifetime(object) {}
      }
    }
    #expect(witness != nil)
    token.cancel()
    #expect(witness == nil)
  }

  @Test("A token may outlive its loop", arguments: LoopKind.allCases)
  func tokensOutliveLoop(kind: LoopKind) throws {
    let channel = try Channel()
    var tokens: [LoopToken] = []
    do {
      let bench = try LoopBench(kind)
      tokens.append(try bench.loop.watch(channel.readEnd, for: .readable) { _ in })
      tokens.append(bench.loop.schedule(after: .seconds(1)) {})
      tokens.append(bench.loop.addSource { false })
    }
    for token in tokens { token.cancel() }
    #expect(tokens.count == 3)
  }

  @Test("Many descriptors are told in one turn or the next ones, each once")
  func manyDescriptors() throws {
    let bench = try LoopBench(.epoll)
    let channels = try (0..<100).map { _ in try Channel() }
    var seen: [Int] = []
    var tokens: [LoopToken] = []
    for (index, channel) in channels.enumerated() {
      tokens.append(
        try bench.loop.watch(channel.readEnd, for: .readable) { _ in
          seen.append(index)
          try? channel.drain()
        })
      try bench.feed(channel)
    }
    for _ in 0..<5 { try bench.turn() }
    #expect(seen.sorted() == Array(0..<100))
    #expect(tokens.count == 100)
  }

  @Test("What cannot be watched is an error")
  func unwatchable() throws {
    let bench = try LoopBench(.epoll)
    let directory = TemporaryDirectory()
    let file = try Files.open(try directory.write([], to: "file"), O_RDONLY | O_CLOEXEC)
    #expect(throws: Errno(EPERM)) {
      _ = try bench.loop.watch(file.rawValue, for: .readable) { _ in }
    }
  }
}
