import ArgumentParser
import FaceVerify

struct DoctorCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at this machine: what is wrong, and how to mend it.",
    discussion: """
      Processor, memory, libraries, models, cache, free space and cameras.
      A warning costs time or a feature; a problem stops comparing, and gives
      exit code 3.

      Examples:
        faceverify doctor
        faceverify doctor --json
      """)

  @OptionGroup var output: JSONOption
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let diagnosis = Diagnosis(modelsFolder: models.modelsFolder)
    try console.write(output.json ? diagnosis.json : text(diagnosis, on: console))
    return diagnosis.isReady ? .done : .failed
  }

  private func text(_ diagnosis: Diagnosis, on console: Console) -> String {
    var table = Table()
    for finding in diagnosis.findings {
      let style: Style = finding.status == .ok ? .good : finding.status == .warning ? .caution : .bad
      table.add(.init(finding.status.rawValue, style), .init(finding.name), .init(finding.value))
      if let remedy = finding.remedy { table.add(.init(""), .init(""), .init("-> \(remedy)", .strong)) }
    }
    let warnings = diagnosis.findings.count { $0.status == .warning }
    let problems = diagnosis.findings.count { $0.status == .problem }
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    let verdict =
      problems > 0
      ? console.styled("cannot compare: \(counted(problems, "problem")), \(counted(warnings, "warning"))", .bad)
      : console.styled("ready to compare\(warnings > 0 ? ", with \(counted(warnings, "warning"))" : "")", .good)
    return table.text(on: console) + verdict + "\n"
  }
}
