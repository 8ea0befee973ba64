import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("Replacing a directory")
struct DirectoryReplacementTests {
  private let directory = TemporaryDirectory()

  private func replace(
    _ path: FilePath, _ files: [(name: String, text: String)], isPrivate: Bool = false,
    mayReplace: Bool = false, failure: Errno? = nil, beforeEnd: () -> Void = {}
  ) throws(Errno) {
    try unsafe replaceDirectory(
      at: path, isPrivate: isPrivate, names: files.map(\.name), mayReplace: { _ in mayReplace },
      filling: { index, write throws(Errno) in
        try unsafe Array(files[index].text.utf8).withUnsafeBufferPointer { bytes throws(Errno) in
          try unsafe write(UnsafeRawBufferPointer(bytes))
        }
        if index == files.count - 1 {
          beforeEnd()
          if let failure { throw failure }
        }
      })
  }

  private func contents(_ name: String) -> [String: String] {
    let path = "\(directory.path)/\(name)"
    return Dictionary(
      uniqueKeysWithValues: Files.names(in: path).map {
        ($0, (try? text(Files.read("\(path)/\($0)"))) ?? "unreadable")
      })
  }

  @Test("A new directory holds what was written", arguments: ["d", "d/", "d///"])
  func newDirectory(name: String) throws {
    try replace(directory.path(name), [("a", "1"), ("b", "")])
    #expect(contents("d") == ["a": "1", "b": ""])
    #expect(directory.names == ["d"])
  }

  @Test("A directory for one's own eyes and its files can be read by nobody else")
  func privateDirectory() throws {
    try replace(directory.path("d"), [("a", "1")], isPrivate: true)
    #expect(try directory.path("d").mode() == 0o700)
    #expect(try directory.path("d/a").mode() == 0o600)
  }

  @Test("An empty directory is replaced and keeps its permissions")
  func emptyDirectory() throws {
    let place = directory.path("d")
    try blockingSystemCall { unsafe mkdir(place.description, 0o750) }
    try replace(place, [("a", "1")])
    #expect(contents("d") == ["a": "1"])
    #expect(try place.mode() == 0o750)
    #expect(directory.names == ["d"])
  }

  @Test("One with files in it is replaced where it may be, and else left alone")
  func fullDirectory() throws {
    let place = directory.path("d")
    try replace(place, [("a", "1"), ("b", "2")])
    #expect(throws: Errno.exists) { try replace(place, [("c", "3")]) }
    #expect(contents("d") == ["a": "1", "b": "2"])
    try replace(place, [("b", "4"), ("c", "3")], mayReplace: true)
    #expect(contents("d") == ["b": "4", "c": "3"])
    #expect(directory.names == ["d"])
  }

  @Test("What a link leads to is replaced and the link stays")
  func link() throws {
    try replace(directory.path("d"), [("a", "1")])
    let link = try directory.link("link", to: "d")
    try replace(link, [("b", "2")], mayReplace: true)
    #expect(contents("d") == ["b": "2"])
    #expect(try link.isKind(Glibc.S_IFLNK))
    #expect(directory.names == ["d", "link"])
  }

  @Test("A file, a missing parent and an empty name are errors")
  func senselessPlaces() throws {
    let file = try directory.make("file", [1])
    #expect(throws: Errno.notDirectory) { try replace(file, [("a", "1")]) }
    #expect(throws: Errno.notFound) { try replace(directory.path("no/d"), [("a", "1")]) }
    #expect(throws: Errno.notFound) { try replace("", [("a", "1")]) }
    #expect(directory.names == ["file"])
  }

  @Test("A failure leaves the old directory and nothing else", arguments: [true, false])
  func failure(exists: Bool) throws {
    let place = directory.path("d")
    if exists { try replace(place, [("old", "1")]) }
    #expect(throws: Errno(EIO)) {
      try replace(place, [("a", "1"), ("b", "2")], mayReplace: true, failure: Errno(EIO))
    }
    #expect(contents("d") == (exists ? ["old": "1"] : [:]))
    #expect(directory.names == (exists ? ["d"] : []))
  }

  @Test("A signal that ends the program waits until nothing half-made lies about")
  func interruption() throws {
    // The threads that tests run on hold signals back, and without a handler it would end the tests.
    var quit = sigset_t()
    var mask = sigset_t()
    unsafe sigemptyset(&quit)
    unsafe sigaddset(&quit, SIGQUIT)
    unsafe pthread_sigmask(SIG_UNBLOCK, &quit, &mask)
    defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let before = signal(SIGQUIT) { _ in }
    defer { _ = signal(SIGQUIT, before) }
    #expect(throws: Errno.interrupted) {
      try replace(
        directory.path("d"), [("a", "1"), ("b", "2")],
        beforeEnd: { _ = pthread_kill(pthread_self(), SIGQUIT) })
    }
    #expect(directory.names == [])
  }

  @Test("A regular file of a directory is opened; links, pipes and directories are not")
  func regularFiles() throws {
    let file = try directory.make("file", [1, 2])
    let opened = try openRegularFile(file)
    #expect(try readToEnd(of: opened.rawValue, limit: 10).count == 2)
    let link = try directory.link("link", to: "file")
    #expect(throws: Errno.self) { _ = try openRegularFile(link) }
    let pipe = directory.path("pipe")
    try blockingSystemCall { unsafe mkfifo(pipe.description, 0o600) }
    #expect(throws: Errno.notSupported) { _ = try openRegularFile(pipe) }
    #expect(throws: Errno.self) { _ = try openRegularFile(FilePath(directory.path)) }
  }

  @Test("Nothing stays open, whether writing succeeds or fails")
  func nothingStaysOpen() async {
    // In a process of its own, where nobody else opens anything.
    await #expect(processExitsWith: .success) {
      let tests = DirectoryReplacementTests()
      let place = tests.directory.path("d")
      try expectNothingLeftOpen {
        try tests.replace(place, [("a", "1")], mayReplace: true)
        try? tests.replace(place, [("b", "1")], mayReplace: true, failure: Errno(EIO))
        try? tests.replace(place, [("b", "1")])
        try? tests.replace(tests.directory.path("none/d"), [("b", "1")])
        _ = try? openRegularFile(place)
      }
    }
  }
}
