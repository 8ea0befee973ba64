internal import CLibFuzzer

/// Feeds random bytes to what reads foreign bytes: `fuzz SUBJECT [options and corpora of libFuzzer]`.
///
/// Built and run by `make fuzz`.
@main
enum Program {
  /// What can be fuzzed, by the names used on the command line and in `Fuzz/Seeds`.
  private static func callback(
    for subject: String
  ) -> (@convention(c) (UnsafePointer<UInt8>?, Int) -> Int32)? {
    switch subject {
    case "mime-cache":
      { data, size in
        unsafe MIMECacheSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "names":
      { data, size in
        unsafe NamesSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "declarations":
      { data, size in
        unsafe DeclarationsSubject.runRows(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "html":
      { data, size in
        unsafe HTMLSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "markdown":
      { data, size in
        unsafe MarkdownSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "writers":
      { data, size in
        unsafe WritersSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "control":
      { data, size in
        unsafe ControlSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "property-list":
      { data, size in
        unsafe DeclarationsSubject.runPropertyList(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    case "rtf":
      { data, size in
        unsafe RTFSubject.run(UnsafeRawBufferPointer(start: data, count: size))
        return 0
      }
    default: nil
    }
  }

  static func main() {
    guard CommandLine.arguments.count > 1,
      let callback = unsafe callback(for: CommandLine.arguments[1])
    else {
      print(
        "usage: fuzz SUBJECT [OPTION...] [CORPUS...]; the subjects are the folders of Fuzz/Seeds")
      return
    }
    // The program's name and libFuzzer's own arguments, which must outlive it.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv + 1
    unsafe withUnsafeMutablePointer(to: &arguments) { arguments in
      _ = unsafe LLVMFuzzerRunDriver(
        &count,
        UnsafeMutableRawPointer(arguments).assumingMemoryBound(
          to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self), callback)
    }
  }
}
