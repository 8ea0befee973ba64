import Glibc
import Pasteboard
import Synchronization
import Testing
import TypeRegistry

@Suite("Promises")
struct PromiseTests {
  private struct Broken: Error, Equatable {}

  private func promised(
    _ make: @escaping @Sendable () throws -> Payload
  ) throws -> Representation {
    var item = PasteboardItem()
    item.promise(.html, from: .markdown, make)
    return try #require(item.representation(for: .html))
  }

  @Test("Nothing is made before somebody asks")
  func nothingIsMadeUnasked() throws {
    let made = Counter()
    let representation = try promised {
      made.increment()
      return Payload("x")
    }
    #expect(representation.availablePayload == nil)
    #expect(made.value == 0)
    #expect(try representation.payload() == Payload("x"))
    #expect(representation.availablePayload == Payload("x"))
  }

  @Test("A promise is made once, however many ask and whichever copy of the item they hold")
  func promiseIsMadeOnce() throws {
    let made = Counter()
    var item = PasteboardItem()
    item.promise(.html) {
      made.increment()
      return Payload("x")
    }
    let copy = item
    for asked in [item, copy, item] {
      #expect(try asked.representation(for: .html)?.payload() == Payload("x"))
    }
    #expect(made.value == 1)
  }

  @Test("All receivers share the bytes that were made")
  func receiversShareTheBytes() throws {
    let representation = try promised { Payload("x") }
    let one = try representation.payload().chunks
    let other = try representation.payload().chunks
    #expect(one.first === other.first)
  }

  @Test("A failure is kept like a result")
  func failureIsKept() throws {
    let made = Counter()
    let representation = try promised {
      made.increment()
      throw Broken()
    }
    for _ in 0..<3 {
      #expect(throws: Broken()) { try representation.payload() }
      #expect(representation.availablePayload == nil)
    }
    #expect(made.value == 1)
  }

  @Test("Threads that ask at the same time get the one result")
  func threadsShareOneResult() throws {
    for _ in 0..<50 {
      let made = Counter()
      let representation = try promised {
        made.increment()
        sched_yield()
        return Payload("x")
      }
      let chunks = Mutex<[ByteChunk]>([])
      onThreads(8) {
        guard let payload = try? representation.payload() else { return }
        chunks.withLock { $0 += payload.chunks }
      }
      let seen = chunks.withLock { $0 }
      #expect(made.value == 1)
      #expect(seen.count == 8)
      #expect(Set(seen.map { ObjectIdentifier($0) }).count == 1)
    }
  }

  @Test("Threads that ask at the same time get the one failure")
  func threadsShareOneFailure() throws {
    let made = Counter()
    let failed = Counter()
    let representation = try promised {
      made.increment()
      throw Broken()
    }
    onThreads(8) {
      do { _ = try representation.payload() } catch { failed.increment() }
    }
    #expect(made.value == 1)
    #expect(failed.value == 8)
  }

  @Test("Looking whether it is there does not wait for a promise that is being made")
  func lookingDoesNotWait() throws {
    let itself = Mutex<Representation?>(nil)
    let seen = Mutex<[Payload?]>([])
    let representation = try promised {
      let payload = itself.withLock { $0 }?.availablePayload
      seen.withLock { $0.append(payload) }
      return Payload("x")
    }
    itself.withLock { $0 = representation }
    _ = try representation.payload()
    #expect(seen.withLock { $0 } == [nil])
    itself.withLock { $0 = nil }
  }

  @Test("What the closure holds is let go once the promise is kept")
  func closureIsReleased() throws {
    let source = Counter()
    weak var watched: Counter?
    watched = source
    let representation = try {
      let captured = Counter()
      watched = captured
      return try promised {
        captured.increment()
        return Payload("x")
      }
    }()
    #expect(watched != nil)
    _ = try representation.payload()
    #expect(watched == nil)
    #expect(source.value == 0)
  }
}

/// Runs `body` on several threads that start together, and waits for them.
private func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  final class Start: Sendable {
    let waiting: Atomic<Int>
    let body: @Sendable () -> Void

    init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
      waiting = Atomic(count)
      self.body = body
    }
  }

  let start = Start(count, body)
  var threads: [pthread_t] = []
  for _ in 0..<count {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(start).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        start.waiting.subtract(1, ordering: .acquiringAndReleasing)
        while start.waiting.load(ordering: .acquiring) > 0 { sched_yield() }
        start.body()
        return nil
      }, context)
    precondition(status == 0, "no thread to be had")
    threads.append(thread)
  }
  for thread in threads { pthread_join(thread, nil) }
}
