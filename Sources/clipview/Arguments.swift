import SelectionCore
import SystemIO

/// One word of the command line: bytes, since a file name need not be UTF-8.
struct Argument {
  let bytes: [UInt8]
  /// As text; bytes that are no UTF-8 stand in it as they do in the names of targets.
  var text: String { String(wireBytes: bytes) }

  init(bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The words behind the program's name, as they came.
  static var all: [Argument] {
    var words: [Argument] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      var bytes: [UInt8] = []
      var position = 0
      while case let byte = unsafe word[position], byte != 0 {
        bytes.append(UInt8(bitPattern: byte))
        position += 1
      }
      words.append(Argument(bytes: bytes))
    }
    return words
  }
}

extension Argument {
  /// Overwrites what stands behind `--text` on our command line, which everybody can read, as long as
  /// this process and those that it forks live.
  ///
  /// How long it is can still be seen.
  static func hideText() {
    var isText = false
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      let text = unsafe String(cString: word)
      let prefix = "--text="
      if isText || text.hasPrefix(prefix) {
        var position = isText ? 0 : prefix.utf8.count
        while unsafe word[position] != 0 {
          unsafe word[position] = CChar(bitPattern: UInt8(ascii: "*"))
          position += 1
        }
      }
      isText = !isText && text == "--text"
    }
  }
}

/// The command line, taken apart by the table.
struct ParsedArguments {
  private(set) var command: CommandSpec?
  private(set) var arguments: [Argument] = []
  private var values: [(option: Option, value: Argument?)] = []

  func has(_ option: Option) -> Bool { values.contains { $0.option == option } }

  /// The value given last; nil where the option was not given.
  func value(of option: Option) -> Argument? { values.last { $0.option == option }?.value }

  func allValues(of option: Option) -> [Argument] {
    values.compactMap { $0.option == option ? $0.value : nil }
  }

  init(_ words: [Argument]) throws(Failure) {
    var position = 0
    var optionsEnded = false
    func next() -> Argument? {
      guard position < words.count else { return nil }
      defer { position += 1 }
      return words[position]
    }
    func nextNumber() -> Argument? {
      position < words.count && isNumber(words[position].text) ? next() : nil
    }
    // The first failure is the one that is told; what comes behind it may still ask for silence.
    var failure: Failure?
    while let word = next() {
      let text = word.text
      do throws(Failure) {
        if optionsEnded || text == "-" || !text.hasPrefix("-") {
          try take(word)
        } else if text == "--" {
          optionsEnded = true
        } else if text.hasPrefix("--") {
          try takeLong(word, next, nextNumber)
        } else {
          try takeShort(word, next)
        }
      } catch {
        failure = failure ?? error
      }
    }
    do throws(Failure) {
      if let failure { throw failure }
      if let command { try check(for: command) }
    } catch {
      var failure = error
      failure.isSilent = has(.quiet)
      throw failure
    }
  }

  private mutating func take(_ word: Argument) throws(Failure) {
    if command == nil {
      command = try CommandSpec.called(word.text)
    } else {
      arguments.append(word)
    }
  }

  private mutating func takeLong(
    _ word: Argument, _ next: () -> Argument?, _ nextNumber: () -> Argument?
  ) throws(Failure) {
    let body = word.bytes.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(decoding: body[..<(equals ?? body.endIndex)], as: UTF8.self)
    let attached = equals.map { Argument(bytes: Array(body[($0 + 1)...])) }
    guard let spec = OptionSpec.table.first(where: { $0.long == name }) else {
      if OptionSpec.planned.contains(name) { throw .notInThisVersion("--\(name)", hint: helpHint) }
      throw .unknown("option", "--\(name)", among: possibleOptions.map { "--\($0.long)" })
    }
    switch spec.value {
    case .none:
      if attached != nil { throw .usage("--\(name) takes no value", hint: helpHint) }
      values.append((spec.option, nil))
    case .required(let placeholder):
      guard let value = attached ?? next() else {
        throw .usage("--\(name) needs \(placeholder)", hint: helpHint)
      }
      values.append((spec.option, value))
    case .optionalNumber:
      values.append((spec.option, attached ?? nextNumber()))
    case .choice(let choices):
      if let attached, !choices.contains(attached.text) {
        let known = choices.map { "--\(name)=\($0)" }.joined(separator: " or ")
        throw .usage(
          "--\(name) does not take '\(attached.text)'", hint: "use --\(name) or \(known)")
      }
      values.append((spec.option, attached))
    }
  }

  private mutating func takeShort(
    _ word: Argument, _ next: () -> Argument?
  ) throws(Failure) {
    var rest = word.bytes.dropFirst()
    while let byte = rest.popFirst() {
      let letter = Character(Unicode.Scalar(byte))
      guard let spec = OptionSpec.table.first(where: { $0.short == letter }) else {
        throw .usage("unknown option -\(letter)", hint: helpHint)
      }
      guard case .required(let placeholder) = spec.value else {
        values.append((spec.option, nil))
        continue
      }
      let attached = rest.isEmpty ? nil : Argument(bytes: Array(rest))
      guard let value = attached ?? next() else {
        throw .usage("-\(letter) needs \(placeholder)", hint: helpHint)
      }
      values.append((spec.option, value))
      return
    }
  }

  private var possibleOptions: [OptionSpec] {
    let own = command?.options ?? CommandSpec.table.flatMap(\.options)
    return OptionSpec.table.filter {
      own.contains($0.option) || OptionSpec.everywhere.contains($0.option)
    }
  }

  private var helpHint: String {
    command.map { "see 'clipview help \($0.name)'" } ?? "see 'clipview --help'"
  }

  /// Whether the command that is run takes what was given.
  ///
  /// Where none was named, whoever chooses one asks.
  func check(for command: CommandSpec) throws(Failure) {
    let helpHint = "see 'clipview help \(command.name)'"
    for (option, _) in values
    where !command.options.contains(option) && !OptionSpec.everywhere.contains(option) {
      let name = OptionSpec.spec(of: option).long
      throw .usage("'clipview \(command.name)' has no option --\(name)", hint: helpHint)
    }
    if !command.takesArguments, let extra = arguments.first {
      throw .usage("'clipview \(command.name)' takes no argument '\(extra.text)'", hint: helpHint)
    }
  }
}
