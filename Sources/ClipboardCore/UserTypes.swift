package import SystemIO
package import TypeRegistry

/// The types that the user has declared, in the files of `$XDG_CONFIG_HOME/clipview/types.d`.
///
/// Files count in the order of their names, a later one more than an earlier one; those whose names
/// begin with a dot or end in `~` do not count. Nothing in them can keep a command from its work.
package struct UserTypes: Sendable {
  /// A file that could not be read.
  package struct Unreadable: Hashable, Sendable {
    package let path: String
    package let problem: Problem
  }

  package enum Problem: Hashable, Sendable {
    case system(Errno)
    case tooLarge(limit: Int)
    /// There are more files than are read.
    case tooMany(limit: Int)
  }

  /// The built-in types and the user's.
  package let registry: TypeRegistry
  /// Where the files are looked for; nil without a home.
  package let directory: String?
  /// The files that were read, in the order in which they count.
  package let files: [String]
  /// What there is to say about their lines.
  package let reports: [TypeDeclarationReport]
  package let unreadable: [Unreadable]

  /// The largest file, and how many of them there may be.
  static let sizeLimit = 1 << 18
  static let countLimit = 64

  /// The types of this user; read when something first asks for them.
  package static let current = UserTypes(in: standardDirectory)

  private static var standardDirectory: FilePath? {
    // The XDG base directory specification ignores paths that are not absolute.
    if let base = environmentVariable("XDG_CONFIG_HOME"), base.hasPrefix("/") {
      return FilePath(base).appending("clipview/types.d")
    }
    return environmentVariable("HOME").map { FilePath($0).appending(".config/clipview/types.d") }
  }

  init(in directory: FilePath?) {
    self.directory = directory?.description
    var files: [String] = []
    var sources: [TypeDeclarationSource] = []
    var unreadable: [Unreadable] = []
    func fail(_ path: FilePath, _ problem: Problem) {
      unreadable.append(Unreadable(path: path.description, problem: problem))
    }
    if let directory {
      do throws(Errno) {
        let names = try namesInDirectory(directory)
          .filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names {
          let path = directory.appending(name)
          guard sources.count < Self.countLimit else {
            fail(path, .tooMany(limit: Self.countLimit))
            break
          }
          do throws(ReadContentsError) {
            sources.append(
              TypeDeclarationSource(name: path.description, bytes: try Self.bytes(of: path)))
            files.append(path.description)
          } catch {
            switch error {
            case .system(let error): fail(path, .system(error))
            case .tooLarge(let limit): fail(path, .tooLarge(limit: limit))
            }
          }
        }
      } catch {
        // No directory is the usual case.
        if error != .notFound && error != .notDirectory { fail(directory, .system(error)) }
      }
    }
    let overlay = TypeOverlay(sources)
    registry = overlay.registry
    reports = overlay.reports
    self.files = files
    self.unreadable = unreadable
  }

  private static func bytes(of path: FilePath) throws(ReadContentsError) -> [UInt8] {
    let file: OwnedFD
    do throws(Errno) {
      file = try openRegularFile(path, followsLinks: true)
    } catch {
      throw .system(error)
    }
    switch try readToEnd(of: file.rawValue, limit: sizeLimit) {
    case .bytes(let bytes): return bytes
    case .file(let contents): return unsafe Array(contents.bytes)
    }
  }
}

extension TypeRegistry {
  /// The types of the user who runs the program: the built-in ones and those of ``UserTypes``.
  ///
  /// Files are read at the first use, so whatever a paste of text does must not ask.
  package static var current: TypeRegistry { UserTypes.current.registry }
}
