// Footnotes, endnotes and the texts of shapes: they stand in the middle of a sentence and are read
// when it is at its end.

/// A note, or the text of a shape, as it was come by.
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
      read(note)
    }
    end(.section)
    currentNote = nil
  }

  private mutating func read(_ note: RTFNote) {
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

  // MARK: Shapes

  /// Begins the text of a shape: in place where no sentence is under way, else behind that.
  mutating func enterBox() {
    guard sink.isInParagraph, !isReadingBoxes, boxes.count < Self.mostNotes else {
      return end(.section)
    }
    finishCharacters()
    boxes.append(RTFNote(position: tokenizer.position, state: stack.current))
    // What ends here then is no text, and the sentence goes on.
    stack.current.destination = .shape
    skipGroup()
  }

  /// Reads the texts of shapes behind the paragraph that they stood in.
  mutating func readBoxes() {
    guard !isReadingBoxes else { return }
    isReadingBoxes = true
    let (tokenizer, stack) = (self.tokenizer, self.stack)
    for box in boxes where !sink.isFull {
      read(box)
      sink.end(.section, self.stack.current)
    }
    boxes.removeAll()
    isReadingBoxes = false
    (self.tokenizer, self.stack) = (tokenizer, stack)
    fallbackUnits = 0
    cachedPage = nil
    updateVisibility()
  }

  private mutating func append(ascii text: String) {
    for scalar in text.unicodeScalars { append(scalar.value) }
  }
}
