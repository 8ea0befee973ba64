import RichText
import Testing

@Suite("HTML tags, comments and raw text")
struct HTMLTokenTests {
  @Test(
    "Tags are found by the standard's rules",
    arguments: [
      ("a<b>b</b>c", "abc"), ("a<B\n>b</B\t>c", "abc"), ("a<b title='>'>b", "ab"),
      ("a<b title=\">\">b", "ab"), ("a<b title=>b", "ab"), ("a<b title=x>b", "ab"),
      ("a<b title= '>' x>b", "ab"), ("a<b =x>b", "ab"), ("a<b ''>b", "ab"), ("a<b x='a'y>b", "ab"),
      ("a<b/x/>b", "ab"), ("a < b", "a < b"), ("a <1> b", "a <1> b"), ("a<", "a<"), ("a</", "a</"),
      ("<<b>a", "<a"), ("a</>b", "ab"), ("a</ b>c", "ac"), ("a</1>b", "ab"), ("a<b", "a"),
      ("a<b title='b>c", "a"), ("a<b title=b", "a"), ("a</b", "a"), ("a<p.>b", "ab"),
      ("a<pp>b", "ab"), ("a<é>b", "a<é>b"), ("<p hidden='x' hidden>a", ""),
      ("<p style='x' style='display:none'>a", "a"), ("a<table.>b", "ab"),
    ])
  func tags(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Comments are found by the standard's rules",
    arguments: [
      ("a<!-- b -->c", "ac"), ("a<!-->b", "ab"), ("a<!--->b", "ab"), ("a<!---->b", "ab"),
      ("a<!----->b", "ab"), ("a<!-- > -->b", "ab"), ("a<!-- --!>b", "ab"), ("a<!-- -- >b", "a"),
      ("a<!-- --", "a"), ("a<!--", "a"), ("a<!-- <!-- -->b", "ab"), ("a<!doctype html>b", "ab"),
      ("a<!DOCTYPE html PUBLIC \"-//\" 'x'>b", "ab"), ("a<!>b", "ab"), ("a<!-b>c", "ac"),
      ("a<?xml version='1.0'?>b", "ab"), ("a<![if !x]>b<![endif]>c", "abc"), ("a<!", "a"),
      ("a<?", "a"), ("a<!doctype", "a"),
    ])
  func comments(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "CDATA is text in SVG and MathML and a comment elsewhere",
    arguments: [
      ("a<![CDATA[b>c]]>d", "ac]]>d"),
      ("<svg><text><![CDATA[a<b>&amp;]]></text></svg>c", "a<b>&amp;c"),
      ("<math><![CDATA[a]]]>b", "a]b"), ("<svg></svg><![CDATA[a]]>b", "b"),
      ("<svg/><![CDATA[a]]>b", "b"), ("<svg><![CDATA[a", "a"), ("<svg><![cdata[a]]>b", "b"),
    ])
  func characterData(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test(
    "Only its own end tag ends raw text",
    arguments: [
      ("<style><p></styl></style >a", "a"), ("<STYLE>a</Style/>b", "b"),
      ("<style>a</styles></style\n>b", "b"), ("<style>a</style", ""),
      ("<style>a</style b='>'>c", "c"),
      ("<title><b></title>a", "a"), ("<textarea><b>&amp;</textare></textarea>a", "<b>&</textare>a"),
      ("<script>'<p>'</script>a", "a"), ("<script><!--</script>a", "a"),
      ("<script><!--<script></script>a</script>b", "b"),
      ("<script><!--<script>--></script>b", "b"), ("<script><!--><script></script>b", "b"),
      ("<script><!--<scripts></script>b", "b"), ("<script><!--<script>a", ""),
      ("<style><!-- </style>a -->", "a -->"), ("<xmp></xm></xmp>a", "</xm>\n\na"),
    ])
  func rawText(html: String, expected: String) {
    #expect(text(of: html) == expected)
  }

  @Test("A byte order mark is no text, and a NUL ends it")
  func marksAndNULs() {
    #expect(text(of: "\u{FEFF}a\0b\0\0") == "a")
    #expect(text(of: "<textarea>a\0b</textarea>\0") == "a")
    #expect(text(of: "\u{FEFF}") == "")
    #expect(text(of: "\0\0") == "")
    #expect(text(of: "") == "")
  }

  @Test("Bytes that are not UTF-8 are windows-1252")
  func foreignBytes() {
    let html: [UInt8] = [0x3C, 0x70, 0x3E, 0xFF, 0x20, 0x20, 0xC3, 0x3C, 0x2F, 0x70, 0x3E]
    #expect(HTMLPlainText.text(of: html) == Array("ÿ Ã".utf8))
  }
}
