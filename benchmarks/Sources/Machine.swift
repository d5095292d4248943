import Foundation

/// The machine on which the numbers were measured.
enum Machine {
  /// Must be read before the work starts: it includes the load by other programs.
  static var description: String {
    let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = processors.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    let system = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    let name = system.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? "Linux"
    return [
      model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor",
      "\(ProcessInfo.processInfo.activeProcessorCount) cores",
      "load average before \(load.split(separator: " ").first ?? "unknown")",
      name.trimmingCharacters(in: CharacterSet(charactersIn: "\"")),
    ].joined(separator: ", ")
  }
}
