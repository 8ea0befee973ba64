import Glibc
import TypeRegistry

/// Times questions to the type registry: the other side of `registry-glib.c`, which asks GLib the same.
///
///     bench-registry loop     nanoseconds of each question, a line each: label, tab, figure
///     bench-registry first    asks once and ends: a process to be timed from outside
///     bench-registry file     the same, of the system's MIME database by a file's name
///     bench-registry nothing  ends
@main
enum RegistryBenchmark {
  private static let rounds = 200_000

  /// Pairs of which six conform and four do not, as `registry-glib.c` has them.
  private static let pairs: [(String, String)] = [
    ("image/png", "image/png"), ("text/html", "text/plain"), ("image/svg+xml", "application/xml"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip"),
    ("text/x-csrc", "text/plain"), ("application/json", "text/plain"),
    ("image/png", "text/plain"), ("audio/mpeg", "application/zip"),
    ("video/mp4", "image/png"), ("application/pdf", "text/plain"),
  ]
  private static let extensions = [
    "png", "html", "svg", "docx", "c", "json", "JPG", "mp3", "mp4", "nosuch",
  ]

  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "loop": loop()
    case "first": first()
    case "file": file()
    case "nothing": break
    default: print("usage: bench-registry loop|first|file|nothing")
    }
  }

  private static func first() {
    let registry = TypeRegistry.builtin
    guard let type = registry.type(for: "png", in: .filenameExtension),
      type.conforms(to: .image)
    else { exit(1) }
  }

  private static func file() {
    guard let name = MIMEDatabase.installed.mimeTypes(forFileName: "x.png").first,
      MIMEDatabase.installed.isMIMEType(name, kindOf: "image/png")
    else { exit(1) }
  }

  private static func loop() {
    let registry = TypeRegistry.builtin
    let types = pairs.map { pair in
      (registry.type(forTarget: pair.0), registry.type(forTarget: pair.1))
    }
    let dynamic = registry.dynamicType(for: "nosuch", in: .filenameExtension)
    report("conformance") { conformances(types) }
    report("conformance of a dynamic type") {
      var count = 0
      for _ in 0..<rounds where dynamic.conforms(to: .item) { count &+= 1 }
      return (count, rounds)
    }
    reportTwoThreads(types)
    report("extension") {
      var count = 0
      for _ in 0..<rounds / 10 {
        for name in extensions where registry.type(for: name, in: .filenameExtension) != nil {
          count &+= 1
        }
      }
      return (count, rounds)
    }
    let names = extensions.map { ($0 == "JPG" ? "X." : "x.") + $0 }
    report("file name, by the MIME database") {
      var count = 0
      for _ in 0..<rounds / 10 {
        for name in names { count &+= MIMEDatabase.installed.mimeTypes(forFileName: name).count }
      }
      return (count, rounds)
    }
    report("MIME type") {
      var count = 0
      for _ in 0..<rounds / 10 {
        for pair in pairs where registry.type(for: pair.0, in: .mimeType) != nil { count &+= 1 }
      }
      return (count, rounds)
    }
  }

  @inline(never)
  private static func conformances(
    _ types: [(TypeIdentifier, TypeIdentifier)]
  ) -> (count: Int, asked: Int) {
    var count = 0
    for _ in 0..<rounds / 10 {
      for pair in types where pair.0.conforms(to: pair.1) { count &+= 1 }
    }
    return (count, rounds)
  }

  /// The processor time of the whole process: what else the machine does is not counted.
  ///
  /// Two threads that get in each other's way take more of it; waiting for a lock is told by the wall
  /// clock alone.
  private static func now(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func report(_ label: String, _ work: () -> (count: Int, asked: Int)) {
    _ = work()
    let start = now()
    let (count, asked) = work()
    let time = now() - start
    // The count keeps the work from being left out.
    guard count > 0 else { exit(1) }
    print("\(label)\t\(Double(time) / Double(asked))")
  }

  /// Two threads asking at once: the time that each question takes its thread, by the processor and
  /// by the wall clock.
  private static func reportTwoThreads(_ types: [(TypeIdentifier, TypeIdentifier)]) {
    final class Box: Sendable {
      let types: [(TypeIdentifier, TypeIdentifier)]
      init(_ types: [(TypeIdentifier, TypeIdentifier)]) { self.types = types }
    }
    let box = Box(types)
    let start = now()
    let wallStart = now(CLOCK_MONOTONIC)
    var threads: [pthread_t] = []
    for _ in 0..<2 {
      var thread = pthread_t()
      let made = unsafe pthread_create(
        &thread, nil,
        { argument in
          guard let argument = unsafe argument else { return nil }
          let box = unsafe Unmanaged<Box>.fromOpaque(argument).takeUnretainedValue()
          for _ in 0..<4 { _ = RegistryBenchmark.conformances(box.types) }
          return nil
        }, Unmanaged.passUnretained(box).toOpaque())
      guard made == 0 else { exit(1) }
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    let time = now() - start
    let wallTime = now(CLOCK_MONOTONIC) - wallStart
    withExtendedLifetime(box) {}
    print("conformance, two threads\t\(Double(time) / Double(8 * rounds))")
    print("conformance, two threads, by the wall\t\(Double(wallTime) / Double(4 * rounds))")
  }
}
