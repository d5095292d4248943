import FaceVerify
import Foundation
import TestSupport
import Testing

private let chips = Installed.documents + "/chips"
private let pages = Installed.documents + "/pages"
private let passport = """
  P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
  L898902C36UTO7408122F1204159ZE184226B<<<<<10
  """

private func bytes(_ path: String) throws -> [UInt8] { Array(try #require(FileManager.default.contents(atPath: path))) }

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Documents: text, chips and trust stores", .needsCommand)
struct DocumentFileCommandTests {
  @Test("a zone given as text is judged, and never repaired")
  func zone() throws {
    let right = try Command.run(["mrz", passport, "--date", "2011-01-01"])
    #expect(right.code == 0 && right.out.contains("L898902C3") && right.out.contains("UTO (Utopia)"))
    let wrong = try Command.run(["mrz", passport.replacingOccurrences(of: "7408122", with: "7408123"), "--json"])
    #expect(wrong.code == 1)
    let found = try object(wrong.out)
    #expect((found["lines"] as? [String])?[1].contains("7408123") == true)
    #expect((found["linesWithCorrectCheckDigits"] as? [String])?[1].contains("7408122") == true)
    let other = try Command.run(["mrz", "P<UTO<small"])
    #expect(other.code == 3 && !other.err.isEmpty)
    #expect(try Command.run(["mrz", passport, "--date", "2011-13-01"]).code == 2)
  }

  @Test("zones that are not supported are named, and what cannot be judged does not end with 0")
  func nationalZones() throws {
    for text in ["D1FRA13AA000026181231MARTIN<<9", "D1NLD15094962111659VW87Z78NB84"] {
      let licence = try Command.run(["mrz", text])
      #expect(licence.code == 3 && licence.err.contains("the one-line zone of a driving licence of "), "\(licence.err)")
    }
    let odd = try Command.run(["mrz", passport.replacingOccurrences(of: "36UTO", with: "36QQQ")])
    #expect(odd.code == 4 && odd.out.contains("not checked: unknown-code"))
    let internalPassport = "PNRUSZDRIL7K<<SERGEQ<ANATOL9EVI3<<<<<<<<<<<<\n3919353498RUS7207233M<<<<<<<4151218910003<50"
    let russian = try Command.run(["mrz", internalPassport])
    #expect(russian.code == 0 && russian.out.contains("Internal passport") && russian.out.contains("ZDRILIUK"))
    let lines = passport.split(separator: "\n").map { "<" + $0.dropLast() }
    let cut = try Command.run(["mrz", lines.joined(separator: "\n")])
    #expect(cut.code == 1 && cut.out.contains("no field is verified"))
  }

  // Rows: V4.12-g
  @Test("a licence's code is judged and displayed, but not returned as bytes")
  func licence() throws {
    let text =
      "@\n\u{1E}\rANSI 636000100102DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
      + "DCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\n"
      + "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\n"
      + "DCK123456789\nDDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r"
    try withTemporaryFolder { folder in
      func run(_ payload: String, _ arguments: String...) throws -> (code: Int32, out: String, err: String) {
        let file = folder + "/payload"
        _ = FileManager.default.createFile(atPath: file, contents: Data(payload.utf8))
        let result = try Command.run(["document", "--code", file, "--accept", "licence-code"] + arguments)
        return (result.code, result.out, result.err)
      }
      let right = try run(text, "--date", "2024-06-01")
      #expect(right.code == 0 && right.out.hasPrefix("driving-licence: passed"))
      for word in ["SAMPLE MICHAEL JOHN", "1986-06-06", "RICHMOND", "636000 Virginia", "document discriminator"] {
        #expect(right.out.contains(word), "\(word)")
      }
      let unaccepted = try Command.run(["document", "--code", folder + "/payload", "--date", "2024-06-01"])
      #expect(unaccepted.code == 4 && unaccepted.out.contains("\"licence-code\""), "\(unaccepted.out)")
      let json = try object(try run(text, "--date", "2024-06-01", "--json").out)
      let licence = try #require(json["licence"] as? [String: Any])
      #expect(licence["version"] as? Int == 10 && licence["issuer"] as? String == "Virginia")
      #expect(licence["hasAddress"] as? Bool == true && (licence["elements"] as? [Any])?.count == 29)
      #expect((licence["findings"] as? [Any])?.isEmpty == true)
      let report = try #require(json["report"] as? [String: Any])
      #expect(report["result"] as? String == "passed" && json["mrz"] is NSNull)
      let data = try #require(report["data"] as? [String: Any])
      #expect(data["type"] as? String == "driving-licence")
      #expect((data["postalCode"] as? [String: Any])?["value"] as? String == "232690000")
      #expect(!String(describing: json).contains("ANSI"))
      let expired = try run(text, "--date", "2024-12-11")
      #expect(expired.code == 1 && expired.out.contains("expiry (expired)"))
      let wrong = try run(text.replacingOccurrences(of: "DAYBRO", with: "DAYRED"), "--date", "2024-06-01")
      #expect(wrong.code == 0 && wrong.out.contains("illegal-value"), "\(wrong.out)")
      let cut = try run(text.replacingOccurrences(of: "DDEN", with: "DDET"), "--date", "2024-06-01")
      #expect(cut.code == 4 && cut.out.contains("name-truncated"))
      let offset = try run(text.replacingOccurrences(of: "DL0041", with: "DL0042"), "--date", "2024-06-01")
      #expect(offset.code == 0 && offset.out.contains("DL: offset-wrong"))
      let none = try run("no code")
      #expect(none.code == 3 && none.err.contains("AAMVA"))
      let hostile = try run(text.replacingOccurrences(of: "SAMPLE", with: "A\u{9B}31m"), "--date", "2024-06-01")
      #expect(hostile.code == 1 && !hostile.out.unicodeScalars.contains("\u{9B}"))
      #expect(try run(text, "--save-portrait", folder + "/x").code == 2 && run(text, "--chip", folder).code == 2)
    }
    #expect(try Command.run(["document"]).code == 2)
    #expect(try Command.run(["document", "--code", "/nowhere"]).code == 3)
  }

  @Test("the code is read from a photo of the back, or the failure is explained")
  func back() throws {
    // Where the locator's model is without any download.
    func run(_ arguments: [String]) throws -> Command.Outcome {
      try Command.run(arguments + ["--models-folder", Installed.root + "/models"])
    }
    let codes = Installed.root + "/Tests/DocumentImagingTests/Fixtures/codes/"
    let read = try run(["document", "--back", codes + "pdf417.png", "--date", "2024-06-01"])
    #expect(read.out.hasPrefix("driving-licence: ") && read.out.contains("SAMPLE MICHAEL JOHN"), "\(read)")
    let none = try run(["document", "--back", codes + "qr.png"])
    #expect(none.code == 4 && none.err.contains("qr.png: ") && none.out.isEmpty, "\(none)")
    #expect(try run(["document", "--back", "/nowhere"]).code == 3)
    #expect(try run(["document", "--back", codes + "qr.png", "--code", codes + "qr.png"]).code == 2)
  }

  @Test("a visible digital seal is judged, from a page or as bytes", .needsModels)
  func seal() throws {
    let folder = Installed.root + "/Tests/DocumentImagingTests/Fixtures/seals/"
    let common = ["--trust", folder + "trust", "--date", "2026-06-01"]
    let page = try Command.run(["document", folder + "sheet.jpg"] + common)
    #expect(page.code == 4 && page.out.contains("seal  authentic: "), "\(page)")
    let other = try Command.run(["document", folder + "sheet-other-name.jpg", "--accept", "page-only"] + common)
    #expect(other.code == 1 && other.out.contains("validation (seal-invalid)"), "\(other)")
    let table = String(decoding: try bytes(folder + "seals.csv"), as: UTF8.self)
    let hex = try #require(table.split(separator: "\n").first { $0.hasPrefix("visa,") }?.dropFirst(5))
    let payload = try #require(decodedHexadecimal(hex.utf8))
    try withTemporaryFolder { temporary in
      let file = temporary + "/seal"
      func run(_ content: [UInt8], _ arguments: [String]) throws -> Command.Outcome {
        _ = FileManager.default.createFile(atPath: file, contents: Data(content))
        return try Command.run(["document", "--code", file] + arguments)
      }
      let alone = try run(payload, common)
      #expect(alone.out.contains("seal  authentic: ") && alone.out.contains("P90D"), "\(alone)")
      let json = try object(try run(payload, common + ["--json"]).out)
      let seal = try #require(json["seal"] as? [String: Any])
      #expect(seal["verdict"] as? String == "authentic" && seal["validity"] as? String == "passed")
      let unknown = try run(payload, Array(common.dropFirst(2)))
      #expect(unknown.out.contains("seal  not checked: the trust store does not have"), "\(unknown)")
      let cut = try run(Array(payload.dropLast()), common)
      #expect(cut.code == 3 && cut.out.contains("seal  invalid: the data end too early"), "\(cut)")
    }
  }

  @Test("a chip is authentic, valid without anchor, or invalid", .needsChips)
  func chip() throws {
    let date = ["--date", "2026-06-01"]
    let trust = ["--trust", chips + "/trust"]
    let authentic = try Command.run(["chip", chips + "/td3-jpeg"] + trust + date)
    #expect(authentic.code == 0 && authentic.out.hasPrefix("authentic"))
    let unknown = try Command.run(["chip", chips + "/td3-jpeg"] + date)
    #expect(unknown.code == 4 && unknown.out.hasPrefix("valid without anchor"))
    let changed = try Command.run(["chip", chips + "/wrong-hash", "--json"] + trust + date)
    #expect(changed.code == 1)
    let authentication = try #require(try object(changed.out)["authentication"] as? [String: Any])
    #expect(authentication["verdict"] as? String == "invalid")
    #expect(try Command.run(["chip", chips]).code == 3)
    #expect(try Command.run(["chip", "/nowhere"]).code == 3)
  }

  @Test("the drawing of a decision shows its overall result, not that of the faces", .needsChips)
  func drawn() throws {
    try withTemporaryFolder { folder in
      /// Pixels in the colour of what is refused.
      func caution(_ portrait: [String]) throws -> Int {
        let sheet = folder + "/sheet.png"
        _ = try ScriptedCommand.run(["compare", Faces.one, "--annotate", sheet] + portrait)
        let rgb = try Photo(path: sheet).pixels().rgb
        return stride(from: 0, to: rgb.count, by: 3).count { rgb[$0..<$0 + 3].elementsEqual([0xFF, 0xC1, 0x45]) }
      }
      func chip(_ name: String) -> [String] {
        ["--chip", chips + "/" + name, "--trust", chips + "/trust", "--date", "2026-06-01"]
      }
      // The faces are those of one person; the first chip's document has expired.
      let (photo, expired, altered) = try (
        caution([Faces.same]), caution(chip("drawn-jpeg")), caution(chip("drawn-wrong-hash"))
      )
      #expect(photo == 0 && expired > 100 && altered > 100, "\(photo), \(expired), \(altered)")
    }
  }

  // Rows: DR18
  @Test("the portrait of a chip is written as stored", .needsChips)
  func portrait() throws {
    try withTemporaryFolder { folder in
      let file = folder + "/portrait.jp2"
      let written = try Command.run(["chip", chips + "/td3-jp2", "--save-portrait", file])
      #expect(written.code == 4)
      // The signature box of JPEG 2000.
      let magic = Data([0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
      #expect(FileManager.default.contents(atPath: file)?.prefix(12).suffix(8) == magic)
    }
  }

  @Test("a trust store is listed and verified", .needsChips)
  func trust() throws {
    let list = try Command.run(["trust", "list", chips + "/trust"])
    #expect(list.code == 0 && list.out.contains("revocation list"))
    let lists = try Command.run(["trust", "check", chips + "/masterlist", "--date", "2026-06-01"])
    // One of the two lists has a wrong signature.
    #expect(lists.code == 1 && lists.out.contains("is invalid (ECDSA, SHA-512); not used"))
    #expect(try Command.run(["trust", "list", "/nowhere"]).code == 3)
    try withTemporaryFolder { folder in
      func check(_ arguments: String...) throws -> (code: Int32, out: String, err: String) {
        let outcome = try Command.run(["trust", "check", folder, "--date", "2026-06-01"] + arguments)
        return (outcome.code, outcome.out, outcome.err)
      }
      // It trusts nothing, because it contains only a revocation list.
      #expect(try check().code == 4)
      try write(bytes(chips + "/trust/nist.crl"), to: folder + "/nist.crl")
      #expect(try check().code == 4)
      for name in ["two.pem", "csca-0.cer", "csca-1.cer"] {
        try write(bytes(chips + "/trust/" + name), to: folder + "/" + name)
      }
      #expect(try check().code == 0)
      for (name, standard, strict) in [
        ("right.ml", Int32(0), Int32(0)), ("uncritical.ml", 0, 1), ("in-future.ml", 1, 1),
      ] {
        try write(bytes(chips + "/lists/" + name), to: folder + "/list")
        #expect(try check().code == standard && check("--strict").code == strict, "\(name)")
      }
      try FileManager.default.removeItem(atPath: folder + "/list")
      try write(bytes(chips + "/trust/two.pem") + bytes(chips + "/trust/nist.crl"), to: folder + "/two.pem")
      let lost = try check()
      #expect(lost.code == 1 && lost.out.contains("1 part cannot be read"))
      try write([], to: folder + "/.nist.crl")
      #expect(try check().out.contains("hidden"))
      let chip = try Command.run(["chip", chips + "/td3-jpeg", "--trust", folder, "--date", "2026-06-01"])
      #expect(chip.err.contains("two.pem: ") && chip.err.contains(".nist.crl: "))
    }
  }
}

@Suite("Documents: pages and people", .needsCommand, .needsModels, .needsSamples, .needsChips, .needsPages)
struct DocumentPhotoCommandTests {
  private let date = ["--date", "2026-06-01"]

  // Rows: DR18
  @Test("a page is read and drawn, and its portrait is written")
  func page() throws {
    try withTemporaryFolder { folder in
      let (sheet, portrait, image) = (folder + "/sheet.png", folder + "/portrait.png", folder + "/image.png")
      let page = pages + "/clean-1.png"
      let read = try Command.run(
        ["document", page, "--annotate", sheet, "--save-portrait", portrait, "--save-page", image, "--json"] + date)
      #expect([0, 1, 4].contains(read.code))
      let report = try #require(try object(read.out)["report"] as? [String: Any])
      let data = try #require(report["data"] as? [String: Any])
      #expect((data["mrzLines"] as? [String: Any])?["status"] as? String != nil)
      for file in [sheet, portrait, image] {
        #expect(FileManager.default.contents(atPath: file)?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
      }
      #expect(try Command.run(["document", page, "--json"] + date).out == read.out)
      let zone = try Command.run(["mrz", page] + date)
      #expect([0, 1].contains(zone.code) && zone.out.contains("<<"))
    }
  }

  @Test("an altered field is named with what each source states")
  func altered() throws {
    let shown = try Command.run(["document", pages + "/altered-0.jpg", "--text"] + date)
    #expect(shown.code == 1 && !shown.out.contains("\\u{"))
    #expect(shown.out.contains("\n  surname: the text says JDWVBKD, the page says OSET\n"))
    #expect(shown.out.contains("\n  print-matches: failed (sources-differ)\n"))
    #expect(shown.out.contains("  JDWVBKD     (unverified)\n"))
  }

  @Test(
    "a licence's front says by its title where its data is",
    .needsShared("testdata/documents/kby_ca_driver_license.jpg"))
  func title() throws {
    let front = Installed.shared + "/testdata/documents/kby_ca_driver_license.jpg"
    let shown = try Command.run(["document", front, "--text"] + date)
    #expect(shown.code == 3 && shown.out.hasPrefix("unknown: failed"))
    #expect(shown.out.contains("\n  printed title: driving-licence (DRIVER LICENSE)\n"))
    #expect(shown.out.contains(" Its data is read from the AAMVA code on its back.\n"))
    let read = try Command.run(["document", front, "--text", "--json"] + date)
    let page = try #require((try object(read.out)["pages"] as? [[String: Any]])?.first)
    #expect((page["printedTitle"] as? [String: Any])?["type"] as? String == "driving-licence")
  }

  @Test("the printed text of a page is listed and drawn if requested")
  func text() throws {
    try withTemporaryFolder { folder in
      let page = pages + "/clean-1.png"
      let (plain, marked) = (folder + "/plain.png", folder + "/marked.png")
      let read = try Command.run(["document", page, "--text", "--annotate", marked, "--json"] + date)
      let found = try #require((try object(read.out)["pages"] as? [[String: Any]])?.first)
      let lines = try #require(found["text"] as? [[String: Any]])
      #expect(lines.count > 3)
      for line in lines {
        #expect((0.5...1).contains(line["confidence"] as? Double ?? 0) && line["script"] as? String != nil)
        #expect((line["corners"] as? [[Double]])?.count == 4)
      }
      let shown = try Command.run(["document", page, "--text"] + date)
      let first = try #require(lines.first?["text"] as? String)
      #expect(shown.out.contains("  \(first)\n"))
      let without = try Command.run(["document", page, "--annotate", plain, "--json"] + date)
      #expect((try object(without.out)["pages"] as? [[String: Any]])?.first?["text"] is NSNull)
      #expect((try object(without.out)["pages"] as? [[String: Any]])?.first?["printedTitle"] is NSNull)
      #expect(FileManager.default.contents(atPath: plain) != FileManager.default.contents(atPath: marked))
      #expect(try Command.run(["document", "--code", page, "--text"]).code == 2)
    }
  }

  @Test("a photo without a document is reported")
  func none() throws {
    let found = try Command.run(["mrz", Installed.sample("obama.jpg")])
    #expect(found.code == 3 && found.err.contains("no machine-readable zone"))
    #expect(try Command.run(["document", Installed.sample("obama.jpg")] + date).code == 3)
  }

  @Test("a selfie is compared with a chip, and an altered chip is refused")
  func compare() throws {
    let trust = ["--trust", chips + "/trust"]
    let selfie = Installed.sample("obama2.jpg")
    let match = try Command.run(["compare", selfie, "--chip", chips + "/td3-jpeg"] + trust + date)
    let valid = try Command.run(["compare", selfie, "--chip", chips + "/td3-j2k"] + trust + date)
    #expect(valid.code == 0 && valid.out.hasPrefix("match"))
    // This one expired in 2012.
    #expect(match.code == 4 && match.out.hasPrefix("refused") && match.out.contains("The document has expired."))
    let refused = try Command.run(["compare", selfie, "--chip", chips + "/wrong-hash", "--json"] + trust + date)
    #expect(refused.code == 4)
    #expect(try object(refused.out)["result"] as? String == "refused")
    let other = try Command.run(
      ["compare", Installed.sample("biden.jpg"), "--chip", chips + "/td3-jpeg"] + trust + date)
    #expect(other.code == 1)
    #expect(try Command.run(["compare", selfie]).code == 2)
    #expect(try Command.run(["compare", selfie, selfie, "--chip", chips]).code == 2)
  }

  @Test("a chip without its EF.SOD, or with another picture as EF.DG2, is refused also with a page")
  func notWhole() throws {
    try withTemporaryFolder { folder in
      let (chip, page) = (folder + "/chip", pages + "/clean-1.png")
      try FileManager.default.copyItem(atPath: chips + "/td3-j2k", toPath: chip)
      let arguments = ["--chip", chip, "--trust", chips + "/trust"] + date
      let compare = ["compare", Installed.sample("obama2.jpg"), "--document", page] + arguments
      let alone = ["compare", Installed.sample("obama2.jpg")] + arguments
      #expect(try Command.run(alone).out.hasPrefix("match"))
      // The page is of another document with the same portrait.
      let both = try Command.run(compare)
      #expect(both.code == 4 && both.out.contains("The page and the chip differ"), "\(both.out)")
      let group2 = [UInt8](try #require(FileManager.default.contents(atPath: chip + "/EF.DG2")))
      try write([0x89, 0x50, 0x4E, 0x47], to: chip + "/EF.DG2")
      let other = try Command.run(compare)
      #expect(other.code == 4 && other.out.contains("EF.DG2"), "\(other.out)")
      #expect(try Command.run(["document", page] + arguments).out.contains("chip-read (portrait-unreadable)"))
      try write(group2, to: chip + "/EF.DG2")
      try FileManager.default.removeItem(atPath: chip + "/EF.SOD")
      let unsigned = try Command.run(compare)
      #expect(unsigned.code == 4 && unsigned.out.contains("EF.SOD is missing"), "\(unsigned.out)")
      let document = try Command.run(["document", page] + arguments)
      #expect(document.code == 1 && document.out.contains("chip-read (sod-unusable)"))
    }
  }
}
