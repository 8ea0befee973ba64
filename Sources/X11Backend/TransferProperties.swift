/// The names of the properties on our window that answers come in.
///
/// Names are atoms, which servers keep for ever: they are used again, but not while an answer to an
/// earlier request may still come under them.
struct TransferProperties {
  private static let maximumRetired = 64

  private let connection: X11Connection
  /// The one that was used longest ago in front: an owner that answers twice meets nobody new.
  private var free: [AtomID]
  private var retired: [AtomID] = []
  private var count: Int

  init(_ connection: X11Connection) {
    self.connection = connection
    free = connection.atoms.transferProperties
    count = free.count
  }

  mutating func take() -> AtomID {
    if !free.isEmpty { return free.removeFirst() }
    count += 1
    return connection.atom(named: "_CLIPVIEW_\(count - 1)")
  }

  /// Gives a name back whose value was taken.
  mutating func putBack(_ property: AtomID) { free.append(property) }

  /// Gives a name back that nothing is expected under.
  ///
  /// What lies there all the same, put there by us or by an owner that then refused, must not be taken
  /// for the answer of the next.
  mutating func clearAndPutBack(_ property: AtomID) {
    connection.deleteProperty(property)
    free.append(property)
  }

  /// Puts a name aside that an answer may still come under.
  mutating func retire(_ property: AtomID) {
    retired.append(property)
    guard retired.count > Self.maximumRetired else { return }
    // There are only so many: the one that was put aside first comes back.
    clearAndPutBack(retired.removeFirst())
  }

  /// An answer came that nobody waits for any more: it must not lie about in the server.
  ///
  /// Properties that were not put aside are left alone, whoever names them.
  func discardLateAnswer(in property: AtomID) {
    guard retired.contains(property),
      let value = connection.readProperty(property, of: connection.window, limit: 0),
      // To take an announcement away is to ask for the first chunk.
      value.type != connection.atoms.incremental
    else { return }
    connection.deleteProperty(property)
  }
}
