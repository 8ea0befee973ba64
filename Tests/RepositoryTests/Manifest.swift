/// The targets of Package.swift in the order in which they stand there, which is the order of the
/// layers, lowest first.
///
/// The manifest is read as text: asking the package manager for it would start a second one while
/// the first runs these tests.
struct Manifest {
  enum Kind { case library, executable, test }

  struct Target {
    let name: String
    let kind: Kind
    let path: String
    let dependencies: [String]
  }

  let targets: [Target]

  /// The calls that declare a target in our manifest.
  ///
  /// `tests` adds TestSupport by itself.
  private static let calls: [(opening: String, kind: Kind)] = [
    ("layer(", .library), (".target(", .library), (".executableTarget(", .executable),
    ("tests(", .test), (".testTarget(", .test),
  ]

  init(parsing text: String) {
    // The functions before it are what the calls mean; targets are declared in the package itself.
    guard let package = text.range(of: "let package = Package(") else {
      targets = []
      return
    }
    var found: [Target] = []
    var rest = text[package.upperBound...]
    while let call = Self.firstCall(in: rest) {
      let arguments = Self.balanced(rest[call.range.upperBound...])
      if let name = Self.literals(in: arguments).first {
        var dependencies = Self.list(after: ["on: [", "dependencies: ["], in: arguments)
        if call.opening == "tests(" { dependencies.append("TestSupport") }
        let folder = call.kind == .test ? "Tests" : "Sources"
        found.append(
          Target(
            name: name, kind: call.kind,
            path: Self.literal(after: "path: ", in: arguments) ?? "\(folder)/\(name)",
            dependencies: dependencies))
      }
      rest = rest[arguments.endIndex...]
    }
    targets = found
  }

  static func inRepository() -> Manifest? {
    Repository.text(of: "Package.swift").map(Manifest.init(parsing:))
  }

  private static func firstCall(
    in text: Substring
  ) -> (opening: String, kind: Kind, range: Range<Substring.Index>)? {
    calls.compactMap { opening, kind in
      text.range(of: opening).map { (opening, kind, $0) }
    }.min { $0.2.lowerBound < $1.2.lowerBound }
  }

  /// The text up to the parenthesis or bracket that closes the one before it.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 1
    var isQuoted = false
    for index in text.indices {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case "(", "[": depth += isQuoted ? 0 : 1
      case ")", "]":
        depth -= isQuoted ? 0 : 1
        if depth == 0 { return text[..<index] }
      default: break
      }
    }
    return text
  }

  private static func literals(in text: Substring) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func literal(after label: String, in text: Substring) -> String? {
    text.range(of: label).flatMap { literals(in: text[$0.upperBound...]).first }
  }

  private static func list(after labels: [String], in text: Substring) -> [String] {
    for label in labels {
      if let range = text.range(of: label) {
        return literals(in: balanced(text[range.upperBound...]))
      }
    }
    return []
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The first place of a text that stands on its own: not as the end of a longer word.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      let rest = self[start...]
      if rest.hasPrefix(text) {
        let isWordStart = text.first?.isLetter ?? false
        let before = start == startIndex ? nil : self[index(before: start)]
        if !isWordStart || before.map({ !$0.isLetter && $0 != "." }) ?? true {
          return start..<index(start, offsetBy: text.count)
        }
      }
      start = index(after: start)
    }
    return nil
  }
}

/// One import in a Swift file.
struct ImportDeclaration: Hashable {
  let module: String
  let modifiers: [String]

  private static let accessLevels: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
  ]

  /// Reads a line such as `@testable package import struct Module.Name`; nil for any other.
  init?(parsing line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    guard let keyword = words.firstIndex(of: "import"),
      words[..<keyword].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
    else { return nil }
    var names = words[(keyword + 1)...]
    if let first = names.first, Self.kinds.contains(first) { names.removeFirst() }
    guard let name = names.first?.split(separator: ".").first, name.isIdentifier else { return nil }
    module = String(name)
    modifiers = Array(words[..<keyword])
  }

  static func all(in source: String) -> [ImportDeclaration] {
    source.allLines.compactMap(ImportDeclaration.init(parsing:))
  }
}
