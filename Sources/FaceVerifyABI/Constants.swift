/// Texts that live as long as the process.
final class Constants: HandleObject, @unchecked Sendable {
  // Sendable: nothing is added to its superclass.
  static let shared = Constants()
}
