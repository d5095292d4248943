import EngineTestSupport
import FaceAnalysis
import Foundation
import Glibc
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyStore

/// A template of the scripted models with a unique vector per number: any two are about 1.4 apart.
private func template(_ number: Int, near: Int? = nil, distance: Float = 0.2, quality: Int? = 50) -> FaceTemplate {
  func direction(_ number: Int) -> [Float] {
    var random = SplitMix(state: UInt64(number) &* 7919)
    let vector = (0..<128).map { _ in
      (0..<4).reduce(Float(-2)) { sum, _ in sum + Float.random(in: 0...1, using: &random) }
    }
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return vector.map { $0 / length }
  }
  var vector = direction(number)
  if let near { vector = zip(direction(near), vector).map { $0 + $1 * distance } }
  return FaceTemplate(
    modelIdentifier: "scripted-models1", vector: vector, cohortMean: 1, cohortDeviation: 0.1, quality: quality)
}

private func entry(_ number: Int) -> EmbeddedPhoto {
  EmbeddedPhoto(path: "person \(number)", sha256: nil, quality: 50, template: .success(template(number)))
}

private func failed(_ path: String) -> EmbeddedPhoto {
  EmbeddedPhoto(
    path: path, sha256: String(repeating: "a", count: 64), quality: nil, policy: "any",
    template: .failure(.init(code: "no-face", message: "no face found")))
}

/// The bytes of a template in an unencrypted file.
private func stored(_ template: FaceTemplate) -> Data {
  var bytes = [UInt8](repeating: 0, count: FaceTemplate.storedSize)
  bytes.withUnsafeMutableBytes { template.store(in: $0) }
  return Data(bytes)
}

private func withGallery(key: SealingKey? = nil, _ body: (Gallery, String) throws -> Void) throws {
  try withTemporaryFolder { folder in
    let path = folder + "/people.fvg"
    try body(Gallery(path: path, engine: Scripted.engine.get(), key: key), path)
  }
}

/// All bytes of a gallery's file and its side files.
private func bytes(of path: String) -> Data {
  let folder = (path as NSString).deletingLastPathComponent
  return names(in: folder).reduce(into: Data()) { all, name in
    all += FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
  }
}

private func problem(_ body: () throws -> Void) -> VerifyError? {
  do { try body() } catch { return error as? VerifyError }
  return nil
}

private let key = try! SealingKey((0..<32).map { UInt8($0) })

@Suite("Gallery: identification")
struct GalleryTests {
  @Test("for equal scores the first rows are returned, for any number of threads", arguments: [1, 4])
  func ties(threads: Int) throws {
    var vectors = GalleryVectors()
    for id in 0..<600 { vectors.append(template(1), Int64(id)) }
    for _ in 0..<5 {
      let pairs = try vectors.closestPairs(count: 3, threads: threads, budget: .unlimited)
      #expect(pairs.map(\.first) == [0, 0, 0] && pairs.map(\.second) == [1, 2, 3])
    }
    #expect(try vectors.closest(to: template(1), count: 3, budget: .unlimited).map(\.id) == [0, 1, 2])
  }

  // Rows: V4.17-a
  @Test("the person's entry is found among others, with the score of a comparison")
  func search() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...600).map(entry))
      let probe = template(7000, near: 77)
      let search = try gallery.search(probe, count: 3)
      #expect(search.size == 600 && search.comparisons == 600 && search.candidates.count == 3)
      let first = try #require(search.candidates.first)
      #expect(first.path == "person 77" && first.isMatch && first.other == nil)
      #expect(!search.candidates[1].isMatch && search.candidates[1].score <= search.candidates[2].score)
      let engine = try Scripted.engine.get()
      let comparison = try engine.compare(probe, template(77))
      #expect(first.score == comparison.score && first.similarity == comparison.similarity)
      #expect(search.json.contains("\"path\" : \"person 77\""))
    }
  }

  @Test("the closest entries are returned in order, after any removals and replacements")
  func exact() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...9000).map(entry))
      let probe = template(5, quality: nil)
      _ = try gallery.search(probe)
      for i in stride(from: 1, to: 9000, by: 37) { try gallery.remove("person \(i)") }
      try gallery.add((8000...9500).map(entry))
      let left = (1...9500).filter { ($0 - 1) % 37 != 0 || $0 >= 8000 }
      let engine = try Scripted.engine.get()
      let scores = try engine.compare(probe, with: left.map { template($0) }).map(\.score)
      let expected = zip(left, scores).sorted { $0.1 < $1.1 }.prefix(20)
      for gallery in [gallery, try Gallery(path: gallery.path, engine: engine)] {
        let search = try gallery.search(probe, count: 20)
        #expect(search.size == left.count)
        #expect(search.candidates.map(\.path) == expected.map { "person \($0.0)" })
        #expect(search.candidates.map(\.score) == expected.map(\.1))
      }
    }
  }

  @Test("the false-match rate of a search is divided by its comparisons")
  func rates() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...10).map(entry))
      // 0.55 away, a score of -4.5: a match at 1e-4, no match at 1e-5.
      let probe = template(7000, near: 3, distance: 0.55)
      let loose = try gallery.search(probe, count: 1, at: FalseMatchRate(1e-3)!)
      #expect(abs(loose.comparisonRate.value - 1e-4) < 1e-12 && loose.candidates[0].isMatch)
      #expect(abs(try #require(loose.threshold).score + 4) < 1e-9)
      let strict = try gallery.search(probe, count: 1, at: FalseMatchRate(1e-4)!)
      #expect(abs(strict.comparisonRate.value - 1e-5) < 1e-12 && !strict.candidates[0].isMatch)
      let loosest = try gallery.search(probe, count: 1, at: FalseMatchRate(0.5)!)
      #expect(loosest.comparisonRate.value == 1e-2, "beyond one in a hundred nothing is decided")
    }
  }

  @Test("an unsupported rate yields no match, and the reason states a remedy")
  func unsupported() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...10).map(entry))
      let search = try gallery.search(template(4), at: FalseMatchRate(5e-6)!)
      #expect(search.candidates.first?.path == "person 4" && search.candidates.first?.similarity == 100)
      #expect(search.threshold == nil && !search.candidates.contains(where: \.isMatch))
      let note = try #require(search.note)
      #expect(
        note.contains("10 comparisons") && note.contains("1e-6 or more") && note.contains("a rate of 1e-5"), "\(note)")
      #expect(try gallery.search(template(4), at: FalseMatchRate(1e-5)!).note == nil)
    }
  }

  @Test("people with duplicate entries are found, and no others")
  func duplicates() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...1200).map(entry))
      try gallery.add(template(7000, near: 1100), name: "again")
      try gallery.add(template(7001, near: 3, distance: 0.1), name: "closer")
      let found = try gallery.duplicates(count: 5, at: FalseMatchRate(0.9)!)
      #expect(found.size == 1202 && found.comparisons == 1202 * 1201 / 2 && found.candidates.count == 5)
      #expect(found.candidates.filter(\.isMatch).map(\.path) == ["person 3", "person 1100"])
      #expect(found.candidates.filter(\.isMatch).map(\.other) == ["closer", "again"])
      #expect(code { _ = try gallery.duplicates(budget: Budget(seconds: 0)) } == .timeout)
    }
  }

  @Test("an empty gallery has no candidates, one person has no pair")
  func empty() throws {
    try withGallery { gallery, _ in
      #expect(try gallery.search(template(1)).candidates.isEmpty && gallery.duplicates().candidates.isEmpty)
      try gallery.add(template(1), name: "one")
      #expect(try gallery.duplicates().candidates.isEmpty)
      #expect(try gallery.search(template(1)).candidates.map(\.isMatch) == [true])
    }
  }

  @Test("entries are listed in the order of insertion, including failures, which no search finds")
  func records() throws {
    try withGallery { gallery, path in
      try gallery.add([entry(1), failed("b.jpg"), entry(2)])
      try gallery.add([entry(1)])
      for gallery in [gallery, try Gallery(opening: path)] {
        var paths: [String] = []
        try gallery.visit { paths.append($0.path) }
        #expect(paths == ["b.jpg", "person 2", "person 1"])
        let failure = try #require(try gallery.photo(at: "b.jpg"))
        #expect(failure.failure == .init(code: "no-face", message: "no face found") && failure.quality == nil)
        let photo = try #require(try gallery.photo(at: "person 2"))
        #expect(try photo.template.get().serialised() == template(2).serialised() && photo.quality == 50)
        #expect(try gallery.photo(at: "nobody") == nil)
        #expect(try gallery.hashes(policy: "any") == ["b.jpg": String(repeating: "a", count: 64)])
        #expect(try gallery.hashes(policy: "selfie").isEmpty)
        let information = try gallery.information
        #expect(information.templates == 2 && information.failures == 1 && !information.isEncrypted)
      }
      #expect(try gallery.search(template(1)).candidates.map(\.path).sorted() == ["person 1", "person 2"])
      #expect(try gallery.remove("b.jpg"))
      #expect(try !gallery.remove("b.jpg"))
      #expect(try gallery.information.failures == 0)
    }
  }

  @Test("a search sees the changes of other processes before it")
  func others() throws {
    try withGallery { gallery, path in
      let other = try Gallery(path: path, engine: Scripted.engine.get())
      try gallery.add((1...5).map(entry))
      #expect(try other.search(template(2)).size == 5 && gallery.search(template(2)).size == 5)
      try other.add([entry(6)])
      try gallery.add([entry(7)])
      #expect(try gallery.search(template(6)).candidates.first?.path == "person 6")
      #expect(try other.search(template(7)).candidates.first?.path == "person 7")
      try other.remove("person 2")
      #expect(try gallery.search(template(2)).candidates.allSatisfy { $0.path != "person 2" && !$0.isMatch })
      try other.add(template(2), name: "person 3")
      let search = try gallery.search(template(2))
      #expect(search.size == 6 && search.candidates.first?.path == "person 3")
    }
  }

  @Test("many threads add, remove and search concurrently")
  func threads() throws {
    try withGallery { gallery, _ in
      try gallery.add((1...200).map(entry))
      let failures = Batch.run(8, threads: 8) { thread -> String? in
        do {
          for i in 0..<12 {
            let number = 1000 + thread * 100 + i
            if thread % 2 == 0 {
              try gallery.add([entry(number)])
              if i % 3 == 0 { try gallery.remove("person \(number)") }
            } else {
              let search = try gallery.search(template(1 + i))
              guard search.candidates.first?.path == "person \(1 + i)" else { return "\(search.candidates)" }
            }
          }
        } catch { return "\(error)" }
        return nil
      }
      #expect(failures.allSatisfy { $0 == nil }, "\(failures)")
      #expect(try gallery.search(template(1)).size == 200 + 4 * 8 && gallery.count == 232)
    }
  }

  @Test("invalid names and incompatible templates add nothing of their batch")
  func refused() throws {
    try withGallery { gallery, path in
      for name in ["", "a\0b", String(repeating: "x", count: 4097)] {
        #expect(code { try gallery.add(template(1), name: name) } == .badArgument)
      }
      let foreign = FaceTemplate(
        modelIdentifier: "another-models-1", vector: [Float](repeating: 0, count: 128), cohortMean: 1,
        cohortDeviation: 1, quality: nil)
      #expect(
        code {
          try gallery.add([
            entry(1), EmbeddedPhoto(path: "x", sha256: nil, quality: nil, template: .success(foreign)),
          ])
        } == .incompatibleTemplate)
      #expect(code { _ = try gallery.search(foreign) } == .incompatibleTemplate)
      #expect(try gallery.count == 0)
      try gallery.add([entry(1)])
      #expect(code { _ = try gallery.search(template(1), count: 0) } == .badArgument)
      #expect(code { _ = try Gallery(opening: path).search(template(1)) } == .wrongState)
    }
  }
}

@Suite("A gallery's file")
struct GalleryFileTests {
  @Test("only the owner can read a gallery")
  func permissions() throws {
    try withGallery { gallery, path in
      try gallery.add([entry(1)])
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
  }

  @Test("a removed or replaced template is in no file afterwards, but was before", arguments: [1, 40, 400])
  func wiping(count: Int) throws {
    try withGallery { gallery, path in
      try gallery.add((1...count).map(entry))
      let removed = (1...count).filter { $0 % 3 != 0 }
      for i in removed { #expect(bytes(of: path).range(of: stored(template(i))) != nil) }
      for (i, number) in removed.enumerated() {
        if i % 2 == 0 { try gallery.remove("person \(number)") } else { try gallery.add([failed("person \(number)")]) }
      }
      let left = bytes(of: path)
      for i in 1...count {
        // Neither the whole vector nor the half that a page boundary might separate.
        let vector = stored(template(i))
        for part in [vector, vector.prefix(200), vector.suffix(200)] {
          #expect((left.range(of: part) != nil) == (i % 3 == 0), "\(i)")
        }
      }
      // The space is reused.
      let size = left.count
      try gallery.add((10_001...10_000 + removed.count).map(entry))
      #expect(bytes(of: path).count < size + 100 * removed.count + 20_000)
      #expect(try gallery.search(template(10_001)).candidates.first?.isMatch == true)
    }
  }

  @Test("with a key, no template is in the file in clear, and searches are unchanged")
  func encryption() throws {
    try withGallery(key: key) { gallery, path in
      try gallery.add((1...50).map(entry))
      let content = bytes(of: path)
      #expect((1...50).allSatisfy { content.range(of: stored(template($0)).prefix(64)) == nil })
      #expect(content.range(of: Data("person 7".utf8)) != nil, "names are not encrypted, as the documentation says")
      let other = try Gallery(path: path, engine: Scripted.engine.get(), key: key)
      #expect(try other.search(template(9)).candidates.first?.path == "person 9" && other.isEncrypted)
      #expect(try other.photo(at: "person 8")?.template.get().serialised() == template(8).serialised())
    }
  }

  @Test("a merge keeps the order, seals with the target's key, and is idempotent")
  func merge() throws {
    try withGallery(key: key) { gallery, _ in
      try withGallery { other, path in
        try other.add((1...1200).map(entry) + [failed("nobody")])
        try other.remove("person 2")
        try gallery.add([entry(7000), failed("person 3")])
        for _ in 1...2 { try gallery.merge(path) }
        #expect(try gallery.count == 1200 && gallery.information.failures == 1)
        var paths: [String] = []
        try gallery.visit { paths.append($0.path) }
        #expect(paths == ["person 7000", "person 1"] + (3...1200).map { "person \($0)" } + ["nobody"])
        #expect(try gallery.search(template(9000, near: 3)).candidates.first?.path == "person 3")
        #expect(problem { try other.merge(gallery.path) }?.code == .badArgument)
        try other.merge(gallery.path, key: key)
        #expect(try other.count == 1200)
        try other.merge(path)
        #expect(try other.count == 1200 && other.information.failures == 1)
      }
    }
  }

  @Test("merging the parts of a gallery yields the whole")
  func parts() throws {
    try withGallery { other, path in
      try other.add((1...10).map(entry))
      try other.remove("person 2")
      var paths: [String] = []
      for (first, count) in [(0, 4), (4, 4), (8, 4), (12, 4)] as [(Int, Int)] {
        try withGallery { gallery, _ in
          try gallery.merge(path, first: first, count: count)
          try gallery.visit { paths.append($0.path) }
        }
      }
      #expect(paths == [1, 3, 4, 5, 6, 7, 8, 9, 10].map { "person \($0)" })
      #expect(problem { try other.merge(path, first: -1) }?.code == .badArgument)
    }
  }

  @Test("a wrong, missing or superfluous key is reported immediately")
  func keys() throws {
    try withGallery(key: key) { gallery, path in
      try gallery.add([entry(1)])
      let wrong = try SealingKey([UInt8](repeating: 9, count: 32))
      let errors = [wrong, nil].map { key in problem { _ = try Gallery(opening: path, key: key) } }
      #expect(errors.map { $0?.code } == [.badArgument, .badArgument])
      #expect(errors[0]?.message.contains("not the key") == true, "\(errors)")
      #expect(errors[1]?.message.contains("give its key") == true, "\(errors)")
    }
    try withGallery { _, path in
      let error = problem { _ = try Gallery(opening: path, key: key) }
      #expect(error?.code == .badArgument && error?.message.contains("not encrypted") == true)
    }
  }

  @Test("swapped templates in an encrypted file are detected")
  func exchanged() throws {
    for sql in [
      "UPDATE template SET vector = (SELECT vector FROM template WHERE slot = 3 - t.slot) FROM template t "
        + "WHERE t.slot = template.slot",
      "UPDATE entry SET path = 'x' WHERE id = 1",
    ] {
      try withGallery(key: key) { gallery, path in
        try gallery.add([entry(1), entry(2)])
        try sqlite(path, sql)
        #expect(code { _ = try gallery.search(template(1)) } == .damaged)
      }
    }
  }

  @Test("keys are 32 bytes, or their hexadecimal digits in a file")
  func keyFiles() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/key"
      let digits = String(repeating: "0f", count: 32)
      for content in [
        [UInt8](repeating: 15, count: 32), Array(digits.utf8), Array((digits.uppercased() + "\r\n").utf8),
      ] {
        try write(content, to: path)
        let gallery = folder + "/" + UUID().uuidString
        try Gallery(path: gallery, engine: Scripted.engine.get(), key: SealingKey(path: path)).add([entry(1)])
        _ = try Gallery(opening: gallery, key: SealingKey([UInt8](repeating: 15, count: 32)))
      }
      for content in ["", "short", digits + "0", digits + "x", "x" + digits, digits + "\n\n\n"] {
        try write(Array(content.utf8), to: path)
        #expect(code { _ = try SealingKey(path: path) } == .badArgument, "\(content)")
      }
      #expect(code { _ = try SealingKey([1, 2, 3]) } == .badArgument)
      #expect(code { _ = try SealingKey(path: folder) } == .unreadable)
    }
  }

  @Test("a file that is not a gallery is rejected and left unchanged")
  func strangers() throws {
    let engine = try Scripted.engine.get()
    try withTemporaryFolder { folder in
      let path = folder + "/file"
      func refusal(_ content: [UInt8]?) throws -> VerifyError? {
        if let content { try write(content, to: path) }
        let before = FileManager.default.contents(atPath: path)
        let error = problem { _ = try Gallery(path: path, engine: engine) }
        #expect(FileManager.default.contents(atPath: path) == before)
        return error
      }
      #expect(
        try refusal(Array("not a database, but a text that is longer than the header of one".utf8))?.code
          == .unknownFormat)
      try FileManager.default.removeItem(atPath: path)
      try sqlite(path, "CREATE TABLE a (b)")
      #expect(try refusal(nil)?.message.contains("is a database but not a gallery") == true)
      #expect(code { _ = try Gallery(path: folder, engine: engine) } == .unreadable)
      #expect(code { _ = try Gallery(path: "/dev/null", engine: engine) } == .unreadable)
      #expect(code { _ = try Gallery(path: "", engine: engine) } == .badArgument)
      #expect(code { _ = try Gallery(path: folder + "/none/x", engine: engine) } == .unwritable)
      #expect(code { _ = try Gallery(opening: folder + "/none") } == .unreadable)
      #expect(names(in: folder) == ["file"])
    }
  }

  @Test("a gallery of a later version or of other models, and a truncated one, are rejected")
  func unreadable() throws {
    let engine = try Scripted.engine.get()
    try withGallery { gallery, path in
      try gallery.add((1...100).map(entry))
      let content = try #require(FileManager.default.contents(atPath: path))
      func refusal(_ sql: String) throws -> VerifyError? {
        try write(content, to: path)
        try sqlite(path, sql)
        return problem { _ = try Gallery(path: path, engine: engine) }
      }
      let version = try refusal("PRAGMA user_version = 2")
      #expect(version?.code == .unknownFormat && version?.message.contains("later release") == true)
      let set = try refusal("UPDATE gallery SET model_set = 'retail', model_identifier = 'retail-models-01'")
      #expect(set?.code == .incompatibleTemplate && set?.message.contains("model set retail") == true)
      #expect(try refusal("UPDATE gallery SET model_identifier = 'older-models-001'")?.code == .incompatibleTemplate)
      #expect(try refusal("DELETE FROM gallery")?.code == .damaged)
      for table in ["gallery", "entry", "template"] {
        try write(content, to: path)
        try sqlite(path, "DROP TABLE \(table)")
        #expect(code { _ = try Gallery(path: path, engine: engine).search(template(1)) } == .damaged, "\(table)")
      }
      for size in [100, 4096, 4 * 4096, content.count - 1] {
        try write(content.prefix(size), to: path)
        #expect(code { _ = try Gallery(path: path, engine: engine) } == .damaged, "\(size)")
      }
    }
  }

  @Test("no mutation of the file causes a crash, and errors have a code")
  func hostile() throws {
    let engine = try Scripted.engine.get()
    try withGallery { gallery, path in
      try gallery.add((1...20).map(entry) + [failed("b.jpg")])
      let content = try #require(FileManager.default.contents(atPath: path))
      var random = SplitMix(state: 5)
      for round in 0..<300 {
        var changed = content
        for _ in 0..<(1 + round % 20) {
          // Half of the mutations are in page headers.
          let page = Int.random(in: 0..<changed.count / 4096, using: &random) * 4096
          changed[page + Int.random(in: 0..<(round % 2 == 0 ? 4096 : 120), using: &random)] = .random(
            in: 0...255, using: &random)
        }
        try write(changed, to: path)
        do {
          let gallery = try Gallery(path: path, engine: engine)
          _ = try gallery.search(template(1))
          try gallery.visit { _ in }
          try gallery.remove("person 3")
          try gallery.add([entry(30)])
        } catch {
          let error = try #require(error as? VerifyError)
          #expect(error.code != .internalFailure, "\(error)")
        }
        try? FileManager.default.removeItem(atPath: path + "-journal")
      }
    }
  }

  @Test("impossible numbers in a template are damage")
  func impossible() throws {
    for value in ["zeroblob(520)", "x'00'", "NULL", "'text'", "replace(vector, x'cdcccc3d', x'0000c07f')"] {
      try withGallery { gallery, path in
        try gallery.add([entry(1)])
        try sqlite(path, "UPDATE OR IGNORE template SET vector = \(value)", mayFail: value == "NULL")
        if value != "NULL" { #expect(code { _ = try gallery.search(template(1)) } == .damaged, "\(value)") }
      }
    }
  }

  @Test("while another process holds a lock, changes wait, then time out")
  func held() throws {
    try withGallery { gallery, path in
      try gallery.add([entry(1)])
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "python3", "-c",
        "import sqlite3, sys, time\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
          + "c.execute('BEGIN EXCLUSIVE')\nprint('held', flush=True)\ntime.sleep(60)", path,
      ]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      defer { kill(process.processIdentifier, SIGKILL) }
      _ = pipe.fileHandleForReading.availableData
      let start = ContinuousClock.now
      let error = problem { try gallery.add([entry(2)]) }
      #expect(
        error?.code == .wrongState && error?.message.contains("another process") == true, "\(String(describing: error))"
      )
      #expect(.now - start > .seconds(8) && .now - start < .seconds(30))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try gallery.add([entry(2)])
      #expect(try gallery.count == 2)
    }
  }

  /// Changes a database from outside, like another process.
  private func sqlite(_ path: String, _ sql: String, mayFail: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        + "c.execute('PRAGMA writable_schema = ON')\nc.execute(sys.argv[2])\nc.close()", path, sql,
    ]
    if mayFail { process.standardError = FileHandle.nullDevice }
    try process.run()
    process.waitUntilExit()
    #expect(mayFail || process.terminationStatus == 0, "\(sql)")
  }
}

@Suite("Enrolling photos in a gallery")
struct EnrollingTests {
  private func withPhotos(_ body: (Gallery, [String]) throws -> Void) throws {
    try withGallery { gallery, path in
      let folder = (path as NSString).deletingLastPathComponent
      let paths = try (1...6).map { person in
        let path = "\(folder)/\(person).png"
        try write(ScriptedPicture(person: person, frame: person).pixels().encodedAsPNG(), to: path)
        return path
      }
      try write(ScriptedPicture([]).pixels().encodedAsPNG(), to: folder + "/nobody.png")
      try write(Array("text".utf8), to: folder + "/text.jpg")
      try body(gallery, paths + [folder + "/nobody.png", folder + "/text.jpg", folder + "/missing.jpg"])
    }
  }

  @Test("a photo is found by another one of the same person; failures are stored with their reason")
  func enrol() throws {
    try withPhotos { gallery, paths in
      try gallery.enrol(paths)
      #expect(try gallery.count == 6 && gallery.information.failures == 3)
      let codes = try paths.suffix(3).map { try gallery.photo(at: $0)?.failure?.code }
      #expect(codes == ["no-face", "unknown-format", "unreadable"])
      let engine = try Scripted.engine.get()
      let photo = try Scripted.photo(ScriptedPicture(person: 4, frame: 99) { $0.yaw = 3 })
      let probe = try #require(try engine.sample(photo, policy: .selfie).template)
      let search = try gallery.search(probe)
      #expect(search.candidates.filter(\.isMatch).map(\.path) == [paths[3]])
    }
  }

  @Test("an existing photo is embedded again only if its file or the policy has changed")
  func resumed() throws {
    try withPhotos { gallery, paths in
      func run(_ policy: QualityPolicy = .selfie, of paths: [String]) throws -> [Bool] {
        let embedded = Lock([Bool]())
        try gallery.enrol(paths, policy: policy) { step in
          if case .embedded = step {
            embedded.withLock { $0.append(true) }
          } else {
            embedded.withLock { $0.append(false) }
          }
        }
        return embedded.withLock { $0 }
      }
      #expect(try run(of: Array(paths.prefix(3))) == [true, true, true])
      // A file that is not a picture has no hash to recognise it by.
      #expect(try run(of: paths) == [false, false, false, true, true, true, true, true, true])
      #expect(try run(of: paths) == [false, false, false, false, false, false, false, true, true])
      try write(ScriptedPicture(person: 9).pixels().encodedAsPNG(), to: paths[1])
      #expect(try run(of: Array(paths.prefix(2))) == [false, true])
      #expect(try run(.any, of: Array(paths.prefix(2))) == [true, true])
      #expect(try gallery.count == 6)
    }
  }

  @Test("a budget ends a search, a merge and an enrolment, which then adds nothing")
  func budgets() throws {
    try withPhotos { gallery, paths in
      let over = Budget(seconds: 0)
      #expect(code { _ = try gallery.enrol(paths[0], budget: over) } == .timeout)
      #expect(try gallery.count == 0 && gallery.information.failures == 0)
      try gallery.enrol(paths[0])
      #expect(code { _ = try gallery.search(template(1), budget: over) } == .timeout)
      try withGallery { other, _ in
        #expect(code { try other.merge(gallery.path, budget: over) } == .timeout)
        let count = try other.count
        #expect(count == 0)
      }
    }
  }

  @Test("enrolling one photo is equivalent to enrolling many")
  func one() throws {
    try withPhotos { gallery, paths in
      for path in paths { try gallery.enrol(path, policy: .any) }
      #expect(try gallery.count == 6 && gallery.information.failures == 3)
      try withGallery { many, _ in
        try many.enrol(paths, policy: .any)
        for path in paths {
          let (a, b) = (try #require(try gallery.photo(at: path)), try #require(try many.photo(at: path)))
          #expect(a.sha256 == b.sha256 && a.quality == b.quality && a.policy == b.policy && a.failure == b.failure)
          #expect((try? a.template.get())?.serialised() == (try? b.template.get())?.serialised())
        }
      }
      // With another policy, so `enrol` must replace it.
      try gallery.add(try #require(try gallery.photo(at: paths[0])?.template.get()), name: paths[0])
      #expect(try !gallery.isEnrolled(paths[0]))
      #expect(try gallery.enrol(paths[0]).policy == "selfie")
      #expect(try gallery.isEnrolled(paths[0]) && !gallery.isEnrolled(paths[0], policy: .any))
      #expect(try !gallery.isEnrolled("missing"))
      let before = bytes(of: gallery.path)
      #expect(try gallery.enrol(paths[0]).failure == nil && bytes(of: gallery.path) == before)
    }
  }

  @Test("interrupted work keeps completed entries")
  func ended() throws {
    struct Ended: Error {}
    try withPhotos { gallery, paths in
      let left = Lock(3)
      #expect(throws: Ended.self) {
        try gallery.enrol(paths) { _ in
          if left.withLock({
            $0 -= 1
            return $0 == 0
          }) {
            throw Ended()
          }
        }
      }
      #expect((try? gallery.count) == 3)
    }
  }
}
