#include "copenssl.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>

int copenssl_sha256(const uint8_t *data, size_t size, uint8_t *digest) {
  return EVP_Digest(data, size, digest, NULL, EVP_sha256(), NULL) == 1;
}

void copenssl_wipe(void *data, size_t size) {
  OPENSSL_cleanse(data, size);
}

void copenssl_wipe_cache(void) {
  // Values of malloc_usable_size() on 64 bits: 24, 40 … 1032.
  for (size_t size = 24; size <= 1032; size += 16) {
    void *blocks[7];
    for (int i = 0; i < 7; i++) {
      blocks[i] = malloc(size);
      if (blocks[i]) OPENSSL_cleanse(blocks[i], size);
    }
    for (int i = 0; i < 7; i++) free(blocks[i]);
  }
}

const char *copenssl_version(void) {
  return OpenSSL_version(OPENSSL_VERSION);
}
