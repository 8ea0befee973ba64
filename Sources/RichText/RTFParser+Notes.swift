// Footnotes and endnotes: they stand in the middle of a sentence and are read when it is at its end.

/// A note, as it was come by.
struct RTFNote {
  /// Where its group goes on behind the word that says what it is.
  var position: Int
  /// What applies there.
  var state: RTFState
}

extension RTFParser {
  /// As many notes as a book has; the text of more is lost.
  private static var mostNotes: Int { 65_536 }

  /// Keeps the rest of the group for later.
  mutating func skipNote() {
    guard isAtGroupStart, stack.depth > 1 else { return }
    // Notes of notes are no notes; those that nobody sees are none either.
    if currentNote == nil, isVisible, stack.current.destination == .body, !stack.isOverflowing,
      notes.count < Self.mostNotes
    {
      notes.append(RTFNote(position: tokenizer.position, state: stack.current))
    }
    skipGroup()
  }

  /// Puts the number of a note where the document has its place.
  mutating func appendNoteMark() {
    guard isVisible, stack.current.destination == .body else { return }
    guard marksNotes else { return dropsBlank = currentNote != nil }
    // In the text it stands before the note.
    append(ascii: "[\(currentNote ?? notes.count + 1)]")
  }

  /// Reads the notes behind the text.
  mutating func readNotes() {
    let notes = self.notes
    guard !notes.isEmpty else { return }
    for (index, note) in notes.enumerated() {
      guard !sink.isFull else { return }
      // Whatever was open has ended.
      end(.section)
      currentNote = index + 1
      stack = RTFStateStack()
      stack.push()
      stack.current = note.state
      stack.current.resetParagraph()
      stack.current.resetCharacter()
      stack.current.character.field = nil
      stack.push()
      cachedPage = nil
      updateVisibility()
      tokenizer.move(to: note.position)
      readGroup(endingAt: 1)
    }
    end(.section)
    currentNote = nil
  }

  private mutating func append(ascii text: String) {
    for scalar in text.unicodeScalars { append(scalar.value) }
  }
}
