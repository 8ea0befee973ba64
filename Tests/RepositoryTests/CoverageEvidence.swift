/// The lines that were asked for: for each issue the number of lines of *Deliver* and of
/// *It must show*, and the numbers of the reported bug cases.
enum AskedFor {
  static let issues: [(number: Int, deliver: Int, show: Int)] = [
    (2, 8, 5), (3, 6, 5), (4, 4, 5), (5, 6, 5), (6, 4, 5), (7, 3, 6), (8, 3, 6), (9, 5, 5),
    (10, 7, 6),
  ]

  static let bugCases = [
    1, 2, 3, 4, 6, 8, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 23, 24, 25, 26, 27, 29, 30, 31, 32, 34,
    35, 36, 38, 40, 41, 43, 44, 46, 47, 49, 50, 51, 54, 56, 57, 59, 61, 62, 63, 67, 68, 71, 72, 73,
    75, 76, 78, 80, 81, 83,
  ]

  static var ids: [String] {
    issues.flatMap { issue in
      (1...issue.deliver).map { "I\(issue.number)-D\($0)" }
        + (1...issue.show).map { "I\(issue.number)-S\($0)" }
    } + bugCases.map { $0 < 10 ? "C0\($0)" : "C\($0)" }
  }
}

/// What coverage rows may point at: the tests as declared, and the targets of the Makefile.
struct Evidence {
  /// Names of functions marked `@Test`, each with the files that declare it.
  private(set) var testFiles: [String: Set<String>] = [:]
  /// Names of types, each with the files that declare or extend it.
  private(set) var typeFiles: [String: Set<String>] = [:]
  private(set) var makeTargets: Set<String> = []

  mutating func addTests(in file: String, source: String) {
    var isMarked = false
    for line in source.allLines {
      let code = line.trimmed
      guard !code.hasPrefix("//") else { continue }
      if code.contains("@Test") { isMarked = true }
      let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      for (keyword, name) in zip(words, words.dropFirst()) {
        switch keyword {
        case "func" where isMarked:
          testFiles[name, default: []].insert(file)
          isMarked = false
        case "struct", "class", "enum", "actor", "extension":
          typeFiles[name, default: []].insert(file)
        default:
          break
        }
      }
    }
  }

  mutating func addMakeTargets(in makefile: String) {
    for line in makefile.allLines {
      guard let first = line.first, first != "\t", first != "#", first != ".",
        let colon = line.firstIndex(of: ":"), line[colon...].dropFirst().first != "="
      else { continue }
      makeTargets.formUnion(line[..<colon].split(separator: " ").map(String.init))
    }
  }

  /// Why a name in backticks is no evidence; nil when it is.
  func fault(in name: String) -> String? {
    if name.hasPrefix("make ") {
      let target = name.dropFirst("make ".count)
      return makeTargets.contains(String(target)) ? nil : "the Makefile has no target \(target)"
    }
    if Repository.exists(name) { return nil }

    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy(\.isIdentifier) else { return "no such file: \(name)" }
    switch parts.count {
    case 1:
      return testFiles[name] == nil ? "no test function \(name)" : nil
    case 2:
      let files = testFiles[parts[1], default: []]
      return files.isDisjoint(with: typeFiles[parts[0], default: []])
        ? "no test function \(parts[1]) in \(parts[0]), nor such a file" : nil
    default:
      return "no such file: \(name)"
    }
  }

  static func inRepository() -> Evidence {
    var evidence = Evidence()
    for file in Repository.files(under: "Tests", named: ".swift") {
      evidence.addTests(in: file, source: Repository.text(of: file) ?? "")
    }
    evidence.addMakeTargets(in: Repository.text(of: "Makefile") ?? "")
    return evidence
  }
}
