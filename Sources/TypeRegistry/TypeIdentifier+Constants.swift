// Constants for declared types.
//
// A built-in type is numbered by its row in data/types.tsv, and the constants have these numbers: no
// program that only compares types need read the declarations. `Scripts/number-types` writes the
// numbers anew after a row was added or moved; a test compares them.

extension TypeIdentifier {
  /// - Parameter name: For people and for the test.
  private static func declared(_ name: StaticString, row: UInt32) -> TypeIdentifier {
    TypeIdentifier(rawValue: row)
  }

  // MARK: Roots

  /// What a file system can hold: files and directories.
  public static let item = declared("public.item", row: 0)

  /// Any stream of bytes.
  public static let data = declared("public.data", row: 1)

  /// What people see, read or hear.
  public static let content = declared("public.content", row: 3)

  /// Content that mixes several media.
  public static let compositeContent = declared("public.composite-content", row: 4)

  /// Scenes in three dimensions.
  static let threeDContent = declared("public.3d-content", row: 19)

  /// Letters and other messages.
  static let message = declared("public.message", row: 29)

  /// What all zip archives are, those with an extension and a MIME type of their own included.
  static let zipContainer = declared("com.pkware.zip-archive", row: 114)

  /// Any directory.
  public static let directory = declared("public.directory", row: 2)

  /// A directory that people look into.
  public static let folder = declared("public.folder", row: 284)

  /// A directory that looks like a single file.
  public static let package = declared("com.apple.package", row: 306)

  /// Any archive.
  public static let archive = declared("public.archive", row: 12)

  /// Anything that can be run.
  public static let executable = declared("public.executable", row: 9)

  // MARK: Text

  /// Any text, marked up or not.
  public static let text = declared("public.text", row: 39)

  /// Text without markup, in any encoding.
  public static let plainText = declared("public.plain-text", row: 40)

  /// Text without markup, in UTF-8.
  public static let utf8PlainText = declared("public.utf8-plain-text", row: 41)

  /// Text without markup, in UTF-16 of the native byte order or with a mark.
  public static let utf16PlainText = declared("public.utf16-plain-text", row: 43)

  /// Text without markup, in UTF-16 with a mark or big-endian.
  public static let utf16ExternalPlainText = declared("public.utf16-external-plain-text", row: 42)

  /// HTML of any version.
  public static let html = declared("public.html", row: 141)

  /// HTML written as XML.
  public static let xhtml = declared("public.xhtml", row: 143)

  /// Rich text format.
  public static let rtf = declared("public.rtf", row: 140)

  /// Rich text with attachments, in one stream.
  public static let flatRTFD = declared("com.apple.flat-rtfd", row: 318)

  /// Markdown.
  public static let markdown = declared("net.daringfireball.markdown", row: 531)

  /// Any XML.
  public static let xml = declared("public.xml", row: 142)

  /// JSON.
  public static let json = declared("public.json", row: 148)

  /// YAML.
  public static let yaml = declared("public.yaml", row: 150)

  /// A style sheet.
  public static let css = declared("public.css", row: 146)

  /// Any table with a separator between the values.
  public static let delimitedText = declared("public.delimited-values-text", row: 136)

  /// A table with commas between the values.
  public static let csv = declared("public.comma-separated-values-text", row: 137)

  /// A table with tabs between the values.
  public static let tsv = declared("public.tab-separated-values-text", row: 138)

  /// Any source code.
  public static let sourceCode = declared("public.source-code", row: 158)

  /// Source code of any scripting language.
  public static let script = declared("public.script", row: 176)

  /// A shell script.
  public static let shellScript = declared("public.shell-script", row: 192)

  /// An electronic visiting card.
  public static let vCard = declared("public.vcard", row: 36)

  // MARK: Pictures, sound and documents

  /// Any picture.
  public static let image = declared("public.image", row: 204)

  /// A PNG picture.
  public static let png = declared("public.png", row: 214)

  /// A JPEG picture.
  public static let jpeg = declared("public.jpeg", row: 209)

  /// A GIF picture.
  public static let gif = declared("com.compuserve.gif", row: 395)

  /// A TIFF picture.
  public static let tiff = declared("public.tiff", row: 211)

  /// A Windows bitmap.
  public static let bmp = declared("com.microsoft.bmp", row: 396)

  /// A Windows icon.
  public static let ico = declared("com.microsoft.ico", row: 397)

  /// An SVG picture.
  public static let svg = declared("public.svg-image", row: 215)

  /// A WebP picture.
  public static let webP = declared("org.webmproject.webp", row: 398)

  /// An HEIC picture.
  public static let heic = declared("public.heic", row: 480)

  /// An AVIF picture.
  public static let avif = declared("public.avif", row: 643)

  /// A JPEG XL picture.
  public static let jpegXL = declared("public.jpeg-xl", row: 528)

  /// Any sound or video.
  public static let audiovisualContent = declared("public.audiovisual-content", row: 223)

  /// Any sound.
  public static let audio = declared("public.audio", row: 226)

  /// Any video, with or without sound.
  public static let movie = declared("public.movie", row: 224)

  /// A PDF document.
  public static let pdf = declared("com.adobe.pdf", row: 388)

  /// A PostScript document.
  public static let postScript = declared("com.adobe.postscript", row: 393)

  /// Any spreadsheet.
  public static let spreadsheet = declared("public.spreadsheet", row: 17)

  /// Any slide deck.
  public static let presentation = declared("public.presentation", row: 16)

  /// Any font.
  public static let font = declared("public.font", row: 268)

  /// A ZIP archive.
  public static let zip = declared("public.zip-archive", row: 115)

  // MARK: URLs and files

  /// Any URL.
  public static let url = declared("public.url", row: 121)

  /// The URL of a file; on the wire, a list of them.
  public static let fileURL = declared("public.file-url", row: 122)

  /// The title that goes with a URL.
  public static let urlName = declared("public.url-name", row: 123)

  /// Copied or cut files with the operation, as GNOME and Xfce write them.
  public static let gnomeCopiedFiles = declared("org.gnome.copied-files", row: 698)

  /// KDE's mark that files were cut.
  public static let kdeCutSelection = declared("org.kde.cut-selection", row: 702)

  // MARK: Marks

  /// KDE's mark that the content is secret.
  public static let passwordManagerHint = declared("org.kde.password-manager-hint", row: 705)

  /// The mark of macOS programs that the content is secret.
  public static let concealed = declared("org.nspasteboard.ConcealedType", row: 683)

  /// Which representations are native, and what the others were made from.
  public static let clipviewOrigin = declared("org.clipview.origin", row: 719)
}
