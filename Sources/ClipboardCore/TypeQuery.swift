package import TypeRegistry

/// A TYPE of the command line, read in the order that the contract gives.
package enum TypeQuery: Hashable, Sendable {
  /// This very target, spelled so.
  case target(String)
  /// Whatever conforms to the first of these types, else to the next.
  case types([TypeIdentifier])

  /// The short names and what they stand for, in the order in which help lists them.
  package static let shortNames: [(name: String, types: [TypeIdentifier])] = [
    // Any text, plain text first: what `wl-paste -t text` gives.
    ("text", [.plainText, .text]), ("plain", [.plainText]), ("markdown", [.markdown]),
    ("html", [.html]), ("rtf", [.rtf]), ("csv", [.csv]), ("tsv", [.tsv]), ("image", [.image]),
    ("png", [.png]), ("files", [.fileURL]),
  ]

  /// - Parameter offered: The owner's targets, one of which may be meant to the letter.
  package init(
    _ text: String, offered: [String] = [], in registry: TypeRegistry = .current
  ) {
    if offered.contains(text) {
      self = .target(text)
    } else if let types = Self.shortNames.first(where: { $0.name == text })?.types {
      self = .types(types)
    } else if text.utf8.first == UInt8(ascii: "."),
      let type = registry.type(for: String(text.dropFirst()), in: .filenameExtension)
    {
      self = .types([type])
    } else if text.utf8.contains(UInt8(ascii: "/")), MIMEType(text) != nil {
      self = .types([registry.type(forTarget: text)])
    } else if text.utf8.contains(UInt8(ascii: ".")), let type = TypeIdentifier(text),
      registry.isDeclared(type) || type.isDynamic
    {
      self = .types([type])
    } else if let type = registry.type(for: text, in: .x11Target) {
      self = .types([type])
    } else {
      self = .target(text)
    }
  }

  /// What was probably meant by a word that names nothing but a target: `.md` by `md`.
  ///
  /// `nil` where it is understood, and where no declared type has such an extension.
  package static func extensionMeant(
    by word: String, in registry: TypeRegistry = .current
  ) -> String? {
    guard case .target = TypeQuery(word, in: registry), !word.utf8.contains(UInt8(ascii: ".")),
      let type = registry.type(for: word, in: .filenameExtension), registry.isDeclared(type)
    else { return nil }
    return ".\(word)"
  }

  /// The types to ask for; a target's own type where a target was named.
  package func types(in registry: TypeRegistry = .current) -> [TypeIdentifier] {
    switch self {
    case .target(let name): [registry.type(forTarget: name)]
    case .types(let types): types
    }
  }
}
