internal import CDeclaredTypes

/// The declarations that are part of the program, read when first needed.
enum BuiltinDeclarations {
  static let storage: DeclarationStorage = {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: cdeclaredtypes_bytes, count: cdeclaredtypes_count)
    do throws(TypeDeclarationError) {
      let tables = try DeclarationParser.parse(
        unsafe TextSlice(borrowing: bytes), checks: false)
      let count = tables.types.count
      return unsafe DeclarationStorage(
        text: bytes, ownsText: false, tables: tables, builtinCount: count, identifiers: [])
    } catch {
      preconditionFailure(
        "the built-in declarations are wrong in line \(error.line): \(error.fault)")
    }
  }()

  /// A copy of the text.
  static var bytes: [UInt8] {
    unsafe Array(
      UnsafeRawBufferPointer(start: cdeclaredtypes_bytes, count: cdeclaredtypes_count))
  }
}
