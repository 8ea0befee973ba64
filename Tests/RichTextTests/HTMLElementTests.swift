import Testing

@testable import RichText

@Suite("Elements of HTML")
struct HTMLElementTests {
  @Test("The elements are listed in the order of their names, and each is found")
  func elements() {
    let names = HTMLElement.allCases.dropLast().map { String(describing: $0) }
    #expect(names == names.sorted())
    let listed = String(describing: HTMLElement.names).split { ". \n".contains($0) }
    #expect(listed.map(String.init) == names)
    for element in HTMLElement.allCases.dropLast() {
      let name = String(describing: element)
      for spelling in [name, name.uppercased()] {
        let html = Array("<\(spelling)>".utf8)
        #expect(HTMLElement(named: 1..<html.count - 1, of: html) == element)
      }
      for other in [name + "x", name + ".", "x" + name, String(name.dropLast()) + "-"] {
        let html = Array(other.utf8)
        #expect(HTMLElement(named: 0..<html.count, of: html) == .other, "\(other)")
      }
    }
  }
}
