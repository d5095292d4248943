package import FaceAnalysis

extension ModelSet {
  package static let scripted = ModelSet(rawValue: "scripted")
}

/// Makes engines of this process decode pictures (``ScriptedPicture``) if this set is selected.
///
/// - Parameter delay: called before the landmarks of a face are found, to take the time of slow models.
package func installScriptedModels(as set: ModelSet = .scripted, delay: @escaping @Sendable () -> Void = {}) {
  LoadedModels.scripted.withLock { sets in
    sets[set] = {
      LoadedModels(
        version: ModelVersion(set: set, identifier: "scripted-models1", revision: "scripted-models1"),
        normalisation: try ScoreNormalisation(bytes: normalisation), calibration: try Calibration(json: calibration)
      ) { models in
        FacePipeline(
          models: models, detector: ScriptedDetector(), landmarks: ScriptedLandmarks(delay: delay),
          embedder: ScriptedEmbedder(),
          texture: { face in nearest(to: face.box, in: face.picture)?.texture ?? 0 },
          // All skin is drawn alike.
          seesDetail: false)
      }
    }
  }
}

private final class ScriptedDetector: FaceDetector {
  let sureScore = 0.5

  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace] {
    guard search == .frame else { return [] }
    return (ScriptedPicture.faces(in: picture) ?? []).map {
      DetectedFace(box: $0.box, score: $0.score, points: [], turn: 0)
    }
  }
}

private final class ScriptedLandmarks: LandmarkEstimator {
  private let delay: @Sendable () -> Void

  init(delay: @escaping @Sendable () -> Void) { self.delay = delay }

  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks? {
    delay()
    return nearest(to: face.box, in: picture)?.landmarks
  }

  /// The face whose nose is nearest to its previous position.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks? {
    delay()
    func distance(_ face: FaceLandmarks) -> Double {
      let (dx, dy) = (face.alignment[4].x - last.alignment[4].x, face.alignment[4].y - last.alignment[4].y)
      return dx * dx + dy * dy
    }
    return ScriptedPicture.faces(in: picture)?.map(\.landmarks).min { distance($0) < distance($1) }
  }
}

private func nearest(to box: Rectangle, in picture: PixelBuffer) -> ScriptedFace? {
  func distance(_ face: ScriptedFace) -> Double {
    abs(face.box.centre.x - box.centre.x) + abs(face.box.centre.y - box.centre.y)
  }
  return ScriptedPicture.faces(in: picture)?.min { distance($0) < distance($1) }
}

/// One direction per person, plus a small deviation per chip: two pictures of a person are about 0.2 apart, those of
/// two people 1.4.
private final class ScriptedEmbedder: FaceEmbedder {
  func embed(_ chips: FaceChips) throws -> [Float] {
    let chip = chips.plain
    // The centre of the forehead in the chip.
    var sum = SIMD3(0.0, 0, 0)
    for y in 13..<21 {
      for x in 68..<80 {
        let i = 3 * (y * chip.width + x)
        sum += SIMD3(Double(chip.rgb[i]), Double(chip.rgb[i + 1]), Double(chip.rgb[i + 2]))
      }
    }
    func level(_ sum: Double) -> Int {
      let mean = sum / 96
      return ScriptedPicture.levels.indices.min {
        abs(ScriptedPicture.levels[$0] - mean) < abs(ScriptedPicture.levels[$1] - mean)
      } ?? 0
    }
    let person = 9 * level(sum.x) + 3 * level(sum.y) + level(sum.z)
    var state = chip.rgb.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    var vector = (0..<128).map { _ in Float(ScriptedPicture.splitMix(&state) >> 40) / Float(1 << 24) * 0.04 - 0.02 }
    vector[4 * person] += 1
    return vector
  }
}

/// All cohorts are at distance 1 ± 0.1: mated scores are about -8, non-mated ones 4.
private let normalisation: [UInt8] = {
  let rows = 1 + 128 + 128 + 1
  var floats = [Float](repeating: 0, count: 2 * rows)
  floats[0] = 1
  floats[rows] = 0.1
  func little(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  return Array("FVSN".utf8) + little(2) + little(0) + little(0) + floats.flatMap { little($0.bitPattern) }
}()

private let calibration: [UInt8] = {
  let curve = (-6...0).map { score in
    // A factor of ten per step.
    """
    {"score": \(score), "falseMatches": 10, "falseMatchRate": 0.5e\(score), "falseMatchRateBounds": [1e-9, 1e\(score)],
    "overallFalseMatchRate": 0.1e\(score), "overallFalseMatchRateBounds": [1e-9, 0.2e\(score)],
    "falseNonMatchRate": \(-0.01 * Double(score)), "falseNonMatchRateBounds": [0.001, 0.1]}
    """
  }
  return Array(
    """
    {"schema": 3, "modelSet": "scripted", "source": {"dataset": "scripts", "subjects": 27, "photos": 27,
    "genuineComparisons": 27, "impostorComparisons": 702, "groups": 3, "groupComparisons": 216, "date": "2026-11-22",
    "method": "written down"}, "curves": {"photo": [\(curve.joined(separator: ","))]}}
    """.utf8)
}()
