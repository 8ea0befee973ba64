import TestSupport
import Testing

@testable import HTMLReader

/// html5lib's tests of tree construction, without and with scripts where a test does not say.
@Suite(
  "Tree construction of html5lib",
  .enabled(if: HTML5LibData.isThere, "the tests are fetched by `make conformance`"))
struct TreeConstructionTests {
  /// What is left out, by file and number, with the reason.
  static let leftOut: [String: String] = [
    "scripted/adoption01.dat 0": "a script changes the tree, and scripts are never run",
    "scripted/ark.dat 0": "the same", "scripted/webkit01.dat 0": "the same",
    "scripted/webkit01.dat 1": "the same",
  ]

  @Test("Every tree is as html5lib has it")
  func trees() throws {
    let cases = try ["", "scripted/"].flatMap { folder in
      try HTML5LibData.files("tree-construction/" + folder, named: ".dat")
        .flatMap { TreeConstructionCase.all(in: (folder + $0.name, $0.text)) }
    }
    // Files that were read wrongly would have few.
    try #require(cases.count >= 1704)
    var faults: [String] = []
    var passed = 0
    var leftOut = 0
    for item in cases {
      let modes = item.isScripting.map { [$0] } ?? [false, true]
      let found = modes.map { tree(of: item, isScripting: $0) }
      if found.allSatisfy({ $0 == item.document }) {
        passed += 1
        if Self.leftOut["\(item.file) \(item.number)"] != nil { faults.append("passes: \(item)") }
      } else if Self.leftOut["\(item.file) \(item.number)"] != nil {
        leftOut += 1
      } else {
        let wrong = found.first { $0 != item.document } ?? []
        faults.append(
          "\(item)\nexpected\n\(String(decoding: item.document, as: UTF8.self))"
            + "found\n\(String(decoding: wrong, as: UTF8.self))")
      }
    }
    print("tree construction: \(passed) of \(cases.count) pass, \(leftOut) are left out")
    #expect(faults == [], "\(faults.count)")
  }

  private func tree(of item: TreeConstructionCase, isScripting: Bool) -> [UInt8] {
    guard let context = item.context else {
      return HTMLDocument(parsing: item.data, isScripting: isScripting).dump()
    }
    return HTMLDocument(
      parsing: item.data, context: HTMLContext(named: context), isScripting: isScripting
    )
    .dumpFragment()
  }
}

extension HTMLContext {
  /// The context that a test names: `td`, `svg desc`, `math mi`.
  init(named name: String) {
    let words = name.split(separator: " ")
    let tag = HTMLTag.allCases.first { tag in
      tag != .unknown
        && HTMLNameTable.tags.spelling(of: UInt16(tag.rawValue)).elementsEqual(
          (words.last ?? "").lowercased().utf8)
    }
    self.init(
      tag ?? .unknown, words.count == 1 ? .html : words[0] == "svg" ? .svg : .math)
  }
}
