/// A clipboard that was captured from a real application: what it offered, in its order, and what
/// each target held.
package struct Capture: Sendable {
  package let name: String
  /// All targets, also those without content.
  package let offered: [String]
  /// The targets with their content; protocol targets are left out, as the peer answers these itself.
  package let targets: [RawTarget]

  package enum ReadError: Error { case malformed(String) }

  /// Reads `Tests/Fixtures/clipboards/NAME`.
  package init(_ name: String) throws {
    let directory = Fixtures.path("clipboards/\(name)")
    let manifest = try text(Files.read("\(directory)/manifest.json"))
    guard let entries = JSON(manifest)?["targets"]?.array else { throw ReadError.malformed(name) }
    self.name = name
    offered = entries.compactMap { $0["target"]?.string }
    let protocolTargets: Set = ["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE"]
    targets = try entries.compactMap { entry in
      guard let target = entry["target"]?.string, !protocolTargets.contains(target),
        let file = entry["file"]?.string
      else { return nil }
      // On Wayland an answer has no type but its target's.
      return RawTarget(
        target, type: entry["type_atom"]?.string ?? target, format: entry["format"]?.int ?? 8,
        try Files.read("\(directory)/\(file)"))
    }
  }

  /// An owner that offers what the application did, in its order.
  package var script: OwnerScript {
    var script = OwnerScript(targets)
    script.list = .exactly(offered)
    return script
  }

  /// What a target held.
  package subscript(_ target: String) -> [UInt8]? {
    targets.first { $0.name == target }?.bytes
  }
}

/// Files beside the tests.
package enum Fixtures {
  package static func path(_ name: String, from file: String = #filePath) -> String {
    // Tests/TestSupport/Capture.swift → Tests/Fixtures
    let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(tests)/Fixtures/\(name)"
  }
}
