/// The declarations of types in an app's `Info.plist`, as rows of the format that everything else has.
///
/// Of a declaration count `UTTypeIdentifier`, `UTTypeConformsTo`, `UTTypeDescription` and, in
/// `UTTypeTagSpecification`, the classes that are known here; icons, addresses and versions do not.
struct PropertyListDeclarations {
  /// Rows, and the line of the property list that each comes from.
  struct Rows {
    var text: [UInt8] = []
    var lines: [Int] = []

    mutating func append(_ columns: [String], line: Int) {
      if text.isEmpty {
        text += Array(DeclarationParser.typeHeader.string.utf8) + [UInt8(ascii: "\n")]
        lines.append(line)
      }
      text += Array(columns.joined(separator: "\t").utf8) + [UInt8(ascii: "\n")]
      lines.append(line)
    }
  }

  private(set) var exported = Rows()
  private(set) var imported = Rows()
  private(set) var faults: [TypeDeclarationError] = []

  private static let tagClasses: [(column: TagClass, key: String)] = [
    (.filenameExtension, "public.filename-extension"), (.mimeType, "public.mime-type"),
    (.x11Target, "org.x.selection-target"), (.pasteboardName, "com.apple.nspboard-type"),
    (.osType, "com.apple.ostype"),
  ]

  init(_ bytes: [UInt8]) {
    do throws(TypeDeclarationError) {
      let list = try PropertyListReader.read(bytes)
      let (exports, imports) = (
        list["UTExportedTypeDeclarations"], list["UTImportedTypeDeclarations"]
      )
      if exports == nil, imports == nil {
        throw TypeDeclarationError(line: list.line, .noTypeDeclarations)
      }
      if let exports { exported = rows(of: exports) }
      if let imports { imported = rows(of: imports) }
    } catch {
      faults.append(error)
    }
  }

  private mutating func rows(of list: PropertyListValue) -> Rows {
    var rows = Rows()
    guard case .array(let declarations) = list.content else {
      faults.append(TypeDeclarationError(line: list.line, .invalidPropertyList))
      return rows
    }
    for declaration in declarations {
      do throws(TypeDeclarationError) {
        rows.append(try Self.columns(of: declaration), line: declaration.line)
      } catch {
        faults.append(error)
      }
    }
    return rows
  }

  private static func columns(
    of declaration: PropertyListValue
  ) throws(TypeDeclarationError) -> [String] {
    let fault = TypeDeclarationError(line: declaration.line, .invalidPropertyList)
    guard case .string(let identifier) = declaration["UTTypeIdentifier"]?.content else {
      throw fault
    }
    var columns = [try element(identifier, declaration.line)]
    columns.append(try self.list(declaration["UTTypeConformsTo"]) { $0 })
    for (tagClass, key) in tagClasses {
      let tags = declaration["UTTypeTagSpecification"]?[key]
      columns.append(
        try self.list(tags) { tag in
          switch tagClass {
          // Rows have MIME types in one spelling; property lists in any.
          case .mimeType: MIMEType(tag)?.lookupKey ?? tag
          case .osType: "'\(tag)'"
          case .filenameExtension, .x11Target, .pasteboardName: tag
          }
        })
    }
    columns.append("")
    var description = ""
    if case .string(let text) = declaration["UTTypeDescription"]?.content { description = text }
    columns.append(String(description.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    return columns
  }

  private static func list(
    _ value: PropertyListValue?, _ spelling: (String) -> String
  ) throws(TypeDeclarationError) -> String {
    guard let value else { return "" }
    guard let strings = value.strings else {
      throw TypeDeclarationError(line: value.line, .invalidPropertyList)
    }
    var elements: [String] = []
    for string in strings { elements.append(try element(spelling(string), value.line)) }
    return elements.joined(separator: ",")
  }

  /// Checks that a value stays one when it stands in a row.
  private static func element(_ text: String, _ line: Int) throws(TypeDeclarationError) -> String {
    var quote: UInt8 = 0
    for byte in text.utf8 {
      if byte == quote {
        quote = 0
      } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      let divides = byte == UInt8(ascii: ",") && quote == 0
      if divides || byte < 0x20 { throw TypeDeclarationError(line: line, .invalidTag(text)) }
    }
    guard quote == 0 else { throw TypeDeclarationError(line: line, .invalidTag(text)) }
    return text
  }
}
