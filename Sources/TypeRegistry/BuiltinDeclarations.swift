internal import CDeclaredTypes

/// The declarations that are part of the program.
///
/// So are the tables that look-ups use: the first question costs no more than any other. Where the
/// declarations were changed and `Scripts/number-types` was not run since, they are read instead, which
/// takes a fraction of a millisecond; a test tells.
enum BuiltinDeclarations {
  static let storage = tables ?? parsed

  /// What built-in types conform to, by their numbers; lives as long as the storage does, for ever.
  static let conformance = storage.conformance

  /// The tables that were made beforehand; nil where they are out of date.
  static var tables: DeclarationStorage? {
    let tables = unsafe cdeclaredtypes_tables
    guard unsafe tables.text_count == cdeclaredtypes_count else { return nil }
    return unsafe DeclarationStorage(
      text: text,
      types: RowTable(borrowing: .init(start: tables.types, count: tables.type_count)),
      parents: RowTable(borrowing: .init(start: tables.parents, count: tables.parent_count)),
      names: RowTable(borrowing: .init(start: tables.names, count: tables.name_count)),
      patterns: RowTable(borrowing: .init(start: tables.patterns, count: tables.pattern_count)),
      slots: RowTable(borrowing: .init(start: tables.slots, count: tables.slot_count)),
      conformance: ConformanceRows(
        columns: RowTable(borrowing: .init(start: tables.columns, count: tables.column_count)),
        wordsPerType: tables.words_per_type,
        bits: RowTable(borrowing: .init(start: tables.bits, count: tables.bit_count))))
  }

  /// The same, of the text.
  static var parsed: DeclarationStorage {
    do throws(TypeDeclarationError) {
      let tables = try DeclarationParser.parse(
        unsafe TextSlice(borrowing: text), checks: false)
      let count = tables.types.count
      return unsafe DeclarationStorage(
        text: text, ownsText: false, tables: tables, builtinCount: count, identifiers: [])
    } catch {
      preconditionFailure(
        "the built-in declarations are wrong in line \(error.line): \(error.fault)")
    }
  }

  private static var text: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: cdeclaredtypes_bytes, count: cdeclaredtypes_count)
  }

  /// A copy of the text.
  static var bytes: [UInt8] { unsafe Array(text) }
}
