/// One check of a document.
public typealias DocumentCheck = Check<DocumentCheckName>

public struct DocumentCheckName: CheckName, CustomStringConvertible {
  public typealias Reason = DocumentReason

  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// No field failed, and those that identify the holder and the document passed.
  public static let validation = Self(rawValue: "validation")
  /// The document is valid on the day of the report.
  public static let expiry = Self(rawValue: "expiry")
  /// The machine-readable zones of page and chip agree. Failed if a page was given and its zone not read.
  public static let mrzMatchesChip = Self(rawValue: "mrz-matches-chip")
  /// The chip is present and complete: see ``ChipEvidence/problem``. Not checked if no chip was given or expected.
  public static let chipRead = Self(rawValue: "chip-read")
  /// The chip is authentic: passive authentication by a trusted certificate passed.
  public static let passiveAuthentication = Self(rawValue: "passive-authentication")
  /// The pages belong to one document and show one person; for a licence, its front and the code on its back. Failed
  /// if zones or faces differ. Not checked with one page, or if nothing could be compared.
  public static let pagesMatch = Self(rawValue: "pages-match")
  /// The page shows the person of the chip. Not checked if a face is missing or too poor to decide.
  public static let portraitMatchesChip = Self(rawValue: "portrait-matches-chip")
  /// The text printed on the pages states the same as the zone, the chip or the code. Failed if another value is printed
  /// at a field's caption. Not checked if the text was not read, if the number, the surname, or the date of birth or of
  /// expiry was not found in it, or if another value may be printed at a caption.
  public static let printMatches = Self(rawValue: "print-matches")

  public static let allCases: [Self] = [
    .validation, .expiry, .mrzMatchesChip, .chipRead, .passiveAuthentication, .pagesMatch, .portraitMatchesChip,
    .printMatches,
  ]
}

extension DocumentCheck {
  /// In a record, which has no texts.
  package var recordValue: JSONValue {
    ["name": .string(name.rawValue), "status": .string(status.rawValue), "reason": .optional(reason?.rawValue)]
  }

  /// Returns the checks of whether the sides of a document belong together, including those that were not checked.
  static func sides(_ checks: [DocumentCheck]) -> [DocumentCheck] {
    [DocumentCheckName.pagesMatch, .portraitMatchesChip].map { name in
      checks.first { $0.name == name } ?? DocumentCheck(name, .notChecked, .oneSource)
    }
  }
}

/// A field in which page and chip differ, the front of a licence and the code on its back, or one of these and the printed
/// text.
public struct DocumentMismatch: Sendable, Hashable {
  public let name: DocumentFieldName
  public let page: DocumentField
  /// ``DocumentField/absent`` if the page differs from a code.
  public let chip: DocumentField
  /// The field of a licence's code; nil without one.
  public var code: DocumentField?
  /// What is printed; nil if the text agrees, or was not read.
  public var print: DocumentField?
}

/// Whether a portrait and data match the hashes of a report.
public struct DocumentBinding: Sendable, Hashable {
  /// Not checked if there is no portrait, here or in the report.
  public let portrait: CheckStatus
  /// Not checked if the report has no data.
  public let data: CheckStatus
}
