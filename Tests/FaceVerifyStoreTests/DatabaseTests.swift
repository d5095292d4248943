import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyStore

@Suite("Database") struct DatabaseTests {
  @Test("an error of a statement is not reported as a damaged file") func errors() throws {
    try withTemporaryFolder { folder in
      try write([], to: folder + "/a.db")
      let database = try Database(path: folder + "/a.db", of: .server)
      try database.script("CREATE TABLE person (name TEXT UNIQUE)")
      try database.run("INSERT INTO person VALUES ('a')")
      let constraint = #expect(throws: VerifyError.self) { try database.run("INSERT INTO person VALUES ('a')") }
      #expect(constraint?.code == .internalFailure)
      #expect(constraint?.message.hasSuffix("a.db: SQLite: UNIQUE constraint failed: person.name") == true)
      let overflow = #expect(throws: VerifyError.self) { try database.run("SELECT abs(-9223372036854775808)") }
      #expect(overflow?.code == .internalFailure)
      #expect(overflow?.message.hasSuffix("a.db: SQLite: integer overflow") == true)
      let missing = #expect(throws: VerifyError.self) { try database.run("SELECT name FROM place") }
      #expect(missing?.code == .damaged)
      #expect(missing?.message.hasSuffix("a.db: no such table: place; restore it from a copy") == true)
    }
  }
}
