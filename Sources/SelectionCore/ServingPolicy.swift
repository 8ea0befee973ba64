/// How long and to whom an offer is served.
package struct ServingPolicy: Hashable, Sendable {
  /// Whether one paste is all that is served.
  package var isOnce = false
  /// The time after which the content is gone; nil for until it is replaced.
  package var lifetime: Duration?
  /// The time for which nobody gets the content.
  package var guardTime: Duration?

  package init() {}

  /// Whether everybody is served until the content is replaced.
  package var isUnlimited: Bool { self == ServingPolicy() }
}
