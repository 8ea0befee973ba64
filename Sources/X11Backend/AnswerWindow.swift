/// A window of ours that answers come to, in properties on it.
final class AnswerWindow {
  /// What an owner may still do after its conversion was given up.
  enum Awaited {
    /// Answer: a property is set, then announced.
    case answer
    /// Set the property once more, and wait until it is taken away.
    case value
  }

  let id: WindowID
  /// How many conversions are under way here.
  private(set) var users = 0
  /// Whether one was given up that the owner knows nothing of: it must not be used again.
  private(set) var isSpoiled = false
  /// The names of properties that nobody uses, the one that was used longest ago in front: an owner that
  /// answers twice meets nobody new.
  private var free: [AtomID]
  private var nameCount: Int
  private var awaited: [(property: AtomID, what: Awaited)] = []

  init(_ id: WindowID, names: [AtomID]) {
    self.id = id
    free = names
    nameCount = names.count
  }

  /// Whether nothing is under way here, and nothing can come that is meant for another.
  var isIdle: Bool { users == 0 && !isSpoiled }

  /// Whether it was given up and its owner has done all that it may do to it.
  var isDoneWith: Bool { users == 0 && isSpoiled && awaited.isEmpty }

  /// - Parameter name: Makes the name of that number, where more are needed than ever before.
  func take(_ name: (Int) -> AtomID) -> AtomID {
    users += 1
    if !free.isEmpty { return free.removeFirst() }
    nameCount += 1
    return name(nameCount - 1)
  }

  func giveBack(_ property: AtomID) {
    users -= 1
    free.append(property)
  }

  func giveUp(_ property: AtomID, awaiting what: Awaited) {
    users -= 1
    isSpoiled = true
    awaited.append((property, what))
  }

  /// Notes that something has come; whether it was awaited.
  ///
  /// - Parameter property: Where it came; nil for a refusal, which does not say that.
  func hasCome(_ what: Awaited, in property: AtomID?) -> Bool {
    let place = awaited.firstIndex { entry in
      entry.what == what && (property == nil || entry.property == property)
    }
    if let place { awaited.remove(at: place) }
    return place != nil
  }
}

/// Where an answer comes.
struct AnswerPlace {
  let window: AnswerWindow
  let property: AtomID

  func isAt(_ property: AtomID, on window: WindowID) -> Bool {
    self.property == property && self.window.id == window
  }
}
