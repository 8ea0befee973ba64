internal import CX11
internal import SelectionCore

/// What of the wire's events concerns us, copied out of Xlib's union.
enum X11Event {
  case selectionRequest(SelectionRequest)
  /// The answer to a conversion; no property when it was refused.
  case selectionNotify(
    requestor: WindowID, selection: AtomID, target: AtomID, property: AtomID)
  case selectionClear(selection: AtomID, time: ServerTime)
  case propertyChanged(window: WindowID, property: AtomID, isDeleted: Bool, time: ServerTime)
  case windowDestroyed(WindowID)
  /// It is not on the screen any more: hidden, closed or made an icon.
  case windowUnmapped(WindowID)
  /// XFixes: a selection was taken, at that time, or has lost its owner.
  ///
  /// The serial is that of the last request of ours that the server had handled by then.
  case ownerChanged(
    selection: AtomID, owner: WindowID, acquired: ServerTime, cause: OwnerChange, serial: UInt)

  struct SelectionRequest {
    let owner: WindowID
    let requestor: WindowID
    let selection: AtomID
    let target: AtomID
    let property: AtomID
    let time: ServerTime
  }

  enum OwnerChange {
    case newOwner
    case ownerDestroyed
    case ownerDisconnected
  }

  /// - Parameter fixesBase: The first event number of XFixes, 0 where it is not in use.
  init?(_ event: XEvent, fixesBase: Int32) {
    // What only the server has to say is no business of other clients: a made-up deletion would cost
    // some reader a chunk, a made-up loss everybody the content. Answers always come from clients.
    let type = unsafe event.type
    let isMadeUp = unsafe event.xany.send_event != 0
    if isMadeUp, type != SelectionRequestType, type != SelectionNotifyType { return nil }
    switch type {
    case SelectionRequestType:
      let request = unsafe event.xselectionrequest
      self = unsafe .selectionRequest(
        SelectionRequest(
          owner: WindowID(x: request.owner), requestor: WindowID(x: request.requestor),
          selection: AtomID(x: request.selection), target: AtomID(x: request.target),
          property: AtomID(x: request.property), time: ServerTime(x: request.time)))
    case SelectionNotifyType:
      let answer = unsafe event.xselection
      self = unsafe .selectionNotify(
        requestor: WindowID(x: answer.requestor), selection: AtomID(x: answer.selection),
        target: AtomID(x: answer.target), property: AtomID(x: answer.property))
    case SelectionClearType:
      let clear = unsafe event.xselectionclear
      self = unsafe .selectionClear(
        selection: AtomID(x: clear.selection), time: ServerTime(x: clear.time))
    case PropertyNotifyType:
      let change = unsafe event.xproperty
      self = unsafe .propertyChanged(
        window: WindowID(x: change.window), property: AtomID(x: change.atom),
        isDeleted: change.state == PropertyDelete, time: ServerTime(x: change.time))
    case DestroyNotifyType:
      self = unsafe .windowDestroyed(WindowID(x: event.xdestroywindow.window))
    case UnmapNotifyType:
      self = unsafe .windowUnmapped(WindowID(x: event.xunmap.window))
    case let type where fixesBase != 0 && type == fixesBase + XFixesSelectionNotify:
      var copy = unsafe event
      let change = unsafe withUnsafeBytes(of: &copy) {
        unsafe $0.loadUnaligned(as: XFixesSelectionNotifyEvent.self)
      }
      let cause: OwnerChange =
        switch unsafe change.subtype {
        case XFixesSelectionWindowDestroyNotify: .ownerDestroyed
        case XFixesSelectionClientCloseNotify: .ownerDisconnected
        default: .newOwner
        }
      self = unsafe .ownerChanged(
        selection: AtomID(x: change.selection), owner: WindowID(x: change.owner),
        acquired: ServerTime(x: change.selection_timestamp), cause: cause,
        serial: UInt(change.serial))
    default:
      return nil
    }
  }
}

// The event numbers are macros with the names of Xlib's structs' tags; here under names of our own.
private let PropertyNotifyType = PropertyNotify
private let SelectionClearType = SelectionClear
private let SelectionRequestType = SelectionRequest
private let SelectionNotifyType = SelectionNotify
private let DestroyNotifyType = DestroyNotify
private let UnmapNotifyType = UnmapNotify

// Xlib says `unsigned long` for what are 32 bits on the wire.
extension AtomID {
  init(x value: Atom) { self.init(UInt32(truncatingIfNeeded: value)) }
  var x: Atom { Atom(rawValue) }
}

extension WindowID {
  init(x value: Window) { self.init(UInt32(truncatingIfNeeded: value)) }
  var x: Window { Window(rawValue) }
}

extension ServerTime {
  init(x value: Time) { self.init(UInt32(truncatingIfNeeded: value)) }
  var x: Time { Time(rawValue) }
}
