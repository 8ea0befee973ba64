import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO
import TypeRegistry

/// `types`: what is offered, by name.
struct TypesCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let session = try context.openSession()
    let reader = context.reader(on: session)
    let names = try context.reading("list of types", with: reader) { () throws(ReadProblem) in
      try reader.listedNames()
    }
    let listed = context.arguments.has(.all) ? names : OfferedContent.contentNames(names)
    var lines = listed
    if context.arguments.has(.identifiers) {
      lines = listed.map { TypeRegistry.current.type(forTarget: $0).description }
      if !context.arguments.has(.all) { lines = lines.eachOnce }
    }
    if context.arguments.has(.json) {
      let document = JSONValue.object([
        .init("schema", .integer(1)), .init("selection", .string(context.selection.description)),
        .init("backend", .string(session.backend.kind.rawValue)),
        .init("types", .array(lines.map { .string($0) })),
      ])
      return try writeOutput("\(document)\n")
    }
    try writeOutput(lines.map { visible($0) + "\n" }.joined())
  }
}

/// `clear`: leaves the selection without an owner; an empty one is done already.
struct ClearCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) {
    let session = try context.openSession()
    // clipd is to know that it was meant: on Wayland nothing else tells it, whatever back-end was named.
    if session.backend.kind == .wayland, session.manager == nil {
      try? session.joinManager(of: context.selection, timeout: .seconds(1))
    }
    let result = (session.manager ?? session.backend).clear(context.selection)
    if case .failure(let failure) = result {
      throw Failure(failure, selection: context.selection)
    }
    context.say("the \(context.selection.spoken) is empty")
  }
}

/// `plain` and `flat`: replace the selection by its own plain text.
///
/// For a hot key: silent, unless asked with `-v`.
struct ReshapeCommand {
  private let context: CommandContext
  private let isFlat: Bool

  init(_ context: CommandContext, isFlat: Bool) {
    self.context = context
    self.isFlat = isFlat
  }

  func run() throws(Failure) { try context.asHotKey(reshape) }

  private func reshape() throws(Failure) {
    let session = try context.openSession()
    let reader = context.reader(on: session)
    let (text, markers, terms) = try context.reading("text", with: reader) {
      () throws(ReadProblem) in
      let terms = try reader.servingTerms()
      guard let text = try reader.plainText() else {
        throw .notOffered(offered: try reader.listedNames())
      }
      return (text, try reader.secretMarkers(), terms)
    }
    // A paste would say that something is missing; here the original would be gone.
    if text.isLossy {
      throw Failure(
        .unreadable, "the text is not valid \(text.target), nothing changed",
        hint: "see it with 'clipview paste'")
    }
    var shaping = LineShaping()
    if isFlat { shaping.flattening = .blanks }
    var item = PasteboardItem()
    item.set(shaping.apply(to: text.payload), for: .utf8PlainText)
    var offer = Offer(item)
    // What was secret stays secret in its new shape, and what was for a while or for one paste as well.
    for marker in markers { offer.add(marker) }
    if !markers.isEmpty { keepMemoryPrivate() }
    if let terms { offer.serving = terms.remainingPolicy }
    try context.publish(offer, on: session)
  }
}

/// `enrich`: adds to the selection what can be made of it.
struct EnrichCommand {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() throws(Failure) { try context.asHotKey(enrich) }

  private func enrich() throws(Failure) {
    let session = try context.openSession()
    let reader = context.reader(on: session)
    let (enrichment, terms) = try context.reading("text that more can be made of", with: reader) {
      () throws(ReadProblem) in
      let terms = try reader.servingTerms()
      return (try reader.enriched(), terms)
    }
    guard let enrichment else {
      return context.say("the \(context.selection.spoken) has all that can be made of it")
    }
    var offer = enrichment.offer
    if enrichment.isSecret { keepMemoryPrivate() }
    // What was for a while or for one paste still is.
    if let terms { offer.serving = terms.remainingPolicy }
    try context.publish(offer, on: session)
  }
}

extension CommandContext {
  /// Runs what a hot key starts: silent, unless asked with `-v`.
  func asHotKey(_ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      if isVerbose { tell(error.message) }
      exitImmediately(error.code.rawValue)
    }
  }
}

/// `help`, `--help`.
struct HelpCommand {
  private let command: CommandSpec?

  init(_ command: CommandSpec?) { self.command = command }

  init(named names: [Argument]) throws(Failure) {
    guard let name = names.first?.text else {
      command = nil
      return
    }
    command = try CommandSpec.called(name)
    if let extra = names.dropFirst().first?.text {
      throw .usage(
        "'clipview help' is on one command, '\(extra)' is one more", hint: "ask for each by itself")
    }
  }

  func run() throws(Failure) {
    let help = Help.standardOutput
    try writeOutput(command.map { help.text(for: $0) } ?? help.overview)
  }
}
