internal import FoundationEssentials

/// `models/manifest.json`: which files there are, where they come from, and what they must hash to.
public struct ModelManifest: Sendable, Codable {
  /// A model file.
  public struct Model: Sendable, Codable {
    public struct Source: Sendable, Codable {
      /// The PyPI package and the file's path in it.
      public let package: String?
      public let path: String?
      /// Where its maker publishes the file by itself: it is fetched only for a set that is asked for by name.
      public let url: String?
      /// The script in this repository that trained it.
      public let madeBy: String?
    }

    public struct Tensor: Sendable, Codable {
      public let shape: [Int]
      public let layout: String
      public let type: String
    }

    public let id: String
    public let role: String
    public let version: String
    public let file: String
    /// Lower-case hexadecimal.
    public let sha256: String
    /// Bytes.
    public let size: Int
    public let licence: String
    public let source: Source
    public let inputs: [Tensor]?
    public let outputs: [Tensor]?
  }

  public let schema: Int
  /// The models of each set, by id.
  public let sets: [String: [String]]
  /// The sets that an engine may choose by itself, the best first.
  public let preferred: [String]?
  /// What a set that is installed by itself is better at, with figures.
  public let gains: [String: String]?
  public let models: [Model]

  init(json: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw VerifyError(.damaged, "manifest.json cannot be read: it is not the JSON of a list of models")
    }
    guard schema == 1 else {
      throw VerifyError(.unknownFormat, "manifest.json has schema \(schema); this version reads schema 1")
    }
  }
}

/// Which models do the work.
public struct ModelSet: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Near and far BlazeFace detectors, 468-point mesh, iris, and an embedding network of our own, in OpenVINO.
  public static let standard = ModelSet(rawValue: "default")
  /// The same but for the embedding network, face-reidentification-retail-0095. Installed by itself.
  public static let retail = ModelSet(rawValue: "retail")
  /// dlib alone: HOG detector, five points, and its network. Slower, needs no OpenVINO, sees no mesh: what rests on the
  /// mesh (pose, eyes, mouth) is not checked. An independent check of the default set.
  public static let dlib = ModelSet(rawValue: "dlib")
}

/// Which models were used: part of every decision and report.
public struct ModelVersion: Sendable, Hashable {
  public let set: ModelSet
  /// Names the models that templates are made with, those that see the face included: templates of another identifier
  /// cannot be compared. The start of the hash over their hashes; 16 hexadecimal digits.
  public let identifier: String
  /// The same over all models of the set, those that only judge scores or frames included: what was measured with one
  /// revision says nothing certain of another.
  public let revision: String
  /// What most of the time is computed in. Templates of both can be compared with each other: see docs/performance.md.
  public let precision: Precision

  /// What networks compute in.
  public enum Precision: String, Sendable {
    case f32
    /// 8 bits of the 24 of a 32-bit float's significand; sums are f32.
    case bf16
  }

  /// The roles of models that only judge.
  private static let judges = [
    "calibration", "presentation attack detection", "weights of presentation-attack", "smile", "weights of smile",
  ]

  init(set: ModelSet, models: [ModelManifest.Model], precision: Precision) {
    func name(_ models: [ModelManifest.Model]) -> String {
      String(sha256(Array(models.map(\.sha256).joined().utf8)).prefix(16))
    }
    self.init(
      set: set, identifier: name(models.filter { !Self.judges.contains($0.role) }), revision: name(models),
      precision: precision)
  }

  package init(set: ModelSet, identifier: String, revision: String, precision: Precision = .f32) {
    self.set = set
    self.precision = precision
    self.identifier = identifier
    self.revision = revision
  }
}
