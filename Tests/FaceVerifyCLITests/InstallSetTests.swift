import FaceVerify
import Foundation
import TestSupport
import Testing

@Suite("Installing a model set by name")
struct InstallSetTests {
  private static let content = Array("better network".utf8)

  /// A folder of models in which the set `better` lacks a file with a URL.
  private func withModels(
    url: String, _ body: (_ folder: String, _ models: String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let models = folder + "/models"
      try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: Installed.root + "/models/fetch.py", toPath: models + "/fetch.py")
      // From sha384sum, of `content`
      let sha384 =
        "c2eaa232e532a59343ed6084baef196da34b0508c7156255"
        + "d768986279c8668d9640931660c281b8c58fbbb71cd8fa35"
      let manifest = """
        {"schema": 1, "packages": [], "samples": [], "preferred": ["better", "default"], "gains": {"better": "fewer misses"},
        "sets": {"default": [], "better": ["better"]}, "models": [{"id": "better", "role": "r", "version": "1",
        "file": "better.bin", "size": \(Self.content.count), "sha256": "\(sha256(Self.content))", "licence": "none",
        "source": {"url": "\(url)", "sha384": "\(sha384)"}}]}
        """
      try write(Array(manifest.utf8), to: models + "/manifest.json")
      try body(folder, models)
    }
  }

  @Test("a named set is downloaded, and used from then on")
  func server() throws {
    try withModels(url: "http://127.0.0.1:PORT/better.bin") { folder, models in
      try FileManager.default.createDirectory(atPath: folder + "/web", withIntermediateDirectories: true)
      try write(Self.content, to: folder + "/web/better.bin")
      let outcome = try ScriptedCommand.shell(
        """
        export no_proxy='*'
        python3 -u -m http.server --bind 127.0.0.1 --directory "$folder/web" 0 >"$folder/log" 2>&1 &
        trap "kill -9 $!" EXIT  # the tests block what is gentler
        for _ in $(seq 200); do
          port=$(sed -nE 's/.* port ([0-9]+) .*/\\1/p' "$folder/log")
          [ -n "$port" ] && break
          sleep 0.1
        done
        sed -i "s/PORT/$port/" "$models/manifest.json"
        install() { "$fv" models install --models-folder "$models" "$@"; }
        install && ls "$models" && "$fv" models verify --models-folder "$models" &&
          install --set better && install --set better
        """, environment: ["folder": folder, "models": models])
      #expect(outcome.code == 0, "\(outcome.err)")
      let lines = outcome.out.split(separator: "\n")
      let missing = "the model set better is not installed (fewer misses): run `faceverify models install --set better`"
      #expect(
        lines == [
          "nothing to install: all 0 model files are intact in \(models)", "\(missing)",
          "the model set default is used",
          "fetch.py", "manifest.json",
          "all 0 model files are intact in \(models)", "\(missing)",
          "installed: all 1 model files of better are intact in \(models)",
          "the model set better is used",
          "nothing to install: all 1 model files of better are intact in \(models)", "the model set better is used",
        ], "\(outcome.out)")
      #expect(try RegularFile.read(path: models + "/better.bin", maximumBytes: 100) == Self.content)
    }
  }

  @Test("an unreachable URL yields exit code 3 and a remedy; a folder can be used instead")
  func refused() throws {
    // Nothing listens on port 1.
    try withModels(url: "http://127.0.0.1:1/better.bin") { folder, models in
      let arguments = ["models", "install", "--models-folder", models, "--set", "better"]
      let outcome = try ScriptedCommand.run(arguments)
      #expect(outcome.code == 3 && outcome.out.isEmpty)
      #expect(outcome.err.contains("refused") && outcome.err.contains("--from"), "\(outcome.err)")
      let empty = try ScriptedCommand.run(arguments + ["--from", folder])
      #expect(empty.code == 3 && empty.err.contains("lacks better.bin"), "\(empty.err)")
      try write(Self.content.reversed(), to: folder + "/better.bin")
      #expect(try ScriptedCommand.run(arguments + ["--from", folder]).err.contains("SHA-256"))
      #expect(names(in: models) == ["fetch.py", "manifest.json"])
      try write(Self.content, to: folder + "/better.bin")
      let taken = try ScriptedCommand.run(arguments + ["--from", folder])
      #expect(taken.code == 0, "\(taken.err)")
      let list = try ScriptedCommand.run(["models", "list", "--models-folder", models]).out
      #expect(list.contains("used unless --set names another") && list.contains("127.0.0.1:1"), "\(list)")
    }
  }

  @Test("an unknown set is an error that lists the known ones")
  func unknown() throws {
    try withModels(url: "http://127.0.0.1:1/better.bin") { _, models in
      let outcome = try ScriptedCommand.run(["models", "install", "--set", "best", "--models-folder", models])
      #expect(outcome.code == 3 && outcome.err.contains("better, default"), "\(outcome.err)")
    }
  }

  @Test(
    "retail is installed from a folder with its publisher's files, and becomes the default", .needsCommand,
    .needsModels, .needsSamples, .needsShared(retailFiles + "/face-reidentification-retail-0095.bin"),
    .needsRetailCalibration)
  func retail() throws {
    try withTemporaryFolder { folder in
      for name in try FileManager.default.contentsOfDirectory(atPath: Installed.models)
      where !name.hasPrefix("face-reidentification") {
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/" + name, withDestinationPath: Installed.models + "/" + name)
      }
      let photos = [Installed.sample("obama.jpg"), Installed.sample("obama2.jpg"), "--models-folder", folder]
      let cache = ["XDG_CACHE_HOME": folder + "/cache"]
      #expect(try Command.run(["compare"] + photos, environment: cache).out.contains("default"))
      let installed = try Command.run(
        [
          "models", "install", "--set", "retail", "--from", Installed.shared + "/" + retailFiles, "--models-folder",
          folder,
        ]
      )
      #expect(installed.code == 0 && installed.out.hasSuffix("the model set retail is used\n"), "\(installed.err)")
      #expect(try Command.run(["models", "verify", "--models-folder", folder]).code == 0)
      let decision = try Command.run(["compare"] + photos + ["--json"], environment: cache)
      #expect(decision.code == 0 && decision.out.contains(#""set" : "retail""#), "\(decision.err)")
      let pinned = try Command.run(["compare"] + photos + ["--json", "--set", "default"], environment: cache)
      #expect(pinned.code == 0 && pinned.out.contains(#""set" : "default""#), "\(pinned.err)")
    }
  }
}

private let retailFiles = "teachers/face-reidentification-retail-0095"

extension Trait where Self == Need {
  fileprivate static var needsRetailCalibration: Self {
    Need(
      "models of retail", "this version's repository has them",
      isMet: Installed.has(Installed.models + "/calibration-retail.json"))
  }
}
