/// The result of analysing one photo: its faces, quality and template.
public struct FaceSample: Sendable {
  /// SHA-256 of the photo's file (or of its pixels), in lower-case hexadecimal.
  public let sha256: String
  /// One of ``PictureFormat``, or "pixels".
  public let format: String
  /// Pixels of the upright photo.
  public let width: Int
  public let height: Int
  /// Problems with the photo's file that did not prevent reading it.
  public let warnings: [PhotoWarning]
  /// All faces found, most prominent first: the largest, weighted by closeness to the centre of the frame.
  public let faces: [Face]
  public var face: Face { faces[0] }
  public let quality: QualityReport
  /// nil if the quality policy refused the photo, or if no template was requested.
  public let template: FaceTemplate?
  /// nil without a ``template`` or a mesh.
  let detail: FaceDetail?

  init(photo: Photo, faces: [Face], quality: QualityReport, template: FaceTemplate?, detail: FaceDetail?) {
    sha256 = photo.sha256
    format = photo.format
    width = photo.width
    height = photo.height
    warnings = photo.warnings
    (self.faces, self.quality, self.template, self.detail) = (faces, quality, template, detail)
  }

  /// Which of several faces was chosen, and why; nil if there is only one.
  public var choice: String? {
    guard faces.count > 1 else { return nil }
    func size(_ face: Face) -> String { "\(Int(face.box.width.rounded()))" }
    return
      "\(faces.count) faces; selected the most prominent, \(size(faces[0])) pixels wide: ranked by size and distance from "
      + "the middle of the frame; the next is \(size(faces[1])) pixels wide"
  }
}

/// One side of a comparison.
public enum FaceInput: Sendable {
  case photo(Photo)
  /// A template that was enrolled earlier.
  case template(FaceTemplate)
  /// A template of a photo that the caller has not kept: it proves as much as the photo.
  case photoTemplate(FaceTemplate)
  /// The portrait of the document's chip or page; not for a selfie.
  case document(DocumentReading)

  /// nil unless it is a template.
  package var template: FaceTemplate? {
    switch self {
    case .template(let template), .photoTemplate(let template): template
    case .photo, .document: nil
    }
  }

  /// The level that a match with this portrait proves.
  package var binding: Assurance.Binding {
    switch self {
    case .photo, .photoTemplate: .suppliedPhoto
    case .template: .enrolledTemplate
    case .document(let reading): reading.portrait?.source == .chip ? .chipPortrait : .pagePortrait
    }
  }

  /// Reads a template or a photo from a file; the content determines which, not the name.
  ///
  /// - Throws: as ``Photo/init(path:limits:)`` and ``FaceTemplate/init(serialised:)``; the message names the file.
  public init(path: String, limits: ImageLimits = .init()) throws {
    let bytes = try RegularFile.read(path: path, maximumBytes: limits.maximumBytes)
    guard FaceTemplate.isTemplate(bytes) else {
      self = .photo(try Photo(bytes: bytes, limits: limits, name: path))
      return
    }
    self = .template(try VerifyError.naming(path) { try FaceTemplate(serialised: bytes) })
  }
}

/// The parameters of a comparison.
public struct ComparisonPolicy: Sendable {
  /// The required quality of the selfie.
  public var selfie: QualityPolicy = .selfie
  /// The required quality of the portrait, depending on its source.
  public var portrait: QualityPolicy = .documentPortrait
  /// The false-match rate of the threshold.
  public var falseMatchRate: FalseMatchRate = .oneIn1000

  public init() {}
}

extension FaceSample: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "input": Photo.json(sha256: sha256, format: format, width: width, height: height, warnings: warnings),
      "faces": faces.jsonValue, "choice": .optional(choice), "quality": quality.jsonValue,
    ]
  }
}

/// The JSON of several photos: the models, and each photo's result or error in the given order.
package enum PhotoRecord {
  package static func all(_ records: [JSONValue], by engine: FaceEngine) -> JSONValue {
    ["version": .string(FaceVerifyVersion.string), "models": engine.modelVersion.jsonValue, "photos": .array(records)]
  }

  package static func failed(_ path: String, _ error: VerifyError) -> JSONValue {
    error.jsonValue.with("file", .string(path))
  }
}

extension ComparisonPolicy: JSONTable {
  package static let subject = "a comparison"
  package static var blank: Self { Self() }
  package static var memberTable: [JSONMember<Self>] {
    [.init("falseMatchRate", \.falseMatchRate), .init("selfie", \.selfie), .init("portrait", \.portrait)]
  }
  public var jsonValue: JSONValue { tableJSON }
}
