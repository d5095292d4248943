import ArgumentParser
import FaceVerify

struct DoctorCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Diagnose this machine: what is wrong, and how to fix it.",
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
      let advice = finding.isAboutModels ? "; \(VerifyError.modelAdvice)" : ""
      table.add(.init(""), .init(""), .init("-> \(remedy)\(advice)", .strong))
    }
    let problems = diagnosis.findings.count { $0.status == .problem }
    let count = diagnosis.findings.count { $0.status == .warning }
    let warnings = Text.counted(count, "warning")
    let verdict =
      problems > 0
      ? console.styled("cannot compare: \(Text.counted(problems, "problem")), \(warnings)", .bad)
      : console.styled("ready to compare\(count > 0 ? ", with \(warnings)" : "")", .good)
    return table.text(on: console) + verdict + "\n"
  }
}
