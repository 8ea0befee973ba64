import Glibc

/// One conversion of the system's iconv.
///
/// The corresponding C functions are `iconv_open`, `iconv` and `iconv_close`.
@safe
struct IconvDescriptor: ~Copyable {
  /// Why a conversion stopped.
  enum Stop {
    case finished
    /// The bytes at the offset mean nothing in the source charset, or nothing in the target's.
    case invalid
    /// The input ends within a character.
    case truncated
  }

  private let descriptor: iconv_t

  /// - Returns: nil if iconv does not convert between the two.
  init?(from source: String, to target: String) {
    // iconv_open returns (iconv_t)-1.
    let descriptor = unsafe iconv_open(target, source)
    guard Int(bitPattern: descriptor) != -1, let descriptor = unsafe descriptor else {
      return nil
    }
    unsafe self.descriptor = descriptor
  }

  deinit {
    unsafe iconv_close(descriptor)
  }

  /// Whether iconv can make UTF-8 of `name`.
  static func canDecode(_ name: String) -> Bool {
    IconvDescriptor(from: name, to: "UTF-8") != nil
  }

  /// Back to the initial shift state, for the next text.
  mutating func reset() {
    _ = unsafe iconv(descriptor, nil, nil, nil, nil)
  }

  /// Converts `input` from `offset` on as far as it goes, and moves `offset` behind it.
  mutating func convert(
    _ input: UnsafeRawBufferPointer, from offset: inout Int, appendingTo output: inout [UInt8]
  ) -> Stop {
    guard offset < input.count, let base = input.baseAddress else { return .finished }
    var next: UnsafeMutablePointer<CChar>? = unsafe UnsafeMutablePointer(
      mutating: (base + offset).assumingMemoryBound(to: CChar.self))
    var left = input.count - offset
    while true {
      let leftBefore = left
      let (result, error, written) = unsafe callIntoScratch(
        &next, &left, appendingTo: &output)
      offset = input.count - left
      guard result == -1 else { return .finished }
      switch error {
      case E2BIG where left < leftBefore || written > 0: continue
      case EINVAL: return .truncated
      // EILSEQ; or a converter that makes no step, which would otherwise be called for ever.
      default: return .invalid
      }
    }
  }

  /// Writes what is still to come, and returns to the initial shift state.
  ///
  /// That is the way back of a shifting target, and a character that was held back because the next
  /// could have combined with it (windows-1255 and 1258, JIS X 0213, Big5-HKSCS).
  mutating func finish(appendingTo output: inout [UInt8]) {
    var next: UnsafeMutablePointer<CChar>?
    var left = 0
    _ = unsafe callIntoScratch(&next, &left, appendingTo: &output)
  }

  private mutating func callIntoScratch(
    _ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int,
    appendingTo output: inout [UInt8]
  ) -> (result: Int, error: Int32, written: Int) {
    // The slack is never offered to iconv: glibc before 2.40 can write up to four bytes behind the
    // end of its buffer (CVE-2024-2961).
    let capacity = 8192
    let slack = 16
    return unsafe withUnsafeTemporaryAllocation(byteCount: capacity + slack, alignment: 16) {
      scratch in
      let start = unsafe scratch.baseAddress?.assumingMemoryBound(to: CChar.self)
      var end = unsafe start
      var room = capacity
      let result = unsafe iconv(descriptor, &next, &left, &end, &room)
      // errno is defined in Swift, in an object of that module that refers to all of libm.
      let error = unsafe __errno_location().pointee
      let written = capacity - room
      unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<written]))
      return (result, error, written)
    }
  }
}

/// A converter to UTF-8 that a table can hold.
final class IconvConverter {
  private var descriptor: IconvDescriptor

  init?(from charset: Charset) {
    guard let descriptor = IconvDescriptor(from: charset.name, to: "UTF-8") else { return nil }
    self.descriptor = descriptor
  }

  func reset() {
    descriptor.reset()
  }

  func finish(appendingTo output: inout [UInt8]) {
    descriptor.finish(appendingTo: &output)
  }

  func convert(
    _ input: UnsafeRawBufferPointer, from offset: inout Int, appendingTo output: inout [UInt8]
  ) -> IconvDescriptor.Stop {
    unsafe descriptor.convert(input, from: &offset, appendingTo: &output)
  }
}

/// The converters of one text that changes its charset as it goes.
///
/// Opening one costs far more than using it, and text alternates between two sets character by
/// character (Emacs writes Japanese so). The number is bounded, since the text may be hostile.
struct IconvConverterPool {
  private static let limit = 16
  private var converters: [(charset: Charset, converter: IconvConverter?)] = []

  /// - Returns: nil if iconv does not know the set or the text names too many.
  mutating func converter(from charset: Charset) -> IconvConverter? {
    for entry in converters where entry.charset == charset {
      entry.converter?.reset()
      return entry.converter
    }
    guard converters.count < IconvConverterPool.limit else { return nil }
    let converter = IconvConverter(from: charset)
    converters.append((charset, converter))
    return converter
  }
}
