/// One frame as the signals see it. What costs more than a frame's time is there only in some of them.
package struct LivenessFrame {
  /// Seconds on the stream's own clock; later than the last frame's.
  package let time: Double
  /// How many frames were refused for their time since the last one.
  package let refused: Int
  /// Upright, not mirrored.
  package let picture: PixelBuffer
  /// Nil where no face was found.
  package let face: LocatedFace?
  /// Of ``face``; not smoothed.
  package let motion: FaceObservation?
  /// The face is not the continuation of the last frame's: the detector found it anew.
  package let isFound: Bool
  /// Whether this frame is one of those (``LivenessAnalysis/samplesPerSecond``) in which pixels are looked at closely.
  package let isSampled: Bool
  /// What the texture network says, where it was asked: 0 attack to 1 bona fide.
  package let texture: Double?
  /// Where the face was measured as a portrait.
  package let portraitSample: PortraitSample?
  /// What the screen before the person shows, red, green and blue from 0 to 1, where the caller says so.
  package let screenColour: SIMD3<Double>?

  /// The face as a portrait, and what is beside it.
  package struct PortraitSample {
    /// All faces that the detector found.
    package let faces: [LocatedFace]
    /// As a selfie.
    package let quality: QualityReport
    /// Nil if the face is turned away, or its quality is refused.
    package let template: FaceTemplate?
  }
}
