import TestSupport
import Testing

/// Clipboards of real applications and what a person expects to be pasted from them.
private let captures: [(name: String, text: String)] = [
  ("xclip-x11-text", "UTF8_STRING"),
  ("mousepad-x11-text", "UTF8_STRING"),
  ("gnome-text-editor-x11-text", "UTF8_STRING"),
  ("featherpad-x11-text", "UTF8_STRING"),
  ("chromium-x11-page", "UTF8_STRING"),
  ("libreoffice-writer-gtk3-x11-one-line", "UTF8_STRING"),
  ("keepassxc-x11-password", "UTF8_STRING"),
]

/// What asks about a selection and what dies with its owner.
private let hidden: Set = [
  "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "GTK_TEXT_BUFFER_CONTENTS",
]

extension OnDisplay {
  @Suite("Clipboards of real applications")
  struct CaptureTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("types lists what the application offers", arguments: captures.map(\.name))
    func typesOfCapture(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let result = try desk.clipview("types")
      #expect(result.status == 0)
      #expect(lines(result.output) == capture.offered.filter { !hidden.contains($0) })
      let all = try desk.clipview("types", "--all")
      #expect(lines(all.output) == capture.offered)
      withExtendedLifetime(owner) {}
    }

    @Test("paste prints the text as a person saw it", arguments: captures)
    func textOfCapture(name: String, target: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let expected = try #require(capture[target])
      #expect(text(try desk.paste()) == text(expected))
      #expect(text(try desk.paste("-t", "plain")) == text(expected))
      withExtendedLifetime(owner) {}
    }

    @Test("paste -t hands on every representation byte for byte", arguments: captures.map(\.name))
    func representationsOfCapture(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      for target in capture.targets where target.format == 8 && !hidden.contains(target.name) {
        let bytes = try desk.paste("-t", target.name)
        #expect(difference(bytes, target.bytes) == nil, "\(target.name)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("show tells every representation and its size", arguments: captures.map(\.name))
    func showOfCapture(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let result = try desk.clipview("show", "--json")
      #expect(result.status == 0, "\(result)")
      let object = try #require(JSON(result.text))
      let representations = try #require(object["items"]?.array?.first?["representations"]?.array)
      let shown = representations.map { ($0["target"]?.string, $0["bytes"]?.int) }
      for target in capture.targets where !hidden.contains(target.name) {
        #expect(shown.contains { $0 == target.name && $1 == target.bytes.count }, "\(target.name)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test("plain makes true text of every application's clipboard", arguments: captures)
    func plainOfCapture(name: String, target: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let expected = text(try #require(capture[target]))
      #expect(try desk.clipview("plain").isSilentSuccess)
      #expect(try desk.peer.ask("UTF8_STRING").value?.text == expected)
      #expect(try desk.peer.ask("text/plain;charset=utf-8").value?.text == expected)
      withExtendedLifetime(owner) {}
    }
  }
}
