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
