/// A name as a key: equal to another where every byte is.
///
/// Strings by themselves are equal where Unicode takes them for one text, so that an é in one scalar
/// and one in two, which are two atoms to an X server, would share a place in a dictionary.
package struct ExactName: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  package static func == (left: Self, right: Self) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var name = name
    name.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension [String] {
  /// The names, each once, in the order in which they first stand there.
  package var eachOnce: [String] {
    var seen: Set<ExactName> = []
    return filter { seen.insert(ExactName($0)).inserted }
  }
}
