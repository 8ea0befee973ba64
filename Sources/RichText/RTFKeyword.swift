/// The control words that do something to text; all others are `unknown`.
enum RTFKeyword: UInt8 {
  case unknown

  // The document.
  case codePage, ansi, mac, dos, dosMultilingual, defaultFont, encapsulatesHTML, encapsulatesText
  // Text.
  case unicode, fallbackLength, binary, character, tab
  // Fonts and characters.
  case font, fontCharset, fontCodePage, fontFixedPitch, fontModern
  case plain, hidden, deleted, htmlSuppression
  case bold, italic, strike, underline, noUnderline, superscript, subscripted, noScript
  case foreground, background, characterStyle
  case red, green, blue
  // Paragraphs.
  case paragraphDefaults, inTable, tableDepth, list, listLevel, style, outlineLevel
  case alignLeft, alignCenter, alignRight, alignJustified
  case leftIndent, firstIndent, rightIndent, spaceAfter, border
  // Styles and lists.
  case otherStyle, basedOn
  case listDefinition, listDefinitionLevel, levelNumbering, levelStart, listIdentity
  case listOverride, listOverrideLevel
  case oldListBullet, oldListNumber, oldListContinues, oldListStart, oldListNumbering
  // Rows of tables.
  case rowDefaults, headerRow, cellEdge
  case firstMergedAcross, mergedAcross, firstMergedDown, mergedDown
  // What ends something.
  case paragraph, line, section, cell, row, nestedCell, nestedRow
  // Destinations: groups that are something else than text in its place.
  case fontTable, colorTable, styleSheet, listTable, listOverrideTable, oldList, generator
  case listText, alternatives, unicodeAlternative, htmlTag
  case shape, shapeText, property, propertyName, propertyValue, picture, pictureProperties
  case field, fieldInstruction, fieldResult, nestedRowProperties
  /// What clipview says of a paragraph of its own that RTF has no words for.
  case ownMark
  /// A footnote or an endnote, and the place of its number.
  case note, noteMark
  /// What a field of a form is; whether a box is checked, and whether it is from the beginning.
  case formField, fieldState
  /// A group whose text is text, although it may be starred.
  case transparent
  /// A group that is not text.
  case skipped
  /// A group that is not text, followed by one character that stands for it.
  case attachment

  /// Ends what no fallback for a character can end; where it seems to be one, there is none.
  var isStructure: Bool {
    switch self {
    case .paragraph, .section, .cell, .row, .nestedCell, .nestedRow: true
    default: false
    }
  }
}

/// The letters of a control word, which tell words apart that have up to twenty.
struct RTFWordName: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private var count = 0

  private static let lettersPerHalf = 10

  init() {}

  init(_ word: Substring) {
    for letter in word.utf8 { append(letter) }
  }

  @inline(__always)
  mutating func append(_ letter: UInt8) {
    // Six bits are enough: capitals have 0x01 to 0x1A, small letters 0x21 to 0x3A.
    if count < RTFWordName.lettersPerHalf {
      low = low << 6 | UInt64(letter & 0x3F)
    } else {
      high = high << 6 | UInt64(letter & 0x3F)
    }
    count += 1
  }

  var isTooLong: Bool { count > 2 * RTFWordName.lettersPerHalf }

  var hash: Int {
    let mixed = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 40)
  }
}

/// Finds out what a control word means.
struct RTFVocabulary {
  struct Meaning {
    var keyword = RTFKeyword.unknown
    /// The character or the kind of numbering that the word stands for.
    var scalar: UInt32 = 0
  }

  private struct Slot {
    let name: RTFWordName
    let meaning: Meaning
  }

  /// An open hash table, of which a quarter is used.
  private var slots: [Slot?]
  private static let size = 1024

  static let shared = RTFVocabulary()

  private init() {
    slots = [Slot?](repeating: nil, count: RTFVocabulary.size)
    for (keyword, words) in RTFVocabulary.words {
      for word in words.split(whereSeparator: \.isWhitespace) {
        insert(word, Meaning(keyword: keyword))
      }
    }
    for (word, scalar) in RTFVocabulary.characters {
      insert(Substring(word), Meaning(keyword: .character, scalar: scalar))
    }
    insert("ffdefres", Meaning(keyword: .fieldState, scalar: 1))
    for (word, number) in RTFVocabulary.oldNumberings {
      insert(Substring(word), Meaning(keyword: .oldListNumbering, scalar: number))
    }
  }

  private mutating func insert(_ word: Substring, _ meaning: Meaning) {
    let name = RTFWordName(word)
    var index = name.hash & (RTFVocabulary.size - 1)
    while slots[index] != nil { index = (index + 1) & (RTFVocabulary.size - 1) }
    slots[index] = Slot(name: name, meaning: meaning)
  }

  func meaning(of name: RTFWordName) -> Meaning {
    guard !name.isTooLong else { return Meaning() }
    var index = name.hash & (RTFVocabulary.size - 1)
    while let slot = slots[index] {
      if slot.name == name { return slot.meaning }
      index = (index + 1) & (RTFVocabulary.size - 1)
    }
    return Meaning()
  }

  private static let characters: [(String, UInt32)] = [
    ("emdash", 0x2014), ("endash", 0x2013), ("lquote", 0x2018), ("rquote", 0x2019),
    ("ldblquote", 0x201C), ("rdblquote", 0x201D), ("bullet", 0x2022), ("emspace", 0x2003),
    ("enspace", 0x2002), ("qmspace", 0x2005), ("zwj", 0x200D), ("zwnj", 0x200C),
    ("zwbo", 0x200B), ("zwnbo", 0x2060), ("ltrmark", 0x200E), ("rtlmark", 0x200F),
    // A fraction, an exponent and an index of a formula.
    ("mden", 0x2F), ("msup", 0x5E), ("msub", 0x5F),
  ]

  /// Numbered as `\levelnfc` numbers them.
  private static let oldNumberings: [(String, UInt32)] = [
    ("pnucrm", 1), ("pnlcrm", 2), ("pnucltr", 3), ("pnlcltr", 4),
  ]

  /// What each destination is that is skipped stands in the specification (RTF 1.9.1); `abi…` is
  /// AbiWord's, `expandedcolortbl` Cocoa's.
  private static let words: [(RTFKeyword, String)] = [
    (.codePage, "ansicpg"), (.ansi, "ansi"), (.mac, "mac"), (.dos, "pc"),
    (.dosMultilingual, "pca"), (.defaultFont, "deff"), (.encapsulatesHTML, "fromhtml"),
    (.encapsulatesText, "fromtext"),
    (.unicode, "u"), (.fallbackLength, "uc"), (.binary, "bin"), (.tab, "tab"),
    (.font, "f"), (.fontCharset, "fcharset"), (.fontCodePage, "cpg"), (.plain, "plain"),
    (.fontFixedPitch, "fprq"), (.fontModern, "fmodern"),
    (.hidden, "v"), (.deleted, "deleted"), (.htmlSuppression, "htmlrtf"),
    (.bold, "b"), (.italic, "i"), (.strike, "strike striked"),
    (
      .underline,
      """
      ul uld uldash uldashd uldashdd uldb ulhwave ulldash ulth ulthd ulthdash ulthdashd ulthdashdd
      ulthldash ululdbwave ulw ulwave
      """
    ),
    (.noUnderline, "ulnone"), (.superscript, "super"), (.subscripted, "sub"),
    (.noScript, "nosupersub"), (.foreground, "cf"),
    (.background, "cb chcbpat highlight"), (.characterStyle, "cs"),
    (.red, "red"), (.green, "green"), (.blue, "blue"),
    (.paragraphDefaults, "pard"), (.inTable, "intbl"), (.tableDepth, "itap"), (.list, "ls"),
    (.listLevel, "ilvl"), (.style, "s"), (.outlineLevel, "outlinelevel"),
    (.alignLeft, "ql"), (.alignCenter, "qc"), (.alignRight, "qr"), (.alignJustified, "qj qd"),
    (.leftIndent, "li"), (.firstIndent, "fi"), (.rightIndent, "ri"), (.spaceAfter, "sa"),
    (.border, "brdrt brdrb"),
    (.otherStyle, "ts ds"), (.basedOn, "sbasedon"),
    (.listDefinition, "list"), (.listDefinitionLevel, "listlevel"),
    (.levelNumbering, "levelnfc levelnfcn"), (.levelStart, "levelstartat"),
    (.listIdentity, "listid"), (.listOverride, "listoverride"), (.listOverrideLevel, "lfolevel"),
    (.oldListBullet, "pnlvlblt"), (.oldListNumber, "pnlvlbody pnlvl"),
    (.oldListContinues, "pnlvlcont"), (.oldListStart, "pnstart"),
    (.oldListNumbering, "pncard pndec pnord pnordt"),
    (.rowDefaults, "trowd"), (.headerRow, "trhdr"), (.cellEdge, "cellx"),
    (.firstMergedAcross, "clmgf"), (.mergedAcross, "clmrg"), (.firstMergedDown, "clvmgf"),
    (.mergedDown, "clvmrg"),
    (.paragraph, "par"), (.line, "line lbr"), (.section, "sect page column"),
    (.cell, "cell"), (.row, "row"), (.nestedCell, "nestcell"), (.nestedRow, "nestrow"),
    (.fontTable, "fonttbl"), (.colorTable, "colortbl"), (.styleSheet, "stylesheet"),
    (.listTable, "listtable"), (.listOverrideTable, "listoverridetable"), (.oldList, "pn"),
    (.generator, "generator"), (.ownMark, "clipview"),
    (.listText, "listtext pntext"), (.alternatives, "upr"),
    (.unicodeAlternative, "ud"), (.shape, "shpinst"), (.shapeText, "shptxt"),
    (.property, "sp"), (.propertyName, "sn"), (.propertyValue, "sv"), (.picture, "pict"),
    (.pictureProperties, "picprop"),
    (.field, "field"), (.fieldInstruction, "fldinst"), (.fieldResult, "fldrslt"),
    (.nestedRowProperties, "nesttableprops"),
    (.htmlTag, "htmltag"),
    (.note, "footnote"), (.noteMark, "chftn"), (.formField, "formfield"), (.fieldState, "ffres"),
    (.transparent, "shppict moMath moMathPara"),
    (.attachment, "NeXTGraphic"),
    (
      .skipped,
      """
      aftncn aftnsep aftnsepc annotation atndate atnicn atnid atnauthor atnparent atnref atntime
      atrfend atrfstart background bkmkend bkmkstart blipuid colorschememapping comment
      datafield datastore do docvar expandedcolortbl falt ffdeftext filetbl fontemb
      fontfile footer footerf footerl footerr ftncn ftnsep ftnsepc
      header headerf headerl headerr info keycode latentstyles levelmarker levelnumbers leveltext
      listname listpicture liststylename
      mhtmltag mmathPict mmathPr nonesttables nonshppict objclass objdata object objname oldcprops oldpprops
      oldsprops oldtprops panose pgdsctbl pgptbl pnseclvl pntxta pntxtb private
      protusertbl rdf revtbl rsidtbl rxe shprslt tc tcn template themedata
      txe userprops wgrffmtfilter windowcaption xe xmlnstbl
      maccPr mbarPr mborderBoxPr mboxPr mctrlPr mdPr meqArrPr mfPr mfuncPr mgroupChrPr mlimLowPr
      mlimUppPr mmPr mnaryPr moMathParaPr mphantPr mrPr mradPr msPrePr msSubPr msSubSupPr msSupPr
      abicellprops abiembed abifieldD abifieldfont abilist abitableprops
      """
    ),
  ]
}
