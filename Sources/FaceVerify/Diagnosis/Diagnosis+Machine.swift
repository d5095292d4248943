internal import Glibc

extension Diagnosis {
  static func machine() -> [Finding] {
    var findings: [Finding] = []
    let cpu = fields(of: "/proc/cpuinfo")
    #if arch(x86_64)
      let flags = Set((cpu["flags"] ?? "").split(separator: " ").map(String.init))
      let level = level(flags)
      let features = [
        ("AVX2", "avx2"), ("FMA", "fma"), ("AVX-512", "avx512f"), ("bf16", "avx512_bf16"), ("AMX", "amx_tile"),
      ]
      let found = features.filter { flags.contains($0.1) }.map(\.0)
      let text =
        "\(cpu["model name"] ?? "unknown"), x86-64-v\(level)\(found.isEmpty ? "" : ", " + found.joined(separator: ", "))"
      findings.append(
        Finding(
          "processor", text, isGood: flags.contains("avx2"),
          remedy: "without AVX2 everything takes several times as long"))
    #else
      findings.append(Finding("processor", cpu["Features"] ?? "unknown"))
    #endif
    findings.append(
      Finding(
        "precision",
        Processor.bf16Unit.map { "f32, or bf16 (\($0)) with --precision auto" }
          ?? "f32: the processor has no units for bf16"))
    findings.append(Finding("cores", "\(sysconf(Int32(_SC_NPROCESSORS_ONLN)))"))
    let memory = fields(of: "/proc/meminfo")
    func megabytes(_ name: String) -> Int? {
      memory[name]?.split(separator: " ").first.flatMap { Int($0) }.map { $0 / 1024 }
    }
    if let total = megabytes("MemTotal"), let available = megabytes("MemAvailable") {
      let text = "\(total) MB, \(available) MB available"
      // Comparing two photos of several megapixels takes up to 350 MB.
      let remedy = "a comparison needs up to 350 MB: end other programs"
      findings.append(Finding("memory", text, isGood: available >= 400, remedy: remedy))
    }
    return findings
  }

  #if arch(x86_64)
    /// The x86-64 psABI level that the flags of /proc/cpuinfo satisfy.
    private static func level(_ flags: Set<String>) -> Int {
      let levels: [[String]] = [
        ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"],
        ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"],
        ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
      ]
      return 1 + levels.prefix { flags.isSuperset(of: $0) }.count
    }
  #endif

  static func space(_ folders: [(String, String?)]) -> [Finding] {
    folders.compactMap { name, folder in
      guard let folder else { return nil }
      // The folder itself may not exist yet.
      var path = folder
      var status = statvfs()
      while statvfs(path, &status) != 0 {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        path = String(path[..<slash])
      }
      let free = Int(status.f_bavail) * Int(status.f_frsize) / 1_000_000
      let text = "\(free) MB for \(folder)"
      // Models and compiled models take 60 MB each; downloading a package temporarily takes 400 MB.
      let remedy = "installing models needs about 500 MB: free some"
      return Finding("free space, \(name)", text, isGood: free >= 500, remedy: remedy)
    }
  }

  static func cameras() -> [Finding] {
    let findings = CameraDevice.all().map { camera in
      let driver = camera.driver.map { ", driver \($0)" } ?? ""
      let text = "\(camera.path): \(camera.name)\(driver)\(camera.isVirtual ? ", fed by a program" : "")"
      return Finding(
        "camera", camera.isPermitted ? text : "\(text), not permitted", isGood: camera.isPermitted,
        remedy: "usermod -aG video <you>, then log in again")
    }
    return findings.isEmpty ? [Finding("camera", "none; photos and video files need none")] : findings
  }

  /// Parses "name : value" lines; the first of each name wins.
  private static func fields(of path: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in SystemFile.text(of: path).split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = SystemFile.trimmed(line[..<colon])
      if fields[name] == nil { fields[name] = SystemFile.trimmed(line[line.index(after: colon)...]) }
    }
    return fields
  }
}
