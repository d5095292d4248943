internal import Glibc

/// The files read from one chip, as stored on it.
///
/// A file may be binary, or text in hexadecimal or base64. The tag at its beginning identifies it; the name identifies
/// files without a tag of their own (`EF.CardAccess`, `EF.CardSecurity`) and damaged ones. In a folder, only the first
/// bytes are read of a file without a chip file's name, unless these are a chip file's. Chips are read in blocks, so
/// bytes after the data object are allowed; they are dropped and not hashed (Doc 9303-10, 4.7: a data group is its data
/// object, which the hash in EF.SOD covers).
public struct ChipFiles: Sendable {
  /// Maximum size of a file in bytes. The largest data groups, with several fingerprints, have some 100 kB.
  public static let maximumFileBytes = 10 << 20
  /// Maximum total size in bytes. The largest chips hold some 300 kB.
  public static let maximumBytes = 16 << 20
  /// Maximum number of files in a folder; a chip has 20.
  public static let maximumFiles = 64

  /// Data objects without trailing bytes; damaged files are kept whole.
  public private(set) var files: [ElementaryFile: [UInt8]] = [:]
  /// Names of files that are not a chip's.
  public private(set) var ignored: [String] = []
  private var names: [ElementaryFile: String] = [:]
  /// The session that read these files; nil if ``ChipSession`` did not. Files of another chip do not weaken it: each proof is
  /// verified with a key that the files authenticate.
  public package(set) var live: LiveChip?

  /// Reads all files in a folder, but not its subfolders.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` if the folder or a file of the chip cannot be read,
  ///   ``VerifyError/Code/tooLarge``, or what ``init(files:)`` throws.
  public init(folder: String) throws {
    for name in try FolderList.contents(of: folder, maximum: Self.maximumFiles).files {
      let path = folder + "/" + name
      let isNamed = ElementaryFile(fileName: name) != nil
      guard try isNamed || Self.isChipFile(beginning: RegularFile.beginning(path: path, bytes: 512)) else {
        ignored.append(name)
        continue
      }
      do {
        // Text has up to three characters for a byte.
        try addOrIgnore(RegularFile.read(path: path, maximumBytes: 3 * Self.maximumFileBytes), name: name)
      } catch let error as VerifyError where !isNamed && error.code == .tooLarge {
        ignored.append(name)
      }
    }
    try requireFiles()
  }

  /// - Parameter files: contents of files by name, in any usual form (`EF.DG1`, `dg01.bin`, `0101`).
  /// - Throws: ``VerifyError/Code/badArgument`` if two files with different contents are the same chip file, or if none
  ///   is a chip file; ``VerifyError/Code/tooLarge``.
  public init(files: [String: [UInt8]]) throws {
    guard files.count <= Self.maximumFiles else {
      throw VerifyError(.tooLarge, "there are \(files.count) files; a chip has at most \(Self.maximumFiles)")
    }
    for (name, content) in files.sorted(by: { $0.key < $1.key }) { try addOrIgnore(content, name: name) }
    try requireFiles()
  }

  private mutating func addOrIgnore(_ content: [UInt8], name: String) throws {
    do {
      try add(content, name: name)
    } catch let error as VerifyError where error.code == .unknownFormat {
      ignored.append(name)
    }
  }

  private func requireFiles() throws {
    guard !files.isEmpty else {
      throw VerifyError(.badArgument, "there is no file of a chip, such as EF.DG1, EF.DG2 or EF.SOD")
    }
  }

  /// Creates an empty set of files: see ``add(_:name:)``.
  public init() {}

  /// Adds one file.
  ///
  /// - Returns: the chip file that it is.
  /// - Throws: ``VerifyError/Code/unknownFormat`` if it is not a chip file, ``VerifyError/Code/tooLarge``, or
  ///   ``VerifyError/Code/badArgument`` if it differs from the same file added before.
  @discardableResult
  public mutating func add(_ content: [UInt8], name: String) throws -> ElementaryFile {
    guard let (file, object) = Self.identified(content, named: name) else {
      throw VerifyError(.unknownFormat, "\(name) is no file of a chip, such as EF.DG1 or EF.SOD")
    }
    guard object.count <= Self.maximumFileBytes else {
      throw VerifyError(.tooLarge, "\(name) has \(object.count) bytes, the limit is \(Self.maximumFileBytes)")
    }
    if let other = names[file], files[file] != object {
      throw VerifyError(.badArgument, "\(other) and \(name) are both \(file) and differ; give one chip's files")
    }
    guard files.values.reduce(object.count, { $0 + $1.count }) <= Self.maximumBytes || files[file] != nil else {
      throw VerifyError(.tooLarge, "with \(name) the files have more than \(Self.maximumBytes) bytes, as no chip has")
    }
    files[file] = object
    names[file] = name
    return file
  }

  public subscript(file: ElementaryFile) -> [UInt8]? { files[file] }

  /// Returns the zone of EF.DG1 without authenticating it; nil if there is no EF.DG1.
  ///
  /// - Throws: ``VerifyError`` if it cannot be read.
  package func zone(on reference: CalendarDate) throws -> MachineReadableZone? {
    try self[.dataGroup(1)].map { try MachineReadableZone(DataGroup1($0).text, on: reference) }
  }

  /// Numbers of the data groups present.
  public var dataGroups: [Int] { files.keys.compactMap(\.dataGroupNumber).sorted() }

  private static func identified(_ content: [UInt8], named name: String) -> (ElementaryFile, [UInt8])? {
    let named = ElementaryFile(fileName: name.split(separator: "/").last.map(String.init) ?? name)
    // A data group may by chance be all printable. Text never begins with the tag of the file that it encodes:
    // hexadecimal begins with 6 or 7, and base64 with Y, Z or a to d, where 61 and 63 become a Y.
    if let named, let object = object(in: content), ElementaryFile(tag: object.tag) == named {
      return (named, Array(object.encoded))
    }
    guard let bytes = decoded(content) else { return named.map { ($0, content) } }
    guard let object = object(in: bytes) else { return named.map { ($0, bytes) } }
    let whole = Array(object.encoded)
    if let file = ElementaryFile(tag: object.tag) { return (file, whole) }
    if object.tag == .sequence, let file = signedFile(whole) { return (file, whole) }
    // SecurityInfos have no tag of their own: only the name identifies a set as EF.CardAccess.
    return named.map { ($0, whole) }
  }

  /// Returns the bytes encoded by hexadecimal or base64 text, the bytes themselves if they are not text, and nil for
  /// other text. Chip files have tags and lengths that are not printable, so the two are never confused.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 10 || $0 == 13 || $0 == 9 }
    guard isText else { return bytes }
    let digits = bytes.filter { ![0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":")].contains($0) }
    let decoded = decodedHexadecimal(digits) ?? Base64.decodeLeniently(bytes)
    return decoded?.isEmpty ?? true ? nil : decoded
  }

  private static func object(in bytes: [UInt8]) -> TLV? {
    var reader = TLVReader(bytes)
    return try? reader.next()
  }

  /// Whether a file that begins with these bytes is a chip file, regardless of its name.
  private static func isChipFile(beginning: [UInt8]) -> Bool {
    // The text may be cut within a byte.
    (0..<4).contains { cut in
      guard let bytes = decoded(beginning.dropLast(cut)), let header = try? TLVReader(bytes).header()
      else { return false }
      return header.byteCount <= maximumFileBytes
        && (ElementaryFile(tag: header.tag) != nil || header.tag == .sequence && signedFile(bytes) != nil)
    }
  }

  /// Identifies bare CMS signed data by content type: EF.CardSecurity, or an EF.SOD without its tag 77.
  private static func signedFile(_ bytes: [UInt8]) -> ElementaryFile? {
    let start = bytes.prefix(128)
    if start.contains(LDSSecurityObject.contentTypeBytes) { return .documentSecurity }
    return start.contains(SecurityInfos.contentTypeBytes) ? .cardSecurity : nil
  }
}

/// Lists untrusted folders.
enum FolderList {
  /// Returns the names of the regular files, sorted; links are followed. The others are the entries that are not read,
  /// each with the reason, except folders whose names begin with two dots.
  ///
  /// - Throws: ``VerifyError/Code/unreadable``, or ``VerifyError/Code/tooLarge`` if there are more than `maximum`.
  static func contents(
    of folder: String, maximum: Int
  ) throws -> (files: [String], others: [(name: String, problem: String)]) {
    var (files, others): ([String], [(name: String, problem: String)]) = ([], [])
    for (name, isUTF8) in try RegularFile.names(in: folder, maximum: maximum) {
      let isFolder = mode(name, in: folder) == S_IFDIR
      guard !(isFolder && name.hasPrefix("..")) else { continue }
      if let problem = isUTF8 ? problem(name, in: folder) : "its name is not UTF-8; rename it" {
        others.append((name, problem))
      } else {
        files.append(name)
      }
    }
    return (files, others)
  }

  /// Returns the file type; nil if the file cannot be accessed.
  private static func mode(_ name: String, in folder: String) -> mode_t? {
    var status = stat()
    return stat(folder + "/" + name, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func problem(_ name: String, in folder: String) -> String? {
    if name.hasPrefix(".") { return "it is hidden; rename it" }
    switch mode(name, in: folder) {
    case S_IFREG: return nil
    case S_IFDIR: return "it is a folder; put its files beside it"
    case nil: return "it is a link to nothing, or may not be read"
    default: return "it is no regular file"
    }
  }
}
