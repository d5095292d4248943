import ArgumentParser
import FaceVerify

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Make keys for signing decision records and for encrypting evidence.",
    discussion: """
      Examples:
        faceverify keys new signing.pem
        faceverify keys new auditor.pem --encryption
        faceverify keys show signing.pub.pem
      """,
    subcommands: [New.self, Show.self])

  struct New: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Make a key: a private file, and a public one next to it.",
      discussion: """
        NAME.pem is the private key (PKCS #8), readable for its owner only, and
        NAME.pub.pem the public key. The private file signs in your name, or reads
        what is encrypted for you: restrict access, and keep a backup. An existing
        file is never overwritten.

        Give the public file to those who verify your records, and its fingerprint
        over another channel.

        Examples:
          faceverify keys new signing.pem
          faceverify keys new auditor.pem --encryption

        Exit codes: 0 made, 2 usage error, 3 runtime error.
        """)

    @Argument(help: "The file of the private key.", completion: .file()) var file: String
    @Flag(help: "Make a key for encrypting evidence (X25519), not one for signing (Ed25519).") var encryption = false
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let publicFile = (file.hasSuffix(".pem") ? String(file.dropLast(4)) : file) + ".pub.pem"
      guard !RegularFile.exists(publicFile) else {
        throw VerifyError(.unwritable, "\(publicFile) exists already; choose another name")
      }
      let key = try PrivateKey(for: encryption ? .encryption : .signing)
      try key.write(to: file)
      try RegularFile.write(Array(key.publicKey.pem.utf8), to: publicFile)
      return try console.show(
        key.publicKey.jsonValue,
        "\(file.printable): private\n\(publicFile.printable): public\n" + KeysCommand.text(key.publicKey, on: console))
    }
  }

  struct Show: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the public part of a key, and its fingerprint.",
      discussion: """
        The fingerprint is the SHA-256 of the public key in DER:
          openssl pkey -pubin -in FILE -outform DER | sha256sum

        Examples:
          faceverify keys show signing.pub.pem
          faceverify keys show signing.pem --json

        Exit codes: 0 shown, 2 usage error, 3 runtime error.
        """)

    @Argument(help: "A file with a private or a public key.", completion: .file()) var file: String
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let key = try PublicKey(path: file)
      return try console.show(key.jsonValue, KeysCommand.text(key, on: console) + key.pem)
    }
  }

  private static func text(_ key: PublicKey, on console: Console) -> String {
    var table = Table()
    table.add("purpose", key.purpose == .signing ? "signs decision records (Ed25519)" : "encrypts evidence (X25519)")
    table.add("fingerprint", key.fingerprint)
    return table.text(on: console)
  }
}
