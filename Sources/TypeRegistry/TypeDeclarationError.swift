/// Why declarations could not be read: the line and what is wrong with it.
public struct TypeDeclarationError: Error, Hashable, Sendable {
  /// What can be wrong with a line of declarations.
  public enum Fault: Hashable, Sendable {
    /// The declarations are not UTF-8; the line is 1.
    case notUTF8
    /// The declarations are larger than 4 GiB; the line is 1.
    case tooLarge
    /// A row stands before any line that names the columns, or that line names others than
    /// the format has.
    case missingHeader
    /// The row has more columns than the line that names them.
    case tooManyColumns
    /// The name is not that of a type, or lies in the space of dynamic identifiers.
    case invalidIdentifier(String)
    /// Another row declares the identifier.
    case duplicateIdentifier(String)
    /// No row declares the identifier that this row refers to.
    case undeclaredIdentifier(String)
    /// The type conforms to itself by way of the one named.
    case conformanceCycle(String)
    /// The tag cannot be one of its class, or is a MIME type not in canonical spelling.
    case invalidTag(String)
    /// The word is not `content`, `marker` or `protocol`.
    case unknownRole(String)
    /// The word is not `target`, `mime` or `pasteboard`.
    case unknownTargetClass(String)
    /// Another row tells the role of this name.
    case duplicateTarget(String)
    /// The process remembers as many undeclared identifiers as it is allowed to.
    case tooManyIdentifiers
    /// The file is a binary property list, which is not read.
    case binaryPropertyList
    /// The file is no property list in XML, or not this far.
    case invalidPropertyList
    /// The property list declares no types.
    case noTypeDeclarations
  }

  /// The line of the declarations, counted from 1.
  public let line: Int
  /// What is wrong with it.
  public let fault: Fault

  init(line: Int, _ fault: Fault) {
    self.line = line
    self.fault = fault
  }
}
