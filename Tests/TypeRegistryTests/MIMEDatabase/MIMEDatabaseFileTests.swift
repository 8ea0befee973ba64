import Glibc
import TestSupport
import Testing

@testable import TypeRegistry

@Suite("MIME caches on disk")
struct MIMEDatabaseFileTests {
  /// A data directory with a cache in which `*.x` is one type.
  private final class DataDirectory {
    private let directory = TemporaryDirectory()

    var path: String { directory.path }
    var cache: String { path + "/mime/mime.cache" }

    init() {
      let isMade = unsafe mkdir(path + "/mime", 0o700) == 0
      precondition(isMade, "no directory for a cache")
    }

    /// Puts a new file in the place of the old one, as `update-mime-database` does.
    func replace(_ type: String) throws {
      try directory.write(bytes(type), to: "mime/mime.cache.new")
      let isRenamed = unsafe rename(cache + ".new", cache) == 0
      try #require(isRenamed)
    }

    func bytes(_ type: String) -> [UInt8] {
      var cache = MIMECacheWriter()
      cache.rules = [.init(pattern: "*.x", type: type)]
      return cache.bytes
    }

    func overwrite(_ bytes: [UInt8]) throws {
      try directory.write(bytes, to: "mime/mime.cache")
    }

    func remove() { unsafe _ = unlink(cache) }
  }

  private func database(
    _ directories: DataDirectory..., interval: Duration = .zero
  ) -> MIMEDatabase {
    MIMEDatabase(dataDirectories: directories.map(\.path), checkInterval: interval)
  }

  private func type(_ database: MIMEDatabase) -> String? {
    database.mimeTypes(forFileName: "a.x").first
  }

  @Test("A cache that comes, is replaced and goes changes the answers")
  func changes() throws {
    let directory = DataDirectory()
    let database = database(directory)
    #expect(type(database) == nil)
    #expect(database.files == [])
    try directory.replace("text/x-one")
    #expect(type(database) == "text/x-one")
    #expect(database.files == [directory.cache])
    try directory.replace("text/x-another")
    #expect(type(database) == "text/x-another")
    directory.remove()
    #expect(type(database) == nil)
    try directory.replace("text/x-again")
    #expect(type(database) == "text/x-again")
    #expect(database.faults.isEmpty)
  }

  @Test("A cache that is damaged in place is reported, and the answers stay until it is whole")
  func damage() throws {
    let directory = DataDirectory()
    let database = database(directory)
    try directory.replace("text/x-one")
    #expect(type(database) == "text/x-one")
    try directory.overwrite(Array(directory.bytes("text/x-two")[..<30]))
    #expect(type(database) == "text/x-one")
    #expect(database.faults.map(\.path) == [directory.cache])
    #expect(database.faults.map(\.fault) == [.cutOff])
    try directory.overwrite([])
    #expect(type(database) == "text/x-one")
    try directory.overwrite(directory.bytes("text/x-longer-than-before"))
    #expect(type(database) == "text/x-longer-than-before")
    #expect(database.faults.isEmpty)
    try directory.overwrite([1, 2, 3])
    directory.remove()
    #expect(type(database) == nil)
    #expect(database.faults.isEmpty)
  }

  @Test("The directories are asked in their order, and each may lack a cache")
  func overlays() throws {
    let user = DataDirectory()
    let system = DataDirectory()
    let database = database(user, system)
    try system.replace("text/x-system")
    #expect(type(database) == "text/x-system")
    try user.replace("text/x-user")
    #expect(database.mimeTypes(forFileName: "a.x") == ["text/x-user", "text/x-system"])
    user.remove()
    #expect(database.mimeTypes(forFileName: "a.x") == ["text/x-system"])
  }

  @Test("What is no file in the place of a cache neither blocks nor is read")
  func noFiles() throws {
    let directory = DataDirectory()
    #expect(unsafe mkfifo(directory.cache, 0o600) == 0)
    #expect(type(database(directory)) == nil)
    #expect(database(directory).faults.map(\.fault) == [.unreadable(EOPNOTSUPP)])
    directory.remove()
    #expect(unsafe mkdir(directory.cache, 0o700) == 0)
    #expect(type(database(directory)) == nil)
    #expect(!database(directory).faults.isEmpty)
    unsafe _ = rmdir(directory.cache)
    // A link is as good as a file.
    try directory.replace("text/x-linked")
    unsafe _ = rename(directory.cache, directory.path + "/elsewhere")
    #expect(unsafe symlink(directory.path + "/elsewhere", directory.cache) == 0)
    #expect(type(database(directory)) == "text/x-linked")
  }

  @Test("Changes are looked for at most once in the interval, or when asked to")
  func interval() throws {
    let directory = DataDirectory()
    try directory.replace("text/x-one")
    let database = database(directory, interval: .seconds(3600))
    #expect(type(database) == "text/x-one")
    try directory.replace("text/x-another")
    #expect(type(database) == "text/x-one")
    database.refresh()
    #expect(type(database) == "text/x-another")
  }

  @Test("Nothing stays open")
  func nothingStaysOpen() throws {
    let directory = DataDirectory()
    let link = "/proc/self/fd"
    func opened() -> [String] {
      Files.names(in: link).compactMap { Files.destination(ofLink: link + "/" + $0) }
        .filter { $0.hasPrefix(directory.path) }
    }
    let database = database(directory)
    for type in ["text/x-one", "text/x-another", "text/x-the-third"] {
      try directory.replace(type)
      #expect(self.type(database) == type)
    }
    try directory.overwrite([0])
    #expect(type(database) == "text/x-the-third")
    #expect(opened() == [])
  }

  @Test("Threads that ask while the cache is replaced get one answer or the other")
  func threads() async throws {
    let directory = DataDirectory()
    let types = ["text/x-one", "text/x-another"]
    try directory.replace(types[0])
    let database = database(directory)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<300).allSatisfy { _ in
            database.mimeTypes(forFileName: "a.x").allSatisfy(types.contains)
          }
        }
      }
      for round in 0..<50 { try? directory.replace(types[round % 2]) }
      for await isSound in group { #expect(isSound) }
    }
  }

  @Test(
    "The directories are those of the XDG specification",
    arguments: [
      ([:], ["/usr/local/share", "/usr/share"]),
      (["HOME": "/home/me"], ["/home/me/.local/share", "/usr/local/share", "/usr/share"]),
      (
        ["HOME": "/home/me", "XDG_DATA_HOME": "/data"], ["/data", "/usr/local/share", "/usr/share"]
      ),
      (
        ["XDG_DATA_HOME": "relative", "HOME": "/h", "XDG_DATA_DIRS": "/a::rel:/b:/a"],
        ["/h/.local/share", "/a", "/b"]
      ),
    ] as [([String: String], [String])])
  func directories(environment: [String: String], expected: [String]) {
    #expect(MIMEDatabase.dataDirectories { environment[$0] } == expected)
  }
}
