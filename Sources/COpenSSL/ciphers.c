#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "copenssl.h"

enum { LARGEST = 1 << 20 };

static const EVP_CIPHER *cbc(int32_t cipher, size_t key_size) {
  if (cipher == COPENSSL_DES3) return key_size == 16 ? EVP_des_ede_cbc() : NULL;
  if (cipher != COPENSSL_AES) return NULL;
  switch (key_size) {
    case 16: return EVP_aes_128_cbc();
    case 24: return EVP_aes_192_cbc();
    case 32: return EVP_aes_256_cbc();
    default: return NULL;
  }
}

int copenssl_cbc(
    int32_t cipher, int encrypt, const uint8_t *key, size_t key_size, const uint8_t *iv, const uint8_t *data,
    size_t size, uint8_t *result) {
  const EVP_CIPHER *type = cbc(cipher, key_size);
  int count = 0, last = 0;
  if (!type || size > LARGEST || size % (size_t)EVP_CIPHER_get_block_size(type)) return 0;
  ERR_set_mark();
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int done = context && EVP_CipherInit_ex(context, type, NULL, key, iv, encrypt) == 1 &&
             EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
             EVP_CipherUpdate(context, result, &count, data, (int)size) == 1 &&
             EVP_CipherFinal_ex(context, result + count, &last) == 1 && (size_t)(count + last) == size;
  // This wipes the key.
  EVP_CIPHER_CTX_free(context);
  ERR_pop_to_mark();
  return done;
}

int copenssl_aes_cmac(const uint8_t *key, size_t key_size, const uint8_t *data, size_t size, uint8_t *mac) {
  const EVP_CIPHER *type = cbc(COPENSSL_AES, key_size);
  size_t count = 0;
  if (!type) return 0;
  ERR_set_mark();
  EVP_MAC *cmac = EVP_MAC_fetch(NULL, "CMAC", NULL);
  EVP_MAC_CTX *context = cmac ? EVP_MAC_CTX_new(cmac) : NULL;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)EVP_CIPHER_get0_name(type), 0),
      OSSL_PARAM_construct_end()};
  int done = context && EVP_MAC_init(context, key, key_size, parameters) == 1 &&
             EVP_MAC_update(context, data, size) == 1 && EVP_MAC_final(context, mac, &count, 16) == 1 && count == 16;
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(cmac);
  ERR_pop_to_mark();
  return done;
}

int copenssl_equal(const uint8_t *left, const uint8_t *right, size_t size) {
  return CRYPTO_memcmp(left, right, size) == 0;
}

int copenssl_random(uint8_t *bytes, size_t size) {
  ERR_set_mark();
  int done = size <= LARGEST && RAND_priv_bytes(bytes, (int)size) == 1;
  ERR_pop_to_mark();
  return done;
}
