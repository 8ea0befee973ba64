import Pasteboard
import Testing
import TypeRegistry

@testable import ClipboardCore

@Suite("What the first bytes show")
struct ContentSnifferTests {
  private static let heads: [(bytes: [UInt8], type: TypeIdentifier)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
    (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif), ([0x49, 0x49, 0x2A, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], .tiff), (Array("RIFF....WEBP".utf8), .webP),
    (Array("%PDF-1.7".utf8), .pdf), (Array("{\\rtf1".utf8), .rtf),
    (Array("{\\rtf\\ansi".utf8), .rtf),
  ]

  @Test("Signatures are recognised, whatever follows", arguments: heads.indices)
  func signatures(index: Int) {
    let head = Self.heads[index]
    #expect(sniffedType(of: Payload(head.bytes)) == head.type)
    #expect(sniffedType(of: Payload(head.bytes + [UInt8](repeating: 7, count: 1000))) == head.type)
  }

  @Test("A signature that is cut off is none", arguments: heads.indices)
  func cutOff(index: Int) {
    let shortest = [8, 3, 6, 6, 4, 4, 12, 5, 5, 5]
    for end in 0..<shortest[index] {
      #expect(sniffedType(of: Payload(Array(Self.heads[index].bytes[..<end]))) == nil)
    }
  }

  @Test("A signature that lies across chunks is recognised", arguments: heads.indices)
  func acrossChunks(index: Int) {
    let head = Self.heads[index]
    let payload = Payload(chunks: head.bytes.map { ByteChunk([$0]) })
    #expect(sniffedType(of: payload) == head.type)
  }

  @Test("A signature that does not stand in front is none", arguments: heads.indices)
  func notInFront(index: Int) {
    #expect(sniffedType(of: Payload([0x20] + Self.heads[index].bytes)) == nil)
  }

  @Test(
    "Text that begins a little like a picture is text",
    arguments: [
      "", "M", "MM", "MM\n", "MM*", "MM\u{0}", "II", "II*", "II*!", "PA279CV", "BM", "BMW 320i\n",
      "BM is two letters and this is a note\n", "GIF", "GIF8", "GIF90a", "GIF88a", "RIFF",
      "RIFF1234WAVE", "RIFF1234WEBM", "%PDF", "%PD", "{\\rt", "{\\r", "PNG",
      "\u{89}PNG\r\n\u{1A}\n",
      "<?php echo 1; ?>", "[Desktop Entry]", "<?xml version=\"1.0\"?>", "#!/bin/sh", "<html>",
      "# Title", "ÿØÿ", "PK", "ID3",
    ])
  func textIsText(text: String) {
    #expect(sniffedType(of: Payload(text)) == nil)
  }

  @Test("A bitmap is one where the size that it says is its size")
  func bitmaps() {
    var bytes: [UInt8] = Array("BM".utf8) + [70, 0, 0, 0] + [UInt8](repeating: 0, count: 64)
    #expect(sniffedType(of: Payload(bytes)) == .bmp)
    bytes.append(0)
    #expect(sniffedType(of: Payload(bytes)) == nil)
    // Too short to be one, though the size is right.
    let short: [UInt8] = Array("BM".utf8) + [13, 0, 0, 0] + [UInt8](repeating: 0, count: 7)
    #expect(sniffedType(of: Payload(short)) == nil)
    // Text cannot say a size below 256 MiB without a NUL.
    #expect(sniffedType(of: Payload("BMabcdefghijkl")) == nil)
  }
}

@Suite("What the head of an image says")
struct ImageFactsTests {
  /// Little-endian bytes of a number.
  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8)
    + big(640, 4) + big(480, 4)

  private static let gif: [UInt8] = Array("GIF89a".utf8) + little(320, 2) + little(200, 2)

  private static func bitmap(height: Int) -> [UInt8] {
    Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + little(40, 4) + little(33, 4)
      + little(height, 4)
  }

  private static let oldBitmap: [UInt8] =
    Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + little(12, 4) + little(33, 2)
    + little(7, 2)

  /// Segments before the frame header, among them a thumbnail with a frame header of its own.
  private static func jpeg(frame: UInt8) -> [UInt8] {
    [0xFF, 0xD8] + [0xFF, 0xE0] + big(16, 2) + [UInt8](repeating: 1, count: 14)
      + [0xFF, 0xE1] + big(2 + 9, 2) + [0xFF, 0xC0] + big(5, 2) + [8] + big(9, 2) + big(9, 2)
      + [0xFF, 0xFF, 0xFF, 0xC4] + big(4, 2) + [0, 0] + [0xFF, frame] + big(11, 2) + [8]
      + big(768, 2) + big(1024, 2)
  }

  private static func webP(_ chunk: String, _ body: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(1000, 4) + Array("WEBP".utf8) + Array(chunk.utf8) + little(100, 4)
      + body
  }

  private static let lossyWebP = webP(
    "VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A] + little(0x4000 | 176, 2) + little(0x8000 | 144, 2))
  private static let losslessWebP = webP("VP8L", [0x2F] + little((300 - 1) | (200 - 1) << 14, 4))
  private static let extendedWebP = webP(
    "VP8X", [0x10, 0, 0, 0] + little(70_000 - 1, 3) + little(5 - 1, 3))

  private struct Sample: Sendable {
    let head: [UInt8]
    let facts: (kind: String, width: Int, height: Int)
  }

  private static let samples: [Sample] = [
    Sample(head: png, facts: ("PNG", 640, 480)), Sample(head: gif, facts: ("GIF", 320, 200)),
    Sample(head: bitmap(height: 7), facts: ("BMP", 33, 7)),
    Sample(head: bitmap(height: -7), facts: ("BMP", 33, 7)),
    Sample(head: oldBitmap, facts: ("BMP", 33, 7)),
    Sample(head: jpeg(frame: 0xC0), facts: ("JPEG", 1024, 768)),
    Sample(head: jpeg(frame: 0xC2), facts: ("JPEG", 1024, 768)),
    Sample(head: lossyWebP, facts: ("WebP", 176, 144)),
    Sample(head: losslessWebP, facts: ("WebP", 300, 200)),
    Sample(head: extendedWebP, facts: ("WebP", 70_000, 5)),
  ]

  @Test("Kind, width and height are read", arguments: samples.indices)
  func sizes(index: Int) {
    let sample = Self.samples[index]
    for rest in [0, 1, 5000] {
      let facts = ImageFacts(head: sample.head + [UInt8](repeating: 0, count: rest))
      #expect(facts?.kind == sample.facts.kind)
      #expect(facts?.width == sample.facts.width)
      #expect(facts?.height == sample.facts.height)
    }
  }

  @Test("A head that is cut off says nothing", arguments: samples.indices)
  func cutOff(index: Int) {
    let head = Self.samples[index].head
    for end in 0..<head.count {
      #expect(ImageFacts(head: Array(head[..<end])) == nil, "cut at \(end)")
    }
  }

  @Test("A picture without a frame says nothing, and its segments are not followed for ever")
  func brokenJPEG() {
    let start: [UInt8] = [0xFF, 0xD8]
    for rest in [
      [0xFF, 0xE0, 0, 0], [0xFF, 0xE0, 0, 1], [0xFF, 0xE0, 0xFF, 0xFF], [0x00, 0xC0, 0, 9],
      [UInt8](repeating: 0xFF, count: 100), [0xFF, 0xDA, 0, 2, 1, 2, 3],
      [0xFF, 0xC4, 0, 2, 0xFF, 0xC8, 0, 2, 0xFF, 0xCC, 0, 2],
    ] as [[UInt8]] {
      #expect(ImageFacts(head: start + rest) == nil)
    }
  }

  @Test("What is no picture says nothing")
  func noPictures() {
    for text in ["", "B", "text", "GIF", "RIFF....WAVEfmt ", "RIFF....WEBPVP9 ", "%PDF-1.4", "MM"] {
      #expect(ImageFacts(head: Array(text.utf8)) == nil)
    }
  }

  @Test("Any bytes behind any signature are read or not, never trapped on")
  func randomBytes() {
    var state: UInt64 = 1
    for sample in Self.samples {
      for _ in 0..<2000 {
        var head = sample.head
        for _ in 0..<4 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          head[Int(state >> 33) % head.count] = UInt8(truncatingIfNeeded: state >> 56)
        }
        if let facts = ImageFacts(head: head) { #expect(facts.width >= 0 && facts.height >= 0) }
      }
    }
  }
}
