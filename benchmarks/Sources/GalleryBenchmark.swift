@_spi(Benchmarks) import FaceVerifyStore
import Foundation

/// Galleries of random templates: `benchmark --gallery "100000 1000000" [--key]`. The cost of a search does not depend
/// on the values of the templates.
enum GalleryBenchmark {
  static func run(_ counts: [Int], isEncrypted: Bool) throws {
    let engine = try FaceEngine()
    let key = isEncrypted ? try SealingKey((0..<32).map { UInt8($0) }) : nil
    print("| templates | adding | on the disk | opening | first search | search | memory | all pairs |")
    print("|---|---|---|---|---|---|---|---|")
    for count in counts {
      let folder = NSTemporaryDirectory() + "/gallery \(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      print(try row(count, folder + "/people.fvg", engine, key))
    }
    print(
      "\n\(Machine.description); one thread; model set \(engine.modelVersion.set)\(isEncrypted ? ", encrypted" : "").")
  }

  private static func row(_ count: Int, _ path: String, _ engine: FaceEngine, _ key: SealingKey?) throws -> String {
    let adding = try seconds {
      let gallery = try Gallery(path: path, engine: engine, key: key)
      for start in stride(from: 0, to: count, by: 1000) {
        try gallery.add(
          (start..<min(count, start + 1000)).map {
            EmbeddedPhoto(
              path: "people/\($0 / 1000)/photo \($0).jpg", sha256: String(repeating: "0", count: 64), quality: 50,
              template: .success(template(engine.modelVersion.identifier)))
          })
      }
    }
    let probe = template(engine.modelVersion.identifier)
    let before = residentBytes
    var gallery: Gallery?
    let opening = try seconds { gallery = try Gallery(path: path, engine: engine, key: key) }
    guard let gallery else { return "" }
    let first = try seconds { _ = try gallery.search(probe) }
    let memory = Double(residentBytes - before) / Double(count * 512)
    let searches = try (0..<20).map { _ in try seconds { _ = try gallery.search(probe) } }.sorted()
    // All pairs of larger galleries take too long.
    let pairs = count <= 100_000 ? try seconds { _ = try gallery.duplicates() } : nil
    let bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    func text(_ seconds: Double) -> String {
      seconds < 1 ? String(format: "%.1f ms", 1000 * seconds) : String(format: "%.1f s", seconds)
    }
    return "| \(count) | \(text(adding)) | \(bytes / 1_000_000) MB | \(text(opening)) | \(text(first)) | "
      + "\(text(searches[searches.count / 2])) | \(String(format: "%.2f", memory)) of the vectors | "
      + "\(pairs.map(text) ?? "") |"
  }

  private static func template(_ identifier: String) -> FaceTemplate {
    FaceTemplate(
      benchmarking: (0..<128).map { _ in .random(in: -0.15...0.15) }, modelIdentifier: identifier)
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(body) / .seconds(1)
  }

  private static var residentBytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
  }
}
