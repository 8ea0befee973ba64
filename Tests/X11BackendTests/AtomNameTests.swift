import SelectionCore
import TestSupport
import Testing

@testable import X11Backend

extension OnDisplay {
  @Suite("Names of atoms")
  struct AtomNameTests {
    @Test("Numbers that are no atoms have no name, and leave those of others alone")
    func inventedAtoms() throws {
      let server = try Bench.sharedServer()
      let peer = try RawPeer(server)
      let wanted = ["x-one", "x-two", "x-three", "naïve", String(repeating: "long", count: 9000)]
      let atoms = try wanted.map { AtomID(try peer.atom($0)) }
      let invented = (0..<300).map { AtomID(0x1000_0000 + $0) }
      let connection = try X11Connection(displayName: server.display)
      let mixed = invented[..<1] + atoms[..<2] + invented[1..<3] + atoms[2...] + invented[3...]
      var expected: [String?] = [nil, "x-one", "x-two", nil, nil]
      expected += wanted[2...].map { $0 }
      expected += invented[3...].map { _ in nil }
      for _ in 0..<2 {
        #expect(connection.names(of: Array(mixed)) == expected)
        #expect(connection.names(of: [.none]) == [nil])
        #expect(connection.atoms(named: wanted) == atoms)
        #expect(connection.takeError() == nil)
      }
      #expect(connection.names(of: []) == [])
    }

    @Test("Names without end are found and not kept without end")
    func manyNames() throws {
      let server = try Bench.sharedServer()
      let peer = try RawPeer(server)
      let connection = try X11Connection(displayName: server.display)
      // More than five megabytes of names.
      let names = (0..<90).map { "\($0)" + String(repeating: "x", count: 60_000) }
      let atoms = try names.map { AtomID(try peer.atom($0)) }
      for _ in 0..<2 {
        for (atom, name) in zip(atoms, names) { #expect(connection.names(of: [atom]) == [name]) }
      }
    }

    @Test("Names that differ in bytes are two, also where Unicode takes them for one text")
    func equivalentNames() throws {
      let server = try Bench.sharedServer()
      let peer = try RawPeer(server)
      let names: [[UInt8]] = [Array("x-caf\u{E9}".utf8), Array("x-cafe\u{301}".utf8)]
      let atoms = try names.enumerated().map {
        AtomID(try peer.alias("name \($0.offset)", for: $0.element))
      }
      let connection = try X11Connection(displayName: server.display)
      let wanted = names.map { String(wireBytes: $0) }
      #expect(connection.atoms(named: wanted) == atoms)
      #expect(connection.names(of: atoms).map { $0?.wireBytes } == names)
    }
  }
}
