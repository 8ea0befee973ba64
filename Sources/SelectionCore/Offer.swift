package import Pasteboard
package import TypeRegistry

/// One target that we answer: its wire form and how to get its bytes.
package struct OfferedTarget: Sendable {
  package let name: String
  /// The type of the property that answers.
  package let typeName: String
  /// The unit of the property in bits: 8, 16 or 32.
  package let format: Int
  package let content: ContentSource

  package init(
    name: String, typeName: String? = nil, format: Int = 8, content: ContentSource
  ) {
    self.name = name
    self.typeName = typeName ?? name
    self.format = format
    self.content = content
  }

  /// One whose bytes are there.
  package init(name: String, typeName: String? = nil, format: Int = 8, _ payload: Payload) {
    self.init(name: name, typeName: typeName, format: format, content: ContentSource(payload))
  }
}

/// Everything that we answer for a selection, in the order in which it is listed.
package struct Offer: Sendable {
  package private(set) var targets: [OfferedTarget] = []
  /// How long and to whom it is served.
  package var serving = ServingPolicy()
  private var positions: [ExactName: Int] = [:]
  /// Knows what the targets are for; asked only where something depends on it.
  private let registry: TypeRegistry

  /// What an offer was made of, for whoever hands it on to another process.
  package struct Recipe: Sendable {
    package let item: PasteboardItem
    package let textSpellings: [PublishedTextSpelling]
    /// Whether what it makes stands behind other targets, which have their names for themselves.
    package var isBehind = false
  }

  /// What some of the targets were made of; nil where each was added by itself.
  package private(set) var recipe: Recipe?
  /// Where the targets stand that the recipe makes.
  private var recipePositions = 0..<0
  /// Those of them in whose place another one was put.
  private var replacedPositions: Set<Int> = []

  package init(in registry: TypeRegistry = .builtin) { self.registry = registry }

  /// Whether a target only says something about the content, such as that it is secret.
  package func isMark(_ target: OfferedTarget) -> Bool {
    registry.role(ofTarget: target.name) == .marker
  }

  /// Tells what the targets so far were made of.
  mutating func setRecipe(_ recipe: Recipe) {
    self.recipe = recipe
    recipePositions = 0..<targets.count
  }

  /// The targets that the recipe does not make, in their order.
  package var targetsBesideRecipe: [OfferedTarget] {
    targets.enumerated().filter { index, _ in
      !recipePositions.contains(index) || replacedPositions.contains(index)
    }.map(\.element)
  }

  /// Adds a target; of several of the same name the first one stays.
  package mutating func add(_ target: OfferedTarget) {
    guard positions[ExactName(target.name)] == nil else { return }
    positions[ExactName(target.name)] = targets.count
    targets.append(target)
  }

  /// Adds a target, or puts it in the place of the one of the same name.
  package mutating func set(_ target: OfferedTarget) {
    if let position = positions[ExactName(target.name)] {
      targets[position] = target
      if recipePositions.contains(position) { replacedPositions.insert(position) }
    } else {
      add(target)
    }
  }

  /// Adds what an item offers, behind what is there and without the names that are there.
  ///
  /// For offers whose targets were added one by one so far.
  ///
  /// - Parameter textSpellings: The spellings that plain text gets.
  package mutating func append(
    _ item: PasteboardItem, textSpellings: [PublishedTextSpelling] = PublishedTextSpelling.all,
    in registry: TypeRegistry
  ) {
    let start = targets.count
    let more = Offer(item, textSpellings: textSpellings, in: registry)
    for target in more.targets { add(target) }
    recipe = more.recipe
    recipe?.isBehind = true
    recipePositions = start..<targets.count
  }

  package func contains(_ name: String) -> Bool { positions[ExactName(name)] != nil }

  /// What answers a request for this name: that very target, or one that is the same MIME type in
  /// another spelling (`text/plain; charset="UTF-8"`).
  package func target(named name: String) -> OfferedTarget? {
    if let position = positions[ExactName(name)] { return targets[position] }
    guard name.utf8.contains(UInt8(ascii: "/")), let wanted = MIMEType(name) else { return nil }
    guard let match = targets.first(where: { MIMEType($0.name) == wanted }) else { return nil }
    return OfferedTarget(name: name, format: match.format, content: match.content)
  }
}
