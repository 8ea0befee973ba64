import Glibc
import RichText

/// Times what is done with attributed text: one of 100,000 characters in 10,000 runs, and one ten times as
/// large.
///
/// A line each: label, tab, nanoseconds for the small one, tab, for the large one. A look-up is a search among
/// the runs and must hardly take longer in the large one; an edit moves what lies behind it.
@main
enum ModelBenchmark {
  private static let questions = 200_000

  static func main() {
    let small = text(runs: 10_000)
    let large = text(runs: 100_000)
    report("look-up of all attributes", small, large) { text in
      var found = 0
      for position in positions(in: text) {
        if text.attributes(at: position).attributes.isStrong { found &+= 1 }
      }
      return (found, questions)
    }
    report("look-up of one attribute", small, large) { text in
      var found = 0
      for position in positions(in: text)
      where text.attribute(\.style.weight, at: position).value == nil { found &+= 1 }
      return (found, questions)
    }
    report("longest range of an attribute", small, large) { text in
      var found = 0
      for position in positions(in: text) {
        found &+= text.longestEffectiveRange(of: \.spans, at: position).count
      }
      return (found, questions)
    }
    report("enumeration, a run", small, large) { text in
      var found = 0
      for run in text.runs where run.attributes.isStrong { found &+= 1 }
      return (found, text.runs.count)
    }
    report("edit of ten characters", small, large) { text in
      var text = text
      let edits = 400
      for position in positions(in: text).prefix(edits) {
        text.replace(position..<position + 10, with: "0123456789")
      }
      return (text.length, edits)
    }
    report("insertion", small, large) { text in
      var text = text
      let edits = 400
      for position in positions(in: text).prefix(edits) {
        text.replace(position..<position, with: "x")
      }
      return (text.length, edits)
    }
    report("change of attributes", small, large) { text in
      var text = text
      let edits = 400
      for position in positions(in: text).prefix(edits) {
        text.updateAttributes(in: position..<position + 10) { $0.style.isUnderlined = true }
      }
      return (text.length, edits)
    }
  }

  /// Runs of ten characters, each unlike its neighbours; a paragraph of a hundred runs.
  private static func text(runs: Int) -> AttributedText {
    var builder = AttributedTextBuilder()
    for run in 0..<runs {
      if run % 100 == 0 { builder.beginParagraph() }
      builder.attributes.spans = [.strong, .emphasis, .code].prefix(run % 4).map { $0 }
      builder.append(run % 100 == 99 ? "123456789" : "1234567890")
    }
    return builder.finish()
  }

  /// As many places as questions, all over the text, in no order.
  private static func positions(in text: AttributedText) -> some Sequence<Int> {
    var state: UInt64 = 42
    let length = UInt64(text.length - 100)
    return (0..<questions).lazy.map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % length)
    }
  }

  private static func report(
    _ label: String, _ small: AttributedText, _ large: AttributedText,
    _ work: (AttributedText) -> (count: Int, asked: Int)
  ) {
    var figures: [Double] = []
    for text in [small, large] {
      // The least of some rounds: what else the machine does only adds.
      var least = Double.infinity
      for _ in 0..<7 {
        let start = now()
        let (count, asked) = work(text)
        let time = now() - start
        // The count keeps the work from being left out.
        guard count > 0 else { exit(1) }
        least = min(least, Double(time) / Double(asked))
      }
      figures.append(least)
    }
    print("\(label)\t\(figures[0])\t\(figures[1])")
  }

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
