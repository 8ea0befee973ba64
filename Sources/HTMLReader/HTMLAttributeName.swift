/// The attributes that the parser or those who read the tree look at.
package enum HTMLAttributeName: UInt8, CaseIterable, Sendable {
  case align, alt, ariaChecked, ariaHidden, ariaLabel, ariaLevel, bgcolor, border, charset, checked,
    `class`, color, colspan
  case content, dataAriaLevel, dataChecked, dataIndent, dataLang, dataLanguage, dir, encoding, face,
    height, hidden, href
  case httpEquiv, id, lang, name, noshade, open, rel, reversed, role, rowspan, size, src, start
  case style, summary, title, type, value, width

  /// The names of the cases in their order, as they are spelled in documents.
  static var spellings: StaticString {
    """
    align alt aria-checked aria-hidden aria-label aria-level bgcolor border charset checked class color colspan \
    content data-aria-level data-checked data-indent data-lang data-language dir encoding face height hidden href \
    http-equiv id lang name noshade open rel reversed role rowspan size src start \
    style summary title type value width
    """
  }
}
