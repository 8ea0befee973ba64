import ClipboardCore
import SystemIO
import TypeRegistry

/// How text for people is dressed: colours, emphasis and width on a terminal, nothing elsewhere.
struct TerminalStyle {
  /// What a piece of text is, as far as it looks different.
  enum Look {
    case heading, faint
    /// The kinds of representation.
    case text, markup, image, files
    /// How something fared.
    case good, note, fault
    /// Words of a document.
    case strong, emphasized, struck, code, link
  }

  /// Whether colours and emphasis are wanted.
  let isColoured: Bool
  /// The columns that there are; nil where lines may be as long as they like.
  let columns: Int?

  init(isColoured: Bool, columns: Int?) {
    self.isColoured = isColoured
    self.columns = columns
  }

  /// For standard output: plain where it is no terminal; no colour where `NO_COLOR` is set
  /// (no-color.org) or the terminal knows none.
  static var standardOutput: TerminalStyle {
    guard StandardStream.output.isTerminal else {
      return TerminalStyle(isColoured: false, columns: nil)
    }
    let isColoured =
      environmentVariable("NO_COLOR") == nil && environmentVariable("TERM") != "dumb"
    return TerminalStyle(isColoured: isColoured, columns: StandardStream.output.columns ?? 80)
  }

  func dressed(_ text: String, _ look: Look?) -> String {
    dressed(text, look.map { [$0] } ?? [])
  }

  /// Text that several things are said of.
  func dressed(_ text: String, _ looks: [Look]) -> String {
    guard isColoured, !looks.isEmpty, !text.isEmpty else { return text }
    let codes = looks.map(Self.code).joined(separator: ";")
    return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
  }

  /// The eight colours that every terminal's theme keeps readable (ECMA-48 SGR).
  private static func code(_ look: Look) -> String {
    switch look {
    case .heading: "1"
    case .faint: "2"
    case .text: "32"
    case .markup: "36"
    case .image: "35"
    case .files: "34"
    case .good: "32"
    case .note: "33"
    case .fault: "1;31"
    case .strong: "1"
    case .emphasized: "3"
    case .link: "4"
    case .struck: "9"
    case .code: "36"
    }
  }
}

extension TerminalStyle.Look {
  /// The look of a representation of this type; nil for what has none of its own.
  init?(_ type: TypeIdentifier) {
    if type.conforms(to: .fileURL, in: .current) || type == .gnomeCopiedFiles {
      self = .files
    } else if type.conforms(to: .image, in: .current) {
      self = .image
    } else if [.html, .xhtml, .rtf, .markdown].contains(where: {
      type.conforms(to: $0, in: .current)
    }) {
      self = .markup
    } else if type.conforms(to: .text, in: .current) {
      self = .text
    } else {
      return nil
    }
  }
}
