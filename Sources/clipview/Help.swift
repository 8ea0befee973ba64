import SystemIO

/// What `--help` and `help` say, all of it from the tables, in lines that fit where they go.
struct Help {
  static let usage = "clipview [COMMAND] [OPTIONS] [ARGUMENTS]"

  /// The columns that lines may have.
  private let columns: Int

  init(columns: Int) { self.columns = columns }

  /// For standard output: as wide as the terminal, as far as lines can be read well; what everybody
  /// has elsewhere.
  static var standardOutput: Help {
    let columns = StandardStream.output.isTerminal ? StandardStream.output.columns : nil
    return Help(columns: min(columns ?? 80, 100))
  }

  var overview: String {
    var text =
      paragraph(
        "clipview shows, copies and pastes what is on the clipboard, as whatever type it is "
          + "or can be.")
      + "\nusage: \(Self.usage)\n\n"
      + paragraph("Without a command: 'show' on a terminal, 'paste' in a pipe.")
    let width = CommandSpec.table.map { displayWidth($0.synopsis) }.max() ?? 0
    for group in CommandSpec.Group.allCases {
      let commands = CommandSpec.table.filter { $0.group == group }
      text += "\n\(group.rawValue)\n"
      text += rows(commands.map { ($0.synopsis, $0.summary) }, leftWidth: width)
    }
    text += "\noptions everywhere\n" + options(OptionSpec.everywhere) + typeHelp
    text += "\nexit codes\n" + rows(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    return text + "\n" + paragraph("'clipview help COMMAND' tells about one command.")
  }

  func text(for command: CommandSpec) -> String {
    let arguments = command.arguments.isEmpty ? "" : " \(command.arguments)"
    var text = "usage: clipview \(command.name) [OPTIONS]\(arguments)\n\n"
    text += paragraph("\(Self.capitalised(command.summary)).")
    if !command.details.isEmpty { text += "\n" + laidOut(command.details) }
    if !command.options.isEmpty { text += "\noptions\n" + options(command.options) }
    if command.options.contains(where: { $0 == .type || $0 == .conformingTo }) { text += typeHelp }
    text += "\noptions everywhere\n" + options(OptionSpec.everywhere)
    // Examples are to be copied: their lines stay whole.
    if !command.examples.isEmpty {
      text += "\nexamples\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  private var typeHelp: String {
    "\n"
      + paragraph(
        "TYPE is a target as offered (UTF8_STRING), a short name (text, plain, markdown, html, rtf, csv, "
          + "tsv, image, png, files), an identifier (public.html), a MIME type (text/html) or an "
          + "extension (.md).")
  }

  private func options(_ options: [Option]) -> String {
    rows(
      options.map { option in
        let spec = OptionSpec.spec(of: option)
        let short = spec.short.map { "-\($0), " } ?? "    "
        let value =
          switch spec.value {
          case .none: ""
          case .required(let placeholder): " \(placeholder)"
          case .optionalNumber(let placeholder): " [\(placeholder)]"
          case .choice(let choices): "[=\(choices.joined(separator: "|"))]"
          }
        return ("\(short)--\(spec.long)\(value)", spec.help)
      })
  }

  // MARK: Layout

  private func rows(_ rows: [(String, String)], leftWidth: Int = 0) -> String {
    twoColumns(rows, inColumns: columns, leftWidth: leftWidth)
  }

  private func paragraph(_ text: String) -> String {
    wrapped(text, toWidth: columns).map { $0 + "\n" }.joined()
  }

  /// Details as they stand in the table: paragraphs with empty lines between, and lists, whose rows
  /// begin with two blanks and go on in lines that begin with more.
  private func laidOut(_ details: String) -> String {
    var text = ""
    var paragraph: [Substring] = []
    var list: [(String, String)] = []
    func finish() {
      text += self.paragraph(paragraph.joined(separator: " ")) + rows(list)
      paragraph = []
      list = []
    }
    for line in details.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      let indent = line.count - words.count
      if words.isEmpty {
        finish()
        text += "\n"
      } else if indent == 0 {
        if !list.isEmpty { finish() }
        paragraph.append(words)
      } else if indent > 2, let last = list.popLast() {
        list.append((last.0, last.1 + " " + words))
      } else {
        if !paragraph.isEmpty { finish() }
        let name = words.prefix { $0 != " " }
        list.append((String(name), String(words.dropFirst(name.count))))
      }
    }
    finish()
    return text
  }

  private static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension CommandSpec {
  /// The command with its arguments, for the list of commands.
  fileprivate var synopsis: String { arguments.isEmpty ? name : "\(name) \(arguments)" }
}
