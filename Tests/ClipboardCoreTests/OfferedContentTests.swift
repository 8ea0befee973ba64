import ClipboardCore
import Pasteboard
import SelectionCore
import Testing
import TypeRegistry

/// What real programs list, as captured on Debian 12, and how it is understood.
private struct Capture: Sendable {
  struct Group: Sendable {
    let type: TypeIdentifier
    let targets: [String]
    var isMarker = false
  }

  let name: String
  let wire: TextSpelling.Wire
  let targets: [String]
  let groups: [Group]
}

private func identifier(_ name: String) -> TypeIdentifier {
  guard let type = TypeIdentifier(name) else { preconditionFailure("no identifier: \(name)") }
  return type
}

private let captures: [Capture] = [
  Capture(
    name: "gedit", wire: .x11,
    targets: [
      "TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS", "GTK_TEXT_BUFFER_CONTENTS",
      "application/x-gtk-text-buffer-rich-text", "UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING",
      "text/plain;charset=utf-8", "text/plain",
    ],
    groups: [
      .init(
        type: identifier("org.gtk.text-buffer-rich-text"),
        targets: ["application/x-gtk-text-buffer-rich-text"]),
      .init(
        type: .utf8PlainText,
        targets: [
          "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "COMPOUND_TEXT", "TEXT",
          "STRING",
        ]),
    ]),
  Capture(
    name: "Chromium page", wire: .wayland,
    targets: [
      "chromium/x-internal-source-rfh-token", "text/plain;charset=utf-8", "text/plain",
      "UTF8_STRING", "STRING", "TEXT", "text/html", "chromium/x-source-url",
    ],
    groups: [
      .init(
        type: identifier("org.chromium.internal.source-rfh-token"),
        targets: ["chromium/x-internal-source-rfh-token"], isMarker: true),
      .init(
        type: .utf8PlainText,
        targets: ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]),
      .init(type: .html, targets: ["text/html"]),
      .init(
        type: identifier("org.chromium.source-url"), targets: ["chromium/x-source-url"],
        isMarker: true),
    ]),
  Capture(
    name: "LibreOffice Writer (gtk3)", wire: .x11,
    targets: [
      "TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS",
      "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source (XML)\"",
      "text/rtf", "text/richtext", "text/html", "text/plain;charset=utf-16",
      "application/x-openoffice-link;windows_formatname=\"Link\"",
      "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"Star Object Descriptor "
        + "(XML)\";classname=\"8BC6B165-B1B2-4EDD-aa47-dae2ee689dd6\";typename=\"LibreOffice 7.4 "
        + "Text Document\";displayname=\"file:///home/me/doc.odt\";viewaspect=\"1\";width=\"17000\";"
        + "height=\"3000\";posx=\"0\";posy=\"0\"",
      "text/plain;charset=utf-8", "UTF8_STRING", "STRING",
      "application/x-libreoffice-internal-id-31525",
    ],
    groups: [
      .init(
        type: identifier("org.libreoffice.embed-source"),
        targets: [
          "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source (XML)\""
        ]),
      .init(type: .rtf, targets: ["text/rtf"]), .init(type: .rtf, targets: ["text/richtext"]),
      .init(type: .html, targets: ["text/html"]),
      .init(
        type: .utf8PlainText,
        targets: [
          "UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=utf-16", "STRING",
        ]),
      .init(
        type: identifier("org.libreoffice.link"),
        targets: ["application/x-openoffice-link;windows_formatname=\"Link\""]),
      .init(
        type: identifier("org.libreoffice.object-descriptor"),
        targets: [
          "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"Star Object "
            + "Descriptor (XML)\";classname=\"8BC6B165-B1B2-4EDD-aa47-dae2ee689dd6\";typename="
            + "\"LibreOffice 7.4 Text Document\";displayname=\"file:///home/me/doc.odt\";"
            + "viewaspect=\"1\";width=\"17000\";height=\"3000\";posx=\"0\";posy=\"0\""
        ], isMarker: true),
      .init(
        type: identifier("org.libreoffice.internal-id"),
        targets: ["application/x-libreoffice-internal-id-31525"], isMarker: true),
    ]),
  Capture(
    name: "dolphin, cut", wire: .x11,
    targets: [
      "text/uri-list", "text/x-moz-url", "text/plain", "application/x-kde4-urilist",
      "application/x-kde-cutselection", "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS",
    ],
    groups: [
      .init(type: .fileURL, targets: ["text/uri-list"]),
      .init(
        type: TypeRegistry.builtin.type(forTarget: "text/x-moz-url"), targets: ["text/x-moz-url"]),
      .init(type: .utf8PlainText, targets: ["text/plain"]),
      .init(
        type: TypeRegistry.builtin.type(forTarget: "application/x-kde4-urilist"),
        targets: ["application/x-kde4-urilist"]),
      .init(
        type: .kdeCutSelection, targets: ["application/x-kde-cutselection"], isMarker: true),
    ]),
  Capture(
    name: "KeePassXC", wire: .wayland,
    targets: ["text/plain", "x-kde-passwordManagerHint", "text/plain;charset=utf-8"],
    groups: [
      .init(type: .utf8PlainText, targets: ["text/plain;charset=utf-8", "text/plain"]),
      .init(type: .passwordManagerHint, targets: ["x-kde-passwordManagerHint"], isMarker: true),
    ]),
  Capture(
    name: "Emacs", wire: .x11,
    targets: [
      "TIMESTAMP", "MULTIPLE", "TEXT", "COMPOUND_TEXT", "STRING", "UTF8_STRING", "TARGETS",
      "LENGTH", "DELETE", "FILE_NAME", "CHARACTER_POSITION", "LINE_NUMBER", "COLUMN_NUMBER",
      "OWNER_OS", "HOST_NAME", "USER", "CLASS", "NAME", "ATOM", "INTEGER", "SAVE_TARGETS",
    ],
    groups: [
      .init(
        type: .utf8PlainText, targets: ["UTF8_STRING", "COMPOUND_TEXT", "TEXT", "STRING"]),
      .init(type: identifier("org.x.file-name"), targets: ["FILE_NAME"]),
    ]),
  Capture(
    name: "retext", wire: .x11,
    targets: [
      "text/plain", "UTF8_STRING", "STRING", "TEXT", "text/html", "text/markdown",
      "application/vnd.oasis.opendocument.text", "TARGETS", "MULTIPLE", "TIMESTAMP",
      "SAVE_TARGETS",
    ],
    groups: [
      .init(
        type: .utf8PlainText, targets: ["UTF8_STRING", "text/plain", "TEXT", "STRING"]),
      .init(type: .html, targets: ["text/html"]),
      .init(type: .markdown, targets: ["text/markdown"]),
      .init(
        type: TypeRegistry.builtin.type(forTarget: "application/vnd.oasis.opendocument.text"),
        targets: ["application/vnd.oasis.opendocument.text"]),
    ]),
  Capture(
    name: "Firefox, image", wire: .x11,
    targets: [
      "TIMESTAMP", "TARGETS", "MULTIPLE", "SAVE_TARGETS", "text/html", "image/png", "image/jpeg",
      "image/bmp", "image/x-bmp", "image/x-MS-bmp", "text/ico",
    ],
    groups: [
      .init(type: .html, targets: ["text/html"]), .init(type: .png, targets: ["image/png"]),
      .init(type: .jpeg, targets: ["image/jpeg"]), .init(type: .bmp, targets: ["image/bmp"]),
      .init(type: .bmp, targets: ["image/x-bmp"]), .init(type: .bmp, targets: ["image/x-MS-bmp"]),
      .init(type: .ico, targets: ["text/ico"]),
    ]),
  Capture(
    name: "xclip, image", wire: .x11, targets: ["TARGETS", "image/png"],
    groups: [.init(type: .png, targets: ["image/png"])]),
]

@Suite("What an owner offers, understood")
struct OfferedContentTests {
  @Test(
    "Real lists are grouped into representations in the owner's order", arguments: captures.indices)
  func captured(index: Int) {
    let capture = captures[index]
    let content = OfferedContent(capture.targets, on: capture.wire)
    #expect(content.names == capture.targets)
    #expect(content.entries.map(\.type) == capture.groups.map(\.type), "\(capture.name)")
    #expect(content.entries.map(\.targets) == capture.groups.map(\.targets), "\(capture.name)")
    #expect(content.entries.map(\.isMarker) == capture.groups.map(\.isMarker), "\(capture.name)")
    for entry in content.entries {
      #expect(entry.isPlainText == (entry.type == .utf8PlainText))
      #expect(entry.origin == .native)
    }
    #expect(content.offer.count == content.entries.count)
    #expect(content.offer.map(\.type) == content.entries.map(\.type))
  }

  @Test("Every target stands in one group, once", arguments: captures.indices)
  func eachOnce(index: Int) {
    let capture = captures[index]
    // Owners repeat themselves.
    for names in [
      capture.targets, capture.targets + capture.targets, capture.targets.flatMap { [$0, $0] },
    ] {
      let content = OfferedContent(names, on: capture.wire)
      let grouped = content.entries.flatMap(\.targets)
      #expect(Set(grouped).count == grouped.count, "\(capture.name)")
      #expect(Set(grouped) == Set(OfferedContent.contentNames(names)), "\(capture.name)")
      #expect(content.entries == OfferedContent(capture.targets, on: capture.wire).entries)
    }
  }

  @Test("The names of content and markers come in the owner's order, each once")
  func contentNames() {
    let names = [
      "TARGETS", "text/html", "UTF8_STRING", "text/html", "TIMESTAMP", "STRING", "MULTIPLE",
    ]
    #expect(OfferedContent.contentNames(names) == ["text/html", "UTF8_STRING", "STRING"])
    #expect(OfferedContent.contentNames([]) == [])
    #expect(OfferedContent.contentNames(["TARGETS", "INCR", "SAVE_TARGETS"]) == [])
  }

  @Test("A marker tells what was made, and from what")
  func origins() {
    let marker = OriginMarker(
      native: [.markdown], made: [.html: .markdown, .utf8PlainText: .markdown])
    let content = OfferedContent(
      ["text/markdown", "text/html", "UTF8_STRING", "STRING", OriginMarker.target], marker: marker,
      on: .x11)
    #expect(
      content.entries.map(\.origin) == [
        .native, .made(from: .markdown), .made(from: .markdown), .native,
      ])
    #expect(content.entries.map(\.isMarker) == [false, false, false, true])
    #expect(content.offer[1].origin == .made(from: .markdown))
  }

  @Test("A name that nobody knows is content under a type of its own")
  func unknownNames() {
    let content = OfferedContent(["application/x-demo", "X_ODD", "", "text/x-odd"], on: .x11)
    #expect(
      content.entries.map(\.targets) == [["application/x-demo"], ["X_ODD"], [""], ["text/x-odd"]])
    #expect(content.entries.allSatisfy { !$0.isMarker && !$0.isPlainText })
    #expect(content.entries[3].type.conforms(to: .text))
    #expect(!content.entries[0].type.conforms(to: .text))
  }

  @Test("Nothing listed is nothing offered")
  func empty() {
    let content = OfferedContent([], on: .x11)
    #expect(content.entries.isEmpty)
    #expect(content.offer.isEmpty)
  }
}

@Suite("TYPE on the command line")
struct TypeQueryTests {
  @Test(
    "A target that is offered under exactly this spelling comes first, whatever else it could be")
  func offeredTarget() {
    for name in ["text", "html", "public.html", "text/html", ".md", "TARGETS", "plain"] {
      #expect(TypeQuery(name, offered: ["x", name]) == .target(name))
    }
    #expect(TypeQuery("Text/HTML", offered: ["text/html"]) == .types([.html]))
    #expect(TypeQuery("TEXT", offered: ["text"]) != .target("text"))
  }

  @Test(
    "Short names, in lower case",
    arguments: [
      ("text", [.plainText, .text]), ("plain", [.plainText]), ("markdown", [.markdown]),
      ("html", [.html]), ("rtf", [.rtf]), ("csv", [.csv]), ("tsv", [.tsv]), ("image", [.image]),
      ("png", [.png]), ("files", [.fileURL]),
    ] as [(String, [TypeIdentifier])])
  func shortNames(name: String, types: [TypeIdentifier]) {
    #expect(TypeQuery(name) == .types(types))
    #expect(TypeQuery(name).types() == types)
    #expect(TypeQuery(name.uppercased()) != .types(types))
    #expect(TypeQuery.shortNames.contains { $0.name == name })
  }

  @Test(
    "Identifiers, MIME types, extensions and targets",
    arguments: [
      ("public.html", .html), ("Public.HTML", .html), ("net.daringfireball.markdown", .markdown),
      ("public.text", .text), ("text/html", .html), ("TEXT/HTML", .html),
      ("text/html; charset=\"UTF-8\"", .html), ("text/plain;charset=utf-8", .utf8PlainText),
      ("text/plain; charset=\"UTF-8\"", .utf8PlainText), ("text/plain", .plainText),
      ("image/png", .png), (".md", .markdown), (".MD", .markdown), (".png", .png), (".jpeg", .jpeg),
      ("UTF8_STRING", .utf8PlainText),
    ] as [(String, TypeIdentifier)])
  func spelledTypes(text: String, type: TypeIdentifier) {
    #expect(TypeQuery(text) == .types([type]))
  }

  @Test(
    "An unknown MIME type is a type of its own", arguments: ["application/x-demo", "text/x-odd"])
  func unknownMIMEType(name: String) {
    #expect(TypeQuery(name) == .types([TypeRegistry.builtin.type(forTarget: name)]))
  }

  @Test("A dynamic identifier is one")
  func dynamicIdentifier() throws {
    let type = TypeRegistry.builtin.type(forTarget: "application/x-demo")
    #expect(TypeQuery(type.description) == .types([type]))
  }

  @Test(
    "What is none of these may be a target",
    arguments: [
      "HTML", "md", ".no-such-extension", "X_PRIVATE", "", ".", "/", "a b", "org.example.unknown",
    ])
  func targets(name: String) {
    #expect(TypeQuery(name) == .target(name))
    #expect(TypeQuery(name).types().count == 1)
  }
}

@Suite("Secret content")
struct SensitivityTests {
  @Test("The markers among the targets are told")
  func markers() {
    let names = [
      "text/plain", "x-kde-passwordManagerHint", "TARGETS", "application/x-copyq-secret",
      "org.nspasteboard.ConcealedType", "org.nspasteboard.TransientType",
    ]
    #expect(
      SensitivityMarker.markers(among: names)
        == names.filter { $0 != "text/plain" && $0 != "TARGETS" })
    #expect(SensitivityMarker.markers(among: ["text/plain", "application/x-copyq-owner"]) == [])
  }

  @Test(
    "A marker that says something is believed by its value",
    arguments: [
      ("x-kde-passwordManagerHint", "secret", true),
      ("x-kde-passwordManagerHint", "secret\u{0}", true),
      ("x-kde-passwordManagerHint", "public", false), ("x-kde-passwordManagerHint", "", false),
      ("x-kde-passwordManagerHint", "secretly", false), ("application/x-copyq-secret", "1", true),
      ("application/x-copyq-secret", "0", false), ("org.nspasteboard.ConcealedType", "", true),
      ("org.nspasteboard.ConcealedType", "anything", true),
      ("org.nspasteboard.TransientType", "", true), ("text/plain", "secret", false),
    ])
  func values(marker: String, value: String, isSecret: Bool) {
    #expect(SensitivityMarker.isSecret(marker, value: Payload(value)) == isSecret)
  }

  @Test("A marker that cannot be read is believed; what is no marker is not")
  func unreadable() {
    #expect(SensitivityMarker.isSecret("x-kde-passwordManagerHint", value: nil))
    #expect(SensitivityMarker.isSecret("org.nspasteboard.ConcealedType", value: nil))
    #expect(!SensitivityMarker.isSecret("text/plain", value: nil))
  }
}
