import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("Secrets and the service", .enabled(if: XServer.isExpected))
  struct SecretTests {
    let server: XServer
    let peer: RawPeer
    let directory = TemporaryDirectory()
    let capture: Capture
    /// The password as text.
    let secret: [UInt8]

    init() throws {
      server = try XServer()
      peer = try RawPeer(server)
      capture = try Capture("keepassxc-x11-password")
      secret = try #require(capture["UTF8_STRING"])
    }

    private func start(
      settings: String = "", environment more: [String: String] = [:]
    ) throws -> Daemon {
      let homes = ["STATE", "CACHE", "CONFIG", "DATA"].map {
        ("XDG_\($0)_HOME", "\(directory.path)/\($0)")
      }
      var environment = Dictionary(uniqueKeysWithValues: homes)
      environment["DISPLAY"] = server.display
      environment["HOME"] = directory.path
      environment.merge(more) { $1 }
      return try Daemon(in: directory, settings: settings, environment: environment)
    }

    private func clipboard(_ daemon: Daemon) throws -> JSON? {
      try daemon.json("status")["pasteboards"]?.array?.first {
        $0["name"]?.string == "clipboard" && $0["display"] != .null
      }
    }

    private func isSensitive(_ daemon: Daemon) throws -> Bool {
      try clipboard(daemon)?["sensitive"]?.bool == true
    }

    /// A program that has copied the secret and does not say so.
    private func withoutMark() throws -> BackgroundPeer {
      try BackgroundPeer(
        server,
        owning: OwnerScript([RawTarget("UTF8_STRING", secret), RawTarget("STRING", secret)]))
    }

    /// Waits until somebody has read all of an owner's text, once for each time it was asked.
    private func waitForRead(_ owner: BackgroundPeer) {
      #expect(eventually { owner.requests.contains("UTF8_STRING") })
      #expect(eventually { owner.answersSent == owner.requests.count })
    }

    private func end(_ owner: inout BackgroundPeer?) throws {
      withExtendedLifetime(owner) {}
      owner = nil
      #expect(try eventually { try peer.owner(of: "CLIPBOARD") == 0 })
    }

    /// All files below a directory, sockets and the like left out.
    private func files(below path: String) throws -> [String] {
      let found = try run(
        "find", [path, "-type", "f"], environment: Programs.environment())
      return found.text.split(separator: "\n").map(String.init)
    }

    @Test(
      "Of a password that was offered, read, cleared and offered again no byte is left anywhere")
    func bytesAreNowhere() throws {
      let daemon = try start(settings: "log = verbose\n")
      // There is something to be found where one looks.
      try daemon.copy("harmless")
      var owner: BackgroundPeer? = try BackgroundPeer(server, owning: capture.script)
      #expect(try eventually { try isSensitive(daemon) })
      // By the service: nobody else has asked yet.
      owner.map(waitForRead)
      #expect(try daemon.clipview("paste").output == secret)
      #expect(try peer.ask("UTF8_STRING").value?.bytes == secret)
      let shown = try daemon.clipview("show")
      #expect(!contains(shown.output, secret), "\(shown)")
      try end(&owner)
      #expect(try daemon.clipview("paste").status == 1)
      #expect(try daemon.clipview("clear").status == 0)

      owner = try BackgroundPeer(server, owning: capture.script)
      #expect(try eventually { try isSensitive(daemon) })
      try end(&owner)
      owner = try withoutMark()
      #expect(try eventually { try isSensitive(daemon) })
      #expect(try daemon.clipview("paste").output == secret)
      try end(&owner)
      // What programs hand over with its mark, and without.
      for options in [["--sensitive"], []] {
        for place in ["clipboard", "notes"] {
          let copied = try run(
            Programs.clipview, ["copy", "-s", place] + options, input: secret,
            environment: daemon.environment)
          #expect(copied.status == 0, "\(copied)")
          let shown = try daemon.clipview("show", "-s", place)
          #expect(!contains(shown.output, secret), "\(shown)")
        }
      }
      let status = try daemon.clipview("status")
      var written = ["the log": Array(daemon.log.utf8), "status": status.output]
      for home in [directory.path] {
        for file in try files(below: home) { written[file] = try Files.read(file) }
      }
      #expect(written.keys.contains { $0.hasSuffix("pasteboard-notes") } == false)
      #expect(written.count >= 3, "\(written.keys)")
      for (name, needle) in try needles() {
        for (place, bytes) in written {
          #expect(!contains(bytes, needle), "\(name) in \(place)")
        }
      }
    }

    /// The secret in the forms in which programs write things down.
    private func needles() throws -> [String: [UInt8]] {
      let units = Array(text(secret).utf16)
      let base64 = try run(
        "base64", ["-w", "0"], input: secret, environment: Programs.environment()
      ).text
      let hexadecimal = secret.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }
      return [
        "UTF-8": secret,
        "a part": Array(secret.prefix(6)),
        "UTF-16, little": units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        "UTF-16, big": units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        // The last digits depend on what follows.
        "base64": Array(base64.utf8.prefix(secret.count / 3 * 4)),
        "hexadecimal": Array(hexadecimal.joined().utf8),
      ]
    }

    @Test(
      "A secret that was copied through it is known when a program copies it anew without the mark")
    func knownAgain() throws {
      let daemon = try start()
      let copied = try daemon.clipview("copy", "--sensitive", input: secret)
      #expect(copied.status == 0)
      #expect(try isSensitive(daemon))
      let padded = Array(" ".utf8) + secret + [10]
      var owner: BackgroundPeer? = try BackgroundPeer(
        server,
        owning: OwnerScript([RawTarget("text/html", "<b>"), RawTarget("UTF8_STRING", padded)]))
      #expect(try eventually { try isSensitive(daemon) })
      #expect(try clipboard(daemon)?["bytes"]?.int == 0)
      let shown = try daemon.json("show")
      #expect(shown["sensitive"]?.bool == true)
      #expect(try daemon.clipview("show").text.contains("secret"))
      try end(&owner)
      #expect(!daemon.log.contains(" kept "))
      // What is not that text is kept as ever.
      owner = try BackgroundPeer(server, owning: OwnerScript("UTF8_STRING", "harmless"))
      #expect(try eventually { try clipboard(daemon)?["bytes"]?.int == 8 })
      #expect(try !isSensitive(daemon))
    }

    @Test("One that is copied through it without the mark gets the marks")
    func marksAreAdded() throws {
      let daemon = try start()
      #expect(try daemon.clipview("copy", "-s", "notes", "--sensitive", input: secret).status == 0)
      for place in ["clipboard", "notes", "other"] {
        #expect(try daemon.clipview("copy", "-s", place, input: secret).status == 0)
        let types = try daemon.clipview("types", "-s", place).text
        #expect(types.contains("x-kde-passwordManagerHint"), "\(place): \(types)")
        #expect(try daemon.clipview("paste", "-s", place).output == secret)
      }
      #expect(Files.names(in: "\(directory.path)/clipview/current") == [])
    }

    @Test("Of another program's secret the text is read, once; and nothing where it is not wanted")
    func readOnce() throws {
      for (settings, environment, reads) in [
        ("", [:], ["UTF8_STRING"]), ("remember-secrets = no\n", [:], []),
        ("", ["WAYLAND_DISPLAY": "wayland-that-is-not-there"], []),
      ] as [(String, [String: String], [String])] {
        let daemon = try start(settings: settings, environment: environment)
        var owner: BackgroundPeer? = try BackgroundPeer(server, owning: capture.script)
        #expect(try eventually { try isSensitive(daemon) })
        if !reads.isEmpty { owner.map(waitForRead) }
        // The same without the mark is read like any other content, behind whatever was to come.
        let copy = try withoutMark()
        #expect(eventually { copy.requests.contains("UTF8_STRING") })
        #expect(owner?.requests.filter { $0 != "TARGETS" } == reads)
        #expect(
          try eventually {
            try reads.isEmpty ? clipboard(daemon)?["bytes"]?.int != 0 : isSensitive(daemon)
          })
        try copy.release()
        owner = nil
        #expect(daemon.end().ending == .exited(0))
      }
    }

    @Test("A secret for one paste is not used up")
    func onceIsLeftAlone() throws {
      let daemon = try start()
      let copied = try daemon.clipview(
        "copy", "--backend", "x11", "--sensitive", "--once", input: secret)
      #expect(copied.status == 0)
      #expect(try eventually { try isSensitive(daemon) })
      let owner = try BackgroundPeer(
        server, owning: OwnerScript("UTF8_STRING", "selected"), selection: "PRIMARY")
      #expect(try daemon.clipview("paste").output == secret)
      withExtendedLifetime(owner) {}
    }
  }
}
