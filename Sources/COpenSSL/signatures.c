#include "copenssl.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// Sets the parameters of an RSASSA-PSS algorithm (RFC 4055, 3.1); the defaults are SHA-1 and a salt of 20 bytes.
static int set_pss(EVP_PKEY_CTX *context, const X509_ALGOR *algorithm, const EVP_MD **md) {
  int type = V_ASN1_UNDEF;
  const void *value = NULL;
  X509_ALGOR_get0(NULL, &type, &value, algorithm);
  RSA_PSS_PARAMS *pss = type == V_ASN1_SEQUENCE ? ASN1_item_unpack(value, ASN1_ITEM_rptr(RSA_PSS_PARAMS)) : NULL;
  int done = 0;
  if (pss) {
    const EVP_MD *digest = pss->hashAlgorithm ? EVP_get_digestbyobj(pss->hashAlgorithm->algorithm) : EVP_sha1();
    const EVP_MD *mask = EVP_sha1();
    if (pss->maskGenAlgorithm) {
      ASN1_TYPE *parameter = pss->maskGenAlgorithm->parameter;
      X509_ALGOR *hash = parameter && parameter->type == V_ASN1_SEQUENCE
                             ? ASN1_item_unpack(parameter->value.sequence, ASN1_ITEM_rptr(X509_ALGOR))
                             : NULL;
      mask = hash ? EVP_get_digestbyobj(hash->algorithm) : NULL;
      X509_ALGOR_free(hash);
    }
    long salt = pss->saltLength ? ASN1_INTEGER_get(pss->saltLength) : 20;
    if (digest && mask && salt >= 0 && salt <= 1024 &&
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) > 0 &&
        EVP_PKEY_CTX_set_signature_md(context, digest) > 0 && EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask) > 0 &&
        EVP_PKEY_CTX_set_rsa_pss_saltlen(context, (int)salt) > 0) {
      *md = digest;
      done = 1;
    }
  }
  RSA_PSS_PARAMS_free(pss);
  return done;
}

// Verifies whether `key` signed the bytes. `digest`, which may be NULL, applies if the signature's algorithm implies
// none.
static int verify_bytes(
    EVP_PKEY *key, const X509_ALGOR *digest, const X509_ALGOR *signature, const uint8_t *value, size_t value_size,
    const uint8_t *bytes, size_t size) {
  const ASN1_OBJECT *object = NULL;
  X509_ALGOR_get0(&object, NULL, NULL, signature);
  int signature_nid = OBJ_obj2nid(object), digest_nid = NID_undef, key_nid = NID_undef;
  const EVP_MD *md = digest ? EVP_get_digestbyobj(digest->algorithm) : NULL;
  if (OBJ_find_sigid_algs(signature_nid, &digest_nid, &key_nid)) {
    if (digest_nid != NID_undef) md = EVP_get_digestbynid(digest_nid);
    int is_rsa_with_pss = signature_nid == NID_rsassaPss && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA;
    // A key for RSA-PSS alone is no other algorithm's (RFC 4055, 1.2): nothing can be verified.
    if (EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA_PSS && key_nid == NID_rsaEncryption) return COPENSSL_UNSUPPORTED;
    if (EVP_PKEY_get_base_id(key) != key_nid && !is_rsa_with_pss) return COPENSSL_INVALID;
  }

  uint8_t hash[EVP_MAX_MD_SIZE];
  unsigned int hash_size = 0;
  int status = COPENSSL_UNSUPPORTED;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
  if (context && EVP_PKEY_verify_init(context) > 0) {
    int ready = signature_nid == NID_rsassaPss ? set_pss(context, signature, &md)
                                               : md && EVP_PKEY_CTX_set_signature_md(context, md) > 0;
    if (ready && md && EVP_Digest(bytes, size, hash, &hash_size, md, NULL) == 1)
      status = EVP_PKEY_verify(
                   context, value, value_size, hash, hash_size) == 1
                   ? COPENSSL_VALID
                   : COPENSSL_INVALID;
  }
  EVP_PKEY_CTX_free(context);
  return status;
}

int copenssl_verify(
    const uint8_t *key, size_t key_size, const uint8_t *algorithm, size_t algorithm_size, const uint8_t *digest,
    size_t digest_size, const uint8_t *signature, size_t signature_size, const uint8_t *data, size_t size) {
  if (key_size > LONG_MAX || algorithm_size > LONG_MAX || digest_size > LONG_MAX) return COPENSSL_UNSUPPORTED;
  ERR_set_mark();
  EVP_PKEY *pkey = d2i_PUBKEY(NULL, &key, (long)key_size);
  X509_ALGOR *algor = d2i_X509_ALGOR(NULL, &algorithm, (long)algorithm_size);
  X509_ALGOR *hash = digest ? d2i_X509_ALGOR(NULL, &digest, (long)digest_size) : NULL;
  int status = pkey && algor && (hash || !digest)
                   ? verify_bytes(pkey, hash, algor, signature, signature_size, data, size)
                   : COPENSSL_UNSUPPORTED;
  EVP_PKEY_free(pkey);
  X509_ALGOR_free(algor);
  X509_ALGOR_free(hash);
  ERR_pop_to_mark();
  return status;
}

size_t copenssl_rsa_recover(
    const uint8_t *key, size_t key_size, const uint8_t *signature, size_t signature_size, uint8_t *result) {
  if (key_size > LONG_MAX || signature_size > COPENSSL_GROUP_LARGEST) return 0;
  ERR_set_mark();
  EVP_PKEY *pkey = d2i_PUBKEY(NULL, &key, (long)key_size);
  BIGNUM *n = NULL, *e = NULL, *value = BN_bin2bn(signature, (int)signature_size, NULL);
  BN_CTX *context = BN_CTX_new();
  size_t size = 0;
  if (pkey && value && context && EVP_PKEY_get_base_id(pkey) == EVP_PKEY_RSA &&
      EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_N, &n) == 1 &&
      EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_E, &e) == 1) {
    int bits = BN_num_bits(n);
    if (bits >= 1024 && bits <= 8 * COPENSSL_GROUP_LARGEST && BN_is_odd(n) && BN_is_odd(e) && !BN_is_one(e) &&
        BN_cmp(e, n) < 0 && BN_cmp(value, n) < 0 && BN_mod_exp(value, value, e, n, context) == 1) {
      // ISO/IEC 9796-2, B.6: the last nibble is 12; a signature may be the smaller of a number and its negative.
      if ((BN_mod_word(value, 16) == 12 || BN_sub(value, n, value) == 1) &&
          BN_bn2binpad(value, result, BN_num_bytes(n)) > 0)
        size = (size_t)BN_num_bytes(n);
    }
  }
  EVP_PKEY_free(pkey);
  BN_free(n);
  BN_free(e);
  BN_free(value);
  BN_CTX_free(context);
  ERR_pop_to_mark();
  return size;
}
