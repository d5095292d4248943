/// What could not be done, and why.
///
/// A negative answer (no match, poor quality) is a result, never an error. Two errors are equal if their codes are.
public struct VerifyError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Why the work could not be done; the same names are used by the command line's JSON.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// An argument is out of its range.
    public static let badArgument = Code(rawValue: "bad-argument")
    /// The file cannot be opened or read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The bytes are not an image (or template, or model) of a kind that is read here.
    public static let unknownFormat = Code(rawValue: "unknown-format")
    /// The right kind of file, but truncated or broken.
    public static let damaged = Code(rawValue: "damaged")
    /// Larger than the caller's limits.
    public static let tooLarge = Code(rawValue: "too-large")
    /// No face was found.
    public static let noFace = Code(rawValue: "no-face")
    /// A template was made by another model set or version.
    public static let incompatibleTemplate = Code(rawValue: "incompatible-template")
    /// A model file is not installed.
    public static let modelMissing = Code(rawValue: "model-missing")
    /// A model file is there but is not the one that the manifest names.
    public static let modelMismatch = Code(rawValue: "model-mismatch")
    /// The calibration data do not support the false-match rate that was asked for.
    public static let unsupportedRate = Code(rawValue: "unsupported-rate")
    /// A file could not be written.
    public static let unwritable = Code(rawValue: "unwritable")
    /// The object is in use, or in a state that does not allow this.
    public static let wrongState = Code(rawValue: "wrong-state")
    /// Another thread is using the object.
    public static let busy = Code(rawValue: "busy")
    /// The time that the call was given is over.
    public static let timeout = Code(rawValue: "timeout")
    /// The call was cancelled from another thread, or its task was.
    public static let cancelled = Code(rawValue: "cancelled")
    /// A library failed in a way that no input should cause.
    public static let internalFailure = Code(rawValue: "internal")
  }

  public let code: Code
  /// One line: what was wrong, and what to do about it. Names and other text from outside in it are printable, whatever
  /// they hold.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.printable
  }

  /// Runs `body` and puts what its error is about before the message; the end of a call is about nothing.
  package static func naming<Result>(_ subject: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as VerifyError where !error.endsCall {
      throw VerifyError(error.code, (subject.map { "\($0): " } ?? "") + error.message)
    }
  }

  public var description: String { message }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
