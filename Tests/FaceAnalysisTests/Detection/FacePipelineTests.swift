import FaceAnalysis
import TestSupport
import Testing

@Suite("Faces of the sample photos", .needsModels, .needsSamples)
struct FacePipelineTests {
  static let sets = [ModelSet.standard, .dlib]

  private func portrait() throws -> PixelBuffer { try Photo(path: Installed.sample("obama.jpg")).pixels() }

  private func distance(_ a: [Float], _ b: [Float]) -> Float {
    zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  private func embedding(_ picture: PixelBuffer, _ set: ModelSet = .standard) throws -> (LocatedFace, [Float]) {
    let pipeline = try Shared.pipeline(set)
    let photo = try Photo(picture)
    let face = try #require(try pipeline.locate(in: photo).first)
    return (face, try pipeline.embedding(of: pipeline.chips(of: face, in: photo)))
  }

  @Test(
    "blurred windows behind a man are not a second face", .needsModels,
    .needsShared("testdata/faces/hires/Barack_Obama/obama1.jpg"))
  func windows() throws {
    let photo = try Photo(path: Installed.shared + "/testdata/faces/hires/Barack_Obama/obama1.jpg")
    #expect(try Shared.pipeline().locate(in: photo, all: true).count == 1)
  }

  // Rows: J28
  @Test("a sideways or upside-down photo is read upright, and the rotation is reported", arguments: 0..<4)
  func turned(quarters: Int) throws {
    let upright = try portrait()
    let (_, expected) = try embedding(upright)
    let (face, found) = try embedding(upright.turned(quarters))
    #expect(face.face.turn == (4 - quarters) % 4 * 90)
    #expect(distance(expected, found) < 0.25)
  }

  @Test("the dlib set reads a sideways photo, too", arguments: 0..<4)
  func turnedDlib(quarters: Int) throws {
    let (face, _) = try embedding(portrait().turned(quarters), .dlib)
    #expect(face.face.turn == (4 - quarters) % 4 * 90)
  }

  // Rows: V4.10-a
  @Test("faces of at least 40 pixels are found in a 12-megapixel photo", arguments: [40, 60, 120, 600, 2800])
  func sizes(pixels: Int) throws {
    let upright = try portrait()
    let (known, expected) = try embedding(upright)
    let factor = Double(pixels) / known.box.width
    let small = upright.resized(
      width: Int(Double(upright.width) * factor), height: Int(Double(upright.height) * factor))
    let scene = try PixelBuffer.plain(width: 4000, height: 3000)
    let place = pixels < 1000 ? Point(x: 2700, y: 900) : Point(x: 2000, y: 1500)
    let (x, y) = (Int(place.x - known.box.centre.x * factor), Int(place.y - known.box.centre.y * factor))
    let (face, found) = try embedding(scene.with(small, x: x, y: y))
    #expect(abs(face.box.width / Double(pixels) - 1) < 0.2)
    #expect(distance(expected, found) < ((100...1000).contains(pixels) ? 0.3 : 0.5))
  }

  @Test("the larger and more central of several faces comes first, the others are listed")
  func several() throws {
    let one = try portrait()
    let other = try Photo(path: Installed.sample("biden.jpg")).pixels()
    let scene = try PixelBuffer.plain(width: 2000, height: 1200)
      .with(one.resized(width: one.width * 1000 / one.height, height: 1000), x: 200, y: 100)
      .with(other.resized(width: other.width * 300 / other.height, height: 300), x: 1600, y: 800)
    let pipeline = try Shared.pipeline()
    let photo = try Photo(scene)
    let faces = try pipeline.locate(in: photo, all: true)
    #expect(faces.count == 2)
    let first = try #require(faces.first)
    #expect(first.box.centre.x < 1200)
    let found = try pipeline.embedding(of: pipeline.chips(of: first, in: photo))
    #expect(distance(found, try embedding(one).1) < 0.25)
  }

  @Test("a small, turned face is found where it is expected, or elsewhere if it is not there")
  func expected() throws {
    let face = try portrait().turned(3)
    let scene = try PixelBuffer.plain(width: 1200, height: 1000)
      .with(face.resized(width: 150 * face.width / face.height, height: 150), x: 850, y: 700)
    let photo = try DecodedPhoto(Photo(scene))
    let pipeline = try Shared.pipeline()
    let whole = try #require(try pipeline.locate(in: photo, budget: .unlimited).first)
    for (x, y) in [(925.0, 775.0), (250, 250)] {
      let square = FaceSearch.Square(centre: Point(x: x, y: y), side: 350, turn: 90)
      let found = try #require(try pipeline.locate(in: photo, expected: [square], budget: .unlimited).first)
      #expect(found.box.centre.distance(to: whole.box.centre) < 10 && found.face.turn == 90, "\(found.box)")
    }
  }

  @Test("a search uses at most about 200 tiles for any photo, and finds faces of 40 pixels up to 12 megapixels")
  func steps() {
    for (width, height) in [(4000, 3000), (3464, 3464), (12_000, 1000), (8000, 6000), (9900, 9900), (99_000, 1000)] {
      let smallest = FacePipeline.smallestFace(width: width, height: height)
      let sides = FacePipeline.tileSides(width: width, height: height)
      func places(_ length: Int, _ side: Int) -> Int {
        length <= side ? 1 : 1 + Int((Double(length - side) / (0.75 * Double(side))).rounded(.up))
      }
      let tiles = sides.reduce(0) { $0 + places(width, $1) * places(height, $1) }
      #expect(tiles <= 210, "\(tiles) tiles of \(sides) in \(width)×\(height)")
      #expect(sides.last == 10 * smallest && (width * height > 12_000_000 || smallest == 40))
    }
  }

  @Test("a picture without a face has none", arguments: sets)
  func none(set: ModelSet) throws {
    let picture = try PixelBuffer.plain(width: 900, height: 700)
    #expect(try Shared.pipeline(set).locate(in: Photo(picture), all: true).isEmpty)
    #expect(try Shared.pipeline(set).locate(in: Photo(PixelBuffer.plain(width: 1, height: 1))).isEmpty)
  }

  @Test("half a face yields a result without a crash", arguments: sets)
  func half(set: ModelSet) throws {
    let upright = try portrait()
    let (face, _) = try embedding(upright)
    for part in [0.25, 0.5, 0.75] {
      let cut = Int(face.box.x + part * face.box.width)
      let picture = upright.crop(map: [1, 0, 0, 0, 1, 0], width: cut, height: upright.height)
      let faces = try Shared.pipeline(set).locate(in: Photo(picture))
      for face in faces { #expect(face.landmarks.alignment.allSatisfy { $0.x.isFinite && $0.y.isFinite }) }
    }
  }

  @Test("the same photo gives the same numbers, on any thread")
  func deterministic() async throws {
    let photo = try Photo(path: Installed.sample("obama.jpg"))
    let vectors = try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let pipeline = try Shared.pipeline()
          let face = try #require(try pipeline.locate(in: photo).first)
          return try pipeline.embedding(of: pipeline.chips(of: face, in: photo))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(vectors).count == 1)
  }

  @Test("both sets agree on the eyes' positions")
  func agreement() throws {
    let picture = try portrait()
    let (mesh, _) = try embedding(picture)
    let (dlib, _) = try embedding(picture, .dlib)
    let tolerance = 0.12 * mesh.landmarks.interEyeDistance
    for (a, b) in zip(mesh.landmarks.alignment, dlib.landmarks.alignment) {
      #expect(abs(a.x - b.x) < tolerance && abs(a.y - b.y) < tolerance)
    }
  }
}
