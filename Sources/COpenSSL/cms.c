#include "signatures.h"

#include <limits.h>
#include <openssl/asn1t.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct copenssl_cms {
  CMS_ContentInfo *info;
  STACK_OF(X509) *certificates;
};

copenssl_cms *copenssl_cms_read(const uint8_t *data, size_t size, size_t *used) {
  if (size > LONG_MAX) return NULL;
  const uint8_t *start = data;
  copenssl_cms *cms = calloc(1, sizeof *cms);
  if (!cms) return NULL;
  ERR_set_mark();
  cms->info = d2i_CMS_ContentInfo(NULL, &data, (long)size);
  if (cms->info && OBJ_obj2nid(CMS_get0_type(cms->info)) == NID_pkcs7_signed) {
    ASN1_OCTET_STRING **content = CMS_get0_content(cms->info);
    if (content && *content) {
      cms->certificates = CMS_get1_certs(cms->info);
      *used = (size_t)(data - start);
      ERR_pop_to_mark();
      return cms;
    }
  }
  copenssl_cms_free(cms);
  ERR_pop_to_mark();
  return NULL;
}

void copenssl_cms_free(copenssl_cms *cms) {
  if (!cms) return;
  sk_X509_pop_free(cms->certificates, X509_free);
  CMS_ContentInfo_free(cms->info);
  free(cms);
}

void copenssl_cms_content_type(const copenssl_cms *cms, char *text, size_t capacity) {
  if (OBJ_obj2txt(text, (int)capacity, CMS_get0_eContentType(cms->info), 1) <= 0 && capacity) text[0] = 0;
}

size_t copenssl_cms_content(const copenssl_cms *cms, const uint8_t **content) {
  ASN1_OCTET_STRING **string = CMS_get0_content(cms->info);
  *content = ASN1_STRING_get0_data(*string);
  return (size_t)ASN1_STRING_length(*string);
}

size_t copenssl_cms_certificate_count(const copenssl_cms *cms) {
  return cms->certificates ? (size_t)sk_X509_num(cms->certificates) : 0;
}

static X509 *certificate_at(const copenssl_cms *cms, size_t index) {
  return index < copenssl_cms_certificate_count(cms) ? sk_X509_value(cms->certificates, (int)index) : NULL;
}

size_t copenssl_cms_certificate(const copenssl_cms *cms, size_t index, uint8_t *der, size_t capacity) {
  X509 *certificate = certificate_at(cms, index);
  int size = certificate ? i2d_X509(certificate, NULL) : 0;
  if (size <= 0) return 0;
  if ((size_t)size <= capacity) i2d_X509(certificate, &der);
  return (size_t)size;
}

static CMS_SignerInfo *first_signer(const copenssl_cms *cms) {
  STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(cms->info);
  return signers && sk_CMS_SignerInfo_num(signers) > 0 ? sk_CMS_SignerInfo_value(signers, 0) : NULL;
}

// Returns the number of occurrences of the attribute, or -1 if one of them does not have exactly one value.
static int occurrences(const CMS_SignerInfo *info, int nid) {
  int count = 0;
  for (int i = CMS_signed_get_attr_by_NID(info, nid, -1); i >= 0; i = CMS_signed_get_attr_by_NID(info, nid, i)) {
    if (X509_ATTRIBUTE_count(CMS_signed_get_attr(info, i)) != 1) return -1;
    count++;
  }
  return count;
}

static int describe_attributes(const CMS_SignerInfo *info) {
  if (CMS_signed_get_attr_count(info) < 0) return COPENSSL_ATTRIBUTES_NONE;
  int times = occurrences(info, NID_pkcs9_signingTime);
  return occurrences(info, NID_pkcs9_contentType) == 1 && occurrences(info, NID_pkcs9_messageDigest) == 1 &&
                 (times == 0 || times == 1)
             ? COPENSSL_ATTRIBUTES_RIGHT
             : COPENSSL_ATTRIBUTES_WRONG;
}

int copenssl_cms_signer(const copenssl_cms *cms, copenssl_signer *signer) {
  memset(signer, 0, sizeof *signer);
  CMS_SignerInfo *info = first_signer(cms);
  if (!info) return 0;
  ERR_set_mark();
  signer->count = (size_t)sk_CMS_SignerInfo_num(CMS_get0_SignerInfos(cms->info));
  signer->attributes = describe_attributes(info);
  size_t count = copenssl_cms_certificate_count(cms);
  ASN1_OCTET_STRING *key = NULL;
  X509_NAME *issuer = NULL;
  ASN1_INTEGER *number = NULL;
  CMS_SignerInfo_get0_signer_id(info, &key, &issuer, &number);
  for (size_t i = 0; i < count && signer->found != COPENSSL_SIGNER_IDENTIFIED; i++) {
    X509 *certificate = certificate_at(cms, i);
    int found = COPENSSL_SIGNER_NONE;
    if (CMS_SignerInfo_cert_cmp(info, certificate) == 0)
      found = COPENSSL_SIGNER_IDENTIFIED;
    else if (number && ASN1_INTEGER_cmp(number, X509_get0_serialNumber(certificate)) == 0)
      found = COPENSSL_SIGNER_BY_SERIAL_NUMBER;
    else if (count == 1)
      found = COPENSSL_SIGNER_ONLY_ONE;
    if (found != COPENSSL_SIGNER_NONE) {
      signer->found = found;
      signer->certificate = i;
    }
  }
  int issuer_size = issuer ? i2d_X509_NAME(issuer, NULL) : 0;
  if (issuer_size > 0 && (size_t)issuer_size <= sizeof signer->issuer) {
    uint8_t *out = signer->issuer;
    signer->issuer_size = (size_t)i2d_X509_NAME(issuer, &out);
  }
  X509_ALGOR *digest = NULL, *signature = NULL;
  CMS_SignerInfo_get0_algs(info, NULL, NULL, &digest, &signature);
  if (digest && OBJ_obj2txt(signer->digest, sizeof signer->digest, digest->algorithm, 1) <= 0) signer->digest[0] = 0;
  int size = signature ? i2d_X509_ALGOR(signature, NULL) : 0;
  if (size > 0 && (size_t)size <= sizeof signer->signature) {
    uint8_t *out = signer->signature;
    signer->signature_size = (size_t)i2d_X509_ALGOR(signature, &out);
  }

  int position = CMS_signed_get_attr_by_NID(info, NID_pkcs9_signingTime, -1);
  X509_ATTRIBUTE *attribute = position >= 0 ? CMS_signed_get_attr(info, position) : NULL;
  if (attribute) strcpy(signer->signing_time, "?");
  ASN1_TYPE *value = attribute ? X509_ATTRIBUTE_get0_type(attribute, 0) : NULL;
  if (value && (value->type == V_ASN1_UTCTIME || value->type == V_ASN1_GENERALIZEDTIME)) {
    struct tm when;
    if (ASN1_TIME_to_tm(value->value.asn1_string, &when) == 1)
      strftime(signer->signing_time, sizeof signer->signing_time, "%Y%m%d%H%M%S", &when);
  }
  ERR_pop_to_mark();
  return 1;
}

ASN1_ITEM_TEMPLATE(SORTED_ATTRIBUTES) = ASN1_EX_TEMPLATE_TYPE(
    ASN1_TFLG_SET_OF | ASN1_TFLG_IMPTAG | ASN1_TFLG_UNIVERSAL, V_ASN1_SET, attributes, X509_ATTRIBUTE)
static_ASN1_ITEM_TEMPLATE_END(SORTED_ATTRIBUTES)

// Encodes the signed attributes in DER order, regardless of their stored order. The caller frees them with
// OPENSSL_free.
static int sorted_attributes(CMS_SignerInfo *info, uint8_t **bytes) {
  STACK_OF(X509_ATTRIBUTE) *attributes = sk_X509_ATTRIBUTE_new_null();
  if (!attributes) return 0;
  for (int i = 0; i < CMS_signed_get_attr_count(info); i++) {
    if (!sk_X509_ATTRIBUTE_push(attributes, CMS_signed_get_attr(info, i))) break;
  }
  int size = ASN1_item_i2d((ASN1_VALUE *)attributes, bytes, ASN1_ITEM_rptr(SORTED_ATTRIBUTES));
  sk_X509_ATTRIBUTE_free(attributes);
  return size;
}

// Checks whether the signed attributes match this content: its digest and its type.
static int attributes_match(const copenssl_cms *cms, CMS_SignerInfo *info, const X509_ALGOR *digest) {
  const EVP_MD *md = EVP_get_digestbyobj(digest->algorithm);
  if (!md) return COPENSSL_UNSUPPORTED;
  ASN1_OCTET_STRING *expected =
      CMS_signed_get0_data_by_OBJ(info, OBJ_nid2obj(NID_pkcs9_messageDigest), -3, V_ASN1_OCTET_STRING);
  ASN1_OBJECT *type = CMS_signed_get0_data_by_OBJ(info, OBJ_nid2obj(NID_pkcs9_contentType), -3, V_ASN1_OBJECT);
  const uint8_t *content = NULL;
  size_t size = copenssl_cms_content(cms, &content);
  uint8_t hash[EVP_MAX_MD_SIZE];
  unsigned int hash_size = 0;
  if (!expected || EVP_Digest(content, size, hash, &hash_size, md, NULL) != 1 ||
      ASN1_STRING_length(expected) != (int)hash_size ||
      memcmp(ASN1_STRING_get0_data(expected), hash, hash_size) != 0)
    return COPENSSL_WRONG_DIGEST;
  return type && OBJ_cmp(type, CMS_get0_eContentType(cms->info)) == 0 ? COPENSSL_VALID : COPENSSL_INVALID;
}

// Whether the signature's algorithm fits the key, and implies no digest other than the signer's.
static int is_consistent(EVP_PKEY *key, const X509_ALGOR *digest, const X509_ALGOR *signature) {
  int digest_nid = NID_undef, key_nid = NID_undef;
  if (!OBJ_find_sigid_algs(OBJ_obj2nid(signature->algorithm), &digest_nid, &key_nid)) return 1;
  return (digest_nid == NID_undef || digest_nid == OBJ_obj2nid(digest->algorithm)) &&
         (key_nid == EVP_PKEY_get_base_id(key) || OBJ_obj2nid(signature->algorithm) == NID_rsassaPss);
}

static int verify_first(const copenssl_cms *cms, X509 *certificate, int *strict) {
  CMS_SignerInfo *info = first_signer(cms);
  EVP_PKEY *key = certificate ? X509_get0_pubkey(certificate) : NULL;
  X509_ALGOR *digest = NULL, *signature = NULL;
  if (!info) return COPENSSL_INVALID;
  CMS_SignerInfo_get0_algs(info, NULL, NULL, &digest, &signature);
  const ASN1_OCTET_STRING *value = CMS_SignerInfo_get0_signature(info);
  if (!key || !digest || !signature || !value) return COPENSSL_UNSUPPORTED;

  if (CMS_signed_get_attr_count(info) < 0) {
    const uint8_t *content = NULL;
    size_t size = copenssl_cms_content(cms, &content);
    int status = copenssl_verify_bytes(
        key, digest, signature, ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value), content, size);
    *strict = status == COPENSSL_VALID;
    return status;
  }
  int matches = attributes_match(cms, info, digest);
  if (matches != COPENSSL_VALID) return matches;
  CMS_SignerInfo_set1_signer_cert(info, certificate);
  *strict = is_consistent(key, digest, signature) && CMS_SignerInfo_verify(info) == 1;
  if (*strict) return COPENSSL_VALID;
  uint8_t *bytes = NULL;
  int size = sorted_attributes(info, &bytes);
  int status = size > 0 ? copenssl_verify_bytes(
                                key, digest, signature, ASN1_STRING_get0_data(value),
                                (size_t)ASN1_STRING_length(value), bytes, (size_t)size) : COPENSSL_UNSUPPORTED;
  OPENSSL_free(bytes);
  return status;
}

int copenssl_cms_verify(copenssl_cms *cms, size_t certificate, int *strict) {
  *strict = 0;
  ERR_set_mark();
  int status = verify_first(cms, certificate_at(cms, certificate), strict);
  ERR_pop_to_mark();
  return status;
}
