#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4) of `size` bytes into the 32 bytes at `digest`, by OpenSSL, which uses the CPU's own
/// instructions for it: the 25 MB of model files are hashed at every start.
/// @return 1, or 0 if OpenSSL refused.
int copenssl_sha256(const uint8_t *data, size_t size, uint8_t *digest);

/// Overwrites `size` bytes with zeros in a way that no optimiser removes.
void copenssl_wipe(void *data, size_t size);

/// The version of the library that is loaded, such as "OpenSSL 3.0.17 1 Jul 2025".
const char *copenssl_version(void);

#endif
