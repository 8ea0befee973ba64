/// A row in the form in which it lies in memory: numbers only, laid out as C does.
protocol StoredRow {
  associatedtype Stored

  init(stored: Stored)
  var stored: Stored { get }
}

/// Rows that never change, in memory that somebody else owns: the program, or a `RowMemory`.
///
/// Reading them counts no references and makes nothing. `@unchecked Sendable`: nobody writes to them.
@safe struct RowTable<Row: StoredRow>: RandomAccessCollection, @unchecked Sendable {
  private let rows: UnsafeBufferPointer<Row.Stored>

  /// `rows` must stay valid and unchanged as long as the table is used.
  init(borrowing rows: UnsafeBufferPointer<Row.Stored>) { unsafe self.rows = rows }

  var startIndex: Int { 0 }
  var endIndex: Int { unsafe rows.count }

  @inline(__always)
  subscript(_ index: Int) -> Row {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: endIndex), "row outside the table")
    return unsafe Row(stored: rows[index])
  }
}

/// Memory of rows that were made at run time, freed with this object.
@safe final class RowMemory {
  private var tables: [UnsafeMutableRawPointer] = unsafe []

  deinit {
    unsafe tables.forEach { unsafe $0.deallocate() }
  }

  /// A copy of rows that lives as long as this object.
  func table<Row: StoredRow>(of rows: [Row]) -> RowTable<Row> {
    let memory = UnsafeMutableBufferPointer<Row.Stored>.allocate(capacity: rows.count)
    _ = unsafe memory.initialize(fromContentsOf: rows.map(\.stored))
    if let base = memory.baseAddress { unsafe tables.append(UnsafeMutableRawPointer(base)) }
    return unsafe RowTable(borrowing: UnsafeBufferPointer(memory))
  }
}

extension UInt32: StoredRow {
  init(stored: UInt32) { self = stored }
  var stored: UInt32 { self }
}

extension UInt64: StoredRow {
  init(stored: UInt64) { self = stored }
  var stored: UInt64 { self }
}
