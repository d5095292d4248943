// "LFW" below: the most prominent face of each of 8,175 photos of 4,034 people of Labeled Faces in the Wild, the
// training subset (2026-11), measured by training/quality. These are press photos on which matching works well: a limit
// that ordinary photos do not reach may refuse; one that they reach may only warn. LFW p1 is the first percentile
// there.

extension QualityPolicy {
  /// Measures but refuses nothing: for evaluations, in which quality is a result.
  public static let any = QualityPolicy(name: "any", requirements: [:])

  /// A photo that people take of themselves, for comparison with a document.
  public static let selfie = QualityPolicy(
    name: "selfie",
    requirements: [
      // Warns above a tenth of this face's prominence (LFW: 9 % of photos, mostly people in the background); refuses if
      // the subject is ambiguous (LFW: 0.33 %).
      .singleFacePresent: .init(atMost: 0.1, refusedAbove: 0.6),
      // ISO/IEC 19794-5 requires 90 for a document's portrait. Matching uses an inter-eye distance of 52.5 pixels; LFW,
      // on which it is known to work, has 42 (median, p1 35). Below 24, more than three of four pixels used for
      // matching are interpolated.
      .interEyeDistance: .init(atLeast: 35, refusedBelow: 24),
      // LFW 0.18-0.54. From a whole standing person to a face that fills the picture.
      .headSize: .init(atLeast: 0.1, atMost: 0.75),
      // A cheek ends 0.7 inter-eye distances beyond the eye (LFW minimum 0.92); the eye's outer corner is at 0.25.
      .leftwardCrop: .init(atLeast: 0.7, refusedBelow: 0.25),
      .rightwardCrop: .init(atLeast: 0.7, refusedBelow: 0.25),
      // Hair begins about 0.5 above the eyes (LFW minimum 0.81), the brows are at 0.2.
      .marginAbove: .init(atLeast: 0.5, refusedBelow: 0.2),
      // The chin is at 1 (LFW minimum 0.99), the mouth at 0.65.
      .marginBelow: .init(atLeast: 1, refusedBelow: 0.7),
      // ISO/IEC 19794-5:2011 7.2.2 requires 5 degrees for a document's portrait. Beyond 25 the far half of the face is
      // foreshortened (LFW: yaw in 7 %, pitch in 1 %); beyond 45 half of what matching compares is hidden (LFW: yaw in
      // 0.3 %, pitch in none).
      .headPoseYaw: .init(within: 25, refusedBeyond: 45),
      .headPosePitch: .init(within: 25, refusedBeyond: 45),
      // Alignment compensates any roll, even of a photo rotated by 90 degrees: it never refuses.
      .headPoseRoll: .init(within: 20),
      // A blink is 0.02-0.05 (13 video clips), LFW p1 0.078, p5 0.12. People laugh with their eyes nearly shut and
      // still match.
      .eyesOpen: .init(atLeast: 0.08),
      // All eight of 1,345 LFW photos below it show dark glasses; 95 % of 147 with glasses painted on are below.
      .eyesVisible: .init(atLeast: 0.55),
      // The standard's score is 50 here; LFW p95 0.15, p99 0.23. Talking or laughing people still match.
      .mouthClosed: .init(atMost: 0.2),
      // LFW p99, including balls and microphones in front of the mouth. Of masks painted on 145 photos, 98 % of the
      // light blue ones are above, 80 % of the black and 78 % of the white ones.
      .mouthVisible: .init(atMost: MouthVisible.largestDistance),
      // LFW minimum 0.35, p0.3 0.45. Blurred by a Gaussian of 6 % of the inter-eye distance, all of 341 LFW photos are
      // below 0.45; by 11 %, 99 % are below 0.32.
      .sharpness: .init(atLeast: 0.45, refusedBelow: 0.32),
      // LFW p99.9 0.20, maximum 0.34. Refused where nearly all of the face is black.
      .underExposure: .init(atMost: 0.25, refusedAbove: 0.9),
      // LFW p99.9 0.056, maximum 0.17. Refused where most of the face is white.
      .overExposure: .init(atMost: 0.05, refusedAbove: 0.7),
      // LFW minimum 5.3: less is a face in fog. 3 bits are eight grey levels.
      .dynamicRange: .init(atLeast: 5, refusedBelow: 3),
      // LFW p1 0.48, minimum 0.23. With one half dimmed to 0.35, 92 % of LFW are below 0.5.
      .illuminationUniformity: .init(atLeast: 0.5, refusedBelow: 0.2),
      // Grey is 7.07; LFW: 2.7 % above 5, a fifth of them grey.
      .naturalColour: .init(atMost: 5),
    ])

  /// The portrait on a photographed or scanned document: small, printed, behind security printing, sometimes grey. Its
  /// position on the page carries no information, and it cannot be retaken, so little is refused.
  public static let documentPortrait = QualityPolicy(
    name: "document-portrait",
    requirements: selfie.requirements(
      of: .eyesOpen, .mouthClosed, .sharpness, .underExposure, .overExposure, .illuminationUniformity
    ).merging([
      // Many documents repeat the portrait as a smaller, fainter ghost image.
      .singleFacePresent: .init(atMost: 0.5),
      // A 35 × 45 mm portrait (ICAO 9303-3) has an inter-eye distance of 10 mm: 24 pixels correspond to 61 dots per
      // inch on the page. Below 16, nine of ten pixels used for matching are interpolated.
      .interEyeDistance: .init(atLeast: 24, refusedBelow: 16),
      // ISO/IEC 19794-5:2011 7.2.2 requires 5 degrees of yaw and pitch, 8 of roll; the rest allows for the mesh's error
      // on a print and for rotated pages.
      .headPoseYaw: .init(within: 15, refusedBeyond: 45),
      .headPosePitch: .init(within: 20, refusedBeyond: 45),
      .headPoseRoll: .init(within: 20),
      // Prints have fewer grey levels than photos: the selfie's limits minus half a bit.
      .dynamicRange: .init(atLeast: 4.5, refusedBelow: 2.5),
    ]) { $1 })

  /// The portrait read from a chip. The issuing state accepted it and it cannot be retaken: only a picture without a
  /// comparable face is refused. Small pictures are not (a token image of ISO/IEC 19794-5 has 240 × 320 pixels and an
  /// inter-eye distance of 60).
  public static let chipPortrait = QualityPolicy(
    name: "chip-portrait",
    requirements: selfie.requirements(of: .eyesOpen, .mouthClosed, .underExposure, .overExposure, .naturalColour)
      .merging([
        // ISO/IEC 19794-5:2011 7.2: one person. As for a selfie: of two prominent faces, the holder's is unknown.
        .singleFacePresent: .init(atMost: 0.1, refusedAbove: 0.6),
        // Half of a token image: anything less is a thumbnail.
        .interEyeDistance: .init(atLeast: 30),
        // ICAO 9303-3: crown to chin is 70-80 % of the height, and eyes to chin half of that; ISO/IEC 29794-5 scores best
        // at 0.45. Two specimen chips have 0.36 and 0.42.
        .headSize: .init(atLeast: 0.25, atMost: 0.55),
        // The whole head is inside: with its ears it ends 0.75 inter-eye distances beyond the eye.
        .leftwardCrop: .init(atLeast: 0.8),
        .rightwardCrop: .init(atLeast: 0.8),
        // Crown and chin are inside: the crown is about as far from the eyes as the chin.
        .marginAbove: .init(atLeast: 0.8),
        .marginBelow: .init(atLeast: 1.1),
        // ISO/IEC 19794-5:2011 7.2.2: 5 degrees of yaw and pitch, 8 of roll; the rest allows for the mesh's error.
        .headPoseYaw: .init(within: 15, refusedBeyond: 45),
        .headPosePitch: .init(within: 15, refusedBeyond: 45),
        .headPoseRoll: .init(within: 12),
        // As for a selfie, but never refusing.
        .sharpness: .init(atLeast: 0.45),
        .dynamicRange: .init(atLeast: 5, refusedBelow: 2.5),
        .illuminationUniformity: .init(atLeast: 0.5),
      ]) { $1 })
}
