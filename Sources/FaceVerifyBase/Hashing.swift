internal import COpenSSL

/// Returns the SHA-256 of bytes, in lower-case hexadecimal.
package func sha256(_ bytes: some Collection<UInt8>) -> String { hexadecimal(sha256Bytes(bytes)) }

/// Returns the SHA-256 of bytes: 32 bytes.
package func sha256Bytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  let done = bytes.withContiguousStorageIfAvailable { copenssl_sha256($0.baseAddress, $0.count, &digest) }
  if done == nil {
    let copy = Array(bytes)
    _ = copenssl_sha256(copy, copy.count, &digest)
  }
  return digest
}

/// Overwrites memory with zeros; the optimiser cannot remove it.
package func wipe(_ bytes: UnsafeMutableRawBufferPointer) { copenssl_wipe(bytes.baseAddress, bytes.count) }

/// Runs `body`, and overwrites the small blocks that it freed, as far as glibc's allocator caches them for this thread.
package func wipingWhatIsFreed(_ body: () -> Void) {
  body()
  copenssl_wipe_cache()
}
