import TestSupport
import Testing

extension OnDisplay {
  @Suite("Many readers at once")
  struct ManyReadersTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("Readers that stall share the text in the charset they asked for", arguments: ["STRING"])
    func stalledReaders(target: String) throws {
      let content = Array(String(repeating: "naïve, sixteen b", count: 240_000).utf8)
      try desk.copy(content)
      let server = try #require(desk.servers.first)
      let readers = try (1...20).map { _ in try RawPeer(desk.server) }
      for reader in readers {
        guard case .stalled(let value) = try reader.ask(target, chunkLimit: 1) else {
          Issue.record("\(target) does not come by INCR")
          return
        }
        #expect(value.type == target)
      }
      let memory = try #require(Processes.anonymousMemory(of: server))
      #expect(memory < content.count + (40 << 20))
    }
  }
}
