/// The tables behind the rules of records, published for other verifiers as `docs/record.tables.json`.
enum RecordTables {
  /// The evidence that a live decision of a mode needs, whatever its policy required. Permanent, like the schema.
  struct PresenceRow {
    let level: Assurance.Presence
    let modes: [ScanMode]
    /// Signals that must pass.
    let required: [LivenessSignal]
    /// Signals that must not fail.
    let fatal: [LivenessSignal]
    let hasScript: Bool
  }

  private static let seen: [LivenessSignal] = [.observationTime, .identityContinuity, .singleFace, .texture]
  private static let fatal: [LivenessSignal] = [
    .identityContinuity, .portraitIdentity, .planarity, .texture, .moire, .skinChange, .eyeMovement, .frameRepetition,
    .frameOrder, .frameBlend, .frameClock, .cameraDevice, .arrivalRate,
  ]

  static let presence = [
    PresenceRow(level: .photo, modes: [.faceManual], required: [.texture], fatal: [], hasScript: false),
    PresenceRow(level: .passiveVideo, modes: [.passive], required: seen, fatal: fatal, hasScript: false),
    PresenceRow(
      level: .challengeAnswered, modes: [.liveness, .strict], required: [.challengeCompliance] + seen, fatal: fatal,
      hasScript: true),
  ]

  /// The false-match rates at which the calibration's curve for photos gives the maximum of a signal.
  static let identity: [LivenessSignal: Double] = [.identityContinuity: 1e-2, .portraitIdentity: 1e-3]

  /// Thresholds for copies of one picture, as pixels and as templates: of two photos, and where one side is of frames
  /// or of a document.
  static let samePicture = ["photos": [0.985, 0.9], "frames": [0.9, 0.8]]

  /// This version's signals with minimum and maximum; those of ``identity`` are scores of the calibration.
  static let limits: [LivenessSignal: [JSONValue]] = Dictionary(
    uniqueKeysWithValues: LivenessAnalysis(LivenessContext(calibration: nil)).checks.map { check in
      let json = check.jsonValue
      return (check.name, [json["minimum"] ?? .null, json["maximum"] ?? .null])
    })

  /// For each call the states in which it is allowed, each with the states that it leads to.
  private static var calls: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: JourneyTable.rows.map { row in
          let moves = row.moves.flatMap { move in
            move.from.map { ($0.rawValue, JSONValue.array(move.to.map { .string($0.rawValue) })) }
          }
          return (row.call.rawValue, .object(Dictionary(uniqueKeysWithValues: moves)))
        }))
  }

  /// - Parameter calibrations: SHA-256 of the canonical JSON of the recorded curves, by the revision of the models.
  static func json(calibrations: [String: String]) -> JSONValue {
    func texts(_ values: [some RawRepresentable<String>]) -> JSONValue { .array(values.map { .string($0.rawValue) }) }
    func object<Value>(_ values: [LivenessSignal: Value], _ json: (Value) -> JSONValue) -> JSONValue {
      .object(Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, json($0.value)) }))
    }
    return [
      "calls": calls,
      "presence": .array(
        presence.map {
          [
            "level": .string($0.level.rawValue), "modes": texts($0.modes),
            "required": texts($0.required), "fatal": texts($0.fatal), "hasScript": .bool($0.hasScript),
          ]
        }),
      "documents": .object(
        Dictionary(
          uniqueKeysWithValues: DocumentKind.all.map { kind in
            let variants = DocumentVariant.allCases.filter { kind.forms.map(\.variant).contains($0) }
            return (
              kind.type.rawValue,
              ["unauthenticated": .string(kind.unauthenticated.rawValue), "variants": texts(variants)]
            )
          })),
      "identity": object(identity, JSONValue.number),
      "samePicture": .object(samePicture.mapValues { .array($0.map(JSONValue.number)) }),
      "limits": [FaceVerifyVersion.string: object(limits, JSONValue.array)],
      "calibrations": .object(calibrations.mapValues(JSONValue.string)),
    ]
  }
}

extension DecisionRecord {
  /// The tables that the rules use, published as `docs/record.tables.json`, with the calibrations of the models in a
  /// folder; nil for the default one.
  package static func tables(modelsFolder: String? = nil) throws -> JSONValue {
    let store = try ModelStore(folder: ModelStore.folder(modelsFolder))
    var calibrations: [String: String] = [:]
    for set in store.manifest.sets.keys.map(ModelSet.init(rawValue:)) {
      let revision = ModelVersion(set: set, models: try store.models(of: set), precision: .f32).revision
      guard let calibration = store.calibration(of: set, revision: revision) else { continue }
      calibrations[revision] = sha256(calibration.recordedCurves.canonical)
    }
    return RecordTables.json(calibrations: calibrations)
  }
}
