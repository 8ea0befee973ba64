import TestSupport
import Testing

private let markdown = """
  # Ein Titel – 日本語

  - one
  - *two*

  | a | b |
  | - | - |
  | 1 | 2, 3 |

  [link](https://example.org/?a=1&b=2) <b onclick="x()">raw</b>

  """

/// Runs `convert` where there is no display at all.
private func convert(
  _ arguments: String..., input: String? = nil, outputs: SpawnOptions.Outputs = .captured
) throws -> ProcessResult {
  try run(
    Programs.clipview, ["convert"] + arguments, input: input.map { Array($0.utf8) },
    outputs: outputs, environment: Programs.environment(), timeout: 20)
}

@Suite("convert")
struct ConvertTests {
  let directory = TemporaryDirectory()

  private func write(_ text: String, to name: String) throws -> String {
    try directory.write(Array(text.utf8), to: name)
  }

  @Test("The types are those of the extensions, or what is said")
  func types() throws {
    let file = try write(markdown, to: "notes.md")
    let html = try convert("-t", "html", file)
    #expect(html.status == 0 && html.errors == "", "\(html)")
    #expect(html.text.hasPrefix("<h1>Ein Titel – 日本語</h1>\n<ul>\n<li>one</li>"))
    #expect(html.text.contains(#"<a href="https://example.org/?a=1&amp;b=2">link</a>"#))
    for arguments in [["-f", "markdown", "-t", "text/html"], ["-f", ".md", "-t", "public.html"]] {
      let result = try run(
        Programs.clipview, ["convert"] + arguments, input: Array(markdown.utf8),
        environment: Programs.environment())
      #expect(result.output == html.output, "\(arguments)")
    }
    let bare = try write(markdown, to: "notes")
    #expect(try convert("-f", "markdown", "-t", "html", bare).output == html.output)
    // What is said beats the name.
    #expect(try convert("-f", "plain", "-t", "html", file).text.hasPrefix("<pre># Ein Titel"))
    let target = directory.path + "/out.html"
    #expect(try convert(file, "-o", target).isSilentSuccess)
    let written = text(try Files.read(target))
    #expect(written.hasPrefix("<!DOCTYPE html>") && written.contains("charset=\"utf-8\""))
  }

  @Test("Without a type and without an extension an input is text, or what it begins as")
  func untyped() throws {
    #expect(try convert("-t", "html", input: "# a < b\n").text == "<pre># a &lt; b\n</pre>\n")
    #expect(try convert("-t", "plain", input: "{\\rtf1 bold}").text.contains("bold"))
    #expect(try convert("-t", "plain", input: "<!doctype html><p>a<p>b").text.contains("a"))
    #expect(try convert("-t", "plain", "-", input: "as it is").text == "as it is")
  }

  @Test("Plain text is what a reader sees, not the source")
  func rendered() throws {
    let text = try convert("-f", "markdown", "-t", "plain", input: markdown).text
    #expect(text.hasPrefix("Ein Titel – 日本語\n"))
    #expect(text.contains("- two") && !text.contains("*two*"))
  }

  @Test("Raw HTML passes, unless it is to be safe")
  func safety() throws {
    let input = "<script>a()</script>\n\n[x](javascript:a()) <b onclick=\"a()\">y</b>"
    let raw = try convert("-f", "markdown", "-t", "html", input: input).text
    #expect(raw.contains("<script>a()</script>") && raw.contains("onclick"))
    let safe = try convert("-f", "markdown", "-t", "html", "--safe", input: input).text
    for word in ["script", "onclick", "a()"] { #expect(!safe.contains(word), "\(safe)") }
    #expect(safe.contains("y"))
  }

  @Test("The first table becomes CSV or TSV; without one it is exit 6")
  func tables() throws {
    #expect(
      try convert("-f", "markdown", "-t", "csv", input: markdown).text == "a,b\n1,\"2, 3\"\n")
    #expect(
      try convert("-f", "markdown", "-t", ".tsv", input: markdown).text == "a\tb\n1\t2, 3\n")
    let none = try convert("-f", "markdown", "-t", "csv", input: "no table")
    #expect(none.isFailure(6) && none.errors.contains("no table"), "\(none)")
  }

  @Test("A file is replaced as a whole, or stays as it was")
  func files() throws {
    let source = try write(markdown, to: "a.md")
    let target = try write("old", to: "a.csv")
    #expect(try convert(source, "-o", target).isSilentSuccess)
    #expect(text(try Files.read(target)) == "a,b\n1,\"2, 3\"\n")
    let none = try write("no table", to: "b.md")
    #expect(try convert(none, "-o", target).isFailure(6))
    #expect(text(try Files.read(target)) == "a,b\n1,\"2, 3\"\n")
    #expect(try convert(source, "-o", directory.path + "/none/a.html").isFailure(6))
    #expect(directory.names == ["a.csv", "a.md", "b.md"])
    // It may be its own source.
    #expect(try convert("-t", "plain", source, "-o", source).isSilentSuccess)
    #expect(text(try Files.read(source)).hasPrefix("Ein Titel"))
  }

  @Test(
    "Usage errors are exit 2",
    arguments: [
      [], ["-t", ""], ["-t", "png"], ["-t", "html", "-f", "png"], ["-t", "html", "a", "b"],
      ["-t", "html", ""], ["-o", "x.unheard-of"], ["-t", "html", "-o", ""],
      ["-t", "html", "--as", "html"], ["-t", "nonsense"],
    ])
  func usageErrors(arguments: [String]) throws {
    let result = try run(
      Programs.clipview, ["convert"] + arguments, input: [], environment: Programs.environment())
    #expect(result.isFailure(2), "\(result)")
  }

  @Test("What cannot be read or is no text is exit 6")
  func unreadable() throws {
    #expect(try convert("-t", "html", directory.path + "/none.md").isFailure(6))
    #expect(try convert("-t", "html", directory.path).isFailure(6))
    let picture = try write("x", to: "a.png")
    #expect(try convert("-t", "html", picture).isFailure(6))
    let rtf = try convert("-f", "rtf", "-t", "plain", input: "no RTF")
    #expect(rtf.isFailure(6), "\(rtf)")
    let latin1 = try run(
      Programs.clipview, ["convert", "-f", "text/markdown;charset=utf-8", "-t", "html"],
      input: [0x61, 0xE9], environment: Programs.environment())
    #expect(latin1.isFailure(6), "\(latin1)")
  }

  @Test("Text in another charset is read where the type names it, or its mark does")
  func charsets() throws {
    let latin1 = try run(
      Programs.clipview, ["convert", "-f", "text/markdown;charset=iso-8859-1", "-t", "html"],
      input: [0x2A, 0xE9, 0x2A], environment: Programs.environment())
    #expect(latin1.text == "<p><em>é</em></p>\n")
    let utf16 = try run(
      Programs.clipview, ["convert", "-f", "markdown", "-t", "html"],
      input: [0xFF, 0xFE, 0x23, 0, 0x20, 0, 0xE9, 0], environment: Programs.environment())
    #expect(utf16.text == "<h1>é</h1>\n")
    // Of HTML what the type names counts more than what is in it.
    let html = try run(
      Programs.clipview, ["convert", "-f", "text/html;charset=iso-8859-1", "-t", "markdown"],
      input: Array("<meta charset=utf-8><p>".utf8) + [0xE9], environment: Programs.environment())
    #expect(html.text == "é\n")
  }

  @Test("A pipe that is closed ends it quietly, and -v says what was done")
  func closing() throws {
    let large = String(repeating: "word ", count: 400_000)
    let file = try write(large, to: "large.md")
    let result = try run(
      "/bin/sh", ["-c", "'\(Programs.clipview)' convert -t html '\(file)' | head -c 10"],
      environment: Programs.environment(), timeout: 30)
    #expect(result.text == "<p>word wo" && result.errors == "", "\(result)")
    let told = try convert("-v", "-t", "csv", try write("|a|\n|-|\n", to: "t.md"))
    #expect(told.text == "a\n" && told.errors.hasPrefix("clipview: converted"), "\(told)")
  }
}
