import Testing

@testable import FaceAnalysis

@Suite("Mouth occlusion prevention")
struct MouthVisibleTests {
  private func value(nose: SIMD3<Double>, mouth: SIMD3<Double>) -> Measured {
    MouthVisible.value(nose: CIELAB.chroma(of: nose), mouth: CIELAB.chroma(of: mouth))
  }

  @Test("a colourless cover on pale skin is not checked: its distance occurs for mouths, too")
  func paleSkin() {
    let skin = SIMD3(205.0, 180, 170)
    for cover in [SIMD3(235.0, 235, 235), SIMD3(40.0, 40, 42), SIMD3(200.0, 204, 206)] {
      guard case .unavailable(let reason) = value(nose: skin, mouth: cover) else {
        Issue.record("a cover of \(cover) was measured")
        continue
      }
      #expect(reason.contains("mask"))
    }
    #expect(value(nose: skin, mouth: SIMD3(190, 160, 150)) != .noPixels)
    guard case .value(let distance) = value(nose: skin, mouth: SIMD3(190, 160, 150)) else {
      Issue.record("a mouth of the skin's colour was not measured")
      return
    }
    #expect(distance < 5)
  }

  @Test("a cover far from the skin's colour is measured, and in a grey picture nothing is")
  func others() {
    guard case .value(let distance) = value(nose: SIMD3(215, 160, 135), mouth: SIMD3(150, 190, 215)) else {
      Issue.record("a light blue cover was not measured")
      return
    }
    #expect(distance > MouthVisible.largestDistance)
    guard case .unavailable = value(nose: SIMD3(160, 160, 160), mouth: SIMD3(150, 150, 150)) else {
      Issue.record("a grey picture was measured")
      return
    }
  }
}
