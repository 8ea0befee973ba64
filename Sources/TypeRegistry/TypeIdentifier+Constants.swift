// Constants for declared types. Each is looked up by name once, when it is first used.

extension TypeIdentifier {
  private static func declared(_ name: StaticString) -> TypeIdentifier {
    let storage = BuiltinDeclarations.storage
    guard let index = storage.index(ofIdentifier: TextSlice(stringLiteral: name)) else {
      preconditionFailure("\(name) is not declared in data/types.tsv")
    }
    return storage.identifier(at: index)
  }

  // MARK: Roots

  /// What a file system can hold: files and directories.
  public static let item = declared("public.item")

  /// Any stream of bytes.
  public static let data = declared("public.data")

  /// What people see, read or hear.
  public static let content = declared("public.content")

  /// Content that mixes several media.
  public static let compositeContent = declared("public.composite-content")

  /// Any directory.
  public static let directory = declared("public.directory")

  /// A directory that people look into.
  public static let folder = declared("public.folder")

  /// A directory that looks like a single file.
  public static let package = declared("com.apple.package")

  /// Any archive.
  public static let archive = declared("public.archive")

  /// Anything that can be run.
  public static let executable = declared("public.executable")

  // MARK: Text

  /// Any text, marked up or not.
  public static let text = declared("public.text")

  /// Text without markup, in any encoding.
  public static let plainText = declared("public.plain-text")

  /// Text without markup, in UTF-8.
  public static let utf8PlainText = declared("public.utf8-plain-text")

  /// Text without markup, in UTF-16 of the native byte order or with a mark.
  public static let utf16PlainText = declared("public.utf16-plain-text")

  /// Text without markup, in UTF-16 with a mark or big-endian.
  public static let utf16ExternalPlainText = declared("public.utf16-external-plain-text")

  /// HTML of any version.
  public static let html = declared("public.html")

  /// HTML written as XML.
  public static let xhtml = declared("public.xhtml")

  /// Rich text format.
  public static let rtf = declared("public.rtf")

  /// Rich text with attachments, in one stream.
  public static let flatRTFD = declared("com.apple.flat-rtfd")

  /// Markdown.
  public static let markdown = declared("net.daringfireball.markdown")

  /// Any XML.
  public static let xml = declared("public.xml")

  /// JSON.
  public static let json = declared("public.json")

  /// YAML.
  public static let yaml = declared("public.yaml")

  /// A style sheet.
  public static let css = declared("public.css")

  /// Any table with a separator between the values.
  public static let delimitedText = declared("public.delimited-values-text")

  /// A table with commas between the values.
  public static let csv = declared("public.comma-separated-values-text")

  /// A table with tabs between the values.
  public static let tsv = declared("public.tab-separated-values-text")

  /// Any source code.
  public static let sourceCode = declared("public.source-code")

  /// Source code of any scripting language.
  public static let script = declared("public.script")

  /// A shell script.
  public static let shellScript = declared("public.shell-script")

  /// An electronic visiting card.
  public static let vCard = declared("public.vcard")

  // MARK: Pictures, sound and documents

  /// Any picture.
  public static let image = declared("public.image")

  /// A PNG picture.
  public static let png = declared("public.png")

  /// A JPEG picture.
  public static let jpeg = declared("public.jpeg")

  /// A GIF picture.
  public static let gif = declared("com.compuserve.gif")

  /// A TIFF picture.
  public static let tiff = declared("public.tiff")

  /// A Windows bitmap.
  public static let bmp = declared("com.microsoft.bmp")

  /// A Windows icon.
  public static let ico = declared("com.microsoft.ico")

  /// An SVG picture.
  public static let svg = declared("public.svg-image")

  /// A WebP picture.
  public static let webP = declared("org.webmproject.webp")

  /// An HEIC picture.
  public static let heic = declared("public.heic")

  /// An AVIF picture.
  public static let avif = declared("public.avif")

  /// A JPEG XL picture.
  public static let jpegXL = declared("public.jpeg-xl")

  /// Any sound or video.
  public static let audiovisualContent = declared("public.audiovisual-content")

  /// Any sound.
  public static let audio = declared("public.audio")

  /// Any video, with or without sound.
  public static let movie = declared("public.movie")

  /// A PDF document.
  public static let pdf = declared("com.adobe.pdf")

  /// A PostScript document.
  public static let postScript = declared("com.adobe.postscript")

  /// Any spreadsheet.
  public static let spreadsheet = declared("public.spreadsheet")

  /// Any slide deck.
  public static let presentation = declared("public.presentation")

  /// Any font.
  public static let font = declared("public.font")

  /// A ZIP archive.
  public static let zip = declared("public.zip-archive")

  // MARK: URLs and files

  /// Any URL.
  public static let url = declared("public.url")

  /// The URL of a file; on the wire, a list of them.
  public static let fileURL = declared("public.file-url")

  /// The title that goes with a URL.
  public static let urlName = declared("public.url-name")

  /// Copied or cut files with the operation, as GNOME and Xfce write them.
  public static let gnomeCopiedFiles = declared("org.gnome.copied-files")

  /// KDE's mark that files were cut.
  public static let kdeCutSelection = declared("org.kde.cut-selection")

  // MARK: Marks

  /// KDE's mark that the content is secret.
  public static let passwordManagerHint = declared("org.kde.password-manager-hint")

  /// The mark of macOS programs that the content is secret.
  public static let concealed = declared("org.nspasteboard.ConcealedType")

  /// Which representations are native, and what the others were made from.
  public static let clipviewOrigin = declared("org.clipview.origin")
}
