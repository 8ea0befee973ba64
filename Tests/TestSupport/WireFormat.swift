/// A request under construction.
///
/// The length field is filled in when it is sent.
struct WireRequest {
  private var bytes: [UInt8]

  init(opcode: UInt8, data: UInt8 = 0) { bytes = [opcode, data, 0, 0] }

  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(_ value: UInt32) { bytes.append(contentsOf: littleEndian(value)) }

  mutating func append(_ values: [UInt32]) { for value in values { append(value) } }

  /// Appends bytes and fills up to a multiple of four.
  mutating func append(bytes more: [UInt8]) {
    bytes.append(contentsOf: more)
    bytes.append(contentsOf: repeatElement(0, count: (4 - bytes.count % 4) % 4))
  }

  /// As it goes over the wire.
  var encoded: [UInt8] {
    let units = bytes.count / 4
    var encoded = bytes
    if units <= 0xFFFF {
      encoded[2] = UInt8(truncatingIfNeeded: units)
      encoded[3] = UInt8(truncatingIfNeeded: units >> 8)
    } else {
      // BIG-REQUESTS: a length of zero, and the true one as four bytes more.
      encoded.insert(contentsOf: littleEndian(UInt32(units + 1)), at: 4)
    }
    return encoded
  }
}

/// The four bytes of a number as the wire has them.
package func littleEndian(_ value: UInt32) -> [UInt8] {
  [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// Bytes of a format-32 property.
package func littleEndian(_ values: [UInt32]) -> [UInt8] { values.flatMap { littleEndian($0) } }

extension [UInt8] {
  package func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  package func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
  }

  /// The items of a format-32 property; what is left over at the end is dropped.
  package var uint32s: [UInt32] { stride(from: 0, to: count / 4 * 4, by: 4).map(uint32(at:)) }
}

/// What the server reports that concerns selections.
enum WireEvent {
  case propertyChanged(window: UInt32, atom: UInt32, time: UInt32, isDeleted: Bool)
  case selectionCleared(selection: UInt32, window: UInt32)
  case selectionRequested(WireSelectionRequest)
  case selectionNotified(selection: UInt32, target: UInt32, property: UInt32, time: UInt32)
  case message(window: UInt32, type: UInt32, values: [UInt32])

  /// Nil for events that no peer cares for.
  init?(_ packet: [UInt8]) {
    // The highest bit tells that a client sent it, as owners do.
    switch packet[0] & 0x7F {
    case 28:
      self = .propertyChanged(
        window: packet.uint32(at: 4), atom: packet.uint32(at: 8), time: packet.uint32(at: 12),
        isDeleted: packet[16] == 1)
    case 29:
      self = .selectionCleared(selection: packet.uint32(at: 12), window: packet.uint32(at: 8))
    case 30:
      self = .selectionRequested(
        WireSelectionRequest(
          time: packet.uint32(at: 4), requestor: packet.uint32(at: 12),
          selection: packet.uint32(at: 16), target: packet.uint32(at: 20),
          property: packet.uint32(at: 24)))
    case 31:
      self = .selectionNotified(
        selection: packet.uint32(at: 12), target: packet.uint32(at: 16),
        property: packet.uint32(at: 20), time: packet.uint32(at: 4))
    case 33:
      self = .message(
        window: packet.uint32(at: 4), type: packet.uint32(at: 8),
        values: Array(packet[12..<32]).uint32s)
    default: return nil
    }
  }
}

struct WireSelectionRequest {
  let time: UInt32
  let requestor: UInt32
  let selection: UInt32
  let target: UInt32
  let property: UInt32
}
