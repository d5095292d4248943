import Glibc
import Testing

@testable import FaceVerify

@Suite("Pool")
struct PoolTests {
  private final class Item {
    static let living = Lock(0)
    init() { Self.living.withLock { $0 += 1 } }
    deinit { Self.living.withLock { $0 -= 1 } }
  }

  @Test("after a burst of calls, one item per core is kept")
  func burst() throws {
    let pool = Pool<Item>()
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    func call(_ depth: Int) throws {
      try pool.use(orMake: Item.init) { _ in if depth > 1 { try call(depth - 1) } }
    }
    try call(3 * cores)
    #expect(Item.living.withLock { $0 } == cores)
    try call(1)
    #expect(Item.living.withLock { $0 } == cores)
  }
}
