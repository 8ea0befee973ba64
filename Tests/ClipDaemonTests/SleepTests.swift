import EventLoop
import Pasteboard
import SelectionCore
import Testing

@testable import ClipDaemon

/// What was to last a minute is over after a minute, in which the machine may have slept.
@Suite("A machine that sleeps")
struct SleepTests {
  private let loop = ManualEventLoop(startingAt: MonotonicTime(nanoseconds: 1_000_000_000))
  private let reader = ReaderID(1)

  private func served(_ change: (inout ServingPolicy) -> Void) -> (ServedContent, Ending) {
    var offer = Offer()
    offer.add(OfferedTarget(name: "UTF8_STRING", Payload(Array("x".utf8))))
    change(&offer.serving)
    let ending = Ending()
    let content = ServedContent(offer, contents: nil, isSensitive: false, loop: loop) {
      ending.isOver = true
    }
    return (content, ending)
  }

  private final class Ending {
    var isOver = false
  }

  private func isGranted(_ content: ServedContent) -> Bool {
    if case .granted = content.admits(content.offer.targets[0], to: reader) { true } else { false }
  }

  @Test("Content that expires has done so when it wakes", arguments: [1, 3600])
  func expiry(seconds: Int) {
    let (content, ending) = served { $0.lifetime = .seconds(60) }
    loop.advance(by: .seconds(59))
    #expect(isGranted(content) && !ending.isOver)
    loop.sleep(for: .seconds(seconds))
    #expect(ending.isOver)
    #expect(!isGranted(content))
  }

  @Test("Content that brought its guard along is guarded no longer")
  func guardOfContent() {
    let (content, ending) = served { $0.guardTime = .seconds(60) }
    #expect(!isGranted(content))
    loop.sleep(for: .seconds(61))
    #expect(isGranted(content))
    #expect(!ending.isOver)
  }

  @Test("The guard has lifted itself, one that lasts longer has not")
  func guardOfEverything() {
    let guardian = PasteGuard(loop: loop, log: Log())
    #expect(guardian.arm(nil, for: .seconds(10)))
    #expect(guardian.arm("notes", for: .seconds(7200)))
    loop.sleep(for: .seconds(3600))
    #expect(guardian.remaining(for: "clipboard") == nil)
    #expect(guardian.remaining(for: "notes") == .seconds(3600))
  }

  @Test("What is offered to another connection has so much less of its time")
  func again() throws {
    var offer = Offer()
    offer.add(OfferedTarget(name: "UTF8_STRING", Payload(Array("x".utf8))))
    offer.serving.lifetime = .seconds(60)
    let published = PublishedContent(offer, byteCount: 1, loop: loop)
    loop.sleep(for: .seconds(20))
    #expect(published.again?.serving.lifetime == .seconds(40))
    loop.sleep(for: .seconds(40))
    #expect(published.again == nil)
  }
}
