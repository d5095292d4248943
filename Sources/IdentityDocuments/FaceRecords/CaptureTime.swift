/// When a picture was taken, as far as a face record tells.
enum CaptureTime {
  /// ISO 8601 up to the first part that is not known. The parts are month, day, hour, minute, second, millisecond.
  static func text(year: Int, parts: [Int?]) -> String {
    var text = padded(year, 4)
    for (part, before) in zip(parts, ["-", "-", "T", ":", ":", "."]) {
      guard let part else { break }
      text += before + padded(part, before == "." ? 3 : 2)
    }
    return text
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
