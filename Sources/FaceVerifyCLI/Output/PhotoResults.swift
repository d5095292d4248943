import FaceVerify

/// The results of several photos, in their order: exit code, text and JSON of each.
struct PhotoResults {
  private var statuses: [ExitStatus] = []
  private(set) var text = ""
  private(set) var records: [JSONValue] = []
  private let console: Console

  init(on console: Console) { self.console = console }

  var status: ExitStatus { .worst(statuses) }

  mutating func add(_ file: String, _ status: ExitStatus, _ text: String, _ record: JSONValue) {
    statuses.append(status)
    self.text += text
    records.append(record.with("file", .string(file)))
  }

  mutating func add(_ file: String, _ error: VerifyError) {
    statuses.append(.failed)
    records.append(PhotoRecord.failed(file, error))
    console.warn(error.message)
  }

  /// Processes photos, adds their results, and returns the last value.
  @discardableResult
  mutating func add<Value: Sendable>(
    _ files: [String], _ options: PhotoOptions, _ threads: ThreadsOption, keepsPictures: Bool = false,
    _ work: @escaping @Sendable (Photo) throws -> Value,
    describe: (String, Value) throws -> (ExitStatus, String, JSONValue)
  ) throws -> Value? {
    var last: Value?
    let done = Input.each(files, limits: options.limits, threads: threads.threads, keepsPictures: keepsPictures, work)
    for (file, result) in zip(files, done) {
      switch result {
      case .success(let value):
        let (status, text, record) = try describe(file, value)
        add(file, status, text, record)
        last = value
      case .failure(let error): add(file, error)
      }
    }
    return last
  }

  /// Shows the results; with `engine`, its models are part of the JSON.
  func show(by engine: FaceEngine) throws { try console.show(PhotoRecord.all(records, by: engine), text) }
}
