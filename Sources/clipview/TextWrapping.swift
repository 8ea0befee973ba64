/// The text in lines no wider than so many columns, broken at blanks.
///
/// A word that is wider stands on a line of its own, whole: it may be a command or a path that somebody
/// wants to take from the screen.
func wrapped(_ text: some StringProtocol, toWidth width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    let columns = displayWidth(word)
    if !line.isEmpty {
      if used + 1 + columns <= width {
        line += " "
        used += 1
      } else {
        lines.append(line)
        line = ""
        used = 0
      }
    }
    line += word
    used += columns
  }
  return line.isEmpty ? lines : lines + [line]
}

/// A list of things and what is said of each, in two columns: the lines, each with its end.
///
/// Where the terminal is too narrow for two columns, what is said stands below.
///
/// - Parameter leftWidth: What the left column takes at least, so that lists line up with each other.
func twoColumns(
  _ rows: [(String, String)], inColumns columns: Int, leftWidth: Int = 0
) -> String {
  let indent = String(repeating: " ", count: 2)
  let left = rows.reduce(leftWidth) { max($0, displayWidth($1.0)) }
  let isSideBySide = columns - left - 4 >= 24
  let margin = String(repeating: " ", count: isSideBySide ? left + 4 : 10)
  var text = ""
  for row in rows {
    let lines = wrapped(row.1, toWidth: max(1, columns - margin.count))
    text += indent + row.0
    if isSideBySide, !lines.isEmpty {
      text += String(repeating: " ", count: left + 2 - displayWidth(row.0))
    } else {
      text += "\n" + (lines.isEmpty ? "" : margin)
    }
    text += lines.joined(separator: "\n" + margin) + (lines.isEmpty ? "" : "\n")
  }
  return text
}
