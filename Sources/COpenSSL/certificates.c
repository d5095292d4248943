#include "copenssl.h"

#include <limits.h>
#include <openssl/asn1err.h>
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
  }
  EVP_PKEY_free(pkey);
  ERR_clear_error();
  return name != NULL;
}

static X509 *certificate_read(const uint8_t *der, size_t size) {
  return size > LONG_MAX ? NULL : d2i_X509(NULL, &der, (long)size);
}

// What a return value of OpenSSL's verifying functions means. Empties the queue of errors.
static int verified(int result) {
  int status = result == 1 ? COPENSSL_VALID : COPENSSL_INVALID;
  if (result < 0) {
    unsigned long error;
    while ((error = ERR_get_error()) != 0) {
      int reason = ERR_GET_REASON(error), library = ERR_GET_LIB(error);
      if ((library == ERR_LIB_ASN1 &&
           (reason == ASN1_R_UNKNOWN_SIGNATURE_ALGORITHM || reason == ASN1_R_UNKNOWN_MESSAGE_DIGEST_ALGORITHM)) ||
          reason == ERR_R_UNSUPPORTED)
        status = COPENSSL_UNSUPPORTED;
    }
  }
  ERR_clear_error();
  return status;
}

int copenssl_certificate_verify(
    const uint8_t *certificate, size_t size, const uint8_t *issuer, size_t issuer_size) {
  X509 *subject = certificate_read(certificate, size), *signer = certificate_read(issuer, issuer_size);
  EVP_PKEY *key = signer ? X509_get0_pubkey(signer) : NULL;
  int status = COPENSSL_UNSUPPORTED;
  if (subject && key) {
    ERR_clear_error();
    status = verified(X509_verify(subject, key));
  }
  X509_free(subject);
  X509_free(signer);
  ERR_clear_error();
  return status;
}

int copenssl_crl_verify(const uint8_t *list, size_t size, const uint8_t *issuer, size_t issuer_size) {
  X509_CRL *crl = size > LONG_MAX ? NULL : d2i_X509_CRL(NULL, &list, (long)size);
  X509 *signer = certificate_read(issuer, issuer_size);
  EVP_PKEY *key = signer ? X509_get0_pubkey(signer) : NULL;
  int status = COPENSSL_UNSUPPORTED;
  if (crl && key) {
    ERR_clear_error();
    status = verified(X509_CRL_verify(crl, key));
  }
  X509_CRL_free(crl);
  X509_free(signer);
  ERR_clear_error();
  return status;
}
