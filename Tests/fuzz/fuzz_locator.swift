// Feeds arbitrary grey pixels to the locator and the extraction of its findings. Any crash, leak or memory error is a
// finding.

private let networks: CodeNetworks = {
  do {
    return try CodeNetworks.installed(in: "models")
  } catch {
    fatalError("\(error)")
  }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLocator(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  // The first byte determines the width of the picture, which is enlarged so that there is something to find.
  guard let first = bytes.first, bytes.count > 16 else { return 0 }
  let width = 4 + Int(first) % 60
  let rows = (bytes.count - 1) / width
  guard rows > 0 else { return 0 }
  let small = GreyPicture(width: width, height: rows, pixels: Array(bytes[1...(width * rows)]))
  guard
    let grey = try? small.part(x: 0, y: 0, width: width, height: rows, scale: 4, sharpened: first & 1 == 1)
  else { return 0 }
  let places = (try? grey.findCodes(by: networks)) ?? []
  _ = CodeFault(of: places.first, in: grey)
  for place in places {
    _ = CodeFault(of: place, in: grey)
    _ = try? grey.rectified(place.corners, width: 32, height: 32)
    _ = Quadrilateral(place.corners)?.corners(of: Rectangle(x: 1.2, y: -1, width: 1, height: 3))
  }
  return 0
}
