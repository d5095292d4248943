import FaceAnalysis
import Glibc
import TestSupport
import Testing

/// Each test uses a separate folder with links to the installed models.
@Suite("Model files", .needsModels, .serialized)
struct ModelStoreTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    var name = Array("/tmp/faceverify-test-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&name)))
    defer { remove(folder: folder) }
    let store = try ModelStore(folder: Installed.models)
    for file in ["manifest.json"] + store.manifest.models.map(\.file) {
      symlink(Installed.models + "/" + file, folder + "/" + file)
    }
    try body(folder)
  }

  private func remove(folder: String) {
    guard let directory = opendir(folder) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name == "." || name == ".." { continue }
      if unlink(folder + "/" + name) != 0 { remove(folder: folder + "/" + name) }
    }
    closedir(directory)
    rmdir(folder)
  }

  private func load(_ folder: String) throws -> FacePipeline {
    let models = try LoadedModels(
      set: .standard, store: ModelStore(folder: folder), threads: 1, cacheFolder: folder + "/cache")
    try models.preload()
    return try models.makePipeline()
  }

  // Rows: J10
  @Test("a missing, truncated or replaced file is never used, and the message has a remedy")
  func wrong() throws {
    try withFolder { folder in
      let path = folder + "/face_landmark.tflite"
      let whole = try RegularFile.read(path: path, maximumBytes: 1 << 24)
      unlink(path)
      #expect { _ = try load(folder) } throws: {
        let error = $0 as? VerifyError
        return error?.code == .modelMissing && error?.message.contains("install the models") == true
      }
      try RegularFile.write(whole.dropLast(10), to: path)
      #expect { _ = try load(folder) } throws: {
        let error = $0 as? VerifyError
        return error?.code == .modelMismatch && error?.message.contains(path) == true
          && error?.message.contains(sha256(whole)) == true
          && error?.message.contains(sha256(Array(whole.dropLast(10)))) == true
      }
      // Before any photo is read.
      #expect(throws: VerifyError(.modelMismatch, "")) {
        try LoadedModels(set: .standard, store: ModelStore(folder: folder), threads: 1)
      }
      var replaced = whole
      replaced[replaced.count / 2] ^= 1
      try RegularFile.write(replaced, to: path)
      #expect(throws: VerifyError(.modelMismatch, "")) { _ = try load(folder) }
      try RegularFile.write(whole, to: path)
      _ = try load(folder)
    }
  }

  @Test("a model is verified even if its compiled form is cached")
  func cached() throws {
    try withFolder { folder in
      _ = try load(folder)
      let path = folder + "/iris_landmark.tflite"
      unlink(path)
      try RegularFile.write([1, 2, 3], to: path)
      #expect(throws: VerifyError(.modelMismatch, "")) { _ = try load(folder) }
    }
  }

  @Test("damaged cache files are ignored and replaced; without a cache everything works")
  func damagedCache() throws {
    try withFolder { folder in
      _ = try load(folder)
      let cache = folder + "/cache"
      let directory = try #require(opendir(cache))
      var files: [String] = []
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name.hasSuffix(".blob") { files.append(cache + "/" + name) }
      }
      closedir(directory)
      #expect(files.count == 7)
      for (i, file) in files.enumerated() {
        var bytes = try RegularFile.read(path: file, maximumBytes: 1 << 28)
        switch i {
        case 0: bytes = []
        case 1: bytes.removeLast(1000)
        case 2: bytes[bytes.count / 2] ^= 1
        case 3: bytes = Array("nonsense".utf8)
        default: bytes += [0]
        }
        try RegularFile.write(bytes, to: file)
      }
      let pipeline = try load(folder)
      #expect(try pipeline.locate(in: Photo(PixelBuffer.plain(width: 300, height: 300))).isEmpty)
      for file in files { #expect(try RegularFile.read(path: file, maximumBytes: 1 << 28).count > 1000) }
      // A cache folder that cannot be created: its parent is a file.
      let models = try LoadedModels(
        set: .standard, store: ModelStore(folder: folder), threads: 1,
        cacheFolder: folder + "/manifest.json/cache")
      _ = try models.makePipeline()
    }
  }

  @Test("a missing manifest, an unknown set and a malformed manifest have distinct errors")
  func manifests() throws {
    try withFolder { folder in
      #expect(throws: VerifyError(.modelMissing, "")) { try ModelStore(folder: folder + "/cache") }
      #expect(throws: VerifyError(.badArgument, "")) {
        try LoadedModels(set: ModelSet(rawValue: "none"), store: ModelStore(folder: folder), threads: 1)
      }
      unlink(folder + "/manifest.json")
      try RegularFile.write(Array("{\"schema\": 1".utf8), to: folder + "/manifest.json")
      #expect(throws: VerifyError(.damaged, "")) { try ModelStore(folder: folder) }
    }
  }
}
