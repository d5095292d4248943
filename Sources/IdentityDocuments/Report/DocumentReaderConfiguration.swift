/// How a document is read.
///
/// Of the settings that document readers with a screen have, these change what is read. showPreview, showErrors,
/// showSecurityCheck, showRFIDStatus and showRFIDInstructions belong to the page that shows a reading; databaseId and
/// databasePath name a database of templates, which is not needed here.
public struct DocumentReaderConfiguration: Sendable, Hashable {
  /// A chip is asked for: without one, the report says so.
  public let readRFID: Bool
  /// Further pages of the same document are looked at too; if false, none behind the first that has a machine readable zone.
  public let multipage: Bool
  /// Seconds, 10...60: how long a machine readable zone is looked for. Also called scannerTimeout.
  public let mrzReadTimeout: Double
  /// Seconds, 10...60: how long a chip is read. Also called rfidTimeout.
  public let rfidReadTimeout: Double

  /// Both in seconds. Neither timeout can be switched off.
  public static let timeouts = 10.0...60.0

  /// - Throws: ``VerifyError/Code/badArgument`` if a timeout is out of its range.
  public init(
    readRFID: Bool, multipage: Bool = true, mrzReadTimeout: Double = 30, rfidReadTimeout: Double = 30
  ) throws {
    for (name, seconds) in [("mrzReadTimeout", mrzReadTimeout), ("rfidReadTimeout", rfidReadTimeout)] {
      guard Self.timeouts.contains(seconds) else {
        throw VerifyError(.badArgument, "\(name) is \(seconds) s; it must be between 10 and 60 s")
      }
    }
    self.readRFID = readRFID
    self.multipage = multipage
    self.mrzReadTimeout = mrzReadTimeout
    self.rfidReadTimeout = rfidReadTimeout
  }
}
