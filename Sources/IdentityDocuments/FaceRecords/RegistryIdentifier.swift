/// An entry in the register of biometric organisations (ISO/IEC 19785-2).
public struct RegistryIdentifier: Sendable, Hashable {
  public let organization: Int
  public let identifier: Int
}
