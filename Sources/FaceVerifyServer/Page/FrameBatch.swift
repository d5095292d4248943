internal import FaceVerify
internal import FaceVerifyBase

/// A batch of frames from a page. All numbers are big-endian:
///
///     "FVF1" | count u8 | count × ( seq u32 | seconds f64 | light u8 | flags u8 | length u32 | JPEG )
struct FrameBatch {
  struct Frame {
    /// Counts across the whole session, from 1.
    let sequence: Int
    /// Capture time on the page's clock.
    let seconds: Double
    /// Index of the colour that lit the face; nil for none.
    let light: Int?
    /// The page was hidden since the previous frame.
    let wasHidden: Bool
    /// Frames of the camera were dropped before this one.
    let hasGap: Bool
    let picture: ArraySlice<UInt8>
  }

  /// The frame format requested from the page, and the limits enforced.
  struct Limits {
    let framesPerSecond: Int
    /// JPEG quality: a lower one leaves block artefacts at the frequencies where display patterns are searched for
    /// (docs/liveness-signals.md, encodings).
    let quality: Double
    /// Pixels of the shorter side.
    let shortSide: Int
    let maximumFrames: Int
    let maximumFrameBytes: Int
    /// Per frame: the requested shorter side, times 2.6 of it for the longer one.
    var maximumPixels: Int { shortSide * shortSide * 13 / 5 }

    /// 480-line frames at JPEG quality 0.92 have 28 to 61 kB (measured in Chromium over bona fide clips).
    /// A batch holds more than a second of frames, so that a page catches up after a late response.
    static let face = Limits(
      framesPerSecond: 12, quality: 0.92, shortSide: 480, maximumFrames: 16, maximumFrameBytes: 256 << 10)
    /// One frame at a time, as fast as they are processed; a machine-readable zone needs 1000 pixels
    /// (docs/documents.md).
    static let document = Limits(
      framesPerSecond: 3, quality: 0.92, shortSide: 1080, maximumFrames: 1, maximumFrameBytes: 2 << 20)

    /// Of a batch.
    var maximumBytes: Int { 5 + maximumFrames * (18 + maximumFrameBytes) }
  }

  /// Of any batch.
  static let maximumBytes = max(Limits.face.maximumBytes, Limits.document.maximumBytes)
  static let contentType = "application/vnd.faceverify.frames"

  let frames: [Frame]

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/tooLarge``; nothing is decoded.
  init(_ bytes: [UInt8], limits: Limits) throws {
    var reader = ByteReader(bytes)
    func damaged(_ what: String) -> VerifyError { VerifyError(.damaged, "the batch of frames \(what)") }
    guard reader.take("FVF1"), let count = try? reader.u8() else {
      throw damaged("does not start with FVF1 and the number of frames")
    }
    guard (1...limits.maximumFrames).contains(count) else {
      throw VerifyError(.tooLarge, "a batch must have 1 to \(limits.maximumFrames) frames, not \(count)")
    }
    var frames: [Frame] = []
    for index in 0..<count {
      guard let sequence = try? reader.u32(), let upper = try? reader.u32(), let lower = try? reader.u32(),
        let light = try? reader.u8(), let flags = try? reader.u8(), let length = try? reader.u32()
      else { throw damaged("is truncated in the header of frame \(index)") }
      guard length <= limits.maximumFrameBytes else {
        throw VerifyError(.tooLarge, "frame \(index) has \(length) bytes; the maximum is \(limits.maximumFrameBytes)")
      }
      guard let picture = try? reader.bytes(length) else { throw damaged("is truncated in frame \(index)") }
      let seconds = Double(bitPattern: UInt64(upper) << 32 | UInt64(lower))
      // A page's clock counts from its opening or from 1970.
      guard seconds.isFinite, abs(seconds) < 1e11 else { throw damaged("has an invalid time in frame \(index)") }
      if let last = frames.last, sequence != last.sequence + 1 || seconds <= last.seconds {
        throw damaged("is out of order at frame \(index)")
      }
      frames.append(
        Frame(
          sequence: sequence, seconds: seconds, light: light == 255 ? nil : light, wasHidden: flags & 1 != 0,
          hasGap: flags & 2 != 0, picture: picture))
    }
    guard reader.remaining == 0 else { throw damaged("has trailing bytes") }
    self.frames = frames
  }
}
