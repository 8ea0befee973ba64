/// The conversions that wait for their answers, each by the property that its answer comes in.
///
/// A list, though it is asked by property: there are a few at a time, and the type of a dictionary,
/// which the runtime makes when the first one is filled, costs a tenth of a paste.
struct ConversionsUnderWay {
  struct Entry {
    let property: AtomID
    let conversion: X11Conversion
  }

  private(set) var entries: [Entry] = []

  subscript(property: AtomID) -> X11Conversion? {
    get {
      for entry in entries where entry.property == property { return entry.conversion }
      return nil
    }
    set {
      entries.removeAll { $0.property == property }
      if let newValue { entries.append(Entry(property: property, conversion: newValue)) }
    }
  }
}
