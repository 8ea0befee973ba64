import ControlProtocol
import Pasteboard
import SelectionCore

/// Content is refused for a while.
extension ManagedDisplay {
  var supervisor: ServingSupervisor {
    ServingSupervisor(
      isGuarded: { [guardian] selection in
        guardian.remaining(for: selection.description) != nil
      },
      onRefusal: { [guardian, name] selection, target in
        guardian.noteRefusal(
          display: name, name: selection.description, target: target,
          for: guardian.remaining(for: selection.description))
      })
  }

  /// Ends the guards that offers brought along.
  func liftGuards(of name: String?) {
    for selection in Self.managed where name == nil || selection.description == name {
      backend?.liftGuard(of: selection)
      selections[selection]?.published?.liftGuard()
      selections[selection]?.lost?.liftGuard()
    }
  }

  /// The selections that other programs serve.
  func unguarded(_ name: String?) -> [ControlPlace] {
    guard let backend else { return [] }
    return Self.managed.filter { selection in
      (name == nil || selection.description == name) && backend.supports(selection)
        && present(on: selection) == nil && backend.hasOwner(selection)
    }.map { ControlPlace(display: self.name, name: $0.description) }
  }
}
