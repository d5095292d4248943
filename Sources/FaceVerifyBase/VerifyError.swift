/// An error: what failed, and why.
///
/// A negative answer (no match, poor quality) is a result, never an error. Two errors are equal if their codes are.
public struct VerifyError: Error, Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  JSONConvertible
{
  /// The kind of error; the command line's JSON has the same names.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// An argument is out of range.
    public static let badArgument = Code(rawValue: "bad-argument")
    /// The file cannot be opened or read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The bytes are not an image (or template, or model) of a supported format.
    public static let unknownFormat = Code(rawValue: "unknown-format")
    /// A supported format, but truncated or malformed.
    public static let damaged = Code(rawValue: "damaged")
    /// Larger than the caller's limits.
    public static let tooLarge = Code(rawValue: "too-large")
    /// No face was found.
    public static let noFace = Code(rawValue: "no-face")
    /// A template was made by another model set or version.
    public static let incompatibleTemplate = Code(rawValue: "incompatible-template")
    /// A model file is not installed.
    public static let modelMissing = Code(rawValue: "model-missing")
    /// A model file is present but does not match the manifest.
    public static let modelMismatch = Code(rawValue: "model-mismatch")
    /// The calibration data do not support the requested false-match rate.
    public static let unsupportedRate = Code(rawValue: "unsupported-rate")
    /// A file could not be written.
    public static let unwritable = Code(rawValue: "unwritable")
    /// The object is in use, or in a state that does not allow the operation.
    public static let wrongState = Code(rawValue: "wrong-state")
    /// Another thread is using the object.
    public static let busy = Code(rawValue: "busy")
    /// The deadline of the call has passed.
    public static let timeout = Code(rawValue: "timeout")
    /// The call was cancelled from another thread, or its task was.
    public static let cancelled = Code(rawValue: "cancelled")
    /// What the call needs does not exist: a reader, a program of the system.
    public static let absent = Code(rawValue: "absent")
    /// A library failed in a way that no input should cause.
    public static let internalFailure = Code(rawValue: "internal")
  }

  public let code: Code
  /// One line: what was wrong, and what to do about it. Names and other untrusted text in it are made printable.
  public let message: String
  /// The source location, for logs and debuggers: "FaceVerify/Keys.swift:175".
  public var origin: String { "\(file):\(line)" }
  private let file: StaticString
  private let line: UInt

  /// What the caller can do about an error; the command names its own option or subcommand for it.
  package enum Remedy: Sendable {
    case giveGalleryKey, makeKey
  }

  package private(set) var remedy: Remedy?

  public init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
    (self.code, self.message, self.file, self.line) = (code, message.printable, file, line)
  }

  /// The same error, of the same origin, with a subject before its message.
  package func about(_ subject: String) -> VerifyError {
    VerifyError(code, "\(subject): \(message)", file: file, line: line).advising(remedy)
  }

  package func advising(_ remedy: Remedy?) -> VerifyError {
    var error = self
    error.remedy = remedy
    return error
  }

  /// Whether the call's ``Budget`` ended it; the input is not at fault.
  package var endsCall: Bool { code == .timeout || code == .cancelled }

  /// Whether the input is at fault: not the call's ``Budget``, nor a model.
  private var isAboutInput: Bool { !endsCall && code != .modelMissing && code != .modelMismatch }

  /// Runs `body` and prefixes the message of an error of the input with a subject.
  package static func naming<Result>(_ subject: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as VerifyError where error.isAboutInput {
      throw subject.map(error.about) ?? error
    }
  }

  public var description: String { message }
  public var debugDescription: String { "\(message) (\(code), \(origin))" }

  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  public var jsonValue: JSONValue { ["error": ["code": .string(code.rawValue), "message": .string(message)]] }
}
