/// What `--help` and `help` say, all of it from the tables.
enum Help {
  static let usage = "clipview [COMMAND] [OPTIONS] [ARGUMENTS]"

  static var overview: String {
    var text = """
      clipview shows, copies and pastes what is on the clipboard, as whatever type it is or can be.

      usage: \(usage)

      Without a command: 'show' on a terminal, 'paste' in a pipe.

      """
    let width = CommandSpec.table.map { $0.name.count + $0.arguments.count + 1 }.max() ?? 0
    for group in CommandSpec.Group.allCases {
      text += "\n\(group.rawValue)\n"
      for command in CommandSpec.table where command.group == group {
        let synopsis = "\(command.name) \(command.arguments)"
        text += row(synopsis, width: width, command.summary)
      }
    }
    text += "\noptions everywhere\n" + options(OptionSpec.everywhere) + typeHelp + exitHelp
    return text + "\n'clipview help COMMAND' tells about one command.\n"
  }

  static func text(for command: CommandSpec) -> String {
    let synopsis = command.arguments.isEmpty ? "" : " \(command.arguments)"
    var text = "usage: clipview \(command.name) [OPTIONS]\(synopsis)\n\n"
    text += "\(capitalised(command.summary)).\n"
    if !command.details.isEmpty { text += "\n\(command.details)\n" }
    if !command.options.isEmpty { text += "\noptions\n" + options(command.options) }
    if command.options.contains(.type) { text += typeHelp }
    text += "\noptions everywhere\n" + options(OptionSpec.everywhere)
    if !command.examples.isEmpty {
      text += "\nexamples\n" + command.examples.map { "  \($0)\n" }.joined()
    }
    return text
  }

  private static let typeHelp = """

    TYPE is a target as offered (UTF8_STRING), a short name (text, plain, markdown, html, rtf,
    image, png, files), an identifier (public.html), a MIME type (text/html) or an extension (.md).

    """

  private static let exitHelp = """

    exit codes
      0 done · 1 nothing there · 2 usage · 3 no display · 4 no answer in time · 5 refused
      6 something could not be read or converted, nothing changed

    """

  private static func options(_ options: [Option]) -> String {
    let rows = options.map { option -> (String, String) in
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
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { row($0.0, width: width, $0.1) }.joined()
  }

  private static func row(_ left: String, width: Int, _ right: String) -> String {
    "  " + left + String(repeating: " ", count: max(0, width - left.count)) + "  \(right)\n"
  }

  private static func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
