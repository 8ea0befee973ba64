internal import SystemIO

/// The keys to X displays that a file holds, such as the one that `XAUTHORITY` names.
///
/// Xlib reads such files itself, but only the one of the environment, which all threads share: this is for
/// a file that another program named.
enum AuthorityFile {
  struct Key: Equatable {
    let name: [UInt8]
    let data: [UInt8]
  }

  /// The kind of key that X servers of this machine ask for.
  private static let cookie = Array("MIT-MAGIC-COOKIE-1".utf8)
  /// What is longer is no such file.
  private static let maximumSize = 1 << 18

  /// Whom an entry is about (Xau: Xauth.h).
  private enum Family {
    static let local: UInt16 = 256
    static let wild: UInt16 = 65535
  }

  /// The key to a display of this machine; nil for another one's, and where the file has none.
  static func key(toDisplay name: String, in path: FilePath) -> Key? {
    guard let number = number(ofLocalDisplay: name),
      let file = try? beginning(ofFile: path, limit: maximumSize), file.size <= maximumSize
    else { return nil }
    return key(toDisplay: number, of: hostName(), in: file.bytes)
  }

  /// The digits of `:0` and `:0.0`.
  private static func number(ofLocalDisplay name: String) -> [UInt8]? {
    guard name.utf8.first == UInt8(ascii: ":") else { return nil }
    return Array(name.utf8.dropFirst().prefix { $0 != UInt8(ascii: ".") })
  }

  /// Reads entries: a family, then the address, the number of the display, the name of the key and the key,
  /// each with its length before it, all numbers with the upper byte first.
  static func key(toDisplay number: [UInt8], of host: [UInt8], in file: [UInt8]) -> Key? {
    var rest = file[...]
    func nextNumber() -> UInt16? {
      guard rest.count >= 2, let upper = rest.popFirst(), let lower = rest.popFirst() else {
        return nil
      }
      return UInt16(upper) << 8 | UInt16(lower)
    }
    func nextText() -> ArraySlice<UInt8>? {
      guard let length = nextNumber(), rest.count >= length else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return rest.prefix(Int(length))
    }
    while let family = nextNumber(), let address = nextText(), let display = nextText(),
      let name = nextText(), let data = nextText()
    {
      let isHere = family == Family.wild || family == Family.local && address.elementsEqual(host)
      // An entry without a number is about every display.
      let isMeant = display.isEmpty || display.elementsEqual(number)
      if isHere, isMeant, name.elementsEqual(cookie) {
        return Key(name: Array(name), data: Array(data))
      }
    }
    return nil
  }
}
