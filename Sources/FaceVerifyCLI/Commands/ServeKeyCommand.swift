#if Server
  import ArgumentParser
  import FaceVerify
  import FaceVerifyServer

  struct ServeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key",
      abstract: "Keys that programs call the server with.",
      discussion: """
        Examples:
          faceverify serve key add --name shop
          faceverify serve key add --name shop --scope sessions --callback https://shop.example/hook
          faceverify serve key list
          faceverify serve key revoke 0b0c9d5e-…
        """, subcommands: [Add.self, List.self, Revoke.self])

    struct Add: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make a key; it is printed once, and only its hash is kept.",
        discussion: """
          Keys of one name see each other's sessions: make a second one before you
          revoke the first.

          Examples:
            faceverify serve key add --name shop --days 365
            faceverify serve key add --name auditor --scope audit --json
          """)

      @Option(help: ArgumentHelp("Whose key it is.", valueName: "name"))
      var name: String
      @Option(
        help: ArgumentHelp("What it may do: sessions, check, audit, separated by commas.", valueName: "scopes"))
      var scope = "sessions,check"
      @Option(help: ArgumentHelp("An address that webhooks may go to, or what is below it.", valueName: "url"))
      var callback: [String] = []
      @Option(help: ArgumentHelp("For how long; default: until it is revoked.", valueName: "days"))
      var days: Int?
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: JSONOption

      func run(on console: Console) throws -> ExitStatus {
        let made = try place.administration().addKey(
          tenant: name, scopes: scope.split(separator: ",").map(String.init), callbacks: callback, days: days)
        let json: JSONValue = [
          "id": .string(made.id), "key": .string(made.key), "webhookSecret": .string(made.secret),
        ]
        try console.write(
          output.json
            ? json.text
            : "key             \(made.key)\nwebhook secret  \(made.secret)\nid              \(made.id)\n"
              + "Neither can be shown again. Send the key as: Authorization: Bearer \(made.key.prefix(8))…\n")
        return .done
      }
    }

    struct List: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All keys, without their secrets.",
        discussion: """
          Examples:
            faceverify serve key list --json
          """)
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: JSONOption

      func run(on console: Console) throws -> ExitStatus {
        let keys = try place.administration().keys()
        if output.json {
          try console.write(
            JSONValue.array(
              keys.map { key in
                [
                  "id": .string(key.id), "name": .string(key.tenant),
                  "scopes": .array(key.scopes.map(JSONValue.string)),
                  "callbacks": .array(key.callbacks.map(JSONValue.string)), "created": .string(key.created),
                  "expires": key.expires.map(JSONValue.string) ?? .null, "isRevoked": .bool(key.isRevoked),
                ]
              }
            ).text)
          return .done
        }
        var table = Table()
        for key in keys {
          table.add(
            .init(key.id), .init(key.tenant, .strong), .init(key.scopes.joined(separator: " ")), .init(key.created),
            .init(key.isRevoked ? "revoked" : key.expires.map { "until \($0)" } ?? "", .faint))
        }
        try console.write(
          keys.isEmpty ? "There is no key: faceverify serve key add --name NAME\n" : table.text(on: console))
        return .done
      }
    }

    struct Revoke: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a key at once, also for a server that runs.",
        discussion: """
          Examples:
            faceverify serve key revoke 0b0c9d5e-6f0e-4c8e-9d53-0a8f3f0a2b11
          """)
      @Argument(help: "The key's id.") var id: String
      @OptionGroup var place: ServerPlace

      func run(on console: Console) throws -> ExitStatus {
        try place.administration().revoke(id)
        try console.write("revoked\n")
        return .done
      }
    }
  }

  struct ServeAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "audit",
      abstract: "The chain of what happened: each entry holds the hash of the one before.",
      discussion: """
        Examples:
          faceverify serve audit verify
          faceverify serve audit export > audit.ndjson
        """, subcommands: [Verify.self, Export.self])

    struct Verify: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Whether nothing was changed, left out or put in.",
        discussion: """
          Exit code 1 if something was. Compare the head with one that you have
          noted elsewhere: who may write the database can make a whole new chain.

          Examples:
            faceverify serve audit verify --json
          """)
      @OptionGroup var place: ServerPlace
      @OptionGroup var output: JSONOption

      func run(on console: Console) throws -> ExitStatus {
        let found = try place.administration().verifyAudit()
        let json: JSONValue = [
          "entries": .integer(found.count), "head": .string(found.head),
          "problem": found.problem.map(JSONValue.string) ?? .null,
        ]
        try console.write(
          output.json
            ? json.text
            : found.problem.map { "the chain is broken: \($0.printable)\n" }
              ?? "right: \(found.count) entries, head \(found.head)\n")
        return found.problem == nil ? .done : .noMatch
      }
    }

    struct Export: Subcommand {
      static let configuration = CommandConfiguration(
        commandName: "export", abstract: "All entries, one JSON object a line.",
        discussion: """
          Examples:
            faceverify serve audit export --after 4711
          """)
      @Option(help: ArgumentHelp("Only those after this one.", valueName: "number")) var after = 0
      @OptionGroup var place: ServerPlace

      func run(on console: Console) throws -> ExitStatus {
        try place.administration().eachAuditEntry(after: after) { entry in
          try console.write(String(decoding: entry.canonical, as: UTF8.self) + "\n")
        }
        return .done
      }
    }
  }

  extension ServerPlace {
    func administration() throws -> ServerAdministration {
      try ServerAdministration(dataFolder: folder(), database: database)
    }
  }
#endif
