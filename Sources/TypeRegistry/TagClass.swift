/// A namespace of external spellings of types.
public enum TagClass: Hashable, Sendable, CaseIterable {
  /// What follows the last dot of a file's name, without the dot. Case is ignored.
  case filenameExtension
  /// A MIME type, with or without parameters. Case and blanks are ignored; see ``MIMEType``.
  case mimeType
  /// The name of an X11 selection target that is not a MIME type, such as `UTF8_STRING`.
  case x11Target
  /// The name of a legacy pasteboard type, such as `NeXT TIFF v4.0 pasteboard type`.
  case pasteboardName
  /// A four-character code, such as `'JPEG'`, without the quotes.
  case osType

  /// The identifier that names the tag class in dynamic type identifiers.
  ///
  /// Apple has none for X11 targets; that one is ours.
  var identifier: String {
    switch self {
    case .filenameExtension: "public.filename-extension"
    case .mimeType: "public.mime-type"
    case .x11Target: "org.x.selection-target"
    case .pasteboardName: "com.apple.nspboard-type"
    case .osType: "com.apple.ostype"
    }
  }

  /// The longest tag, in bytes: as long as the name of an X11 target can be.
  static let lengthLimit = 65_535

  /// Whether a string can be a tag of this class at all, whoever declares it.
  ///
  /// No tag is empty, holds a NUL or is longer than 65,535 bytes. A filename extension does not begin
  /// with a dot and has no slash, a MIME type has two halves, a four-character code four characters.
  public func canHave(_ tag: String) -> Bool {
    guard !tag.isEmpty, tag.utf8.count <= Self.lengthLimit, !tag.utf8.contains(0) else {
      return false
    }
    switch self {
    case .filenameExtension:
      return tag.utf8.first != UInt8(ascii: ".") && !tag.utf8.contains(UInt8(ascii: "/"))
    case .mimeType: return MIMEType(tag) != nil
    case .x11Target, .pasteboardName: return true
    case .osType: return tag.unicodeScalars.count == 4
    }
  }

  /// Whether tags of this class are the same when only the case of ASCII letters differs.
  ///
  /// Apple's `public.filename-extension` and `public.mime-type` conform to
  /// `public.case-insensitive-text`, the other two to `public.text` alone.
  var ignoresCase: Bool {
    switch self {
    case .filenameExtension, .mimeType: true
    case .x11Target, .pasteboardName, .osType: false
    }
  }
}

/// What a name met on the wire is for.
public enum TargetRole: Hashable, Sendable {
  /// Carries what was copied.
  case content
  /// Says something about the content beside it, such as that it is secret or was cut.
  case marker
  /// Belongs to the mechanics of the transfer, such as `TARGETS`.
  case transferProtocol
}
