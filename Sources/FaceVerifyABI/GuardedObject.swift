internal import FaceVerify
internal import Synchronization

/// An object that allows one thread at a time.
class GuardedObject: HandleObject, @unchecked Sendable {
  // Sendable: subclasses use their state only within `use`.
  private let isUsed = Atomic(false)

  /// - Throws: ``VerifyError/Code/busy`` while another thread uses this object.
  func use<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isUsed.exchange(true, ordering: .acquiring) else {
      throw VerifyError(.busy, "another thread uses this \(Self.name)")
    }
    defer { isUsed.store(false, ordering: .releasing) }
    return try body()
  }
}
