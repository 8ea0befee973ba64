import SystemIO
import TestSupport
import Testing

extension OnService {
  @Suite("The service")
  struct ServiceTests {
    private func start(
      _ directory: TemporaryDirectory, _ arguments: String...,
      environment: [String: String] = [:]
    ) throws -> ProcessResult {
      try run(
        Programs.clipd, arguments, environment: Daemon.environment(directory, environment))
    }

    @Test("It ends cleanly when it is told to, and takes its socket with it", arguments: [2, 15])
    func endsWhenTold(signal: Int32) throws {
      let daemon = try Daemon()
      #expect(Files.exists(daemon.socket.description))
      daemon.process.send(signal: signal)
      let result = daemon.process.finish(within: 10)
      #expect(result.ending == .exited(0))
      #expect(result.output.isEmpty)
      #expect(!Files.exists(daemon.socket.description))
    }

    @Test("There is one for each user: a second one says so and leaves the first alone")
    func singleInstance() throws {
      let daemon = try Daemon()
      let second = try start(daemon.directory)
      #expect(second.status == 1)
      #expect(second.errors.contains("another clipd"))
      #expect(try daemon.clipview("status").status == 0)
    }

    @Test("What one that was killed left behind is in nobody's way")
    func staleSocket() throws {
      let first = try Daemon()
      first.process.send(signal: 9)
      _ = first.process.finish(within: 10)
      #expect(Files.exists(first.socket.description))
      let status = try first.clipview("status")
      #expect(status.isFailure(3), "\(status)")
      let second = try ChildProcess(
        Programs.clipd, environment: Daemon.environment(first.directory))
      #expect(second.settle { $0.log.contains("ready") })
      #expect(try first.clipview("status").status == 0)
    }

    @Test("Nobody but the user may look into its directory, or connect")
    func permissions() throws {
      let directory = TemporaryDirectory()
      // One that somebody made too open is closed.
      try Files.makeDirectory("\(directory.path)/clipview")
      _ = try run("chmod", ["777", "\(directory.path)/clipview"], environment: [:])
      let process = try ChildProcess(
        Programs.clipd, environment: Daemon.environment(directory))
      #expect(process.settle { $0.log.contains("ready") })
      let modes = try run(
        "stat",
        ["-c", "%a", "clipview", "clipview/control", "clipview/clipd.lock"].map {
          $0.hasPrefix("clipview") ? "\(directory.path)/\($0)" : $0
        }, environment: Programs.environment())
      #expect(modes.text == "700\n600\n600\n")
    }

    @Test("A link in the place of its directory is not followed")
    func linkedDirectory() throws {
      let directory = TemporaryDirectory()
      let elsewhere = TemporaryDirectory()
      _ = try run(
        "ln", ["-s", elsewhere.path, "\(directory.path)/clipview"],
        environment: Programs.environment())
      let result = try start(directory)
      #expect(result.status == 3)
      #expect(elsewhere.names == [])
    }

    @Test("Without a place for its socket it says what to do")
    func noRuntimeDirectory() throws {
      let directory = TemporaryDirectory()
      let result = try start(
        directory, environment: ["XDG_RUNTIME_DIR": "\(directory.path)/missing"])
      #expect(result.status == 3)
      #expect(result.errors.hasPrefix("clipd: "))
    }

    @Test(
      "A command line that cannot be understood is told",
      arguments: [["--bogus"], ["--display"], ["--help=yes"], ["extra"], ["--config="]])
    func usageErrors(arguments: [String]) throws {
      let result = try run(
        Programs.clipd, arguments, environment: Daemon.environment(TemporaryDirectory()))
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.contains("clipd --help"))
    }

    @Test("Help and version are for standard output")
    func helpAndVersion() throws {
      let help = try start(TemporaryDirectory(), "--help")
      #expect(help.status == 0 && help.errors.isEmpty)
      #expect(help.text.contains("usage: clipd"))
      for line in lines(help.text) { #expect(line.count <= 100, "\(line)") }
      let version = try start(TemporaryDirectory(), "--version")
      #expect(version.text.hasPrefix("clipd "))
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

    @Test("status tells whether it runs, and in JSON too")
    func status() throws {
      let daemon = try Daemon()
      let status = try daemon.json("status")
      #expect(status["running"]?.bool == true)
      #expect(status["process"]?.int == Int(daemon.process.pid))
      #expect(status["displays"]?.array == [])
      #expect(try daemon.clipview("status").text.contains("runs as process"))
      _ = daemon.end()
      let gone = try daemon.clipview("status", "--json")
      #expect(gone.status == 3)
      #expect(JSON(gone.text)?["running"]?.bool == false)
    }

    @Test("The service manager is told when it is ready and when it ends")
    func notification() throws {
      let directory = TemporaryDirectory()
      let receiver = try ChildProcess(
        "python3",
        [
          "-u", "-c",
          """
          import socket, sys
          s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
          s.bind(sys.argv[1])
          print("bound")
          while True: print(repr(s.recv(4096)))
          """, "\(directory.path)/notify",
        ], environment: Programs.environment())
      #expect(receiver.settle { text($0.received).contains("bound") })
      let daemon = try Daemon(environment: ["NOTIFY_SOCKET": "\(directory.path)/notify"])
      #expect(receiver.settle { text($0.received).contains("READY=1") })
      daemon.process.send(signal: 1)
      #expect(receiver.settle { text($0.received).contains("RELOADING=1") })
      _ = daemon.end()
      #expect(receiver.settle { text($0.received).contains("STOPPING=1") })
    }

    @Test("A socket that the service manager listens at is taken over")
    func socketActivation() throws {
      let directory = TemporaryDirectory()
      let place = "\(directory.path)/elsewhere"
      let activator = try ChildProcess(
        "python3",
        [
          "-c",
          """
          import os, socket, sys
          s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
          s.bind(sys.argv[1])
          s.listen()
          os.dup2(s.fileno(), 3)
          os.set_inheritable(3, True)
          os.environ["LISTEN_FDS"] = "1"
          os.environ["LISTEN_PID"] = str(os.getpid())
          os.execv(sys.argv[2], [sys.argv[2]])
          """, place, Programs.clipd,
        ], environment: Daemon.environment(directory))
      #expect(activator.settle { $0.log.contains("ready") }, "\(activator.log)")
      let client = try RawClient(FilePath(place))
      try client.send(Array("hello".utf8))
      #expect(try client.receive().isClosed)
      activator.send(signal: 15)
      #expect(activator.finish(within: 10).ending == .exited(0))
      // Whoever made the socket takes it away.
      #expect(Files.exists(place))
    }

    @Test("Idle, it makes no system call, and it is small")
    func idle() throws {
      let daemon = try Daemon()
      try daemon.copy("something small")
      #expect(try daemon.paste() == "something small")
      let pid = daemon.process.pid
      #expect(Processes.comeToRest(pid))
      // How much the program itself takes of 16 MiB is for `make bench-clipd`: this one is not optimised.
      let memory = try #require(Processes.ownMemory(of: pid))
      #expect(memory <= 4 << 20 || Programs.areSanitized, "\(memory)")
    }

    @Test("A large copy that was replaced leaves nothing behind")
    func memoryIsGivenBack() throws {
      let daemon = try Daemon()
      let large = try daemon.directory.write(scrambledBytes(64 << 20), to: "large")
      #expect(try daemon.clipview("copy", "-s", "notes", "-t", "x/large", large).status == 0)
      #expect(try daemon.clipview("paste", "-s", "notes", "-t", "x/large").output.count == 64 << 20)
      let descriptors = OpenDescriptors(of: daemon.process.pid).targets.count
      try daemon.copy("small")
      let pid = daemon.process.pid
      #expect(
        eventually { (Processes.ownMemory(of: pid) ?? 0) <= 4 << 20 }
          || Programs.areSanitized)
      #expect(eventually { OpenDescriptors(of: pid).targets.count <= descriptors })
      #expect(try daemon.json("status")["pasteboards"]?.array?.first?["bytes"]?.int == 5)
    }
  }
}
