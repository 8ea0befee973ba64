/// What a random script found wrong; the test's argument says with which seed.
///
/// Scripts throw instead of expecting: `#expect` keeps what it compares, which is most of the time
/// of a million steps, and what follows the first violation is noise.
struct ScriptViolation: Error, CustomStringConvertible {
  let description: String
}

func check(_ holds: Bool, _ violation: @autoclosure () -> String) throws {
  if !holds { throw ScriptViolation(description: violation()) }
}

/// The seeds of the random scripts, each with as many steps: a million together.
let scriptSeeds: ClosedRange<UInt64> = 1...10
let stepsPerSeed = 100_000
