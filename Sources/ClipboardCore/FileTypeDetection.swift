package import SystemIO
package import TypeRegistry

/// A type that a file may be of.
package struct DetectedType: Hashable, Sendable {
  package let type: TypeIdentifier
  /// The MIME type to name beside it; nil where there is none.
  package let mimeType: String?

  package init(type: TypeIdentifier, mimeType: String?) {
    self.type = type
    self.mimeType = mimeType
  }
}

/// What the type of a file is told by.
package enum FileEvidence: String, Hashable, Sendable, CaseIterable {
  case name
  case content
  /// Both: a name that says more than the content counts (a document in a ZIP archive), and so does a
  /// name that the content has nothing against.
  case both
}

/// The types that a file may be of, by the system's MIME database and the declared types.
package struct FileTypeDetection {
  private let registry: TypeRegistry
  private let database: MIMEDatabase

  package init(registry: TypeRegistry = .current, database: MIMEDatabase = .installed) {
    self.registry = registry
    self.database = database
  }

  /// The types that a file may be of, the best first; at least one.
  ///
  /// The first is what the rules of the database give, with its MIME type in the spelling of the
  /// database; without a database, what names and signatures that are known here give, with the MIME
  /// type that the identifier prefers. By its name alone a file need not exist; else the errors are
  /// those of opening and reading it.
  package func types(
    ofFile path: FilePath, by evidence: FileEvidence
  ) throws(Errno) -> [DetectedType] {
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    if evidence == .name { return distinct(named(name)) }
    let head: [UInt8]
    let size: Int
    do throws(Errno) {
      (head, size) = try beginning(ofFile: path, limit: max(4096, database.contentExtent))
    } catch {
      guard error == .isDirectory else { throw error }
      let mimeType = database.files.isEmpty ? nil : "inode/directory"
      return [DetectedType(type: .folder, mimeType: mimeType)]
    }
    if database.files.isEmpty {
      return distinct(withoutDatabase(evidence == .both ? name : "", head, size))
    }
    if evidence == .content {
      return distinct(
        answer(database.type(forContent: head, in: registry), database.mimeTypes(forContent: head)))
    }
    return distinct(
      answer(
        database.type(forFileName: name, content: head, in: registry),
        database.mimeTypes(forFileName: name, content: head)) + declared(name))
  }

  // MARK: By the database

  private func named(_ name: String) -> [DetectedType] {
    answer(
      database.type(forFileName: name, in: registry), database.mimeTypes(forFileName: name))
      + declared(name)
  }

  /// The best type with the best MIME type, then what the other MIME types mean.
  private func answer(_ type: TypeIdentifier, _ mimeTypes: [String]) -> [DetectedType] {
    guard let best = mimeTypes.first else { return [preferred(type)] }
    let others = mimeTypes.dropFirst().compactMap { name in
      database.type(forMIMEType: name, in: registry).map { DetectedType(type: $0, mimeType: name) }
    }
    return [DetectedType(type: type, mimeType: best)] + others
  }

  /// The declared owners of the name's extension.
  private func declared(_ name: String) -> [DetectedType] {
    guard let ending = registry.filenameExtension(ofFileNamed: name) else { return [] }
    return registry.declaredTypes(for: ending, in: .filenameExtension).map(preferred)
  }

  private func preferred(_ type: TypeIdentifier) -> DetectedType {
    DetectedType(type: type, mimeType: registry.preferredMIMEType(of: type))
  }

  private func distinct(_ types: [DetectedType]) -> [DetectedType] {
    var seen: Set<TypeIdentifier> = []
    return types.filter { seen.insert($0.type).inserted }
  }

  // MARK: Without a database

  /// - Parameter name: Empty where it does not count.
  private func withoutDatabase(_ name: String, _ head: [UInt8], _ size: Int) -> [DetectedType] {
    var types = name.isEmpty ? [] : named(name).map(\.type)
    if types == [.data] { types = [] }
    let shown = shownType(head, size)
    let family = shown == .plainText ? TypeIdentifier.text : shown
    // Anything can be seen as bytes, so that these say nothing.
    let agreeing = types.filter { shown != .data && $0.conforms(to: family, in: registry) }
    return (agreeing + types + [shown]).map(preferred)
  }

  /// What content shows: a type with a signature, text, or bytes.
  private func shownType(_ head: [UInt8], _ size: Int) -> TypeIdentifier {
    let sniffed = unsafe head.withUnsafeBytes { bytes in
      unsafe sniffedType(ofHead: UnsafeRawBufferPointer(rebasing: bytes.prefix(64)), size: size)
    }
    if let sniffed { return sniffed }
    let isText = database.mimeTypes(forContent: head).first == "text/plain"
    return isText ? .plainText : .data
  }
}

extension TypeRegistry {
  /// The longest ending of a path's last component that is a declared extension, else what stands
  /// behind its last dot.
  package func filenameExtension(of path: FilePath) -> String? {
    filenameExtension(ofFileNamed: String(decoding: path.lastComponent, as: UTF8.self))
  }
}
