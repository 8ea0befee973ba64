package import Pasteboard
package import SelectionCore

/// The markers by which programs say that what they copied is secret.
package enum SensitivityMarker {
  /// Markers whose presence is enough, and those that must hold a certain value.
  private static let values: [String: String?] = [
    // KDE's hint, which password managers everywhere set; only `secret` is defined.
    "x-kde-passwordManagerHint": "secret",
    "application/x-copyq-secret": "1",
    "application/x-nspasteboard-concealed-type": nil,
    "org.nspasteboard.ConcealedType": nil,
    "org.nspasteboard.TransientType": nil,
  ]

  /// The markers that our own secrets carry: those by which programs on Linux know one.
  package static var published: [OfferedTarget] {
    let names = [
      "x-kde-passwordManagerHint", "application/x-copyq-secret",
      "application/x-nspasteboard-concealed-type",
    ]
    return names.map { OfferedTarget(name: $0, secretValue(of: $0)) }
  }

  /// The markers among the targets, each once.
  package static func markers(among names: [String]) -> [String] {
    names.filter { values[$0] != nil }.eachOnce
  }

  /// What a marker has to hold to say secret; where its presence is enough, nothing.
  static func secretValue(of marker: String) -> Payload {
    Payload(Array((values[marker].flatMap { $0 } ?? "").utf8))
  }

  /// Whether a marker with this value makes the content secret.
  ///
  /// One that cannot be read does.
  package static func isSecret(_ marker: String, value: Payload?) -> Bool {
    guard let expected = values[marker] else { return false }
    guard let expected, let value else { return true }
    return value.bytes.prefix { $0 != 0 }.elementsEqual(expected.utf8)
  }
}
