import TestSupport
import Testing

extension OnDisplay {
  @Suite("Doctor")
  struct DoctorTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    /// The verdict on each check, the worst where there are several.
    private func examine(
      _ arguments: String..., status: Int32, environment: [String: String] = [:],
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
      let result = try run(
        Programs.clipview, ["doctor", "--json"] + arguments,
        environment: desk.server.environment(environment), timeout: 30)
      #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
      #expect(result.errors == "", sourceLocation: sourceLocation)
      let object = try #require(JSON(result.text), sourceLocation: sourceLocation)
      #expect(object["schema"]?.int == 1)
      #expect(object["healthy"]?.bool == (status == 0), sourceLocation: sourceLocation)
      let findings = try #require(object["findings"]?.array)
      var verdicts: [String: String] = [:]
      for finding in findings {
        let check = try #require(finding["check"]?.string)
        let verdict = try #require(finding["verdict"]?.string)
        let ranks = ["good": 0, "note": 1, "fault": 2]
        if ranks[verdict, default: 0] >= ranks[verdicts[check] ?? "good", default: 0] {
          verdicts[check] = verdict
        }
        // Every fault says what to do.
        #expect(verdict != "fault" || finding["advice"]?.string?.isEmpty == false, "\(finding)")
      }
      #expect(object["faults"]?.int == findings.count { $0["verdict"]?.string == "fault" })
      return verdicts
    }

    @Test("An empty clipboard is healthy, whatever manages it")
    func emptyClipboard() throws {
      let verdicts = try examine(status: 0)
      #expect(verdicts["display"] == "good")
      #expect(verdicts["changes"] == "good")
      #expect(verdicts["owner"] == "good")
      #expect(verdicts["clipboard-manager"] == "note")
      let manager = try desk.owner(OwnerScript([]), selection: "CLIPBOARD_MANAGER")
      #expect(try examine(status: 0)["clipboard-manager"] == "good")
      withExtendedLifetime(manager) {}
    }

    @Test(
      "What clipview serves is without a fault, on each selection",
      arguments: ["clipboard", "primary", "secondary"])
    func ownCopies(selection: String) throws {
      try desk.copy("# Title\n", "-t", "markdown", "-s", selection)
      let verdicts = try examine("-s", selection, status: 0)
      for check in [
        "targets", "required", "timestamp", "unheard-of", "early", "multiple", "contents",
      ] {
        #expect(verdicts[check] == "good", "\(check): \(verdicts)")
      }
      // And it is still served afterwards.
      #expect(text(try desk.paste("-s", selection)) == "# Title\n")
    }

    @Test("xclip's defects are named: it answers anything, TIMESTAMP with its content")
    func xclip() throws {
      try desk.xclipIn(Array("some text".utf8))
      let verdicts = try examine(status: 6)
      #expect(verdicts["unheard-of"] == "fault")
      #expect(verdicts["timestamp"] == "fault")
      let told = try desk.clipview("doctor")
      #expect(told.status == 6)
      #expect(told.errors == "")
      let window = String(try desk.peer.owner(of: "CLIPBOARD"), radix: 16)
      #expect(told.text.contains("0x\(window)"), "\(told.text)")
      #expect(told.text.contains("✗"))
      #expect(lines(told.output).last?.hasSuffix("faults found") == true, "\(told.text)")
      #expect(!told.text.contains("some text"))
    }

    @Test("An owner that does not answer is a fault, found in time")
    func silentOwner() throws {
      var script = OwnerScript([RawTarget("UTF8_STRING", "text")])
      script.list = .silent
      let owner = try desk.owner(script)
      let verdicts = try examine("--timeout", "0.3", status: 6)
      #expect(verdicts["targets"] == "fault")
      withExtendedLifetime(owner) {}
    }

    @Test("Targets that are listed and refused, silent or of another kind are faults")
    func falsePromises() throws {
      var script = OwnerScript([
        RawTarget("UTF8_STRING", "text"), RawTarget("text/html", "<b>"),
        RawTarget("image/png", type: "STRING", "no picture"), RawTarget("text/rtf", "{}"),
      ])
      script.refused = ["text/html"]
      script.silent = ["text/rtf"]
      let owner = try desk.owner(script)
      let told = try desk.clipview("doctor", "--timeout", "1.5")
      #expect(told.status == 6)
      #expect(told.text.contains("refuses text/html"), "\(told.text)")
      #expect(told.text.contains("does not give text/rtf"), "\(told.text)")
      #expect(told.text.contains("asked for image/png it gives STRING"), "\(told.text)")
      #expect(try examine("--timeout", "1.5", status: 6)["contents"] == "fault")
      withExtendedLifetime(owner) {}
    }

    @Test("Secret content is not asked for")
    func secretContent() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "hunter2"), RawTarget("x-kde-passwordManagerHint", "secret"))
      let told = try desk.clipview("doctor")
      #expect(!told.text.contains("hunter2"))
      #expect(!owner.requests.contains("UTF8_STRING"))
      withExtendedLifetime(owner) {}
    }

    @Test("Names that an owner gives do nothing to the terminal")
    func escapes() throws {
      var script = OwnerScript([RawTarget("x-odd/\u{1B}[31m\u{202E}name", "x")])
      script.refused = ["x-odd/\u{1B}[31m\u{202E}name"]
      let owner = try desk.owner(script)
      let told = try desk.clipview("doctor")
      #expect(told.text.contains("x-odd/␛[31m"))
      for scalar in ["\u{1B}", "\u{202E}"] as [Unicode.Scalar] {
        #expect(!told.text.unicodeScalars.contains(scalar))
      }
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A MIME cache that cannot be used is a fault, told with its path and what to do",
      arguments: [
        ([0, 1, 0, 2], "is cut off"), ([0, 9, 0, 2], "is of version 9.2"),
        // Nine sections that begin within the header.
        (
          [0, 1, 0, 2] + Array([[UInt8]](repeating: [0, 0, 0, 4], count: 30).joined()), "is damaged"
        ),
      ])
    func damagedMIMECache(bytes: [UInt8], words: String) throws {
      let home = TemporaryDirectory()
      try Files.makeDirectory("\(home.path)/mime")
      let cache = try home.write(bytes, to: "mime/mime.cache")
      let environment = ["XDG_DATA_HOME": home.path]
      #expect(try examine(status: 6, environment: environment)["mime-database"] == "fault")
      let told = try desk.clipview("doctor", environment: environment)
      #expect(told.text.contains("\(cache) \(words)"), "\(told.text)")
      #expect(told.text.contains("update-mime-database \(home.path)/mime"), "\(told.text)")
      // And types are known all the same.
      let resolved = try desk.clipview(
        "registry", "resolve", "--extension", "png", environment: environment)
      #expect(resolved.text == "public.png\timage/png\n" && resolved.errors == "")
    }

    @Test("Without a display the report says so")
    func noDisplay() throws {
      let result = try run(
        Programs.clipview, ["doctor"], environment: ["DISPLAY": "", "PATH": "/usr/bin:/bin"])
      #expect(result.status == 6)
      #expect(result.errors == "")
      #expect(result.text.contains("no display"))
      #expect(result.text.contains("→"))
      #expect(lines(result.output).last == "1 fault found")
    }
  }
}
