import Glibc
import TestSupport
import Testing

@testable import FaceAnalysis

private struct TextureIsUnknown: Error {}

@Suite("TextureNetwork", .needsModels, .needsSamples)
struct TextureNetworkTests {
  private static let names = ["obama.jpg", "obama2.jpg", "biden.jpg"]

  private static func score(_ picture: PixelBuffer) throws -> Double {
    let pipeline = try Shared.pipeline()
    let face = try #require(try pipeline.locate(in: Photo(picture)).first)
    return try #require(try pipeline.texture(of: face))
  }

  /// At most 640 pixels per side, like a webcam's frames.
  private static func sample(_ name: String) throws -> PixelBuffer {
    let picture = try Photo(path: Installed.sample(name)).pixels(reduction: 1)
    let scale = min(1, 640 / Double(max(picture.width, picture.height)))
    return picture.resized(width: Int(Double(picture.width) * scale), height: Int(Double(picture.height) * scale))
  }

  /// The face, 1.4 widths of its box, with a white border like a print's or a dark one like a display's before a wall.
  private static func held(_ name: String, border: UInt8) throws -> PixelBuffer {
    let picture = try sample(name)
    let box = try #require(try Shared.pipeline().locate(in: Photo(picture)).first).box
    let (width, height) = (Int(1.4 * box.width), Int(1.54 * box.width))
    let part = picture.cutOut(
      corner: Point(x: box.centre.x - Double(width) / 2, y: box.centre.y - Double(height) / 2), angle: 0, scale: 1,
      width: width, height: height)
    let (side, edge) = (Int(4 * box.width), Int(0.12 * box.width))
    let (left, top) = ((side - width) / 2, (side - height) / 2)
    var rgb: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        let (u, v) = (x - left, y - top)
        if (0..<width).contains(u), (0..<height).contains(v) {
          let i = 3 * (v * width + u)
          rgb += part.rgb[i..<i + 3]
        } else if (-edge..<width + edge).contains(u), (-edge..<height + edge).contains(v) {
          rgb += [border, border, border]
        } else {
          rgb += [120, 110, 100]
        }
      }
    }
    return try PixelBuffer(width: side, height: side, rgb: rgb)
  }

  @Test("photos of people are bona fide", arguments: names)
  func bonaFide(_ name: String) throws {
    let score = try Self.score(Self.sample(name))
    #expect(score >= TextureNetwork.threshold && score <= 1)
  }

  @Test("without colour, or cropped close to the face, they are not attacks, but not checked", arguments: names)
  func little(_ name: String) throws {
    let picture = try Self.sample(name)
    let grey = try PixelBuffer(
      width: picture.width, height: picture.height, rgb: picture.luma().flatMap { [$0, $0, $0] })
    let box = try #require(try Shared.pipeline().locate(in: Photo(picture)).first).box
    let side = Int(1.1 * box.width)
    let close = picture.cutOut(
      corner: Point(x: box.centre.x - 0.55 * box.width, y: box.centre.y - 0.6 * box.width), angle: 0, scale: 1,
      width: side, height: side)
    for part in [grey, close] {
      var analysis = LivenessAnalysis(LivenessContext(calibration: nil))
      var texture = Texture(LivenessContext(calibration: nil))
      texture.add(try analysis.add(part, at: 0, by: try Shared.pipeline()))
      if case .value(let score) = texture.measured { #expect(score >= TextureNetwork.threshold) }
    }
  }

  @Test("a print held before a wall is an attack for a session, too", arguments: names)
  func session(_ name: String) throws {
    var analysis = LivenessAnalysis(LivenessContext(calibration: nil))
    var texture = Texture(LivenessContext(calibration: nil))
    texture.add(try analysis.add(try Self.held(name, border: 245), at: 0, by: try Shared.pipeline()))
    guard case .value(let score) = texture.measured else { throw TextureIsUnknown() }
    #expect(score < TextureNetwork.threshold)
  }

  @Test("prints and displays before a wall are attacks", arguments: names, [245, 20] as [UInt8])
  func medium(_ name: String, border: UInt8) throws {
    #expect(try Self.score(Self.held(name, border: border)) < TextureNetwork.threshold)
  }

  @Test("the same face has the same score, bit for bit")
  func repeatable() throws {
    let picture = try Self.sample("biden.jpg")
    #expect(try Self.score(picture) == Self.score(picture))
  }

  @Test("a set without this network has no score", .needsDlibModels)
  func none() throws {
    let pipeline = try Shared.pipeline(.dlib)
    let face = try #require(try pipeline.locate(in: Photo(path: Installed.sample("biden.jpg"))).first)
    #expect(try pipeline.texture(of: face) == nil)
  }

  @Test("the network changes the revision, but not the compatibility of templates", .needsModels)
  func identifier() throws {
    let store = try ModelStore(folder: Installed.models)
    let all = try #require(store.manifest.sets[ModelSet.standard.rawValue])
    let making = all.filter { id in
      !["presentation-attack", "calibration", "smile"].contains { id.hasPrefix($0) }
    }
    func name(_ ids: [String]) throws -> String {
      String(sha256(Array(try ids.map { try store.model($0).sha256 }.joined().utf8)).prefix(16))
    }
    let version = try Shared.standard.get().version
    #expect(try version.identifier == name(making))
    #expect(try version.revision == name(all))
  }
}

/// Error rates on photos and attacks that are not part of this repository: a folder with `spoof/nuaa/live` and
/// `spoof/nuaa/print`, named in FACEVERIFY_TESTDATA. Not a bound for screens and masks: see the model card.
@Suite(
  "Labelled attacks", .needsModels,
  .needsLabelled(LabelledAttacks.exist))
struct LabelledAttacksTests {
  @Test("as a session judges: at most 5 % of bona fide faces are rejected, and at most 2 % of held prints accepted")
  func errorRates() throws {
    let pipeline = try Shared.pipeline()
    var counts: (living: Int, refused: Int, attacks: Int, accepted: Int) = (0, 0, 0, 0)
    for (path, isLive) in LabelledAttacks.all {
      guard let face = try pipeline.locate(in: Photo(path: path)).first else { continue }
      let score = try #require(try pipeline.texture(of: face))
      let passes = score >= 1 / (1 + exp(Texture.session) * (1 - TextureNetwork.threshold) / TextureNetwork.threshold)
      if isLive {
        counts.living += 1
        if !passes { counts.refused += 1 }
      } else {
        counts.attacks += 1
        if passes { counts.accepted += 1 }
      }
    }
    #expect(counts.living > 0 && counts.attacks > 0)
    #expect(Double(counts.refused) <= 0.05 * Double(counts.living), "\(counts)")
    #expect(Double(counts.accepted) <= 0.02 * Double(counts.attacks), "\(counts)")
  }
}

private enum LabelledAttacks {
  static let folder = (getenv("FACEVERIFY_TESTDATA").map { String(cString: $0) } ?? "/nonexistent") + "/spoof/nuaa"
  static let exist = access(folder, R_OK) == 0

  static var all: [(path: String, isLive: Bool)] {
    names(in: folder).flatMap { species in
      names(in: "\(folder)/\(species)").map { ("\(folder)/\(species)/\($0)", species == "live") }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
