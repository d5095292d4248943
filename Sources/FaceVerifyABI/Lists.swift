internal import CFaceVerify
internal import FaceVerify

/// The names of one of the header's lists, with consecutive numbers.
struct ListedNames<Number: FixedWidthInteger & SignedInteger & Sendable>: Sendable {
  var first: Number = 1
  var step: Number = 1
  let all: [String]

  /// 0 for a name that is not in the list.
  func number(_ name: String) -> Number { all.firstIndex(of: name).map { first + step * Number($0) } ?? 0 }

  func name(_ number: Number) -> String? {
    let (distance, overflows) = number.subtractingReportingOverflow(first)
    guard !overflows, let index = Int(exactly: distance), all.indices.contains(index * Int(step)) else { return nil }
    return all[index * Int(step)]
  }

  func text(_ number: Number) -> Text { constant(name(number) ?? (number == 0 ? "none" : "unknown")) }
}

/// A Swift type whose values have their numbers and names in one of the header's lists.
protocol Numbered: RawRepresentable<String> {
  associatedtype Number: FixedWidthInteger & SignedInteger & Sendable
  static var names: ListedNames<Number> { get }
}

extension Numbered {
  /// 0 for a value without a number.
  var number: Number { Self.names.number(rawValue) }

  init?(number: Number) {
    guard let name = Self.names.name(number) else { return nil }
    self.init(rawValue: name)
  }
}

/// The value of a number passed by the program.
/// - Throws: ``VerifyError/Code/badArgument`` for a number without a value.
func value<Value: Numbered>(_ number: Value.Number, _ name: String) throws -> Value {
  guard let value = Value(number: number) else { throw VerifyError(.badArgument, "the \(name) has no value \(number)") }
  return value
}

/// The members of a set, which has the bit of each.
func members<Member: Numbered>(_ bits: Int64, _ name: String) throws -> [Member] where Member.Number == Int64 {
  let numbers = (0..<63).filter { bits >> $0 & 1 == 1 }
  let found = numbers.compactMap { Member(number: Int64($0)) }
  guard bits > 0, found.count == numbers.count else {
    throw VerifyError(.badArgument, "\(name) is \(bits), which has bits of unknown members")
  }
  return found
}
