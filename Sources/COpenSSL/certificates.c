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
  ASN1_OBJECT *object = OBJ_txt2obj(algorithm, 0);
  const EVP_MD *md = object ? EVP_get_digestbyobj(object) : NULL;
  int done = md && EVP_MD_get_size(md) <= EVP_MAX_MD_SIZE && EVP_Digest(data, size, digest, &length, md, NULL) == 1;
  ASN1_OBJECT_free(object);
  ERR_clear_error();
  return done ? length : 0;
}

int copenssl_key_describe(const uint8_t *key, size_t size, copenssl_key_info *info) {
  memset(info, 0, sizeof *info);
  if (size > LONG_MAX) return 0;
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
  }
  EVP_PKEY_free(pkey);
  ERR_clear_error();
  return name != NULL;
}
