import TestSupport
import Testing

extension OnDisplay {
  @Suite("Displays that do not answer")
  struct MuteServerTests {
    let server: MuteServer

    init() throws { server = try MuteServer() }

    private var environment: [String: String] {
      Programs.environment(["DISPLAY": server.display])
    }

    @Test(
      "A display that takes the connection and says nothing is exit 4",
      arguments: [["paste"], ["types"], ["copy", "--text", "x"], ["clear"]])
    func muteDisplay(arguments: [String]) throws {
      let result = try run(
        Programs.clipview, arguments + ["--timeout", "0.5"], environment: environment, timeout: 10)
      #expect(result.isFailure(4), "\(result)")
    }

    @Test(
      "A display that ends the connection at once is exit 3",
      arguments: [["paste"], ["copy", "--text", "x"]])
    func hangingUpDisplay(arguments: [String]) throws {
      let child = try ChildProcess(
        Programs.clipview, arguments + ["--timeout", "20"], environment: environment)
      child.settle { child in
        server.hangUp()
        return !child.isRunning
      }
      let result = child.finish(within: 5)
      #expect(result.isFailure(3), "\(result)")
      #expect(result.errors.contains(server.display))
    }
  }
}
