import TestSupport
import Testing

extension InSway {
  @Suite("Every command in sway")
  struct CommandTests {
    let desk: SwayDesk

    init() throws { desk = try SwayDesk() }

    @Test("types and show tell what is offered; show --json has no owner")
    func typesAndShow() throws {
      try desk.wlCopy(Array("<b>x</b>".utf8), ["-t", "text/html"])
      #expect(lines(try desk.clipview("types").output).first == "text/html")
      let shown = try desk.clipview("show")
      #expect(shown.status == 0)
      #expect(shown.text.contains("public.html"))
      let object = try #require(JSON(try desk.clipview("show", "--json").text))
      #expect(object["backend"]?.string == "wayland")
      #expect(object["owner"] == .null)
      let first = object["items"]?.array?.first?["representations"]?.array?.first
      #expect(first?["target"]?.string == "text/html")
      #expect(first?["bytes"]?.int == 8)
    }

    @Test("An empty clipboard is exit 1 at once, zero bytes are content (C23)")
    func c23EmptyAndNothing() throws {
      for command in ["paste", "types", "show", "plain"] {
        #expect(try desk.clipview(command).status == 1, "\(command)")
      }
      #expect(try desk.clipview("clear").isSilentSuccess)
      try desk.wlCopy([], ["-t", "text/plain"])
      let pasted = try desk.clipview("paste")
      #expect(pasted.isSilentSuccess, "\(pasted)")
      try desk.copy([])
      #expect(try desk.clipview("paste").isSilentSuccess)
      #expect(try desk.wlPaste("-n").status == 0)
      #expect(try desk.clipview("clear").isSilentSuccess)
      #expect(try desk.wlPaste("-n").status == 1)
    }

    @Test("Markdown is offered with what can be made from it, made when it is asked for")
    func madeRepresentations() throws {
      try desk.copy(Array("# Title\n".utf8), "-t", "markdown")
      let types = lines(try desk.clipview("types").output)
      #expect(types.first == "text/markdown")
      #expect(types.contains("text/plain;charset=utf-8"))
      #expect(try desk.wlPaste("-n").text == "# Title\n")
      try desk.copy(Array("<p>a <b>b</b></p>".utf8), "-t", "html")
      #expect(try desk.wlPaste("-n", "-t", "text/html").text == "<p>a <b>b</b></p>")
      #expect(try desk.wlPaste("-n", "-t", "text/plain").text.contains("a b"))
    }

    @Test("plain and flat replace the clipboard by its text")
    func reshaping() throws {
      try desk.wlCopy(Array("<b>x</b>".utf8), ["-t", "text/html"])
      try desk.copy(Array("a\nb\n".utf8), "-t", "html")
      try desk.copy(Array("a\nb\n".utf8))
      #expect(try desk.clipview("flat").isSilentSuccess)
      #expect(try desk.wlPaste("-n").text == "a b")
      #expect(try desk.clipview("plain").isSilentSuccess)
      #expect(text(try desk.paste()) == "a b")
    }

    @Test("What was saved is loaded: the same types, the same order, the same bytes")
    func saveAndLoad() throws {
      let directory = TemporaryDirectory()
      let file = "\(directory.path)/saved.clip"
      try desk.copy(Array("<i>y</i>".utf8), "-t", "html")
      let types = try desk.clipview("types", "--all").text
      #expect(try desk.clipview("save", file).isSilentSuccess)
      try desk.copy(Array("other".utf8))
      #expect(try desk.clipview("load", file).isSilentSuccess)
      #expect(try desk.clipview("types", "--all").text == types)
      #expect(try desk.wlPaste("-n", "-t", "text/html").text == "<i>y</i>")
    }

    @Test("doctor finds a healthy session and says what it is")
    func doctorInSway() throws {
      try desk.copy(Array("x".utf8))
      let result = try desk.clipview("doctor")
      #expect(result.status == 0, "\(result)")
      #expect(result.text.contains("sway, wlr-data-control version 2"))
      #expect(result.text.contains("healthy"))
    }

    @Test("Once is one paste")
    func onceInSway() throws {
      try desk.copy(Array("secret".utf8), "--once")
      #expect(try desk.wlPaste("-n", "-t", "text/plain").text == "secret")
      #expect(eventually { (try? desk.clipview("types").status) == 1 })
      #expect(eventually { desk.servers == [] })
    }

    @Test("Content expires, and guarded content is exit 5")
    func expiryAndGuard() throws {
      try desk.copy(Array("x".utf8), "--expire", "0.3")
      #expect(text(try desk.paste()) == "x")
      #expect(eventually { (try? desk.clipview("types").status) == 1 })
      try desk.copy(Array("y".utf8), "--guard", "60")
      let guarded = try desk.clipview("paste")
      #expect(guarded.isFailure(5), "\(guarded)")
      #expect(try desk.wlPaste("-n", "-t", "text/plain").output == [])
      #expect(try desk.clipview("types").status == 0)
    }

    @Test("An offer that says that it is secret has no preview")
    func secretsInSway() throws {
      try desk.copy(Array("hunter2".utf8), "--sensitive")
      #expect(try desk.wlPaste("-n", "-t", "x-kde-passwordManagerHint").text == "secret")
      let shown = try desk.clipview("show")
      #expect(!shown.text.contains("hunter2"))
      #expect(shown.text.contains("secret"))
      #expect(try desk.clipview("save", "-").status == 5)
    }

    @Test("Files are copied as file managers do")
    func filesInSway() throws {
      let directory = TemporaryDirectory()
      let path = "\(directory.path)/a b.txt"
      try Files.write([1], to: try Files.open(path, 0o101))
      try desk.copy(nil, "--files", path)
      #expect(text(try desk.paste("--as", "files")) == "\(path)\n")
      #expect(try desk.wlPaste("-n", "-t", "text/uri-list").text.hasPrefix("file:///"))
      #expect(
        try desk.wlPaste("-n", "-t", "x-special/gnome-copied-files").text.hasPrefix("copy\nfile://")
      )
    }

    @Test("No descriptor of the caller stays open: C30, C31")
    func c31CommandSubstitutionInSway() throws {
      let script =
        "x=$(echo hi | \"$0\" copy 2>&1); echo \"[$x]\"; echo hi | \"$0\" copy 2>&1 | cat"
      let result = try run(
        "sh", ["-c", script, Programs.clipview], environment: desk.compositor.environment(),
        timeout: 10)
      #expect(result.ending == .exited(0), "\(result)")
      #expect(result.text == "[]\n")
      #expect(text(try desk.paste()) == "hi\n")
    }

    @Test("What serves a copy survives the hang-up and the stop of its caller's group (C32)")
    func c32ServerOutlivesItsGroup() throws {
      var options = SpawnOptions(input: .bytes(Array("kept".utf8)))
      options.startsGroup = true
      let child = try ChildProcess(
        Programs.clipview, ["copy"], environment: desk.compositor.environment(), options: options)
      let group = child.pid
      #expect(child.finish(within: 10).isSilentSuccess)
      let serving = try desk.servingProcess()
      #expect(Processes.session(of: serving) == serving)
      for signal: Int32 in [1, 19] { Processes.send(signal: signal, to: -group) }
      #expect(try desk.wlPaste("-n").text == "kept")
    }

    @Test(
      "Displays and seats by name; what is not there is exit 3",
      arguments: [
        (["--wayland-display", "wayland-59999"], "cannot open Wayland display"),
        (["--backend", "wayland", "--seat", "nope"], "there is no seat 'nope': there is 'seat0'"),
        (["-s", "secondary"], "has no secondary selection"),
      ])
    func absentThings(_ arguments: [String], _ message: String) throws {
      for command in [["paste"], ["copy", "--text", "x"], ["clear"]] {
        let result = try run(
          Programs.clipview, command + arguments, environment: desk.compositor.environment(),
          timeout: 10)
        #expect(result.isFailure(3), "\(result)")
        #expect(result.errors.contains(message), "\(result)")
      }
    }

    @Test("A display by its path, a seat by its name")
    func presentThings() throws {
      try desk.copy(Array("x".utf8))
      let path = "\(desk.compositor.directory)/\(desk.compositor.display)"
      let environment = Programs.environment()
      let result = try run(
        Programs.clipview, ["paste", "--wayland-display", path, "--seat", "seat0"],
        environment: environment, timeout: 10)
      #expect(result.text == "x", "\(result)")
    }

    @Test(
      "A dead X display is not asked where Wayland works, and the other way round it is said",
      arguments: [":59999"])
    func deadXDisplay(_ display: String) throws {
      try desk.copy(Array("x".utf8))
      let environment = ["DISPLAY": display]
      let both = try desk.clipview("paste", "-v", environment: environment)
      #expect(both.text == "x")
      #expect(!both.errors.contains("X display"))
      let x11 = try desk.clipview("paste", "--backend", "x11", environment: environment)
      #expect(x11.isFailure(3), "\(x11)")
    }
  }
}
