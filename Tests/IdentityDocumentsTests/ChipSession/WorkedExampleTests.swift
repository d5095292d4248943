import Testing

@testable import EmulatedChip
@testable import IdentityDocuments

/// The worked examples of ICAO Doc 9303-11, appendices D and F to I, byte for byte.
@Suite struct WorkedExampleTests {
  /// A chip that expects these commands and has these responses.
  final class ScriptedChip: ChipTransport {
    private var exchanges: [(command: String, response: String)]
    init(_ exchanges: [(String, String)]) { self.exchanges = exchanges }
    var isFinished: Bool { exchanges.isEmpty }

    func transmit(_ command: [UInt8]) throws -> [UInt8] {
      guard let next = exchanges.first else { throw VerifyError(.wrongState, "the script has ended") }
      exchanges.removeFirst()
      #expect(hexadecimal(command).uppercased() == next.command)
      return hexBytes(next.response)
    }
  }

  /// Randomness with values in the order of their use.
  private static func randomness(bytes: [String] = [], secrets: [String] = []) -> ChipRandomness {
    var (bytes, secrets) = (bytes.map(hexBytes), secrets.map(hexBytes))
    var randomness = ChipRandomness()
    randomness.bytes = { count in
      let value = bytes.removeFirst()
      #expect(value.count == count)
      return value
    }
    randomness.secret = { _ in
      var value = secrets.removeFirst()
      return SecretBytes(moving: &value)
    }
    return randomness
  }

  private static func secret(_ hex: String) -> SecretBytes {
    var bytes = hexBytes(hex)
    return SecretBytes(moving: &bytes)
  }

  /// DES ignores the lowest bit of each byte, which the examples set for odd parity.
  private static func withoutParity(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0 & 0xFE } }

  @Test func `appendix D 1: keys from the document number and dates`() throws {
    let password = try ChipPassword(documentNumber: "L898902C", dateOfBirth: "690806", dateOfExpiry: "940623")
    let seed = Self.secret(hexadecimal(password.secret.copy().prefix(16)))
    #expect(seed.copy() == hexBytes("239AB9CB282DAF66231DC5A4DF6BFBAE"))
    let keys = try [ChipCipher.Purpose.encryption, .authentication].map {
      Self.withoutParity(try ChipCipher.tripleDES.key(from: seed, for: $0).copy())
    }
    #expect(keys[0] == Self.withoutParity(hexBytes("AB94FDECF2674FDFB9B391F85D7F76F2")))
    #expect(keys[1] == Self.withoutParity(hexBytes("7962D9ECE03D1ACD4C76089DCE131543")))
  }

  /// The zones of the appendix: TD2 and TD1, with a document number of up to nine characters and with a longer one.
  @Test(arguments: [
    (
      "I<UTOSTEVENSON<<PETER<JOHN<<<<<<<<<<D23145890<UTO3407127M95071227349<<<8", "D23145890734" + "9", "3407127",
      "9507122"
    ),
    (
      "I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<L898902C<3UTO6908061F9406236<<<<<<<2", "L898902C<3", "6908061", "9406236"
    ),
    (
      "I<UTOD23145890<7349<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN<<<<<<<<<",
      "D23145890734" + "9",
      "3407127", "9507122"
    ),
    (
      "I<UTOL898902C<3<<<<<<<<<<<<<<<6908061F9406236UTO<<<<<<<<<<<2ERIKSSON<<ANNA<MARIA<<<<<<<<<<", "L898902C<3",
      "6908061", "9406236"
    ),
  ]) func `appendix D 1: the password of a zone`(_ text: String, _ number: String, _ birth: String, _ expiry: String)
    throws
  {
    let zone = try MachineReadableZone(text, on: try #require(CalendarDate("1990-01-01")))
    #expect(
      try ChipPassword(zone).secret.copy() == EmulatedState.hash(Array((number + birth + expiry).utf8), "SHA1"))
  }

  @Test func `appendix D 2 to 4: basic access control and secure messaging`() throws {
    let chip = ScriptedChip([
      ("0084000008", "4608F919887022129000"),
      (
        "0082000028" + "72C29C2371CC9BDB65B779B8E8D37B29ECC154AA56A8799FAE2F498F76ED92F25F1448EEA8AD90A7" + "28",
        "46B9342A41396CD7386BF5803104D7CEDC122B9132139BAF2EEDC94EE178534F2F2D235D074D74499000"
      ),
      ("0CA4020C158709016375432908C044F68E08BF8B92D635FF24F800", "990290008E08FA855A5D4C50A8ED9000"),
      ("0CB000000D9701048E08ED6705417E96BA5500", "8709019FF0EC34F9922651990290008E08AD55CC17140B2DED9000"),
      (
        "0CB000040D9701128E082EA28A70F3C7B53500",
        "871901FB9235F4E4037F2327DCC8964F1F9B8C30F42C8E2FFF224A990290008E08C8B2787EAEA07D749000"
      ),
    ])
    let channel = ChipChannel(chip, budget: .unlimited)
    let bac = ChipBAC(
      channel: channel,
      randomness: Self.randomness(bytes: ["781723860C06C226", "0B795240CB7049B01C19B33E32804F0B"]))
    let password = try ChipPassword(documentNumber: "L898902C", dateOfBirth: "690806", dateOfExpiry: "940623")
    #expect(try bac.open(password) == nil)
    let messaging = try #require(channel.messaging)
    #expect(messaging.counter == hexBytes("887022120C06C226"))
    #expect(
      Self.withoutParity(messaging.encryptionKey.copy())
        == Self.withoutParity(hexBytes("979EC13B1CBFE9DCD01AB0FED307EAE5")))
    #expect(try ChipFileReader(channel: channel).select(0x011E) == .success)
    func read(_ offset: UInt8, _ count: Int) throws -> [UInt8] {
      try channel.send(
        ChipCommand(instruction: ChipCommand.readBinary, p1: 0, p2: offset, expected: count)
      ).data
    }
    #expect(try read(0, 4) == hexBytes("60145F01"))
    #expect(try read(4, 18) == hexBytes("04303130365F36063034303030305C026175"))
    #expect(chip.isFinished)
    #expect(messaging.counter == hexBytes("887022120C06C22C"))
  }

  /// RND.IFD, the recoverable part and the hash of the example; its key is not published.
  @Test(arguments: [false, true]) func `appendix F: active authentication`(_ isNegative: Bool) throws {
    let representative =
      "6A9D2784A67F8E7C659973EA1AEA25D95B6C8F91E5002F369F0FBDCE8A3CEC1991B543F1696546C5524CF23A5303CD6C98599F40B79F37"
      + "7B5F3A1406B3B4D8F96784D23AA88DB7E1032A405E69325FA91A6E86F5C71AEA978264C4A207446DAD4E7292E2DCDA3024B47DA8C063AA"
      + "1E6D22FBD976AB0FE73D94D2D9C6D88127BC"
    let key = EmulatedRSA.key(1024)
    var signature = key.sign(hexBytes(representative))
    // ISO/IEC 9796-2, B.4: the smaller one of a number and its negative.
    let modulus = Modulus(key.modulus)
    if isNegative {
      signature = modulus.bytes(of: modulus.subtract(modulus.zero, modulus.number(signature)))
    }
    let file = tlv(0x6F, key.publicKey)
    let right = ActiveAuthentication(challenge: hexBytes("F173589974BF40C6"), signature: signature)
    #expect(right.verify(dataGroup15: file, dataGroup14: nil).status == .passed)
    let wrong = ActiveAuthentication(challenge: hexBytes("F173589974BF40C7"), signature: signature)
    #expect(wrong.verify(dataGroup15: file, dataGroup14: nil).reason == .signatureWrong)
  }

  private struct Example {
    let access: String
    var passwordKey: String?
    var password = ("T22000129", "640812", "101031")
    var nonces: [String] = []
    let secrets: [String]
    let exchanges: [(String, String)]
    let encryptionKey: String
  }

  /// Runs an example and returns the chip's data of chip authentication mapping.
  private static func run(_ example: Example) throws -> ChipAuthenticationMapping? {
    let infos = try SecurityInfos(hexBytes(example.access)).infos
    let variant = try #require(ChipPACE.Variant.preferred(of: infos))
    let chip = ScriptedChip(example.exchanges)
    let channel = ChipChannel(chip, budget: .unlimited)
    let pace = ChipPACE(channel: channel, randomness: randomness(bytes: example.nonces, secrets: example.secrets))
    let (number, birth, expiry) = example.password
    let password = try ChipPassword(documentNumber: number, dateOfBirth: birth, dateOfExpiry: expiry)
    let outcome =
      try example.passwordKey.map {
        try pace.open(
          variant, passwordKey: secret($0), reference: .mrz, isAmbiguous: false, mayUseLastAttempt: false)
      } ?? pace.open(variant, password, isAmbiguous: false, mayUseLastAttempt: false)
    guard case .opened(let mapping) = outcome else {
      Issue.record("the password was refused")
      return nil
    }
    let messaging = try #require(channel.messaging)
    #expect(messaging.encryptionKey.copy() == hexBytes(example.encryptionKey))
    #expect(messaging.counter.allSatisfy { $0 == 0 })
    #expect(chip.isFinished)
    return mapping
  }

  @Test func `appendix G 1: PACE with generic mapping on a curve`() throws {
    let example = Example(
      access: "31143012060A04007F0007020204020202010202010D",
      secrets: [
        "7F4EF07B9EA82FD78AD689B38D0BC78CF21F249D953BC46F4C6E19259C010F99",
        "A73FB703AC1436A18E0CFA5ABB3F7BEC7A070E7A6788486BEE230C4A22762595",
      ],
      exchanges: [
        ("0022C1A40F800A04007F00070202040202830101", "9000"),
        ("10860000027C0000", "7C12801095A3A016522EE98D01E76CB6B98B42C39000"),
        (
          "10860000457C438141047ACF3EFC982EC45565A4B155129EFBC74650DCBFA6362D896FC70262E0C2CC5E544552DCB6725218799115"
            + "B55C9BAA6D9F6BC3A9618E70C25AF71777A9C4922D00",
          "7C43824104824FBA91C9CBE26BEF53A0EBE7342A3BF178CEA9F45DE0B70AA601651FBA3F5730D8C879AAA9C9F73991E61B58F4D52E"
            + "B87A0A0C709A49DC63719363CCD13C549000"
        ),
        (
          "10860000457C438341042DB7A64C0355044EC9DF190514C625CBA2CEA48754887122F3A5EF0D5EDD301C3556F3B3B186DF10B857B5"
            + "8F6A7EB80F20BA5DC7BE1D43D9BF850149FBB3646200",
          "7C438441049E880F842905B8B3181F7AF7CAA9F0EFB743847F44A306D2D28C1D9EC65DF6DB7764B22277A2EDDC3C265A9F018F9CB8"
            + "52E111B768B326904B59A0193776F0949000"
        ),
        ("008600000C7C0A8508C2B0BD78D94BA86600", "7C0A86083ABB9674BCE93C089000"),
      ],
      encryptionKey: "F5F0E35C0D7161EE6724EE513A0D9A7F")
    #expect(try Self.run(example) == nil)
  }

  @Test func `appendix G 2: PACE with generic mapping modulo a prime`() throws {
    let example = Example(
      access: "31143012060A04007F00070202040102020102020100",
      secrets: ["5265030F751F4AD18B08AC565FC7AC952E41618D", "89CCD99B0E8D3B1F11E1296DCA68EC53411CF2CA"],
      exchanges: [
        ("0022C1A40F800A04007F00070202040102830101", "9000"),
        ("10860000027C0000", "7C128010854D8DF5827FA6852D1A4FA701CDDDCA9000"),
        (
          "10860000867C818381818023FB3749EA030D2A25B278D2A562047ADE3F01B74F17A15402CB7352CA7D2B3EB71C343DB13D1DEBCE9A"
            + "3666DBCFC920B49174A602CB47965CAA73DC702489A44D41DB914DE9613DC5E98C94160551C0DF86274B9359BC0490D01B03AD"
            + "54022DCB4F57FAD6322497D7A1E28D46710F461AFE710FBBBC5F8BA166F4311975EC6C00",
          "7C818382818078879F57225AA8080D52ED0FC890A4B25336F699AA89A2D3A189654AF70729E623EA5738B26381E4DA19E004706FAC"
            + "E7B235C2DBF2F38748312F3C98C2DD4882A41947B324AA1259AC22579DB93F7085655AF30889DBB845D9E6783FE42C9F244940"
            + "0306254C8AE8EE9DD812A804C0B66E8CAFC14F84D8258950A91B44126EE69000"
        ),
        (
          "10860000867C8183838180907D89E2D425A178AA81AF4A7774EC8E388C115CAE67031E85EECE520BD911551B9AE4D04369F29A0262"
            + "6C86FBC6747CC7BC352645B6161A2A42D44EDA80A08FA8D61B76D3A154AD8A5A51786B0BC07147057871A922212C5F67F43173"
            + "172236B7747D1671E6D692A3C7D40A0C3C5CE397545D015C175EB5130551EDBC2EE5D400",
          "7C8183848180075693D9AE941877573E634B6E644F8E60AF17A0076B8B123D9201074D36152BD8B3A213F53820C42ADC79AB5D0AEE"
            + "C3AEFB91394DA476BD97B9B14D0A65C1FC71A0E019CB08AF55E1F729005FBA7E3FA5DC41899238A250767A6D46DB974064386C"
            + "D456743585F8E5D90CC8B4004B1F6D866C79CE0584E49687FF61BC29AEA19000"
        ),
        ("008600000C7C0A8508B46DD9BD4D98381F00", "7C0A8608917F37B5C0E6D8D19000"),
      ],
      encryptionKey: "2F7F46ADCC9E7E521B45D192FAFA9126")
    #expect(try Self.run(example) == nil)
  }

  @Test func `appendix H 1: PACE with integrated mapping on a curve`() throws {
    let example = Example(
      access: "31143012060A04007F0007020204040202010202010D", passwordKey: "591468CDA83D65219CCCB8560233600F",
      nonces: ["5DD4CBFC96F5453B130D890A1CDBAE32"],
      secrets: ["A73FB703AC1436A18E0CFA5ABB3F7BEC7A070E7A6788486BEE230C4A22762595"],
      exchanges: [
        ("0022C1A40F800A04007F00070202040402830101", "9000"),
        ("10860000027C0000", "7C128010143DC40C08C8E891FBED7DEDB92B64AD9000"),
        ("10860000147C1281105DD4CBFC96F5453B130D890A1CDBAE3200", "7C0282009000"),
        (
          "10860000457C4383410489CBA23FFE96AA18D824627C3E934E54A9FD0B87A95D1471DC1C0ABFDCD640D46755DE9B7B778280B6BEBD"
            + "57439ADFEB0E21FD4ED6DF42578C13418A59B34C3700",
          "7C4384410467F78E5F7F7686082B293E8D087E056916D0F74BC01A5F8957D0DE45691E51E8932B69A962B52A0985AD2C0A271EE6A1"
            + "3A8ADDDCD1A3A994B9DED257F4D227539000"
        ),
        ("008600000C7C0A8508450F02B86F6A090900", "7C0A860875D4D96E8D5B03089000"),
      ],
      encryptionKey: "0D3FEB33251A6370893D62AE8DAAF51B")
    #expect(try Self.run(example) == nil)
    let random = try ChipPACE.random(
      .aes128, Self.secret("2923BE84E16CD6AE529049F1F1BBE9EB"), hexBytes("5DD4CBFC96F5453B130D890A1CDBAE32"), bits: 256)
    #expect(
      random.copy()
        == hexBytes(
          "E4447E2DFB3586BAC05DDB00156B57FBB2179A3949294C97254189800C517BAA8DA0FF397ED8C445D3E421E4FEB57322"))
  }

  @Test func `appendix H 2: PACE with integrated mapping modulo a prime`() throws {
    let example = Example(
      access: "31143012060A04007F00070202040302020102020100", passwordKey: "591468CDA83D65219CCCB8560233600F",
      nonces: ["B3A6DB3C870C3E99245E0D1C06B747DE"],
      secrets: [
        "4BD0E54740F9A028E6A515BFDAF967848C4F5F5FFF65AA0915947FFD1A0DF2FA6981271BC905F3551457B7E03AC3B8066DE4AA406C1171"
          + "FB43DD939C4BA16175103BA3DEE16419AA248118F90CC36A3D6F4C373652E0C3CCE7F0F1D0C5425B3600F0F0D6A67F004C8BBA33F2"
          + "B4733C7252445C1DFC4F1107203F71D2EFB28161"
      ],
      exchanges: [
        ("0022C1A40F800A04007F00070202040302830101", "9000"),
        ("10860000027C0000", "7C1280109ABB8864CA0FF1551E620D1EF4E135109000"),
        ("10860000147C128110B3A6DB3C870C3E99245E0D1C06B747DE00", "7C0282009000"),
        (
          "10860000867C81838381800F0CC62945A8029251FB7EF3C094E12EC68E4EF07F27CB9D9CD04C5C4250FAE0E4F8A951557E929AEB48"
            + "E5C6DD47F2F5CD7C351A9BD2CD722C07EDE166770F08FFCB370262CF308DD7B07F2E0DA9CAAA1492344C852906919538C98A4B"
            + "A4187E76CE9D87832386D319CE2E043C3343AEAE6EDBA1A9894DC5094D22F7FE1351D500",
          "7C8183848180928D9A0F9DBA450F13FC859C6F290D1D36E42431138A4378500BEB4E0401854CFF111F71CB6DC1D0335807A11388CC"
            + "8EAA87B07907AAD9FBA6B169AF6D8C26AF8DDDC39ADC3AD2E3FF882B84D23E9768E95A80E4746FB07A9767679FE92133B4D379"
            + "935C771BD7FBED6C7BB4B1708B275EA75679524CDC9C6A91370CC662A2F39000"
        ),
        ("008600000C7C0A850855D61977CBF5307E00", "7C0A8608C2F04230187E15259000"),
      ],
      encryptionKey: "01AFC10CF87BE36D8179E87370171F07")
    #expect(try Self.run(example) == nil)
  }

  @Test func `appendix I: PACE with chip authentication mapping`() throws {
    let example = Example(
      access: "31143012060A04007F0007020204060202010202010D", password: ("C11T002JM", "960812", "231031"),
      secrets: [
        "5D8BB87BD74D985A4B7D4325B9F7B976FE835122773400798914AA22738135CC",
        "76ECFDAA9841C323A3F5FC5E88B88DB3EFF7E35EBF57A7E6946CB630006C2120",
      ],
      exchanges: [
        ("0022C1A40F800A04007F00070202040602830101", "9000"),
        ("10860000027C0000", "7C128010CB60E8E0D85B76A9BD304747C2AD42E29000"),
        (
          "10860000457C438141047F1D410ADB7DDB3B84BF1030800981A9105D7457B4A3ADE002384F3086C67EDE1AB889104A27DB6D842B01"
            + "9020FBF3CEACB0DC627F7BDCAC29969E19D0E553C100",
          "7C43824104A234236AA9B9621E8EFB73B5245C0E09D2576E5277183C1208BDD55280CAE8B304F365713A356E65A451E165ECC9AC0A"
            + "C46E3771342C8FE5AEDD092685338E239000"
        ),
        (
          "10860000457C43834104446C934084D9DAB863944F219520076C29EE3F7AE6722B11FF319EC1C7728F955483400BFF60BF0C592927"
            + "0009277DC2A515E12575010AD9BA916CF1BF86FEFC00",
          "7C4384410402AD566F3C6EC7F9324509AD50A51FA52030782A4968FCFEDF737DAEA993333111C3B9B4C2287789BD137E7F8AA882E2"
            + "A3C633CCD6ECC2C63C57AD401A09C2E19000"
        ),
        (
          "008600000C7C0A8508E86BD06018A1CD3B00",
          "7C3C86088596CF055C67C1A38A301EEA964DAAE372AC990E3EFDE6333353BFC89A6704D93DA8798CF77F5B7A54BD10CBA372B42BE0"
            + "B9B5F28AA8DE2F4F929000"
        ),
      ],
      encryptionKey: "0A9DA4DB03BDDE39FC5202BC44B2E89E")
    let mapping = try #require(try Self.run(example))
    #expect(mapping.data == hexBytes("85DC3FA93D0952BFA82F5FD189EE75BD82F11D1F0B8ED4BF5319AC9B53C426B3"))
    var infos = hexBytes(
      "31643062060904007F0007020201023052300C060704007F0007010202010D034200041872709494399E7470A6431BE25E83EEE24FEA568C"
        + "2ED28DB48E05DB3A610DC884D256A40E35EFCB59BF6753D3A489D28C7A4D973C2DA138A6E7A4A08F68E16F02010D")
    #expect(mapping.verify(try SecurityInfos(infos)).status == .passed)
    let other = ChipAuthenticationMapping(
      parameters: 13, chipKey: mapping.chipKey, data: mapping.data.map { [$0[0] ^ 1] + $0.dropFirst() })
    #expect(other.verify(try SecurityInfos(infos)).reason == .signatureWrong)
    infos[infos.count - 10] ^= 1
    // No point on the curve.
    #expect(mapping.verify(try SecurityInfos(infos)).reason == .keyUnusable)
  }
}
