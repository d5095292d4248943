import EngineTestSupport
import ScriptedModels
import TestSupport

@testable import EmulatedChip
@testable import FaceVerify
@testable import FaceVerifyJourney

/// Journeys that are the same in each run, with their evidence.
enum RecordedJourney: String, CaseIterable, Sendable {
  /// A face that answers challenges and matches a photo, after a consent.
  case face
  /// A passport's chip, and a photo that matches its portrait.
  case passport
  /// A licence's code and front.
  case licence
  /// An interrupted, continued and cancelled one.
  case cancelled

  /// Its record in Tests/records.
  func stored() throws -> DecisionRecord {
    let path = "\(Installed.root)/Tests/records/\(rawValue).json"
    return try DecisionRecord(bytes: RegularFile.read(path: path, maximumBytes: 1 << 20))
  }

  func play(_ kept: JourneyPlay.Kept? = nil) throws -> JourneyPlay {
    let play = try JourneyPlay(evidence: kept) {
      $0.id = "0f3c8e1a-52a7-4c1e-9d55-0123456789ab"
      $0.accountID = "1f3c8e1a-52a7-4c1e-9d55-0123456789ab"
      $0.userReference = "case-17"
      try! configure(&$0)
    }
    try play.call(.start)
    switch self {
    case .face:
      try play.call(.consent(item: 0, isGiven: true))
      try play.passFace()
      try play.call(.finish)
    case .passport:
      try play.call(
        .startCredential(0), .startPart(.chip, mode: nil), .attachChip(Self.chip()), .finishPart, .finishCredential,
        .startCredential(1), .startPart(.face, mode: nil))
      let selfie = ScriptedPicture(person: 1, frame: 2) { $0.yaw = 4 }
      try play.call(.frame(JourneyFrame(selfie.pixels(), time: 0)), .takePicture)
      try play.call(.finishPart, .finishCredential, .finish)
    case .licence:
      try play.call(.startCredential(0), .startPart(.front, mode: .file), .attach(Scripted.photo(.one)), .finishPart)
      try play.call(.startPart(.back, mode: .barcode), .attachCode(JourneyLicenceTests().payload()))
      try play.call(.finishPart, .finishCredential, .finish)
    case .cancelled:
      try play.call(.startCredential(0), .startPart(.face, mode: nil), .pause, .resume, .report(.offline), .retry)
      try play.call(.frame(JourneyFrame(JourneyPlay.grey(), time: 0)), .cancel)
    }
    return play
  }

  private func configure(_ configuration: inout JourneyConfiguration) throws {
    switch self {
    case .face:
      configuration.portrait = .photo(try Photo(bytes: Scripted.photo(.one).pixels().encodedAsPNG()))
      configuration.consents = [.init("Your face is compared.", isActive: true)]
    case .passport:
      configuration.requests = [.init(.id), .init(.face)]
      (configuration.requests[0].types, configuration.requests[0].countries) = ([.passport], ["UTO"])
      (configuration.readsPages, configuration.requiresChip) = (false, true)
      configuration.faceModes = [.faceManual]
      configuration.assurance.presence = .photo
      configuration.trust = EmulatedState.shared.trust()
      configuration.date = CalendarDate("2026-06-01")
    case .licence:
      configuration.requests = [.init(.id)]
      (configuration.requests[0].types, configuration.requests[0].countries) = ([.drivingLicence], ["USA"])
      configuration.date = CalendarDate("2024-06-01")
      configuration.assurance.accepted = [.licence]
      configuration.givesInstantFeedback = false
    case .cancelled: break
    }
  }

  private static func chip() throws -> ChipFiles {
    var document = EmulatedDocument()
    document.zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18"
    document.portrait = try EmulatedDocument.dataGroup2(Scripted.photo(.one).pixels().encodedAsJPEG())
    document.issue()
    let names: [String: UInt16] = ["EF.DG1": 0x0101, "EF.DG2": 0x0102, "EF.SOD": 0x011D]
    return try ChipFiles(files: names.mapValues { document.application[$0] ?? [] })
  }
}

extension JourneyPlay.Kept {
  /// The files of this evidence, by the numbers of the inputs; pictures as BMP, which is cheap to write and to read.
  var files: [Int: [UInt8]] {
    all.withLock { all in
      all.reduce(into: [:]) { files, input in
        switch input.1 {
        case .picture(let picture): files[input.0.index] = Self.bitmap(picture)
        case .bytes(let bytes): files[input.0.index] = bytes
        }
      }
    }
  }

  private static func bitmap(_ picture: PixelBuffer) -> [UInt8] {
    func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let (row, stride) = (3 * picture.width, (3 * picture.width + 3) / 4 * 4)
    var rows = [UInt8](repeating: 0, count: stride * picture.height)
    for y in 0..<picture.height {
      let line = (picture.height - 1 - y) * stride
      for i in Swift.stride(from: 0, to: row, by: 3) {
        for k in 0..<3 { rows[line + i + k] = picture.rgb[y * row + i + 2 - k] }
      }
    }
    let head = little(picture.width) + little(picture.height) + little(1, 2) + little(24, 2)
    return Array("BM".utf8) + little(54 + rows.count) + little(0) + little(54) + little(40) + head
      + [UInt8](repeating: 0, count: 24) + rows
  }
}
