import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("Owned descriptor")
struct OwnedFDTests {
  /// What a read gives that finds the other end of a pipe in whatever state it is in.
  private func readByte(_ end: borrowing OwnedFD) throws -> IOResult<Int> {
    var byte: UInt8 = 0
    return try unsafe withUnsafeMutableBytes(of: &byte) { buffer in
      try unsafe end.read(into: buffer)
    }
  }

  private func isAtEnd(_ end: borrowing OwnedFD) throws -> Bool {
    if case .done(0) = try readByte(end) { true } else { false }
  }

  @Test("A descriptor is closed when its owner goes")
  func deinitCloses() throws {
    let ends = try Pipe().ends()
    let reader = OwnedFD(adopting: ends.read)
    try reader.setNonBlocking()
    do {
      let writer = OwnedFD(adopting: ends.write)
      #expect(writer.rawValue == ends.write)
      #expect(try !isAtEnd(reader))
    }
    #expect(try isAtEnd(reader))
  }

  @Test("close() closes at once")
  func closeCloses() throws {
    let ends = try Pipe().ends()
    let reader = OwnedFD(adopting: ends.read)
    try OwnedFD(adopting: ends.write).close()
    #expect(try isAtEnd(reader))
  }

  @Test("take() gives the descriptor away open")
  func takeKeepsOpen() throws {
    let ends = try Pipe().ends()
    let reader = OwnedFD(adopting: ends.read)
    try reader.setNonBlocking()
    let number = OwnedFD(adopting: ends.write).take()
    #expect(number == ends.write)
    guard case .wouldBlock = try readByte(reader) else {
      Issue.record("the other end was closed")
      return
    }
    let writer = OwnedFD(adopting: number)
    try Files.write([7], to: writer)
    guard case .done(1) = try readByte(reader) else {
      Issue.record("what was written did not arrive")
      return
    }
  }

  @Test("Both ends of a pipe are closed on exec and block")
  func pipeFlags() throws {
    let pipe = try Pipe()
    for descriptor in [pipe.readEnd.rawValue, pipe.writeEnd.rawValue] {
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
    }
  }

  @Test("Making one end non-blocking leaves the other as it is")
  func nonBlockingIsOneEnd() throws {
    let pipe = try Pipe()
    try pipe.readEnd.setNonBlocking()
    #expect(fcntl(pipe.readEnd.rawValue, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(pipe.writeEnd.rawValue, F_GETFL) & O_NONBLOCK == 0)
    guard case .wouldBlock = try readByte(pipe.readEnd) else {
      Issue.record("an empty pipe gave something")
      return
    }
  }

  @Test("Nothing stays open")
  func nothingStaysOpen() async {
    // In a process of its own, where nobody else opens anything.
    await #expect(processExitsWith: .success) {
      try expectNothingLeftOpen {
        _ = try Pipe()
        let ends = try Pipe().ends()
        try OwnedFD(adopting: ends.read).close()
        try OwnedFD(adopting: OwnedFD(adopting: ends.write).take()).close()
      }
    }
  }

  @Test("Adopting a number that is no descriptor is a fault of ours")
  func adoptingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = OwnedFD(adopting: -1)
    }
  }
}
