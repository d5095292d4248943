/// Names of States, organizations and other entities by their codes in travel documents (ICAO 9303-3, section 5).
public enum CountryName {
  /// Returns the English short name for a code, or nil if the code is unknown.
  ///
  /// - Parameter code: one to three capital letters, without fillers: `D`, `UTO`.
  public static func english(_ code: String) -> String? { table[code]?.name }

  /// Returns the two letters that certificates have for the issuing state of a document, or nil if the code is not in
  /// Doc 9303-3. Fillers at the end are ignored; two letters are returned unchanged.
  static func twoLetters(_ code: String) -> String? {
    let code = String(decoding: MRZText.trimmed(code.uppercased().utf8.filter { $0 != 32 }), as: UTF8.self)
    return code.count == 2 ? code : table[code]?.letters
  }

  /// Codes of persons without a defined nationality (part D), which no issuer has.
  static let ofPersons: Set = ["XXA", "XXB", "XXC", "XXX"]

  /// States whose permanent identity cards are valid until 1 January (Spain) or 31 December 9999 (Portugal), which a zone
  /// has as 990101 and 991231.
  static let ofPermanentCards: Set = ["ESP", "PRT"]

  /// All codes, sorted.
  public static let codes: [String] = table.keys.sorted()

  /// By code: the two letters in certificates, nil if none are defined, and the name.
  private static let table: [String: (letters: String?, name: String)] = {
    var table: [String: (String?, String)] = [:]
    for entry in (iso + icao + other).split(whereSeparator: { $0 == ";" || $0.isNewline }) {
      let words = entry.split(separator: " ").map(String.init)
      guard words.count > 2 else { continue }
      table[words[0]] = (words[1] == "-" ? nil : words[1], words.dropFirst(2).joined(separator: " "))
    }
    return table
  }()

  /// ISO 3166-1.
  private static let iso = """
    ABW AW Aruba; AFG AF Afghanistan; AGO AO Angola; AIA AI Anguilla; ALA AX Åland Islands; ALB AL Albania;
    AND AD Andorra; ARE AE United Arab Emirates; ARG AR Argentina; ARM AM Armenia; ASM AS American Samoa;
    ATA AQ Antarctica; ATF TF French Southern Territories; ATG AG Antigua and Barbuda; AUS AU Australia; AUT AT Austria;
    AZE AZ Azerbaijan; BDI BI Burundi; BEL BE Belgium; BEN BJ Benin; BES BQ Bonaire, Sint Eustatius and Saba;
    BFA BF Burkina Faso; BGD BD Bangladesh; BGR BG Bulgaria; BHR BH Bahrain; BHS BS Bahamas;
    BIH BA Bosnia and Herzegovina; BLM BL Saint Barthélemy; BLR BY Belarus; BLZ BZ Belize; BMU BM Bermuda;
    BOL BO Bolivia; BRA BR Brazil; BRB BB Barbados; BRN BN Brunei Darussalam; BTN BT Bhutan; BVT BV Bouvet Island;
    BWA BW Botswana; CAF CF Central African Republic; CAN CA Canada; CCK CC Cocos (Keeling) Islands; CHE CH Switzerland;
    CHL CL Chile; CHN CN China; CIV CI Côte d’Ivoire; CMR CM Cameroon; COD CD Democratic Republic of the Congo;
    COG CG Congo; COK CK Cook Islands; COL CO Colombia; COM KM Comoros; CPV CV Cabo Verde; CRI CR Costa Rica;
    CUB CU Cuba; CUW CW Curaçao; CXR CX Christmas Island; CYM KY Cayman Islands; CYP CY Cyprus; CZE CZ Czechia;
    DEU DE Germany; DJI DJ Djibouti; DMA DM Dominica; DNK DK Denmark; DOM DO Dominican Republic; DZA DZ Algeria;
    ECU EC Ecuador; EGY EG Egypt; ERI ER Eritrea; ESH EH Western Sahara; ESP ES Spain; EST EE Estonia; ETH ET Ethiopia;
    FIN FI Finland; FJI FJ Fiji; FLK FK Falkland Islands (Malvinas); FRA FR France; FRO FO Faroe Islands;
    FSM FM Micronesia; GAB GA Gabon; GBR GB United Kingdom; GEO GE Georgia; GGY GG Guernsey; GHA GH Ghana;
    GIB GI Gibraltar; GIN GN Guinea; GLP GP Guadeloupe; GMB GM Gambia; GNB GW Guinea-Bissau; GNQ GQ Equatorial Guinea;
    GRC GR Greece; GRD GD Grenada; GRL GL Greenland; GTM GT Guatemala; GUF GF French Guiana; GUM GU Guam; GUY GY Guyana;
    HKG HK Hong Kong; HMD HM Heard Island and McDonald Islands; HND HN Honduras; HRV HR Croatia; HTI HT Haiti;
    HUN HU Hungary; IDN ID Indonesia; IMN IM Isle of Man; IND IN India; IOT IO British Indian Ocean Territory;
    IRL IE Ireland; IRN IR Iran; IRQ IQ Iraq; ISL IS Iceland; ISR IL Israel; ITA IT Italy; JAM JM Jamaica;
    JEY JE Jersey; JOR JO Jordan; JPN JP Japan; KAZ KZ Kazakhstan; KEN KE Kenya; KGZ KG Kyrgyzstan; KHM KH Cambodia;
    KIR KI Kiribati; KNA KN Saint Kitts and Nevis; KOR KR South Korea; KWT KW Kuwait; LAO LA Laos; LBN LB Lebanon;
    LBR LR Liberia; LBY LY Libya; LCA LC Saint Lucia; LIE LI Liechtenstein; LKA LK Sri Lanka; LSO LS Lesotho;
    LTU LT Lithuania; LUX LU Luxembourg; LVA LV Latvia; MAC MO Macao; MAF MF Saint Martin; MAR MA Morocco;
    MCO MC Monaco; MDA MD Moldova; MDG MG Madagascar; MDV MV Maldives; MEX MX Mexico; MHL MH Marshall Islands;
    MKD MK North Macedonia; MLI ML Mali; MLT MT Malta; MMR MM Myanmar; MNE ME Montenegro; MNG MN Mongolia;
    MNP MP Northern Mariana Islands; MOZ MZ Mozambique; MRT MR Mauritania; MSR MS Montserrat; MTQ MQ Martinique;
    MUS MU Mauritius; MWI MW Malawi; MYS MY Malaysia; MYT YT Mayotte; NAM NA Namibia; NCL NC New Caledonia;
    NER NE Niger; NFK NF Norfolk Island; NGA NG Nigeria; NIC NI Nicaragua; NIU NU Niue; NLD NL Netherlands;
    NOR NO Norway; NPL NP Nepal; NRU NR Nauru; NZL NZ New Zealand; OMN OM Oman; PAK PK Pakistan; PAN PA Panama;
    PCN PN Pitcairn; PER PE Peru; PHL PH Philippines; PLW PW Palau; PNG PG Papua New Guinea; POL PL Poland;
    PRI PR Puerto Rico; PRK KP North Korea; PRT PT Portugal; PRY PY Paraguay; PSE PS Palestine; PYF PF French Polynesia;
    QAT QA Qatar; REU RE Réunion; ROU RO Romania; RUS RU Russian Federation; RWA RW Rwanda; SAU SA Saudi Arabia;
    SDN SD Sudan; SEN SN Senegal; SGP SG Singapore; SGS GS South Georgia and the South Sandwich Islands;
    SHN SH Saint Helena, Ascension and Tristan da Cunha; SJM SJ Svalbard and Jan Mayen; SLB SB Solomon Islands;
    SLE SL Sierra Leone; SLV SV El Salvador; SMR SM San Marino; SOM SO Somalia; SPM PM Saint Pierre and Miquelon;
    SRB RS Serbia; SSD SS South Sudan; STP ST Sao Tome and Principe; SUR SR Suriname; SVK SK Slovakia; SVN SI Slovenia;
    SWE SE Sweden; SWZ SZ Eswatini; SXM SX Sint Maarten; SYC SC Seychelles; SYR SY Syria;
    TCA TC Turks and Caicos Islands; TCD TD Chad; TGO TG Togo; THA TH Thailand; TJK TJ Tajikistan; TKL TK Tokelau;
    TKM TM Turkmenistan; TLS TL Timor-Leste; TON TO Tonga; TTO TT Trinidad and Tobago; TUN TN Tunisia; TUR TR Türkiye;
    TUV TV Tuvalu; TWN TW Taiwan; TZA TZ Tanzania; UGA UG Uganda; UKR UA Ukraine;
    UMI UM United States Minor Outlying Islands; URY UY Uruguay; USA US United States of America; UZB UZ Uzbekistan;
    VAT VA Holy See; VCT VC Saint Vincent and the Grenadines; VEN VE Venezuela; VGB VG British Virgin Islands;
    VIR VI U.S. Virgin Islands; VNM VN Vietnam; VUT VU Vanuatu; WLF WF Wallis and Futuna; WSM WS Samoa; YEM YE Yemen;
    ZAF ZA South Africa; ZMB ZM Zambia; ZWE ZW Zimbabwe;

    """

  /// ICAO 9303-3, section 5, parts A to H: codes that are not of ISO 3166-1, or no longer are. Organisations have the
  /// letters in their certificates.
  private static let icao = """
    D DE Germany; GBD GB British Overseas Territories Citizen; GBN GB British National (Overseas);
    GBO GB British Overseas Citizen; GBP GB British Protected Person; GBS GB British Subject; RKS KS Kosovo;
    EUE EU European Union; UNO UN United Nations Organization; UNA UN United Nations specialized agency;
    UNK KS Resident of Kosovo (UNMIK travel document); XBA - African Development Bank; XIM - African Export-Import Bank;
    XCC - Caribbean Community; XCE XC Council of Europe; XCO - Common Market for Eastern and Southern Africa;
    XEC - Economic Community of West African States; XPO XP International Criminal Police Organization;
    XES - Organization of Eastern Caribbean States; XMP - Parliamentary Assembly of the Mediterranean;
    XOM XO Sovereign Military Order of Malta; XDC - Southern African Development Community; XXA - Stateless person;
    XXB - Refugee (1951 Convention); XXC - Refugee (other); XXX - Person of unspecified nationality;
    ANT - Netherlands Antilles; NTZ - Neutral Zone; UTO UT Utopia; IAO - International Civil Aviation Organization;

    """

  /// In use but not in 9303-3: withdrawn codes (ISO 3166-3) on older documents; codes of documents that few States
  /// accept; XXK for Kosovo in residence permits and visas of the Schengen states, XKX elsewhere (a code that ISO 3166
  /// leaves to users); INP on Interpol's passports before XPO.
  private static let other = """
    ROM - Romania; SCG - Serbia and Montenegro; TMP - East Timor; YUG - Yugoslavia; ZAR - Zaire; ZIM - Zimbabwe;
    XCT - Turkish Republic of Northern Cyprus; XXK KS Kosovo; XKX KS Kosovo;
    INP XP International Criminal Police Organization;
    """
}
