import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import TextEncoding
import Testing

@testable import ClipboardCore

/// An output that takes what it is given, as far as its reader is quick.
private final class RecordedOutput: ProgressiveOutput {
  var written: [UInt8] = []
  var isFinished = false
  let canBeTakenBack: Bool
  let minimumHead: Int
  /// How many bytes the reader takes before he lets everybody wait.
  var appetite: Int
  /// After how many bytes there is no space left.
  let space: Int

  init(
    canBeTakenBack: Bool = true, minimumHead: Int = 1 << 16, appetite: Int = .max, space: Int = .max
  ) {
    self.canBeTakenBack = canBeTakenBack
    self.minimumHead = minimumHead
    self.appetite = appetite
    self.space = space
  }

  func writeSoon(
    _ bytes: UnsafeRawBufferPointer, until deadline: Duration
  ) throws(Errno) -> Int {
    let count = min(bytes.count, appetite)
    try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    if appetite != .max { appetite -= count }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
    guard written.count + bytes.count <= space else { throw .noSpace }
    unsafe written += [UInt8](bytes)
  }

  func takeBack() throws(Errno) {
    guard canBeTakenBack else { throw .notSupported }
    written = []
  }

  func finish() { isFinished = true }
}

@Suite("Content that is handed on while it comes")
struct EarlyOutputTests {
  /// One transfer of a target in these pieces, as a back-end makes it: what it gives back at the end.
  private func transfer(
    _ pieces: [ArraySlice<UInt8>], of target: String, type: String? = nil, to sink: EarlyOutput?
  ) -> ReceivedRepresentation? {
    var held: [ByteChunk] = []
    var count = 0
    var handover = sink.map { ContentHandover(to: $0) }
    func representation() -> ReceivedRepresentation {
      ReceivedRepresentation(
        target: target, typeName: type ?? target, format: 8, payload: Payload(chunks: held))
    }
    for piece in pieces {
      count += piece.count
      let chunk = ByteChunk(Array(piece))
      if handover?.isUnderWay == true {
        switch unsafe chunk.withUnsafeBytes({ unsafe handover?.take($0) }) {
        case .taken: continue
        case .brokenOff: return nil
        case .declined, nil: break
        }
      }
      held.append(chunk)
      if handover?.isDue(at: count) == true, handover?.begin(representation()) == true { held = [] }
    }
    return representation()
  }

  private func cut(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [ArraySlice<UInt8>]
  {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      let longest = Bool.random(using: &generator) ? 5 : 40_000
      let end = min(bytes.count, start + Int.random(in: 0...longest, using: &generator))
      pieces.append(bytes[start..<end])
      start = end
    }
    return pieces
  }

  private static let parts: [[UInt8]] = [
    [UInt8](repeating: 0x61, count: 50_000), Array("é – 日本語 🎉".utf8), [0], [0, 0, 0],
    [UInt8](repeating: 0, count: 9000), [0xEF, 0xBB, 0xBF], Array("z\r\n".utf8),
    [UInt8](repeating: 0x62, count: 70_000),
  ]
  private static let broken: [[UInt8]] = [
    [0xFF], [0xE2, 0x82], [0xC3, 0x28], [0xF0, 0x9F, 0x8E],
  ]

  @Test("Text handed on early is the text that is decoded whole, however it comes and is read")
  func randomTexts() throws {
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var parts = (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
        Self.parts.randomElement(using: &generator)
      }
      if seed % 3 == 0, let part = Self.broken.randomElement(using: &generator) {
        parts.insert(part, at: Int.random(in: 0...parts.count, using: &generator))
      }
      let bytes = Array(parts.joined())
      let output = RecordedOutput(
        canBeTakenBack: Bool.random(using: &generator),
        minimumHead: Bool.random(using: &generator) ? 1 << 16 : 120_000,
        appetite: seed % 2 == 0 ? .max : Int.random(in: 0...200_000, using: &generator))
      let early = EarlyOutput { output }
      let answer = try #require(
        transfer(
          cut(bytes, using: &generator), of: "UTF8_STRING", to: early.sink(for: .text)))
      let whole = decodeText(Payload(bytes), charset: .utf8)
      let expected = whole ?? decodeText(Payload(bytes), charset: .utf8, repairing: true)
      guard early.hasBegun else {
        #expect(output.written.isEmpty && answer.payload.bytes == bytes, "seed \(seed)")
        continue
      }
      #expect(early.holdsBeginning(of: answer.target))
      let rest = early.rest(answer.payload, repairing: false)
      #expect((rest == nil) == (whole == nil), "seed \(seed)")
      let repaired = try #require(rest ?? early.rest(answer.payload, repairing: true))
      #expect(repaired.isLossy == expected?.isLossy, "seed \(seed)")
      try early.finish(with: repaired.payload, of: "UTF8_STRING")
      #expect(difference(output.written, expected?.payload.bytes ?? []) == nil, "seed \(seed)")
      #expect(output.isFinished)
    }
  }

  @Test("Bytes are handed on untouched, and what a slow reader does not take comes at the end")
  func bytes() throws {
    let bytes = scrambledBytes(1_000_000)
    for appetite in [0, 1, 65_536, 70_000, 400_000, .max] {
      var generator = SeededGenerator(seed: 7)
      let output = RecordedOutput(appetite: appetite)
      let early = EarlyOutput { output }
      let answer = try #require(
        transfer(cut(bytes, using: &generator), of: "x/y", to: early.sink(for: .bytes)))
      #expect(output.written.count == min(appetite, bytes.count))
      // Behind the first piece that waits nothing is taken.
      #expect(answer.payload.isEmpty == (appetite == .max))
      try early.finish(with: answer.payload, of: "x/y")
      #expect(difference(output.written, bytes) == nil)
    }
  }

  @Test("What is short, of another kind or in another charset is held")
  func held() throws {
    let text = [UInt8](repeating: 0x61, count: 200_000)
    let cases: [(String, String?, [UInt8], EarlyOutput.Form)] = [
      ("UTF8_STRING", nil, Array(text[..<65_535]), .text),
      ("UTF8_STRING", "image/png", text, .text), ("image/png", "UTF8_STRING", text, .bytes),
      ("text/plain", nil, text, .text), ("STRING", nil, text, .text),
      ("text/plain;charset=utf-16", nil, text, .text),
      ("UTF8_STRING", nil, [0xFF] + text, .text),
    ]
    for (target, type, bytes, form) in cases {
      let output = RecordedOutput()
      let early = EarlyOutput { output }
      let pieces = stride(from: 0, to: bytes.count, by: 30_000).map {
        bytes[$0..<min(bytes.count, $0 + 30_000)]
      }
      let answer = transfer(pieces, of: target, type: type, to: early.sink(for: form))
      #expect(answer?.payload.bytes == bytes, "\(target)")
      #expect(!early.hasBegun && output.written.isEmpty)
    }
  }

  @Test("An output that cannot be opened yet, or not be written early, holds everything")
  func notOpened() throws {
    let bytes = scrambledBytes(300_000)
    for opens in [false, true] {
      let early = EarlyOutput { () throws(Errno) in
        if opens { return nil }
        throw .notPermitted
      }
      let answer = transfer([bytes[...]], of: "x/y", to: early.sink(for: .bytes))
      #expect(answer?.payload.bytes == bytes)
      #expect(!early.hasBegun && early.failure == nil)
    }
  }

  @Test("What was taken back can be handed on anew; what cannot be is the beginning for good")
  func takingBack() throws {
    let bytes = scrambledBytes(300_000)
    let pieces = [bytes[..<100_000], bytes[100_000...]]
    let output = RecordedOutput()
    let early = EarlyOutput { output }
    _ = transfer(pieces, of: "x/one", to: early.sink(for: .bytes))
    #expect(early.hasBegun && early.canBeTakenBack)
    #expect(early.sink(for: .bytes) == nil)
    #expect(early.takeBack() == nil)
    #expect(!early.hasBegun && output.written.isEmpty)
    let answer = try #require(transfer(pieces, of: "x/two", to: early.sink(for: .bytes)))
    #expect(early.holdsBeginning(of: answer.target))
    #expect(output.written == bytes)

    let pipe = EarlyOutput { RecordedOutput(canBeTakenBack: false) }
    _ = transfer(pieces, of: "x/one", to: pipe.sink(for: .bytes))
    #expect(!pipe.canBeTakenBack && pipe.takeBack() == .notSupported && pipe.hasBegun)
  }

  @Test("Where there is no space left the transfer ends, and nothing remains")
  func noSpace() throws {
    let bytes = scrambledBytes(400_000)
    let pieces = stride(from: 0, to: bytes.count, by: 50_000).map { bytes[$0..<$0 + 50_000] }
    for space in [0, 120_000, 399_999] {
      let output = RecordedOutput(space: space)
      let early = EarlyOutput { output }
      let answer = transfer(pieces, of: "x/y", to: early.sink(for: .bytes))
      #expect(answer == nil || early.failure != nil)
      #expect(early.failure == .noSpace)
      #expect(throws: Errno.noSpace) { try early.finish(with: Payload([]), of: "x/y") }
      #expect(output.written.isEmpty && !output.isFinished)
    }
    // The very last of it.
    let output = RecordedOutput(space: 400_000)
    let early = EarlyOutput { output }
    _ = transfer(pieces, of: "x/y", to: early.sink(for: .bytes))
    #expect(throws: Errno.noSpace) { try early.finish(with: Payload([1]), of: "x/y") }
    #expect(output.written.isEmpty)
  }
}
