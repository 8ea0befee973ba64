extension ProcessResult {
  package var isSilentSuccess: Bool { ending == .exited(0) && output.isEmpty && errors.isEmpty }

  /// Whether a command of a hot key's shape failed: with this code and without a word.
  package func isSilentFailure(_ code: Int32) -> Bool {
    status == code && output.isEmpty && errors.isEmpty
  }

  /// Whether it failed as the command line's contract says: with this code, without output, and with
  /// one line `clipview: what happened: what to do`.
  package func isFailure(_ code: Int32) -> Bool {
    status == code && output.isEmpty && isOneMessage
  }

  /// Whether the errors are one line `clipview: what happened: what to do`.
  package var isOneMessage: Bool {
    guard errors.hasPrefix("clipview: "), errors.hasSuffix("\n") else { return false }
    let line = errors.dropFirst("clipview: ".count).dropLast()
    return !line.contains("\n") && line.contains(": ") && !line.hasSuffix(": ")
  }
}

/// The lines of a text that ends in a line end.
package func lines(_ bytes: [UInt8]) -> [String] {
  text(bytes).split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
}

/// Text that has everything that goes wrong elsewhere.
package let difficultText = "naïve – 日本語 🎉\tÿ €\n\n  end  "
