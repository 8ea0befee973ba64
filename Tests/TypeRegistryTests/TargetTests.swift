import Testing

@testable import TypeRegistry

@Suite("Names on the wire")
struct TargetTests {
  let registry = TypeRegistry.builtin

  @Test(
    "A target means its type",
    arguments: [
      ("UTF8_STRING", "public.utf8-plain-text"), ("UTF-8", "public.utf8-plain-text"),
      ("STRING", "public.plain-text"), ("TEXT", "public.plain-text"),
      ("COMPOUND_TEXT", "public.plain-text"), ("C_STRING", "public.plain-text"),
      ("text/plain", "public.plain-text"), ("text/plain;charset=utf-8", "public.utf8-plain-text"),
      ("text/html", "public.html"), ("text/uri-list", "public.file-url"),
      ("application/x-kde4-urilist", "public.file-url"),
      ("x-special/gnome-copied-files", "org.gnome.copied-files"),
      ("application/x-kde-cutselection", "org.kde.cut-selection"),
      ("x-kde-passwordManagerHint", "org.kde.password-manager-hint"),
      ("application/x-nspasteboard-concealed-type", "org.nspasteboard.ConcealedType"),
      ("org.nspasteboard.ConcealedType", "org.nspasteboard.ConcealedType"),
      ("text/x-moz-url", "org.mozilla.url"), ("_NETSCAPE_URL", "com.netscape.url"),
      ("image/x-MS-bmp", "com.microsoft.bmp"), ("text/ico", "com.microsoft.ico"),
      ("PIXMAP", "org.x.pixmap"), ("ADOBE_PORTABLE_DOCUMENT_FORMAT", "com.adobe.pdf"),
      ("application/x-libreoffice-internal-id-4711", "org.libreoffice.internal-id"),
      ("application/x-copyq-owner", "com.github.hluk.copyq.item-metadata"),
      ("application/x-copyq-tags", "com.github.hluk.copyq.item-metadata"),
      ("NSStringPboardType", "public.utf8-plain-text"),
      ("Apple PDF pasteboard type", "com.adobe.pdf"),
      ("CorePasteboardFlavorType 0x54494646", "public.tiff"),
      ("public.html", "public.html"), ("application/x-clipview-origin", "org.clipview.origin"),
    ])
  func targetMeansItsType(pair: (String, String)) {
    #expect(registry.type(forTarget: pair.0).description == pair.1)
  }

  @Test(
    "What a name conforms to is told as its type tells it, without a type being made for it",
    arguments: [
      "UTF8_STRING", "text/html", "text/html;charset=utf-16", "image/png", "public.rtf",
      "x-unheard",
      "_UNHEARD", "text/x-unheard", "image/x-unheard", "image/x-unheard+xml", "audio/x-unheard",
      "model/x-unheard", "inode/x-unheard", "application/x-unheard+zip", "com.example.unheard", "",
      "dyn.ah62d4r34gq81k3p2su11uppgr71u", "application/x-libreoffice-internal-id-9",
    ])
  func conformanceIsToldWithoutIdentifier(name: String) throws {
    let undeclared = try #require(TypeIdentifier("com.example.undeclared"))
    let kinds: [TypeIdentifier] = [
      .text, .html, .rtf, .image, .audio, .data, .xml, .content, .item, .utf8PlainText, undeclared,
      registry.type(forTarget: "text/x-foo"), registry.type(forTarget: "_UNHEARD"),
    ]
    let told = kinds.map { registry.isTarget(name, conformingTo: $0) }
    let type = registry.type(forTarget: name)
    #expect(told == kinds.map { type.conforms(to: $0, in: registry) })
    #expect((registry.declaredType(forTarget: name) == nil) == !registry.isDeclared(type))
  }

  @Test("Names of which only that is asked leave nothing behind")
  func namesLeaveNothing() throws {
    // Identifiers are numbered as they are first met, by other tests too.
    let first = try #require(TypeIdentifier("com.example.before-names")).rawValue
    for number in 0..<10_000 {
      #expect(!registry.isTarget("application/x-unheard-\(number)", conformingTo: .image))
    }
    let last = try #require(TypeIdentifier("com.example.after-names")).rawValue
    #expect(last - first < 9000)
  }

  @Test("An unknown name becomes a dynamic type of the family its name tells")
  func unknownTargetBecomesDynamic() {
    let text = registry.type(forTarget: "text/x-foo")
    #expect(text.description == "dyn.ah62d4r34gq81k3p2su11uppgr71u")
    let image = registry.type(forTarget: "image/x-foo")
    #expect(image.description == "dyn.ah62d4uv4gq80w5pbq7ww88brq3108")
    #expect(registry.type(forTarget: "audio/x-foo").conforms(to: .audio))
    #expect(registry.type(forTarget: "video/x-foo").conforms(to: .movie))
    let demo = registry.type(forTarget: "application/x-demo")
    #expect(registry.parents(of: demo) == [.data])
    #expect(registry.preferredMIMEType(of: demo) == "application/x-demo")
    let target = registry.type(forTarget: "_MY_TARGET")
    #expect(registry.tags(of: target, in: .x11Target) == ["_MY_TARGET"])
    #expect(registry.type(forTarget: "_my_target") != target)
  }

  @Test("A name of macOS that nobody declared becomes the dynamic type that macOS makes")
  func pasteboardNameBecomesTheRecordedDynamicType() {
    #expect(
      registry.type(forTarget: "NSFilenamesPboardType").description
        == "dyn.ah62d4rv4gu8y6y4grf0gn5xbrzw1gydcr7u1e3cytf2gn")
  }

  @Test("Spellings of one unknown MIME type make one dynamic type")
  func spellingsOfUnknownTypeAgree() {
    let type = registry.type(forTarget: "application/x-foo;charset=utf-8")
    #expect(registry.type(forTarget: "Application/X-Foo; charset=\"UTF-8\"") == type)
    #expect(registry.type(forTarget: "application/x-foo") != type)
  }

  @Test(
    "Any name at all has a type",
    arguments: [
      "", " ", "\u{0}", "/", ";", "*", "é", "dyn.a", "dyn.ah62d4rv4ge8", "a.b", "text/",
      String(repeating: "A", count: 65_535), String(repeating: "a/", count: 3000),
    ])
  func everyNameHasAType(name: String) {
    let type = registry.type(forTarget: name)
    #expect(type == registry.type(forTarget: name))
    #expect(registry.role(ofTarget: name) == .content)
  }

  @Test("Protocol targets, marks and content are told apart")
  func rolesAreKnown() {
    let roles: [(TargetRole, [String])] = [
      (
        .transferProtocol,
        [
          "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INCR", "CLIENT_WINDOW",
          "INSERT_SELECTION", "GTK_TEXT_BUFFER_CONTENTS", "application/vnd.portal.filetransfer",
          "application/x-kde-onlyReplaceEmpty", "application/web;type=\"custom/formatmap\"",
          "HOSTNAME", "ATOM",
        ]
      ),
      (
        .marker,
        [
          "x-kde-passwordManagerHint", "application/x-kde-cutselection", "chromium/x-source-url",
          "text/_moz_htmlcontext", "text/_moz_htmlinfo", "vscode-editor-data", "text/sensitive",
          "application/vnd.code.copyMetadata", "application/vnd.code.copymetadata",
          "application/x-libreoffice-internal-id-1", "application/x-copyq-owner",
          "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"(XML)\";width=\"0\"",
          "org.nspasteboard.TransientType", "NeXT smart paste pasteboard type",
          "application/x-clipview-origin", "application/x-clipview-terms",
        ]
      ),
      (
        .content,
        [
          "UTF8_STRING", "text/plain", "text/html; charset=utf-8", "image/png", "text/uri-list",
          "x-special/gnome-copied-files", "FILE_NAME", "application/x-demo", "whatever", "targets",
          "application/web;type=\"custom/format0\"", "application/x-openoffice-link",
          "application/x-libreoffice-tsvc",
        ]
      ),
    ]
    for (role, names) in roles {
      for name in names { #expect(registry.role(ofTarget: name) == role, "\(name)") }
    }
  }

  @Test("Both rows of a name agree, and every row of targets is in force")
  func tablesAgree() throws {
    let roles: [String: TargetRole] = [
      "content": .content, "marker": .marker, "protocol": .transferProtocol,
    ]
    let rows = Declarations.builtinRows.targets
    #expect(rows.count > 240)
    for row in rows {
      let name = row[0].hasSuffix("*") ? row[0].dropLast() + "x" : row[0]
      #expect(registry.role(ofTarget: name) == roles[row[2]], "\(name)")
      let type = registry.type(forTarget: name)
      if row[3].isEmpty {
        #expect(type.isDynamic, "\(name)")
      } else {
        #expect(type == TypeIdentifier(row[3]), "\(name) is \(type)")
      }
      #expect(row[1] == "mime" ? MIMEType(name) != nil : MIMEType(name) == nil, "\(name)")
    }
  }

  @Test("Real clipboards hold hardly anything unknown")
  func namesOfRealClipboardsAreKnown() {
    let names = [
      "text/plain;charset=UTF-8", "application/vnd.oasis.opendocument.text", "image/gif",
      "image/svg", "image/tiff", "image/vnd.wap.wbmp", "image/x-cmu-raster",
      "image/x-portable-anymap", "image/x-portable-graymap", "image/x-portable-pixmap",
      "image/x-win-bitmap", "image/x-wmf", "image/x-xbitmap", "image/x-xpixmap",
      "application/ico", "application/xhtml+xml", "application/x-goffice-graph",
      "application/x-gtk-text-buffer-rich-text", "chromium/x-internal-source-rfh-token",
      "application/x-openoffice-bitmap;windows_formatname=\"Bitmap\"",
      "application/x-openoffice-sylk;windows_formatname=\"Sylk\"",
      "application/x-openoffice-dif;windows_formatname=\"DIF\"",
      "application/x-openoffice-emf;windows_formatname=\"Image EMF\"",
      "application/x-openoffice-gdimetafile;windows_formatname=\"GDIMetaFile\"",
      "application/x-openoffice-wmf;windows_formatname=\"Image WMF\"", "_VIM_TEXT",
      "_VIMENC_TEXT", "text/x-moz-url-priv",
    ]
    for name in names {
      #expect(registry.isDeclared(registry.type(forTarget: name)), "\(name)")
    }
  }
}
