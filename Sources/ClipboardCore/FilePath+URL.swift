package import SystemIO

/// Paths as `file` URLs and back, byte for byte: RFC 8089 over RFC 3986.
extension FilePath {
  /// The URL of an absolute path: `file:///` and the rest, without a host.
  ///
  /// What stays as it is are the characters that GLib leaves: programs compare these URLs as they
  /// stand, to show what was cut, for one.
  package var fileURL: [UInt8] {
    var url = Array("file://".utf8)
    for byte in bytes {
      if Self.staysInURL(byte) {
        url.append(byte)
      } else {
        url += [UInt8(ascii: "%"), Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
      }
    }
    return url
  }

  /// The path that a `file` URL names on this machine, percent signs decoded to bytes.
  ///
  /// Nil where it is another scheme or another machine's file, and where the path is not plain: a
  /// query or fragment behind it, a percent sign without two digits, a NUL or an encoded slash in it.
  /// A guess could name another file than was meant.
  ///
  /// - Parameter host: The name of this machine, beside `localhost` and none at all.
  package init?(fileURL url: some Collection<UInt8>, onHost host: [UInt8]) {
    let scheme = "file:"
    guard Self.isEqual(url.prefix(scheme.utf8.count), Array(scheme.utf8)) else { return nil }
    var rest = Array(url.dropFirst(scheme.utf8.count))[...]
    let slash = UInt8(ascii: "/")
    if rest.starts(with: [slash, slash]) {
      // An authority: RFC 8089 knows `file://host/path` beside `file:/path`.
      rest = rest.dropFirst(2)
      let name = rest.prefix { $0 != slash }
      guard
        name.isEmpty || Self.isEqual(name, Array("localhost".utf8))
          || !host.isEmpty && Self.isEqual(name, host)
      else { return nil }
      rest = rest.dropFirst(name.count)
    }
    guard rest.first == slash else { return nil }
    var path: [UInt8] = []
    path.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(Self.hexValue),
          let low = rest.popFirst().flatMap(Self.hexValue), case let decoded = high << 4 | low,
          decoded != 0, decoded != slash
        else { return nil }
        path.append(decoded)
      case 0, UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: path.append(byte)
      }
    }
    self.init(bytes: path)
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  private static func staysInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~!$&'()*+,=:@/".utf8.contains(byte)
    }
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether two names are the same without regard to the case of ASCII letters.
  private static func isEqual(_ left: some Collection<UInt8>, _ right: [UInt8]) -> Bool {
    func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    return left.count == right.count && zip(left, right).allSatisfy { folded($0) == folded($1) }
  }
}
