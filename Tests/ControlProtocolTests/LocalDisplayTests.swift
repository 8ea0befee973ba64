import ControlProtocol
import Testing

@Suite("Displays of this machine")
struct LocalDisplayTests {
  @Test(
    "Only those of this machine lead anywhere",
    arguments: [
      ("x11::1", .x11(":1")), ("x11:host:1", nil), ("x11::", nil), ("x11::1a", nil),
      ("wayland:wayland-1", .wayland("wayland-1")), ("wayland:../x", nil), ("wayland:", nil),
      (":1", nil), ("", nil),
    ] as [(String, DisplayName.Local?)])
  func local(name: String, expected: DisplayName.Local?) {
    #expect(DisplayName.local(name) == expected)
  }
}
