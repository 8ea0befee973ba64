/// A number of bytes: digits, and one of the letters K, M, G, T for powers of 1024; nil where it is
/// none, or is more than any memory holds.
package func byteCount(_ text: String) -> Int? {
  var digits = text.utf8[...]
  var shift = 0
  if let letter = digits.last, let power = Array("KMGT".utf8).firstIndex(of: letter) {
    shift = (power + 1) * 10
    digits = digits.dropLast()
  }
  let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  guard !digits.isEmpty, digits.allSatisfy(isDigit), let number = Int(String(digits) ?? "") else {
    return nil
  }
  let (size, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
  return overflow || size >= 1 << 46 ? nil : size
}
