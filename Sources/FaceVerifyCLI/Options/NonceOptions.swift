import ArgumentParser
import FaceVerify

/// A server's request.
struct NonceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw the script from this nonce, 32 to 128 hexadecimal digits, and bind the result to it.", valueName: "hex"))
  var nonce: String?

  @Option(help: ArgumentHelp("How many challenges to draw from the nonce.", valueName: "number"))
  var challenges: Int = 3

  /// Empty without one.
  func bytes() throws -> [UInt8] { try nonce.map(Self.bytes) ?? [] }

  private static func bytes(_ text: String) throws -> [UInt8] {
    guard let bytes = decodedHexadecimal(text), !bytes.isEmpty else {
      throw VerifyError(.badArgument, "a nonce is an even number of hexadecimal digits, not \"\(text)\"")
    }
    return bytes
  }
}
