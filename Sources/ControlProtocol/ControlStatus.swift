/// What `clipd` is, what it manages and what it holds; no content.
package struct ControlStatus: Hashable, Sendable {
  package struct Display: Hashable, Sendable {
    /// As ``DisplayName`` has it.
    package var name: String
    package var isConnected: Bool

    package init(name: String, isConnected: Bool) {
      self.name = name
      self.isConnected = isConnected
    }
  }

  /// Whose what is on a pasteboard or selection is.
  package enum Holder: UInt8, Sendable {
    case nobody = 0
    /// `clipd` serves it.
    case service = 1
    case otherProgram = 2
  }

  package struct Pasteboard: Hashable, Sendable {
    package var place: ControlPlace
    package var changeCount: UInt64
    package var holder: Holder
    /// How many representations `clipd` offers, or would offer if the program that has it died.
    package var targetCount: Int
    /// The bytes that `clipd` holds for it.
    package var byteCount: Int
    package var isSensitive: Bool
    /// The representations that are not held since they, or all together, are more than may be.
    package var leftOut: [String]

    package init(
      place: ControlPlace, changeCount: UInt64, holder: Holder, targetCount: Int, byteCount: Int,
      isSensitive: Bool, leftOut: [String] = []
    ) {
      self.place = place
      self.changeCount = changeCount
      self.holder = holder
      self.targetCount = targetCount
      self.byteCount = byteCount
      self.isSensitive = isSensitive
      self.leftOut = leftOut
    }

    /// More names than anybody reads.
    package static let maximumLeftOut = 64

    /// As many names as are told, none of them without end: other programs think them up.
    package static func listing(_ names: [String]) -> [String] {
      names.prefix(maximumLeftOut).map { name in
        name.utf8.count <= 256
          ? name : String(String.UnicodeScalarView(name.unicodeScalars.prefix(200))) + "…"
      }
    }
  }

  /// What nobody gets for a while.
  package struct Guard: Hashable, Sendable {
    /// The selection on every display and the pasteboard that is called so; nil for everything.
    package var name: String?
    /// How long that lasts yet.
    package var milliseconds: UInt64

    package init(name: String?, milliseconds: UInt64) {
      self.name = name
      self.milliseconds = milliseconds
    }
  }

  package var program: String
  package var process: Int32
  package var displays: [Display]
  package var pasteboards: [Pasteboard]
  package var guards: [Guard]

  package init(
    program: String, process: Int32, displays: [Display], pasteboards: [Pasteboard],
    guards: [Guard] = []
  ) {
    self.guards = guards
    self.program = program
    self.process = process
    self.displays = displays
    self.pasteboards = pasteboards
  }

  /// More pasteboards than anybody looks at.
  package static let maximumPasteboards = 4096
  package static let maximumGuards = 4096
}

extension ControlStatus.Display: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(name)
    writer.boolean(isConnected)
  }

  init?(from reader: inout ControlReader) {
    guard let name = reader.text(), let isConnected = reader.boolean() else { return nil }
    self.init(name: name, isConnected: isConnected)
  }
}

extension ControlStatus.Pasteboard: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.value(place)
    writer.uint64(changeCount)
    writer.uint8(holder.rawValue)
    writer.uint64(UInt64(targetCount))
    writer.uint64(UInt64(byteCount))
    writer.boolean(isSensitive)
    writer.list(leftOut) { $0.text($1) }
  }

  init?(from reader: inout ControlReader) {
    guard let place: ControlPlace = reader.value(), let changeCount = reader.uint64(),
      let holder = reader.uint8().flatMap({ ControlStatus.Holder(rawValue: $0) }),
      let targetCount = reader.count(), let byteCount = reader.count(),
      let isSensitive = reader.boolean(),
      let leftOut = reader.list(atMost: Self.maximumLeftOut, { $0.text() })
    else { return nil }
    self.init(
      place: place, changeCount: changeCount, holder: holder, targetCount: targetCount,
      byteCount: byteCount, isSensitive: isSensitive, leftOut: leftOut)
  }
}

extension ControlStatus.Guard: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.optional(name) { $0.text($1) }
    writer.uint64(milliseconds)
  }

  init?(from reader: inout ControlReader) {
    guard let name = reader.optional({ $0.text() }), let milliseconds = reader.uint64() else {
      return nil
    }
    self.init(name: name, milliseconds: milliseconds)
  }
}

extension ControlStatus: ControlCodable {
  func write(to writer: inout ControlWriter) {
    writer.text(program)
    writer.uint32(UInt32(bitPattern: process))
    writer.values(displays)
    writer.values(pasteboards)
    writer.values(guards)
  }

  init?(from reader: inout ControlReader) {
    guard let program = reader.text(), let process = reader.uint32(),
      let displays: [Display] = reader.values(atMost: 256),
      let pasteboards: [Pasteboard] = reader.values(atMost: Self.maximumPasteboards),
      let guards: [Guard] = reader.values(atMost: Self.maximumGuards)
    else { return nil }
    self.init(
      program: program, process: Int32(bitPattern: process), displays: displays,
      pasteboards: pasteboards, guards: guards)
  }
}
