package import Pasteboard
package import SelectionCore

/// Who is to be told when certain windows are taken off the screen.
final class X11WindowWatches {
  final class Watch {
    let windows: [WindowID]
    let handler: () -> Void
    var isEnded = false
    init(_ windows: [WindowID], _ handler: @escaping () -> Void) {
      self.windows = windows
      self.handler = handler
    }
  }

  private var watches: [Watch] = []

  func add(_ watch: Watch) { watches.append(watch) }

  func end(_ watch: Watch) {
    watch.isEnded = true
    watches.removeAll { $0 === watch }
  }

  func report(_ window: WindowID) {
    // The handlers may end their watch, and those of others.
    for watch in watches where !watch.isEnded && watch.windows.contains(window) { watch.handler() }
  }
}

extension X11Backend {
  /// Toolkits own selections through bare windows, so it is the windows of the same client that count;
  /// only theirs are watched, and only for being shown or not.
  package func watchWindows(
    ofOwnerOf selection: PasteboardName, _ onUnmap: @escaping () -> Void
  ) -> SelectionWatchToken? {
    let owner = connection.owner(of: atom(of: selection))
    guard owner != .none else { return nil }
    let client = connection.client(of: owner)
    func isOfOwner(_ window: WindowID) -> Bool { connection.client(of: window) == client }
    // Without a window manager, or with an old one, everything is looked at, menus are left out.
    let windows =
      connection.managedWindows()?.filter(isOfOwner)
      ?? connection.topLevelWindows().filter { isOfOwner($0) && connection.isShownForLong($0) }
    guard !windows.isEmpty else { return nil }
    let watch = X11WindowWatches.Watch(windows, onUnmap)
    for window in windows { connection.watchStructure(of: window) }
    connection.flush()
    windowWatches.add(watch)
    return SelectionWatchToken { [weak self] in
      guard let self else { return }
      windowWatches.end(watch)
      for window in windows { connection.unwatchStructure(of: window) }
      connection.flush()
    }
  }
}
