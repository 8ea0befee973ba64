internal import Glibc

/// The open descriptors of a process at one moment: what each number stands for.
package struct OpenDescriptors: Hashable, Sendable, CustomStringConvertible {
  package let targets: [Int32: String]

  /// Those of this process, or of another one.
  package init(of process: Int32? = nil) {
    let directory = "/proc/\(process.map(String.init) ?? "self")/fd"
    var targets: [Int32: String] = [:]
    for name in Files.names(in: directory) {
      // The descriptor that reads the directory is gone by the time its link is read.
      guard let number = Int32(name), let target = Files.destination(ofLink: "\(directory)/\(name)")
      else { continue }
      targets[number] = target
    }
    self.targets = targets
  }

  package var description: String {
    targets.sorted { $0.key < $1.key }.map { "\($0.key) → \($0.value)" }.joined(separator: ", ")
  }

  /// What is open now and was not then.
  ///
  /// Suites run side by side in one process, so what others hold
  /// for a moment is waited out.
  package func opened(within seconds: Double = 5) -> [String] {
    var rest: [String] = []
    _ = eventually(within: seconds) {
      rest = OpenDescriptors().targets.filter { targets[$0.key] != $0.value }
        .map { "\($0.key) → \($0.value)" }
      return rest.isEmpty
    }
    return rest.sorted()
  }
}
