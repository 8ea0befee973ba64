import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing
import TypeRegistry

@testable import ClipboardCore

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

private func addresses(_ list: String) -> [String] {
  FileListTarget.addresses(in: Array(list.utf8)).map { text($0) }
}

@Suite("Lists of files")
struct FileListTests {
  private let list = FileList(.cut, ["/tmp/a b", "/tmp/100%"])

  @Test("A list is written as file managers write it")
  func forms() {
    #expect(text(list.uriList) == "file:///tmp/a%20b\r\nfile:///tmp/100%25\r\n")
    #expect(text(list.copiedFiles) == "cut\nfile:///tmp/a%20b\nfile:///tmp/100%25")
    #expect(text(list.text) == "/tmp/a b\n/tmp/100%")
    #expect(text(FileList(.copy, ["/x"]).copiedFiles) == "copy\nfile:///x")
  }

  @Test("A path that would not be a line of text stands in the text as its URL")
  func namesThatAreNoText() {
    let paths: [FilePath] = [
      "/naïve 日本", "/a\nb", FilePath(bytes: [0x2F, 0xFF]), "/\u{1B}[31m", "/\u{9B}x", "/\u{7F}",
    ]
    #expect(
      text(FileList(.copy, paths).text)
        == "/naïve 日本\nfile:///a%0Ab\nfile:///%FF\nfile:///%1B%5B31m\nfile:///%C2%9Bx\nfile:///%7F")
  }

  @Test("A file is in a list once, where it came first")
  func eachOnce() {
    #expect(FileList(.cut, ["/b", "/a", "/b"]).paths == ["/b", "/a"])
  }

  @Test("C56: lines end with CR LF or LF, comments and empty lines are none, the order stays")
  func c56LinesOfLists() {
    let expected = ["file:///b", "file:///a"]
    for list in [
      "file:///b\r\nfile:///a\r\n", "file:///b\nfile:///a", "# c\r\nfile:///b\r\n#\r\nfile:///a",
      "\r\n\nfile:///b\r\r\n\n  file:///a \t\n", "file:///b\r\nfile:///a\0",
      "file:///b\nfile:///a\0\0",
      "copy\nfile:///b\nfile:///a", "cut\nfile:///b\nfile:///a\n",
      "copy\r\nfile:///b\r\nfile:///a\r\n",
    ] {
      #expect(addresses(list) == expected, "\(list.debugDescription)")
    }
    for list in ["", "\0", "\r\n", "# only\n", "copy", "cut\n"] { #expect(addresses(list) == []) }
    // Only the first line can be an operation.
    #expect(addresses("file:///a\ncopy") == ["file:///a", "copy"])
    #expect(addresses("move\nfile:///a") == ["move", "file:///a"])
  }

  @Test("Any list of paths comes back from every form")
  func roundTrips() {
    var generator = SeededGenerator(seed: 57)
    for _ in 0..<500 {
      let count = Int.random(in: 1...8, using: &generator)
      let paths = (0..<count).map { _ in FilePath(bytes: anyAbsolutePath(&generator)) }
      let list = FileList(Bool.random(using: &generator) ? .copy : .cut, paths)
      for form in [list.uriList, list.copiedFiles, list.copiedFiles + [0]] {
        let read = FileListTarget.addresses(in: form).map { FilePath(fileURL: $0, onHost: []) }
        #expect(read == list.paths)
      }
      // A line of the text is a file, and either its path or its URL.
      let lines = list.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let read = lines.map { FilePath(fileURL: $0, onHost: []) ?? FilePath(bytes: Array($0)) }
      #expect(read == list.paths)
    }
  }

  @Test("Any bytes are read as some list")
  func anyBytes() {
    var generator = SeededGenerator(seed: 58)
    let pieces = Array("\r\n\0# \tcopycutfile:///%".utf8)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...40, using: &generator)
      let bytes = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? 0 }
      for address in FileListTarget.addresses(in: bytes) {
        #expect(!address.isEmpty && !address.contains(UInt8(ascii: "\n")))
      }
    }
  }
}

@Suite("What a copy of files offers")
struct FileOfferTests {
  private let textNames = [
    "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "COMPOUND_TEXT",
  ]

  private func offer(_ operation: FileList.Operation, only: Bool = false) -> Offer {
    var assembly = CopyAssembly()
    assembly.publishesOnlyGiven = only
    return assembly.offer(of: FileList(operation, ["/tmp/é"]))
  }

  private func content(_ offer: Offer, _ name: String) throws -> String {
    text(try #require(offer.target(named: name)).content.payload().bytes)
  }

  @Test("C54: every file manager finds the form that it asks for, and others text")
  func c54EveryForm() throws {
    let forms = ["text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files"]
    let copy = offer(.copy)
    #expect(copy.targets.map(\.name) == forms + textNames)
    let cut = offer(.cut)
    #expect(
      cut.targets.map(\.name) == forms + ["application/x-kde-cutselection"] + textNames)
    #expect(try content(copy, "text/uri-list") == "file:///tmp/%C3%A9\r\n")
    #expect(try content(copy, "x-special/gnome-copied-files") == "copy\nfile:///tmp/%C3%A9")
    #expect(try content(cut, "x-special/gnome-copied-files") == "cut\nfile:///tmp/%C3%A9")
    #expect(try content(cut, "x-special/mate-copied-files") == "cut\nfile:///tmp/%C3%A9")
    #expect(try content(cut, "application/x-kde-cutselection") == "1")
    #expect(try content(cut, "UTF8_STRING") == "/tmp/é")
    #expect(
      try #require(cut.target(named: "STRING")).content.payload().bytes == Array("/tmp/".utf8) + [
        0xE9
      ])
  }

  @Test("A list of URLs that is given as such is offered as it is, and as text")
  func givenList() throws {
    for type in ["text/uri-list", "public.file-url"] {
      let source = CopySource(Payload("http://a/\n"), type: type)
      let offer = try CopyAssembly().offer(of: [source])
      #expect(
        offer.targets.map(\.name) == ["text/uri-list"] + textNames + [OriginMarker.target])
      #expect(try content(offer, "text/uri-list") == "http://a/\n")
    }
  }

  @Test("Only what was given is the list of URLs")
  func only() {
    #expect(offer(.copy, only: true).targets.map(\.name) == ["text/uri-list"])
  }
}

@Suite("Lists of files, beside those of file managers")
struct CapturedFileListTests {
  private static let names = ["nautilus", "thunar", "pcmanfm", "dolphin"].flatMap { manager in
    ["copy", "cut"].map { "\(manager)-x11-files-\($0)" }
  }

  @Test("The same files make the same bytes as the file manager's own", arguments: names)
  func sameBytes(name: String) throws {
    let capture = try Capture(name)
    // PCManFM ends its lists with a NUL, and in the list of URLs has that for the last line end.
    let uriList = try #require(capture["text/uri-list"])
    let paths = FileListTarget.addresses(in: uriList).compactMap {
      FilePath(fileURL: $0, onHost: [])
    }
    #expect(
      Set(paths) == [
        "/tmp/demo/files/sub", "/tmp/demo/files/report.txt",
        "/tmp/demo/files/naïve 日本 & 100%.txt",
      ])
    let list = FileList(name.hasSuffix("cut") ? .cut : .copy, paths)
    if name.hasPrefix("pcmanfm") {
      #expect(uriList == list.uriList.dropLast(2) + [0])
    } else {
      #expect(uriList == list.uriList)
    }
    if let copied = capture["x-special/gnome-copied-files"] {
      #expect(copied == list.copiedFiles + (name.hasPrefix("pcmanfm") ? [0] : []))
    } else {
      #expect(name.hasPrefix("dolphin"))
    }
    if name.hasPrefix("thunar") { #expect(capture["UTF8_STRING"] == list.text) }
    #expect(
      capture["application/x-kde-cutselection"] == (name == "dolphin-x11-files-cut" ? [0x31] : nil))
  }
}
