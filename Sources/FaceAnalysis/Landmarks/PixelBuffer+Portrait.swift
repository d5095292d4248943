extension PixelBuffer {
  /// Returns an upright 35:45 portrait of a face. The inter-eye distance is a quarter of its width, as on a chip
  /// (ISO/IEC 19794-5:2005, 8.3), and the eyes are at 45 % of its height.
  ///
  /// - Parameter angle: The rotation of the face, radians, clockwise on the screen.
  package func portrait(of face: FaceLandmarks, angle: Double) -> PixelBuffer {
    let eyes = face.rightEyeCentre.middle(to: face.leftEyeCentre)
    let width = 4 * face.interEyeDistance
    let height = width * 45 / 35
    let corner = AffineMap(scale: 1, angle: angle, origin: eyes)(Point(x: -width / 2, y: -0.45 * height))
    return cutOut(
      corner: corner, angle: angle, scale: 1, width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded()))
    )
  }
}
