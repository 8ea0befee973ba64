import TestSupport
import Testing

@testable import WaylandBackend

/// Runs a story many times, and expects that none of it leaves a descriptor open.
///
/// For a process of its own (an exit test), where no other test opens anything. What is opened once, the
/// libraries and whatever the runtime opens for itself when it likes, is less than one for each time.
func expectNothingLeft(
  by name: String, times: Int = 16, sourceLocation: SourceLocation = #_sourceLocation,
  _ story: () throws -> Void
) {
  func tell() {
    // An error that is thrown out of an exit test is not told there.
    do {
      try story()
    } catch {
      Issue.record("\(name): \(error)", sourceLocation: sourceLocation)
    }
  }
  // What a first time needs for itself.
  tell()
  let before = OpenDescriptors()
  for _ in 0..<times { tell() }
  let opened = before.opened(within: 0)
  #expect(opened.count < times, "\(name): \(opened)", sourceLocation: sourceLocation)
}

extension Bench {
  /// Expects that a back-end and the compositor have the same objects, and these are so many.
  ///
  /// An object that only the compositor has was never ended, and its proxy is lost; one that only we
  /// have is of no use to anybody.
  func expectObjects(
    _ count: Int? = nil, of backend: WaylandBackend, at client: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try settle()
    let client = try #require(
      compositor.clients.dropFirst(client).first, sourceLocation: sourceLocation)
    let names = client.resources.map(\.interface.name)
    #expect(
      backend.livingObjects == client.objectCount,
      "\(backend.livingObjects) here, \(client.objectCount) there: \(names)",
      sourceLocation: sourceLocation)
    if let count {
      #expect(
        client.objectCount == count, "\(client.objectCount), not \(count): \(names)",
        sourceLocation: sourceLocation)
    }
  }

  /// Expects that all who were connected have hung up: whoever holds an object holds the connection.
  func expectNobodyLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try settle()
    #expect(
      compositor.clients.isEmpty, "\(compositor.clients.count) are still connected",
      sourceLocation: sourceLocation)
  }
}
