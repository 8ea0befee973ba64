import TestSupport
import Testing

/// The signature of PNG, which holds CR LF itself, and more line ends up to the last byte.
private let picture: [UInt8] =
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
  + [0, 0, 1, 0x40, 0, 0, 0, 0xF0, 8, 6, 0, 0, 0, 0x0D, 0x0A, 0x0A, 1, 0x0D, 0x0A]

extension OnDisplay {
  @Suite("Content that is not touched")
  struct UntouchedBytesTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
      "Pasting a picture with what shapes lines leaves its bytes alone",
      arguments: ["-n", "--lf", "--flat", "--flat=join"])
    func pictureIsPasted(option: String) throws {
      let owner = try desk.owner(RawTarget("image/png", picture))
      #expect(difference(try desk.paste(option), picture) == nil)
      #expect(difference(try desk.paste(option, "-t", "png"), picture) == nil)
      #expect(difference(try desk.paste(option, "--as", "png"), picture) == nil)
      #expect(difference(try desk.paste(option, "--accept", "image"), picture) == nil)
      withExtendedLifetime(owner) {}
    }

    @Test("What shapes lines applies to text taken as it is", arguments: ["text/html", "html"])
    func markupIsShaped(type: String) throws {
      let owner = try desk.owner(RawTarget("text/html", "<b>\r\n</b>\n"))
      #expect(text(try desk.paste("-n", "-t", type)) == "<b>\r\n</b>")
      #expect(text(try desk.paste("--lf", "-t", type)) == "<b>\n</b>\n")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "Copying a picture with what shapes lines leaves its bytes alone",
      arguments: [["-n"], ["-n", "-t", "png"], ["--flat"], ["--flat", "-t", "image/png"]])
    func pictureIsCopied(arguments: [String]) throws {
      let result = try run(
        Programs.clipview, ["copy"] + arguments, input: picture,
        environment: desk.server.environment())
      #expect(result.isSilentSuccess, "\(result)")
      let value = try #require(try desk.peer.ask("image/png").value)
      #expect(difference(value.bytes, picture) == nil)
    }

    @Test("Content of zero bytes is nothing on a terminal either")
    func nothingOnTerminal() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", ""))
      let result = try desk.clipview("paste", outputs: .terminal)
      #expect(result.isSilentSuccess, "\(result)")
      withExtendedLifetime(owner) {}
    }

    @Test("plain of text that is not valid changes nothing")
    func invalidTextStays() throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", [0x61, 0xFF, 0xFE, 0x62]))
      for command in ["plain", "flat"] {
        let result = try desk.clipview(command)
        #expect(result.isSilentFailure(6), "\(command): \(result)")
      }
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }
  }

  @Suite("Types that are asked for to the letter")
  struct LiteralTypeTests {
    let desk: Desk

    init() throws { desk = try Desk() }

    @Test("--accept and --accept-any take STRING where it says something else than UTF8_STRING")
    func acceptedSpelling() throws {
      let owner = try desk.owner(
        RawTarget("UTF8_STRING", "utf"), RawTarget("STRING", "latin"),
        RawTarget("image/png", [1]))
      for option in ["--accept", "--accept-any"] {
        #expect(text(try desk.paste(option, "STRING")) == "latin", "\(option)")
        #expect(text(try desk.paste(option, "UTF8_STRING")) == "utf", "\(option)")
      }
      #expect(text(try desk.paste("--accept", "application/pdf,STRING,png")) == "latin")
      withExtendedLifetime(owner) {}
    }

    @Test(
      "A list of accepted types without a type is a usage error, also without a display",
      arguments: ["--accept", "--accept-any"])
    func emptyList(option: String) throws {
      for list in [",", "", " , "] {
        let result = try run(
          Programs.clipview, ["paste", option, list], environment: Programs.environment())
        #expect(result.isFailure(2), "'\(list)': \(result)")
      }
    }

    @Test(
      "What cannot be meant is a usage error of copy and changes nothing",
      arguments: [
        ["--also", "html=-"], ["-", "--also", "html=-"],
        ["--text", "x", "--also", "html=-", "--also", "rtf=-"], ["-t", ""], ["-t", "TARGETS"],
        ["-t", "MULTIPLE"], ["--also", "TARGETS=/dev/null"], ["--text", "x", "-t", "TIMESTAMP"],
      ])
    func senselessCopy(arguments: [String]) throws {
      let owner = try desk.owner(RawTarget("UTF8_STRING", "before"))
      let result = try run(
        Programs.clipview, ["copy"] + arguments, input: Array("new".utf8),
        environment: desk.server.environment())
      #expect(result.isFailure(2), "\(result)")
      #expect(try desk.peer.owner(of: "CLIPBOARD") == owner.window)
    }
  }
}
