import TestSupport
import Testing

@testable import HTMLReader
import TextEncoding

/// html5lib's tests of the tokenizer, in each state that a test begins in.
///
/// What they say about errors is not compared: this reader reports none.
@Suite(
  "Tokens of html5lib",
  .enabled(if: HTML5LibData.isThere, "the tests are fetched by `make conformance`"))
struct TokenizerTests {
  /// What is left out, by file, with the reason.
  static let leftOut = [
    "xmlViolation.test": "a tree for XML, which has fewer characters than HTML, is not built here"
  ]

  @Test("Every document has the tokens that html5lib finds")
  func tokens() throws {
    var faults: [String] = []
    var count = 0
    for (name, bytes) in try HTML5LibData.files("tokenizer", named: ".test")
    where Self.leftOut[name] == nil {
      let json = try #require(JSON(String(decoding: bytes, as: UTF8.self)), "\(name)")
      for test in json["tests"]?.array ?? [] {
        let isEscaped = test["doubleEscaped"]?.bool ?? false
        let input = Self.withoutCarriageReturns(Self.bytes(test["input"]?.string ?? "", isEscaped))
        let expected = Self.expected(test["output"]?.array ?? [], isEscaped)
        let states = test["initialStates"]?.array?.compactMap(\.string) ?? ["Data state"]
        for state in states {
          count += 1
          let found = Self.tokens(input, state, lastStartTag: test["lastStartTag"]?.string)
          if found != expected {
            faults.append(
              "\(name), \(state): \(test["description"]?.string ?? "")\n  \(input)\n"
                + "  expected \(expected)\n  found    \(found)")
          }
        }
      }
    }
    // Files that were read wrongly would have few.
    #expect(count > 6500)
    print("tokenizer: \(count - faults.count) of \(count) pass")
    #expect(faults == [], "\(faults.count)")
  }

  /// A token in one string.
  private static func tokens(_ input: [UInt8], _ state: String, lastStartTag: String?) -> [[UInt8]]
  {
    var tokenizer = HTMLTokenizer(input, attributeLimit: 1024)
    switch state {
    case "PLAINTEXT state": tokenizer.content = .plainText
    case "RCDATA state": tokenizer.content = .escapableText
    case "RAWTEXT state": tokenizer.content = .rawText
    case "Script data state": tokenizer.content = .script
    case "CDATA section state": tokenizer.content = .characterData
    default: tokenizer.content = .data
    }
    if let lastStartTag {
      tokenizer.lastStartTag = tokenizer.tagNames.number(ofExactly: Array(lastStartTag.utf8))
    }
    var tokens: [[UInt8]] = []
    var text: [UInt8] = []
    var isBehindText = false
    while true {
      let token = tokenizer.next(into: &text)
      if case .text(let range, _) = token {
        if isBehindText {
          tokens[tokens.count - 1] += text[range]
        } else {
          tokens.append(Array("text ".utf8) + text[range])
        }
        isBehindText = true
        continue
      }
      isBehindText = false
      switch token {
      case .text: break
      case .comment(let range): tokens.append(Array("comment ".utf8) + text[range])
      case .startTag:
        var line = Array("start ".utf8) + tokenizer.tagNames.spelling(of: tokenizer.tag.name)
        let attributes = tokenizer.attributes.map { attribute in
          var value: [UInt8] = []
          tokenizer.append(attribute, to: &value)
          return (Array(tokenizer.attributeNames.spelling(of: attribute.name)), value)
        }
        for (name, value) in attributes.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
          line += Array(" ".utf8) + name + Array("=".utf8) + value
        }
        tokens.append(line + (tokenizer.tag.isSelfClosing ? Array(" /".utf8) : []))
      case .endTag:
        tokens.append(Array("end ".utf8) + tokenizer.tagNames.spelling(of: tokenizer.tag.name))
      case .doctype(let doctype):
        tokens.append(
          line(
            doctype: doctype.name, doctype.publicIdentifier, doctype.systemIdentifier,
            !doctype.forcesQuirks))
      case .end:
        return tokens
      }
    }
  }

  private static func line(
    doctype name: [UInt8]?, _ publicIdentifier: [UInt8]?, _ systemIdentifier: [UInt8]?,
    _ isCorrect: Bool
  ) -> [UInt8] {
    let parts = [name, publicIdentifier, systemIdentifier].map { $0.map { "\($0)" } ?? "none" }
    return Array("doctype \(parts) \(isCorrect)".utf8)
  }

  private static func expected(_ output: [JSON], _ isEscaped: Bool) -> [[UInt8]] {
    output.map { token in
      let parts = token.array ?? []
      func part(_ index: Int) -> [UInt8]? {
        guard index < parts.count else { return nil }
        return parts[index].string.map { bytes($0, isEscaped) }
      }
      switch parts.first?.string {
      case "Character": return Array("text ".utf8) + (part(1) ?? [])
      case "Comment": return Array("comment ".utf8) + (part(1) ?? [])
      case "EndTag": return Array("end ".utf8) + (part(1) ?? [])
      case "StartTag":
        var line = Array("start ".utf8) + (part(1) ?? [])
        if parts.count > 2, case .object(let members) = parts[2] {
          let pairs = members.map {
            (bytes($0.name, isEscaped), bytes($0.value.string ?? "", isEscaped))
          }
          for (name, value) in pairs.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) {
            line += Array(" ".utf8) + name + Array("=".utf8) + value
          }
        }
        return line + (parts.count > 3 && parts[3].bool == true ? Array(" /".utf8) : [])
      case "DOCTYPE":
        return line(
          doctype: part(1), part(2), part(3), parts.count > 4 && parts[4].bool == true)
      default: return Array("unknown".utf8)
      }
    }
  }

  /// The bytes of a string in which `\u` may be left to be read; lone surrogates become three bytes as
  /// if they were characters, which the tokenizer hands on.
  private static func bytes(_ text: String, _ isEscaped: Bool) -> [UInt8] {
    let utf8 = Array(text.utf8)
    guard isEscaped else { return utf8 }
    var result: [UInt8] = []
    var high: UInt32?
    var offset = 0
    while offset < utf8.count {
      let digits = String(decoding: utf8[min(offset + 2, utf8.count)...].prefix(4), as: UTF8.self)
      if utf8[offset] == UInt8(ascii: "\\"), offset + 5 < utf8.count,
        utf8[offset + 1] == UInt8(ascii: "u"), let value = UInt32(digits, radix: 16)
      {
        if let first = high, (0xDC00...0xDFFF).contains(value) {
          result.removeLast(3)
          result.appendUTF8(0x10000 + (first - 0xD800) << 10 + (value - 0xDC00))
          high = nil
        } else {
          result.appendUTF8(value)
          high = (0xD800...0xDBFF).contains(value) ? value : nil
        }
        offset += 6
      } else {
        result.append(utf8[offset])
        high = nil
        offset += 1
      }
    }
    return result
  }

  private static func withoutCarriageReturns(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
      result.append(byte == 0x0D ? 0x0A : byte)
    }
    return result
  }
}
