// Ed25519 (RFC 8032) and X25519 (RFC 7748) keys, in files as RFC 8410 and RFC 7468 specify.

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#include "copenssl.h"

enum { RAW = 32, SIGNATURE = COPENSSL_ED25519_SIGNATURE };

struct copenssl_key {
  EVP_PKEY *pkey;
  int32_t kind;
  int has_secret;
  uint8_t public_key[RAW];
};

// Takes ownership of `pkey`.
static copenssl_key *wrap(EVP_PKEY *pkey, int has_secret) {
  int type = pkey ? EVP_PKEY_get_base_id(pkey) : EVP_PKEY_NONE;
  size_t size = RAW;
  copenssl_key *key = type == EVP_PKEY_ED25519 || type == EVP_PKEY_X25519 ? calloc(1, sizeof *key) : NULL;
  if (key) {
    *key = (copenssl_key){
        .pkey = pkey, .kind = type == EVP_PKEY_ED25519 ? COPENSSL_ED25519 : COPENSSL_X25519, .has_secret = has_secret};
    if (EVP_PKEY_get_raw_public_key(pkey, key->public_key, &size) == 1 && size == RAW) return key;
  }
  free(key);
  EVP_PKEY_free(pkey);
  return NULL;
}

static int type_of(int32_t kind) {
  return kind == COPENSSL_ED25519 ? EVP_PKEY_ED25519 : EVP_PKEY_X25519;
}

copenssl_key *copenssl_key_generate(int32_t kind) {
  ERR_set_mark();
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(type_of(kind), NULL);
  if (context && EVP_PKEY_keygen_init(context) == 1) EVP_PKEY_keygen(context, &pkey);
  EVP_PKEY_CTX_free(context);
  copenssl_key *key = wrap(pkey, 1);
  ERR_pop_to_mark();
  return key;
}

copenssl_key *copenssl_key_from_public(int32_t kind, const uint8_t *public_key) {
  ERR_set_mark();
  copenssl_key *key = wrap(EVP_PKEY_new_raw_public_key(type_of(kind), NULL, public_key, RAW), 0);
  ERR_pop_to_mark();
  return key;
}

// Never prompts for a pass phrase: an encrypted key cannot be read.
static int no_phrase(char *phrase, int size, int writing, void *user) {
  (void)phrase, (void)size, (void)writing, (void)user;
  return -1;
}

copenssl_key *copenssl_key_read(const uint8_t *pem, size_t size) {
  if (size > 1 << 20) return NULL;
  ERR_set_mark();
  copenssl_key *key = NULL;
  BIO *bio = BIO_new_mem_buf(pem, (int)size);
  if (bio) key = wrap(PEM_read_bio_PrivateKey(bio, NULL, no_phrase, NULL), 1);
  if (bio && !key && BIO_reset(bio) == 1) key = wrap(PEM_read_bio_PUBKEY(bio, NULL, no_phrase, NULL), 0);
  BIO_free(bio);
  ERR_pop_to_mark();
  return key;
}

void copenssl_key_free(copenssl_key *key) {
  if (!key) return;
  // This wipes the secret.
  EVP_PKEY_free(key->pkey);
  free(key);
}

int32_t copenssl_key_kind(const copenssl_key *key) {
  return key->kind;
}

int copenssl_key_has_secret(const copenssl_key *key) {
  return key->has_secret;
}

void copenssl_key_public(const copenssl_key *key, uint8_t *public_key) {
  memcpy(public_key, key->public_key, RAW);
}

size_t copenssl_key_write(const copenssl_key *key, int secret, uint8_t *pem, size_t capacity) {
  ERR_set_mark();
  BIO *bio = BIO_new(secret ? BIO_s_secmem() : BIO_s_mem());
  int done = bio && (secret ? key->has_secret && PEM_write_bio_PKCS8PrivateKey(bio, key->pkey, NULL, NULL, 0, NULL, NULL)
                            : PEM_write_bio_PUBKEY(bio, key->pkey)) == 1;
  int count = done && capacity <= INT32_MAX ? BIO_read(bio, pem, (int)capacity) : 0;
  BIO_free(bio);
  ERR_pop_to_mark();
  return count > 0 ? (size_t)count : 0;
}

int copenssl_ed25519_sign(const copenssl_key *key, const uint8_t *data, size_t size, uint8_t *signature) {
  if (key->kind != COPENSSL_ED25519 || !key->has_secret) return 0;
  ERR_set_mark();
  size_t count = SIGNATURE;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int done = context && EVP_DigestSignInit(context, NULL, NULL, NULL, key->pkey) == 1 &&
             EVP_DigestSign(context, signature, &count, data, size) == 1 && count == SIGNATURE;
  EVP_MD_CTX_free(context);
  ERR_pop_to_mark();
  return done;
}

int copenssl_ed25519_verify(const copenssl_key *key, const uint8_t *data, size_t size, const uint8_t *signature) {
  if (key->kind != COPENSSL_ED25519) return 0;
  ERR_set_mark();
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int done = context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key->pkey) == 1 &&
             EVP_DigestVerify(context, signature, SIGNATURE, data, size) == 1;
  EVP_MD_CTX_free(context);
  ERR_pop_to_mark();
  return done;
}

int copenssl_x25519_derive(
    const copenssl_key *key, const uint8_t *public_key, const uint8_t *info, size_t info_size, uint8_t *secret) {
  if (key->kind != COPENSSL_X25519 || !key->has_secret) return 0;
  ERR_set_mark();
  uint8_t shared[RAW];
  size_t count = sizeof shared;
  EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, public_key, RAW);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key->pkey, NULL);
  // OpenSSL refuses an all-zero shared secret, as RFC 7748, 6.1, allows.
  int done = peer && context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, peer) == 1 &&
             EVP_PKEY_derive(context, shared, &count) == 1 && count == sizeof shared;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(peer);
  EVP_KDF *kdf = done ? EVP_KDF_fetch(NULL, "HKDF", NULL) : NULL;
  EVP_KDF_CTX *derivation = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, shared, sizeof shared),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size), OSSL_PARAM_construct_end()};
  done = derivation && EVP_KDF_derive(derivation, secret, RAW, parameters) == 1;
  EVP_KDF_CTX_free(derivation);
  EVP_KDF_free(kdf);
  OPENSSL_cleanse(shared, sizeof shared);
  ERR_pop_to_mark();
  return done;
}
