internal import CVision

extension PixelBuffer {
  /// Copies raw pixels; the caller has checked that `pixels` is large enough.
  init(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, rowStride: Int, format: PixelFormat) {
    let bytes = pixels.bindMemory(to: UInt8.self)
    self.init(width: width, height: height) { out in
      guard let start = bytes.baseAddress, let rgb = out.baseAddress else { return }
      if case .packed(let bytesPerPixel, let red, let green, let blue) = format.layout {
        var target = 0
        for y in 0..<height {
          var pixel = y * rowStride
          for _ in 0..<width {
            rgb[target] = start[pixel + red]
            rgb[target + 1] = start[pixel + green]
            rgb[target + 2] = start[pixel + blue]
            target += 3
            pixel += bytesPerPixel
          }
        }
      } else {
        var frame = cvision_yuv(
          y: start, u: start, v: start, y_stride: rowStride, uv_stride: rowStride, y_step: 1, uv_step: 1, rows: 2)
        let chroma = start + rowStride * height
        switch format.layout {
        case .nv12: (frame.u, frame.v, frame.uv_step) = (chroma, chroma + 1, 2)
        case .i420:
          frame.uv_stride = rowStride.dividedUp(by: 2)
          (frame.u, frame.v) = (chroma, chroma + frame.uv_stride * height.dividedUp(by: 2))
        case .yuyv:
          (frame.u, frame.v) = (start + 1, start + 3)
          (frame.y_step, frame.uv_step, frame.rows) = (2, 4, 1)
        case .packed: break
        }
        cvision_yuv_to_rgb(&frame, Int32(clamping: width), Int32(clamping: height), rgb)
      }
    }
  }
}
