/// A target that stands for something that is done, not for content (ICCCM 2.6.3).
struct X11SideEffect {
  /// The type of what comes back: nothing.
  static let resultType = "NULL"

  let target: AtomID
  /// Whether whoever has that window may have it done: others are refused before anything is looked at.
  let admits: (_ requestor: WindowID) -> Bool
  /// Does it: gets the atoms that came with the request, nil for none, and is to call back once, whenever
  /// it is done or has failed.
  let perform: (_ arguments: [AtomID]?, _ completion: @escaping (Bool) -> Void) -> Void
}
