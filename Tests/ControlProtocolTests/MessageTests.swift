import TestSupport
import Testing

@testable import ControlProtocol

private let place = ControlPlace(display: nil, name: "notes")

private let offer: OfferDescription = {
  var offer = OfferDescription()
  offer.representations = [
    .init(
      type: "public.html", target: nil, source: nil, content: .bytes(.init(offset: 0, count: 9))),
    .init(type: "public.utf8-plain-text", target: nil, source: "public.html", content: .converted),
    .init(type: "public.data", target: "x/é\u{10FFE9}", source: nil, content: .refused),
  ]
  offer.spellings = [.init(target: "STRING", replyType: "STRING", charset: "ISO-8859-1")]
  offer.targets = [
    .init(
      name: "mark", typeName: "INTEGER", format: 32, content: .bytes(.init(offset: 9, count: 0)))
  ]
  offer.isOnce = true
  offer.lifetimeMilliseconds = 45_000
  offer.guardMilliseconds = 1
  return offer
}()

private let requests: [ControlRequest] = [
  .status, .synchronize(ControlPlace(display: "x11::0", name: "primary")), .list(place),
  .read(place, changeCount: .max, target: "text/html"), .publish(place, offer),
  .publish(place, OfferDescription()), .clear(place), .watch(place), .guarding(.ask, name: nil),
  .guarding(.arm(milliseconds: 10_000), name: "notes"), .guarding(.lift, name: "clipboard"),
  .introduce(display: "x11::0", authority: "/run/user/1000/gdm/Xauthority"),
]

private let replies: [ControlReply] =
  [
    .guarding(.init(milliseconds: 0, unguarded: [])),
    .guarding(
      .init(milliseconds: 9999, unguarded: [ControlPlace(display: "x11::0", name: "primary")])),
    .done(changeCount: 0), .listing(changeCount: 7, targets: []),
    .listing(changeCount: 7, targets: ["UTF8_STRING", "", "日本語"]),
    .content(.init(typeName: "STRING", format: 8, range: .init(offset: 4, count: 1 << 40))),
    .status(
      ControlStatus(
        program: "0.1.0", process: -1, displays: [.init(name: "x11::7", isConnected: true)],
        pasteboards: [
          .init(
            place: place, changeCount: 3, holder: .service, targetCount: 6, byteCount: 1 << 33,
            isSensitive: true)
        ],
        guards: [.init(name: nil, milliseconds: 1), .init(name: "notes", milliseconds: 1 << 40)])),
    .changed(changeCount: 8, .written), .changed(changeCount: 9, .cleared),
    .changed(changeCount: 10, .ended), .failure(.guarded(milliseconds: 9_999)),
  ]
  + ([
    .notManaged, .empty, .refused, .changed, .timedOut, .tooLarge, .contested, .connectionLost,
    .malformed, .busy, .version,
  ] as [ControlFailure]).map { .failure($0) }

@Suite("Messages of the control socket")
struct ControlMessageTests {
  @Test("A request says on the other side what it said on this", arguments: requests)
  func requestsComeThrough(request: ControlRequest) throws {
    let frame = request.frame(tag: 12)
    #expect(frame.tag == 12 && frame.version == ControlFrame.currentVersion)
    #expect(try ControlRequest(frame) == request)
  }

  @Test("A reply says on the other side what it said on this", arguments: replies)
  func repliesComeThrough(reply: ControlReply) throws {
    #expect(try ControlReply(reply.frame(tag: 1)) == reply)
  }

  @Test("A message that ends too early or goes on too long is none")
  func cutMessages() throws {
    for frame in requests.map({ $0.frame(tag: 1) }) {
      for count in 0..<frame.body.count {
        var cut = frame
        cut.body = Array(frame.body[..<count])
        #expect(throws: ControlFault.malformed(kind: frame.kind)) { try ControlRequest(cut) }
      }
      var long = frame
      long.body.append(0)
      #expect(throws: ControlFault.malformed(kind: frame.kind)) { try ControlRequest(long) }
    }
    for frame in replies.map({ $0.frame(tag: 1) }) {
      for count in 0..<frame.body.count {
        var cut = frame
        cut.body = Array(frame.body[..<count])
        #expect(throws: ControlFault.malformed(kind: frame.kind)) { try ControlReply(cut) }
      }
    }
  }

  @Test("A descriptor comes with what has contents, and with nothing else")
  func attachments() throws {
    _ = try ControlRequest(ControlRequest.publish(place, offer).frame(tag: 1, hasAttachment: true))
    #expect(throws: ControlFault.self) {
      try ControlRequest(ControlRequest.clear(place).frame(tag: 1, hasAttachment: true))
    }
    #expect(throws: ControlFault.self) {
      try ControlReply(ControlReply.done(changeCount: 1).frame(tag: 1, hasAttachment: true))
    }
  }

  @Test("A count is not believed before as much has come")
  func hugeCounts() {
    // A list of four billion names in a body of twelve bytes.
    let listing = ControlFrame(
      kind: 0x82, tag: 1, body: [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: ControlFault.malformed(kind: 0x82)) { try ControlReply(listing) }
  }

  @Test("Names have a length that names have", arguments: [0, 256])
  func lengthsOfNames(count: Int) {
    let request = ControlRequest.list(
      ControlPlace(display: nil, name: String(repeating: "n", count: count)))
    #expect(throws: ControlFault.self) { try ControlRequest(request.frame(tag: 1)) }
  }

  @Test("What is to be made says from what")
  func conversionsHaveSources() {
    var offer = OfferDescription()
    offer.representations = [
      .init(type: "public.html", target: nil, source: nil, content: .converted)
    ]
    #expect(throws: ControlFault.self) {
      try ControlRequest(ControlRequest.publish(place, offer).frame(tag: 1))
    }
  }

  @Test(
    "A range lies within the contents or is none",
    arguments: [
      (0, 0, 0, true), (0, 5, 5, true), (5, 0, 5, true), (1, 5, 5, false), (6, 0, 5, false),
      (-1, 2, 5, false), (2, -1, 5, false), (Int.max, Int.max, 5, false),
    ])
  func ranges(offset: Int, count: Int, size: Int, isWithin: Bool) {
    let range = AttachedRange(offset: offset, count: count).range(within: size)
    #expect((range != nil) == isWithin)
  }

  @Test("Any bytes are a message or a fault, never the end of the program")
  func randomBodies() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<20_000 {
      let base = requests.randomElement(using: &generator)?.frame(tag: 1)
      guard var frame = base else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !frame.body.isEmpty {
        frame.body[Int.random(in: 0..<frame.body.count, using: &generator)] = .random(
          in: 0 ... .max, using: &generator)
      }
      frame.kind = .random(in: 0...8, using: &generator)
      guard let request = try? ControlRequest(frame) else { continue }
      // What was understood is said again in the same words.
      #expect(request.frame(tag: 1).body == frame.body)
    }
  }
}

@Suite("Names of displays")
struct DisplayNameTests {
  @Test(
    "A display is the same in other words",
    arguments: [
      (":0", "x11::0"), (":0.0", "x11::0"), ("unix:0", "x11::0"), (":12.1", "x11::12"),
      ("host:1.0", "x11:host:1"), ("localhost:10.0", "x11:localhost:10"),
      ("nonsense", "x11:nonsense"),
      ("", "x11:"),
    ])
  func x11(name: String, same: String) { #expect(DisplayName.x11(name) == same) }

  @Test(
    "A compositor's socket is the same by its path",
    arguments: [
      ("wayland-1", "wayland:wayland-1"), ("/run/user/1000/wayland-1", "wayland:wayland-1"),
      ("/", "wayland:/"),
    ])
  func wayland(name: String, same: String) { #expect(DisplayName.wayland(name) == same) }
}
