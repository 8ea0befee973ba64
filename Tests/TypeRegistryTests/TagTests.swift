import Testing
import TypeRegistry

@Suite("Tags")
struct TagTests {
  let registry = TypeRegistry.builtin

  @Test(
    "An extension means its type",
    arguments: [
      ("png", "public.png"), ("PNG", "public.png"), ("Jpg", "public.jpeg"), ("jpe", "public.jpeg"),
      ("md", "net.daringfireball.markdown"), ("markdown", "net.daringfireball.markdown"),
      ("mkd", "net.daringfireball.markdown"), ("html", "public.html"), ("htm", "public.html"),
      ("txt", "public.plain-text"), ("rtf", "public.rtf"),
      ("csv", "public.comma-separated-values-text"),
      ("prefpane", "com.apple.systempreference.prefpane"), ("webp", "org.webmproject.webp"),
      ("c++", "public.c-plus-plus-source"), ("ts", "public.mpeg-2-transport-stream"),
      ("mkv", "org.matroska.mkv"), ("7z", "org.7-zip.7-zip-archive"),
      ("dng", "com.adobe.raw-image"),
    ])
  func extensionMeansItsType(pair: (String, String)) {
    #expect(registry.type(for: pair.0, in: .filenameExtension)?.description == pair.1)
  }

  @Test(
    "Of several owners the public, the preferring, the first declared one is best",
    arguments: [
      ("otf", "public.opentype-font"), ("otc", "public.opentype-collection-font"),
      ("smf", "public.midi-audio"), ("xml", "public.xml"), ("mp4", "public.mpeg-4"),
      ("plist", "com.apple.property-list"), ("key", "com.apple.iWork.Keynote.key"),
      ("kth", "com.apple.iWork.Keynote.kth"), ("pages", "com.apple.iWork.Pages.pages"),
      ("app", "com.apple.application-bundle"),
      ("usda", "com.pixar.universal-scene-description-utf8"),
    ])
  func bestOwnerIsPicked(pair: (String, String)) {
    #expect(registry.type(for: pair.0, in: .filenameExtension)?.description == pair.1)
    let all = registry.types(for: pair.0, in: .filenameExtension)
    #expect(all.count > 1 && all.first?.description == pair.1)
  }

  @Test(
    "A demanded supertype decides between a package and a flat file",
    arguments: [
      ("key", "com.apple.iWork.Keynote.sffkey", "com.apple.iWork.Keynote.key"),
      ("pages", "com.apple.iWork.Pages.sffpages", "com.apple.iWork.Pages.pages"),
      ("app", "com.apple.application-file", "com.apple.application-bundle"),
      ("pkpass", "com.apple.pkpass-data", "com.apple.pkpass"),
      ("pkg", "com.apple.installer-package-archive", "com.apple.installer-package"),
    ])
  func conformanceFiltersOwners(names: (String, String, String)) {
    let tag = names.0
    #expect(
      registry.type(for: tag, in: .filenameExtension, conformingTo: .data)?.description == names.1)
    #expect(
      registry.type(for: tag, in: .filenameExtension, conformingTo: .package)?.description
        == names.2)
    #expect(registry.type(for: tag, in: .filenameExtension, conformingTo: .image) == nil)
    #expect(registry.types(for: tag, in: .filenameExtension, conformingTo: .data).count == 1)
  }

  @Test("All owners come in the order of preference")
  func ownersAreOrdered() {
    #expect(
      registry.types(for: "plist", in: .filenameExtension).map(\.description) == [
        "com.apple.property-list", "com.apple.xml-property-list",
        "com.apple.binary-property-list", "com.apple.ascii-property-list",
      ])
    #expect(
      registry.types(for: "audio/mp4a-latm", in: .mimeType).map(\.description) == [
        "public.mp4a-latm", "public.mpeg-4-audio",
      ])
  }

  @Test("Four-character codes, targets and pasteboard names count case and blanks")
  func exactClassesAreExact() {
    #expect(registry.type(for: "JPEG", in: .osType) == .jpeg)
    #expect(registry.type(for: "jpeg", in: .osType) == nil)
    #expect(registry.type(for: "PDF ", in: .osType) == .pdf)
    #expect(registry.type(for: "PDF", in: .osType) == nil)
    #expect(registry.type(for: "mp3!", in: .osType)?.description == "public.mp3")
    #expect(registry.type(for: "UTF8_STRING", in: .x11Target) == .utf8PlainText)
    #expect(registry.type(for: "utf8_string", in: .x11Target) == nil)
    #expect(registry.type(for: "NeXT TIFF v4.0 pasteboard type", in: .pasteboardName) == .tiff)
    #expect(registry.type(for: "next tiff v4.0 pasteboard type", in: .pasteboardName) == nil)
  }

  @Test("A tag of one class is none of another")
  func classesAreSeparate() {
    #expect(registry.type(for: "png", in: .mimeType) == nil)
    #expect(registry.type(for: "image/png", in: .filenameExtension) == nil)
    #expect(registry.type(for: "STRING", in: .pasteboardName) == nil)
    #expect(registry.type(for: "public.png", in: .filenameExtension) == nil)
  }

  @Test(
    "Nothing is owned by what is no tag",
    arguments: [
      "", ".png", " ", "png ", "nosuch", "\u{0}", "a/b/c", ";", "/", "text/", ";charset=utf-8",
      String(repeating: "x", count: 70_000),
    ])
  func unknownTagHasNoOwner(tag: String) {
    for tagClass in TagClass.allCases {
      #expect(registry.type(for: tag, in: tagClass) == nil)
      #expect(registry.declaredTypes(for: tag, in: tagClass).isEmpty)
      let types = registry.types(for: tag, in: tagClass)
      #expect(types.count == (tagClass.canHave(tag) ? 1 : 0))
      #expect(types.allSatisfy { $0.isDynamic })
    }
  }

  @Test("The preferred tag is the first of the type's own")
  func preferredTagIsFirst() {
    #expect(registry.preferredFilenameExtension(of: .jpeg) == "jpeg")
    #expect(registry.preferredMIMEType(of: .jpeg) == "image/jpeg")
    #expect(registry.tags(of: .jpeg, in: .mimeType) == ["image/jpeg", "image/jpg"])
    #expect(
      registry.tags(of: .rtf, in: .mimeType) == ["text/rtf", "application/rtf", "text/richtext"])
    #expect(registry.preferredMIMEType(of: .utf8PlainText) == "text/plain;charset=utf-8")
    #expect(registry.preferredFilenameExtension(of: .markdown) == "md")
    #expect(registry.preferredMIMEType(of: .fileURL) == "text/uri-list")
  }

  @Test("Tags are not inherited")
  func tagsAreNotInherited() {
    #expect(registry.preferredFilenameExtension(of: .utf8PlainText) == nil)
    #expect(registry.preferredFilenameExtension(of: .image) == nil)
    #expect(registry.preferredMIMEType(of: .utf16ExternalPlainText) == nil)
  }

  @Test("The tag of a dynamic type is its preferred one")
  func dynamicTypeHasItsTag() {
    let type = registry.dynamicType(for: "bls", in: .filenameExtension)
    #expect(registry.preferredFilenameExtension(of: type) == "bls")
    #expect(registry.preferredMIMEType(of: type) == nil)
  }
}
