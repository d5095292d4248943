/// A colour of a reference chart in a picture (ISO/IEC 39794-5).
public struct ReferenceColour: Sendable, Hashable {
  public let definition: String?
  public let value: String?
}
