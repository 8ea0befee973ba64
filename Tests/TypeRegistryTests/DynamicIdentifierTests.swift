import Testing
import TypeRegistry

/// One identifier recorded on a Mac, with what it stands for.
struct DynamicSample: CustomTestStringConvertible {
  var identifier: String
  var supertype: String?
  var tagClass: TagClass
  var tag: String

  init(_ identifier: String, _ supertype: String?, _ tagClass: TagClass, _ tag: String) {
    self.identifier = identifier
    self.supertype = supertype
    self.tagClass = tagClass
    self.tag = tag
  }

  var testDescription: String { identifier }

  static let recorded: [DynamicSample] = [
    DynamicSample(
      "dyn.ah62d4rv4ge80e5dx",
      "public.data", .filenameExtension, "bls"),
    DynamicSample(
      "dyn.ah62d4rv4ge8043a",
      "public.data", .filenameExtension, "md"),
    DynamicSample(
      "dyn.ah62d4rv4ge81g6xy",
      "public.data", .filenameExtension, "srt"),
    DynamicSample(
      "dyn.ah62d4rv4ge80g55sq2",
      "public.data", .filenameExtension, "conf"),
    DynamicSample(
      "dyn.ah62d4rv4ge80e7dxr31086a",
      "public.data", .filenameExtension, "btsnoop"),
    DynamicSample(
      "dyn.age80s52",
      nil, .filenameExtension, "go"),
    DynamicSample(
      "dyn.age8u",
      nil, .filenameExtension, ""),
    DynamicSample(
      "dyn.ah62d4sb4ge81e62",
      "public.plain-text", .filenameExtension, "rs"),
    DynamicSample(
      "dyn.ah62d4uv4ge804550",
      "public.image", .filenameExtension, "mov"),
    DynamicSample(
      "dyn.ah62d4rv4gk81n65yru",
      "public.data", .osType, "ustl"),
    DynamicSample(
      "dyn.ah62d4rv4gk8zgzwhea",
      "public.data", .osType, "SVG "),
    DynamicSample(
      "dyn.agq80c6durvy0g2pyrf106p5rsa4a",
      nil, .mimeType, "application/mp4"),
    DynamicSample(
      "dyn.ah62d4r34gq81k3p2su11uppgr71u",
      "public.text", .mimeType, "text/x-foo"),
    DynamicSample(
      "dyn.ah62d4uv4gq80w5pbq7ww88brq3108",
      "public.image", .mimeType, "image/x-foo"),
    DynamicSample(
      "dyn.ah62d4rv4gu8y6y4grf0gn5xbrzw1gydcr7u1e3cytf2gn",
      "public.data", .pasteboardName, "NSFilenamesPboardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8yc6durvwwaznwmuuha2pxsvw0e55bsmwca7d3sbwu",
      "public.data", .pasteboardName, "Apple URL pasteboard type"),
    DynamicSample(
      "dyn.ah62d46dzqm0gw23ssz1gw8brqz6gn25zsvu0e5dfhk2x43xmsu",
      "public.unix-executable", .filenameExtension, "fit"),
    DynamicSample(
      "dyn.ah62d46dzqm0gw23srf4gn5m4ge8068dytf2gn3dgrf0gn25tr34gn5xysr2ge55bsmwhk8puqzsdy4xuq6",
      "public.item", .filenameExtension, "nxtypedfilecontentspboardtype:jpg"),
    DynamicSample(
      "dyn.ah62d4rv4gu8yc6durvwwa3xmrvw1gkdusm1044pxqyuha2pxsvw0e55bsmwca7d3sbwu",
      "public.data", .pasteboardName, "Apple files promise pasteboard type"),
    DynamicSample(
      "dyn.ah62d4rv4gu8y6y4usm1044pxqzb085xyqz1hk64uqm10c6xenv61a3k",
      "public.data", .pasteboardName, "NSPromiseContentsPboardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8y60cgrf0gnu5tr34gn5xysrkge55bsmwfk8puqy",
      "public.data", .pasteboardName, "NXFileContentsPboardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8y63n2nuuhg5pbsm4ca6dbsr4gnkduqf31k3pcr7u1e3basv61a3k",
      "public.data", .pasteboardName, "NeXT smart paste pasteboard type"),
    DynamicSample(
      "dyn.ah62d4rv4gu8y63n2nuuha5dbrf1ca2pxqry0wkduqf31k3pcr7u1e3basv61a3k",
      "public.data", .pasteboardName, "NeXT plain ascii pasteboard type"),
    DynamicSample(
      "dyn.ah62d4rv4gu8zs3pcnzme2641rf4guzdmsv0gn64uqm10c6xenv61a3k",
      "public.data", .pasteboardName, "WebURLsWithTitlesPboardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8ye55trr00c6xpkvy0g7dmr71gc6x3mvy1g7cuqm10c6xenv61a3k",
      "public.data", .pasteboardName, "BookmarkDictionaryListPboardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8ye55trr00c6xpnr4gc7dmsr4gw25xnbbg82pwqvnhw6df",
      "public.data", .pasteboardName, "BookmarkStatisticsPBoardType"),
    DynamicSample(
      "dyn.ah62d4rv4gu8yc6durvwwa6xfqr4gc5xhsz0gc6vasvw1u7basrw023pdsvy085vasbu1g7dfqm10c6xeeb4hw6df",
      "public.data", .pasteboardName, "Apple rectangular text selection pasteboard type"),
    DynamicSample(
      "dyn.agu8yc6durvwway5pqz4gg4bagkuha2pxsvw0e55bsmwca7d3sbwu",
      nil, .pasteboardName, "Apple Sketch 2 pasteboard type"),
    DynamicSample(
      "dyn.ah62d4rv4gk81g7d3ru",
      "public.data", .osType, "styl"),
    DynamicSample(
      "dyn.ah62d4rv4gk80u3xxea",
      "public.data", .osType, "hfs "),
    DynamicSample(
      "dyn.ah62d4rv4gk81a4dgsq",
      "public.data", .osType, "phfs"),
    DynamicSample(
      "dyn.ah62d4rv4gk80q65xna",
      "public.data", .osType, "fssP"),
    DynamicSample(
      "dyn.ah62d4rv4gk81n6xqqu",
      "public.data", .osType, "urld"),
  ]
}

@Suite("Dynamic identifiers")
struct DynamicIdentifierTests {
  @Test("A tag gets the identifier that macOS gives it", arguments: DynamicSample.recorded)
  func identifierOfTagIsTheRecordedOne(sample: DynamicSample) throws {
    let supertype = try sample.supertype.map { try #require(TypeIdentifier($0)) }
    let type = TypeRegistry.builtin.dynamicType(
      for: sample.tag, in: sample.tagClass, conformingTo: supertype)
    #expect(type.description == sample.identifier)
    #expect(type.isDynamic && !type.isPublic)
    #expect(!TypeRegistry.builtin.isDeclared(type))
  }

  @Test("A recorded identifier yields its tag and its supertype", arguments: DynamicSample.recorded)
  func recordedIdentifierIsDecoded(sample: DynamicSample) throws {
    let type = try #require(TypeIdentifier(sample.identifier))
    let registry = TypeRegistry.builtin
    #expect(registry.tags(of: type, in: sample.tagClass) == [sample.tag])
    #expect(registry.parents(of: type).map(\.description) == [sample.supertype].compactMap(\.self))
    for other in TagClass.allCases where other != sample.tagClass {
      #expect(registry.tags(of: type, in: other).isEmpty)
    }
  }

  @Test("What a dynamic type conforms to is its supertype and what that conforms to")
  func conformanceFollowsSupertype() throws {
    let image = try #require(TypeIdentifier("dyn.ah62d4uv4gq80w5pbq7ww88brq3108"))
    #expect(image.conforms(to: image) && image.conforms(to: .image))
    #expect(image.conforms(to: .data) && image.conforms(to: .content))
    #expect(image.isSubtype(of: .image) && TypeIdentifier.image.isSupertype(of: image))
    #expect(!image.isSubtype(of: image) && !image.conforms(to: .text))
    #expect(!TypeIdentifier.image.conforms(to: image))
    let supertypes = TypeRegistry.builtin.supertypes(of: image)
    #expect(supertypes == [.image, .data, .item, .content])
    let free = try #require(TypeIdentifier("dyn.age80s52"))
    #expect(TypeRegistry.builtin.supertypes(of: free).isEmpty && !free.conforms(to: .data))
  }

  @Test(
    "What the scheme cannot have made is no identifier",
    arguments: [
      "dyn.", "dyn.a", "dyn.b", "dyn.x.y", "dyn.ah62d4rv4ge8",  // cut off: seven bits are left
      "dyn.ah62d4rv4ge80e5di",  // i, j, l and o are not in the alphabet
      "dyn.age8v",  // bits behind the last byte
      "dyn.age", "dyn.ahq", "dyn.a8888888888888", "dyn.a9999999999999999999",
    ])
  func malformedIdentifierIsRefused(name: String) {
    #expect(TypeIdentifier(name) == nil)
  }

  @Test("No cut of a recorded identifier is taken for another one that lacks a tag")
  func cutIdentifiersAreRefusedOrDecodeCleanly() throws {
    for sample in DynamicSample.recorded {
      for length in 5..<sample.identifier.utf8.count {
        let cut = String(sample.identifier.prefix(length))
        guard let type = TypeIdentifier(cut) else { continue }
        let tags = TagClass.allCases.flatMap { TypeRegistry.builtin.tags(of: type, in: $0) }
        #expect(tags.count <= 1 && type.isDynamic)
      }
    }
  }

  @Test("Case does not distinguish dynamic identifiers, nor tags of extensions and MIME types")
  func caseIsIgnored() throws {
    let registry = TypeRegistry.builtin
    #expect(TypeIdentifier("DYN.AGE80S52") == TypeIdentifier("dyn.age80s52"))
    #expect(TypeIdentifier("DYN.AGE80S52")?.description == "dyn.age80s52")
    let small = registry.dynamicType(for: "bls", in: .filenameExtension)
    #expect(registry.dynamicType(for: "BLS", in: .filenameExtension) == small)
    let capital = registry.dynamicType(for: "BLS", in: .pasteboardName)
    #expect(registry.dynamicType(for: "bls", in: .pasteboardName) != capital)
  }

  @Test(
    "Any tag survives being encoded and decoded",
    arguments: [
      "a:b", "a=b", "a,b", "a\\b", "\\", ":", "=:,\\", "", " ", "naïve – 日本 🎉", "0", "?0=6:1=x",
    ])
  func anyTagRoundTrips(tag: String) throws {
    let registry = TypeRegistry.builtin
    for tagClass in [TagClass.x11Target, .pasteboardName, .osType] {
      for supertype in [TypeIdentifier.data, .jpeg, nil] {
        let type = registry.dynamicType(for: tag, in: tagClass, conformingTo: supertype)
        #expect(registry.tags(of: type, in: tagClass) == [tag])
        #expect(registry.parents(of: type) == [supertype].compactMap(\.self))
        #expect(TypeIdentifier(type.description) == type)
      }
    }
  }

  @Test("A dynamic type may stand on another one")
  func dynamicSupertype() throws {
    let registry = TypeRegistry.builtin
    let inner = registry.dynamicType(for: "foo", in: .filenameExtension, conformingTo: .text)
    let outer = registry.dynamicType(for: "bar", in: .filenameExtension, conformingTo: inner)
    #expect(outer.conforms(to: inner) && outer.conforms(to: .text))
    #expect(registry.supertypes(of: outer).prefix(2) == [inner, .text])
    #expect(TypeIdentifier(outer.description) == outer)
  }
}
