import ArgumentParser
import FaceVerify

struct DoctorCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Diagnose this machine: what is wrong, and how to fix it.",
    discussion: """
      Processor, memory, libraries, models, cache, free space and cameras.
      A warning costs time or a feature; a problem prevents comparisons.

      Examples:
        faceverify doctor
        faceverify doctor --json

      Exit codes: 0 ready to compare, 2 usage error, 3 a problem.
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption

  func run(on console: Console) throws -> ExitStatus {
    let diagnosis = Diagnosis(modelsFolder: models.named)
    try console.show(diagnosis.jsonValue, text(diagnosis, on: console))
    return diagnosis.isReady ? .done : .failed
  }

  private func text(_ diagnosis: Diagnosis, on console: Console) -> String {
    var table = Table()
    for finding in diagnosis.findings {
      let style: Style = finding.status == .ok ? .good : finding.status == .warning ? .caution : .bad
      table.add(.init(finding.status.rawValue, style), .init(finding.name), .init(finding.value))
      guard let remedy = finding.remedy else { continue }
      let advised = finding.name.hasPrefix("model") ? VerifyError(.modelMissing, remedy).advised.message : remedy
      table.add(.init(""), .init(""), .init("-> \(advised)", .strong))
    }
    let warnings = diagnosis.findings.count { $0.status == .warning }
    let problems = diagnosis.findings.count { $0.status == .problem }
    let verdict =
      problems > 0
      ? console.styled(
        "cannot compare: \(Text.counted(problems, "problem")), \(Text.counted(warnings, "warning"))", .bad)
      : console.styled("ready to compare\(warnings > 0 ? ", with \(Text.counted(warnings, "warning"))" : "")", .good)
    return table.text(on: console) + verdict + "\n"
  }
}
