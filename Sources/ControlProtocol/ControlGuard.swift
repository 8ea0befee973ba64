/// What is asked about the guard, which refuses content to everybody for a while.
package enum GuardOrder: Hashable, Sendable {
  /// How long it lasts.
  case ask
  /// Begins anew, for so long.
  case arm(milliseconds: UInt64)
  case lift
}

/// How the guard stands.
package struct ControlGuard: Hashable, Sendable {
  /// How long it lasts yet; 0 where there is none.
  package var milliseconds: UInt64
  /// The selections that another program serves, over which it has no power.
  package var unguarded: [ControlPlace]

  package init(milliseconds: UInt64, unguarded: [ControlPlace]) {
    self.milliseconds = milliseconds
    self.unguarded = unguarded
  }

  /// Three selections of each display.
  package static let maximumPlaces = 768
}

extension GuardOrder: ControlCodable {
  func write(to writer: inout ControlWriter) {
    switch self {
    case .ask: writer.uint8(0)
    case .arm(let milliseconds):
      writer.uint8(1)
      writer.uint64(milliseconds)
    case .lift: writer.uint8(2)
    }
  }

  init?(from reader: inout ControlReader) {
    switch reader.uint8() {
    case 0: self = .ask
    case 1:
      guard let milliseconds = reader.uint64() else { return nil }
      self = .arm(milliseconds: milliseconds)
    case 2: self = .lift
    default: return nil
    }
  }
}

extension ControlGuard: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.uint64(milliseconds)
    writer.values(unguarded)
  }

  init?(from reader: inout ControlReader) {
    guard let milliseconds = reader.uint64(),
      let unguarded: [ControlPlace] = reader.values(atMost: Self.maximumPlaces)
    else { return nil }
    self.init(milliseconds: milliseconds, unguarded: unguarded)
  }
}
