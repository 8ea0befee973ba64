import Testing
import TypeRegistry

@Suite("MIME types")
struct MIMETypeTests {
  @Test(
    "Spellings that mean the same are equal",
    arguments: [
      ("text/plain;charset=utf-8", "TEXT/Plain; Charset=\"UTF-8\""),
      ("text/plain;charset=utf-8", " text/plain ;\tcharset = utf-8 "),
      ("text/plain;a=1;b=2", "text/plain;b=2;A=1"), ("text/plain", "text/plain;"),
      ("text/plain", "text/plain;;novalue;=x"), ("a/b;n=x", "a/b;n=\"x\""),
      ("a/b;n=x", "a/b;n=x;n=y"), ("a/b;n=\"q\\\"\\\\\"", "a/b;n=\"q\\\"\\\\"),
      ("a/b;n=\"two words\"", "a/b;n=two words"),
    ])
  func equalSpellings(pair: (String, String)) throws {
    let left = try #require(MIMEType(pair.0))
    let right = try #require(MIMEType(pair.1))
    #expect(left == right && left.hashValue == right.hashValue)
  }

  @Test(
    "Values other than charsets keep their case, and parameters tell types apart",
    arguments: [
      ("a/b;n=x", "a/b;n=X"), ("a/b", "a/b;n=x"), ("a/b;n=x", "a/b;m=x"), ("a/b", "a/c"),
      ("text/plain;charset=utf-8", "text/plain;charset=utf-16"),
    ])
  func differentTypes(pair: (String, String)) throws {
    #expect(try #require(MIMEType(pair.0)) != #require(MIMEType(pair.1)))
  }

  @Test(
    "What has no type and subtype is none",
    arguments: [
      "", "text", "text/", "/plain", "text/plain x", "text//plain", "text plain/x", "STRING",
      "text/plain,charset=utf-8", "té/xt", "text/\u{0}", ";", "x-kde-passwordManagerHint",
    ])
  func malformedStringIsRefused(string: String) {
    #expect(MIMEType(string) == nil)
  }

  @Test("The parts of a name with parameters can be asked for")
  func partsAreAvailable() throws {
    let type = try #require(
      MIMEType("Application/X-Foo;Windows_FormatName=\"Star Object, (XML);\"; charset=UTF-16"))
    #expect(type.essence == "application/x-foo")
    #expect(type.charset == "utf-16")
    #expect(type.parameters.map(\.name) == ["windows_formatname", "charset"])
    #expect(type.parameters.first?.value == "Star Object, (XML);")
    #expect(
      type.description
        == "application/x-foo;windows_formatname=\"Star Object, (XML);\";charset=utf-16")
    #expect(MIMEType("text/plain")?.charset == nil)
  }

  @Test(
    "The canonical spelling can be read again",
    arguments: [
      "text/plain", "text/plain;charset=utf-8", "a/b;n=\"\"", "a/b;n=\"\\\"\\\\;\"",
      "a/b;n=\"naïve 日本\"", "application/web;type=\"custom/format0\"",
    ])
  func canonicalSpellingRoundTrips(string: String) throws {
    let type = try #require(MIMEType(string))
    #expect(type.description == string)
    #expect(MIMEType(type.description) == type)
  }

  @Test("A name with thousands of parameters is read in no time to speak of, and cut")
  func parametersAreBounded() throws {
    let many = (0..<20_000).map { ";p\($0)=x" }.joined()
    let type = try #require(MIMEType("a/b" + many))
    #expect(type.parameters.count == 32)
    #expect(
      try #require(MIMEType("a/b" + String(repeating: ";", count: 60_000))).parameters.isEmpty)
  }

  @Test(
    "A charset decides between the plain text types, and no foreign one makes UTF-8",
    arguments: [
      ("text/plain", "public.plain-text"), ("text/plain;charset=utf-8", "public.utf8-plain-text"),
      ("text/plain;charset=UTF-8", "public.utf8-plain-text"),
      ("TEXT/PLAIN; CHARSET=\"utf-8\"", "public.utf8-plain-text"),
      ("text/plain;charset=utf8", "public.utf8-plain-text"),
      ("text/plain;format=flowed;charset=utf-8", "public.utf8-plain-text"),
      ("text/plain;charset=utf-16", "public.utf16-plain-text"),
      ("text/plain;charset=iso-8859-1", "public.plain-text"),
      ("text/plain;charset=ANSI_X3.4-1968", "public.plain-text"),
      ("text/plain;charset=us-ascii", "public.plain-text"),
      ("text/plain;charset=", "public.plain-text"),
      ("text/plain;format=flowed", "public.plain-text"),
      ("text/html;charset=utf-8", "public.html"),
      ("text/html; charset=windows-1252", "public.html"),
      ("text/markdown;variant=GFM", "net.daringfireball.markdown"),
      ("text/x-markdown", "net.daringfireball.markdown"), ("IMAGE/PNG", "public.png"),
      ("image/jpg", "public.jpeg"), ("image/webp", "org.webmproject.webp"),
      ("application/rtf", "public.rtf"), ("text/richtext", "public.rtf"),
      ("audio/aiff", "public.aiff-audio"), ("application/octet-stream", "public.data"),
      (
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "org.openxmlformats.spreadsheetml.sheet.macroenabled"
      ),
    ])
  func mimeTypeMeansItsType(pair: (String, String)) {
    let type = TypeRegistry.builtin.type(for: pair.0, in: .mimeType)
    #expect(type?.description == pair.1)
  }

  @Test(
    "Parameters of a private name find its type in any spelling",
    arguments: [
      ("application/x-openoffice-link;windows_formatname=\"Link\"", "org.libreoffice.link"),
      ("application/x-openoffice-link; windows_formatname=Link", "org.libreoffice.link"),
      ("application/x-openoffice-link", "org.libreoffice.link"),
      (
        "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source (XML)\"",
        "org.libreoffice.embed-source"
      ),
      (
        "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"Object\";width=\"1\"",
        "org.libreoffice.object-descriptor"
      ),
      ("application/web;type=\"custom/formatmap\"", "org.w3.web-custom-format-map"),
      ("application/web;type=\"custom/format3\"", "org.w3.web-custom-format"),
    ])
  func privateNameMeansItsType(pair: (String, String)) {
    #expect(TypeRegistry.builtin.type(forTarget: pair.0).description == pair.1)
  }
}
