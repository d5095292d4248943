/// What distinguishes one kind of document from another. ``all`` is the only table of kinds: another kind is one more
/// entry, in the order of `fv_document_type`, a type, and texts.
public struct DocumentKind: Sendable {
  public enum Side: String, Sendable { case front, back }

  /// A form in which documents of the kind are issued.
  public struct Form: Sendable {
    public let variant: DocumentVariant
    /// Codes of the issuing states (ICAO 9303-3, section 5); nil for all.
    var issuers: Set<String>?
    /// The sides to scan.
    public let sides: [Side]
    /// The side with the machine-readable zone; nil if none is required.
    public var zoneSide: Side?
    /// The side with the code, which is read instead of the text; nil without one.
    public var codeSide: Side?
    /// Whether data can be read from it; otherwise its pictures are kept, and the document fails.
    package var isReadable = true
  }

  public let type: DocumentType
  public let forms: [Form]
  /// The kind that a caller must accept by name if no chip authenticates the document.
  public let unauthenticated: UnauthenticatedDocument
  /// Its `documentType` in the specifications of identity-check SDKs.
  package let specificationName: String
  /// Classes by the code of the zone. A code that is absent has the class of its first letter.
  let classes: [String: DocumentClass]
  /// Titles that are printed on documents of the kind, in capitals without diacritics and spaces.
  let titles: [String]

  public static let all: [DocumentKind] = [
    // ICAO 9303-4, 4.4.
    DocumentKind(
      type: .passport, forms: [Form(variant: .paper, sides: [.front], zoneSide: .front)], unauthenticated: .page,
      specificationName: "PASSPORT",
      classes: [
        "P": .passport, "PP": .passport, "PE": .emergencyPassport, "PD": .diplomaticPassport, "PO": .officialPassport,
        "PR": .refugeePassport, "PT": .alienPassport, "PS": .statelessPassport, "PL": .laissezPasser,
        "PM": .militaryPassport, "PU": .emergencyTravelDocument,
      ],
      titles: titles(
        "PASSPORT|PASSEPORT|PASAPORTE|PASSAPORTO|PASSAPORTE|REISEPASS|PASPOORT|PASPORT|PASZPORT|PASAPORT|UTLEVEL|PASAPORTI|"
          + "CESTOVNI PAS|CESTOVNY PAS|PUTOVNICA|POTNI LIST|PUTNA ISPRAVA|PASSI|PASS|PAS|PASE|VEGABREF")),
    // ICAO 9303-7, 4.2.2.
    DocumentKind(
      type: .visa, forms: [Form(variant: .paper, sides: [.front], zoneSide: .front)], unauthenticated: .page,
      specificationName: "VISA", classes: ["V": .visa],
      titles: titles("VISA|VISUM|VISTO|VISADO|VIZA|VIIZA|VIISUM|VIISUMI|VIZUM|WIZA")),
    // ICAO 9303-5, 4.1 and 4.2.2.3, note k; 9303-6. Some states issue cards of paper or laminated paper, in addition to
    // or instead of plastic ones. Of these only Germany's provisional card has a zone (Personalausweisverordnung,
    // annex 2).
    DocumentKind(
      type: .idCard,
      forms: [
        Form(variant: .paper, issuers: ["D"], sides: [.front, .back]),
        Form(variant: .paper, issuers: ["GRC", "ITA"], sides: [.front, .back], isReadable: false),
        Form(variant: .plastic, sides: [.front, .back], zoneSide: .back),
      ],
      unauthenticated: .page, specificationName: "ID_CARD",
      classes: ["A": .identityCard, "C": .identityCard, "I": .identityCard, "AC": .crewMemberCertificate],
      // Residence permits have the format and, at the issuer's discretion, the codes of these cards (ICAO 9303-5).
      titles: titles(
        "IDENTITY CARD|NATIONAL IDENTITY CARD|IDENTIFICATION CARD|CARTE D IDENTITE|CARTE NATIONALE D IDENTITE|"
          + "PERSONALAUSWEIS|IDENTITATSKARTE|CARTA D IDENTITA|DOCUMENTO NACIONAL DE IDENTIDAD|TARJETA DE IDENTIDAD|"
          + "CEDULA DE IDENTIDAD|CEDULA DE CIUDADANIA|CARTAO DE CIDADAO|IDENTITEITSKAART|DOWOD OSOBISTY|"
          + "OBCANSKY PRUKAZ|OBCIANSKY PREUKAZ|SZEMELYAZONOSITO IGAZOLVANY|CARTE DE IDENTITATE|OSOBNA ISKAZNICA|"
          + "OSEBNA IZKAZNICA|LICNA KARTA|HENKILOKORTTI|IDENTITETSKORT|ISIKUTUNNISTUS|ASMENS TAPATYBES KORTELE|"
          + "PERSONAS APLIECIBA|KIMLIK KARTI|PASSPORT CARD|PERMANENT RESIDENT|PERMANENT RESIDENT CARD|RESIDENCE PERMIT|"
          + "TITRE DE SEJOUR|AUFENTHALTSTITEL|PERMESSO DI SOGGIORNO|PERMISO DE RESIDENCIA|TITULO DE RESIDENCIA|"
          + "VERBLIJFSTITEL|KARTA POBYTU|POVOLENI K POBYTU|POVOLENIE NA POBYT|OLESKELULUPA|UPPEHALLSTILLSTAND")),
    // States whose licences have a code as specified by the AAMVA standard.
    DocumentKind(
      type: .drivingLicence,
      forms: [Form(variant: .plastic, issuers: ["CAN", "USA"], sides: [.front, .back], codeSide: .back)],
      unauthenticated: .licence, specificationName: "DRIVING_LICENSE", classes: [:],
      // Directive 2006/126/EC, Annex I, 3; AAMVA DL/ID Card Design Standard, A.7.
      titles: titles(
        "DRIVER LICENSE|DRIVERS LICENSE|DRIVER LICENCE|DRIVERS LICENCE|DRIVING LICENCE|"
          + "PERMIS DE CONDUIRE|FUHRERSCHEIN|PATENTE DI GUIDA|PERMISO DE CONDUCCION|CARTA DE CONDUCAO|RIJBEWIJS|KOREKORT|"
          + "KORKORT|AJOKORTTI|PRAWO JAZDY|RIDICSKY PRUKAZ|VODICSKY PREUKAZ|VEZETOI ENGEDELY|PERMIS DE CONDUCERE|"
          + "VOZNISKO DOVOLJENJE|VOZACKA DOZVOLA|JUHILUBA|VADITAJA APLIECIBA|VAIRUOTOJO PAZYMEJIMAS|"
          + "LICENZJA TAS SEWQAN|CEADUNAS TIOMANA")),
  ]

  private static func titles(_ text: String) -> [String] {
    text.split(separator: "|").map { $0.filter { $0 != " " } }
  }

  /// The kind of a document with a code in its machine-readable zone: the one that has the very code, or else its first
  /// letter; nil if none has.
  static func of(code: String) -> DocumentKind? {
    all.first { $0.classes[code] != nil } ?? all.first { $0.classes[String(code.prefix(1))] != nil }
  }
}

/// The type of a document: the identifier of a ``DocumentKind``.
public struct DocumentType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let passport = Self(rawValue: "passport")
  public static let visa = Self(rawValue: "visa")
  public static let idCard = Self(rawValue: "id-card")
  /// Not determined by a machine-readable zone of ICAO 9303, but read from the code on its back (``DrivingLicence``).
  public static let drivingLicence = Self(rawValue: "driving-licence")
  public static let unknown = Self(rawValue: "unknown")

  public static let allCases = DocumentKind.all.map(\.type) + [.unknown]

  /// nil for ``unknown`` and for any other text.
  public var kind: DocumentKind? { DocumentKind.all.first { $0.type == self } }
}

/// A finer classification than ``DocumentType``, by the document's code.
public enum DocumentClass: String, Sendable, Codable, CaseIterable {
  case passport
  case emergencyPassport = "emergency-passport"
  case diplomaticPassport = "diplomatic-passport"
  case officialPassport = "official-passport"
  case refugeePassport = "refugee-passport"
  case alienPassport = "alien-passport"
  case statelessPassport = "stateless-passport"
  case laissezPasser = "laissez-passer"
  case militaryPassport = "military-passport"
  /// A Russian passport for use within the state.
  case internalPassport = "internal-passport"
  case emergencyTravelDocument = "emergency-travel-document"
  case visa
  case identityCard = "identity-card"
  case crewMemberCertificate = "crew-member-certificate"

  /// In English, such as "Diplomatic passport".
  public var name: String {
    let words = self == .laissezPasser ? rawValue : rawValue.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// - Returns: nil if the code is of no known kind.
  init?(code: String) {
    let classes = DocumentKind.of(code: code)?.classes
    guard let known = classes?[code] ?? classes?[String(code.prefix(1))] else { return nil }
    self = known
  }
}

/// The material of a document.
public enum DocumentVariant: String, Sendable, Codable, CaseIterable { case paper, plastic }

/// A selectable document.
public struct DocumentChoice: Sendable, Hashable {
  /// A code of ICAO 9303-3, section 5.
  public package(set) var country: String
  public package(set) var type: DocumentType
  public package(set) var variant: DocumentVariant

  public init(country: String, type: DocumentType, variant: DocumentVariant) {
    (self.country, self.type, self.variant) = (country, type, variant)
  }

  /// The document of a zone.
  public init(_ zone: MachineReadableZone) {
    let type = zone.documentType
    self.init(
      country: zone.issuingState, type: type, variant: type.kind?.forms.first { $0.zoneSide != nil }?.variant ?? .paper)
  }

  /// Returns all documents that this library can read. An empty list allows every value.
  ///
  /// - Parameter extractsOnly: whether only documents with readable data count.
  package static func all(
    countries: [String], types: [DocumentType], variants: [DocumentVariant], extractsOnly: Bool
  ) -> [DocumentChoice] {
    let countries = countries.isEmpty ? CountryName.codes.filter { icao($0) == $0 } : countries.map(icao)
    return countries.filter { CountryName.english($0) != nil }.flatMap { country in
      DocumentKind.all.filter { types.isEmpty || types.contains($0.type) }.flatMap { kind in
        kind.forms.filter {
          (variants.isEmpty || variants.contains($0.variant)) && $0.issuers?.contains(country) ?? true
            && ($0.isReadable || !extractsOnly)
        }.map { DocumentChoice(country: country, type: kind.type, variant: $0.variant) }
      }
    }
  }

  /// Germany is "D" in travel documents, but commonly written "DEU".
  package static func icao(_ country: String) -> String { country == "DEU" ? "D" : country }

  /// The form of the document; nil if the country issues none of the type and variant.
  package var form: DocumentKind.Form? {
    type.kind?.forms.first { $0.variant == variant && $0.issuers?.contains(country) ?? true }
  }

  /// Whether both are documents of the same country and type.
  package func isOf(_ other: Self) -> Bool { country == other.country && type == other.type }
}
