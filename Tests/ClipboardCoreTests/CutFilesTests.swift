import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import ClipboardCore

private func answer(_ target: String, _ text: String) -> ReceivedRepresentation {
  ReceivedRepresentation(
    target: target, typeName: target, format: 8, payload: Payload(Array(text.utf8)))
}

private let list = answer("text/uri-list", "file:///a%20b\r\nfile:///c\r\n")

@Suite("Files that were cut")
struct CutFilesTests {
  @Test(
    "Each desktop says in its own way that files were cut",
    arguments: [
      [answer("x-special/gnome-copied-files", "cut\nfile:///a%20b\nfile:///c")],
      [answer("x-special/mate-copied-files", "cut\nfile:///a%20b\nfile:///c")],
      [list, answer("application/x-kde-cutselection", "1")],
      [answer("UTF8_STRING", "x-special/nautilus-clipboard\ncut\nfile:///a%20b\nfile:///c\n")],
    ])
  func marks(answers: [ReceivedRepresentation]) throws {
    let files = try #require(CutFiles(answers, onHost: []))
    #expect(files.paths == ["/a b", "/c"])
  }

  @Test(
    "Copied files, text about files, and nothing at all are no cut",
    arguments: [
      [answer("x-special/gnome-copied-files", "copy\nfile:///a")],
      [list, answer("application/x-kde-cutselection", "0")],
      [list], [answer("UTF8_STRING", "cut\nfile:///a")],
      [answer("x-special/gnome-copied-files", "cu")], [],
    ])
  func others(answers: [ReceivedRepresentation]) { #expect(CutFiles(answers, onHost: []) == nil) }

  @Test("Files of other machines are nobody's business here")
  func remote() throws {
    let mixed = answer(
      "x-special/gnome-copied-files", "cut\nsftp://host/a\nfile://elsewhere/b\nfile://here/c")
    #expect(try #require(CutFiles([mixed], onHost: Array("here".utf8))).paths == ["/c"])
  }

  @Test("What was there and is gone is told from what never was, and from what cannot be seen")
  func presence() throws {
    let directory = TemporaryDirectory()
    let file = try directory.write([1], to: "here")
    let text = "cut\nfile://\(file)\nfile://\(directory.path)/never\nfile://\(file)/below"
    let files = try #require(CutFiles([answer("x-special/gnome-copied-files", text)], onHost: []))
    #expect(files.hasLost)
    let present = files.present
    #expect(present.paths == [FilePath(file)])
    #expect(!present.hasLost)
    try Files.remove(file)
    #expect(present.hasLost)
  }
}
