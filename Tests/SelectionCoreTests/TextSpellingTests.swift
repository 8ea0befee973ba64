import SelectionCore
import TextEncoding
import Testing

@Suite("Spellings of plain text")
struct TextSpellingTests {
  @Test(
    "Every spelling is known and says how its bytes are to be read",
    arguments: [
      ("UTF8_STRING", Charset.utf8), ("UTF-8", .utf8), ("STRING", .latin1),
      ("COMPOUND_TEXT", .compoundText), ("text/plain;charset=utf-8", .utf8),
      ("text/plain;charset=UTF-8", .utf8), ("text/plain; charset=utf-8", .utf8),
      ("text/plain;  charset=\"utf-8\"", .utf8), ("text/plain;charset=\"UTF-8\"", .utf8),
      ("text/plain ;charset=utf8", .utf8), ("TEXT/PLAIN;CHARSET=UTF-8", .utf8),
      ("Text/Plain; Charset=Utf-8", .utf8), ("text/plain;format=flowed;charset=utf-8", .utf8),
      ("text/plain;charset=utf-8;format=flowed", .utf8), ("text/plain\t;\tcharset=utf-8", .utf8),
      ("text/plain;charset=utf-16", .utf16), ("text/plain;charset=UTF-16LE", .utf16LE),
      ("text/plain;charset=utf-16be", .utf16BE), ("text/plain;charset=iso-8859-1", .latin1),
      ("text/plain;charset=us-ascii", .ascii), ("text/plain;charset=ANSI_X3.4-1968", .ascii),
    ])
  func known(target: String, charset: Charset) {
    let spelling = TextSpelling(target)
    #expect(spelling?.charset == charset)
    #expect(spelling?.target == target)
  }

  @Test(
    "Some spellings leave it open",
    arguments: [
      "text/plain", "TEXT", "TEXT/PLAIN", "Text/Plain", "text/plain;", "text/plain; ",
      "text/plain;format=flowed", "text/plain;charset", "text/plain;charset=",
    ])
  func open(target: String) throws {
    let spelling = try #require(TextSpelling(target))
    #expect(spelling.charset == nil)
  }

  @Test(
    "What is not plain text is not taken for it",
    arguments: [
      "", "text", "text/", "text/plai", "text/plain2", "text/plain-x", "text/plainx;charset=utf-8",
      "text/html", "text/html;charset=utf-8", "text/markdown", "text/uri-list", "xtext/plain",
      "utf8_string", "Utf8_String", "string", "text/plain/x", "image/png", "TARGETS", "C_STRING",
      "text\u{F}plain", "application/x-demo", "text/plain;charset=no-such-charset",
      "GTK_TEXT_BUFFER_CONTENTS", "_VIM_TEXT",
    ])
  func unknown(target: String) {
    #expect(TextSpelling(target) == nil)
  }

  @Test(
    "An answer whose target leaves it open is read by its type",
    arguments: [
      ("UTF8_STRING", Charset.utf8), ("STRING", .latin1), ("COMPOUND_TEXT", .compoundText),
      ("text/plain;charset=utf-8", .utf8), ("text/plain;charset=utf-16", .utf16),
      ("text/plain", nil), ("TEXT", nil), ("ATOM", nil), ("", nil),
    ] as [(String, Charset?)])
  func replyTypes(typeName: String, charset: Charset?) {
    #expect(TextSpelling.charset(ofReplyType: typeName) == charset)
  }

  @Test("An owner that does not list is asked for what nearly all have, the best first")
  func blindSpellings() {
    #expect(TextSpelling.blind.first == "UTF8_STRING")
    #expect(TextSpelling.blind.allSatisfy { TextSpelling($0) != nil })
    let ranked = TextSpelling.ranked(among: TextSpelling.blind, on: .x11).map(\.target)
    #expect(ranked == TextSpelling.blind)
  }

  @Test("What is published is recognised, in its own charset")
  func publishedSpellings() {
    for published in PublishedTextSpelling.all {
      let spelling = TextSpelling(published.target)
      #expect(spelling != nil)
      #expect(spelling?.charset == nil || spelling?.charset == published.charset)
      #expect(TextSpelling.charset(ofReplyType: published.replyType) ?? .utf8 == published.charset)
    }
    #expect(
      PublishedTextSpelling.utf8.map(\.target) == ["UTF8_STRING", "text/plain;charset=utf-8"])
  }
}

/// What real programs list, as captured on Debian 12.
private struct Capture: Sendable {
  let name: String
  let targets: [String]
  /// The spellings of plain text among them, the one to read first in front.
  let ranked: [String]
}

private let onX11 = [
  Capture(
    name: "gedit (GTK3)",
    targets: [
      "TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS", "GTK_TEXT_BUFFER_CONTENTS",
      "application/x-gtk-text-buffer-rich-text", "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING",
      "text/plain;charset=utf-8", "text/plain",
    ],
    ranked: [
      "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "COMPOUND_TEXT", "TEXT", "STRING",
    ]),
  Capture(
    name: "kate (Qt5)",
    targets: [
      "text/plain", "UTF8_STRING", "STRING", "TEXT", "TARGETS", "MULTIPLE", "TIMESTAMP",
      "SAVE_TARGETS",
    ],
    ranked: ["UTF8_STRING", "text/plain", "TEXT", "STRING"]),
  Capture(
    name: "Chromium",
    targets: [
      "TIMESTAMP", "TARGETS", "SAVE_TARGETS", "MULTIPLE", "UTF8_STRING", "STRING", "TEXT",
      "text/plain", "text/plain;charset=utf-8", "text/html",
      "chromium/x-internal-source-rfh-token", "chromium/x-source-url",
    ],
    ranked: ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING"]),
  Capture(
    name: "LibreOffice Writer (gen)",
    targets: [
      "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "UTF-8", "UTF8_STRING",
      "COMPOUND_TEXT", "STRING", "text/rtf", "text/richtext", "text/html", "MULTIPLE",
    ],
    ranked: [
      "UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "UTF-8",
      "COMPOUND_TEXT", "STRING",
    ]),
  Capture(
    name: "LibreOffice Writer (gtk3)",
    targets: [
      "TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS", "text/rtf", "text/richtext", "text/html",
      "text/plain;charset=utf-16", "text/plain;charset=utf-8", "UTF8_STRING", "STRING",
      "application/x-libreoffice-internal-id-31525",
    ],
    ranked: ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=utf-16", "STRING"]),
  Capture(
    name: "Emacs",
    targets: [
      "TIMESTAMP", "MULTIPLE", "TEXT", "COMPOUND_TEXT", "STRING", "UTF8_STRING", "TARGETS",
      "LENGTH", "DELETE", "FILE_NAME", "CHARACTER_POSITION", "LINE_NUMBER", "COLUMN_NUMBER",
      "OWNER_OS", "HOST_NAME", "USER", "CLASS", "NAME", "ATOM", "INTEGER", "SAVE_TARGETS",
    ],
    ranked: ["UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING"]),
  Capture(
    name: "xterm",
    targets: [
      "UTF8_STRING", "TEXT", "COMPOUND_TEXT", "STRING", "LENGTH", "LIST_LENGTH", "TIMESTAMP",
      "HOSTNAME", "IP_ADDRESS", "USER", "CLASS", "NAME", "CLIENT_WINDOW", "OWNER_OS",
    ],
    ranked: ["UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING"]),
  Capture(
    name: "xsel",
    targets: [
      "TIMESTAMP", "MULTIPLE", "TARGETS", "DELETE", "INCR", "TEXT", "UTF8_STRING", "STRING",
    ],
    ranked: ["UTF8_STRING", "TEXT", "STRING"]),
  Capture(
    name: "dolphin, files",
    targets: [
      "text/uri-list", "text/x-moz-url", "text/plain", "application/x-kde4-urilist", "TARGETS",
      "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS",
    ],
    ranked: ["text/plain"]),
  Capture(
    name: "Chromium, image",
    targets: [
      "TIMESTAMP", "TARGETS", "SAVE_TARGETS", "MULTIPLE", "image/png", "text/html",
      "chromium/x-internal-source-rfh-token", "chromium/x-source-url",
    ],
    ranked: []),
]

private let onWayland = [
  Capture(
    name: "foot",
    targets: ["text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "UTF8_STRING"],
    ranked: ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]),
  Capture(
    name: "wl-copy",
    targets: ["text/plain", "text/plain;charset=utf-8", "TEXT", "STRING", "UTF8_STRING"],
    ranked: ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]),
  Capture(
    name: "Firefox",
    targets: [
      "text/html", "text/_moz_htmlcontext", "text/_moz_htmlinfo", "text/plain;charset=utf-8",
      "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "text/plain", "STRING", "text/x-moz-url-priv",
      "SAVE_TARGETS",
    ],
    ranked: [
      "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "COMPOUND_TEXT", "TEXT", "STRING",
    ]),
  Capture(
    name: "KeePassXC",
    targets: ["text/plain", "x-kde-passwordManagerHint", "text/plain;charset=utf-8"],
    ranked: ["text/plain;charset=utf-8", "text/plain"]),
  Capture(
    name: "LibreOffice Calc (gtk3)",
    targets: [
      "image/png", "image/bmp", "text/html", "text/plain;charset=utf-16",
      "application/x-libreoffice-tsvc", "text/rtf", "text/richtext", "text/plain;charset=utf-8",
      "UTF8_STRING", "text/plain", "STRING", "application/x-libreoffice-internal-id-13574",
      "SAVE_TARGETS",
    ],
    ranked: [
      "text/plain;charset=utf-8", "UTF8_STRING", "text/plain;charset=utf-16", "text/plain",
      "STRING",
    ]),
]

@Suite("Which spelling is read first")
struct TextRankingTests {
  @Test("On X11 the X11 name comes first and what toolkits garble last", arguments: onX11.indices)
  func x11(index: Int) {
    let capture = onX11[index]
    let ranked = TextSpelling.ranked(among: capture.targets, on: .x11).map(\.target)
    #expect(ranked == capture.ranked, "\(capture.name)")
  }

  @Test("On Wayland the MIME type with the charset comes first", arguments: onWayland.indices)
  func wayland(index: Int) {
    let capture = onWayland[index]
    let ranked = TextSpelling.ranked(among: capture.targets, on: .wayland).map(\.target)
    #expect(ranked == capture.ranked, "\(capture.name)")
  }

  @Test("Spellings of the same worth keep the owner's order")
  func tiesKeepOrder() {
    let spellings = [
      "text/plain; charset=UTF-8", "text/plain;charset=utf-8", "text/plain;charset=\"utf-8\"",
    ]
    for targets in [spellings, spellings.reversed()] {
      #expect(TextSpelling.ranked(among: targets, on: .x11).map(\.target) == targets)
      #expect(TextSpelling.ranked(among: targets, on: .wayland).map(\.target) == targets)
    }
  }
}
