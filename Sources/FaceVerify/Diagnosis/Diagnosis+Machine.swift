internal import Glibc

extension Diagnosis {
  static func machine() -> [Finding] {
    var findings: [Finding] = []
    let cpu = fields(of: "/proc/cpuinfo")
    let flags = Set((cpu["flags"] ?? "").split(separator: " ").map(String.init))
    let level = level(flags)
    let features = [
      ("AVX2", "avx2"), ("FMA", "fma"), ("AVX-512", "avx512f"), ("bf16", "avx512_bf16"), ("AMX", "amx_tile"),
    ]
    let found = features.filter { flags.contains($0.1) }.map(\.0)
    let text =
      "\(cpu["model name"] ?? "unknown"), x86-64-v\(level)\(found.isEmpty ? "" : ", " + found.joined(separator: ", "))"
    findings.append(
      flags.contains("avx2")
        ? Finding("processor", text)
        : Finding("processor", .warning, text, remedy: "without AVX2 everything takes several times as long"))
    findings.append(Finding("cores", "\(sysconf(Int32(_SC_NPROCESSORS_ONLN)))"))
    let memory = fields(of: "/proc/meminfo")
    func megabytes(_ name: String) -> Int? {
      memory[name]?.split(separator: " ").first.flatMap { Int($0) }.map { $0 / 1024 }
    }
    if let total = megabytes("MemTotal"), let available = megabytes("MemAvailable") {
      let text = "\(total) MB, \(available) MB available"
      // A comparison of two photos of some megapixels takes up to 350 MB.
      findings.append(
        available >= 400
          ? Finding("memory", text)
          : Finding("memory", .warning, text, remedy: "a comparison needs up to 350 MB: end other programs"))
    }
    return findings
  }

  /// The level of the x86-64 psABI that the flags of /proc/cpuinfo amount to.
  private static func level(_ flags: Set<String>) -> Int {
    let levels: [[String]] = [
      ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"],
      ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"],
      ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
    ]
    return 1 + levels.prefix { flags.isSuperset(of: $0) }.count
  }

  static func space(_ folders: [(String, String?)]) -> [Finding] {
    folders.compactMap { name, folder in
      guard let folder else { return nil }
      // The folder itself may not be there yet.
      var path = folder
      var status = statvfs()
      while statvfs(path, &status) != 0 {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        path = String(path[..<slash])
      }
      let free = Int(status.f_bavail) * Int(status.f_frsize) / 1_000_000
      let text = "\(free) MB for \(folder)"
      // Models and compiled models take 60 MB each; a package while it is fetched takes 400 MB.
      return free >= 500
        ? Finding("free space, \(name)", text)
        : Finding("free space, \(name)", .warning, text, remedy: "installing models needs about 500 MB: free some")
    }
  }

  static func cameras() -> [Finding] {
    var findings: [Finding] = []
    for number in 0..<64 {
      let device = "/dev/video\(number)"
      let system = "/sys/class/video4linux/video\(number)"
      guard access(device, F_OK) == 0 else { continue }
      // A camera's further devices carry metadata, no pictures.
      if let index = line(of: system + "/index"), index != "0" { continue }
      let name = line(of: system + "/name") ?? "unknown camera"
      let driver = target(of: system + "/device/driver").map { ", driver \($0)" } ?? ""
      findings.append(
        access(device, R_OK | W_OK) == 0
          ? Finding("camera", "\(device): \(name)\(driver)")
          : Finding(
            "camera", .warning, "\(device): \(name)\(driver), not permitted",
            remedy: "usermod -aG video <you>, then log in again"))
    }
    return findings.isEmpty ? [Finding("camera", "none; photos and video files need none")] : findings
  }

  /// "name : value" lines, the first of each name.
  private static func fields(of path: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text(of: path).split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = trimmed(line[..<colon])
      if fields[name] == nil { fields[name] = trimmed(line[line.index(after: colon)...]) }
    }
    return fields
  }

  private static func line(of path: String) -> String? {
    text(of: path).split(separator: "\n").first.map { trimmed($0) }
  }

  /// The last part of where a link leads.
  private static func target(of link: String) -> String? {
    guard let resolved = realpath(link, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved).split(separator: "/").last.map(String.init)
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  /// The start of a file in /proc or /sys, whose size is not known before.
  private static func text(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
