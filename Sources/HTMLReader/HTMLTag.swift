/// The elements whose names mean something to the parser or to those who read the tree.
///
/// All other names are `unknown` here and have their spelling in the document's table of names.
package enum HTMLTag: UInt8, CaseIterable, Sendable {
  case a, abbr, acronym, address, annotationXML, applet, area, article, aside, audio
  case b, base, basefont, bdi, bdo, bgsound, big, blink, blockquote, body, br, button
  case canvas, caption, center, cite, code, col, colgroup
  case data, datalist, dd, del, desc, details, dfn, dialog, dir, div, dl, dt
  case em, embed, fieldset, figcaption, figure, font, footer, foreignObject, form, frame, frameset
  case h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html
  case i, iframe, image, img, input, ins, kbd, keygen, label, legend, li, link, listing
  case main, malignmark, map, mark, marquee, math, menu, meta, meter, mglyph, mi, mn, mo, ms, mtext
  case nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option, output
  case p, param, path, picture, plaintext, pre, progress, q, rb, rp, rt, rtc, ruby
  case s, samp, script, search, section, select, small, source, span, strike, strong, style, sub
  case summary, sup, svg, table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr
  case track, tt, u, ul, `var`, video, wbr, xmp
  case officeParagraph, emoji
  case unknown

  /// The names of the cases in their order, as they are spelled in documents.
  static var spellings: StaticString {
    """
    a abbr acronym address annotation-xml applet area article aside audio \
    b base basefont bdi bdo bgsound big blink blockquote body br button \
    canvas caption center cite code col colgroup \
    data datalist dd del desc details dfn dialog dir div dl dt \
    em embed fieldset figcaption figure font footer foreignobject form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hgroup hr html \
    i iframe image img input ins kbd keygen label legend li link listing \
    main malignmark map mark marquee math menu meta meter mglyph mi mn mo ms mtext \
    nav nobr noembed noframes noscript object ol optgroup option output \
    p param path picture plaintext pre progress q rb rp rt rtc ruby \
    s samp script search section select small source span strike strong style sub \
    summary sup svg table tbody td template textarea tfoot th thead time title tr \
    track tt u ul var video wbr xmp \
    o:p g-emoji
    """
  }
}

// The sets of elements that the rules for tree construction name (WHATWG HTML, 13.2.4).
extension HTMLTag {
  /// Elements of HTML that an end tag of another one does not close.
  var isSpecial: Bool {
    switch self {
    case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body,
      .br, .button, .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed,
      .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5,
      .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen, .li, .link,
      .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript, .object, .ol,
      .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source, .style, .summary,
      .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track, .ul,
      .wbr, .xmp:
      true
    default: false
    }
  }

  /// Elements of HTML that an element in scope does not lie beyond.
  var boundsScope: Bool {
    switch self {
    case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .template: true
    default: false
    }
  }

  var isHeading: Bool { (HTMLTag.h1.rawValue...HTMLTag.h6.rawValue).contains(rawValue) }

  /// Elements that others end without a tag.
  var endIsImplied: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  /// The same, for the end of a template.
  var endIsImpliedThoroughly: Bool {
    switch self {
    case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: endIsImplied
    }
  }

  /// Start tags that foreign content does not have: they end it.
  var endsForeignContent: Bool {
    switch self {
    case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1,
      .h2, .h3, .h4, .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p,
      .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup, .table, .tt, .u, .ul, .var:
      true
    default: false
    }
  }

  var isRowOrGroup: Bool {
    switch self {
    case .table, .tbody, .tfoot, .thead, .tr: true
    default: false
    }
  }
}
