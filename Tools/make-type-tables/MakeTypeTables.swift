import CDeclaredTypes
@testable import TypeRegistry

/// Prints Sources/CDeclaredTypes/declared_types_tables.h.
///
/// That is the tables that the parser of declarations makes of the data, as C has them. Run by
/// Scripts/number-types.
@main
enum MakeTypeTables {
  static func main() {
    let storage = BuiltinDeclarations.parsed
    print("// Made by Scripts/number-types of the tables in data: not to be edited.")
    print("#define TEXT_COUNT \(BuiltinDeclarations.bytes.count)")
    print("#define WORDS_PER_TYPE \(storage.conformance.wordsPerType)")
    table("struct cdeclaredtypes_type", "types", storage.types) { type in
      "\(part(type.identifier)), \(part(type.description)), \(span(type.parents)), "
        + "\(span(type.tags)), \(type.line), \(type.section), \(type.is_public), 0"
    }
    numbers("uint32_t", "parents", storage.parents)
    table("struct cdeclaredtypes_name", "names", storage.names) { name in
      "\(part(name.name)), \(name.hash), \(name.owner), \(name.next), \(name.name_space), "
        + "\(name.role), \(name.layer), \(name.is_preferred)"
    }
    table("struct cdeclaredtypes_pattern", "patterns", storage.patterns) { pattern in
      "\(part(pattern.prefix)), \(pattern.owner), \(pattern.name_space), \(pattern.role), 0"
    }
    numbers("uint32_t", "slots", storage.slots)
    numbers("uint32_t", "columns", storage.conformance.columns)
    numbers("uint64_t", "bits", storage.conformance.bits)
  }

  private static func part(_ part: cdeclaredtypes_part) -> String {
    "{\(part.offset), \(part.count)}"
  }

  private static func span(_ span: cdeclaredtypes_span) -> String { "{\(span.start), \(span.end)}" }

  private static func table<Row: StoredRow>(
    _ type: String, _ name: String, _ rows: RowTable<Row>, _ fields: (Row.Stored) -> String
  ) {
    print("static const \(type) table_\(name)[] = {")
    for row in rows { print("  {\(fields(row.stored))},") }
    print("};")
  }

  private static func numbers<Number: StoredRow & UnsignedInteger>(
    _ type: String, _ name: String, _ rows: RowTable<Number>
  ) {
    print("static const \(type) table_\(name)[] = {")
    let numbers = rows.map { "\($0)u" + (type == "uint64_t" ? "ll" : "") }
    for start in stride(from: 0, to: numbers.count, by: 8) {
      print("  " + numbers[start..<min(start + 8, numbers.count)].joined(separator: ", ") + ",")
    }
    print("};")
  }
}
