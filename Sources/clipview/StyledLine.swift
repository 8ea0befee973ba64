/// Text that looks the same throughout.
struct StyledPiece: Equatable {
  var text: String
  var looks: [TerminalStyle.Look]

  init(_ text: String, _ looks: [TerminalStyle.Look]) {
    self.text = text
    self.looks = looks
  }
}

/// One line of differently styled text.
struct StyledLine: Equatable {
  var pieces: [StyledPiece]

  init(_ pieces: [StyledPiece]) { self.pieces = pieces }

  /// The line, dressed, with visible symbols for what a terminal would act on; cut to the width.
  func text(_ style: TerminalStyle, width: Int) -> String {
    var result = ""
    var left = width
    let whole = pieces.map { visible($0.text) }
    let isTooWide = whole.reduce(0) { $0 + displayWidth($1) } > width
    for (piece, text) in zip(pieces, whole) {
      let columns = displayWidth(text)
      // An ellipsis takes a column too.
      if isTooWide, columns >= left {
        return result + style.dressed(truncated(text + "…", toWidth: left), piece.looks)
      }
      result += style.dressed(text, piece.looks)
      left -= columns
    }
    return result
  }
}

extension [StyledPiece] {
  /// The columns that they take beside each other, as they are shown.
  var columns: Int { reduce(0) { $0 + displayWidth(visible($1.text)) } }

  /// The pieces of each line.
  func split() -> [[StyledPiece]] {
    var lines: [[StyledPiece]] = [[]]
    for piece in self {
      let parts = piece.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      for (index, part) in parts.enumerated() {
        if index > 0 { lines.append([]) }
        if !part.isEmpty {
          lines[lines.count - 1].append(StyledPiece(String(part), piece.looks))
        }
      }
    }
    return lines
  }

  /// The pieces in lines no wider than so many columns, broken at blanks.
  ///
  /// A word that is wider stands alone, and is cut when the line is written.
  func wrapped(toWidth width: Int) -> [[StyledPiece]] {
    var lines: [[StyledPiece]] = []
    var line: [StyledPiece] = []
    var used = 0
    /// What stands behind the last blank, and may move to the next line.
    var word: [StyledPiece] = []
    var wordWidth = 0
    func finishWord() {
      if used > 0, used + wordWidth > width {
        lines.append(line.withoutFinalBlanks)
        line = []
        used = 0
      }
      line += word
      used += wordWidth
      word = []
      wordWidth = 0
    }
    for piece in self {
      var part = ""
      for character in piece.text {
        if character == " " {
          if !part.isEmpty { word.append(StyledPiece(part, piece.looks)) }
          part = ""
          finishWord()
          if used > 0 {
            line.append(StyledPiece(" ", piece.looks))
            used += 1
          }
        } else {
          part.append(character)
          wordWidth += displayWidth(visible(String(character)))
        }
      }
      if !part.isEmpty { word.append(StyledPiece(part, piece.looks)) }
    }
    finishWord()
    lines.append(line.withoutFinalBlanks)
    return lines
  }

  private var withoutFinalBlanks: [StyledPiece] {
    var pieces = self
    while pieces.last?.text == " " { pieces.removeLast() }
    return pieces
  }
}
