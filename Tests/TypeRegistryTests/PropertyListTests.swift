import TestSupport
import Testing
import TypeRegistry

@Suite("Property lists of apps")
struct PropertyListTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    """

  private static let sample =
    head + """

      <dict>
        <key>CFBundleName</key><string>Draw &amp; Co</string>
        <key>LSUIElement</key><true/>
        <key>UTExportedTypeDeclarations</key>
        <array>
          <dict>
            <key>UTTypeIdentifier</key><string>com.example.drawing</string>
            <key>UTTypeDescription</key><string>Drawing &lt;new&gt; &#x2714;</string>
            <key>UTTypeConformsTo</key>
            <array><string>public.image</string><string>public.composite-content</string></array>
            <key>UTTypeTagSpecification</key>
            <dict>
              <key>public.filename-extension</key>
              <array><string>drw</string><string>png</string></array>
              <key>public.mime-type</key><string>Image/X-Drawing; version="2"</string>
              <key>com.apple.ostype</key><array><string>DR,W</string></array>
              <key>com.apple.nspboard-type</key><string>Drawing pasteboard</string>
              <key>com.example.unheard-of</key><string>x</string>
            </dict>
          </dict>
        </array>
        <!-- somebody else's -->
        <key>UTImportedTypeDeclarations</key>
        <array>
          <dict>
            <key>UTTypeIdentifier</key><string>public.png</string>
            <key>UTTypeConformsTo</key><string>public.executable</string>
          </dict>
          <dict>
            <key>UTTypeIdentifier</key><string>org.example.foreign</string>
            <key>UTTypeConformsTo</key><string>public.data</string>
            <key>UTTypeTagSpecification</key>
            <dict><key>public.filename-extension</key><array><string>drw</string></array></dict>
          </dict>
        </array>
      </dict>
      </plist>
      """

  private func overlay(_ text: String, name: String = "Info.plist") -> TypeOverlay {
    TypeOverlay([TypeDeclarationSource(name: name, bytes: Array(text.utf8))])
  }

  @Test("Exported types are declared, imported ones where nobody else declares them")
  func declarationsAreRead() throws {
    let overlay = overlay(Self.sample)
    let registry = overlay.registry
    let drawing = try #require(TypeIdentifier("com.example.drawing"))
    #expect(registry.description(of: drawing) == "Drawing <new> ✔")
    #expect(
      registry.parents(of: drawing).map(\.description) == [
        "public.image", "public.composite-content",
      ])
    #expect(registry.tags(of: drawing, in: .filenameExtension) == ["drw", "png"])
    #expect(registry.type(for: "image/x-drawing;version=2", in: .mimeType) == drawing)
    #expect(registry.tags(of: drawing, in: .osType) == ["DR,W"])
    #expect(registry.type(forTarget: "Drawing pasteboard") == drawing)
    #expect(!TypeIdentifier.png.conforms(to: .executable, in: registry))
    #expect(
      registry.types(for: "drw", in: .filenameExtension).map(\.description)
        == ["com.example.drawing", "org.example.foreign"])
    #expect(
      overlay.reports.map { "\($0.line) \($0.finding)" } == [
        "9 \(TypeDeclarationReport.Finding.sharesTag("drw", .filenameExtension))",
        "9 \(TypeDeclarationReport.Finding.sharesTag("png", .filenameExtension))",
        "28 \(TypeDeclarationReport.Finding.unusedImport("public.png", section: nil))",
      ])
  }

  @Test("What an app imports never counts before what another declares, wherever it stands")
  func importsComeLast() throws {
    let table = Declarations.typeHeader + "\norg.example.foreign\tpublic.text\tfrn"
    let overlay = TypeOverlay([
      TypeDeclarationSource(name: "10.tsv", bytes: Array(table.utf8)),
      TypeDeclarationSource(name: "20.plist", bytes: Array(Self.sample.utf8)),
    ])
    let type = try #require(TypeIdentifier("org.example.foreign"))
    #expect(overlay.registry.parents(of: type) == [.text])
    #expect(
      overlay.reports.contains { $0.finding == .unusedImport("org.example.foreign", section: 0) })
  }

  @Test(
    "What is no property list in XML is refused with the line",
    arguments: [
      ("", 1, .invalidPropertyList), ("bplist00\u{1}", 1, .binaryPropertyList),
      ("bplist", 1, .binaryPropertyList), ("hello", 1, .invalidPropertyList),
      ("<plist></plist>", 1, .invalidPropertyList), ("<plist><dict>", 1, .invalidPropertyList),
      ("<plist><dict></array></plist>", 1, .invalidPropertyList),
      ("<plist><dict><key>a</key></dict></plist>", 1, .invalidPropertyList),
      ("<plist><dict><string>a</string></dict></plist>", 1, .invalidPropertyList),
      ("<plist>\n<dict/></plist>", 2, .noTypeDeclarations),
      ("<plist><string>x</string></plist>", 1, .noTypeDeclarations),
      ("<plist><dict/></plist> x", 1, .invalidPropertyList),
      ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", 1, .invalidPropertyList),
      ("<plist>\n\n<string>&nosuch;</string></plist>", 3, .invalidPropertyList),
      ("<plist><string>&#0;</string></plist>", 1, .invalidPropertyList),
      ("<plist><string>&#xD800;</string></plist>", 1, .invalidPropertyList),
      ("<plist><string>&#99999999999;</string></plist>", 1, .invalidPropertyList),
      ("<plist><widget/></plist>", 1, .invalidPropertyList),
      (String(repeating: "<array>", count: 100_000), 1, .invalidPropertyList),
      ("<plist>" + String(repeating: "<array>", count: 100_000), 1, .invalidPropertyList),
      ("<plist><!-- ", 1, .invalidPropertyList), ("<plist a=\"", 1, .invalidPropertyList),
    ] as [(String, Int, TypeDeclarationError.Fault)])
  func refused(sample: (text: String, line: Int, fault: TypeDeclarationError.Fault)) {
    let overlay = overlay(sample.text)
    #expect(overlay.reports.count == 1)
    #expect(overlay.reports.first?.line == sample.line)
    #expect(overlay.reports.first?.finding == .fault(sample.fault))
    #expect(overlay.registry.declaredTypes == TypeRegistry.builtin.declaredTypes)
  }

  @Test("A declaration that cannot be is refused by itself")
  func brokenDeclarations() {
    let overlay = overlay(
      Self.head + """

        <dict><key>UTExportedTypeDeclarations</key><array>
        <dict><key>UTTypeDescription</key><string>nameless</string></dict>
        <string>no dictionary</string>
        <dict><key>UTTypeIdentifier</key><string>bad_name</string></dict>
        <dict><key>UTTypeIdentifier</key><string>org.example.a,b</string></dict>
        <dict><key>UTTypeIdentifier</key><string>org.example.tag</string>
          <key>UTTypeTagSpecification</key><dict>
          <key>public.mime-type</key><array><string>text</string></array></dict></dict>
        <dict><key>UTTypeIdentifier</key><string>org.example.fine</string></dict>
        </array></dict></plist>
        """)
    #expect(overlay.reports.map(\.line) == [5, 6, 7, 8, 9])
    #expect(overlay.reports.allSatisfy { $0.isFault })
    let names = overlay.registry.declaredTypes.map(\.description)
    #expect(names.contains("org.example.fine") && !names.contains("org.example.tag"))
  }

  @Test("Damaged property lists are refused or read, never more")
  func damaged() {
    var generator = SeededGenerator(seed: 5)
    let whole = Array(Self.sample.utf8)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.removeSubrange(index..<min(index + 40, bytes.count))
        }
      }
      let overlay = TypeOverlay([TypeDeclarationSource(name: "d.plist", bytes: bytes)])
      for report in overlay.reports { #expect(report.line >= 1) }
      #expect(overlay.registry.isDeclared(.png))
    }
  }
}
