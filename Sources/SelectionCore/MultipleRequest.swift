/// One request for several targets at once (ICCCM 2.6.2, MULTIPLE), and how its answer is read.
///
/// Without I/O.
package struct MultipleRequest: Sendable {
  /// A target and the property that its content is to be put into; both are atoms.
  package struct Pair: Hashable, Sendable {
    package let target: UInt32
    package let property: UInt32

    package init(target: UInt32, property: UInt32) {
      self.target = target
      self.property = property
    }
  }

  /// What the list that came back says of a pair.
  package enum Verdict: Hashable, Sendable {
    case granted
    case refused
    /// Nothing that can be believed: the property itself has to be looked at.
    case unknown
  }

  package let pairs: [Pair]

  package init(_ pairs: [Pair]) { self.pairs = pairs }

  /// The list to be put into the property that the request names.
  package var words: [UInt32] { pairs.flatMap { [$0.target, $0.property] } }

  /// What became of each pair.
  ///
  /// A pair that failed has None in the place of its property; xsel puts it in that of the target,
  /// and either counts. What the list claims to be (owners say ATOM for ATOM_PAIR) does not matter: it
  /// is known by what it holds. An owner that grants all need not touch it.
  ///
  /// - Parameters:
  ///   - words: The list as it came; nil where none did.
  ///   - format: The number of bits of an item of the list.
  package func verdicts(on words: [UInt32]?, format: Int) -> [Verdict] {
    guard let words, format == 32, words.count == pairs.count * 2 else {
      return pairs.map { _ in .unknown }
    }
    return pairs.indices.map { index in
      let target = words[index * 2]
      let property = words[index * 2 + 1]
      let pair = pairs[index]
      guard target == 0 || target == pair.target, property == 0 || property == pair.property
      else { return .unknown }
      return target == 0 || property == 0 ? .refused : .granted
    }
  }
}
