// Feeds arbitrary bytes to the parsers of a web page's input: batches of frames, and forms. Any crash is a finding, and
// so is a batch with more bytes than its input, or with frames out of order.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  if let batch = try? FrameBatch(bytes, limits: .face) {
    let frames = batch.frames
    precondition((1...8).contains(frames.count) && frames.reduce(5) { $0 + 18 + $1.picture.count } == size)
    precondition(
      zip(frames, frames.dropFirst()).allSatisfy { $0.seconds < $1.seconds && $0.sequence + 1 == $1.sequence })
    var clock = StreamClock()
    for frame in frames { _ = clock.add(frame.seconds, received: 1) }
  }
  // The first line is the boundary.
  let end = bytes.firstIndex(of: 10) ?? bytes.count
  let type = "multipart/form-data; boundary=" + String(decoding: bytes[..<end], as: UTF8.self)
  if let form = try? Multipart(Array(bytes[end...]), contentType: type) {
    precondition(form.parts.count <= Multipart.maximumParts && form.parts.reduce(0) { $0 + $1.bytes.count } <= size)
  }
  return 0
}
