import TestSupport
import Testing

/// Swift's runtime libraries are one object each: one call brings all of it into the release programs, and the
/// work that it does at each start (Documentation/adr/0011).
@Suite("What the programs are linked with")
struct LinkedLibrariesTests {
  private static let unwanted = [
    "$s5Glibc": "the Swift part of Glibc, which brings libm: see SystemIO/CLibrary.swift",
    "$ss15ContinuousClock": "a clock of Swift's, which brings Concurrency and Dispatch",
    "$ss15SuspendingClock": "a clock of Swift's, which brings Concurrency and Dispatch",
    "swift_task_": "async, which brings Concurrency and Dispatch",
    "17_StringProcessing": "regular expressions, or contains(_: String)",
    "10Foundation": "Foundation",
  ]

  @Test("No object of the programs refers to a library that is not worth its start")
  func librariesStayAway() throws {
    // The objects lie beside the program that runs these tests. C alone calls nothing of Swift's.
    let targets = Repository.entries(of: "Sources").filter(\.isDirectory).map(\.name)
      .filter { !Repository.files(under: "Sources/\($0)", named: ".swift").isEmpty }
    try #require(targets.count > 10)
    var faults: Set<String> = []
    for target in targets {
      let said = try run(
        "/bin/sh", ["-c", "nm -A -u \"$0\"/*.o", "\(Programs.buildDirectory)/\(target).build"],
        environment: ["PATH": "/usr/bin:/bin"], timeout: 60)
      try #require(said.status == 0, "\(target): \(said)")
      for line in said.text.split(separator: "\n") {
        for (part, library) in Self.unwanted where line.contains(part) {
          let file = line.prefix { $0 != ":" }.split(separator: "/").last ?? ""
          faults.insert("\(file): \(library)")
        }
      }
    }
    #expect(faults.sorted() == [])
  }
}
