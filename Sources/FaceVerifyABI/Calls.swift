internal import CFaceVerify
internal import FaceVerify

/// Runs `body`, and converts errors into a status and a message.
func attempt(
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int, _ body: () throws -> Void
) -> fv_status {
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

/// As above, for functions that create an object.
func create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int,
  _ make: () throws -> HandleObject
) -> fv_status {
  attempt(message, messageBytes) { try put(into: out, make) }
}

/// Creates an object and returns its handle to the program.
func put(into out: UnsafeMutablePointer<OpaquePointer?>?, _ make: () throws -> HandleObject) throws {
  let out = try place(out)
  out.pointee = nil
  out.pointee = Handles.add(try make())
}

/// The program's pointer for a result.
/// - Throws: ``VerifyError/Code/badArgument`` if it is NULL.
func place<Result>(_ out: UnsafeMutablePointer<Result>?) throws -> UnsafeMutablePointer<Result> {
  guard let out else { throw VerifyError(.badArgument, "out is NULL: there is no place for the result") }
  return out
}

/// Writes as much of a text as fits, in whole characters, and a terminating 0 byte.
func write(_ text: String, to buffer: UnsafeMutableBufferPointer<CChar>) {
  guard !buffer.isEmpty else { return }
  var text = text
  text.withUTF8 { bytes in
    var count = min(bytes.count, buffer.count - 1)
    while count > 0 && count < bytes.count && bytes[count] & 0xC0 == 0x80 { count -= 1 }
    for i in 0..<count { buffer[i] = CChar(bitPattern: bytes[i]) }
    buffer[count] = 0
  }
}

/// Decodes a text passed by the program.
/// - Throws: ``VerifyError/Code/badArgument`` if it is not UTF-8.
func string(_ text: UnsafePointer<CChar>, _ name: String) throws -> String {
  guard let string = String(validatingCString: text) else {
    throw VerifyError(.badArgument, "the \(name) is not UTF-8")
  }
  return string
}

/// Objects passed by the program; none may be NULL.
func handles<Object: HandleObject>(
  _ start: UnsafePointer<OpaquePointer?>?, _ count: Int, _ name: String, _ type: Object.Type
) throws -> [Object] {
  guard start != nil || count == 0 else { throw VerifyError(.badArgument, "\(name) is NULL") }
  guard count >= 0, count <= Int.max / MemoryLayout<OpaquePointer>.size else {
    throw VerifyError(.badArgument, "\(UInt(bitPattern: count)) \(name) cannot be in memory")
  }
  return try UnsafeBufferPointer(start: start, count: count).map { try Handles.object($0, type) }
}

/// Bytes passed by the program.
func bytes(_ start: UnsafeRawPointer?, _ count: Int, _ name: String) throws -> UnsafeRawBufferPointer {
  guard let start else { throw VerifyError(.badArgument, "the \(name) is NULL") }
  guard count >= 0 else { throw VerifyError(.badArgument, "\(UInt(bitPattern: count)) bytes cannot be in memory") }
  return UnsafeRawBufferPointer(start: start, count: count)
}

/// Fills a buffer of the program, or reports the required size.
///
/// - Parameter make: returns the contents, `perItem` elements for each counted item; called only if they fit.
func fill<Element>(
  _ buffer: UnsafeMutablePointer<Element>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?, items: Int,
  perItem: Int = 1, with make: () throws -> [Element]
) throws {
  guard let count else { throw VerifyError(.badArgument, "there is no place for the count: it is NULL") }
  count.pointee = items
  guard buffer != nil || capacity == 0 else { throw VerifyError(.badArgument, "the buffer is NULL") }
  guard capacity != 0, let buffer else { return }
  guard capacity >= items else {
    throw VerifyError(.bufferTooSmall, "the buffer has room for \(capacity), and \(items) are needed")
  }
  buffer.update(from: try make(), count: items * perItem)
}

/// Converts a field that must be 1 or 0.
func flag(_ value: Int64, _ name: String) throws -> Bool {
  guard value == 0 || value == 1 else { throw VerifyError(.badArgument, "\(name) is 1 or 0, not \(value)") }
  return value == 1
}
