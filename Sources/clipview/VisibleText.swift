import SelectionCore

/// The text with everything that a terminal would act on, or that nobody would see, as a visible
/// symbol: control characters as their pictures (␛), bytes of a name that are no UTF-8 as ⟨FF⟩, the
/// rest as ⟨U+202E⟩.
///
/// What programs put on the clipboard must not move the cursor, set titles or turn text around when
/// it is shown.
func visible(_ text: String) -> String {
  let hasSomething = text.unicodeScalars.contains {
    $0.isInvisibleControl || $0.escapedWireByte != nil
  }
  guard hasSomething else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if let byte = scalar.escapedWireByte {
      result += "⟨" + String(byte, radix: 16, uppercase: true) + "⟩"
    } else if !scalar.isInvisibleControl {
      result.unicodeScalars.append(scalar)
    } else if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
      result.unicodeScalars.append(picture)
    } else if scalar.value == 0x7F {
      result += "␡"
    } else {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "⟨U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "⟩"
    }
  }
  return result
}

/// How many columns of a terminal the text takes: two for East Asian wide characters and emoji, none
/// for combining marks.
func displayWidth(_ text: some StringProtocol) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

private func displayWidth(_ character: Character) -> Int {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  // Variation selector 16 asks for the emoji form, which is wide.
  if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return 0
  default: break
  }
  if scalar.properties.isEmojiPresentation { return 2 }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    return 2
  default: return 1
  }
}

/// As much of the text as fits into the columns, an ellipsis in place of the rest.
func truncated(_ text: String, toWidth width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  guard width > 0 else { return "" }
  var result = ""
  var used = 0
  for character in text {
    let columns = displayWidth(character)
    if used + columns > width - 1 { break }
    result.append(character)
    used += columns
  }
  return result + "…"
}
