internal import Glibc

/// What the processor can do.
package enum Processor {
  /// Its instruction sets, which compiled code depends on: the first line "flags" of /proc/cpuinfo.
  static let flags: String = {
    guard let file = fopen("/proc/cpuinfo", "re") else { return "" }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 8192)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("flags") { return text }
    }
    return ""
  }()

  /// The unit that multiplies in bf16, as Linux names it; nil without one. OpenVINO's device property
  /// OPTIMIZATION_CAPABILITIES has "BF16" already where AVX-512 can imitate it, which is slower than f32.
  package static let bf16Unit = ["amx_bf16", "avx512_bf16"].first {
    flags.split(whereSeparator: \.isWhitespace).map(String.init).contains($0)
  }
}
