internal import TextEncoding

/// The fields of a document: what they are by their instructions.
struct RTFFields {
  private struct Field {
    var parent: Int32?
    var instruction: [UInt8] = []
    var hasResult = false
    /// Whether a box of a form is checked, and whether it is so from the beginning.
    var isChecked: Bool?
    var isCheckedAtFirst = false
    /// Whether not all of the instruction was kept.
    var isTooLong = false
  }

  /// Browsers take no longer addresses.
  private static let longestInstruction = 65_536

  private var fields: [Field] = []

  mutating func add(in parent: Int32?) -> Int32? {
    guard let number = Int32(exactly: fields.count) else { return nil }
    fields.append(Field(parent: parent))
    return number
  }

  mutating func appendInstruction(_ text: ArraySlice<UInt8>, ofField number: Int32?) {
    guard let number, fields.indices.contains(Int(number)) else { return }
    guard fields[Int(number)].instruction.count + text.count <= Self.longestInstruction else {
      return fields[Int(number)].isTooLong = true
    }
    fields[Int(number)].instruction.append(contentsOf: text)
  }

  /// Notes that something is shown of the field.
  mutating func noteResult(ofField number: Int32) {
    guard fields.indices.contains(Int(number)) else { return }
    fields[Int(number)].hasResult = true
  }

  /// What stands in the place of a field without a result.
  func substitute(forField number: Int32) -> RTFFieldInstruction.Meaning? {
    guard fields.indices.contains(Int(number)), !fields[Int(number)].hasResult else { return nil }
    let field = fields[Int(number)]
    let instruction = RTFFieldInstruction(field.instruction)
    if instruction.name == "FORMCHECKBOX" {
      return .box(isChecked: field.isChecked ?? field.isCheckedAtFirst)
    }
    return instruction.meaning
  }

  /// Notes what a box of a form says of its state: 0 and 1, and 25 for nothing.
  mutating func setState(_ word: RTFControlWord, ofField number: Int32?) {
    guard let number, fields.indices.contains(Int(number)), let state = word.parameter else {
      return
    }
    if word.scalar == 0 {
      if state <= 1 { fields[Int(number)].isChecked = state == 1 }
    } else {
      fields[Int(number)].isCheckedAtFirst = state == 1
    }
  }

  /// For each field the link that its result is part of.
  func links() -> [TextLink?] {
    var links: [TextLink?] = []
    links.reserveCapacity(fields.count)
    for field in fields {
      if !field.isTooLong, case .link(let link)? = RTFFieldInstruction(field.instruction).meaning {
        links.append(link)
      } else {
        // A parent has a smaller number.
        let parent = field.parent.map(Int.init)
        links.append(parent.flatMap { links.indices.contains($0) ? links[$0] : nil })
      }
    }
    return links
  }
}

/// The instruction of a field: its name, arguments and switches.
struct RTFFieldInstruction {
  enum Meaning {
    case link(TextLink)
    case picture(source: String)
    /// A character by its number, in a font of symbols if one is named.
    case symbol(Int, fontName: String?)
    /// A box of a form.
    case box(isChecked: Bool)
  }

  private(set) var name = ""
  private var arguments: [String] = []
  /// The values of switches by their small letter, where they have one.
  private var switches: [UInt8: String] = [:]

  /// Reads an instruction, such as `HYPERLINK "http://example.com/" \o "tip"`.
  ///
  /// Backslashes within quotes are data, which Word doubles. Outside of them they begin a switch, two
  /// as well as one.
  init(_ bytes: [UInt8]) {
    var position = 0
    var pendingSwitch: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if byte.isHTMLSpace || byte < 0x20 {
        position += 1
      } else if byte == UInt8(ascii: "\\") {
        while position < bytes.count, bytes[position] == UInt8(ascii: "\\") { position += 1 }
        guard position < bytes.count else { break }
        pendingSwitch = bytes[position].lowercasedASCII
        switches[bytes[position].lowercasedASCII] = ""
        position += 1
      } else {
        let argument = RTFFieldInstruction.argument(in: bytes, from: &position)
        if name.isEmpty {
          name = argument.uppercased()
        } else if let letter = pendingSwitch, RTFFieldInstruction.takesValue(letter, name) {
          switches[letter] = argument
        } else {
          arguments.append(argument)
        }
        pendingSwitch = nil
      }
    }
  }

  private static func argument(in bytes: [UInt8], from position: inout Int) -> String {
    let quote = UInt8(ascii: "\"")
    var start = position
    if bytes[position] == quote {
      start += 1
      position = start
      while position < bytes.count, bytes[position] != quote { position += 1 }
      defer { position += 1 }
      return String(decoding: undoubled(bytes[start..<position]), as: UTF8.self)
    }
    while position < bytes.count, !bytes[position].isHTMLSpace { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// An argument without the doubling of its backslashes, where all of them are doubled.
  ///
  /// Two at the beginning and none behind them are those of a server that somebody else wrote.
  private static func undoubled(_ argument: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let backslash = UInt8(ascii: "\\")
    guard argument.contains(backslash) else { return argument }
    var result: [UInt8] = []
    var run = 0
    var isBehindStart = false
    for byte in argument {
      guard byte == backslash else {
        if run % 2 != 0 { return argument }
        run = 0
        result.append(byte)
        continue
      }
      run += 1
      if !result.isEmpty { isBehindStart = isBehindStart || result.last != backslash }
      if run % 2 == 0 { result.append(backslash) }
    }
    return run % 2 == 0 && isBehindStart ? result[...] : argument
  }

  private static func takesValue(_ letter: UInt8, _ name: String) -> Bool {
    switch (name, letter) {
    case ("HYPERLINK", UInt8(ascii: "l")), ("HYPERLINK", UInt8(ascii: "o")),
      ("HYPERLINK", UInt8(ascii: "t")), ("HYPERLINK", UInt8(ascii: "s")):
      true
    case ("SYMBOL", UInt8(ascii: "f")), ("SYMBOL", UInt8(ascii: "s")): true
    case ("INCLUDEPICTURE", UInt8(ascii: "c")): true
    default: false
    }
  }

  /// What the field is, if it is one that says more than its result.
  var meaning: Meaning? {
    switch name {
    case "HYPERLINK":
      var destination = arguments.first ?? ""
      if let mark = switches[UInt8(ascii: "l")], !mark.isEmpty { destination += "#" + mark }
      guard !destination.isEmpty else { return nil }
      let tip = switches[UInt8(ascii: "o")].flatMap { $0.isEmpty ? nil : $0 }
      return .link(TextLink(destination: destination, title: tip))
    case "INCLUDEPICTURE":
      return arguments.first.map { .picture(source: $0) }
    case "SYMBOL":
      guard let number = arguments.first.flatMap(RTFFieldInstruction.number) else { return nil }
      return .symbol(number, fontName: switches[UInt8(ascii: "f")])
    default:
      return nil
    }
  }

  private static func number(_ text: String) -> Int? {
    text.lowercased().hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  }
}
