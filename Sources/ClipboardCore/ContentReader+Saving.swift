internal import Pasteboard
package import SelectionCore

extension ContentReader {
  /// Everything that the owner offers, in its order: each representation is asked for once, one after
  /// the other, however large it is.
  ///
  /// What the owner lists and does not give is noted as refused. That a selection changes hands while
  /// it is read is ``ReadProblem/changed``: two halves of two clipboards are none.
  ///
  /// - Parameters:
  ///   - acceptsSecrets: Whether content may be saved that says of itself that it is secret.
  ///   - left: Targets that are not asked for.
  /// - Returns: Nil where it is secret and may not; then nothing but the markers was asked for.
  package func everything(
    acceptsSecrets: Bool, leavingOut left: Set<String> = []
  ) throws(ReadProblem) -> SavedClipboard? {
    let names = try listedNames()
    let targets = names.filter {
      // For how long it is served is a matter of its owner, and would be a lie when it is loaded.
      !SavedClipboard.isProtocolTarget($0) && $0 != ServingTerms.target && !left.contains($0)
    }.eachOnce
    if targets.isEmpty { throw .notOffered(offered: names) }
    let time = names.contains(Self.time) ? try? quickAnswer(Self.time).get().payload : nil
    var answers: [String: SavedClipboard.Content] = [:]
    if !acceptsSecrets {
      for marker in SensitivityMarker.markers(among: targets) {
        let content = try savedContent(of: marker)
        if SensitivityMarker.isSecret(marker, value: content.payload) { return nil }
        answers[marker] = content
      }
    }
    var saved = SavedClipboard()
    saved.selection = selection.description
    saved.backend = session.backend.kind.rawValue
    for target in targets {
      if let known = answers[target] {
        saved.representations.append(.init(target, known))
      } else {
        saved.representations.append(.init(target, try savedContent(of: target)))
      }
    }
    let owner = session.backend.ownerFacts(of: selection)
    if session.backend.isLost { throw .connectionLost }
    if owner?.window != ownership.owner { throw .changed }
    if let time, try isTakenAnew(since: time) { throw .changed }
    saved.owner = owner?.name
    return saved
  }

  private static let time = "TIMESTAMP"

  /// Whether an owner that told since when it owns the selection tells otherwise now.
  ///
  /// A program that copies again does so with the same window, and many look at the times of requests
  /// no more than they have to.
  private func isTakenAnew(since time: Payload) throws(ReadProblem) -> Bool {
    switch quickAnswer(Self.time) {
    case .success(let answer): return answer.payload != time
    case .failure(.connectionLost): throw .connectionLost
    // No answer is none to the contrary: all of the content has come.
    case .failure(.timedOut): return false
    case .failure: return true
    }
  }

  private func savedContent(of target: String) throws(ReadProblem) -> SavedClipboard.Content {
    // An address in the owner's memory, so there is nothing to ask for.
    if SavedClipboard.isPointer(target) { return .bound(.init(type: target, format: 8), size: 0) }
    guard let answer = try answer(to: target) else { return .refused }
    let form = SavedClipboard.Form(type: answer.typeName, format: answer.format)
    if SavedClipboard.isBound(target, form) { return .bound(form, size: answer.payload.count) }
    guard SavedClipboard.isAtomList(form) else { return .bytes(form, answer.payload) }
    // More than any list of atoms: whatever it is, its numbers mean nothing on another server.
    guard answer.payload.count <= SavedClipboard.maximumAtoms * 4,
      let names = session.backend.atomNames(in: answer.payload)
    else { return .bound(form, size: answer.payload.count) }
    return .atoms(form, names)
  }
}

extension SavedClipboard.Content {
  var payload: Payload? {
    if case .bytes(_, let payload) = self { payload } else { nil }
  }
}

extension SavedClipboard {
  /// What is published when it is loaded: the same targets with the same answers, nothing added.
  ///
  /// What its owner refused is listed and refused again; what could not be saved is left out.
  package func offer(on session: ClipboardSession) -> Offer {
    var offer = Offer()
    for representation in representations {
      let name = representation.target
      switch representation.content {
      case .bytes(let form, let payload):
        offer.add(
          OfferedTarget(name: name, typeName: form.type, format: form.format, payload))
      case .atoms(let form, let names):
        let payload = session.backend.atomList(names)
        offer.add(
          OfferedTarget(name: name, typeName: form.type, format: form.format, payload))
      case .refused:
        // The owner that was saved did not give it either.
        offer.add(OfferedTarget(name: name, content: .refused))
      case .bound, .redacted:
        break
      }
    }
    return offer
  }
}
