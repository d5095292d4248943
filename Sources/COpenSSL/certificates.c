#include "copenssl.h"

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <string.h>

size_t copenssl_digest(const char *algorithm, const uint8_t *data, size_t size, uint8_t *digest) {
  unsigned int length = 0;
  ERR_set_mark();
  ASN1_OBJECT *object = OBJ_txt2obj(algorithm, 0);
  const EVP_MD *md = object ? EVP_get_digestbyobj(object) : NULL;
  int done = md && EVP_MD_get_size(md) <= EVP_MAX_MD_SIZE && EVP_Digest(data, size, digest, &length, md, NULL) == 1;
  ASN1_OBJECT_free(object);
  ERR_pop_to_mark();
  return done ? length : 0;
}

int copenssl_key_describe(const uint8_t *key, size_t size, copenssl_key_info *info) {
  memset(info, 0, sizeof *info);
  if (size > LONG_MAX) return 0;
  ERR_set_mark();
  EVP_PKEY *pkey = d2i_PUBKEY(NULL, &key, (long)size);
  const char *name = pkey ? EVP_PKEY_get0_type_name(pkey) : NULL;
  if (name) {
    OPENSSL_strlcpy(info->algorithm, name, sizeof info->algorithm);
    info->bits = EVP_PKEY_get_bits(pkey);
    size_t length = 0;
    if (!EVP_PKEY_get_group_name(pkey, info->curve, sizeof info->curve, &length)) info->curve[0] = 0;
    BIGNUM *exponent = NULL;
    if (EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_E, &exponent))
      info->has_good_exponent = BN_is_odd(exponent) && !BN_is_one(exponent);
    BN_free(exponent);
    BIGNUM *cofactor = NULL;
    if (EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_EC_COFACTOR, &cofactor) && BN_num_bits(cofactor) < 31)
      info->cofactor = (int32_t)BN_get_word(cofactor);
    BN_free(cofactor);
  }
  EVP_PKEY_free(pkey);
  ERR_pop_to_mark();
  return name != NULL;
}

int copenssl_key_is_sound(const uint8_t *key, size_t size) {
  if (size > LONG_MAX) return 0;
  ERR_set_mark();
  EVP_PKEY *pkey = d2i_PUBKEY(NULL, &key, (long)size);
  EVP_PKEY_CTX *context = pkey ? EVP_PKEY_CTX_new(pkey, NULL) : NULL;
  int kind = pkey ? EVP_PKEY_get_base_id(pkey) : EVP_PKEY_NONE;
  int is_looked_at = kind == EVP_PKEY_RSA || kind == EVP_PKEY_RSA_PSS || kind == EVP_PKEY_EC;
  int is_sound = pkey && (!is_looked_at || (context && EVP_PKEY_public_check(context) == 1));
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(pkey);
  ERR_pop_to_mark();
  return is_sound;
}
