import Testing
import TypeRegistry

/// A type that Apple declares, as it stands in the table of facts.
struct AppleType: CustomTestStringConvertible {
  let identifier: String
  let parents: [String]
  let extensions: [String]
  let mimeTypes: [String]
  let osTypes: [String]
  let pasteboardNames: [String]
  let notes: String

  var testDescription: String { identifier }

  init(_ row: [String]) {
    identifier = row[0]
    parents = Fixture.list(row[1])
    extensions = Fixture.list(row[2])
    mimeTypes = Fixture.list(row[3])
    notes = row[7]
    var tags: [String: [String]] = [:]
    for group in row[4].split(separator: ";") {
      let text = group.drop { $0 == " " }
      guard let colon = text.firstIndex(of: ":") else { continue }
      tags[String(text[..<colon])] = text[text.index(after: colon)...].split(separator: "|")
        .map { $0.hasPrefix("'") ? String($0.dropFirst().dropLast()) : String($0) }
    }
    osTypes = tags["ostype"] ?? []
    pasteboardNames = tags["pboard"] ?? []
  }

  static let all: [AppleType] =
    (try? Fixture.rows("apple-types.tsv", columns: 8))?.map(AppleType.init) ?? []

  /// Only the extension was recorded on a Mac, so that the parents are ours.
  var hasRecordedParents: Bool {
    !notes.contains("parents not recorded") && !notes.contains("parents not documented")
  }
}

@Suite("Apple's table")
struct AppleTypesTests {
  let registry = TypeRegistry.builtin

  @Test("The table of facts has 683 types, each declared under its own spelling")
  func tableIsWhole() {
    #expect(AppleType.all.count == 683)
    #expect(Set(AppleType.all.map(\.identifier)).count == 683)
    let declared = Set(registry.declaredTypes.map(\.description))
    #expect(AppleType.all.map(\.identifier).filter { !declared.contains($0) } == [])
  }

  @Test("Each type has the parents of the table, in their order")
  func parentsAgree() throws {
    for row in AppleType.all {
      let type = try #require(TypeIdentifier(row.identifier))
      let parents = registry.parents(of: type).map(\.description)
      guard row.hasRecordedParents else {
        // A type known by its extension alone is at least content of some kind.
        #expect(row.parents.isEmpty && !parents.isEmpty, "\(type)")
        continue
      }
      // What is added to a row of Apple's stands behind it and is marked as ours in its notes.
      #expect(Array(parents.prefix(row.parents.count)) == row.parents, "\(type)")
      if parents.count > row.parents.count {
        #expect(["org.tukaani.tar-xz-archive"].contains(row.identifier), "\(type): \(parents)")
      }
      for parent in row.parents {
        let parent = try #require(TypeIdentifier(parent))
        #expect(type.isSubtype(of: parent) && parent.isSupertype(of: type))
        #expect(!parent.conforms(to: type))
      }
    }
  }

  @Test("Each tag of the table is its type's, in the order of the table, and leads back to it")
  func tagsAgree() throws {
    for row in AppleType.all {
      let type = try #require(TypeIdentifier(row.identifier))
      // The table has charsets quoted as well, which is the same MIME type.
      var mimeTypes: [String] = []
      for name in row.mimeTypes {
        let parsed = try #require(MIMEType(name))
        #expect(registry.declaredTypes(for: name, in: .mimeType).contains(type), "\(name)")
        if !mimeTypes.contains(parsed.description) { mimeTypes.append(parsed.description) }
      }
      let classes: [(TagClass, [String])] = [
        (.filenameExtension, row.extensions), (.mimeType, mimeTypes), (.osType, row.osTypes),
        (.pasteboardName, row.pasteboardNames),
      ]
      for (tagClass, tags) in classes {
        let own = registry.tags(of: type, in: tagClass)
        let first = Array(own.prefix(tags.count))
        // MIME types are written as they are registered (`macroEnabled`) where case is ignored.
        let agree = tagClass == .mimeType ? first.map { $0.lowercased() } == tags : first == tags
        #expect(agree, "\(type): \(own)")
        for tag in tags {
          #expect(registry.declaredTypes(for: tag, in: tagClass).contains(type), "\(tag)")
          #expect(registry.types(for: tag, in: tagClass).contains(type), "\(tag)")
        }
        if tagClass == .filenameExtension || tagClass == .mimeType {
          for tag in tags.map({ $0.uppercased() }) {
            #expect(registry.declaredTypes(for: tag, in: tagClass).contains(type), "\(tag)")
          }
        }
      }
      #expect(registry.preferredFilenameExtension(of: type) ?? row.extensions.first == own(type))
      #expect(row.extensions.isEmpty || own(type) == row.extensions[0], "\(type)")
      let preferred = registry.preferredMIMEType(of: type)
      #expect(
        mimeTypes.isEmpty || preferred?.lowercased() == mimeTypes[0],
        "\(type): \(preferred ?? "none")")
    }
  }

  private func own(_ type: TypeIdentifier) -> String? {
    registry.tags(of: type, in: .filenameExtension).first
  }

  @Test("Exactly one of declared and dynamic is true, and public types are never dynamic")
  func kindsExcludeEachOther() {
    for type in registry.declaredTypes {
      #expect(registry.isDeclared(type) && !type.isDynamic)
      #expect(type.isPublic == type.description.hasPrefix("public."))
    }
    let dynamic = registry.dynamicType(for: "bls", in: .filenameExtension)
    #expect(dynamic.isDynamic && !registry.isDeclared(dynamic) && !dynamic.isPublic)
  }

  @Test("Identifiers are compared without case and keep the declared spelling")
  func identifiersFold() throws {
    for row in AppleType.all {
      let folded = try #require(TypeIdentifier(row.identifier.lowercased()))
      #expect(folded == TypeIdentifier(row.identifier.uppercased()))
      #expect(folded.description == row.identifier)
    }
  }

  @Test("Names of legacy pasteboards mean what the table of facts says")
  func legacyNamesAgree() throws {
    let rows = try Fixture.rows("legacy-pasteboard.tsv", columns: 7)
    #expect(rows.count == 249)
    var checked = 0
    for row in rows {
      let (group, name, identifier, role, dynamic) = (row[0], row[1], row[2], row[3], row[5])
      // The names of constants never travel; their values do.
      if group == "appkit-constant" || name.contains("<") { continue }
      if dynamic.hasPrefix("dyn.") {
        let (tag, tagClass) =
          osType(of: name).map { ($0, TagClass.osType) } ?? (name, .pasteboardName)
        let supertype: TypeIdentifier? = dynamic.hasPrefix("dyn.agu") ? nil : .data
        let made = registry.dynamicType(for: tag, in: tagClass, conformingTo: supertype)
        #expect(made.description == dynamic, "\(name)")
        #expect(registry.tags(of: made, in: tagClass) == [tag])
      }
      // "By meaning" and several types for one name are readings, not tags.
      guard let expected = TypeIdentifier(identifier), registry.isDeclared(expected) else {
        continue
      }
      // Names of programs may be of a type of their own, which says more.
      let type = registry.type(forTarget: name)
      #expect(type.conforms(to: expected), "\(name): \(type)")
      #expect(type == expected || group == "app-mime" || group == "mime", "\(name): \(type)")
      #expect(registry.types(forTarget: name).first == type, "\(name)")
      let roles: [String: TargetRole] = [
        "content": .content, "marker": .marker, "protocol": .transferProtocol,
      ]
      #expect(registry.role(ofTarget: name) == roles[role], "\(name)")
      checked += 1
    }
    #expect(checked > 110)
  }

  /// The four characters in a name such as `CorePasteboardFlavorType 0x7573746C`.
  private func osType(of name: String) -> String? {
    let prefix = "CorePasteboardFlavorType 0x"
    guard name.hasPrefix(prefix), let code = UInt32(name.dropFirst(prefix.count), radix: 16) else {
      return nil
    }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
