/// What there is to say about one line of declarations that were added to the built-in ones.
public struct TypeDeclarationReport: Hashable, Sendable {
  /// What was found.
  public enum Finding: Hashable, Sendable {
    /// Something is wrong with the line.
    ///
    /// It is left out, or, for a parent that cannot be and for an alias that is another type's name,
    /// just that.
    case fault(TypeDeclarationError.Fault)
    /// The type is declared elsewhere too: in the source at that position, or built in.
    ///
    /// Both count together, the tags of this line in front.
    case addsToType(String, section: Int?)
    /// The type is imported, that is, somebody else's, and is declared elsewhere too: in the source at
    /// that position, or built in. This line does not count.
    case unusedImport(String, section: Int?)
    /// Another source, or the built-in table, gives the name another role. This line counts.
    case overridesRole(String)
    /// Other types have the tag too; which one comes first is what `TypeRegistry.types` tells.
    case sharesTag(String, TagClass)
  }

  /// The name of the source.
  public let source: String
  /// The line of the source, counted from 1.
  public let line: Int
  /// What was found there.
  public let finding: Finding

  /// Whether something was left out because it is wrong.
  public var isFault: Bool {
    if case .fault = finding { return true }
    return false
  }
}
