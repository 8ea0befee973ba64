import SelectionCore
import TestSupport
import Testing

@Suite("Sizes of chunks")
struct ChunkAllowanceTests {
  private let limits = ChunkAllowance.Limits(largest: 1000, first: 100, least: 10, total: 3000)

  @Test("The chunks of a reader that keeps taking grow to the largest")
  func growth() {
    var allowance = ChunkAllowance(limits)
    allowance.beginTransfer()
    var sizes: [Int] = []
    for _ in 0..<6 {
      let size = allowance.nextSize(after: sizes.last)
      allowance.put(size)
      allowance.take(size)
      sizes.append(size)
    }
    #expect(sizes == [100, 200, 400, 800, 1000, 1000])
    // After a small one, such as the last of some content, not from the bottom.
    #expect(allowance.nextSize(after: 1) == 100)
  }

  @Test("Many transfers share what there is, and none is left without")
  func sharing() {
    var allowance = ChunkAllowance(limits)
    for _ in 0..<6 { allowance.beginTransfer() }
    #expect(allowance.nextSize(after: 1000) == 500)
    for _ in 0..<1000 { allowance.beginTransfer() }
    #expect(allowance.nextSize(after: 1000) == 10)
  }

  @Test("What stalled readers leave lying leaves less for others")
  func stalledReaders() {
    var allowance = ChunkAllowance(limits)
    for _ in 0..<3 { allowance.beginTransfer() }
    allowance.put(1000)
    allowance.put(1000)
    #expect(allowance.nextSize(after: 900) == 1000)
    allowance.put(900)
    #expect(allowance.nextSize(after: 900) == 100)
    allowance.put(100)
    #expect(allowance.nextSize(after: 900) == 10)
    allowance.endTransfer(leaving: 1000)
    #expect(allowance.nextSize(after: 900) == 1000)
  }

  @Test("Whatever happens, no more lies there than the bound and a least chunk a transfer")
  func randomTransfers() {
    var numbers = SeededGenerator(seed: 4)
    var allowance = ChunkAllowance(limits)
    // What each transfer has lying, and the size of its last chunk.
    var transfers: [(lying: Int, last: Int?)] = []
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<2 where transfers.count < 200:
        allowance.beginTransfer()
        transfers.append((0, nil))
      case 2 where !transfers.isEmpty:
        let index = Int.random(in: transfers.indices, using: &numbers)
        allowance.endTransfer(leaving: transfers.remove(at: index).lying)
      case 3... where !transfers.isEmpty:
        let index = Int.random(in: transfers.indices, using: &numbers)
        allowance.take(transfers[index].lying)
        let size = allowance.nextSize(after: transfers[index].last)
        guard (1...1000).contains(size) else {
          Issue.record("a chunk of \(size)")
          return
        }
        allowance.put(size)
        transfers[index] = (size, size)
      default: break
      }
      let lying = transfers.reduce(0) { $0 + $1.lying }
      guard lying == allowance.outstanding, transfers.count == allowance.transfers,
        lying <= 3000 + 10 * 200
      else {
        Issue.record("\(transfers.count) transfers, \(lying) bytes lying, \(allowance)")
        return
      }
    }
  }
}
