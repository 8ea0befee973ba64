/// What is known of the display that selections live on.
package struct DisplayFacts: Hashable, Sendable {
  /// Its name, as in `DISPLAY`.
  package let name: String
  /// The program that serves it, and its version.
  package let server: String
  /// Whether it reports when a selection changes hands.
  package let reportsOwnerChanges: Bool

  package init(name: String, server: String, reportsOwnerChanges: Bool) {
    self.name = name
    self.server = server
    self.reportsOwnerChanges = reportsOwnerChanges
  }
}
