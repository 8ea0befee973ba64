/// Who says something about types, as far as it decides between several owners of a tag.
enum DeclarationLayer: UInt8 {
  /// The built-in declarations.
  case system
  /// Declarations that were added to them.
  case added
  /// Added declarations of types that belong to somebody else.
  case imported
}

/// A part of a text of declarations: what one source says.
struct DeclarationSection {
  var range: Range<Int>
  var layer: DeclarationLayer
}

/// What was found in a line of a section.
struct SectionFinding {
  var section: Int
  var line: Int
  var finding: TypeDeclarationReport.Finding
}
