import TestSupport

/// html5lib's tests, which `Scripts/conformance` (`make conformance`) puts into the working copy.
enum HTML5LibData {
  static let directory: String = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return root.joined(separator: "/") + "/.build/conformance/html5lib"
  }()

  static var isThere: Bool { Files.exists(directory + "/tokenizer/test1.test") }

  /// The files of one kind, by name.
  static func files(_ kind: String, named ending: String) throws -> [(name: String, text: [UInt8])]
  {
    try Files.names(in: directory + "/" + kind).filter { $0.hasSuffix(ending) }.sorted().map {
      ($0, try Files.read(directory + "/\(kind)/\($0)"))
    }
  }
}

/// A test of tree construction.
struct TreeConstructionCase: CustomStringConvertible {
  let file: String
  let number: Int
  var data: [UInt8] = []
  var document: [UInt8] = []
  var context: String?
  var isScripting: Bool?

  var description: String { "\(file) \(number): \(String(decoding: data, as: UTF8.self))" }

  /// The tests of a file: sections, each begun by a line with a number sign, empty lines between.
  static func all(in file: (name: String, text: [UInt8])) -> [TreeConstructionCase] {
    var cases: [TreeConstructionCase] = []
    var section = ""
    let lines = file.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let word = line.first == UInt8(ascii: "#") ? String(decoding: line, as: UTF8.self) : ""
      switch word {
      case "#data" where index == 0 || lines[index - 1].isEmpty:
        finish(&cases)
        cases.append(TreeConstructionCase(file: file.name, number: cases.count))
        section = word
      case "#errors", "#new-errors", "#document-fragment", "#document": section = word
      case "#script-on": cases[cases.count - 1].isScripting = true
      case "#script-off": cases[cases.count - 1].isScripting = false
      default:
        guard !cases.isEmpty else { continue }
        switch section {
        case "#data": cases[cases.count - 1].data += line + [UInt8(ascii: "\n")]
        case "#document": cases[cases.count - 1].document += line + [UInt8(ascii: "\n")]
        case "#document-fragment":
          cases[cases.count - 1].context = String(decoding: line, as: UTF8.self)
        default: break
        }
      }
    }
    finish(&cases)
    return cases
  }

  /// Takes off the line end behind the data, and those behind the last line of the document.
  private static func finish(_ cases: inout [TreeConstructionCase]) {
    guard var last = cases.popLast() else { return }
    if !last.data.isEmpty { last.data.removeLast() }
    while last.document.count > 1, last.document.suffix(2).allSatisfy({ $0 == 0x0A }) {
      last.document.removeLast()
    }
    cases.append(last)
  }
}
