import SelectionCore
import Testing

@Suite("Terms marker")
struct ServingTermsTests {
  private func terms(
    guarded: Duration? = nil, lifetime: Duration? = nil, once: Bool = false, taken: Bool = false
  ) -> ServingTerms {
    var terms = ServingTerms()
    terms.guardTime = guarded
    terms.lifetime = lifetime
    terms.isOnce = once
    terms.isTaken = taken
    return terms
  }

  private func document(_ terms: ServingTerms) -> String {
    String(decoding: terms.bytes, as: UTF8.self)
  }

  @Test("What is written says what holds and nothing else")
  func termsAreWritten() {
    #expect(document(terms()) == #"{"schema":1}"#)
    #expect(
      document(terms(guarded: .milliseconds(7250)))
        == #"{"schema":1,"guard_milliseconds":7250}"#)
    #expect(
      document(terms(lifetime: .seconds(60), once: true))
        == #"{"schema":1,"lifetime_milliseconds":60000,"once":true,"taken":false}"#)
    #expect(
      document(terms(once: true, taken: true)) == #"{"schema":1,"once":true,"taken":true}"#)
    // Rounded up: who waits that long has waited long enough.
    #expect(
      document(terms(guarded: .nanoseconds(1))) == #"{"schema":1,"guard_milliseconds":1}"#)
  }

  @Test("What is written is read")
  func termsAreRead() {
    for terms in [
      terms(), terms(guarded: .milliseconds(1)), terms(lifetime: .zero),
      terms(guarded: .seconds(1), lifetime: .seconds(2), once: true, taken: true),
    ] {
      #expect(ServingTerms(parsing: terms.bytes) == terms)
    }
  }

  @Test("What a peer sends is read as far as it makes sense")
  func foreignTerms() {
    func read(_ text: String) -> ServingTerms? { ServingTerms(parsing: Array(text.utf8)) }
    for text in ["", "{}", "[]", "1", #"{"schema":2}"#, #"{"schema":1"#, "\u{0}"] {
      #expect(read(text) == nil)
    }
    #expect(
      read(#"{"schema":1,"guard_milliseconds":-1,"once":1,"taken":"true","more":[]}"#) == terms())
    #expect(read(#"{"schema":1,"guard_milliseconds":"7"}"#) == terms())
    let largest = read("{\"schema\":1,\"guard_milliseconds\":\(Int.max)}")
    #expect(largest?.guardTime == .milliseconds(Int.max))
    #expect(largest.flatMap { ServingTerms(parsing: $0.bytes) } == largest)
  }

  @Test("A new offer of the same content is served by what is left of the terms")
  func remainingTerms() {
    #expect(terms().remainingPolicy.isUnlimited)
    let policy = terms(lifetime: .seconds(3), once: true, taken: true).remainingPolicy
    #expect(policy.isOnce && policy.lifetime == .seconds(3) && policy.guardTime == nil)
  }
}
