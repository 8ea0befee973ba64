import Testing

@testable import X11Backend

@Suite("The table of atoms")
struct AtomTableTests {
  private func table(of count: Int) -> AtomTable {
    var table = AtomTable()
    for number in 0..<count { table.note("name \(number)", AtomID(UInt32(number + 1))) }
    return table
  }

  @Test(
    "Names and atoms are found both ways, few or many",
    arguments: [0, 1, AtomTable.fewLimit - 1, AtomTable.fewLimit, AtomTable.fewLimit + 1, 1000])
  func bothWays(count: Int) {
    let table = table(of: count)
    for number in 0..<count {
      #expect(table.atom(named: "name \(number)") == AtomID(UInt32(number + 1)))
      #expect(table.name(of: AtomID(UInt32(number + 1))) == "name \(number)")
    }
    #expect(table.atom(named: "name \(count)") == nil)
    #expect(table.name(of: AtomID(UInt32(count + 1))) == nil)
    #expect(table.name(of: .none) == nil)
  }

  @Test("Of two atoms of one name the first is that name's, few or many", arguments: [3, 100])
  func firstOfAName(count: Int) {
    var table = table(of: count)
    table.note("name 1", AtomID(5000))
    #expect(table.atom(named: "name 1") == AtomID(2))
    #expect(table.name(of: AtomID(5000)) == "name 1")
    table.note("another", AtomID(2))
    #expect(table.name(of: AtomID(2)) == "name 1")
    table.note("nothing", .none)
    #expect(table.atom(named: "nothing") == nil)
  }
}
