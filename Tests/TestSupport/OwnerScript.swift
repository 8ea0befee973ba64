/// One form of what a scripted owner offers.
package struct RawTarget: Hashable, Sendable {
  package var name: String
  /// The type that the answer claims to be of.
  package var type: String
  package var format: Int
  /// Items of 16 or 32 bits are little endian.
  package var bytes: [UInt8]

  package init(_ name: String, type: String? = nil, format: Int = 8, _ bytes: [UInt8]) {
    self.name = name
    self.type = type ?? name
    self.format = format
    self.bytes = bytes
  }

  package init(_ name: String, type: String? = nil, _ text: String) {
    self.init(name, type: type, Array(text.utf8))
  }
}

/// How a scripted owner behaves.
package struct OwnerScript: Sendable {
  /// How content goes out by INCR.
  package struct Increments: Sendable {
    package enum SizeWord: Sendable {
      /// What it should be: a lower bound of the size.
      case exact
      case number(UInt32)
      /// A property without items, as xclip has it.
      case empty
    }

    package var sizeWord = SizeWord.exact
    /// The format of the announcement, which should be 32.
    package var announcementFormat = 32
    /// The type of the chunks where it is not that of the content.
    package var chunkType: String?
    package var chunk = 65536
    /// Seconds before each chunk.
    package var pause = 0.0
    /// After so many chunks the owner says nothing more.
    package var stopsAfter: Int?
    /// Ends after the last chunk without the empty one that should follow.
    package var forgetsEnd = false
    /// Starts over after the last chunk, for ever.
    package var isEndless = false
    /// The owner's connection ends as soon as it has announced INCR.
    package var endsWithAnnouncement = false
    /// Goes on with the first that it has begun for a window and forgets the others there, as GTK does.
    package var isOneForEachWindow = false

    package init(
      sizeWord: SizeWord = .exact, chunk: Int = 65536, pause: Double = 0, stopsAfter: Int? = nil,
      forgetsEnd: Bool = false, isEndless: Bool = false, endsWithAnnouncement: Bool = false
    ) {
      self.sizeWord = sizeWord
      self.chunk = chunk
      self.pause = pause
      self.stopsAfter = stopsAfter
      self.forgetsEnd = forgetsEnd
      self.isEndless = isEndless
      self.endsWithAnnouncement = endsWithAnnouncement
    }
  }

  /// What the owner says when it is asked for TARGETS.
  package enum TargetList: Sendable {
    case honest
    /// Atoms that the server does not know between the true ones.
    case badAtoms
    /// The right bytes in a property of another format.
    case format(Int)
    /// By INCR, with a chunk of one atom each.
    case incremental
    /// More names than anybody honestly has, as atoms that the server does not know.
    case endless
    /// 64 bits for an atom, as programs send that hand C longs to the wire.
    case padded
    /// Ten thousand more.
    case crowded
    /// As many as there can be, with names of which nobody has heard, which begin like this.
    case flooding(String)
    /// Of type TARGETS instead of ATOM.
    case mistyped
    /// Every content target three times.
    case repeated
    /// Just the content targets.
    case withoutProtocolTargets
    case refused
    case silent
    /// These names, whatever is really served.
    case exactly([String])
  }

  /// How the list of a MULTIPLE request comes back.
  package enum MultipleManner: Sendable {
    /// None in the place of the property of a pair that failed (ICCCM 2.6.2).
    case honest
    /// None in the place of its target, as xsel has it.
    case marksTargets
    /// As it was sent, whatever failed.
    case untouched
    /// Of this type instead of ATOM_PAIR.
    case typed(String)
    /// Of another format.
    case format(Int)
    /// Without its last atom.
    case shortened
    /// With two atoms more.
    case lengthened
    /// Gone.
    case deleted
    /// With the pairs in the opposite order.
    case reversed
    /// By INCR.
    case incremental
  }

  /// How an answer is announced.
  package enum Announcement: Sendable {
    case honest
    /// Twice.
    case repeated
    /// First for another property, another target and another selection, before the content is there
    /// and when it is, then as it should be.
    case strayFirst
    /// Without that anything was put into the property.
    case hollow
  }

  /// The selection is taken anew when something is asked for.
  package struct Succession: Sendable {
    package enum Moment: Sendable {
      case beforeAnswer
      /// The answer is given, and not announced yet: whoever gets it meets what is next.
      case afterAnswer
    }

    /// What is asked for.
    package var target: String
    package var moment = Moment.afterAnswer
    /// Whether another window takes it.
    package var changesWindow = false
    /// What is offered from then on; each of them may be followed by another.
    package var next: [OwnerScript]

    package init(
      _ target: String, _ moment: Moment = .afterAnswer, changesWindow: Bool = false,
      to next: OwnerScript
    ) {
      self.target = target
      self.moment = moment
      self.changesWindow = changesWindow
      self.next = [next]
    }
  }

  package var targets: [RawTarget]
  package var list = TargetList.honest
  /// Offered and refused.
  package var refused: Set<String> = []
  /// Never answered; `*` is everything but TARGETS.
  package var silent: Set<String> = []
  /// Seconds before content is answered, during which other requests are.
  package var delay = 0.0
  /// Seconds before TARGETS is answered.
  package var listDelay = 0.0
  /// INCR for every content; nil: only for what does not fit into a request.
  package var increments: Increments?
  /// The targets that ``increments`` is about; nil: all.
  package var incremented: Set<String>?
  /// Whatever is asked for is answered with these bytes under the type that was asked for, as xclip
  /// does.
  package var answersAnything: [UInt8]?
  /// Refuses requests from before it took the selection, as ICCCM 2.2 has it.
  package var refusesEarlierRequests = false
  package var knowsTimestamp = true
  package var knowsMultiple = true
  package var multiple = MultipleManner.honest
  /// How answers are announced, and which ones; nil: all.
  package var announcement = Announcement.honest
  package var announced: Set<String>?
  package var succession: Succession?
  /// Names another window than the requestor's in its answers.
  package var forgetsRequestor = false
  /// Takes the selection back so many times when it is lost.
  package var takesBack = 0

  package init(_ targets: [RawTarget]) { self.targets = targets }

  /// Text under one target.
  package init(_ name: String, _ text: String) { self.init([RawTarget(name, text)]) }
}

/// What happened to a scripted owner.
package enum OwnerRecord: Hashable, Sendable {
  /// A request, also one inside of a MULTIPLE.
  case request(target: String, time: UInt32)
  case cleared(selection: String)
  case finished(target: String)

  /// The target of a request.
  package var target: String? {
    if case .request(let target, _) = self { target } else { nil }
  }
}
