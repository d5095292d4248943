internal import FoundationEssentials

/// `models/manifest.json`: the model files, their sources and their SHA-256 hashes.
public struct ModelManifest: Sendable, Codable {
  /// A model file.
  public struct Model: Sendable, Codable {
    public struct Source: Sendable, Codable {
      /// The PyPI package and the file's path in it.
      public let package: String?
      public let path: String?
      /// The publisher's URL of the single file; downloaded only for a set requested by name.
      public let url: String?
      /// The script in this repository that trained it.
      public let madeBy: String?
    }

    public struct Tensor: Sendable, Codable {
      public let shape: [Int]
      public let layout: String
      public let type: String
    }

    /// How an embedding network takes a face.
    public struct View: Sendable, Codable {
      /// The points of the face that are brought to fixed positions: "chip" or "irises-nose-mouth".
      public let alignment: String
      /// Their positions in the view as fractions of its side; nil for "chip".
      public let positions: [[Double]]?
      /// The size of the face in the first view and in the second, mirrored one, relative to the alignment.
      public let zooms: [Double]
      /// The order of the input's planes: "bgr" or "rgb".
      public let channels: String
      /// The input is (byte + bias) · scale; 0 and 1 if absent.
      public let bias: Float?
      public let scale: Float?
    }

    /// Templates of an embedding network count as copies of one picture from these scores on, 1 minus their distance
    /// (source: models/README.md).
    public struct Copies: Sendable, Codable {
      public let photos: Double
      /// If a side is frames of a stream or a document's portrait.
      public let frames: Double
    }

    public let id: String
    /// What the engine uses the model for; a set has one model per role, except for weights.
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
    /// The identifier of the model that holds this network's weights; nil if they are in its own file.
    public let weights: String?
    /// The number formats that hardly change its results (docs/performance.md); f32 only if absent.
    public let precisions: [String]?
    public let view: View?
    /// Nil if it was not measured: templates are not searched for copies.
    public let copies: Copies?
    /// The characters of a recognition network's classes from 1 on; class 0 is no character.
    public let alphabet: String?

    package func computes(in precision: ModelVersion.Precision) -> Bool {
      precision == .f32 || precisions?.contains(precision.rawValue) == true
    }
  }

  public let schema: Int
  /// The models of each set, by id.
  public let sets: [String: [String]]
  /// The sets that an engine may select automatically, the best first.
  public let preferred: [String]?
  /// The advantages of each set that is installed separately, with figures.
  public let gains: [String: String]?
  public let models: [Model]

  init(json: [UInt8]) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(json))
    } catch {
      throw VerifyError(.damaged, "manifest.json is not a valid model manifest")
    }
    guard schema == 1 else {
      throw VerifyError(.unknownFormat, "manifest.json has schema \(schema); this version reads schema 1")
    }
  }
}

/// A named set of models.
public struct ModelSet: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Near and far BlazeFace detectors, 468-point mesh, iris, and this project's own embedding network, in OpenVINO.
  public static let standard = ModelSet(rawValue: "default")
  /// Like ``standard`` with another embedding network, face-reidentification-retail-0095. Installed separately.
  public static let retail = ModelSet(rawValue: "retail")
  /// dlib only: HOG detector, five-point landmarks, and dlib's network. Slower, needs no OpenVINO, has no mesh:
  /// measures that need the mesh (pose, eyes, mouth) are not checked. An independent check of the default set.
  public static let dlib = ModelSet(rawValue: "dlib")
}

/// The identity of the models in use: part of every decision and report.
public struct ModelVersion: Sendable, Hashable {
  public let set: ModelSet
  /// Identifies the models that determine a template, detectors and landmarks included: templates with different
  /// identifiers are not comparable. The first 16 hexadecimal digits of the SHA-256 of the models' hashes.
  public let identifier: String
  /// Like ``identifier``, over all models of the set, including those that only judge scores or frames: measurements
  /// made with one revision are not valid for another.
  public let revision: String
  /// The precision of the networks that take most of the time. Templates of both precisions are comparable: see
  /// docs/performance.md.
  public let precision: Precision

  /// The number format in which networks compute.
  public enum Precision: String, Sendable {
    case f32
    /// 8 of the 24 significand bits of a 32-bit float; accumulates in f32.
    case bf16
  }

  /// The roles of models that only judge scores or frames.
  private static let judges = ["calibration", "presentation attack detection", "smile"]

  package init(set: ModelSet, models: [ModelManifest.Model], precision: Precision) {
    func name(_ models: [ModelManifest.Model]) -> String {
      String(sha256(Array(models.map(\.sha256).joined().utf8)).prefix(16))
    }
    let judges = models.filter { Self.judges.contains($0.role) }
    let excluded = Set(judges.map(\.id) + judges.compactMap(\.weights))
    self.init(
      set: set, identifier: name(models.filter { !excluded.contains($0.id) }), revision: name(models),
      precision: precision)
  }

  package init(set: ModelSet, identifier: String, revision: String, precision: Precision = .f32) {
    (self.set, self.precision, self.identifier, self.revision) = (set, precision, identifier, revision)
  }
}

extension ModelVersion: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "set": .string(set.rawValue), "identifier": .string(identifier), "revision": .string(revision),
      "precision": .string(precision.rawValue),
    ]
  }
}
