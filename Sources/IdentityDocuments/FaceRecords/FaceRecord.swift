/// What a face record says about its picture. Fields that the record or its standard lacks are nil or empty.
public struct FaceRecord: Sendable, Hashable {
  /// The record's own version: 10 or 30 (ISO/IEC 19794-5), or the year (ISO/IEC 39794-5).
  public internal(set) var version = 0

  // The person.
  public internal(set) var gender: CodedValue?
  public internal(set) var eyeColour: CodedValue?
  public internal(set) var hairColour: CodedValue?
  /// Millimetres; ISO/IEC 19794-5:2011 tells whole centimetres.
  public internal(set) var subjectHeight: Int?
  /// What is stated to be so or not, by name: `glasses`, `beard`, `mouth-open`…
  public internal(set) var properties: [String: Bool] = [:]
  /// `neutral`, `smile`, `frowning`…
  public internal(set) var expressions: [String: Bool] = [:]
  public internal(set) var yaw: FaceRecordAngle?
  public internal(set) var pitch: FaceRecordAngle?
  public internal(set) var roll: FaceRecordAngle?
  public internal(set) var featurePoints: [FaceRecordPoint] = []

  // The picture.
  public internal(set) var imageKind: CodedValue?
  /// What the record says of the compression; see ``FaceImage/format`` for what it is.
  public internal(set) var imageDataType: CodedValue?
  /// Pixels, as the record says; pictures may differ.
  public internal(set) var width: Int?
  public internal(set) var height: Int?
  public internal(set) var colourSpace: CodedValue?
  /// `cropped`, `down-sampled`, `multiply-compressed`…
  public internal(set) var postProcessing: [String: Bool] = [:]
  public internal(set) var lossyTransformations: CodedValue?
  /// Code of table 15 in ISO/IEC 19794-5:2011.
  public internal(set) var spatialSamplingRate: Int?
  public internal(set) var crossReference: Int?
  /// Pixels.
  public internal(set) var headWidth: Int?
  public internal(set) var interEyeDistance: Int?
  public internal(set) var eyeToMouthDistance: Int?
  public internal(set) var headLength: Int?
  public internal(set) var referenceColourSchema: String?
  public internal(set) var referenceColours: [ReferenceColour] = []

  // How it was taken.
  /// The kind of camera or scanner.
  public internal(set) var source: CodedValue?
  /// The maker's number for the device (ISO/IEC 19794-5).
  public internal(set) var deviceType: Int?
  public internal(set) var deviceVendor: Int?
  public internal(set) var deviceModel: RegistryIdentifier?
  public internal(set) var certifications: [RegistryIdentifier] = []
  /// `white-light`, `near-infrared`, `thermal`.
  public internal(set) var spectra: [String: Bool] = [:]
  /// ISO 8601 with the parts that are known, without a time zone.
  public internal(set) var captureTime: String?
  /// Millimetres.
  public internal(set) var cameraToSubjectDistance: Int?
  /// Millimetres.
  public internal(set) var sensorDiagonal: Int?
  /// Millimetres.
  public internal(set) var lensFocalLength: Int?
  public internal(set) var qualities: [FaceRecordQuality] = []
  public internal(set) var presentationAttack: PresentationAttackData?

  // The record among others (ISO/IEC 39794-5).
  public internal(set) var representationIdentifier: Int?
  public internal(set) var sessionIdentifier: Int?
  public internal(set) var derivedFrom: Int?

  init() {}
}
