#ifndef COPENSSL_SIGNATURES_H
#define COPENSSL_SIGNATURES_H

#include "copenssl.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

// Verifies whether `key` signed the bytes. `digest`, which may be NULL, applies if the signature's algorithm implies
// none.
int copenssl_verify_bytes(
    EVP_PKEY *key, const X509_ALGOR *digest, const X509_ALGOR *signature, const uint8_t *value, size_t value_size,
    const uint8_t *bytes, size_t size);

#endif
