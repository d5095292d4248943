/// A date of a machine-readable zone: two digits per part, some of which may be unknown (ICAO 9303-3, 4.8).
public struct MRZDate: Sendable, Hashable {
  /// The six characters, YYMMDD.
  public let printed: String
  /// The date with its century; nil if the characters are not a date, or all fillers.
  public let date: PartialDate?
  /// Only fillers: the date is unknown, or there is none.
  public let isAbsent: Bool
  /// A date, or absent.
  public var isValid: Bool { date != nil || isAbsent }

  init(_ characters: [UInt8], choosing year: (_ candidates: [PartialDate]) -> PartialDate?, around century: Int) {
    printed = String(decoding: characters, as: UTF8.self)
    isAbsent = characters.allSatisfy { $0 == UInt8(ascii: "<") }
    guard !isAbsent, characters.count == 6 else {
      date = nil
      return
    }
    let parts = [0, 2, 4].map { Part(characters[$0], characters[$0 + 1]) }
    // 00 denotes an unknown month or day in documents that avoid fillers.
    guard case .some(let month) = parts[1].value(zeroIsUnknown: true),
      case .some(let day) = parts[2].value(zeroIsUnknown: true),
      case .some(let yearDigits) = parts[0].value(zeroIsUnknown: false)
    else {
      date = nil
      return
    }
    guard let yearDigits else {
      date = PartialDate(year: nil, month: month, day: day)
      return
    }
    date = year([100, 0, -100].compactMap { PartialDate(year: century + $0 + yearDigits, month: month, day: day) })
  }

  /// A date of birth: the latest that is not after `limit`, so that no birth is in the future or after the expiry of
  /// the document itself. The standard leaves the century to the reader; a holder older than 99 years cannot be
  /// distinguished from a child.
  static func birth(_ characters: [UInt8], notAfter limit: CalendarDate) -> MRZDate {
    MRZDate(
      characters, choosing: { $0.first { date in date.earliest.map { $0 <= limit } ?? true } },
      around: limit.year / 100 * 100)
  }

  /// A date of expiry, in the hundred years that end 50 years after `reference`. Most documents are valid for ten
  /// years, a few cards for some decades; the rest of the hundred is for expired ones.
  static func expiry(_ characters: [UInt8], around reference: CalendarDate) -> MRZDate {
    MRZDate(
      characters, choosing: { $0.first { ($0.year ?? 0) <= reference.year + 50 } }, around: reference.year / 100 * 100)
  }

  /// Two characters of a date.
  private struct Part {
    let digits: Int?
    let isFiller: Bool

    init(_ first: UInt8, _ second: UInt8) {
      isFiller = first == UInt8(ascii: "<") && second == first
      digits = 48...57 ~= first && 48...57 ~= second ? Int(first - 48) * 10 + Int(second - 48) : nil
    }

    /// The number, `.some(nil)` if it is unknown, nil if the characters are neither.
    func value(zeroIsUnknown: Bool) -> Int?? {
      if isFiller { return .some(nil) }
      guard let digits else { return nil }
      return zeroIsUnknown && digits == 0 ? .some(nil) : digits
    }
  }
}
