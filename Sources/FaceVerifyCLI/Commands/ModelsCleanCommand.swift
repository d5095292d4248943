import ArgumentParser
import FaceVerify

struct ModelsCleanCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove the fetched and converted models and the compiled ones in the cache.",
    discussion: """
      What belongs to this version's package or repository stays.
      `faceverify models install` brings the rest back.

      Examples:
        faceverify models clean --cache-only
        faceverify models clean
      """)

  @Flag(help: "Remove the compiled models in the cache only.")
  var cacheOnly = false

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let cache = try FaceEngine.clean()
    let removed = cacheOnly ? (files: [], bytes: 0) : try ModelInstallation(folder: models.folder()).removeInstalled()
    if output.json {
      let record: JSONValue = [
        "removed": .array(removed.files.map(JSONValue.string)), "removedBytes": .integer(removed.bytes),
        "cacheFiles": .integer(cache.files), "cacheBytes": .integer(cache.bytes),
      ]
      try console.write(record.text)
    } else {
      try console.write(
        "removed \(removed.files.count) model files (\(Text.megabytes(removed.bytes))) and \(cache.files) compiled models "
          + "(\(Text.megabytes(cache.bytes)))\n")
    }
    return .done
  }
}
