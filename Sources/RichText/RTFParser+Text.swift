internal import TextEncoding

// Makes characters of the bytes and numbers that RTF writes them as.

extension RTFParser {
  // MARK: Bytes of text

  /// Takes away fallback units.
  ///
  /// - Returns: how many of `count` there were.
  mutating func takeFallbackUnits(_ count: Int) -> Int {
    let taken = min(fallbackUnits, count)
    fallbackUnits -= taken
    return taken
  }

  private mutating func page() -> RTFCodePage {
    if let cachedPage { return cachedPage }
    let page = tables.fonts.codePage(ofFont: stack.current.character.font.map(Int.init))
    cachedPage = page
    return page
  }

  mutating func handleText(_ range: Range<Int>) {
    let rtf = tokenizer.rtf
    var start = range.lowerBound + takeFallbackUnits(range.count)
    guard isVisible else {
      switch stack.current.destination {
      case .fontTable: tables.fonts.appendName(rtf[start..<range.upperBound])
      case .colorTable: tables.colors.handle(rtf[start..<range.upperBound])
      default: break
      }
      return
    }
    guard start < range.upperBound else { return }
    if characters.awaitsTrail {
      handleByte(rtf[start])
      start += 1
    }
    finishCharacters()
    if case .symbols = page().kind {
      for offset in start..<range.upperBound { handleByte(rtf[offset]) }
    } else if start < range.upperBound {
      deliver(rtf[start..<range.upperBound])
    }
  }

  mutating func handleHighBytes(_ range: Range<Int>) {
    let rtf = tokenizer.rtf
    let start = range.lowerBound + takeFallbackUnits(range.count)
    guard isVisible, start < range.upperBound else { return }
    let bytes = rtf[start..<range.upperBound]
    if page().mayHoldUTF8, !characters.isPending,
      let text = String(validating: bytes, as: UTF8.self)
    {
      for scalar in text.unicodeScalars { append(scalar.value) }
    } else {
      for byte in bytes { handleByte(byte) }
    }
  }

  mutating func handleByte(_ byte: UInt8) {
    guard isVisible else { return }
    let page = page()
    if case .symbols(let set) = page.kind {
      return appendGlyph(set.scalar(for: byte))
    }
    if characters.hasHighSurrogate || (byte < 0x80 && !characters.awaitsTrail) {
      finishCharacters()
    }
    switch characters.take(byte, in: page) {
    case .nothing: break
    case .scalar(let scalar): emit(scalar)
    case .invalidLead:
      emit(0xFFFD)
      handleByte(byte)
    }
  }

  // MARK: Characters

  mutating func handleUnicode(_ number: Int) {
    // Signed 16-bit numbers, but some write them without sign, or scalar values beyond 16 bits.
    let value = number < 0 ? number + 0x1_0000 : number
    switch value {
    case 0xD800..<0xDC00:
      finishCharacters()
      characters.highSurrogate = UInt32(value)
    case 0xDC00..<0xE000:
      finishBytes()
      let low = UInt32(value) - 0xDC00
      if let high = characters.highSurrogate {
        characters.highSurrogate = nil
        emit(0x1_0000 + (high - 0xD800) << 10 + low)
      } else {
        emit(0xFFFD)
      }
    case 0xF020...0xF0FF:
      let set: RTFSymbolSet
      if case .symbols(let fontSet) = page().kind { set = fontSet } else { set = .other }
      let byte = UInt8(truncatingIfNeeded: value)
      // In a font of letters only the bullets are known to be what they are.
      let scalar = set.scalar(for: byte)
      appendGlyph(set == .other && scalar != 0x2022 ? UInt32(value) : scalar)
    case 0..<0x11_0000 where value & 0xFFFE != 0xFFFE:
      append(UInt32(value))
    default:
      append(0xFFFD)
    }
  }

  /// Appends a glyph of a font of symbols.
  private mutating func appendGlyph(_ scalar: UInt32) {
    // Whatever it is, before an item it is a bullet.
    let isBullet = stack.current.destination == .listText && scalar > 0x20
    append(isBullet ? 0x2022 : scalar)
  }

  mutating func append(_ scalar: UInt32) {
    finishCharacters()
    emit(scalar)
  }

  private mutating func emit(_ scalar: UInt32) {
    switch scalar {
    case 0x2028:
      // Cocoa writes line breaks so.
      end(.line)
    case 0x2029:
      end(.paragraph)
    case 0x20..<0x7F, 0x09, 0xA0...:
      deliver(scalar)
    case 0x0A, 0x0B:
      end(.line)
    case 0x80..<0xA0:
      // Nobody means control characters: these are bytes of windows-1252, written as numbers.
      let byte = UInt8(truncatingIfNeeded: scalar)
      if let scalar = tables.fonts.windowsLatin1.scalar(for: byte) { deliver(scalar) }
    default:
      break
    }
  }

  // MARK: Where it goes

  @inline(__always)
  private mutating func deliver(_ ascii: ArraySlice<UInt8>) {
    guard stack.current.destination.isShown else { return collect(ascii) }
    var ascii = ascii
    if dropsBlank {
      dropsBlank = false
      if ascii.first == 0x20 { ascii = ascii.dropFirst() }
      if ascii.isEmpty { return }
    }
    if let field = stack.current.character.field { tables.fields.noteResult(ofField: field) }
    sink.append(ascii, stack.current)
  }

  @inline(__always)
  private mutating func deliver(_ scalar: UInt32) {
    guard stack.current.destination.isShown else {
      var utf8: [UInt8] = []
      utf8.appendUTF8(scalar)
      return collect(utf8[...])
    }
    if dropsBlank {
      dropsBlank = false
      if scalar == 0x20 || scalar == 0xA0 { return }
    }
    if let field = stack.current.character.field { tables.fields.noteResult(ofField: field) }
    sink.append(scalar, stack.current)
  }

  // MARK: Ends

  /// Ends characters of which a part is missing.
  mutating func finishCharacters() {
    guard characters.isPending else { return }
    finishBytes()
    if characters.hasHighSurrogate {
      characters.highSurrogate = nil
      emit(0xFFFD)
    }
  }

  mutating func finishBytes() {
    guard characters.hasBytes else { return }
    for scalar in characters.takeBytes() { emit(scalar) }
  }
}
