/// What is known of the display that selections live on.
package struct DisplayFacts: Hashable, Sendable {
  /// The program that serves it, and its version.
  package let server: String
  /// Whether it reports when a selection changes hands.
  package let reportsOwnerChanges: Bool

  package init(server: String, reportsOwnerChanges: Bool) {
    self.server = server
    self.reportsOwnerChanges = reportsOwnerChanges
  }
}
