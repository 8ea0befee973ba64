internal import Glibc

/// The directory of the user's session: `XDG_RUNTIME_DIR`, else the one that the system makes for the
/// user, whether it is there or not.
package func runtimeDirectory() -> String {
  environmentVariable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
}
