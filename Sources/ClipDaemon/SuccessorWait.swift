import EventLoop
import SelectionCore

/// The wait between the death of an owner and the moment when what it had is published, for a program that
/// takes its place.
enum SuccessorWait {
  private static let pause = Duration.milliseconds(20)

  /// Goes on when it is known that nobody follows, on X11 at once: there a death is no clear, and who
  /// takes the selection takes it from us as from anybody.
  ///
  /// - Returns: What is let go where somebody has followed; nil where it went on already.
  static func begin(
    on kind: BackendKind, _ loop: any EventLoop, _ proceed: @escaping () -> Void
  ) -> LoopToken? {
    guard kind == .wayland else {
      proceed()
      return nil
    }
    // A program may clear before it sets: a compositor that knows us for the newer owner meanwhile would
    // refuse what it sets.
    return loop.schedule(after: pause, proceed)
  }
}
