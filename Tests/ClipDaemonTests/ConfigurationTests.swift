import SystemIO
import TestSupport
import Testing

@testable import ClipDaemon

@Suite("Configuration")
struct ConfigurationTests {
  @Test("What is not set is as the documentation says")
  func defaults() throws {
    let configuration = try Configuration(parsing: "", from: "config")
    #expect(configuration == Configuration())
    #expect(configuration.maximumOffer == 1 << 30)
    #expect(configuration.maximumClients == 128)
  }

  @Test("Lines set something; empty ones and comments do not")
  func lines() throws {
    let configuration = try Configuration(
      parsing: "\n# a comment\n  log=verbose\r\n\tmaximum-offer =  5M \nmaximum-clients= 7",
      from: "config")
    #expect(configuration.log == .verbose)
    #expect(configuration.maximumOffer == 5 << 20)
    #expect(configuration.maximumClients == 7)
  }

  @Test("What is printed is a file that says the same")
  func roundTrip() throws {
    var configuration = Configuration()
    configuration.log = .quiet
    configuration.maximumOffer = 12_345
    configuration.maximumTotal = 3 << 20
    configuration.maximumPasteboards = 9
    #expect(try Configuration(parsing: configuration.text, from: "config") == configuration)
    for setting in Configuration.settings { #expect(configuration.text.contains(setting.name)) }
  }

  @Test("All faults are told, each with its line")
  func faults() {
    let text = """
      log = loud
      maximum-offer = -1
      nonsense
      colour = \u{1B}[31m
      log = quiet
      maximum-clients = 2
      maximum-pasteboards = 99999999999999999999
      """
    #expect(
      throws: ConfigurationFaults(lines: [
        "f:1: 'log' takes quiet, normal or verbose, not 'loud'",
        "f:2: 'maximum-offer' takes a number of bytes, such as 500M, not '-1'",
        "f:3: a line has a name, '=' and a value",
        "f:4: there is no setting 'colour'",
        "f:5: 'log' is set in line 1 already",
        "f:6: 'maximum-clients' takes a number from 4 to 1000, not '2'",
        "f:7: 'maximum-pasteboards' takes a number from 1 to 1000, not '99999999999999999999'",
      ])
    ) { try Configuration(parsing: text, from: "f") }
  }

  @Test("Options are read in both their forms")
  func options() throws {
    let options = try Options([
      "--display", ":1", "--display=:2", "--wayland-display=wayland-1", "--config", "/f",
    ])
    #expect(options.displays == [":1", ":2"])
    #expect(options.waylandDisplays == ["wayland-1"])
    #expect(options.configuration == "/f")
    #expect(try Options(["--check-config"]).action == .checkConfiguration)
    #expect(try Options(["-h", "--bogus"]).action == .help)
  }
}

extension OnService {
  @Suite("Configuration of a service that runs")
  struct LiveConfigurationTests {
    private func clipd(
      _ directory: TemporaryDirectory, _ arguments: String...
    ) throws -> ProcessResult {
      try run(
        Programs.clipd, arguments,
        environment: Programs.environment(["XDG_CONFIG_HOME": directory.path]))
    }

    @Test("The file of the user is read, printed and checked")
    func usualFile() throws {
      let directory = TemporaryDirectory()
      #expect(try clipd(directory, "--check-config").status == 0)
      try Files.makeDirectory("\(directory.path)/clipview")
      try directory.write(Array("maximum-clients = 44\n".utf8), to: "clipview/config")
      #expect(try clipd(directory, "--print-config").text.contains("maximum-clients = 44\n"))
      #expect(try clipd(directory, "--check-config").status == 0)
      try directory.write(Array("maximum-clients = many\n".utf8), to: "clipview/config")
      let faulty = try clipd(directory, "--check-config")
      #expect(faulty.status == 6)
      #expect(faulty.errors.contains("clipview/config:1: 'maximum-clients' takes"))
      // Nor does it begin with half of what the user wanted.
      #expect(try clipd(directory).status == 6)
    }

    @Test("A file that was named has to be there")
    func namedFile() throws {
      let directory = TemporaryDirectory()
      let result = try clipd(directory, "--check-config", "--config", "\(directory.path)/none")
      #expect(result.status == 6)
    }

    @Test("SIGHUP has it read again; one with faults changes nothing")
    func reload() throws {
      let daemon = try Daemon(settings: "maximum-offer = 10\n")
      let long = try daemon.clipview("copy", "-s", "n", "--text", "longer than ten")
      #expect(long.isFailure(6), "\(long)")
      try daemon.directory.write(Array("maximum-offer = x\n".utf8), to: "config")
      daemon.process.send(signal: 1)
      #expect(daemon.settle("configuration-fault"))
      #expect(try daemon.clipview("copy", "-s", "n", "--text", "longer than ten").status == 6)
      try daemon.directory.write(Array("maximum-offer = 100\n".utf8), to: "config")
      daemon.process.send(signal: 1)
      #expect(daemon.settle("configuration-read"))
      #expect(try daemon.clipview("copy", "-s", "n", "--text", "longer than ten").status == 0)
      #expect(try daemon.paste(from: "n") == "longer than ten")
    }
  }
}
