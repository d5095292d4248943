import Testing

@Suite("What a command may cost", .needsCommand, .needsModels)
struct CostTests {
  @Test(
    "--timeout ends a command with 3, and a message that says so",
    arguments: [
      ["detect"], ["quality"], ["template", "--output", "/nonexistent/person.fvt"], ["mrz"], ["document"],
      ["compare", Command.fixtures + "/noise.png"],
    ])
  func timeout(arguments: [String]) throws {
    let outcome = try Command.run(arguments + [Command.fixtures + "/noise.png", "--timeout", "0.01"])
    #expect(outcome.code == 3)
    #expect(outcome.err.contains("the call was ended after the 0.01 s that it was given"), "\(outcome.err)")
  }

  @Test("a timeout of no time is a wrong use")
  func noTime() throws {
    #expect(try Command.run(["detect", Command.fixtures + "/one.png", "--timeout", "0"]).code == 2)
  }

  /// Peak memory in MB of a command that finds no face.
  private func memory(_ file: String) throws -> Int {
    let outcome = try Command.shell(
      """
      python3 -c 'import resource, subprocess, sys
      outcome = subprocess.run(sys.argv[1:], capture_output=True)
      assert outcome.returncode == 3 and b"no face" in outcome.stderr, outcome
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$fv" detect '\(Command.fixtures)/\(file)'
      """)
    return try #require(Int(outcome.out.split(separator: "\n").first ?? ""), "\(outcome.err)")
  }

  @Test("98 megapixels of noise take 150 MB more than a picture of one pixel")
  func memory() throws {
    let (large, small) = (try memory("noise.png"), try memory("one.png"))
    #expect(large - small < 150, "\(large) and \(small) MB")
  }
}
