internal import Glibc
internal import SystemIO

/// What happens between fork and exec: C's file actions, and the ends of pipes that belong to the
/// child, closed on our side as soon as it runs.
@safe struct SpawnActions: ~Copyable {
  private var actions = unsafe posix_spawn_file_actions_t()
  private var childEnds: [ChildEnd] = []

  /// Arrays cannot hold noncopyable values.
  private final class ChildEnd {
    let descriptor: OwnedFD
    init(_ descriptor: consuming OwnedFD) { self.descriptor = descriptor }
  }

  init() throws(Errno) { try check(unsafe posix_spawn_file_actions_init(&actions)) }

  deinit {
    var actions = unsafe actions
    unsafe _ = posix_spawn_file_actions_destroy(&actions)
  }

  mutating func open(_ path: String, _ flags: Int32, as descriptor: Int32) throws(Errno) {
    try check(unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0))
  }

  mutating func close(_ descriptor: Int32) throws(Errno) {
    try check(unsafe posix_spawn_file_actions_addclose(&actions, descriptor))
  }

  mutating func duplicate(_ source: Int32, as descriptor: Int32) throws(Errno) {
    try check(unsafe posix_spawn_file_actions_adddup2(&actions, source, descriptor))
  }

  /// A pipe that the child reads as the descriptor.
  ///
  /// - Returns: Our end.
  mutating func pipe(into descriptor: Int32) throws(Errno) -> OwnedFD {
    let ends = try Pipe().ends()
    childEnds.append(ChildEnd(OwnedFD(adopting: ends.read)))
    let ours = OwnedFD(adopting: ends.write)
    try duplicate(ends.read, as: descriptor)
    return ours
  }

  /// A pipe that the child writes as the descriptor.
  ///
  /// - Returns: Our end.
  mutating func pipe(outOf descriptor: Int32) throws(Errno) -> OwnedFD {
    let ends = try Pipe().ends()
    childEnds.append(ChildEnd(OwnedFD(adopting: ends.write)))
    let ours = OwnedFD(adopting: ends.read)
    try duplicate(ends.write, as: descriptor)
    return ours
  }

  /// Starts the program with signals as a fresh login has them.
  consuming func spawn(
    _ executable: String, _ arguments: [String], environment: [String: String],
    startsSession: Bool, startsGroup: Bool
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    try check(unsafe posix_spawnattr_init(&attributes))
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe _ = sigemptyset(&signals)
    try check(unsafe posix_spawnattr_setsigmask(&attributes, &signals))
    unsafe _ = sigaddset(&signals, SIGPIPE)
    try check(unsafe posix_spawnattr_setsigdefault(&attributes, &signals))
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    // POSIX_SPAWN_SETSID, which the Glibc module hides behind _GNU_SOURCE.
    if startsSession { flags |= 0x80 }
    if startsGroup { flags |= POSIX_SPAWN_SETPGROUP }
    try check(unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
    var pid: pid_t = 0
    let argv = CStrings([executable] + arguments)
    let envp = CStrings(environment.map { "\($0.key)=\($0.value)" })
    try check(
      unsafe posix_spawnp(
        &pid, executable, &actions, &attributes, argv.pointers, envp.pointers))
    childEnds = []
    return pid
  }
}

/// The calls of this family return the error instead of setting `errno`.
private func check(_ code: Int32) throws(Errno) {
  if code != 0 { throw Errno(code) }
}

/// A NULL-ended array of C strings.
@safe private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
