import Pasteboard
import SelectionCore
import Testing

@Suite("Keyed hash")
struct SipHashTests {
  private static let key = SipHash.Key(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)

  /// From the authors' vectors (SipHash-2-4, 64 bits): the input is the bytes 0, 1, 2 … of that number.
  @Test(
    "The published vectors",
    arguments: [
      (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (7, 0xAB02_00F5_8B01_D137),
      (8, 0x93F5_F579_9A93_2462), (15, 0xA129_CA61_49BE_45E5), (63, 0x958A_324C_EB06_4572),
    ] as [(UInt8, UInt64)])
  func vectors(count: UInt8, hash: UInt64) {
    let bytes = (0..<count).map { $0 }
    var whole = SipHash(Self.key)
    whole.update(Payload(bytes))
    #expect(whole.value == hash)
    // However they come in pieces.
    var pieces = SipHash(Self.key)
    pieces.update(Payload(chunks: bytes.map { ByteChunk([$0]) }))
    #expect(pieces.value == hash)
  }

  @Test("Another key gives another hash")
  func keys() {
    var one = SipHash(Self.key)
    var other = SipHash(.init(1, 2))
    one.update(Payload("secret"))
    other.update(Payload("secret"))
    #expect(one.value != other.value)
  }
}
