import ArgumentParser
import FaceVerify

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Check a signed record of a decision, and open the evidence behind it.",
    discussion: """
      Examples:
        faceverify record verify record.json --key signing.pub.pem
        faceverify record open evidence.fvb --key auditor.pem --out evidence
        faceverify record replay evidence.fvb --key auditor.pem --key signing.pub.pem
      """,
    subcommands: [Verify.self, Replay.self, Open.self, Schema.self])

  struct Verify: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Check a record by itself: form, signature, and whether all that it says fits together.",
      discussion: """
        Without --key, nobody but the record vouches for the key that signed it:
        anybody could have. Ask the signer for the public key, and compare its
        fingerprint on another way.

        What was asked for, and by which policies, stands beside the outcome: a
        record that is right may say "passed" of little. If the models of the record
        are installed, its thresholds are held against theirs. The evidence that the
        record rests on is not looked at: `record replay` does that.

        Examples:
          faceverify record verify record.json --key signing.pub.pem
          faceverify record verify record.json --key old.pub.pem --key new.pub.pem --json

        Exit codes:
          0  right: everything was checked, and nothing is wrong
          1  wrong: what is wrong is said
          2  wrong use of the command
          3  could not be done: unreadable file, no record...
          4  nothing is wrong, but not everything was checked: no trusted key
        """)

    @Argument(help: "The record.", completion: .file())
    var record: String
    @Option(
      help: ArgumentHelp("A public key that is trusted; may be repeated.", valueName: "file"), completion: .file())
    var key: [String] = []
    @OptionGroup var output: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let limits = JSONValue.Limits()
      let bytes = try RegularFile.read(path: record, maximumBytes: limits.maximumBytes)
      let record = try VerifyError.naming(record) { try DecisionRecord(bytes: bytes, limits: limits) }
      let checks = record.verify(
        trusting: try key.map { try PublicKey(path: $0) }, calibration: record.installedCalibration)
      let result = DecisionRecord.result(of: checks)
      try console.write(
        output.json ? Self.json(record, checks, result).text : Self.text(record, checks, result, on: console))
      return result == .passed ? .done : result == .failed ? .noMatch : .refused
    }

    private static func json(_ record: DecisionRecord, _ checks: [RecordCheck], _ result: CheckStatus) -> JSONValue {
      [
        "result": .string(result.rawValue), "id": record.body["id"] ?? .null,
        "outcome": record.body["result"]?["result"] ?? .null, "policy": record.policy,
        "signer": record.signer.map { .string($0.fingerprint) } ?? .null, "checks": checks.jsonValue,
      ]
    }

    private static func text(
      _ record: DecisionRecord, _ checks: [RecordCheck], _ result: CheckStatus, on console: Console
    ) -> String {
      let decision = record.body["result"]?["result"]?.string ?? "nothing"
      var text =
        switch result {
        case .passed:
          console.styled("right: a trusted key signed it; its outcome is \(decision) by this policy:", .good)
        case .notChecked:
          console.styled("not all was checked: nothing is wrong; its outcome is \(decision) by this policy:", .caution)
        case .failed: console.styled("wrong: do not rely on this record", .bad)
        }
      text += "\n"
      var table = Table()
      for (name, value) in policy(record) { table.add(.init(name, .faint), .init(value)) }
      text += table.text(indent: 2, on: console)
      table = Table()
      for check in checks {
        table.add(.init(check.name.rawValue, .faint), ChipText.status(check.status), .init(check.text))
      }
      if let signer = record.signer { table.add(.init("key", .faint), .init(""), .init(signer.fingerprint)) }
      return text + table.text(indent: 2, on: console)
    }

    /// Returns the record's policy as names and values.
    private static func policy(_ record: DecisionRecord) -> [(String, String)] {
      let policy = record.policy
      func text(_ name: String) -> String { policy[name]?.string ?? "not said" }
      func texts(_ json: JSONValue?) -> String { (json?.elements ?? []).compactMap(\.string).joined(separator: ", ") }
      let requests = (policy["requests"]?.elements ?? []).map { request -> String in
        let limits: [String] = ["countries", "types", "variants"].map { texts(request[$0]) }.filter { !$0.isEmpty }
        let category = request["category"]?.string ?? ""
        return limits.isEmpty ? category : "\(category) (\(limits.joined(separator: "; ")))"
      }
      let presence = (policy["presence"]?.elements ?? []).map { entry -> String in
        let (mode, name) = (entry["mode"]?.string ?? "", entry["policy"]?.string ?? "not said")
        return "\(mode) by the policy \(name)"
      }
      let isCompared = policy["comparesFace"]?.bool == true
      let portrait: String =
        policy["portrait"]?.string.map { "a \($0) that was given" } ?? "the portrait of the document"
      let quality: String = "selfie by \(text("selfieQuality")), portrait by \(text("portraitQuality"))"
      let compared: String = "with \(portrait), at a false-match rate of \(text("falseMatchRate")); quality: \(quality)"
      let anchors: Int = policy["trust"]?["anchors"]?.integer ?? 0
      let isTrustGiven = policy["trust"]?["isGiven"]?.bool == true
      let trust: String = isTrustGiven ? "trusted certificates: \(anchors)" : "no trust given"
      let required: String = policy["requiresChip"]?.bool == true ? "required" : "not required"
      let made = record.body["created"]?.double.flatMap { try? DateTime(secondsSince1970: $0).calendarDate.description }
      let named: String? = policy["date"]?.string
      var day: String = named.map { "\($0), as the configuration says" } ?? "the day of each call"
      if let named, named != made { day += "; the record is of \(made ?? "no day")" }
      var lines: [(String, String)] = []
      lines.append(("asked for", requests.joined(separator: ", ")))
      lines.append(("presence", presence.joined(separator: ", ")))
      lines.append(("compared", isCompared ? compared : "with nobody"))
      lines.append(("chip", "\(required), authentication \(text("authentication")), \(trust)"))
      lines.append(("judged for", day))
      if let error = record.body["result"]?["error"]?["message"]?.string { lines.append(("error", error)) }
      return lines
    }
  }

  struct Open: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "open",
      abstract: "Decrypt evidence into a new folder.",
      discussion: """
        The folder has record.json and, in inputs/, every frame as PNG and every
        file as it was. It is there whole, or not at all. These are pictures of
        people: delete the folder when you have seen it.

        Examples:
          faceverify record open evidence.fvb --key auditor.pem --out evidence
          faceverify record verify evidence/record.json --key signing.pub.pem
        """)

    @Argument(help: "The bundle.", completion: .file())
    var bundle: String
    @Option(
      help: ArgumentHelp("The private key that it is encrypted to.", valueName: "file"), completion: .file())
    var key: String
    @Option(help: ArgumentHelp("The folder, which must not be there yet.", valueName: "folder"))
    var out: String

    func run(on console: Console) throws -> ExitStatus {
      let names = try EvidenceBundle.extract(path: bundle, key: PrivateKey(path: key), to: out)
      try console.write("\(out.printable): \(names.count) file\(names.count == 1 ? "" : "s")\n")
      return .done
    }
  }

  struct Schema: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Print the JSON Schema of records, or the tables behind their rules.",
      discussion: """
        The tables have the states of a journey, the evidence for each level of
        presence, this version's limits, and the calibrations of the installed
        models. examples/record/verify.py needs both files.

        Examples:
          faceverify record schema > record.schema.json
          faceverify record schema --tables > record.tables.json
        """)

    @Flag(help: "Print the tables.")
    var tables = false

    func run(on console: Console) throws -> ExitStatus {
      try console.write(tables ? DecisionRecord.tables().text : DecisionRecord.jsonSchema.text)
      return .done
    }
  }
}
