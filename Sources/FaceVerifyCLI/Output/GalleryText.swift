import FaceVerifyStore

enum GalleryText {
  static func information(_ information: Gallery.Information, on console: Console) -> String {
    let counts =
      "\(Text.count(information.templates)) templates, \(Text.count(information.failures)) photos without one"
    return "\(information.path.printable): \(counts), models \(information.models.set.rawValue.printable)"
      + (information.isEncrypted ? ", encrypted\n" : ", not encrypted\n")
  }

  static func search(_ search: GallerySearch, on console: Console) -> String {
    let matches = search.candidates.count(where: \.isMatch)
    let (title, style): (String, Style) =
      search.note != nil
      ? ("undecided", .caution)
      : matches == 0 ? ("no match", .bad) : (Text.counted(matches, "match", "matches"), .good)
    return console.styled(title, style) + "\n" + basis(search, on: console) + table(search.candidates, on: console)
  }

  /// Returns the matching pairs, or the ten closest without a threshold.
  static func pairs(_ search: GallerySearch, on console: Console) -> String {
    let pairs = search.note == nil ? search.candidates.filter(\.isMatch) : Array(search.candidates.prefix(10))
    var title = "\(Text.counted(pairs.count, "pair")) of entries that match"
    if search.note != nil { title = "undecided; the closest pairs:" }
    if search.note == nil, !pairs.isEmpty, pairs.count == search.candidates.count, pairs.count < search.comparisons {
      title += ", and possibly more: see --count"
    }
    return console.styled(title, pairs.isEmpty ? .good : .caution) + "\n" + basis(search, on: console)
      + table(pairs, on: console)
  }

  private static func basis(_ search: GallerySearch, on console: Console) -> String {
    if let note = search.note { return "  \(note)\n" }
    guard let threshold = search.threshold, search.comparisons > 0 else { return "  the gallery is empty\n" }
    return
      "  \(Text.count(search.comparisons)) comparisons; an FPIR of \(search.rate) is an FMR of \(search.comparisonRate) for "
      + "each: a match up to a score of \(Text.number(threshold.score, 2))\n"
  }

  private static func table(_ candidates: [GallerySearch.Candidate], on console: Console) -> String {
    guard !candidates.isEmpty else { return "" }
    var table = Table()
    table.head(["score", "similarity", "", "entry"])
    for candidate in candidates {
      table.add(
        .init(Text.number(candidate.score, 2), right: true), .init(Text.number(candidate.similarity, 0), right: true),
        .init(candidate.isMatch ? "match" : "", .good),
        .init(candidate.path + (candidate.other.map { " and \($0)" } ?? "")))
    }
    return table.text(indent: 2, on: console)
  }
}
