import TestSupport
import Testing

/// The folders of all captured clipboards.
private let names = Files.names(in: Fixtures.path("clipboards"))
  .filter { $0.contains("-x11-") }.sorted()

extension OnDisplay {
  @Suite("Every captured clipboard, read back")
  struct EveryCaptureTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("There is something to read back")
    func capturesAreThere() {
      #expect(names.count >= 40)
    }

    @Test("types --all says every target in the owner's order and spelling", arguments: names)
    func targetsAreListed(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let result = try desk.clipview("types", "--all")
      #expect(result.status == 0, "\(result)")
      #expect(lines(result.output) == capture.offered)
      withExtendedLifetime(owner) {}
    }

    @Test("paste -t gives every target byte for byte", arguments: names)
    func targetsAreRead(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      for target in capture.targets {
        let bytes = try desk.paste("-t", target.name)
        #expect(difference(bytes, target.bytes) == nil, "\(target.name)")
      }
      withExtendedLifetime(owner) {}
    }

    @Test(
      "What is offered and refused is exit 1, and nothing else is given for it", arguments: names)
    func refusedTargets(name: String) throws {
      let capture = try Capture(name)
      let owner = try desk.owner(capture.script)
      let answered = Set(capture.targets.map(\.name))
      let protocolTargets: Set = ["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"]
      for target in Set(capture.offered) where !answered.contains(target) {
        if protocolTargets.contains(target) { continue }
        let result = try desk.clipview("paste", "-t", target)
        #expect(result.isFailure(1), "\(target): \(result)")
      }
      withExtendedLifetime(owner) {}
    }
  }
}
