import TestSupport

/// An owner of the primary selection that does anything, and a command that has to live with it.
struct ChaosOwner {
  let server: XServer
  private static let text = Array("naïve, 日本語\n".utf8)

  /// One owner, one command.
  ///
  /// - Returns: What went wrong; nil when all is as it should be.
  func turn(_ numbers: inout SeededGenerator) throws -> String? {
    let size = [0, 1, 5000, 300_000].randomElement(using: &numbers) ?? 0
    let content = size == 0 ? Self.text : numberedText(size)
    var script = OwnerScript([RawTarget("UTF8_STRING", content), RawTarget("x/data", content)])
    var isSound = shape(&script, &numbers)
    let command = [["paste"], ["paste", "-t", "x/data"], ["types"], ["show", "--json"]]
      .randomElement(using: &numbers)
    guard let command else { return nil }

    let dies = Int.random(in: 0..<6, using: &numbers) == 0
    if dies { isSound = false }
    // Who answers, if slowly, has to be waited for.
    let timeout = isSound ? "10" : "1"
    var owner: BackgroundPeer? = try BackgroundPeer(server)
    try owner?.own(script, selection: "PRIMARY")
    let child = try ChildProcess(
      Programs.clipview, command + ["--selection", "primary", "--timeout", timeout],
      environment: server.environment())
    if dies {
      let delay = Double.random(in: 0...0.05, using: &numbers)
      child.settle(within: delay) { _ in false }
      owner = nil
    }
    let result = child.finish(within: 30)
    let asked = owner?.requests.joined(separator: ", ") ?? "gone"
    let what = "\(command) of \(size) bytes, \(script.inShort), asked \(asked): \(result)"
    switch result.ending {
    case .exited(0):
      if !result.errors.isEmpty { return what }
      guard command[0] == "paste", isSound else { return nil }
      return difference(result.output, content).map { "\(what): \($0)" }
    case .exited(1), .exited(4), .exited(5), .exited(6):
      return isSound || !result.isOneMessage ? what : nil
    default:
      return what
    }
  }

  /// Gives the owner a character.
  ///
  /// - Returns: Whether it still answers all that it offers with what it should.
  private func shape(_ script: inout OwnerScript, _ numbers: inout SeededGenerator) -> Bool {
    var isSound = true
    let lists: [(OwnerScript.TargetList, isSound: Bool)] = [
      (.honest, true), (.honest, true), (.badAtoms, true), (.crowded, true), (.mistyped, true),
      (.repeated, true), (.withoutProtocolTargets, true), (.format(8), false),
      (.format(16), false), (.padded, false), (.refused, false), (.silent, false),
      (.exactly(["image/png", "x/data"]), false), (.exactly([]), false),
    ]
    if let list = lists.randomElement(using: &numbers) {
      script.list = list.0
      isSound = list.isSound
    }
    if Bool.random(using: &numbers) {
      let words: [OwnerScript.Increments.SizeWord] = [.exact, .number(0), .number(.max), .empty]
      let chunk = [1000, 65536, 200_000].randomElement(using: &numbers) ?? 1000
      var increments = OwnerScript.Increments(
        sizeWord: words.randomElement(using: &numbers) ?? .exact, chunk: chunk)
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0: increments.stopsAfter = Int.random(in: 0...3, using: &numbers)
      case 1: increments.forgetsEnd = true
      case 2: increments.endsWithAnnouncement = true
      default: break
      }
      let breaks =
        increments.stopsAfter != nil || increments.forgetsEnd || increments.endsWithAnnouncement
      if breaks { isSound = false }
      script.increments = increments
    }
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0: script.refused = ["UTF8_STRING"]
    case 1: script.silent = ["UTF8_STRING"]
    case 2: script.silent = ["*"]
    case 3: script.answersAnything = Array("anything".utf8)
    case 4: script.delay = 0.05
    case 5: script.takesBack = 3
    default: break
    }
    return isSound && script.refused.isEmpty && script.silent.isEmpty
      && script.answersAnything == nil
  }
}

extension OwnerScript {
  /// What a message says about it: never its content.
  fileprivate var inShort: String {
    let manner = increments.map { "\($0)" } ?? "no INCR"
    return "\(list), \(manner), refused \(refused), silent \(silent), delay \(delay)"
  }
}
