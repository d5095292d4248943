internal import Glibc

/// The files read from one chip, as they are stored on it.
///
/// A file may be plain, or text in hexadecimal or base64. What a file is, the tag at its beginning decides; the name
/// decides for files without a tag of their own (`EF.CardAccess`, `EF.CardSecurity`) and for damaged ones. Of a file in a
/// folder that has no name of a chip's file only the first bytes are read, unless these are a chip's. Chips are
/// read in blocks, so bytes behind the data object are allowed; they are left out here and belong to no hash
/// (Doc 9303-10, 4.7: a data group is its data object, and the hash in EF.SOD is over that).
public struct ChipFiles: Sendable {
  /// A file has at most this many bytes. The largest data groups, with several fingerprints, have some 100 kB.
  public static let maximumFileBytes = 10 << 20
  /// All together have at most this many. The largest chips hold some 300 kB.
  public static let maximumBytes = 16 << 20
  /// A folder has at most this many files: a chip has 20.
  public static let maximumFiles = 64

  /// Data objects, without what lies behind them; damaged files whole.
  public private(set) var files: [ElementaryFile: [UInt8]] = [:]
  /// Names of files that are none of a chip's.
  public private(set) var ignored: [String] = []
  private var names: [ElementaryFile: String] = [:]

  /// Reads all files in a folder, without the folders in it.
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

  /// - Parameter files: bytes of files by their names, which may be any that are usual (`EF.DG1`, `dg01.bin`, `0101`).
  /// - Throws: ``VerifyError/Code/badArgument`` if two files differ that are the same file of a chip, or none is a
  ///   chip's; ``VerifyError/Code/tooLarge``.
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

  /// None yet: see ``add(_:name:)``.
  public init() {}

  /// Adds one file.
  ///
  /// - Returns: which it is.
  /// - Throws: ``VerifyError/Code/unknownFormat`` if it is none of a chip's, ``VerifyError/Code/tooLarge``, or
  ///   ``VerifyError/Code/badArgument`` if it differs from the one that is there.
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

  /// Numbers of the data groups that are there.
  public var dataGroups: [Int] { files.keys.compactMap(\.dataGroupNumber).sorted() }

  private static func identified(_ content: [UInt8], named name: String) -> (ElementaryFile, [UInt8])? {
    let named = ElementaryFile(fileName: name.split(separator: "/").last.map(String.init) ?? name)
    // All of a data group may by chance be printable. Text never begins with the tag of the file that it stands for: it
    // begins with 6 or 7 in hexadecimal, and with Y, Z or a to d in base64, where 61 and 63 become a Y.
    if let named, let object = object(in: content), ElementaryFile(tag: object.tag) == named {
      return (named, Array(object.encoded))
    }
    guard let bytes = ChipFileText.decoded(content) else { return named.map { ($0, content) } }
    guard let object = object(in: bytes) else { return named.map { ($0, bytes) } }
    let whole = Array(object.encoded)
    if let file = ElementaryFile(tag: object.tag) { return (file, whole) }
    if object.tag == .sequence, let file = signedFile(whole) { return (file, whole) }
    // SecurityInfos have no tag of their own: only a name tells that a set is EF.CardAccess.
    return named.map { ($0, whole) }
  }

  private static func object(in bytes: [UInt8]) -> TLV? {
    var reader = TLVReader(bytes)
    return try? reader.next()
  }

  /// Whether a file that begins so is one of a chip, whatever its name is.
  private static func isChipFile(beginning: [UInt8]) -> Bool {
    // Text may break off within a byte.
    (0..<4).contains { cut in
      guard let bytes = ChipFileText.decoded(beginning.dropLast(cut)), let header = try? TLVReader(bytes).header()
      else { return false }
      return header.byteCount <= maximumFileBytes
        && (ElementaryFile(tag: header.tag) != nil || header.tag == .sequence && signedFile(bytes) != nil)
    }
  }

  /// A bare CMS object is EF.CardSecurity, or an EF.SOD that lost its tag 77; the type of its content says which.
  private static func signedFile(_ bytes: [UInt8]) -> ElementaryFile? {
    let start = bytes.prefix(128)
    if start.contains(LDSSecurityObject.contentTypeBytes) { return .documentSecurity }
    return start.contains(SecurityInfos.contentTypeBytes) ? .cardSecurity : nil
  }
}

/// The files in a folder that comes from outside.
enum FolderList {
  /// Names of the regular files, in order; links are followed. The others are those that are not read, each with the
  /// reason, but for folders whose names begin with two dots.
  ///
  /// - Throws: ``VerifyError/Code/unreadable``, or ``VerifyError/Code/tooLarge`` if there are more than `maximum`.
  static func contents(
    of folder: String, maximum: Int
  ) throws -> (files: [String], others: [(name: String, problem: String)]) {
    guard !folder.isEmpty, !folder.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the name of the folder is empty, or holds a zero byte")
    }
    guard let entries = opendir(folder) else {
      throw VerifyError(.unreadable, "\(folder): \(RegularFile.reason(errno))")
    }
    defer { closedir(entries) }
    var (files, others): ([String], [(name: String, problem: String)]) = ([], [])
    while let entry = readdir(entries) {
      let (name, problem) = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let bytes = bytes.prefix { $0 != 0 }
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        return (String(decoding: bytes, as: UTF8.self), isUTF8 ? nil : "its name is not UTF-8; rename it")
      }
      let isFolder = mode(name, in: folder) == S_IFDIR
      guard name != ".", !(isFolder && name.hasPrefix("..")) else { continue }
      guard files.count + others.count < maximum else {
        throw VerifyError(.tooLarge, "\(folder) has more than \(maximum) files")
      }
      if let problem = problem ?? Self.problem(name, in: folder) {
        others.append((name, problem))
      } else {
        files.append(name)
      }
    }
    return (files.sorted(), others)
  }

  /// The kind of file; nil if it cannot be reached.
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
