import Glibc

/// The names in a folder, in order.
func files(in folder: String) -> [String] {
  guard let names = opendir(folder) else { return [] }
  defer { closedir(names) }
  var found: [String] = []
  while let entry = readdir(names) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != "." && name != ".." { found.append(name) }
  }
  return found.sorted()
}
