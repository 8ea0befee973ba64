/// A name of a file in the forms that rules are compared with, for the length of one question.
struct MIMEFileName {
  /// What stands behind the last slash, cut to the longest name that file systems have, from its
  /// end.
  let bytes: TextSlice
  /// The same with ASCII capitals made small, nil where there are none.
  let folded: TextSlice?

  static let lengthLimit = 1024

  /// Calls `body` with the forms of a name, which must not leave it.
  static func withForms<Result>(
    of name: some Sequence<UInt8>, _ body: (MIMEFileName) -> Result
  ) -> Result {
    let direct = name.withContiguousStorageIfAvailable { buffer in
      unsafe withForms(in: UnsafeRawBufferPointer(buffer), body)
    }
    if let direct { return direct }
    return unsafe Array(name).withUnsafeBytes { unsafe withForms(in: $0, body) }
  }

  private static func withForms<Result>(
    in path: UnsafeRawBufferPointer, _ body: (MIMEFileName) -> Result
  ) -> Result {
    var start = path.count
    let first = max(0, start - lengthLimit)
    while start > first, unsafe path[start - 1] != UInt8(ascii: "/") { start -= 1 }
    let name = unsafe UnsafeRawBufferPointer(rebasing: path[start...])
    let bytes = unsafe TextSlice(borrowing: name)
    guard unsafe name.contains(where: { $0 >= 0x41 && $0 <= 0x5a }) else {
      return body(MIMEFileName(bytes: bytes, folded: nil))
    }
    return unsafe withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { memory in
      for index in name.indices { unsafe memory[index] = name[index].asciiLowercased }
      let folded = unsafe TextSlice(borrowing: UnsafeRawBufferPointer(memory))
      return body(MIMEFileName(bytes: bytes, folded: folded))
    }
  }
}
