/// The candidate that was probably meant, if one is close: at most two letters off, and less than
/// half of the word.
func suggestion(for word: String, among candidates: [String]) -> String? {
  let best = candidates.map { (distance: editDistance(word, $0), word: $0) }
    .min { $0.distance < $1.distance }
  guard let best, best.distance <= 2, best.distance * 2 < max(word.count, 2) else {
    // A beginning that only one candidate has will do as well.
    let begun = candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
    return begun.count == 1 ? begun[0] : nil
  }
  return best.word
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
private func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left), Array(right))
  var rows = [Array(0...right.count)]
  for i in 0..<left.count {
    var row = [i + 1]
    for j in 0..<right.count {
      var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, rows[i - 1][j - 1] + 1)
      }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}
