import SystemIO
import TestSupport
import Testing

extension OnDisplay {
  @Suite("Large contents")
  struct LargeContentTests {
    let desk: Desk
    let directory = TemporaryDirectory()

    init() throws { desk = try Desk() }

    @Test("With 256 MiB either end takes at most 64 MiB more than that")
    func memoryIsBounded() throws {
      let block = scrambledBytes(16 << 20)
      let blocks = 16
      let size = blocks * block.count
      let path = directory.path + "/large"
      do {
        let file = try Files.open(path, 0o1 | 0o100)  // O_WRONLY | O_CREAT
        for _ in 0..<blocks { try Files.write(block, to: file) }
      }
      try desk.copy(nil, "-t", "x/large", path)
      let server = try desk.servingProcess()

      let reader = try ChildProcess(
        Programs.clipview, ["paste", "-t", "x/large"], environment: desk.server.environment())
      // A pipe that nobody reads is not waited for: it has all of it then.
      var peak = 0
      let hasAll = eventually(within: 60) {
        peak = Processes.peakMemory(of: reader.pid) ?? peak
        return peak > size || !reader.isRunning
      }
      #expect(hasAll)
      reader.settle(within: 60) { reader in
        peak = max(peak, Processes.peakMemory(of: reader.pid) ?? 0)
        return !reader.isRunning
      }
      let result = reader.finish(within: 60)
      #expect(result.status == 0 && result.output.count == size, "\(result)")
      for index in 0..<min(blocks, result.output.count / block.count) {
        let start = index * block.count
        #expect(difference(Array(result.output[start..<start + block.count]), block) == nil)
      }
      // A sanitizer keeps copies of what was freed: of memory only a plain build tells.
      if Programs.areSanitized { return }
      let allowed = size + (64 << 20)
      #expect((size...allowed).contains(peak), "paste: \(peak >> 20) MiB")
      let serverPeak = try #require(Processes.peakMemory(of: server))
      #expect((1...allowed).contains(serverPeak), "copy: \(serverPeak >> 20) MiB")
    }

    @Test("Of 256 MiB that go into a file nothing stays in memory")
    func intoFile() throws {
      let block = scrambledBytes(16 << 20)
      let path = directory.path + "/large"
      do {
        let file = try Files.open(path, 0o1 | 0o100)  // O_WRONLY | O_CREAT
        for _ in 0..<16 { try Files.write(block, to: file) }
      }
      try desk.copy(nil, "-t", "x/large", path)
      for way in ["> pasted", "-o pasted"] {
        let reader = try ChildProcess(
          "/bin/sh",
          ["-c", "cd '\(directory.path)' && exec '\(Programs.clipview)' paste -t x/large \(way)"],
          environment: desk.server.environment())
        var peak = 0
        reader.settle(within: 60) { reader in
          peak = max(peak, Processes.peakMemory(of: reader.pid) ?? 0)
          return !reader.isRunning
        }
        #expect(reader.finish(within: 10).isSilentSuccess)
        #expect(difference(try Files.read(directory.path + "/pasted"), try Files.read(path)) == nil)
        if !Programs.areSanitized { #expect((1...(48 << 20)).contains(peak), "\(peak >> 20) MiB") }
      }
    }
  }
}
