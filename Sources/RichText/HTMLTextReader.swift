internal import HTMLReader
package import TextEncoding

/// Reads HTML: what it means, not how it is tagged.
///
/// The bytes of a clipboard are taken as they come: a whole document or a part of one, in whatever
/// charset, with or without the header of Windows' "HTML Format". What counts is how a browser would
/// show it: the computed style decides what is emphasized, and what is hidden is left out. Documents
/// of office programs, mail programs, editors, terminals and browsers are read by their habits.
///
/// Of a document that names its fragment only the fragment is read, in the light of what is around it.
public struct HTMLTextReader: Sendable {
  /// A reader.
  public init() {}

  /// Reads a document or a part of one.
  ///
  /// - Complexity: Linear in the number of bytes, whatever they are. More than 32 MiB are not read.
  public func read(_ html: [UInt8]) -> AttributedText {
    read(html, charset: nil)
  }

  /// Reads a document in the charset that the type of the bytes names, if it names one.
  package func read(_ html: [UInt8], charset: Charset?) -> AttributedText {
    var walk = HTMLWalk(HTMLDocument(reading: html, charset: charset))
    return walk.read()
  }
}
