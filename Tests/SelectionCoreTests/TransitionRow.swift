/// A row of a state machine's table: what happens in a state when an event comes.
struct TransitionRow<State: Sendable, Event: Sendable, Action: Sendable>: Sendable {
  let state: State
  let event: Event
  let next: State
  let actions: [Action]

  init(_ state: State, _ event: Event, _ next: State, _ actions: [Action] = []) {
    self.state = state
    self.event = event
    self.next = next
    self.actions = actions
  }
}
