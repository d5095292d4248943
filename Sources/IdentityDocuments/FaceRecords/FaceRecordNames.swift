/// Names of the flags that the versions of the standards share, in their order.
enum FaceRecordNames {
  static let postProcessing = [
    "rotated", "cropped", "down-sampled", "white-balance-adjusted", "multiply-compressed", "interpolated",
    "contrast-stretched", "pose-corrected", "multi-view-image", "age-progressed", "super-resolution-processed",
    "normalised",
  ]
  static let expressions = [
    "neutral", "smile", "raised-eyebrows", "eyes-looking-away", "squinting", "frowning",
  ]
}
