import Foundation
import TestSupport
import Testing

@Suite("Limits on the size of folders")
struct FolderCostTests {
  @Test("60 files of 30 MB that are not a chip's are not read")
  func memory() throws {
    try withTemporaryFolder { folder in
      let group1 = [0x61, 0x5B, 0x5F, 0x1F, 0x58] + [UInt8](repeating: UInt8(ascii: "<"), count: 88)
      try write(group1, to: folder + "/EF.DG1")
      let outcome = try ScriptedCommand.shell(
        """
        for i in {1..60}; do truncate -s 30M '\(folder)'/$i.mov; done
        python3 -c 'import resource, subprocess, sys
        outcome = subprocess.run(sys.argv[1:], capture_output=True)
        assert outcome.returncode == 4 and b"60.mov: not a file of a chip" in outcome.stdout, outcome
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$fv" chip '\(folder)'
        """)
      let megabytes = try #require(Int(outcome.out.split(separator: "\n").first ?? ""), "\(outcome.err)")
      #expect(megabytes < 200, "\(megabytes) MB")
    }
  }

  @Test("a photo is read once", arguments: [["compare"], ["gallery", "add", "people.fvg"], ["detect"]])
  func photo(command: [String]) throws {
    try withTemporaryFolder { folder in
      let outcome = try ScriptedCommand.shell(
        """
        cp '\(Command.fixtures)/one.png' '\(folder)/padded.png' && truncate -s 8M '\(folder)/padded.png'
        cp '\(folder)/padded.png' '\(folder)/other.png'
        python3 -c 'import subprocess, sys
        def read(): return int(open("/proc/self/io").read().split()[1])
        before = read()
        subprocess.run(sys.argv[1:], capture_output=True, cwd="\(folder)")
        print((read() - before) >> 20)' "$fv" \(command.joined(separator: " ")) padded.png other.png
        """)
      let megabytes = try #require(Int(outcome.out.split(separator: "\n").first ?? ""), "\(outcome.err)")
      #expect((16..<24).contains(megabytes), "\(megabytes) MB of two photos of 8 MB")
    }
  }
}

@Suite("Limits on the cost of commands", .needsCommand, .needsModels)
struct CostTests {
  @Test(
    "--timeout ends a command with exit code 3 and a message",
    arguments: [
      ["detect"], ["quality"], ["template", "--output", NSTemporaryDirectory() + "/person.fvt"], ["mrz"], ["document"],
      ["compare", Command.fixtures + "/noise.png"],
    ])
  func timeout(arguments: [String]) throws {
    let outcome = try Command.run(arguments + [Command.fixtures + "/noise.png", "--timeout", "0.01"])
    #expect(outcome.code == 3)
    #expect(outcome.err.contains("the call exceeded its budget of 0.01 s"), "\(outcome.err)")
  }

  @Test("a timeout of zero is a usage error")
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

  // Rows: V4.10-a
  @Test("98 megapixels of noise take 150 MB more than a picture of one pixel")
  func memory() throws {
    let (large, small) = (try memory("noise.png"), try memory("one.png"))
    #expect(large - small < 150, "\(large) and \(small) MB")
  }
}
