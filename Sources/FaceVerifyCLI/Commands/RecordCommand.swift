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
        faceverify record replay evidence.fvb --key auditor.pem
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

        What the record rests on is not looked at.

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
      let record = try DecisionRecord(
        bytes: RegularFile.read(path: record, maximumBytes: limits.maximumBytes), limits: limits)
      let checks = record.verify(trusting: try key.map { try PublicKey(path: $0) })
      let result = DecisionRecord.result(of: checks)
      try console.write(
        output.json ? Self.json(record, checks, result).text : Self.text(record, checks, result, on: console))
      return result == .passed ? .done : result == .failed ? .noMatch : .refused
    }

    private static func json(_ record: DecisionRecord, _ checks: [RecordCheck], _ result: CheckStatus) -> JSONValue {
      [
        "result": .string(result.rawValue), "id": record.body["id"] ?? .null,
        "signer": record.signer.map { .string($0.fingerprint) } ?? .null, "checks": checks.jsonValue,
      ]
    }

    private static func text(
      _ record: DecisionRecord, _ checks: [RecordCheck], _ result: CheckStatus, on console: Console
    ) -> String {
      let decision = record.body["result"]?["result"]?.string ?? "nothing"
      var text =
        switch result {
        case .passed: console.styled("right: a trusted key signed it, and it says \(decision)", .good)
        case .notChecked: console.styled("not all was checked: nothing is wrong, and it says \(decision)", .caution)
        case .failed: console.styled("wrong: do not rely on this record", .bad)
        }
      text += "\n"
      var table = Table()
      for check in checks {
        table.add(.init(check.name.rawValue, .faint), ChipText.status(check.status), .init(check.text))
      }
      if let signer = record.signer { table.add(.init("key", .faint), .init(""), .init(signer.fingerprint)) }
      return text + table.text(indent: 2, on: console)
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
      abstract: "Print the JSON Schema of records.",
      discussion: """
        Example:
          faceverify record schema > record.schema.json
        """)

    func run(on console: Console) throws -> ExitStatus {
      try console.write(DecisionRecord.jsonSchema.text)
      return .done
    }
  }
}
