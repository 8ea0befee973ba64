/// The elements that do something to text; all others are `other`.
///
/// The order is that of the names' bytes.
enum HTMLElement: UInt8, CaseIterable {
  case address, applet, area, article, aside, audio
  case base, basefont, bgsound, blockquote, body, br, button
  case canvas, caption, center, col, colgroup
  case datalist, dd, details, dialog, dir, div, dl, dt
  case embed
  case fieldset, figcaption, figure, footer, form, frame, frameset
  case h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html
  case iframe, image, img, input
  case keygen
  case legend, li, link, listing
  case main, marquee, math, menu, meta
  case nav, noembed, noframes, noscript
  case object, ol, optgroup, option
  case p, param, plaintext, pre
  case script, search, section, select, source, style, summary, svg
  case table, tbody, td, template, textarea, tfoot, th, thead, title, tr, track
  case ul
  case video
  case wbr
  case xmp
  case other

  /// The names of the cases before `other`, ten bytes each and one between.
  static var names: StaticString {
    """
    address... applet.... area...... article... aside..... audio..... base...... basefont..
    bgsound... blockquote body...... br........ button.... canvas.... caption... center....
    col....... colgroup.. datalist.. dd........ details... dialog.... dir....... div.......
    dl........ dt........ embed..... fieldset.. figcaption figure.... footer.... form......
    frame..... frameset.. h1........ h2........ h3........ h4........ h5........ h6........
    head...... header.... hgroup.... hr........ html...... iframe.... image..... img.......
    input..... keygen.... legend.... li........ link...... listing... main...... marquee...
    math...... menu...... meta...... nav....... noembed... noframes.. noscript.. object....
    ol........ optgroup.. option.... p......... param..... plaintext. pre....... script....
    search.... section... select.... source.... style..... summary... svg....... table.....
    tbody..... td........ template.. textarea.. tfoot..... th........ thead..... title.....
    tr........ track..... ul........ video..... wbr....... xmp.......
    """
  }

  private static let width = 10

  /// The element of a name in capitals or small letters.
  init(named name: Range<Int>, of html: [UInt8]) {
    self = .other
    guard name.count <= HTMLElement.width else { return }
    let found: UInt8? = HTMLElement.names.withUTF8Buffer { names in
      var low = 0
      var high = Int(HTMLElement.other.rawValue)
      while low < high {
        let middle = (low + high) / 2
        let listed = middle * (HTMLElement.width + 1)
        var index = 0
        while index < name.count,
          html[name.lowerBound + index].lowercasedASCII == (unsafe names[listed + index])
        {
          index += 1
        }
        // A full stop fills up the names; it is less than any letter or digit.
        let byte =
          index < name.count
          ? html[name.lowerBound + index].lowercasedASCII : UInt8(ascii: ".")
        if index == name.count,
          index == HTMLElement.width || (unsafe names[listed + index]) == byte
        {
          return UInt8(middle)
        } else if unsafe byte < names[listed + index] {
          high = middle
        } else {
          low = middle + 1
        }
      }
      return nil
    }
    // A name that itself ends with a full stop is not in the list.
    guard let found, html[name.upperBound - 1] != UInt8(ascii: "."),
      let element = HTMLElement(rawValue: found)
    else { return }
    self = element
  }

  /// The element whose end tag ends this one as well, and which stands for both among the open ones.
  var canonical: HTMLElement {
    switch self {
    case .h2, .h3, .h4, .h5, .h6: .h1
    case .th: .td
    case .tfoot, .thead: .tbody
    default: self
    }
  }

  /// How many line ends separate the element from what is around it: 2 make a blank line.
  ///
  /// (WHATWG HTML, 15.3: `display: block` gives one, a block margin of 1 em or about that two.)
  var breaks: Int {
    switch self {
    case .blockquote, .dl, .figure, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .listing, .p, .plaintext,
      .pre, .xmp:
      2
    case .dir, .menu, .ol, .ul:
      // Except within another list.
      2
    case .address, .article, .aside, .caption, .center, .dd, .details, .dialog, .div, .dt,
      .fieldset, .figcaption, .footer, .form, .header, .hgroup, .legend, .li, .main, .marquee, .nav,
      .optgroup, .option, .search, .section, .summary, .table, .tr:
      1
    default:
      0
    }
  }

  /// Whether the element's start ends an open paragraph.
  var endsParagraph: Bool {
    switch self {
    case .address, .article, .aside, .blockquote, .center, .dd, .details, .dialog, .dir, .div, .dl,
      .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header,
      .hgroup, .hr, .li, .listing, .main, .menu, .nav, .ol, .p, .plaintext, .pre, .search, .section,
      .summary, .table, .ul, .xmp:
      true
    default:
      false
    }
  }

  /// Whether end tags of elements outside are not looked for beyond this one.
  ///
  /// (WHATWG HTML, 13.2.4.2: has a particular element in scope.)
  var isScope: Bool {
    switch self {
    case .applet, .caption, .marquee, .object, .table, .td, .template, .th: true
    default: false
    }
  }

  /// Whether the element ends only with an end tag or as its parent ends, and holds others together.
  ///
  /// (The part of the standard's "special" elements that have content; 13.2.4.2.)
  var isSpecial: Bool {
    switch self {
    case .applet, .button, .marquee, .object, .select, .tbody, .td, .template, .tfoot, .th, .thead:
      true
    case .option, .optgroup:
      false
    default:
      breaks > 0
    }
  }

  /// Whether the element has no content and no end tag, or its content is of no concern.
  var isEmpty: Bool {
    switch self {
    case .area, .base, .basefont, .bgsound, .col, .colgroup, .embed, .frame, .frameset, .head,
      .input, .keygen, .link, .param, .source, .track, .wbr:
      true
    default:
      false
    }
  }

  /// Whether the content is shown only where the element itself cannot be.
  var isFallback: Bool {
    switch self {
    case .audio, .canvas, .datalist, .template, .video: true
    default: false
    }
  }

  /// A list with items.
  var isList: Bool {
    switch self {
    case .dir, .menu, .ol, .ul: true
    default: false
    }
  }

  /// Whether white space right within the element is between its parts and no text.
  var isStructure: Bool {
    switch self {
    case .dir, .dl, .menu, .ol, .table, .tbody, .tfoot, .thead, .tr, .ul: true
    default: false
    }
  }
}
