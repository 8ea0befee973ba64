import ControlProtocol
import DaemonBackend
import Pasteboard
import SelectionCore
import SystemIO

/// `guard`: has `clipd` refuse content for a while, or give it again.
struct GuardCommand {
  private let context: CommandContext
  private let order: GuardOrder
  /// The selection or pasteboard that was named; nil for all of them.
  private let name: String?

  private static let usualTime = Duration.seconds(10)
  /// A year: whoever wants more has no use for a clipboard.
  private static let longestTime = 31_536_000.0

  init(_ context: CommandContext) throws(Failure) {
    self.context = context
    let arguments = context.arguments
    let isNamed = arguments.has(.selection) || arguments.has(.primary)
    name = isNamed ? context.selection.description : nil
    order = try Self.order(arguments.arguments)
  }

  private static func order(_ words: [Argument]) throws(Failure) -> GuardOrder {
    if let extra = words.dropFirst().first {
      throw .usage(
        "'clipview guard' takes one time, '\(extra.text)' is one more", hint: "as in guard 30")
    }
    guard let word = words.first?.text else { return .arm(milliseconds: milliseconds(usualTime)) }
    if word == "off" { return .lift }
    guard let time = Duration(seconds: word, atMost: longestTime) else {
      throw .usage(
        "'clipview guard' does not take '\(word)'",
        hint: "give seconds, more than 0, such as 2.5, or 'off'")
    }
    return .arm(milliseconds: milliseconds(time))
  }

  /// Rounded up: a guard for a moment is one.
  private static func milliseconds(_ time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    return UInt64(seconds) * 1000
      + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  func run() throws(Failure) {
    let state: ControlGuard
    do throws(ControlConnectionFailure) {
      let answer = try ControlConnection().call(
        .guarding(order, name: name), timeout: context.timeout)
      guard case .guarding(let told) = answer.reply else { throw .brokenOff }
      state = told
    } catch {
      throw Failure(error, whoNeeds: "'clipview guard' needs")
    }
    if context.arguments.has(.json) { try writeOutput("\(json(state))\n") }
    let what = Self.subject(name)
    let time = Duration.milliseconds(state.milliseconds)
    context.say(
      state.milliseconds == 0 ? "\(what) can be pasted" : "\(what) is guarded for \(spoken(time))")
    // Of what is selected everywhere nobody expects that it is guarded unless it was named.
    guard order != .lift else { return }
    for place in state.unguarded where name != nil || place.name == "clipboard" {
      context.warn(
        "another program serves the \(PasteboardName(place.name).spoken) of "
          + "\(place.display ?? "") and goes on to: copy it through clipview, as 'clipview plain' does"
      )
    }
  }

  /// What a guard is about, in words.
  ///
  /// - Parameter name: Nil for everything.
  static func subject(_ name: String?) -> String {
    name.map { "the \(PasteboardName($0).spoken)" } ?? "everything that clipd serves"
  }

  private func json(_ state: ControlGuard) -> JSONValue {
    .object([
      .init("schema", .integer(1)), .init("guarded", .boolean(state.milliseconds > 0)),
      .init("milliseconds", .integer(Int(clamping: state.milliseconds))),
      .init("selection", name.map { .string($0) } ?? .null),
      .init(
        "unguarded",
        .array(
          state.unguarded.map { place in
            .object([
              .init("name", .string(place.name)),
              .init("display", place.display.map { .string($0) } ?? .null),
            ])
          })),
    ])
  }
}
