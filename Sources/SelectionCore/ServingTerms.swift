/// On which terms content is served at this moment: what `application/x-clipview-terms` says, so that
/// a reader that is refused can tell why, and one that only looks does not use up what is served once.
///
/// `{"schema":1,"guard_milliseconds":7250,"lifetime_milliseconds":60000,"once":true,"taken":false}`;
/// see Documentation/protocols/terms-marker.md.
package struct ServingTerms: Hashable, Sendable {
  package static let target = "application/x-clipview-terms"

  /// How long nobody gets the content yet; nil where it is not guarded.
  package var guardTime: Duration?
  /// How long the content stays; nil for until it is replaced.
  package var lifetime: Duration?
  /// Whether one paste is all that is served.
  package var isOnce = false
  /// Whether that paste is taken.
  package var isTaken = false

  package init() {}

  /// Reads a marker that some peer sent; nil when it is none that we understand.
  package init?(parsing bytes: [UInt8]) {
    guard let document = JSONValue(parsing: bytes), document["schema"] == .integer(1) else {
      return nil
    }
    guardTime = Self.time(document["guard_milliseconds"])
    lifetime = Self.time(document["lifetime_milliseconds"])
    isOnce = document["once"] == .boolean(true)
    isTaken = document["taken"] == .boolean(true)
  }

  private static func time(_ value: JSONValue?) -> Duration? {
    guard case .integer(let milliseconds)? = value, milliseconds >= 0 else { return nil }
    return .milliseconds(milliseconds)
  }

  /// The members of the document, without the number of its schema.
  package var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let guardTime {
      members.append(.init("guard_milliseconds", .integer(Self.milliseconds(guardTime))))
    }
    if let lifetime {
      members.append(.init("lifetime_milliseconds", .integer(Self.milliseconds(lifetime))))
    }
    if isOnce {
      members.append(.init("once", .boolean(true)))
      members.append(.init("taken", .boolean(isTaken)))
    }
    return members
  }

  /// Rounded up: whoever waits that long has waited long enough.
  private static func milliseconds(_ time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    let part = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
    return overflow ? .max : whole + part
  }

  package var bytes: [UInt8] {
    Array(JSONValue.object([.init("schema", .integer(1))] + members).description.utf8)
  }

  /// What a new offer of the same content has to be served by, so that no limit is lost on the way.
  package var remainingPolicy: ServingPolicy {
    var policy = ServingPolicy()
    policy.isOnce = isOnce
    policy.lifetime = lifetime
    policy.guardTime = guardTime
    return policy
  }
}
