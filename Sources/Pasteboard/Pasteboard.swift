/// The name of a pasteboard.
///
/// Three stand for the selections of the display; every other name is a pasteboard of its own.
public struct PasteboardName: Hashable, Sendable, CustomStringConvertible {
  /// What is copied and pasted with the usual keys.
  public static let clipboard = PasteboardName("clipboard")
  /// What was marked last, pasted with the middle button.
  public static let primary = PasteboardName("primary")
  /// X11's third selection, which hardly any program uses.
  public static let secondary = PasteboardName("secondary")

  /// The name as it is written.
  public let description: String

  /// A pasteboard by its name; case counts.
  public init(_ name: String) {
    description = name
  }
}

/// Named pasteboards: the items on each, and how often each has changed.
///
/// ```swift
/// let pasteboard = Pasteboard()
/// let count = pasteboard.write([item])       // to the clipboard
/// pasteboard.changeCount(of: .clipboard) == count
/// ```
///
/// A change count starts at zero and grows by one with every change; what was derived from a
/// pasteboard holds for as long as the count is the same. For one thread.
public final class Pasteboard {
  private struct Contents {
    let items: [PasteboardItem]
    let changeCount: Int
  }

  private var contents: [PasteboardName: Contents] = [:]

  /// Pasteboards without content.
  public init() {}

  /// Replaces what is on a pasteboard and returns the new change count.
  @discardableResult
  public func write(_ items: [PasteboardItem], to name: PasteboardName = .clipboard) -> Int {
    let changeCount = changeCount(of: name) + 1
    contents[name] = Contents(items: items, changeCount: changeCount)
    return changeCount
  }

  /// Takes everything off a pasteboard and returns the new change count.
  ///
  /// Counts as a change even if there was nothing, as every write does.
  @discardableResult
  public func clear(_ name: PasteboardName = .clipboard) -> Int {
    write([], to: name)
  }

  /// What is on a pasteboard; nothing on one that was never written.
  public func items(in name: PasteboardName = .clipboard) -> [PasteboardItem] {
    contents[name]?.items ?? []
  }

  /// How often a pasteboard has changed: zero for one that was never written.
  public func changeCount(of name: PasteboardName = .clipboard) -> Int {
    contents[name]?.changeCount ?? 0
  }

  /// The pasteboards that were ever written, in the order of their names.
  public var names: [PasteboardName] {
    contents.keys.sorted { $0.description < $1.description }
  }
}
