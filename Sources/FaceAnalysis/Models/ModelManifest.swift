internal import FoundationEssentials

/// `models/manifest.json`: which files there are, where they come from, and what they must hash to.
public struct ModelManifest: Sendable, Codable {
  /// A model file.
  public struct Model: Sendable, Codable {
    public struct Source: Sendable, Codable {
      /// The PyPI package and the file's path in it.
      public let package: String?
      public let path: String?
      /// The model that this one is converted from, at installation.
      public let convertedFrom: String?
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
