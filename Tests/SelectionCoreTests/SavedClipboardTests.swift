import Pasteboard
import TestSupport
import Testing

@testable import SelectionCore

private typealias Representation = SavedClipboard.Representation
private typealias Form = SavedClipboard.Form

/// One of everything, with names that nobody would choose.
private let example: SavedClipboard = {
  var saved = SavedClipboard()
  saved.program = "clipview test"
  saved.selection = "clipboard"
  saved.backend = "x11"
  saved.owner = "an \"owner\"\n\\"
  func bytes(_ target: String, _ type: String, _ format: Int, _ bytes: [UInt8]) -> Representation {
    Representation(target, .bytes(Form(type: type, format: format), Payload(bytes)))
  }
  saved.representations = [
    bytes("UTF8_STRING", "UTF8_STRING", 8, Array("naïve\n--- 2 \"x\", 3 bytes\n".utf8)),
    bytes("empty", "empty", 8, []),
    bytes(
      "name with \"quotes\", \\, \n, \t, \r, \u{1B}[31m and \u{202E}", "STRING", 8, [0, 255, 10]),
    bytes(String(wireBytes: [0x61, 0xE9, 0xFF, 0xF4, 0x8F, 0xBF, 0xBF]), "x", 8, [1]),
    bytes("sixteen", "INTEGER", 16, [1, 2, 3, 4]),
    bytes("LENGTH", "INTEGER", 32, [1, 2, 3, 4, 5, 6, 7, 8]),
    Representation("FILE_NAME", .refused),
    Representation("PIXMAP", .bound(Form(type: "PIXMAP", format: 32), size: 4)),
    Representation(
      "list", .atoms(Form(type: "ATOM", format: 32), ["TARGETS", nil, "\u{7F}", "é"])),
    bytes("large", "large", 8, scrambledBytes(5000)),
  ]
  return saved
}()

/// A form in which two of them can be compared.
private func dump(_ saved: SavedClipboard) -> [String] {
  let head = "\(saved.program)|\(saved.selection)|\(saved.backend)|\(saved.owner ?? "nil")"
  return [head]
    + saved.representations.map { representation in
      let name = "\(representation.target.wireBytes)"
      switch representation.content {
      case .bytes(let form, let payload):
        return "\(name) \(form) \(StreamDigest(payload.bytes).value) \(payload.count)"
      case .atoms(let form, let names):
        return "\(name) \(form) \(names.map { $0?.wireBytes })"
      case .refused: return "\(name) refused"
      case .bound(let form, let size): return "\(name) bound \(form) \(size)"
      case .redacted(let form, let size): return "\(name) redacted \(form) \(size)"
      }
    }
}

private func decode(_ bytes: [UInt8]) -> Result<SavedClipboard, SavedClipboardFault> {
  do throws(SavedClipboardFault) {
    return .success(try SavedClipboard(decoding: Payload(bytes)))
  } catch {
    return .failure(error)
  }
}

private func fault(of bytes: [UInt8]) -> SavedClipboardFault? {
  if case .failure(let fault) = decode(bytes) { fault } else { nil }
}

/// A file with these lines for representations, its checksum right.
private func file(
  _ lines: String..., count: Int? = nil, contents: String = "below", rest: String = "\n--- end\n"
) -> [UInt8] {
  var index = Array(
    """
    clipview saved clipboard 1
    program "p"
    selection "clipboard"
    backend "x11"
    byte-order little
    contents \(contents)
    representations \(count ?? lines.count)
    \(lines.map { $0 + "\n" }.joined())
    """.utf8)
  let checksum = String(CRC32(of: index).value, radix: 16)
  let digits = String(repeating: "0", count: 8 - checksum.count) + checksum
  index += Array("end of index, crc32 \(digits)\n\(rest)".utf8)
  return index
}

@Suite("Saved clipboards")
struct SavedClipboardTests {
  @Test("What was written comes back")
  func roundTrip() throws {
    let read = try SavedClipboard(decoding: example.encoded())
    #expect(dump(read) == dump(example))
    #expect(!read.isRedacted)
    #expect(read.size == example.size)
  }

  @Test("What was written as files comes back")
  func roundTripOfFiles() throws {
    let files = example.encodedForDirectory()
    #expect(files[0].name == SavedClipboard.indexFile)
    let index = try SavedIndex(parsing: files[0].content)
    #expect(index.files == files.dropFirst().map(\.name))
    #expect(Set(index.files).count == index.files.count)
    let read = try SavedClipboard(
      index, of: files[0].content, contents: files.dropFirst().map(\.content))
    #expect(dump(read) == dump(example))
  }

  @Test("Without contents types and sizes are left, and no checksum tells of what was there")
  func redacted() throws {
    let redacted = example.redacted
    let file = redacted.encoded()
    #expect(!text(file.bytes).replacing("end of index, crc32", with: "").contains("crc32"))
    let read = try SavedClipboard(decoding: file)
    #expect(read.isRedacted)
    #expect(dump(read) == dump(redacted))
    #expect(read.representations.map(\.target) == example.representations.map(\.target))
    #expect(redacted.encodedForDirectory().count == 1)
    #expect(redacted.encodedForDirectory()[0].content.bytes == file.bytes)
  }

  @Test(
    "The index can be read by people: one line a representation, nothing that a terminal acts on")
  func indexIsReadable() {
    let file = example.encoded().bytes
    let end = text(file).ranges(of: "end of index").first?.lowerBound
    let index = end.map { text(file)[..<$0] } ?? ""
    #expect(
      index.contains("\n1 bytes \"UTF8_STRING\" type \"UTF8_STRING\" format 8 size 26 crc32 "))
    #expect(index.contains("\n7 refused \"FILE_NAME\"  # the owner"))
    #expect(index.contains("\\x1b[31m"))
    #expect(index.contains("\"a\\xe9\\xff\\xf4\\x8f\\xbf\\xbf\""))
    let lines = index.split(separator: "\n")
    #expect(lines.count { $0.first?.isNumber == true } == example.representations.count)
    #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.isInvisibleControl } })
  }

  @Test("A file that was cut short anywhere is told, with the place where it ends")
  func truncated() {
    let whole = example.encoded().bytes
    // Everywhere but inside of the one long content, which is the same at each byte but for a few.
    let start = whole.count - 4900
    let inside = Array(stride(from: start, to: whole.count - 100, by: 97))
    for length in Array(0..<start) + inside + Array(whole.count - 100..<whole.count) {
      let fault = fault(of: Array(whole[..<length]))
      #expect(fault?.kind == .cutShort, "\(length)")
      #expect(fault?.offset == length)
    }
  }

  @Test("A file with something behind its end is told", arguments: ["\n", "x", "\n--- end\n"])
  func lengthened(tail: String) {
    let whole = example.encoded().bytes
    let fault = fault(of: whole + Array(tail.utf8))
    #expect(fault == SavedClipboardFault(.surplus, .end, at: whole.count))
  }

  @Test("A flipped bit in any byte is found")
  func flippedBits() {
    let whole = example.encoded().bytes
    // Every byte but of the one long content, of which some.
    var generator = SeededGenerator(seed: 4)
    let end = whole.count - 4800
    let some = (0..<200).map { _ in Int.random(in: end..<whole.count, using: &generator) }
    for position in Array(0..<end) + some {
      let bit = Int.random(in: 0..<8, using: &generator)
      var damaged = whole
      damaged[position] ^= 1 << bit
      let fault = fault(of: damaged)
      #expect(fault != nil, "byte \(position), bit \(bit)")
      #expect((fault?.offset ?? .max) <= whole.count)
    }
  }

  @Test("Bytes that were put in, taken out or exchanged are found, in the right representation")
  func alteredContents() throws {
    let whole = example.encoded().bytes
    let content = scrambledBytes(5000)
    let start = whole.count - content.count - SavedIndex.endSeparator.count
    let part = SavedClipboardFault.Part.representation(10, target: "large")
    var exchanged = whole
    exchanged.swapAt(start + 100, start + 101)
    #expect(fault(of: exchanged) == SavedClipboardFault(.checksum, part, at: start))
    var longer = whole
    longer.insert(7, at: start + 100)
    #expect(fault(of: longer) == SavedClipboardFault(.checksum, part, at: start))
    var shorter = whole
    shorter.remove(at: start + 100)
    #expect(fault(of: shorter) == SavedClipboardFault(.checksum, part, at: start))
  }

  @Test(
    "What is no saved clipboard is told at its first byte that differs",
    arguments: [("", 0), ("clip", 4), ("\u{7F}ELF", 0), ("clipview savvy", 12)])
  func foreignFiles(content: String, offset: Int) {
    let isBeginning = SavedIndex.magic.hasPrefix(content)
    let kind = isBeginning ? SavedClipboardFault.Kind.cutShort : .foreign
    #expect(
      fault(of: Array(content.utf8)) == SavedClipboardFault(kind, .index(line: 1), at: offset))
  }

  @Test("Another version is told", arguments: ["2", "10", "0", ""])
  func otherVersions(version: String) {
    let file = Array("clipview saved clipboard \(version)\n".utf8)
    #expect(fault(of: file)?.kind == .version)
  }

  @Test(
    "Lines that nobody should believe are told, although their checksum is right",
    arguments: [
      (#"1 bytes "a" type "a" format 8 size 99999999999999999999 crc32 00000000"#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size -1 crc32 00000000"#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size 00 crc32 00000000"#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size 0 crc32 0000000"#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size 0 crc32 0000000G"#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size 0 crc32 00000000 file "x""#, "malformed"),
      (#"1 bytes "a" type "a" format 8 size 0 crc32 00000000x"#, "malformed"),
      (#"1 bytes "a" type "a" format 7 size 0 crc32 00000000"#, "form"),
      (#"1 bytes "a" type "a" format 0 size 0 crc32 00000000"#, "form"),
      (#"1 bytes "a" type "a" format 16 size 3 crc32 00000000"#, "form"),
      (#"1 bytes "a" type "a" format 32 size 2 crc32 00000000"#, "form"),
      (#"1 bytes "" type "a" format 8 size 0 crc32 00000000"#, "name"),
      (#"1 bytes "a" type "" format 8 size 0 crc32 00000000"#, "name"),
      (#"1 bytes "a\x00b" type "a" format 8 size 0 crc32 00000000"#, "name"),
      (#"1 bytes "a type "a" format 8 size 0 crc32 00000000"#, "malformed"),
      (#"1 bytes a type "a" format 8 size 0 crc32 00000000"#, "malformed"),
      (#"1 bytes "a\q" type "a" format 8 size 0 crc32 00000000"#, "malformed"),
      (#"1 bytes "a\x4" type "a" format 8 size 0 crc32 00000000"#, "malformed"),
      (#"1 bytes "TARGETS" type "ATOM" format 8 size 0 crc32 00000000"#, "protocolTarget"),
      (#"1 refused "MULTIPLE""#, "protocolTarget"),
      (#"1 refused "DELETE""#, "protocolTarget"),
      (#"1 bytes "PIXMAP" type "PIXMAP" format 32 size 4 crc32 00000000"#, "bound"),
      (#"1 bytes "GTK_TEXT_BUFFER_CONTENTS" type "x" format 8 size 8 crc32 00000000"#, "bound"),
      (#"1 bytes "a" type "ATOM" format 32 size 4 crc32 00000000"#, "bound"),
      (#"1 atoms "a" type "a" format 8 size 0 crc32 00000000"#, "form"),
      (#"1 redacted "a" type "a" format 8 size 0"#, "malformed"),
      (#"1 unheard "a""#, "malformed"), (#"1 refused "a" type "a""#, "malformed"),
      (#"2 refused "a""#, "count"), (#"refused "a""#, "malformed"), ("1", "malformed"),
      ("1 ", "malformed"), ("1 refused", "malformed"), (#"1 refused """#, "name"),
    ])
  func hostileLines(line: String, kind: String) throws {
    let found = try #require(fault(of: file(line)))
    #expect("\(found.kind)" == kind, "\(found)")
  }

  @Test("A size beyond all memory is a file that ends too early")
  func giantSize() {
    let line = #"1 bytes "a" type "a" format 8 size 999999999999999999 crc32 00000000"#
    let file = file(line, rest: "\n--- 1 \"a\", 999999999999999999 bytes\nabc")
    let part = SavedClipboardFault.Part.representation(1, target: "a")
    #expect(fault(of: file) == SavedClipboardFault(.cutShort, part, at: file.count))
  }

  @Test("The longest name is taken and the next longer one is not")
  func longNames() throws {
    let name = String(repeating: "n", count: 65_535)
    let read = try decode(file("1 refused \"\(name)\"")).get()
    #expect(read.representations.map(\.target) == [name])
    #expect(fault(of: file("1 refused \"\(name)n\""))?.kind == .name)
  }

  @Test("Counts that are wrong and targets that stand twice are told")
  func counts() {
    #expect(fault(of: file(#"1 refused "a""#, count: 2))?.kind == .count)
    #expect(fault(of: file(#"1 refused "a""#, count: 0))?.kind == .count)
    #expect(fault(of: file(count: 999_999_999_999_999_999))?.kind == .count)
    #expect(fault(of: file(#"1 refused "a""#, #"2 refused "a""#))?.kind == .repeatedTarget)
    #expect(fault(of: file(#"1 refused "a""#, #"2 refused "\x61""#))?.kind == .repeatedTarget)
    let many = (1...65_537).map { "\($0) refused \"\($0)\"\n" }.joined()
    #expect(fault(of: file(String(many.dropLast()), count: 65_537))?.kind == .count)
  }

  @Test("Comments and empty lines may stand anywhere in an index")
  func comments() throws {
    let read = try decode(file("# one", "", #"1 refused "a"   # two"#, "#", count: 1)).get()
    #expect(read.representations.map(\.target) == ["a"])
  }

  @Test("An index of files is no file by itself, and one of a file is none of a directory")
  func places() throws {
    let index = example.encodedForDirectory()[0].content
    #expect(fault(of: index.bytes)?.kind == .inDirectory)
    let whole = example.encoded()
    let parsed = try SavedIndex(parsing: whole)
    let fault = #expect(throws: SavedClipboardFault.self) {
      _ = try SavedClipboard(parsed, of: whole, contents: [])
    }
    #expect(fault?.kind == .notInDirectory)
  }

  @Test(
    "A file name that leads out of its directory is refused",
    arguments: ["../x", "/etc/passwd", ".", "..", ".x", "a/b", "", "index", #"a\x00b"#, #"a\nb"#])
  func fileNames(name: String) {
    let line = #"1 bytes "a" type "a" format 8 size 0 crc32 00000000 file ""# + name + "\""
    #expect(fault(of: file(line, contents: "files", rest: ""))?.kind == .name)
  }

  @Test("Files of a directory that are too short, too long or changed are told by their names")
  func filesOfDirectory() throws {
    let files = example.encodedForDirectory()
    let index = try SavedIndex(parsing: files[0].content)
    let contents = files.dropFirst().map(\.content)
    func fault(_ change: (inout [UInt8]) -> Void) -> SavedClipboardFault? {
      var damaged = contents
      var bytes = damaged[0].bytes
      change(&bytes)
      damaged[0] = Payload(bytes)
      return #expect(throws: SavedClipboardFault.self) {
        _ = try SavedClipboard(index, of: files[0].content, contents: damaged)
      }
    }
    let part = SavedClipboardFault.Part.representation(1, target: "UTF8_STRING")
    let name = "01-UTF8_STRING"
    #expect(fault { $0.removeLast() } == SavedClipboardFault(.cutShort, part, at: 25, in: name))
    #expect(fault { $0.append(1) } == SavedClipboardFault(.surplus, part, at: 26, in: name))
    #expect(fault { $0[3] ^= 1 } == SavedClipboardFault(.checksum, part, at: 0, in: name))
  }

  @Test("Values of a machine with the other order of bytes are turned round")
  func otherByteOrder() throws {
    let content: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var saved = SavedClipboard()
    for format in [8, 16, 32] {
      saved.representations.append(
        Representation("\(format)", .bytes(Form(type: "x", format: format), Payload(content))))
    }
    let whole = text(saved.encoded().bytes)
    let end = try #require(whole.ranges(of: "end of index").first).lowerBound
    let index = whole[..<end].replacing("byte-order little", with: "byte-order big")
    let checksum = String(CRC32(of: Array(index.utf8)).value, radix: 16)
    let digits = String(repeating: "0", count: 8 - checksum.count) + checksum
    let line = "end of index, crc32 \(digits)"
    let rest = whole[end...].drop { $0 != "\n" }
    let read = try decode(Array((index + line + rest).utf8)).get()
    let values = read.representations.map { representation -> [UInt8] in
      if case .bytes(_, let payload) = representation.content { payload.bytes } else { [] }
    }
    #expect(values == [content, [2, 1, 4, 3, 6, 5, 8, 7], [4, 3, 2, 1, 8, 7, 6, 5]])
  }

  @Test("Files made at random from pieces of the format never trap")
  func randomFiles() {
    var generator = SeededGenerator(seed: 9)
    let pieces = [
      "1 ", "2 ", "bytes ", "atoms ", "refused ", "bound ", "redacted ", "\"a\" ", "\"\\", "type ",
      "format 8 ", "format 32 ", "size 4 ", "size 0 ", "crc32 00000000 ", "file \"f\" ", "\n", "#",
      "\u{0}", "ÿ", "end of index, crc32 ", "\n--- ", "\"ATOM\" ", "-\n",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<12, using: &generator)
      let line = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let place = ["below", "files", "left-out"].randomElement(using: &generator) ?? ""
      _ = decode(file(line, count: Int.random(in: 0..<2, using: &generator), contents: place))
    }
  }
}

@Suite("Checksum")
struct CRC32Tests {
  @Test(
    "Known values",
    arguments: [
      ("", UInt32(0)), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ])
  func knownValues(text: String, value: UInt32) {
    #expect(CRC32(of: Array(text.utf8)).value == value)
  }

  @Test("Chunks of any size give the same as the whole")
  func chunks() {
    let bytes = scrambledBytes(1000)
    let whole = CRC32(of: bytes).value
    for size in [1, 3, 7, 8, 9, 500] {
      let chunks = stride(from: 0, to: 1000, by: size).map {
        ByteChunk(Array(bytes[$0..<min(1000, $0 + size)]))
      }
      #expect(CRC32(of: Payload(chunks: chunks)).value == whole)
    }
  }
}

@Suite("Names on the wire")
struct WireNameTests {
  @Test("UTF-8 stands for itself", arguments: ["", "TARGETS", "text/plain", "é", "日本語 🎉"])
  func valid(name: String) {
    #expect(String(wireBytes: Array(name.utf8)) == name)
    #expect(name.wireBytes == Array(name.utf8))
  }

  @Test("Every byte string comes back, and no two have the same name")
  func anyBytes() {
    var generator = SeededGenerator(seed: 2)
    var names: [ExactName: [UInt8]] = [:]
    let pieces: [[UInt8]] = [
      [0x61], [0xC3, 0xA9], [0xC3], [0xA9], [0xFF], [0xE2, 0x82, 0xAC], [0xE2, 0x82], [0xED, 0xA0],
      [0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBD, 0xBF], [0xF4],
      [0xF0, 0x9F, 0x8E, 0x89], [0xC0, 0x80], [0xF8],
      // An e and an acute accent, which Unicode takes for the same as the letter above.
      [0x65, 0xCC, 0x81],
    ]
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<6, using: &generator)
      let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      let name = String(wireBytes: bytes)
      #expect(name.wireBytes == bytes)
      #expect(names[ExactName(name)] ?? bytes == bytes)
      names[ExactName(name)] = bytes
      var quoted = Array(QuotedName.encode(name).utf8)[...]
      #expect(QuotedName.decode(&quoted) == bytes)
      #expect(quoted.isEmpty)
    }
  }
}
