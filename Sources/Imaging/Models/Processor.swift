internal import Glibc

/// Capabilities of the processor.
package enum Processor {
  /// The instruction sets, on which compiled code depends: the first "flags" line of /proc/cpuinfo, "Features" on arm64.
  static let flags: String = {
    guard let file = fopen("/proc/cpuinfo", "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 8192)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(terminated: line)
      if text.hasPrefix("flags") || text.hasPrefix("Features") { return text }
    }
    return ""
  }()

  /// The processor's bf16 multiplication unit by its Linux name; nil without one. OpenVINO's device property
  /// OPTIMIZATION_CAPABILITIES lists "BF16" even where AVX-512 emulates it, which is slower than f32.
  package static let bf16Unit = ["amx_bf16", "avx512_bf16"].first {
    flags.split(whereSeparator: \.isWhitespace).map(String.init).contains($0)
  }
}
