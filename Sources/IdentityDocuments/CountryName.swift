/// Names of States, organizations and other entities by their codes in travel documents (ICAO 9303-3, section 5).
public enum CountryName {
  /// Returns the English short name for a code, or nil if the code is unknown.
  ///
  /// - Parameter code: one to three capital letters, without fillers: `D`, `UTO`.
  public static func english(_ code: String) -> String? { names[code] }

  /// Codes of persons without a defined nationality (part D), which no issuer has.
  static let ofPersons: Set = ["XXA", "XXB", "XXC", "XXX"]

  /// All codes, sorted.
  public static let codes: [String] = names.keys.sorted()

  private static let names: [String: String] = {
    var names: [String: String] = [:]
    for entry in (iso + icao + other).split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
      let words: [Substring] = entry.split(separator: " ")
      guard let code = words.first else { continue }
      names[String(code)] = words.dropFirst().joined(separator: " ")
    }
    return names
  }()

  /// ISO 3166-1.
  private static let iso = """
    ABW Aruba; AFG Afghanistan; AGO Angola; AIA Anguilla; ALA Åland Islands; ALB Albania; AND Andorra;
    ARE United Arab Emirates; ARG Argentina; ARM Armenia; ASM American Samoa; ATA Antarctica;
    ATF French Southern Territories; ATG Antigua and Barbuda; AUS Australia; AUT Austria; AZE Azerbaijan;
    BDI Burundi; BEL Belgium; BEN Benin; BES Bonaire, Sint Eustatius and Saba; BFA Burkina Faso; BGD Bangladesh;
    BGR Bulgaria; BHR Bahrain; BHS Bahamas; BIH Bosnia and Herzegovina; BLM Saint Barthélemy; BLR Belarus;
    BLZ Belize; BMU Bermuda; BOL Bolivia; BRA Brazil; BRB Barbados; BRN Brunei Darussalam; BTN Bhutan;
    BVT Bouvet Island; BWA Botswana; CAF Central African Republic; CAN Canada; CCK Cocos (Keeling) Islands;
    CHE Switzerland; CHL Chile; CHN China; CIV Côte d’Ivoire; CMR Cameroon; COD Democratic Republic of the Congo;
    COG Congo; COK Cook Islands; COL Colombia; COM Comoros; CPV Cabo Verde; CRI Costa Rica; CUB Cuba; CUW Curaçao;
    CXR Christmas Island; CYM Cayman Islands; CYP Cyprus; CZE Czechia; DEU Germany; DJI Djibouti; DMA Dominica;
    DNK Denmark; DOM Dominican Republic; DZA Algeria; ECU Ecuador; EGY Egypt; ERI Eritrea; ESH Western Sahara;
    ESP Spain; EST Estonia; ETH Ethiopia; FIN Finland; FJI Fiji; FLK Falkland Islands (Malvinas); FRA France;
    FRO Faroe Islands; FSM Micronesia; GAB Gabon; GBR United Kingdom; GEO Georgia; GGY Guernsey; GHA Ghana;
    GIB Gibraltar; GIN Guinea; GLP Guadeloupe; GMB Gambia; GNB Guinea-Bissau; GNQ Equatorial Guinea; GRC Greece;
    GRD Grenada; GRL Greenland; GTM Guatemala; GUF French Guiana; GUM Guam; GUY Guyana; HKG Hong Kong;
    HMD Heard Island and McDonald Islands; HND Honduras; HRV Croatia; HTI Haiti; HUN Hungary; IDN Indonesia;
    IMN Isle of Man; IND India; IOT British Indian Ocean Territory; IRL Ireland; IRN Iran; IRQ Iraq; ISL Iceland;
    ISR Israel; ITA Italy; JAM Jamaica; JEY Jersey; JOR Jordan; JPN Japan; KAZ Kazakhstan; KEN Kenya;
    KGZ Kyrgyzstan; KHM Cambodia; KIR Kiribati; KNA Saint Kitts and Nevis; KOR South Korea; KWT Kuwait; LAO Laos;
    LBN Lebanon; LBR Liberia; LBY Libya; LCA Saint Lucia; LIE Liechtenstein; LKA Sri Lanka; LSO Lesotho;
    LTU Lithuania; LUX Luxembourg; LVA Latvia; MAC Macao; MAF Saint Martin; MAR Morocco; MCO Monaco; MDA Moldova;
    MDG Madagascar; MDV Maldives; MEX Mexico; MHL Marshall Islands; MKD North Macedonia; MLI Mali; MLT Malta;
    MMR Myanmar; MNE Montenegro; MNG Mongolia; MNP Northern Mariana Islands; MOZ Mozambique; MRT Mauritania;
    MSR Montserrat; MTQ Martinique; MUS Mauritius; MWI Malawi; MYS Malaysia; MYT Mayotte; NAM Namibia;
    NCL New Caledonia; NER Niger; NFK Norfolk Island; NGA Nigeria; NIC Nicaragua; NIU Niue; NLD Netherlands;
    NOR Norway; NPL Nepal; NRU Nauru; NZL New Zealand; OMN Oman; PAK Pakistan; PAN Panama; PCN Pitcairn; PER Peru;
    PHL Philippines; PLW Palau; PNG Papua New Guinea; POL Poland; PRI Puerto Rico; PRK North Korea; PRT Portugal;
    PRY Paraguay; PSE Palestine; PYF French Polynesia; QAT Qatar; REU Réunion; ROU Romania; RUS Russian Federation;
    RWA Rwanda; SAU Saudi Arabia; SDN Sudan; SEN Senegal; SGP Singapore;
    SGS South Georgia and the South Sandwich Islands; SHN Saint Helena, Ascension and Tristan da Cunha;
    SJM Svalbard and Jan Mayen; SLB Solomon Islands; SLE Sierra Leone; SLV El Salvador; SMR San Marino; SOM Somalia;
    SPM Saint Pierre and Miquelon; SRB Serbia; SSD South Sudan; STP Sao Tome and Principe; SUR Suriname;
    SVK Slovakia; SVN Slovenia; SWE Sweden; SWZ Eswatini; SXM Sint Maarten; SYC Seychelles; SYR Syria;
    TCA Turks and Caicos Islands; TCD Chad; TGO Togo; THA Thailand; TJK Tajikistan; TKL Tokelau; TKM Turkmenistan;
    TLS Timor-Leste; TON Tonga; TTO Trinidad and Tobago; TUN Tunisia; TUR Türkiye; TUV Tuvalu; TWN Taiwan;
    TZA Tanzania; UGA Uganda; UKR Ukraine; UMI United States Minor Outlying Islands; URY Uruguay;
    USA United States of America; UZB Uzbekistan; VAT Holy See; VCT Saint Vincent and the Grenadines; VEN Venezuela;
    VGB British Virgin Islands; VIR U.S. Virgin Islands; VNM Vietnam; VUT Vanuatu; WLF Wallis and Futuna; WSM Samoa;
    YEM Yemen; ZAF South Africa; ZMB Zambia; ZWE Zimbabwe;

    """

  /// ICAO 9303-3, section 5, parts A to H: codes that are not of ISO 3166-1, or no longer are.
  private static let icao = """
    D Germany; GBD British Overseas Territories Citizen; GBN British National (Overseas);
    GBO British Overseas Citizen; GBP British Protected Person; GBS British Subject; RKS Kosovo; EUE European Union;
    UNO United Nations Organization; UNA United Nations specialized agency;
    UNK Resident of Kosovo (UNMIK travel document);
    XBA African Development Bank; XIM African Export-Import Bank; XCC Caribbean Community; XCE Council of Europe;
    XCO Common Market for Eastern and Southern Africa; XEC Economic Community of West African States;
    XPO International Criminal Police Organization; XES Organization of Eastern Caribbean States;
    XMP Parliamentary Assembly of the Mediterranean; XOM Sovereign Military Order of Malta;
    XDC Southern African Development Community; XXA Stateless person; XXB Refugee (1951 Convention);
    XXC Refugee (other); XXX Person of unspecified nationality; ANT Netherlands Antilles; NTZ Neutral Zone; UTO Utopia;
    IAO International Civil Aviation Organization;

    """

  /// In use but not in 9303-3: withdrawn codes (ISO 3166-3) on older documents, and codes of documents that few States
  /// accept.
  private static let other = """
    ROM Romania; SCG Serbia and Montenegro; TMP East Timor; YUG Yugoslavia; ZAR Zaire; ZIM Zimbabwe;
    XCT Turkish Republic of Northern Cyprus;
    """
}

enum CountryCode {
  /// Returns the two letters that certificates have for the issuing state of a document, or nil if the code is not in
  /// Doc 9303-3. Fillers at the end are ignored; two letters are returned unchanged.
  static func twoLetters(_ code: String) -> String? {
    let code = String(decoding: MRZText.trimmed(code.uppercased().utf8.filter { $0 != 32 }), as: UTF8.self)
    return code.count == 2 ? code : special[code] ?? table[code]
  }

  /// Codes of Doc 9303-3, section 5, parts B to F, that are not ISO 3166-1. Organisations have the letters in their
  /// certificates.
  private static let special = [
    "D": "DE", "EUE": "EU", "GBD": "GB", "GBN": "GB", "GBO": "GB", "GBP": "GB", "GBS": "GB", "RKS": "KS", "UNK": "KS",
    "UNO": "UN", "UNA": "UN", "UTO": "UT", "XOM": "XO", "XPO": "XP", "XCE": "XC",
  ]

  /// ISO 3166-1: three letters, then two.
  private static let table: [String: String] = {
    let pairs = iso3166.split { $0 == " " || $0.isNewline }.map { ($0.prefix(3), $0.suffix(2)) }
    return Dictionary(pairs.map { (String($0), String($1)) }) { first, _ in first }
  }()

  private static let iso3166 = """
    ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI
    BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT
    BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU
    CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET
    FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR
    GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR
    IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB
    LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH
    MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE
    NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL
    PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ
    SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC
    TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY
    USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
    """
}
