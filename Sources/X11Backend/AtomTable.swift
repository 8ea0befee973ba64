internal import SelectionCore

/// Which atoms have which names, as far as this connection has learnt it.
///
/// Two lists side by side while they are short, which they stay in a paste or a copy of text: the
/// type of a dictionary is made by the runtime when the first one is filled, and two of them cost a
/// tenth of a whole paste. Beyond, dictionaries, since peers send thousands of names.
struct AtomTable {
  private var fewNames: [String] = []
  private var fewAtoms: [UInt32] = []
  private var names: [UInt32: String] = [:]
  private var atoms: [ExactName: UInt32] = [:]

  static let fewLimit = 64

  /// Notes a pair.
  ///
  /// Of several atoms of one name the first noted stays the one of that name.
  mutating func note(_ name: String, _ atom: AtomID) {
    guard atom != .none, self.name(of: atom) == nil else { return }
    if names.isEmpty, fewAtoms.count < Self.fewLimit {
      fewNames.append(name)
      fewAtoms.append(atom.rawValue)
      return
    }
    if names.isEmpty {
      for index in fewAtoms.indices { add(fewNames[index], fewAtoms[index]) }
    }
    add(name, atom.rawValue)
  }

  private mutating func add(_ name: String, _ atom: UInt32) {
    names[atom] = name
    if atoms[ExactName(name)] == nil { atoms[ExactName(name)] = atom }
  }

  func name(of atom: AtomID) -> String? {
    if !names.isEmpty { return names[atom.rawValue] }
    for index in fewAtoms.indices where fewAtoms[index] == atom.rawValue { return fewNames[index] }
    return nil
  }

  func atom(named name: String) -> AtomID? {
    if !names.isEmpty { return atoms[ExactName(name)].map { AtomID($0) } }
    // Strings that Unicode makes equal may be two names; most are told apart by the quicker test.
    for index in fewNames.indices
    where fewNames[index] == name && ExactName(fewNames[index]) == ExactName(name) {
      return AtomID(fewAtoms[index])
    }
    return nil
  }
}
