import ClipboardCore
import SelectionCore

extension ParsedArguments {
  /// Ten years: whoever wants more wants no limit.
  private static let longestTime = 315_360_000.0

  /// What `--once`, `--expire` and `--guard` say.
  func servingPolicy() throws(Failure) -> ServingPolicy {
    var policy = ServingPolicy()
    policy.isOnce = has(.once)
    if has(.expire) { policy.lifetime = try time(.expire) }
    if has(.guarded) {
      policy.guardTime = value(of: .guarded) == nil ? .seconds(10) : try time(.guarded)
    }
    if let lifetime = policy.lifetime, let guardTime = policy.guardTime, guardTime >= lifetime {
      throw .usage(
        "--guard \(spoken(guardTime)) would last until --expire \(spoken(lifetime)), so that nobody "
          + "could paste", hint: "give --guard a shorter time than --expire")
    }
    return policy
  }

  private func time(_ option: Option) throws(Failure) -> Duration {
    let text = value(of: option)?.text ?? ""
    guard let time = Duration(seconds: text, atMost: Self.longestTime) else {
      throw .usage(
        "--\(OptionSpec.spec(of: option).long) does not take '\(text)'",
        hint: "give seconds, more than 0, such as 2.5")
    }
    return time
  }

  /// What `--max` says: bytes, or KiB, MiB and so on with their letter.
  func maximumSize() throws(Failure) -> Int {
    guard let text = value(of: .maximum)?.text else { return 1 << 30 }
    guard let size = byteCount(text) else {
      throw .usage("--max does not take '\(text)'", hint: "give a number of bytes, such as 5000000")
    }
    return size
  }
}
