import ArgumentParser
import FaceVerify

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Make keys that sign decision records, or that evidence is encrypted to.",
    discussion: """
      Examples:
        faceverify keys new signing.pem
        faceverify keys new auditor.pem --encryption
        faceverify keys show signing.pub.pem
      """,
    subcommands: [New.self, Show.self])

  struct New: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Make a key: a private file, and a public one beside it.",
      discussion: """
        NAME.pem is the private key (PKCS #8), which only its owner may read, and
        NAME.pub.pem the public one. Whoever has the private file can sign in your
        name, or read what is encrypted to you: keep it where nobody else comes,
        and a copy in a safe place. A file that is there is never overwritten.

        Give the public file and its fingerprint to those who verify your records,
        each on its own way.

        Examples:
          faceverify keys new signing.pem
          faceverify keys new auditor.pem --encryption
        """)

    @Argument(help: "The file of the private key.", completion: .file())
    var file: String
    @Flag(help: "A key that evidence is encrypted to (X25519), not one that signs (Ed25519).")
    var encryption = false
    @OptionGroup var output: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let publicFile = (file.hasSuffix(".pem") ? String(file.dropLast(4)) : file) + ".pub.pem"
      guard !RegularFile.exists(publicFile) else {
        throw VerifyError(.unwritable, "\(publicFile): there is such a file already; choose another name")
      }
      let key = try PrivateKey(for: encryption ? .encryption : .signing)
      try key.write(to: file)
      try RegularFile.write(Array(key.publicKey.pem.utf8), to: publicFile)
      try console.write(
        output.json
          ? key.publicKey.json
          : "\(file.printable): private, for you alone\n\(publicFile.printable): public\n"
            + KeysCommand.text(key.publicKey, on: console))
      return .done
    }
  }

  struct Show: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the public part of a key, and its fingerprint.",
      discussion: """
        The fingerprint is SHA-256 of the public key in DER, as
          openssl pkey -pubin -in FILE -outform DER | sha256sum

        Examples:
          faceverify keys show signing.pub.pem
          faceverify keys show signing.pem --json
        """)

    @Argument(help: "A file with a private or a public key.", completion: .file())
    var file: String
    @OptionGroup var output: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let key = try PublicKey(path: file)
      try console.write(output.json ? key.json : KeysCommand.text(key, on: console) + key.pem)
      return .done
    }
  }

  private static func text(_ key: PublicKey, on console: Console) -> String {
    var table = Table()
    table.add(
      .init("purpose", .faint),
      .init(key.purpose == .signing ? "signs decision records (Ed25519)" : "evidence is encrypted to it (X25519)"))
    table.add(.init("fingerprint", .faint), .init(key.fingerprint))
    return table.text(on: console)
  }
}
