import Testing
import TypeRegistry

@Suite("Look-ups that go wrong elsewhere")
struct NamedLookupTests {
  let registry = TypeRegistry.builtin

  private func named(_ name: String) -> [String] {
    registry.types(forFileNamed: name).map(\.description)
  }

  private func mime(_ name: String) -> String? {
    registry.type(for: name, in: .mimeType)?.description
  }

  @Test("A transport stream owns .ts; among texts, TypeScript does")
  func transportStreamOrScript() {
    #expect(
      named("main.ts") == ["public.mpeg-2-transport-stream", "com.microsoft.typescript"])
    let texts = registry.types(for: "ts", in: .filenameExtension, conformingTo: .text)
    #expect(texts.map(\.description) == ["com.microsoft.typescript"])
    #expect(registry.type(for: "ts", in: .filenameExtension, conformingTo: .text) == texts[0])
  }

  @Test(
    "The longest ending that somebody declares decides",
    arguments: [
      ("data.tar.gz", "org.gnu.gnu-zip-tar-archive"), ("data.gz", "org.gnu.gnu-zip-archive"),
      ("a.b.c.tar.gz", "org.gnu.gnu-zip-tar-archive"),
      ("DATA.TAR.GZ", "org.gnu.gnu-zip-tar-archive"),
      ("data.tgz", "org.gnu.gnu-zip-tar-archive"), ("data.tar.bz2", "public.tar-bzip2-archive"),
      ("data.tar.xz", "org.tukaani.tar-xz-archive"),
      ("data.tar.zst", "com.facebook.zstandard-tar-archive"),
      ("data.tar", "public.tar-archive"), ("notes.tar.txt", "public.plain-text"),
      ("IMAGE.JPG", "public.jpeg"), ("x.c", "public.c-source"),
      ("x.cpp", "public.c-plus-plus-source"), ("report.docx", wordDocument),
      ("photo.heic", "public.heic"), ("photo.heif", "public.heif"),
      ("song.m4a", "com.apple.m4a-audio"),
      ("sound.wav", "com.microsoft.waveform-audio"), ("page.webp", "org.webmproject.webp"),
      (".hidden.png", "public.png"),
    ])
  func endingDecides(pair: (String, String)) {
    #expect(named(pair.0).first == pair.1)
  }

  private static let wordDocument = "org.openxmlformats.wordprocessingml.document"

  @Test("A compressed archive conforms to its compressor, and not the other way round")
  func compressedArchives() throws {
    for (archive, compressor) in [
      ("tar.gz", "gz"), ("tar.bz2", "bz2"), ("tar.xz", "xz"), ("tar.zst", "zst"),
    ] {
      let archive = try #require(registry.type(for: archive, in: .filenameExtension))
      let compressor = try #require(registry.type(for: compressor, in: .filenameExtension))
      #expect(archive.isSubtype(of: compressor) && compressor.isSupertype(of: archive))
      #expect(archive.conforms(to: .archive) && archive.conforms(to: .data))
    }
    #expect(mime("application/x-compressed-tar") == "org.gnu.gnu-zip-tar-archive")
  }

  @Test(
    "Names without an extension have no type by name",
    arguments: ["", "notes", ".profile", "..", ".", "notes.", "...png."])
  func noExtension(name: String) {
    #expect(named(name).isEmpty)
    #expect(registry.filenameExtension(ofFileNamed: name) == nil)
  }

  @Test("An ending that nobody declares is what stands behind the last dot")
  func undeclaredEnding() {
    #expect(registry.filenameExtension(ofFileNamed: "a.tar.nosuch") == "nosuch")
    #expect(named("a.tar.nosuch").count == 1 && named("a.tar.nosuch")[0].hasPrefix("dyn."))
    let long = String(repeating: "a.", count: 50_000) + "png"
    #expect(named(long) == ["public.png"])
  }

  @Test("HEIC is no HEIF, nor the other way round; both are of one family")
  func heicAndHeif() throws {
    let heic = try #require(registry.type(for: "image/heic", in: .mimeType))
    let heif = try #require(registry.type(for: "image/heif", in: .mimeType))
    #expect(heic != heif && !heic.conforms(to: heif) && !heif.conforms(to: heic))
    let family = try #require(TypeIdentifier("public.heif-standard"))
    #expect(heic.conforms(to: family) && heif.conforms(to: family))
    #expect(heic == .heic && heic.conforms(to: .image))
  }

  @Test(
    "The four MIME names of WAV are one type",
    arguments: ["audio/vnd.wave", "audio/wav", "audio/wave", "audio/x-wav"])
  func wav(name: String) {
    #expect(mime(name) == "com.microsoft.waveform-audio")
  }

  @Test("image/jpg is accepted and never the name to write")
  func jpg() {
    #expect(registry.type(for: "image/jpg", in: .mimeType) == .jpeg)
    #expect(registry.type(forTarget: "IMAGE/JPG") == .jpeg)
    for type in registry.declaredTypes {
      #expect(registry.preferredMIMEType(of: type) != "image/jpg")
    }
  }

  @Test("RTF has two MIME names, WebP two identifiers, M4A a MIME name of its own")
  func secondNames() {
    #expect(mime("text/rtf") == "public.rtf" && mime("application/rtf") == "public.rtf")
    #expect(TypeIdentifier("public.webp") == .webP)
    #expect(TypeIdentifier("PUBLIC.WebP")?.description == "org.webmproject.webp")
    #expect(mime("audio/x-m4a") == "com.apple.m4a-audio")
    #expect(mime("audio/mp4") == "public.mpeg-4-audio")
  }

  @Test("A valid tag that nobody has means one dynamic type, invalid input none")
  func unknownTags() {
    for (tag, tagClass, identifier) in [
      ("bls", TagClass.filenameExtension, "dyn.ah62d4rv4ge80e5dx"),
      ("BLS", .filenameExtension, "dyn.ah62d4rv4ge80e5dx"),
      ("ustl", .osType, "dyn.ah62d4rv4gk81n65yru"),
      (
        "NSFilenamesPboardType", .pasteboardName,
        "dyn.ah62d4rv4gu8y6y4grf0gn5xbrzw1gydcr7u1e3cytf2gn"
      ),
    ] {
      let types = registry.types(for: tag, in: tagClass, conformingTo: .data)
      #expect(types.map(\.description) == [identifier])
      #expect(registry.declaredTypes(for: tag, in: tagClass).isEmpty)
      #expect(registry.type(for: tag, in: tagClass) == nil)
      #expect(types[0].conforms(to: .data) && types[0].conforms(to: .item))
      #expect(!types[0].conforms(to: .content))
    }
    let bare = registry.types(for: "application/mp4", in: .mimeType)
    #expect(bare.map(\.description) == ["dyn.agq80c6durvy0g2pyrf106p5rsa4a"])
    #expect(registry.supertypes(of: bare[0]).isEmpty)
    // A declared extension under a supertype that no owner conforms to, as UTType has it.
    let image = registry.types(for: "mov", in: .filenameExtension, conformingTo: .image)
    #expect(image.map(\.description) == ["dyn.ah62d4uv4ge804550"])
    for (tag, tagClass) in [
      ("", TagClass.filenameExtension), (".png", .filenameExtension), ("a/b", .filenameExtension),
      ("png\u{0}", .filenameExtension), ("", .mimeType), ("text", .mimeType), ("/", .mimeType),
      ("text/", .mimeType), ("", .osType), ("abc", .osType), ("abcde", .osType),
      ("", .x11Target), ("", .pasteboardName),
      (String(repeating: "x", count: 70_000), .x11Target),
    ] {
      #expect(registry.types(for: tag, in: tagClass).isEmpty, "\(tag.prefix(20))")
      #expect(!tagClass.canHave(tag))
    }
  }
}
