import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Local sockets")
struct LocalSocketTests {
  private let directory = TemporaryDirectory()
  private var path: FilePath { FilePath("\(directory.path)/socket") }

  private func send(_ bytes: [UInt8], over socket: borrowing LocalSocket, _ descriptor: Int32?)
    throws
  {
    let result = try unsafe bytes.withUnsafeBufferPointer { bytes throws(Errno) in
      try unsafe socket.send(UnsafeRawBufferPointer(bytes), descriptor: descriptor)
    }
    guard case .done(bytes.count) = result else {
      Issue.record("a socket that takes no bytes")
      return
    }
  }

  private func accepted(by listener: borrowing LocalListener) throws -> LocalSocket {
    switch try listener.accept() {
    case .done(let descriptor): return LocalSocket(adopting: descriptor)
    case .wouldBlock: throw Errno.wouldBlock
    }
  }

  @Test("Bytes and a descriptor come together; the peer is who it is")
  func descriptorsComeAlong() throws {
    let listener = try LocalListener(at: path)
    let client = try LocalSocket(connectingTo: path)
    let server = try accepted(by: listener)
    let peer = try server.peer()
    #expect(peer.isSameUser && peer.process == getpid())
    let pipe = try Pipe()
    try send([1, 2, 3], over: client, pipe.writeEnd.rawValue)
    var buffer = [UInt8](repeating: 0, count: 16)
    var received: OwnedFD?
    let count = try unsafe buffer.withUnsafeMutableBytes { buffer in
      guard case .done(var bytes) = try unsafe server.receive(into: buffer) else { return 0 }
      received = bytes.takeDescriptor()
      return bytes.count
    }
    #expect(buffer[..<count] == [1, 2, 3])
    // What is written to the one that came arrives at the pipe's other end.
    guard let writeEnd = received.take() else {
      Issue.record("no descriptor came")
      return
    }
    #expect(fcntl(writeEnd.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    try Files.write([42], to: writeEnd)
    var byte: UInt8 = 0
    #expect(unsafe read(pipe.readEnd.rawValue, &byte, 1) == 1)
    #expect(byte == 42)
  }

  /// The permissions that are taken from what this process makes.
  private func umask() throws -> Substring {
    let lines = text(try Files.read("/proc/self/status")).split(separator: "\n")
    return try #require(lines.first { $0.hasPrefix("Umask:") })
  }

  @Test("However many threads begin to listen, what others make has the permissions it would have")
  func permissionsOfOthers() async throws {
    let before = try umask()
    let place = directory.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for turn in 0..<3000 { _ = try LocalListener(at: FilePath("\(place)/\(thread)-\(turn)")) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try umask() == before)
    var facts = stat()
    #expect(unsafe stat("\(place)/0-0", &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
  }

  @Test("A place that is taken, and one where nobody listens")
  func places() throws {
    #expect(throws: Errno.notFound) { _ = try LocalSocket(connectingTo: path) }
    do {
      let listener = try LocalListener(at: path)
      #expect(throws: Errno.addressInUse) { _ = try LocalListener(at: path) }
      _ = listener.descriptor
    }
    // Its file stays behind.
    #expect(throws: Errno.connectionRefused) { _ = try LocalSocket(connectingTo: path) }
    let long = FilePath("/tmp/" + String(repeating: "x", count: 200))
    #expect(throws: Errno(ENAMETOOLONG)) { _ = try LocalSocket(connectingTo: long) }
  }

  @Test("A lock is one process's at a time")
  func locks() throws {
    let place = FilePath("\(directory.path)/lock")
    do {
      let lock = try ExclusiveLock.taking(place)
      let isTaken = lock != nil
      #expect(isTaken)
      let second = try ExclusiveLock.taking(place)
      let isTakenTwice = second != nil
      #expect(!isTakenTwice)
    }
    let again = try ExclusiveLock.taking(place)
    let isFree = again != nil
    #expect(isFree)
  }

  @Test("What is no listener is not taken over")
  func foreignDescriptors() throws {
    let pipe = try Pipe()
    let (readEnd, writeEnd) = pipe.ends()
    _ = close(writeEnd)
    let adopted = LocalListener.adopting(OwnedFD(adopting: readEnd))
    let isAdopted = adopted != nil
    #expect(!isAdopted)
  }
}
