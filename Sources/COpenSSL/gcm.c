// AES-256-GCM, NIST SP 800-38D: 96-bit nonces, either random (8.2.2), at most 2^32 per key (8.3), or supplied by the
// caller; 128-bit tags.

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>

#include "copenssl.h"

enum { NONCE = COPENSSL_GCM_NONCE, TAG = COPENSSL_GCM_TAG, LARGEST = 1 << 20 };

struct copenssl_gcm {
  EVP_CIPHER_CTX *seal;
  EVP_CIPHER_CTX *open;
};

copenssl_gcm *copenssl_gcm_new(const uint8_t *key) {
  copenssl_gcm *gcm = calloc(1, sizeof *gcm);
  if (!gcm) return NULL;
  ERR_set_mark();
  gcm->seal = EVP_CIPHER_CTX_new();
  gcm->open = EVP_CIPHER_CTX_new();
  int done = gcm->seal && gcm->open &&
             EVP_EncryptInit_ex(gcm->seal, EVP_aes_256_gcm(), NULL, key, NULL) == 1 &&
             EVP_DecryptInit_ex(gcm->open, EVP_aes_256_gcm(), NULL, key, NULL) == 1;
  ERR_pop_to_mark();
  if (done) return gcm;
  copenssl_gcm_free(gcm);
  return NULL;
}

void copenssl_gcm_free(copenssl_gcm *gcm) {
  if (!gcm) return;
  // These wipe the key.
  EVP_CIPHER_CTX_free(gcm->seal);
  EVP_CIPHER_CTX_free(gcm->open);
  free(gcm);
}

int copenssl_gcm_seal_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *data,
    size_t size, uint8_t *sealed) {
  int count = 0;
  if (size > LARGEST || additional_size > LARGEST) return 0;
  ERR_set_mark();
  int done = EVP_EncryptInit_ex(gcm->seal, NULL, NULL, NULL, nonce) == 1 &&
             EVP_EncryptUpdate(gcm->seal, NULL, &count, additional, (int)additional_size) == 1 &&
             EVP_EncryptUpdate(gcm->seal, sealed, &count, data, (int)size) == 1 &&
             EVP_EncryptFinal_ex(gcm->seal, sealed + size, &count) == 1 &&
             EVP_CIPHER_CTX_ctrl(gcm->seal, EVP_CTRL_GCM_GET_TAG, TAG, sealed + size) == 1;
  ERR_pop_to_mark();
  return done;
}

int copenssl_gcm_open_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *sealed,
    size_t size, uint8_t *data) {
  int count = 0;
  if (size < TAG || size > LARGEST || additional_size > LARGEST) return 0;
  size -= TAG;
  ERR_set_mark();
  int done = EVP_DecryptInit_ex(gcm->open, NULL, NULL, NULL, nonce) == 1 &&
             EVP_DecryptUpdate(gcm->open, NULL, &count, additional, (int)additional_size) == 1 &&
             EVP_DecryptUpdate(gcm->open, data, &count, sealed, (int)size) == 1 &&
             EVP_CIPHER_CTX_ctrl(gcm->open, EVP_CTRL_GCM_SET_TAG, TAG, (void *)(sealed + size)) == 1 &&
             EVP_DecryptFinal_ex(gcm->open, data + size, &count) == 1;
  ERR_pop_to_mark();
  return done;
}

int copenssl_gcm_seal(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *data, size_t size,
    uint8_t *sealed) {
  ERR_set_mark();
  int done = RAND_bytes(sealed, NONCE) == 1;
  ERR_pop_to_mark();
  return done && copenssl_gcm_seal_with(gcm, sealed, additional, additional_size, data, size, sealed + NONCE);
}

int copenssl_gcm_open(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *sealed, size_t size,
    uint8_t *data) {
  return size >= COPENSSL_GCM_EXTRA && copenssl_gcm_open_with(gcm, sealed, additional, additional_size,
                                                              sealed + NONCE, size - NONCE, data);
}
