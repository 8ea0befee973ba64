import TestSupport
import Testing

private let marker = "application/x-clipview-origin"

extension OnDisplay {
  @Suite("What show asks an owner for")
  struct SurveyTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    private let marked = OwnerScript([
      RawTarget("text/html", "<b>x</b>"), RawTarget("UTF8_STRING", "x"),
      RawTarget(
        marker,
        #"{"schema":1,"native":["public.html"],"made":{"public.utf8-plain-text":"public.html"}}"#),
    ])

    private func json(_ arguments: String...) throws -> JSON {
      let result = try run(
        Programs.clipview, ["show", "--json"] + arguments, environment: desk.server.environment())
      #expect(result.status == 0, "\(result)")
      return try #require(JSON(result.text), "not JSON: \(result)")
    }

    private func rows(of object: JSON) throws -> [JSON] {
      try #require(object["items"]?.array?.first?["representations"]?.array)
    }

    @Test("show asks no more once its time is over")
    func silentTargets() throws {
      var script = OwnerScript((1...60).map { RawTarget("x-silent/\($0)", "never") })
      script.silent = ["*"]
      let owner = try desk.owner(script)
      let object = try json("--timeout", "1")
      #expect(try rows(of: object).count == 60)
      #expect(try rows(of: object).allSatisfy { $0["bytes"] == .null })
      #expect(owner.requests.content.count <= 8)
    }

    @Test("show reads each target once, the origin marker too")
    func eachOnce() throws {
      let owner = try desk.owner(marked)
      let rows = try rows(of: json())
      #expect(
        owner.requests.filter { $0 != "TARGETS" }.sorted() == [
          "UTF8_STRING", marker, "text/html",
        ])
      #expect(rows.compactMap { $0["target"]?.string } == ["text/html", "UTF8_STRING", marker])
      #expect(rows.prefix(2).compactMap { $0["origin"]?.string } == ["native", "made"])
      #expect(rows[1]["from"]?.string == "public.html")
      #expect(rows.allSatisfy { $0["bytes"]?.int != nil })
    }

    @Test("show --no-read does not know the origin of a marked offer, and does not ask")
    func markedOfferUnread() throws {
      let owner = try desk.owner(marked)
      let rows = try rows(of: json("--no-read"))
      #expect(rows.count == 3)
      #expect(rows.allSatisfy { $0["origin"] == .null })
      #expect(Set(owner.requests) == ["TARGETS"])
    }

    @Test("show --no-read of an owner that refuses TARGETS asks for no content")
    func refusedListUnread() throws {
      var script = marked
      script.list = .refused
      let owner = try desk.owner(script)
      let result = try desk.clipview("show", "--no-read", "--json")
      #expect(result.isFailure(1), "\(result)")
      #expect(Set(owner.requests) == ["TARGETS"])
    }
  }
}
