import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Errors of the server")
  struct ErrorTests {
    @Test("Each is kept with its serial until it is taken, however many come at once")
    func everyErrorIsKept() throws {
      let connection = try X11Connection(displayName: try Bench.sharedServer().display)
      let nowhere = WindowID(connection.window.rawValue + 0x1000)
      for _ in 0..<2 {
        let first = connection.nextSerial
        for _ in 0..<1000 {
          connection.setProperty(
            WellKnownAtoms.string, of: nowhere, type: WellKnownAtoms.integer, values: [1])
        }
        // The answer to a question comes after them.
        _ = connection.owner(of: WellKnownAtoms.primary)
        var errors: [X11Connection.ReportedError] = []
        while let error = connection.takeError() { errors.append(error) }
        #expect(errors.map(\.serial) == (0..<1000).map { first + UInt($0) })
        let areOfTheWindow = errors.allSatisfy { $0.resource == nowhere.rawValue }
        #expect(areOfTheWindow)
      }
    }
  }
}
