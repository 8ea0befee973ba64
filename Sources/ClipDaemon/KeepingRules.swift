import ClipboardCore
import Pasteboard
import SelectionCore
import TypeRegistry

/// What of other programs' content is kept, and as what it is published.
struct KeepingRules: Equatable {
  var limits = CaptureSchedule.Limits()
  /// Names of programs whose content is left alone, in small letters.
  var ignoredApplications: [String] = []
  /// Targets that are not read.
  var ignoredTargets: [String] = []
  /// Whether only text is kept.
  var isTextOnly = false
  /// Whether what a living owner says is Markdown gets what can be made of it.
  var enrichesMarkdown = false
  /// Whether the text of secrets is read once, to know it again.
  var remembersSecrets = true

  /// What an owner answers about the selection, what makes it do something, a pointer into its memory, and
  /// Klipper's mark of what must not replace anything, which is about that one moment; all else, such as
  /// who and where it is, or that a clipboard manager put it there, is kept as it was.
  private static let unreadable: Set = [
    "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
    "INSERT_PROPERTY", "GTK_TEXT_BUFFER_CONTENTS", "application/x-kde-onlyReplaceEmpty",
  ]

  /// The picture that every program reads, and that of several is the best: nothing of it is lost.
  private static let bestPicture = "image/png"
  /// Where that is there, these are the same picture once more: toolkits offer every encoding that they
  /// know and make each when it is asked for, during which a program with a photograph stands still for
  /// a second or more.
  ///
  /// In this order they are read. Qt's own name stands for PNG again; the last two are resources of the
  /// server, as a rule.
  private static let lesserPictures = [
    "image/cur", "image/ico", "image/icon", "image/x-ico", "image/x-icon",
    "image/vnd.microsoft.icon", "image/pbm", "image/pgm", "image/ppm", "image/x-portable-bitmap",
    "image/x-portable-graymap", "image/x-portable-pixmap", "image/x-portable-anymap",
    "image/xbm", "image/xpm", "image/x-xbitmap", "image/x-xpixmap", "application/x-qt-image",
    "PIXMAP", "BITMAP",
  ]

  /// How many targets of a program are looked at: as many as an offer that is handed over may have.
  ///
  /// Honest programs list some dozens. Each is a request to the owner, and takes room as long as it is kept.
  static let maximumTargets = 4096

  func ignores(applications names: Set<String>) -> Bool {
    ignoredApplications.contains { names.contains($0) }
  }

  /// What is to be read, in this order: the text that wins, HTML, RTF, the rest in the owner's order,
  /// images last, PNG before the other forms of the same picture.
  ///
  /// Nothing of secret content, and nothing of what is served on terms: reading it would be the paste.
  func items(among names: [String], on wire: TextSpelling.Wire) -> [CaptureItem] {
    guard SensitivityMarker.markers(among: names).isEmpty,
      !names.contains(ServingTerms.target)
    else { return [] }
    let registry = TypeRegistry.current
    let readable = Array(names.prefix(Self.maximumTargets)).eachOnce.filter { name in
      !Self.unreadable.contains(name) && !ignoredTargets.contains(name)
    }
    let texts = TextSpelling.ranked(among: readable, on: wire).map(\.target)
    func item(_ name: String, isLast: Bool = false) -> CaptureItem {
      let isLesser = texts.dropFirst().contains(name)
      return CaptureItem(name, isLast: isLast, original: isLesser ? texts.first : nil)
    }
    if isTextOnly { return texts.map { item($0) } }
    func isKind(_ type: TypeIdentifier, _ name: String) -> Bool {
      registry.isTarget(name, conformingTo: type)
    }
    let first =
      texts.prefix(1) + readable.filter { isKind(.html, $0) }
      + readable.filter { isKind(.rtf, $0) }
    let rest = readable.filter { !isKind(.image, $0) }
    let images = readable.filter { isKind(.image, $0) }
    guard let best = images.first(where: { $0 == Self.bestPicture }) else {
      return (first + rest).eachOnce.map { item($0) } + images.map { item($0, isLast: true) }
    }
    let lesser = Self.lesserPictures.filter(readable.contains)
    let others = (rest + images).filter { $0 != best && !lesser.contains($0) }
    return (first + others.filter { !isKind(.image, $0) }).eachOnce.map { item($0) }
      + ([best] + others.filter { isKind(.image, $0) }).map { item($0, isLast: true) }
      + lesser.map { CaptureItem($0, isLast: true, original: best, canBeMade: false) }
  }

  /// Whether everything that the owner has was read, so that nothing is lost when its place is taken.
  func isWhole(_ names: [String], captured: (String) -> Bool) -> Bool {
    names.allSatisfy { Self.unreadable.contains($0) || captured($0) }
  }

  /// Whether a value means something only as long as its owner lives: resources of the X server, which
  /// go with it, and pointers into its memory.
  static func isBoundToOwner(_ answer: ReceivedRepresentation) -> Bool {
    ["PIXMAP", "BITMAP", "DRAWABLE", "WINDOW", "COLORMAP"].contains(answer.typeName)
  }
}
