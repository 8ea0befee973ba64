import TestSupport
import Testing

/// What needs no display, only the types that are built in or declared in files.
@Suite("Registry")
struct RegistryTests {
  /// Where this test's user keeps declarations.
  let home = TemporaryDirectory()

  private func registry(_ arguments: String...) throws -> ProcessResult {
    try run(
      Programs.clipview, ["registry"] + arguments,
      environment: Programs.environment([
        "XDG_CONFIG_HOME": home.path, "XDG_DATA_HOME": home.path, "XDG_DATA_DIRS": "/nowhere",
      ]), timeout: 20)
  }

  /// What it prints, with success and without a word beside.
  private func output(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let result = try run(
      Programs.clipview, ["registry"] + arguments,
      environment: Programs.environment([
        "XDG_CONFIG_HOME": home.path, "XDG_DATA_HOME": home.path, "XDG_DATA_DIRS": "/nowhere",
      ]), timeout: 20)
    #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    return lines(result.output)
  }

  @Test("A type is shown with all that is known of it")
  func typeAsJSON() throws {
    let result = try registry("show", "--json", "text/rtf")
    let type = try #require(JSON(result.text))
    #expect(type["schema"]?.int == 1)
    #expect(type["identifier"]?.string == "public.rtf")
    #expect(type["description"]?.string?.isEmpty == false)
    #expect(type["declared"]?.bool == true && type["dynamic"]?.bool == false)
    #expect(type["public"]?.bool == true)
    func list(_ key: String) -> [String]? { type[key]?.array?.compactMap(\.string) }
    #expect(list("conforms_to") == ["public.text"])
    #expect(list("supertypes") == ["public.text", "public.data", "public.item", "public.content"])
    #expect(list("extensions") == ["rtf"])
    #expect(list("mime_types")?.first == "text/rtf" && list("targets") == [])
    #expect(type["other_tags"]?["com.apple.ostype"]?.array?.first?.string == "RTF ")
    #expect(lines(result.output).count == 1)
  }

  @Test("People get the same in lines")
  func typeAsText() throws {
    let text = try output("show", "UTF8_STRING")
    #expect(text.first == "public.utf8-plain-text")
    #expect(text.contains { $0.contains("MIME types") && $0.contains("text/plain;charset=utf-8") })
    #expect(text.contains { $0.contains("targets") && $0.contains("UTF8_STRING") })
  }

  @Test(
    "A TYPE can be spelled in all ways",
    arguments: [
      ("text", "public.text"), ("plain", "public.plain-text"), ("files", "public.file-url"),
      ("PUBLIC.HTML", "public.html"), ("text/plain; charset=\"UTF-8\"", "public.utf8-plain-text"),
      ("text/plain;charset=koi8-r", "public.plain-text"), (".JPG", "public.jpeg"),
      (".tar.gz", "org.gnu.gnu-zip-tar-archive"), ("public.webp", "org.webmproject.webp"),
      (".nosuch", "dyn.ah62d4rv4ge80655xszv0u"),
      ("dyn.ah62d4rv4ge8043a", "dyn.ah62d4rv4ge8043a"),
      ("text/x-foo", "dyn.ah62d4r34gq81k3p2su11uppgr71u"),
    ])
  func spellings(pair: (String, String)) throws {
    #expect(try output("show", pair.0).first == pair.1)
  }

  @Test(
    "What is no type is nothing to show",
    arguments: ["nosuch", "org.example.nobody", "dyn.ah62d4rv4ge8", "", "text/", "."])
  func unknownType(name: String) throws {
    #expect(try registry("show", name).isFailure(1))
  }

  @Test(
    "Conformance is told by the exit code alone",
    arguments: [
      ("public.png", "public.image", 0), ("markdown", "text", 0), ("png", "png", 0),
      (".docx", "public.composite-content", 0), ("image/heic", "image/heif", 1),
      ("public.png", "public.text", 1), ("public.image", "public.png", 1),
      ("nosuch", "public.data", 1), ("public.png", "nosuch", 1), (".nosuch", "public.data", 0),
    ])
  func conformance(sample: (String, String, Int)) throws {
    let result = try registry("conforms", sample.0, sample.1)
    #expect(result.status == Int32(sample.2) && result.output.isEmpty && result.errors == "")
  }

  @Test("All owners come best first, each with its MIME type")
  func owners() throws {
    #expect(
      try output("resolve", "--extension", "ts") == [
        "public.mpeg-2-transport-stream\tvideo/mp2t",
        "com.microsoft.typescript\tapplication/typescript",
      ])
    #expect(
      try output("resolve", "--extension", "TS", "--conforming-to", "text") == [
        "com.microsoft.typescript\tapplication/typescript"
      ])
    #expect(
      try registry("resolve", "--extension", "ts", "--conforming-to", "image").isFailure(1))
    #expect(
      try output("resolve", "--mime", "image/jpg") == ["public.jpeg\timage/jpeg"])
    #expect(
      try output("resolve", "--mime", "audio/x-wav")
        == ["com.microsoft.waveform-audio\taudio/vnd.wave"])
    #expect(
      try output("resolve", "--target", "UTF8_STRING")
        == ["public.utf8-plain-text\ttext/plain;charset=utf-8"])
    #expect(try output("resolve", "--extension", ".nosuch") == ["dyn.ah62d4rv4ge80655xszv0u\t-"])
    #expect(
      try output("resolve", "--mime", "text/x-foo")
        == ["dyn.ah62d4r34gq81k3p2su11uppgr71u\ttext/x-foo"])
    let object = try #require(JSON(try registry("resolve", "--json", "--extension", "ts").text))
    #expect(object["owners"]?.array?.last?["identifier"]?.string == "com.microsoft.typescript")
  }

  @Test("A file has types by its name, by its content, and by both")
  func files() throws {
    func first(_ name: String, _ evidence: String) throws -> String? {
      try output("resolve", "--file", "\(home.path)/\(name)", "--by", evidence).first.map {
        String($0.prefix { $0 != "\t" })
      }
    }
    #expect(try first("data.tar.gz", "name") == "org.gnu.gnu-zip-tar-archive")
    #expect(try first("IMAGE.JPG", "name") == "public.jpeg")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    try home.write(png, to: "picture")
    #expect(try first("picture", "content") == "public.png")
    #expect(try first("picture", "both") == "public.png")
    try home.write(Array("let a = 1\n".utf8), to: "main.ts")
    #expect(try first("main.ts", "content") == "public.plain-text")
    #expect(try first("main.ts", "both") == "com.microsoft.typescript")
    #expect(try first("main.ts", "name") == "public.mpeg-2-transport-stream")
    #expect(try registry("resolve", "--file", "\(home.path)/missing").isFailure(6))
    #expect(try first("missing.md", "name") == "net.daringfireball.markdown")
  }

  @Test(
    "With the system's MIME database its rules decide, and its names are told",
    .enabled(if: Files.exists("/usr/share/mime/mime.cache")))
  func filesByDatabase() throws {
    func first(_ name: String, _ evidence: String) throws -> String? {
      let result = try run(
        Programs.clipview,
        ["registry", "resolve", "--file", "\(home.path)/\(name)", "--by", evidence],
        environment: Programs.environment([
          "XDG_CONFIG_HOME": home.path, "XDG_DATA_HOME": home.path, "XDG_DATA_DIRS": "/usr/share",
        ]), timeout: 20)
      #expect(result.status == 0 && result.errors == "", "\(result)")
      return lines(result.output).first
    }
    #expect(try first("main.C", "name") == "public.c-plus-plus-source\ttext/x-c++src")
    #expect(try first("x.c", "name") == "public.c-source\ttext/x-csrc")
    #expect(try first("IMAGE.JPG", "name") == "public.jpeg\timage/jpeg")
    #expect(
      try first("a.tar.gz", "name") == "org.gnu.gnu-zip-tar-archive\tapplication/x-compressed-tar")
    #expect(try first("photo.heic", "name")?.hasPrefix("public.heic\t") == true)
    #expect(try first("photo.heif", "name")?.hasPrefix("public.heif\t") == true)
    #expect(try first("song.m4a", "name")?.hasPrefix("com.apple.m4a-audio\t") == true)
    try home.write(Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 100), to: "a.docx")
    #expect(try first("a.docx", "content") == "public.zip-archive\tapplication/zip")
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    #expect(
      try first("a.docx", "both") == "org.openxmlformats.wordprocessingml.document\t\(word)")
    #expect(try first(".", "both") == "public.folder\tinode/directory")
  }

  @Test("The tree is one: each type below its parents, marked where it has several")
  func tree() throws {
    let lines = try output("tree", "public.archive")
    #expect(lines.first == "public.archive")
    #expect(lines.contains { $0.hasPrefix("├── ") } && lines.contains { $0.contains("└── ") })
    #expect(lines.contains { $0.contains("org.gnu.gnu-zip-archive  (also public.data)") })
    #expect(
      lines.contains { $0.hasPrefix("│   ") && $0.contains("── org.gnu.gnu-zip-tar-archive") })
    let all = try output("tree")
    let listed = try output("list")
    #expect(listed.count > 768 && Set(listed).count == listed.count)
    for name in listed {
      #expect(
        all.contains { $0 == name || $0.contains(" \(name)") || $0.hasPrefix(name) }, "\(name)")
    }
    #expect(all.contains { $0.contains("(also ") && $0.contains("… above") })
    let object = try #require(JSON(try registry("tree", "--json", "public.rtf").text))
    #expect(object["tree"]?.array?.first?["identifier"]?.string == "public.rtf")
  }

  @Test(
    "What cannot be understood is a usage error",
    arguments: [
      [], ["shwo"], ["show"], ["show", "png", "surplus"], ["conforms", "png"],
      ["list", "png"], ["resolve"], ["resolve", "--extension"], ["resolve", "png"],
      ["resolve", "--extension", "a", "--mime", "b/c"], ["resolve", "--extension", "a/b"],
      ["resolve", "--extension", ""], ["resolve", "--mime", "text"], ["resolve", "--target", ""],
      ["resolve", "--file", "x", "--by", "guess"], ["resolve", "--mime", "a/b", "--by", "name"],
      ["show", "png", "--extension", "png"], ["resolve", "--file", ""],
    ])
  func usageErrors(arguments: [String]) throws {
    let result = try run(
      Programs.clipview, ["registry"] + arguments, environment: Programs.environment(), timeout: 20)
    #expect(result.isFailure(2), "\(result)")
  }

  @Test("A subcommand that was probably meant is named")
  func suggestion() throws {
    #expect(try registry("shwo").errors.contains("'show'"))
  }
}

extension OnDisplay {
  @Suite("Types of one's own")
  struct UserTypeTests {
    let desk: Desk
    let home = TemporaryDirectory()

    init() throws {
      desk = try Desk()
      try Files.makeDirectory("\(home.path)/clipview")
      try Files.makeDirectory("\(home.path)/clipview/types.d")
    }

    private static let header =
      "identifier\tconforms_to\textensions\tmime_types\ttargets\tpasteboard_names\tostypes\taliases"
      + "\tdescription\tnotes\n"

    private func declare(_ text: String, in name: String) throws {
      try home.write(Array(text.utf8), to: "clipview/types.d/\(name)")
    }

    private var environment: [String: String] { ["XDG_CONFIG_HOME": home.path] }

    private func clipview(_ arguments: String..., input: [UInt8]? = nil) throws -> ProcessResult {
      try run(
        Programs.clipview, arguments, input: input,
        environment: desk.server.environment(environment), timeout: 20)
    }

    @Test("They are known to copy, types, show and paste")
    func inUse() throws {
      try declare(
        Self.header + "org.example.diary\tpublic.plain-text\tdiary\tapplication/x-diary\n",
        in: "mine.tsv")
      let file = try home.write(Array("dear diary\n".utf8), to: "a.diary")
      #expect(try clipview("copy", file).isSilentSuccess)
      #expect(lines(try clipview("types").output).first == "application/x-diary")
      let identifiers = lines(try clipview("types", "--identifiers").output)
      #expect(identifiers.first == "org.example.diary")
      #expect(try clipview("show").text.contains("org.example.diary"))
      #expect(try clipview("paste", "-t", "org.example.diary").text == "dear diary\n")
      #expect(try clipview("paste", "-t", ".diary").text == "dear diary\n")
      #expect(try clipview("paste", "--as", "text").text == "dear diary\n")
      #expect(try clipview("paste", "--accept", "org.example.diary").text == "dear diary\n")
    }

    @Test("The name image/jpg is understood everywhere and written nowhere")
    func neverJPG() throws {
      let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8)
      let named = try home.write(picture, to: "picture.jpg")
      let bare = try home.write(picture, to: "picture")
      for copy in [
        [named], [bare], ["-t", "image/jpg", bare], ["-t", "image/jpg", "--only", bare],
        ["--text", "x", "--also", "image/jpg=\(bare)"],
      ] {
        let copied = try run(
          Programs.clipview, ["copy"] + copy, environment: desk.server.environment(environment),
          timeout: 20)
        #expect(copied.isSilentSuccess, "\(copied)")
        let types = lines(try clipview("types", "--all").output)
        #expect(types.contains("image/jpeg") && !types.contains("image/jpg"), "\(copy): \(types)")
        #expect(try clipview("paste", "-t", "image/jpg").output == picture)
        let shown = try clipview("show", "--json").text
        #expect(shown.contains("image/jpeg") && !shown.contains("image/jpg"))
      }
      for way in [
        ["--mime", "image/jpg"], ["--mime", "IMAGE/JPG;q=1"], ["--target", "image/jpg"],
        ["--extension", "jpg"], ["--file", named],
      ] {
        let resolved = try run(
          Programs.clipview, ["registry", "resolve"] + way,
          environment: desk.server.environment(environment), timeout: 20)
        #expect(resolved.text == "public.jpeg\timage/jpeg\n", "\(way): \(resolved)")
      }
      let type = try #require(JSON(try clipview("registry", "show", "--json", "image/jpg").text))
      #expect(type["identifier"]?.string == "public.jpeg")
      #expect(type["mime_types"]?.array?.first?.string == "image/jpeg")
    }

    @Test("What is wrong in a file is told with its line and keeps nothing from its work")
    func brokenFile() throws {
      try declare(
        Self.header + "org.example.fine\tpublic.data\tfine\nbroken row\npublic.png\t\tmd\n",
        in: "10-mine.tsv")
      try declare("bplist00", in: "20-app.plist")
      try declare("nonsense", in: ".hidden")
      try declare("nonsense", in: "backup~")
      let result = try clipview("registry", "resolve", "--extension", "fine")
      #expect(result.text == "org.example.fine\t-\n" && result.status == 0)
      #expect(result.errors.contains("10-mine.tsv:3:") && result.errors.contains("20-app.plist:1:"))
      #expect(!result.errors.contains("hidden") && !result.errors.contains("backup"))
      #expect(lines(Array(result.errors.utf8)).count == 2)
      try desk.copy("text")
      #expect(try clipview("paste").text == "text")
      #expect(try clipview("paste", "-t", "png").isFailure(1))
      let doctor = try clipview("doctor", "--json")
      #expect(doctor.status == 6)
      let findings = try #require(JSON(doctor.text)?["findings"]?.array)
        .filter { $0["subject"]?.string == "types" }
      let verdicts = findings.map { $0["verdict"]?.string ?? "" }
      #expect(verdicts.sorted() == ["fault", "fault", "note", "note"], "\(findings)")
      #expect(findings.contains { $0["message"]?.string?.contains("binary") == true })
      #expect(findings.contains { $0["message"]?.string?.contains("'md'") == true })
    }

    @Test("A pipe among the declarations, to which nobody writes, holds nobody up")
    func pipeAmongFiles() throws {
      try Files.makePipe("\(home.path)/clipview/types.d/pipe")
      try desk.copy("text")
      #expect(try clipview("paste").text == "text")
      let result = try clipview("registry", "show", "png")
      #expect(result.status == 0 && result.isOneMessage)
    }

    @Test("A file without a fault is fine with the doctor")
    func healthyFile() throws {
      try declare(Self.header + "org.example.fine\tpublic.data\tfine\n", in: "mine.tsv")
      let doctor = try clipview("doctor")
      #expect(doctor.status == 0)
      #expect(doctor.text.contains("1 file of type declarations"))
    }
  }
}
