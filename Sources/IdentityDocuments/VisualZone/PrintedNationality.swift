/// A nationality as printed: a code, a state's name or an adjective, in one language or more.
enum PrintedNationality {
  enum Comparison { case same, other, unknown }

  /// Compares a printed nationality with a code of ICAO 9303-3, section 5. It differs only if both are of states in the
  /// table: territories, groups of British nationals, organisations, and persons without a nationality are printed in too
  /// many ways.
  static func compare(_ text: String, with code: String) -> Comparison {
    let code = code == "DEU" ? "D" : code
    let parts = text.split { "/|·,;()".contains($0) }.map(plain).filter { !$0.isEmpty }
    if parts.contains(where: { name in name == plain(code) || name == CountryName.english(code).map(plain) }) {
      return .same
    }
    let states = Set(parts.compactMap { Self.states[$0] })
    if states.contains(code) { return .same }
    // AUSTRIAN may be a misread AUSTRALIAN.
    let isMisread = Self.states.contains { name, state in
      state == code && parts.contains { $0.distance(to: name) <= (name.count > 3 ? 2 : 1) }
    }
    return states.count == 1 && codes.contains(code) && !isMisread ? .other : .unknown
  }

  private static func plain(_ text: some StringProtocol) -> String {
    let letters = VisualZone.folded(String(text)).filter(\.isLetter)
    return letters.hasSuffix("CITIZEN") ? String(letters.dropLast(7)) : letters
  }

  /// By code: adjectives and names as passports have them, in English, French and the state's language, in Latin letters
  /// without diacritics. Only those that mean one state: SLOVENSKO is of Slovakia and Slovenia, CONGOLESE of two states.
  private static let table = """
    ALB ALBANIAN|SHQIPTARE; ARG ARGENTINE|ARGENTINA; AUS AUSTRALIAN; AUT AUSTRIAN|OSTERREICH; BEL BELGIAN|BELGE|BELG;
    BGR BULGARIAN; BRA BRAZILIAN|BRASILEIRA; CAN CANADIAN|CANADIENNE; CHE SWISS; CHL CHILEAN|CHILENA;
    COL COLOMBIAN|COLOMBIANA; CYP CYPRIOT; CZE CZECH|CZECH REPUBLIC|CESKA REPUBLIKA; D GERMAN|DEUTSCH|ALLEMANDE;
    DNK DANISH|DANSK; EGY EGYPTIAN; ESP SPANISH|ESPANOLA; EST ESTONIAN|EESTI; FIN FINNISH|SUOMI;
    FRA FRENCH|FRANCAISE; GBR BRITISH; GEO GEORGIAN; GRC GREEK|HELLENIC; HRV CROATIAN|HRVATSKO; HUN HUNGARIAN|MAGYAR;
    IND INDIAN; IRL IRISH|EIREANNACH; ISL ICELANDIC|ISLENSKUR|ISLANDAISE; ISR ISRAELI; ITA ITALIAN|ITALIANA;
    JPN JAPANESE; KEN KENYAN; LTU LITHUANIAN|LIETUVOS RESPUBLIKOS; LUX LUXEMBOURGEOISE; LVA LATVIAN|LATVIJAS;
    MAR MOROCCAN; MEX MEXICAN|MEXICANA; MLT MALTESE; NLD DUTCH|NEDERLANDSE; NOR NORWEGIAN|NORSK; NZL NEW ZEALAND;
    PER PERUVIAN|PERUANA; PHL FILIPINO; POL POLISH|POLSKIE|POLONAISE; PRT PORTUGUESE|PORTUGUESA; ROU ROMANIAN|ROMANA;
    RUS RUSSIAN; SGP SINGAPORE; SRB SERBIAN; SVK SLOVAK|SLOVENSKA REPUBLIKA; SVN SLOVENE|SLOVENIAN;
    SWE SWEDISH|SVENSK; TUN TUNISIAN; TUR TURKISH; UKR UKRAINIAN; USA UNITED STATES OF AMERICA; UTO UTOPIAN;
    ZAF SOUTH AFRICAN
    """.split { $0 == ";" || $0.isNewline }.map { $0.split(separator: " ", maxSplits: 1) }.filter { $0.count == 2 }

  private static let codes = Set(table.map { String($0[0]) })
  private static let states = Dictionary(
    table.flatMap { entry in
      // A single letter may be any text.
      let code = entry[0] == "D" ? "DEU" : String(entry[0])
      return ([code] + entry[1].split(separator: "|").map(plain)).map { ($0, String(entry[0])) }
    }, uniquingKeysWith: { first, _ in first })
}
