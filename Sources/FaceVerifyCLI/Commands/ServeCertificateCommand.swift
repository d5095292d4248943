#if Server
  import ArgumentParser
  import FaceVerify
  import FaceVerifyBase
  import Glibc

  struct ServeCertificateCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "certificate", abstract: "Make a certificate for a local network, and its certificate authority.",
      discussion: """
        Writes ca.pem, which each device must trust (on iOS: install it, then
        trust it in the settings), and server.pem with server.key for the server.
        The key of the authority is not kept. For a public name, use a certificate
        that browsers trust already.

        Requires the program openssl (apt-get install openssl).

        Examples:
          faceverify serve certificate --name kiosk.lan --output tls
          faceverify serve --host 0.0.0.0 --tls-cert tls/server.pem \\
            --tls-key tls/server.key

        Exit codes: 0 written, 2 usage error, 3 runtime error.
        """)

    @Option(help: .init("A host name or an address of the server, as users type it.", "name")) var name: [String]
    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: .init("The folder to write to; default: the current one.", "folder"),
      completion: .directory)
    var out = "."
    @Option(help: .init("Validity; browsers accept at most 825.", "days")) var days = 397
    @OptionGroup var output: OutputOptions

    func validate() throws {
      try require((1...825).contains(days), "--days must be 1 to 825")
      for name in name
      where name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-:*".contains($0)) }) {
        throw ValidationError("--name takes a host name or an address, not \"\(name)\"")
      }
    }

    func run(on console: Console) throws -> ExitStatus {
      try RegularFile.makeFolder(out)
      for file in ["ca.pem", "server.pem", "server.key"] where RegularFile.exists("\(out)/\(file)") {
        throw VerifyError(.unwritable, "\(out)/\(file) exists already; choose another folder")
      }
      var template = Array("\(out)/.certificate.XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw VerifyError(.unwritable, "\(out): \(RegularFile.reason(errno))") }
      let work = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      defer {
        for file in ["ca.key", "server.csr", "names"] { unlink("\(work)/\(file)") }
        rmdir(work)
      }
      let names = name.map { name in
        (name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } ? "IP:" : "DNS:") + name
      }
      try RegularFile.write(
        Array(
          "subjectAltName=\(names.joined(separator: ","))\nbasicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\n"
            .utf8), to: "\(work)/names")
      let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      try openssl(
        ["req", "-x509"] + curve + [
          "-keyout", "\(work)/ca.key", "-out", "\(out)/ca.pem", "-days", "\(days)", "-subj",
          "/CN=faceverify \(name[0])",
          "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0", "-addext", "keyUsage=critical,keyCertSign",
        ])
      try openssl(
        ["req"] + curve + ["-keyout", "\(out)/server.key", "-out", "\(work)/server.csr", "-subj", "/CN=\(name[0])"])
      try openssl([
        "x509", "-req", "-in", "\(work)/server.csr", "-CA", "\(out)/ca.pem", "-CAkey", "\(work)/ca.key", "-days",
        "\(days)", "-out", "\(out)/server.pem", "-extfile", "\(work)/names",
      ])
      chmod("\(out)/server.key", 0o600)
      let folder = out.printable
      try console.show(
        [
          "authority": .string("\(out)/ca.pem"), "certificate": .string("\(out)/server.pem"),
          "key": .string("\(out)/server.key"),
        ],
        "\(folder)/ca.pem: for the devices\n\(folder)/server.pem, \(folder)/server.key: "
          + "faceverify serve --tls-cert \(folder)/server.pem --tls-key \(folder)/server.key\n")
      return .done
    }

    private func openssl(_ arguments: [String]) throws {
      let status = try ChildProcess.run(["openssl"] + arguments)
      guard status == 0 else {
        throw VerifyError(.internalFailure, "openssl \(arguments[0]) failed with exit code \(status)")
      }
    }
  }
#endif
