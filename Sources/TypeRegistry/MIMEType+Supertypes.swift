extension MIMEType {
  /// What a type that nobody declared conforms to, as far as its name tells: by what stands before
  /// the slash, and by the suffix that tells its syntax (RFC 6838, section 4.2.8).
  ///
  /// Never empty; data when the name tells nothing.
  var impliedSupertypes: [TypeIdentifier] {
    var result = familySupertypes
    if let syntax = syntaxSupertype {
      if result == [.data] {
        result = [syntax]
      } else if !result.contains(where: { syntax.conforms(to: $0) }) {
        result.append(syntax)
      } else {
        // Text in XML is XML in the first place.
        result = result.filter { !syntax.conforms(to: $0) } + [syntax]
      }
    }
    return result
  }

  private var familySupertypes: [TypeIdentifier] {
    let slash = essence.utf8.firstIndex(of: UInt8(ascii: "/")) ?? essence.endIndex
    return switch essence[..<slash] {
    case "text": [.text]
    case "image": [.image]
    case "audio": [.audio]
    case "video": [.movie]
    case "font": [.font]
    // These two are no data by themselves, since messages and scenes can be packages of files too.
    case "model": [.threeDContent, .data]
    case "message": [.message, .data]
    case "inode": [essence == "inode/directory" ? .directory : .item]
    default: [.data]
    }
  }

  private var syntaxSupertype: TypeIdentifier? {
    guard let plus = essence.utf8.lastIndex(of: UInt8(ascii: "+")) else { return nil }
    return switch essence[plus...] {
    case "+xml": .xml
    case "+json": .json
    case "+zip": .zipContainer
    default: nil
    }
  }
}
