import Pasteboard
import Testing
import TypeRegistry

@Suite("Named pasteboards")
struct NamedPasteboardTests {
  private let item: PasteboardItem = {
    var item = PasteboardItem()
    item.set(Payload("x"), for: .utf8PlainText)
    return item
  }()

  @Test("A pasteboard that was never written is empty and has changed zero times")
  func unwrittenPasteboard() {
    let pasteboard = Pasteboard()
    #expect(pasteboard.items().isEmpty)
    #expect(pasteboard.changeCount() == 0)
    #expect(pasteboard.names.isEmpty)
  }

  @Test("Every write counts and replaces everything, the same content too")
  func writesCountAndReplace() {
    let pasteboard = Pasteboard()
    #expect(pasteboard.write([item, item]) == 1)
    #expect(pasteboard.items().count == 2)
    #expect(pasteboard.write([item]) == 2)
    #expect(pasteboard.write([item]) == 3)
    #expect(pasteboard.items().count == 1)
    #expect(pasteboard.changeCount() == 3)
  }

  @Test("Clearing counts too, and the count never goes back")
  func clearingCounts() {
    let pasteboard = Pasteboard()
    pasteboard.write([item])
    #expect(pasteboard.clear(.clipboard) == 2)
    #expect(pasteboard.items().isEmpty)
    #expect(pasteboard.clear(.clipboard) == 3)
    #expect(pasteboard.write([item]) == 4)
    #expect(pasteboard.clear(.secondary) == 1)
  }

  @Test("Each name has contents and a count of its own")
  func namesAreIndependent() {
    let pasteboard = Pasteboard()
    let scratch = PasteboardName("scratch")
    pasteboard.write([item])
    pasteboard.write([], to: .primary)
    pasteboard.write([item, item], to: scratch)
    pasteboard.write([item], to: PasteboardName("scratch"))
    #expect(pasteboard.changeCount(of: .clipboard) == 1)
    #expect(pasteboard.changeCount(of: .primary) == 1)
    #expect(pasteboard.changeCount(of: scratch) == 2)
    #expect(pasteboard.changeCount(of: .secondary) == 0)
    #expect(pasteboard.items(in: scratch).count == 1)
    #expect(pasteboard.items(in: .primary).isEmpty)
    #expect(pasteboard.names == [.clipboard, .primary, scratch])
  }

  @Test("The names of the selections are what they are called, and case counts")
  func namesAreSpelled() {
    #expect(PasteboardName("clipboard") == .clipboard)
    #expect(PasteboardName("Clipboard") != .clipboard)
    #expect("\(PasteboardName.primary) \(PasteboardName.secondary)" == "primary secondary")
  }

  @Test("What was promised is made once for a change, however often the item is read back")
  func promisesAreKeptPerChange() throws {
    let made = Counter()
    let pasteboard = Pasteboard()
    var item = PasteboardItem()
    item.promise(.html) {
      made.increment()
      return Payload("x")
    }
    pasteboard.write([item])
    for _ in 0..<3 {
      _ = try pasteboard.items().first?.representation(for: .html)?.payload()
    }
    #expect(made.value == 1)
  }
}
