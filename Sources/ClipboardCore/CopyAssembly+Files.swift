internal import Pasteboard
package import SelectionCore
internal import TypeRegistry

extension CopyAssembly {
  /// What a copy of files publishes: what the file managers of the desktops ask for, and the paths as
  /// text for everybody else.
  ///
  /// Xfce, PCManFM, GNOME and Cinnamon ask for `x-special/gnome-copied-files`, MATE for its own name
  /// of the same, KDE for `text/uri-list` and its mark of a cut. All of it is native: no program
  /// counts one as made from another.
  ///
  /// With ``publishesOnlyGiven`` it is the `text/uri-list` alone.
  package func offer(of files: FileList) -> Offer {
    var item = PasteboardItem()
    item.set(files.uriList, for: .fileURL)
    guard !publishesOnlyGiven else { return Offer(item, in: registry) }
    for target in ["x-special/gnome-copied-files", "x-special/mate-copied-files"] {
      item.set(files.copiedFiles, for: registry.type(forTarget: target))
    }
    // Dolphin offers no such mark beside files that were copied.
    if files.operation == .cut { item.set([UInt8(ascii: "1")], for: .kdeCutSelection) }
    item.set(files.text, for: .utf8PlainText)
    return Offer(item, in: registry)
  }
}
