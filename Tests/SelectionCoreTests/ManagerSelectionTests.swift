import SelectionCore
import Testing

private typealias Row = TransitionRow<
  ManagerSelection.State, ManagerSelection.Event, ManagerSelection.Action
>

/// All that can happen; what is missing cannot.
private let table: [Row] = [
  Row(.waiting, .vacant, .taking, [.take]),
  Row(.waiting, .taken, .waiting),
  Row(.waiting, .ended, .ended),
  Row(.taking, .won, .managing, [.announce]),
  Row(.taking, .beaten, .waiting),
  Row(.taking, .ended, .ended),
  Row(.managing, .taken, .waiting, [.release]),
  Row(.managing, .vacant, .taking, [.release, .take]),
  Row(.managing, .ended, .ended, [.release]),
  Row(.ended, .vacant, .ended),
  Row(.ended, .taken, .ended),
  Row(.ended, .ended, .ended),
]

@Suite("A manager selection")
struct ManagerSelectionTests {
  @Test("Another manager is left alone, waited for, and told when it takes over")
  func transitions() {
    for row in table {
      var machine = machine(in: row.state)
      #expect(machine.handle(row.event) == row.actions, "\(row.state), \(row.event)")
      #expect(machine.state == row.next, "\(row.state), \(row.event)")
    }
  }

  private func machine(in state: ManagerSelection.State) -> ManagerSelection {
    var machine = ManagerSelection()
    let path: [ManagerSelection.Event] =
      switch state {
      case .waiting: []
      case .taking: [.vacant]
      case .managing: [.vacant, .won]
      case .ended: [.ended]
      }
    for event in path { _ = machine.handle(event) }
    #expect(machine.state == state)
    return machine
  }
}
