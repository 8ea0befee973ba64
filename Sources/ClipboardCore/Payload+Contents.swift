package import Pasteboard
package import SystemIO

extension Payload {
  /// What was read, used where it is.
  package init(_ contents: ReadContents) {
    switch contents {
    case .bytes(let bytes): self.init(bytes)
    case .file(let file):
      let chunk = unsafe ByteChunk(mapped: file.bytes, of: file.descriptor) {
        withExtendedLifetime(file) {}
      }
      self.init(chunks: [chunk])
    }
  }
}

extension Payload {
  /// From here on what is kept for long lives in a memory file.
  private static let memoryFileSize = 1 << 16

  /// The same bytes, in a memory file where they are many: memory of the system that no heap grows
  /// around, and that can be handed on by descriptor.
  ///
  /// Where there is no memory file to be had they stay where they are.
  var inMemoryFile: Payload {
    guard count > Self.memoryFileSize, let file = try? MemoryFile(name: "clipview-made") else {
      return self
    }
    var isComplete = true
    unsafe forEachChunk { chunk in
      let size = chunk.count
      let copied = try? unsafe file.append(upTo: size) { room in
        unsafe room.copyMemory(from: chunk)
        return size
      }
      if copied != size { isComplete = false }
    }
    return isComplete ? Payload(.file(file)) : self
  }
}
