package import Pasteboard
package import SystemIO

extension Payload {
  /// What was read, used where it is.
  package init(_ contents: ReadContents) {
    switch contents {
    case .bytes(let bytes): self.init(bytes)
    case .file(let file):
      self.init(chunks: [unsafe ByteChunk(unowned: file.bytes) { withExtendedLifetime(file) {} }])
    }
  }
}
