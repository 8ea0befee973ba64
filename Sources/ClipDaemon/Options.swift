import SystemIO

/// What the command line says.
struct Options: Equatable {
  enum Action: Equatable {
    case serve
    case help
    case version
    case printConfiguration
    case checkConfiguration
  }

  var action = Action.serve
  /// X displays to manage beside or instead of those of the environment.
  var displays: [String] = []
  var waylandDisplays: [String] = []
  /// The configuration to read instead of the usual one.
  var configuration: FilePath?

  static let help = """
    clipd keeps what was copied when its program ends, and named pasteboards for 'clipview -s NAME'.

    usage: clipd [OPTIONS]

    options
          --display NAME          manage this X display; may be repeated
          --wayland-display NAME  manage this Wayland display; may be repeated
          --config FILE           read FILE, not $XDG_CONFIG_HOME/clipview/config
          --print-config          print the configuration that holds, as such a file, and end
          --check-config          tell what is wrong with the configuration, and end
      -h, --help                  this help
      -V, --version               the version

    It stays in the foreground and tells on standard error what it does, never what is copied.
    SIGHUP has it read its configuration again, SIGTERM ends it. One runs for each user; 'clipview
    status' tells whether.

    exit codes
      0  ended by SIGTERM or SIGINT
      1  another one runs already
      2  the command line cannot be understood
      3  there is no runtime directory, or no socket can be made in it
      6  the configuration has faults

    """

  init(_ arguments: [String]) throws(StartFailure) {
    var rest = arguments[...]
    func usage(_ what: String) -> StartFailure {
      StartFailure(.usage, "\(what): see 'clipd --help'")
    }
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = argument.hasPrefix("--") ? String(parts[0]) : argument
      var value: String? = argument.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
      switch name {
      case "--display", "--wayland-display", "--config":
        value = value ?? rest.popFirst()
        guard let value, !value.isEmpty else { throw usage("\(name) needs a value") }
        switch name {
        case "--display": displays.append(value)
        case "--wayland-display": waylandDisplays.append(value)
        default: configuration = FilePath(value)
        }
        continue
      case "--print-config": action = .printConfiguration
      case "--check-config": action = .checkConfiguration
      case "-h", "--help": action = .help
      case "-V", "--version": action = .version
      default: throw usage("'\(Log.visible(argument))' is no option")
      }
      if value != nil { throw usage("\(name) takes no value") }
      // Help and version are the answer, whatever else is asked.
      if action == .help || action == .version { return }
    }
  }
}
