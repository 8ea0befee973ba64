import ClipboardCore
import Pasteboard
import SelectionCore
import SystemIO

/// What the user has set, or what holds otherwise.
///
/// Each setting is one row of the table below: reading, writing and their documentation come from it.
struct Configuration: Equatable {
  enum LogLevel: String, CaseIterable {
    /// Faults only.
    case quiet
    case normal
    /// Each connection and each answer too.
    case verbose
  }

  var log = LogLevel.normal
  /// The most bytes that one copy may have.
  var maximumOffer = 1 << 30
  /// The most bytes that are held in all.
  var maximumTotal = 4 << 30
  /// The most named pasteboards.
  var maximumPasteboards = 1000
  /// How many programs may be connected at once.
  var maximumClients = 128
  /// Whether what other programs copied is kept when they end.
  var keepsClipboard = true
  var keepsPrimary = false
  var keptRepresentation = 64 << 20
  var keptOffer = 256 << 20
  /// The most bytes that are written down for a service that is started again.
  var runtimeCopy = 256 << 20
  /// Whether the text of other programs' secrets is read once, to know it again.
  var remembersSecrets = true
  var ignoredApplications: [String] = []
  var ignoredTargets: [String] = []
  /// Whether what a living owner says is Markdown gets what can be made of it.
  var enrichesMarkdown = false

  init() {}

  struct Setting: Sendable {
    let name: String
    let help: String
    let value: @Sendable (Configuration) -> String
    /// Sets it; false for a value that it does not take.
    let set: @Sendable (inout Configuration, String) -> Bool
    /// What it takes, for a message.
    let takes: String
  }

  static let settings: [Setting] = [
    Setting(
      name: "log", help: "How much is told on standard error: quiet, normal or verbose.",
      value: { $0.log.rawValue },
      set: { configuration, text in
        guard let level = LogLevel(rawValue: text) else { return false }
        configuration.log = level
        return true
      }, takes: "quiet, normal or verbose"),
    size("maximum-offer", "The most bytes that one copy may have.", \.maximumOffer),
    size("maximum-total", "The most bytes that are held in all.", \.maximumTotal),
    number(
      "maximum-pasteboards", "The most named pasteboards that there may be.",
      \.maximumPasteboards, 1...1000),
    number(
      "maximum-clients", "How many programs may be connected at once.", \.maximumClients, 4...1000),
    flag(
      "keep", "Whether what other programs copied is kept when they end: yes or no.",
      \.keepsClipboard),
    flag(
      "keep-primary", "Whether selected text is kept likewise: yes or no.", \.keepsPrimary),
    size(
      "keep-representation", "The most bytes of one representation that are kept.",
      \.keptRepresentation),
    size("keep-offer", "The most bytes of one copy that are kept.", \.keptOffer),
    size(
      "runtime-copy",
      "The most bytes that are held in the runtime directory too, for a restart; 0 for none.",
      \.runtimeCopy),
    flag(
      "remember-secrets",
      "Whether the text of secrets on X11 is read once, to know it without its mark: yes or no.",
      \.remembersSecrets),
    words(
      "ignore-applications", "Programs whose copies are not kept, by the names that show has.",
      \.ignoredApplications),
    words("ignore-types", "Targets that are not kept.", \.ignoredTargets),
    flag(
      "enrich-markdown",
      "Whether what programs copy as Markdown gets HTML and RTF beside it: yes or no.",
      \.enrichesMarkdown),
  ]

  private static func size(
    _ name: String, _ help: String,
    _ path: any WritableKeyPath<Configuration, Int> & Sendable
  ) -> Setting {
    Setting(
      name: name, help: help, value: { byteText($0[keyPath: path]) },
      set: { configuration, text in
        guard let size = byteCount(text) else { return false }
        configuration[keyPath: path] = size
        return true
      }, takes: "a number of bytes, such as 500M")
  }

  private static func number(
    _ name: String, _ help: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>
  ) -> Setting {
    Setting(
      name: name, help: help, value: { String($0[keyPath: path]) },
      set: { configuration, text in
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
          range.contains(number)
        else { return false }
        configuration[keyPath: path] = number
        return true
      }, takes: "a number from \(range.lowerBound) to \(range.upperBound)")
  }

  private static func flag(
    _ name: String, _ help: String, _ path: any WritableKeyPath<Configuration, Bool> & Sendable
  ) -> Setting {
    Setting(
      name: name, help: help, value: { $0[keyPath: path] ? "yes" : "no" },
      set: { configuration, text in
        guard text == "yes" || text == "no" else { return false }
        configuration[keyPath: path] = text == "yes"
        return true
      }, takes: "yes or no")
  }

  /// Words with blanks between them; none is a list too.
  private static func words(
    _ name: String, _ help: String, _ path: any WritableKeyPath<Configuration, [String]> & Sendable
  ) -> Setting {
    Setting(
      name: name, help: help, value: { $0[keyPath: path].joined(separator: " ") },
      set: { configuration, text in
        configuration[keyPath: path] = text.split(separator: " ").map(String.init)
        return true
      }, takes: "words with blanks between them")
  }

  /// What is kept of other programs' content, for each selection where something is.
  var keeping: [PasteboardName: KeepingRules] {
    guard keepsClipboard else { return [:] }
    var rules = KeepingRules()
    rules.limits.representation = keptRepresentation
    rules.limits.early = min(rules.limits.early, keptRepresentation)
    rules.limits.offer = keptOffer
    rules.ignoredApplications = ignoredApplications.map { $0.lowercased() }
    rules.ignoredTargets = ignoredTargets
    rules.remembersSecrets = remembersSecrets
    var keeping: [PasteboardName: KeepingRules] = [.clipboard: rules]
    keeping[.clipboard]?.enrichesMarkdown = enrichesMarkdown
    if keepsPrimary {
      rules.isTextOnly = true
      keeping[.primary] = rules
    }
    return keeping
  }

  private static func byteText(_ count: Int) -> String {
    var rest = count
    var letter = ""
    for next in ["K", "M", "G", "T"] where rest >= 1024 && rest % 1024 == 0 {
      rest /= 1024
      letter = next
    }
    return "\(rest)\(letter)"
  }

  /// The configuration as a file that says the same.
  var text: String {
    Self.settings.map { "# \($0.help)\n\($0.name) = \($0.value(self))\n" }.joined(separator: "\n")
  }
}

/// What is wrong with a configuration, a line for each fault: `FILE:LINE: …`.
struct ConfigurationFaults: Error, Equatable {
  var lines: [String]
}

extension Configuration {
  /// Reads lines of `name = value`; empty ones and those that begin with `#` say nothing.
  ///
  /// All faults are told, not the first alone.
  init(parsing text: String, from file: String) throws(ConfigurationFaults) {
    self.init()
    var faults: [String] = []
    var seen: [String: Int] = [:]
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let number = index + 1
      func fault(_ what: String) { faults.append("\(file):\(number): \(what)") }
      let words = Self.trimmed(line)
      if words.isEmpty || words.first == "#" { continue }
      guard let equals = words.firstIndex(of: "=") else {
        fault("a line has a name, '=' and a value")
        continue
      }
      let name = String(Self.trimmed(words[..<equals]))
      let value = String(Self.trimmed(words[words.index(after: equals)...]))
      guard let setting = Self.settings.first(where: { $0.name == name }) else {
        fault("there is no setting '\(Log.visible(name))'")
        continue
      }
      if let before = seen.updateValue(number, forKey: name) {
        fault("'\(name)' is set in line \(before) already")
      } else if !setting.set(&self, value) {
        fault("'\(name)' takes \(setting.takes), not '\(Log.visible(value))'")
      }
    }
    if !faults.isEmpty { throw ConfigurationFaults(lines: faults) }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return text
  }
}

/// Where the configuration is read from.
struct ConfigurationFile {
  let path: FilePath?
  /// Whether the user named it, so that it has to be there.
  private let isNamed: Bool

  private static let sizeLimit = 1 << 18

  init(_ named: FilePath?) {
    path = named ?? Self.standardPath
    isNamed = named != nil
  }

  private static var standardPath: FilePath? {
    // The XDG base directory specification ignores paths that are not absolute.
    if let base = environmentVariable("XDG_CONFIG_HOME"), base.hasPrefix("/") {
      return FilePath(base).appending("clipview/config")
    }
    return environmentVariable("HOME").map { FilePath($0).appending(".config/clipview/config") }
  }

  func read() throws(ConfigurationFaults) -> Configuration {
    guard let path else { return Configuration() }
    let name = path.description
    let contents: ReadContents
    do {
      let file = try openRegularFile(path, followsLinks: true)
      contents = try readToEnd(of: file.rawValue, limit: Self.sizeLimit)
    } catch let error as Errno {
      // No file is the usual case.
      if !isNamed, error == .notFound || error == .notDirectory { return Configuration() }
      throw ConfigurationFaults(lines: ["\(name): cannot be read (\(error.message))"])
    } catch {
      throw ConfigurationFaults(lines: ["\(name): is longer than \(Self.sizeLimit) bytes"])
    }
    let bytes: [UInt8]
    switch contents {
    case .bytes(let small): bytes = small
    case .file(let file): bytes = unsafe Array(file.bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationFaults(lines: ["\(name): is no UTF-8"])
    }
    return try Configuration(parsing: text, from: name)
  }
}
