import ControlProtocol
import DaemonBackend
import Glibc
import SystemIO
import TestSupport
import Testing

private let place = ControlPlace(display: nil, name: "notes")

extension OnService {
  @Suite("Clients that are slow, broken or hostile")
  struct HostileClientTests {
    let daemon: Daemon

    init() throws {
      daemon = try Daemon()
      try daemon.copy("intact")
    }

    /// Whether everybody else is served as before.
    private func expectServed(sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(try daemon.paste() == "intact", sourceLocation: sourceLocation)
    }

    @Test(
      "Whoever does not speak the protocol is sent away",
      arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [0], [UInt8](repeating: 0xFF, count: 70_000),
        Array("CLPV".utf8) + [1, 0, 1, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        Array("CLPV".utf8) + [1, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0],
      ])
    func strangers(bytes: [UInt8]) throws {
      let client = try daemon.rawClient()
      try client.send(bytes)
      #expect(try client.receive().isClosed)
      try expectServed()
    }

    @Test("A message that makes no sense is answered so, and is the last one")
    func malformedMessages() throws {
      for kind: UInt8 in [0, 2, 3, 4, 5, 6, 7, 8, 0x81, 0xFF] {
        let client = try daemon.rawClient()
        try client.send(ControlFrame(kind: kind, tag: 5, body: [1, 2, 3]).bytes)
        #expect(try client.reply() == .failure(.malformed), "\(kind)")
        #expect(try client.receive().isClosed)
      }
      try expectServed()
    }

    @Test("Another version is answered in ours")
    func otherVersion() throws {
      let client = try daemon.rawClient()
      var frame = ControlRequest.status.frame(tag: 7)
      frame.version = 2
      try client.send(frame.bytes)
      #expect(try client.reply() == .failure(.version))
      #expect(try client.receive().isClosed)
    }

    @Test("Contents that could still be changed are not taken")
    func unsealedContents() throws {
      var offer = OfferDescription()
      offer.representations = [
        .init(
          type: "public.data", target: "x/y", source: nil,
          content: .bytes(.init(offset: 0, count: 4)))
      ]
      let frame = ControlRequest.publish(place, offer).frame(tag: 1, hasAttachment: true)
      let unsealed = try MemoryFile(name: "unsealed")
      _ = try unsafe unsealed.append(upTo: 4) { _ in 4 }
      let pipe = try Pipe()
      let path = try daemon.directory.write(Array("file".utf8), to: "file")
      let file = try Files.open(path, O_RDWR | O_CLOEXEC)
      for descriptor in [unsealed.descriptor, pipe.readEnd.rawValue, file.rawValue] {
        let client = try daemon.rawClient()
        try client.send(frame.bytes, descriptor: descriptor)
        #expect(try client.reply() == .failure(.malformed))
      }
      try expectServed()
    }

    @Test("Ranges beyond the contents, and none where some were announced")
    func wrongContents() throws {
      func offer(_ range: AttachedRange) -> OfferDescription {
        var offer = OfferDescription()
        offer.representations = [
          .init(type: "public.data", target: "x/y", source: nil, content: .bytes(range))
        ]
        return offer
      }
      let file = try unsafe SealedFile(name: "test", size: 4) { write throws(Errno) in
        var word: UInt32 = 0
        try unsafe withUnsafeBytes(of: &word) { bytes throws(Errno) in try unsafe write(bytes) }
      }
      for range in [AttachedRange(offset: 0, count: 5), AttachedRange(offset: 5, count: 0)] {
        let answer = try daemon.connect().call(
          .publish(place, offer(range)), attaching: file, timeout: .seconds(10))
        #expect(answer.reply == .failure(.malformed))
      }
      let nothing = try daemon.connect().call(
        .publish(place, offer(.init(offset: 0, count: 1))), timeout: .seconds(10))
      #expect(nothing.reply == .failure(.malformed))
      // A descriptor that is announced and does not come.
      let client = try daemon.rawClient()
      try client.send(
        ControlRequest.publish(place, offer(.init(offset: 0, count: 1)))
          .frame(tag: 1, hasAttachment: true).bytes)
      #expect(try client.receive().isClosed)
      try expectServed()
    }

    @Test("Descriptors that nobody announced are closed, and so is the connection")
    func surplusDescriptors() throws {
      let before = OpenDescriptors(of: daemon.process.pid).targets.count
      let pipe = try Pipe()
      for _ in 0..<20 {
        let client = try daemon.rawClient()
        try client.send(
          ControlRequest.status.frame(tag: 1).bytes, descriptor: pipe.readEnd.rawValue)
        #expect(try client.receive().isClosed)
      }
      #expect(eventually { OpenDescriptors(of: daemon.process.pid).targets.count <= before })
      try expectServed()
    }

    @Test("Those who connect and say nothing, or half of something, keep nobody out")
    func silentClients() throws {
      // More than there is room for, from one process: it is its own connections that go.
      let silent = try (0..<300).map { number in
        let client = try daemon.rawClient()
        if number % 2 == 0 { try client.send(Array("CLPV".utf8)) }
        return client
      }
      try expectServed()
      #expect(try daemon.clipview("status").status == 0)
      withExtendedLifetime(silent) {}
    }

    @Test("Whoever asks and does not read is not heard, and holds up nobody")
    func deafClient() throws {
      let client = try daemon.rawClient()
      let question = ControlRequest.status.frame(tag: 1).bytes
      var questions: [UInt8] = []
      for _ in 0..<2000 { questions += question }
      // Until the socket is full, and then some.
      var sent = 0
      _ = try eventually(within: 1) {
        let count = try client.send(questions)
        sent += count
        return sent > 64 << 20
      }
      #expect(sent < 64 << 20)
      let memory = try #require(Processes.residentMemory(of: daemon.process.pid))
      #expect(memory < 32 << 20 || Programs.areSanitized)
      try expectServed()
    }

    @Test("Whoever watches and does not read is let go; the others hear of each change")
    func deafWatcher() throws {
      let deaf = try daemon.rawClient()
      try deaf.send(
        ControlRequest.watch(ControlPlace(display: nil, name: "busy")).frame(tag: 1).bytes)
      let writer = try daemon.connect()
      var offer = OfferDescription()
      offer.targets = [
        .init(name: "x", typeName: "x", format: 8, content: .bytes(.init(offset: 0, count: 0)))
      ]
      for number in 1...20_000 {
        let answer = try writer.call(
          .publish(ControlPlace(display: nil, name: "busy"), offer), timeout: .seconds(10))
        #expect(answer.reply == .done(changeCount: UInt64(number)))
      }
      try expectServed()
    }

    @Test("Clients that are killed at any moment leave nothing behind")
    func killedClients() throws {
      let large = try daemon.directory.write(scrambledBytes(4 << 20), to: "large")
      // The worker that writes down what is large has two of its own from then on.
      let first = try daemon.clipview("copy", "-s", "large", "-t", "x/y", large)
      #expect(first.status == 0)
      let before = OpenDescriptors(of: daemon.process.pid).targets.count
      var generator = SeededGenerator(seed: 3)
      for _ in 0..<30 {
        let copy = try ChildProcess(
          Programs.clipview, ["copy", "-s", "large", "-t", "x/y", large],
          environment: daemon.environment)
        let paste = try ChildProcess(
          Programs.clipview, ["paste", "-s", "large", "-t", "x/y"], environment: daemon.environment)
        _ = poll(nil, 0, Int32.random(in: 0...15, using: &generator))
        copy.send(signal: SIGKILL)
        paste.send(signal: SIGKILL)
        _ = copy.finish(within: 10)
        _ = paste.finish(within: 10)
      }
      try expectServed()
      #expect(
        eventually { OpenDescriptors(of: daemon.process.pid).targets.count <= before + 1 })
    }

    @Test("Random frames end their own connection at most")
    func randomFrames() throws {
      var generator = SeededGenerator(seed: 8)
      for _ in 0..<300 {
        let client = try daemon.rawClient()
        let count = Int.random(in: 0...40, using: &generator)
        let frame = ControlFrame(
          kind: .random(in: 0...9, using: &generator),
          hasAttachment: .random(using: &generator), tag: 1,
          body: (0..<count).map { _ in .random(in: 0...3, using: &generator) })
        _ = try? client.send(frame.bytes)
      }
      try expectServed()
    }
  }
}
