internal import Glibc

/// The value of an environment variable; nil when it is not set or empty, which mean the same to
/// everything that reads `DISPLAY` and its like.
package func environmentVariable(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}
