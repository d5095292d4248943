public import CFaceVerify
internal import FaceVerifyJourney

// The types of parameters. All pointers are optional: a program may pass NULL anywhere.
public typealias Handle = OpaquePointer?
public typealias NewHandle = UnsafeMutablePointer<OpaquePointer?>?
public typealias In<Struct> = UnsafePointer<Struct>?
public typealias Out<Struct> = UnsafeMutablePointer<Struct>?
public typealias Text = UnsafePointer<CChar>?
public typealias Message = UnsafeMutablePointer<CChar>?
public typealias Bytes = UnsafeRawPointer?
public typealias Buffer = UnsafeMutableRawPointer?
public typealias Count = UnsafeMutablePointer<Int>?

// MARK: Calls

/// Runs `body`, and converts errors into a status and a message.
func attempt(_ message: Message, _ messageBytes: Int, _ body: () throws -> Void) -> fv_status {
  let message = UnsafeMutableBufferPointer(start: message, count: message == nil ? 0 : max(0, messageBytes))
  write("", to: message)
  do {
    try body()
    return fv_status(FV_OK)
  } catch {
    let error =
      switch error {
      case let error as VerifyError: error
      case let error as LogicalError: VerifyError(.wrongState, "\(error.rawValue): \(error.text)")
      default: VerifyError(.internalFailure, "\(error)")
      }
    write(error.message, to: message)
    return error.code.number == 0 ? fv_status(FV_E_INTERNAL) : error.code.number
  }
}

/// As above, without a message.
func attempt(_ body: () throws -> Void) -> fv_status { attempt(nil, 0, body) }

/// As above, for functions that create an object, whose handle is NULL after a failure.
func create(
  _ out: NewHandle, _ message: Message = nil, _ messageBytes: Int = 0, _ make: () throws -> HandleObject
) -> fv_status {
  attempt(message, messageBytes) {
    let out = try place(out)
    out.pointee = nil
    out.pointee = Handles.add(try make())
  }
}

extension VerifyError.Code {
  static let version = VerifyError.Code(rawValue: "version")
  static let bufferTooSmall = VerifyError.Code(rawValue: "buffer-too-small")
  static let noTemplate = VerifyError.Code(rawValue: "no-template")

  /// Errors that another picture or a later attempt may avoid.
  fileprivate static let retryable: Set<VerifyError.Code> = [
    .unreadable, .unknownFormat, .damaged, .tooLarge, .noFace, .noTemplate, .busy, .timeout,
  ]
}

@c @implementation public func fv_status_is_retryable(_ status: fv_status) -> fv_bool {
  fv_bool(VerifyError.Code(number: status).map(VerifyError.Code.retryable.contains) ?? false)
}

@c @implementation public func fv_version_number() -> UInt32 {
  UInt32(FV_VERSION_MAJOR * 10000 + FV_VERSION_MINOR * 100 + FV_VERSION_PATCH)
}

@c @implementation public func fv_version_string() -> Text { constant(FaceVerifyVersion.string) }

// MARK: Results

/// The program's pointer for a result.
/// - Throws: ``VerifyError/Code/badArgument`` if it is NULL.
func place<Result>(_ out: Out<Result>) throws -> UnsafeMutablePointer<Result> {
  guard let out else { throw VerifyError(.badArgument, "out is NULL: pass a pointer to the result") }
  return out
}

/// Writes as much of a text as fits, in whole characters, and a terminating 0 byte.
private func write(_ text: String, to buffer: UnsafeMutableBufferPointer<CChar>) {
  guard !buffer.isEmpty else { return }
  var text = text
  text.withUTF8 { bytes in
    var count = min(bytes.count, buffer.count - 1)
    while count > 0 && count < bytes.count && bytes[count] & 0xC0 == 0x80 { count -= 1 }
    for i in 0..<count { buffer[i] = CChar(truncatingIfNeeded: bytes[i]) }
    buffer[count] = 0
  }
}

/// Fills a buffer of the program, or reports the required size.
///
/// - Parameter make: returns the contents, `perItem` elements for each counted item; called only if they fit.
/// - Throws: ``VerifyError/Code/bufferTooSmall`` if they do not fit.
func fill<Element>(
  _ buffer: Out<Element>, _ capacity: Int, _ count: Count, items: Int, perItem: Int = 1,
  with make: () throws -> [Element]
) throws {
  guard let count else { throw VerifyError(.badArgument, "the pointer to the count is NULL") }
  count.pointee = items
  guard buffer != nil || capacity == 0 else { throw VerifyError(.badArgument, "the buffer is NULL") }
  guard capacity >= 0 else {
    throw VerifyError(.badArgument, "a capacity of \(UInt(bitPattern: capacity)) cannot be in memory")
  }
  guard capacity != 0, let buffer else { return }
  guard capacity >= items else {
    throw VerifyError(.bufferTooSmall, "the buffer has room for \(capacity), and \(items) are needed")
  }
  buffer.update(from: try make(), count: items * perItem)
}

/// The same for bytes.
func fill(_ buffer: Buffer, _ capacity: Int, _ count: Count, with bytes: [UInt8]) throws {
  try fill(buffer?.assumingMemoryBound(to: UInt8.self), capacity, count, items: bytes.count) { bytes }
}

/// A C string with the lifetime of the process.
func constant(_ text: String) -> Text { HandleObject.constants.text(text) }

/// The name of an element of a list; nil from the last one on.
func name(_ list: [some RawRepresentable<String>], _ index: Int) -> Text {
  list.indices.contains(index) ? constant(list[index].rawValue) : nil
}

extension fv_bool { init(_ value: Bool) { self = value ? 1 : 0 } }

extension Array {
  /// - Throws: ``VerifyError/Code/absent`` if there is no such element.
  func element(_ index: Int) throws -> Element {
    guard indices.contains(index) else { throw VerifyError(.absent, "index \(index) is not below the count, \(count)") }
    return self[index]
  }
}

// MARK: Arguments

/// Decodes a text passed by the program.
/// - Throws: ``VerifyError/Code/badArgument`` if it is NULL or not UTF-8.
func string(_ text: Text, _ name: String) throws -> String {
  guard let text else { throw VerifyError(.badArgument, "the \(name) is NULL") }
  guard let string = String(validatingCString: text) else {
    throw VerifyError(.badArgument, "the \(name) is not UTF-8")
  }
  return string
}

/// The same for a text that may be NULL.
func optionalString(_ text: Text, _ name: String) throws -> String? { text == nil ? nil : try string(text, name) }

/// Objects passed by the program; none may be NULL.
func handles<Object: HandleObject>(
  _ start: In<OpaquePointer?>, _ count: Int, _ name: String, _ type: Object.Type
) throws -> [Object] {
  guard start != nil || count == 0 else { throw VerifyError(.badArgument, "\(name) is NULL") }
  guard count >= 0, count <= Int.max / MemoryLayout<OpaquePointer>.size else {
    throw VerifyError(.badArgument, "\(UInt(bitPattern: count)) \(name) cannot be in memory")
  }
  return try UnsafeBufferPointer(start: start, count: count).map { try Object.of($0) }
}

func bytes(_ start: Bytes, _ count: Int, _ name: String) throws -> UnsafeRawBufferPointer {
  guard let start else { throw VerifyError(.badArgument, "the \(name) is NULL") }
  guard count >= 0 else { throw VerifyError(.badArgument, "\(UInt(bitPattern: count)) bytes cannot be in memory") }
  return UnsafeRawBufferPointer(start: start, count: count)
}

/// Converts a field that must be 1 or 0.
func flag(_ value: fv_bool, _ name: String) throws -> Bool {
  guard value == 0 || value == 1 else { throw VerifyError(.badArgument, "\(name) is 1 or 0, not \(value)") }
  return value == 1
}

/// Validates a time in seconds since 1970.
func date(_ time: Double) throws -> Double {
  guard time.isFinite else { throw VerifyError(.badArgument, "a time is finite, in seconds since 1970; not \(time)") }
  return time
}

func day(_ date: Text) throws -> CalendarDate {
  guard date != nil else {
    throw VerifyError(.badArgument, "the date is NULL: pass the day for which the document is judged")
  }
  let text = try string(date, "date")
  guard let day = CalendarDate(text) else {
    throw VerifyError(.badArgument, "\"\(text)\" is not a date: write it as 2026-11-21")
  }
  return day
}
