import TestSupport
import Testing

@testable import ControlProtocol

@Suite("Frames of the control socket")
struct FrameTests {
  private func frames(_ decoder: inout ControlFrameDecoder) throws -> [ControlFrame] {
    var frames: [ControlFrame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }

  @Test("A frame has the bytes that the documentation shows")
  func documentedBytes() {
    let frame = ControlFrame(kind: 3, hasAttachment: true, tag: 0x0102_0304, body: [0xAA, 0xBB])
    #expect(
      frame.bytes == [
        0x43, 0x4C, 0x50, 0x56, 1, 0, 3, 1, 4, 3, 2, 1, 2, 0, 0, 0, 0xAA, 0xBB,
      ])
  }

  @Test("Frames are the same however their bytes come in pieces", arguments: [1, 2, 7, 16, 17, 64])
  func pieces(size: Int) throws {
    let sent = (0..<20).map { number in
      ControlFrame(
        kind: UInt8(number), hasAttachment: number % 3 == 0, tag: UInt32(number) << 20,
        body: scrambledBytes(number * 5, seed: UInt64(number)))
    }
    let bytes = sent.flatMap(\.bytes)
    var decoder = ControlFrameDecoder()
    var received: [ControlFrame] = []
    var start = 0
    while start < bytes.count {
      decoder.append(Array(bytes[start..<min(bytes.count, start + size)]))
      received += try frames(&decoder)
      start += size
    }
    #expect(received == sent)
    #expect(decoder.pendingCount == 0)
  }

  @Test("A frame of the largest size goes through")
  func largestFrame() throws {
    let frame = ControlFrame(
      kind: 5, tag: 1, body: scrambledBytes(ControlFrame.maximumBodySize))
    var decoder = ControlFrameDecoder()
    decoder.append(frame.bytes)
    #expect(try decoder.next() == frame)
  }

  @Test("The version is told, whatever it is")
  func otherVersion() throws {
    var frame = ControlFrame(kind: 200, tag: 9, body: [1, 2, 3])
    frame.version = 77
    var decoder = ControlFrameDecoder()
    decoder.append(frame.bytes)
    #expect(try decoder.next()?.version == 77)
  }

  @Test(
    "A stranger is told by the first byte that is wrong",
    arguments: ["G", "GET / HTTP/1.1\r\n", "CLPX", "CL\n", "\u{0}"])
  func strangers(text: String) {
    var decoder = ControlFrameDecoder()
    decoder.append(Array(text.utf8))
    #expect(throws: ControlFault.notAFrame) { try decoder.next() }
  }

  @Test("Flags that mean nothing are none of ours")
  func unknownFlags() {
    var bytes = ControlFrame(kind: 1, tag: 1, body: []).bytes
    bytes[7] = 2
    var decoder = ControlFrameDecoder()
    decoder.append(bytes)
    #expect(throws: ControlFault.notAFrame) { try decoder.next() }
  }

  @Test("A length beyond the limit is refused before any of it has come")
  func tooLong() {
    var bytes = ControlFrame(kind: 1, tag: 1, body: []).bytes
    bytes.replaceSubrange(12..., with: [1, 0, 0x10, 0])
    var decoder = ControlFrameDecoder()
    decoder.append(bytes)
    #expect(throws: ControlFault.tooLong(ControlFrame.maximumBodySize + 1)) { try decoder.next() }
  }

  @Test("A fault is final, and nothing is kept of what comes behind it")
  func faultsAreFinal() {
    var decoder = ControlFrameDecoder()
    decoder.append(Array("nonsense".utf8))
    #expect(throws: ControlFault.notAFrame) { try decoder.next() }
    decoder.append(ControlFrame(kind: 1, tag: 1, body: []).bytes)
    #expect(throws: ControlFault.notAFrame) { try decoder.next() }
    #expect(decoder.pendingCount == 0)
  }
}
