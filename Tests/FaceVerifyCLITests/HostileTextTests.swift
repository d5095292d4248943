import FaceVerify
import Foundation
import TestSupport
import Testing

/// A forged verdict on a separate line, terminal escape sequences, direction overrides and invisible characters.
private let hostile =
  "a\nauthentic: all is well\r\u{1B}[31m\u{9B}2J\u{7F}\u{85}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{2029}\u{200B}"
  + "\u{FEFF}\u{AD}\u{E0041}<&\">"

/// A data object of ISO/IEC 8825-1 with a length of up to two bytes.
private func object(_ tag: [UInt8], _ value: [UInt8]) -> [UInt8] {
  tag + [0x82, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
}

@Suite("Hostile text")
struct HostileTextTests {
  private func expectHarmless(_ outcome: Command.Outcome, _ arguments: [String]) {
    for text in [outcome.out, outcome.err] {
      let raw = text.unicodeScalars.filter { !$0.isPrintable && $0 != "\n" }
      #expect(raw.isEmpty, "\(arguments.map(\.printable)): \(raw.map { String($0.value, radix: 16) })")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("authentic") }, "\(arguments.map(\.printable))")
    }
    #expect(!(outcome.out + outcome.err).isEmpty, "\(arguments.map(\.printable))")
  }

  @Test("hostile text is escaped in names of files and folders, and in arguments")
  func names() throws {
    try withTemporaryFolder { folder in
      let (home, face, text) = (folder + "/" + hostile, "/" + hostile + ".png", "/" + hostile + ".txt")
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Faces.one, toPath: home + face)
      try write("no picture".utf8, to: home + text)
      var commands: [[String]] = [
        ["template", home + face, "-o", home + "/person.fvt"], ["compare", home + face, home + "/person.fvt"],
        ["detect", home + face, home + text, home + "/missing"], ["quality", home + face, home + text],
        ["bench", home + face, "--rounds", "1"], ["compare", home + face, home + text], ["compare", home, home],
        ["template", home + face, "-o", home + "/missing/person.fvt"], ["mrz", home + text, home], ["mrz", hostile],
        ["document", home + text], ["chip", home], ["chip", home + "/missing"],
        ["compare", home + face, "--chip", home],
        ["trust", "list", home], ["trust", "check", home], ["trust", "check", home + "/missing"],
        ["models", "list", "--models-folder", home], ["models", "verify", "--models-folder", home],
        ["doctor", "--models-folder", home], ["liveness", home + text], ["liveness", "--photo", home + face],
        ["liveness", "--camera", home + "/video"], ["eval", "liveness", home], ["eval", "liveness", home + "/missing"],
        [hostile], ["--" + hostile], ["detect", "--" + hostile], ["detect", home + face, "--threads", hostile],
        ["document", home + face, "--date", hostile], ["liveness", home + face, "--script", hostile],
        ["liveness", home + face, "--policy", hostile],
      ]
      commands += commands.map { $0 + ["--json"] }
      for arguments in commands { expectHarmless(try ScriptedCommand.run(arguments), arguments) }
      let json = try ScriptedCommand.run(["detect", home + face, "--json"])
      let read = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
      #expect((read["photos"] as? [[String: Any]])?.first?["file"] as? String == home + face)
    }
  }

  @Test("hostile text is escaped in every field of a chip; JSON has it exactly")
  func chip() throws {
    try withTemporaryFolder { folder in
      let value = Array(hostile.utf8)
      let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
      func fields(_ tags: [UInt8]) -> [UInt8] { tags.flatMap { object([0x5F, $0], value) } }
      let version = object([0x5F, 0x01], value) + object([0x5F, 0x36], value)
      let files: [(String, [UInt8])] = [
        ("EF.DG1", object([0x61], object([0x5F, 0x1F], Array(zone.utf8)))),
        ("EF.DG11", object([0x6B], fields([0x0E, 0x0F, 0x10, 0x11, 0x42, 0x12, 0x13, 0x14, 0x15, 0x17, 0x18]))),
        ("EF.DG12", object([0x6C], fields([0x19, 0x1A, 0x1B, 0x1C, 0x56]))),
        ("EF.COM", object([0x60], version + object([0x5C], [0x61, 0x6B, 0x6C]))), ("EF.DG14", [0] + value),
        (hostile, [0] + value),
      ]
      for (name, bytes) in files { try write(bytes, to: folder + "/" + name) }
      for arguments in [["chip", folder], ["chip", folder, "--json"]] {
        expectHarmless(try ScriptedCommand.run(arguments), arguments)
      }
      let json = try ScriptedCommand.run(["chip", folder, "--json"])
      let read = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
      let (holder, document) = (read["dg11"] as? [String: Any], read["dg12"] as? [String: Any])
      for name in ["fullName", "personalNumber", "telephone", "profession", "title", "personalSummary"] {
        #expect(holder?[name] as? String == hostile, "\(name)")
      }
      #expect(holder?["otherNames"] as? [String] == [hostile])
      #expect(document?["issuingAuthority"] as? String == hostile && document?["endorsements"] as? String == hostile)
      #expect(read["ignored"] as? [String] == [hostile])
    }
  }

  @Test("hostile text is escaped in the fields of a document, also one of only line breaks", .needsChips)
  func fields() throws {
    for value in [hostile, "\n", "\r\n\n"] {
      try withTemporaryFolder { folder in
        let chip = folder + "/chip"
        try FileManager.default.copyItem(atPath: Installed.documents + "/chips/drawn-jpeg", toPath: chip)
        let fields = [0x0E, 0x10, 0x11, 0x42].flatMap { object([0x5F, $0], Array(value.utf8)) }
        try write(object([0x6B], fields), to: chip + "/EF.DG11")
        let sheet = folder + "/sheet.png"
        let arguments = ["compare", Faces.one, "--chip", chip, "--date", "2026-06-01", "--annotate", sheet]
        let text = try ScriptedCommand.run(arguments)
        #expect(text.code == 4 && text.out.contains("placeOfBirth") && text.out.contains("\\u{A}"), "\(text.err)")
        expectHarmless(text, arguments)
        let json = try ScriptedCommand.run(arguments + ["--json"])
        expectHarmless(json, arguments)
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
        let report = (read["document"] as? [String: Any])?["report"] as? [String: Any]
        let data = (report?["data"] as? [String: Any])?["placeOfBirth"] as? [String: Any]
        // Its components are separated by <.
        #expect((data?["value"] as? String)?.unicodeScalars.first == value.unicodeScalars.first)
      }
    }
  }

  @Test("hostile text is escaped in groups of an evaluation; no table cell becomes a formula")
  func cells() throws {
    try withTemporaryFolder { folder in
      let formulas = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "＝1", "=1\u{301}\"x", "a,\u{301}=1", "a;=1"]
      let harmless = ["-1", "+1.5e3", "a=1", "é"]
      let names = formulas + harmless + [hostile]
      func quoted(_ text: String) -> String { "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
      let rows = names.map { "live,\(quoted($0)),\(quoted("s" + $0))\n" }
      try write(Array(("label,path,source\n" + rows.joined()).utf8), to: folder + "/labels.csv")
      let arguments = [
        "eval", "liveness", folder, "--labels", folder + "/labels.csv", "--details", folder + "/details.csv", "--csv",
        folder + "/rates.csv",
      ]
      expectHarmless(try ScriptedCommand.run(arguments), arguments)
      for file in ["details.csv", "rates.csv"] {
        let text = String(
          decoding: try #require(FileManager.default.contents(atPath: folder + "/" + file)), as: UTF8.self)
        #expect(text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" }, "\(file)")
      }
      let details = try #require(FileManager.default.contents(atPath: folder + "/details.csv"))
      let cells = [
        "'=1+1,", "'+1+1,", "'-1+1,", "'@SUM(1),", "'=1,", "'＝1,", "\"'=1\u{301}\"\"x\",", "\"a,\u{301}=1\",",
        "\"a;=1\",", "-1,", "+1.5e3,", "a=1,", "é,",
      ]
      for cell in cells { #expect(details.range(of: Data(("\n" + cell).utf8)) != nil, "\(cell)") }
      let lines = details.split(separator: 10)
      #expect(lines.count == names.count + 1)
      for line in lines { #expect(![UInt8(ascii: "="), UInt8(ascii: "@")].contains(line.first)) }
    }
  }

  @Test("hostile text is escaped at any position of a zone")
  func zone() throws {
    let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
    for scalar in Set(hostile.unicodeScalars) {
      for place in [0, 3, 8, 46, 87] {
        var text = Array(zone.unicodeScalars)
        text[place] = scalar
        let arguments = ["mrz", String(String.UnicodeScalarView(text))]
        expectHarmless(try ScriptedCommand.run(arguments), arguments)
      }
    }
  }

  @Test(
    "hostile text is escaped in names of certificates and files, and exact in JSON", .needsProgram("/usr/bin/openssl"))
  func certificate() throws {
    try withTemporaryFolder { folder in
      let name = hostile.replacingOccurrences(of: "\r", with: "").replacingOccurrences(of: "\n", with: "")
      let made = try ScriptedCommand.shell(
        """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -days 3650 -utf8 \
          -subj "/C=UT/O=$NAME" -addext keyUsage=critical,keyCertSign,cRLSign -out '\(folder)'/ca.cer -outform DER
        """, environment: ["NAME": name])
      #expect(made.code == 0, "\(made.err)")
      try FileManager.default.moveItem(atPath: folder + "/ca.cer", toPath: folder + "/" + hostile + ".cer")
      try write("no certificate".utf8, to: folder + "/" + hostile)
      for command in ["list", "check"] {
        for arguments in [["trust", command, folder], ["trust", command, folder, "--json"]] {
          expectHarmless(try ScriptedCommand.run(arguments), arguments)
        }
      }
      let json = try ScriptedCommand.run(["trust", "list", folder, "--json"])
      let read = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
      let anchor = (read["anchors"] as? [[String: Any]])?.first
      #expect((anchor?["certificate"] as? [String: Any])?["subject"] as? String == "C=UT, O=" + name)
      #expect(anchor?["source"] as? String == hostile + ".cer")
    }
  }

  @Test("hostile text is escaped in sources and labels on the page of an evaluation", .needsFFmpeg)
  func page() throws {
    try withTemporaryFolder { folder in
      let species = folder + "/set/" + hostile
      try FileManager.default.createDirectory(atPath: species, withIntermediateDirectories: true)
      try write("no video".utf8, to: species + "/" + hostile + ".mp4")
      let page = folder + "/report.html"
      for more in [[], ["--json"]] {
        let arguments = ["eval", "liveness", folder + "/set", "--html", page] + more
        expectHarmless(try ScriptedCommand.run(arguments), arguments)
      }
      let html = String(decoding: try #require(FileManager.default.contents(atPath: page)), as: UTF8.self)
      #expect(html.contains("authentic: all is well") && html.contains("\\u{202E}"))
      #expect(html.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" })
      #expect(!html.contains("<&") && !html.split(separator: "\n").contains { $0.hasPrefix("authentic") })
    }
  }
}
