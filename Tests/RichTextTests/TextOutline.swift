import RichText

/// A text as lines that a person can check: each paragraph with what it stands in, spans as tags.
///
///     > # A *b*      quote1 heading1 | A <em>b</em>
///     - c            list2(-) item3 body | c
///
/// Numbers tell containers apart in the order in which they come.
func outline(_ text: AttributedText) -> String {
  var numbers: [Int: Int] = [:]
  var lines: [String] = []
  for (paragraph, range) in text.paragraphs {
    var words = paragraph.containers.map { container in
      let number = numbers[container.identity] ?? numbers.count + 1
      numbers[container.identity] = number
      return word(container.kind, number)
    }
    words.append(word(paragraph.kind))
    if let alignment = paragraph.alignment { words.append("\(alignment)") }
    let content = content(of: text, range.lowerBound..<range.upperBound - 1)
    lines.append(words.joined(separator: " ") + (content.isEmpty ? "" : " | " + content))
  }
  return lines.joined(separator: "\n")
}

private func word(_ kind: Container.Kind, _ number: Int) -> String {
  switch kind {
  case .quote: return "quote\(number)"
  case .list(let list):
    let mark = list.numbering == .bullet ? "-" : "\(list.start)."
    return "list\(number)(\(mark)\(list.isTight ? "" : " loose"))"
  case .item(let isDone):
    return "item\(number)" + (isDone.map { $0 ? "[x]" : "[ ]" } ?? "")
  case .table(let table):
    return
      "table\(number)(\(table.alignments.map { $0.map { "\($0)" } ?? "-" }.joined(separator: ",")))"
  case .row(let isHeader): return isHeader ? "head\(number)" : "row\(number)"
  case .cell: return "cell\(number)"
  }
}

private func word(_ kind: Paragraph.Kind) -> String {
  switch kind {
  case .body: "body"
  case .heading(let level): "heading\(level)"
  case .code(let info): "code(\(info))"
  case .thematicBreak: "break"
  case .markup: "markup"
  case .vacant: "vacant"
  }
}

private func content(of text: AttributedText, _ range: Range<Int>) -> String {
  var content = ""
  var open: [TextSpan] = []
  func close(to count: Int) {
    for span in open[count...].reversed() { content += "</\(tag(span).prefix { $0 != " " })>" }
    open.removeSubrange(count...)
  }
  for run in text.runs(in: range) {
    let spans = run.attributes.spans
    let kept = zip(open, spans).prefix { $0 == $1 }.count
    close(to: kept)
    for span in spans[kept...] {
      content += "<\(tag(span))>"
      open.append(span)
    }
    if let image = run.attributes.image {
      let title = image.title.map { " \"\($0)\"" } ?? ""
      content += "<img \(image.source) \"\(image.alternative)\"\(title)>"
    } else if run.attributes.isSoftBreak {
      content += String(repeating: "~", count: run.range.count)
    } else {
      content += text.string(in: run.range).split(
        separator: "\n", omittingEmptySubsequences: false
      ).joined(separator: "<br>")
    }
  }
  close(to: 0)
  return content
}

private func tag(_ span: TextSpan) -> String {
  switch span {
  case .emphasis: return "em"
  case .strong: return "strong"
  case .strikethrough: return "del"
  case .code: return "code"
  case .markup: return "html"
  case .link(let link):
    return "a \(link.destination)" + (link.title.map { " \"\($0)\"" } ?? "")
  }
}

/// An address as it is in HTML: what a URL may not have is escaped.
func percentEncoded(_ url: String) -> String {
  var result = ""
  for byte in url.utf8 {
    switch byte {
    case 0x21, 0x23...0x5A, 0x5F, 0x61...0x7A, 0x7E:
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
  }
  return result
}
