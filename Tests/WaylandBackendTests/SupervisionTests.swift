import EventLoop
import Pasteboard
import SelectionCore
import SystemIO
import TestSupport
import Testing

@testable import WaylandBackend

extension InFakeCompositor {
  @Suite("What a service sees of a Wayland display")
  struct SupervisionTests {
    /// Each change that a back-end reports, and whether it takes it for its own.
    private final class Changes {
      var all: [(change: SelectionChange, isOurs: Bool)] = []
      var token: SelectionWatchToken?

      init(_ backend: WaylandBackend) throws {
        token = try backend.watch(.clipboard) { [weak self, weak backend] change in
          self?.all.append((change, backend?.isOurs(change, of: .clipboard) ?? false))
        }.get()
      }
    }

    @Test(
      "A back-end knows its own publications from those of others, while they are told already",
      arguments: ControlProtocol.allCases)
    func ownChanges(_ control: ControlProtocol) throws {
      let bench = try Bench(control)
      let service = try bench.backend()
      let other = try bench.backend()
      let changes = try Changes(service)
      try service.publish(offer(["a/b": [1]]), to: .clipboard, onEnd: {}).get()
      #expect(changes.all.map(\.isOurs) == [true])
      try other.publish(offer(["a/b": [2]]), to: .clipboard, onEnd: {}).get()
      #expect(try bench.turn { changes.all.count == 2 })
      #expect(changes.all.map(\.isOurs) == [true, false])
      try service.publish(offer(["a/b": [3]]), to: .clipboard, onEnd: {}).get()
      #expect(changes.all.map(\.isOurs) == [true, false, true])
      try service.clear(.clipboard).get()
      #expect(changes.all.last?.change == .ownerEnded)
      #expect(changes.all.last?.isOurs == false)
    }

    @Test("A supervisor has content refused, and marks given, ahead of what the offer says")
    func supervisedContent() throws {
      let bench = try Bench(.ext)
      let service = try bench.backend()
      let reader = try bench.backend()
      var isGuarded = true
      var refusals: [String] = []
      service.supervisor = ServingSupervisor(
        isGuarded: { $0 == .clipboard && isGuarded },
        onRefusal: { refusals.append("\($0.description) \($1)") })
      var content = offer([
        "a/b": [1], "application/x-clipview-origin": [2],
      ])
      content.serving.isOnce = true
      try service.publish(content, to: .clipboard, onEnd: {}).get()
      #expect(try bench.turn { reader.hasOwner(.clipboard) })
      #expect(try bench.read("a/b", from: reader).get().payload.isEmpty)
      #expect(try bench.read("application/x-clipview-origin", from: reader).bytes == [2])
      #expect(refusals == ["clipboard a/b"])
      isGuarded = false
      #expect(try bench.read("a/b", from: reader).bytes == [1], "not used up")
      #expect(refusals.count == 1)
    }
  }
}
