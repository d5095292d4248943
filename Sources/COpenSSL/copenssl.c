#include "copenssl.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

int copenssl_sha256(const uint8_t *data, size_t size, uint8_t *digest) {
  return EVP_Digest(data, size, digest, NULL, EVP_sha256(), NULL) == 1;
}

void copenssl_wipe(void *data, size_t size) {
  OPENSSL_cleanse(data, size);
}

const char *copenssl_version(void) {
  return OpenSSL_version(OPENSSL_VERSION);
}
