import Glibc
import TestSupport
import Testing
import TypeRegistry

/// The detection list of shared-mime-info, which `Scripts/fetch-mime-tests` (`make test-mime`) puts
/// into the working copy.
struct SharedMIMEInfoList {
  /// What a file of the list should be found to be.
  struct Case {
    var file: String
    var type: String
    /// Which ways to find out are known to fail with the database itself: by name, by content, by
    /// both.
    var fails: [Bool]
  }

  static let directory: String = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return root.joined(separator: "/") + "/.build/shared-mime-info"
  }()

  static let database = directory + "/data/freedesktop.org.xml.in"
  static let samples = directory + "/tests/mime-detection"

  static var isThere: Bool { Files.exists(samples + "/list") && Files.exists(database) }

  /// The lines have a file, a type and up to three marks, `x` for what fails.
  static func cases() throws -> [Case] {
    let lines = String(decoding: try Files.read(samples + "/list"), as: UTF8.self)
    return lines.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count >= 2, !words[0].hasPrefix("#") else { return nil }
      let marks = words.count > 2 ? Array(words[2]) : []
      return Case(
        file: words[0], type: words[1],
        fails: (0..<3).map { $0 < marks.count && marks[$0] == "x" })
    }
  }
}

@Suite(
  "The detection list of shared-mime-info",
  .enabled(if: SharedMIMEInfoList.isThere, "the list is fetched by `make test-mime`"),
  .enabled(
    if: Programs.installed("update-mime-database") != nil, "update-mime-database is not installed"))
struct SharedMIMEInfoTests {
  private let database: MIMEDatabase
  private let cases: [SharedMIMEInfoList.Case]

  /// A data directory with the database of the list, made once for all tests.
  private static let data = Result { () throws -> String in
    let directory = TemporaryDirectory.shared
    let data = directory.path + "/shared-mime-info"
    for folder in [data, data + "/mime", data + "/mime/packages"] {
      unsafe _ = mkdir(folder, 0o700)
    }
    try directory.write(
      Files.read(SharedMIMEInfoList.database),
      to: "shared-mime-info/mime/packages/freedesktop.org.xml")
    let program = try #require(Programs.installed("update-mime-database"))
    let result = try run(
      program, [data + "/mime"], environment: Programs.environment(), timeout: 60)
    try #require(result.status == 0, "\(result)")
    return data
  }

  init() throws {
    database = MIMEDatabase(dataDirectories: [try Self.data.get()])
    cases = try SharedMIMEInfoList.cases()
    // A list that was read wrongly would be short.
    try #require(cases.count > 500)
  }

  /// What is found wrongly one of the three ways, by which only those files count for which it is
  /// said to work.
  private func faults(_ way: Int, _ find: (SharedMIMEInfoList.Case) throws -> String?) throws
    -> [String]
  {
    try cases.filter { !$0.fails[way] }.compactMap { item in
      let found = try find(item)
      return found.flatMap(database.canonicalMIMEType) == database.canonicalMIMEType(of: item.type)
        ? nil : "\(item.file): \(found ?? "nothing") instead of \(item.type)"
    }
  }

  private func content(_ item: SharedMIMEInfoList.Case) throws -> [UInt8] {
    try Files.read(SharedMIMEInfoList.samples + "/" + item.file)
  }

  @Test("Every file is known by its name")
  func byName() throws {
    // A name that no rule knows is that of any bytes.
    let faults = try faults(0) {
      database.mimeTypes(forFileName: $0.file).first ?? "application/octet-stream"
    }
    #expect(faults == [])
  }

  @Test("Every file is known by its content, but for one at most")
  func byContent() throws {
    let faults = try faults(1) { database.mimeTypes(forContent: try content($0)).first }
    #expect(faults.count <= 1, "\(faults)")
  }

  @Test("Every file is known by name and content, but for one at most")
  func byBoth() throws {
    let faults = try faults(2) {
      database.mimeTypes(forFileName: $0.file, content: try content($0)).first
    }
    #expect(faults.count <= 1, "\(faults)")
  }

  @Test("As much of a file as the database asks for tells as much as all of it")
  func beginnings() throws {
    let extent = database.contentExtent
    for item in cases {
      let all = try content(item)
      guard all.count > extent else { continue }
      let types = database.mimeTypes(forContent: all)
      #expect(database.mimeTypes(forContent: Array(all[..<extent])) == types, "\(item.file)")
    }
  }

  @Test("Every type of the database has an identifier, the same under all its names")
  func identifiers() throws {
    let names = try Files.read(Self.data.get() + "/mime/types")
    for name in String(decoding: names, as: UTF8.self).split(separator: "\n").map(String.init) {
      let type = try #require(database.type(forMIMEType: name))
      guard type.isDynamic else { continue }
      #expect(TypeIdentifier(type.description) == type)
      for alias in database.aliases(ofMIMEType: name) {
        let other = try #require(database.type(forMIMEType: alias))
        #expect(other == type || !other.isDynamic, "\(alias) of \(name)")
      }
    }
  }
}
