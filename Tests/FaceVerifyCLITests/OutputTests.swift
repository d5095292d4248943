import Foundation
import TestSupport
import Testing

@Suite("Full disks, closed pipes and SIGINT")
struct OutputTests {
  @Test(
    "a full disk behind standard output yields exit code 3 and one line",
    arguments: ["version", "models list --models-folder '\(Installed.root)/models'", "--help"])
  func full(command: String) throws {
    let outcome = try ScriptedCommand.shell("\"$fv\" \(command) >/dev/full; echo $?")
    #expect(outcome.out == "3\n")
    #expect(outcome.err.hasPrefix("faceverify: standard output: ") && outcome.err.split(separator: "\n").count == 1)
  }

  @Test("a closed pipe yields exit code 3 and one line", arguments: ["version", "version --json", "--help"])
  func pipe(command: String) throws {
    let outcome = try ScriptedCommand.shell("(sleep 0.3; exec \"$fv\" \(command)) | true; echo ${PIPESTATUS[0]}")
    #expect(outcome.out == "3\n")
    #expect(outcome.err == "faceverify: standard output: the reader has closed the pipe\n")
  }

  @Test("closed standard streams are not reused for files opened later")
  func closed() throws {
    try withTemporaryFolder { folder in
      let environment = ["a": Faces.one, "t": folder + "/t.fvt"]
      let made = try ScriptedCommand.shell(
        "\"$fv\" template \"$a\" -o \"$t\" >&- 2>&-; echo $?", environment: environment)
      #expect(made.out == "3\n")
      let compared = try ScriptedCommand.run(["compare", Faces.other, folder + "/t.fvt"])
      #expect(compared.code == 1, "a template, of another person: \(compared.err)")
    }
  }

  @Test("a picture that cannot be written completely leaves no partial file")
  func noRoom() throws {
    try withTemporaryFolder { folder in
      let environment = ["a": Faces.one, "o": folder + "/o.png"]
      // A file size limit of 1 KiB: the same error path as a full disk, which only root could create.
      let outcome = try ScriptedCommand.shell(
        "ulimit -f 1; \"$fv\" detect \"$a\" --annotate \"$o\"; echo $?", environment: environment)
      #expect(
        outcome.out.hasSuffix("\n3\n") && outcome.err.contains("o.png") && outcome.err.split(separator: "\n").count == 1
      )
      #expect(names(in: folder).isEmpty)
      for target in ["/dev/full", "/nonexistent/o.png", folder] {
        for command in [["detect"], ["compare", Faces.same, "--json"], ["liveness", "--photo"]] {
          let outcome = try ScriptedCommand.run(command + [Faces.one, "--annotate", target])
          #expect(outcome.code == 3 && !outcome.out.contains("\"result\"") && !outcome.out.contains("1 face"))
          #expect(outcome.err.contains(target) && outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
        }
      }
    }
  }

  private static let canMount = (try? Command.shell("unshare -m mount -t tmpfs none /mnt").code) == 0

  @Test(
    "a full disk leaves no partial picture, and no partial model in the cache", .needsCommand, .needsModels,
    .needsRoot(canMount))
  func fullDisk() throws {
    try withTemporaryFolder { folder in
      let script = """
        mount -t tmpfs -o size=64k none "$d" || exit 99
        XDG_CACHE_HOME="$d" "$fv" detect "$a" --annotate "$d/o.png"; echo $?
        find "$d" -type f
        """
      let outcome = try Command.shell(
        "export d a fv; unshare -m bash -c '\(script)'", environment: ["d": folder, "a": Faces.one])
      #expect(outcome.out.hasSuffix("\n3\n") && outcome.err.contains("No space left"), "\(outcome.out) \(outcome.err)")
    }
  }

  @Test("SIGINT terminates the command by that signal and leaves no files", .needsCommand, .needsModels)
  func interrupt() throws {
    for delay in [0.2, 0.4, 0.7, 1.0, 1.5] {
      try withTemporaryFolder { folder in
        let start = Date()
        let photo = Faces.one
        let outcome = try Command.run(
          ["bench", "--rounds", "1000", photo], environment: ["XDG_CACHE_HOME": folder], interruptAfter: delay)
        #expect(outcome.code == 128 + SIGINT && outcome.out.isEmpty)
        #expect(Date().timeIntervalSince(start) < delay + 30)
        let left = names(in: folder + "/faceverify")
        #expect(left.allSatisfy { $0.hasSuffix(".blob") }, "\(left)")
      }
    }
  }

  @Test("SIGINT during a download ends the download first")
  func interruptFetching() throws {
    try withTemporaryFolder { folder in
      let manifest = """
        {"schema": 1, "sets": {}, "models": [{"id": "a", "role": "r", "version": "1", "file": "a", "size": 1,
        "sha256": "0", "licence": "none", "source": {"package": "p", "path": "q"}}]}
        """
      try write(Array(manifest.utf8), to: folder + "/manifest.json")
      let program = """
        import os, sys, time
        part = os.path.join(os.path.dirname(os.path.abspath(__file__)), "part")
        open(part, "w").close()
        try:
            time.sleep(30)
        except KeyboardInterrupt:
            time.sleep(0.3)
            os.remove(part)
            sys.exit(130)
        """
      try write(Array(program.utf8), to: folder + "/fetch.py")
      let outcome = try ScriptedCommand.run(["models", "install", "--models-folder", folder], interruptAfter: 1.5)
      #expect(outcome.code == 128 + SIGINT)
      #expect(names(in: folder) == ["fetch.py", "manifest.json"])
    }
  }
}
