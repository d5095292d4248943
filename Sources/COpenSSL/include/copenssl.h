#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4) of `size` bytes into the 32 bytes at `digest`, by OpenSSL, which uses the CPU's own
/// instructions for it: the 25 MB of model files are hashed at every start.
/// @return 1, or 0 if OpenSSL refused.
int copenssl_sha256(const uint8_t *data, size_t size, uint8_t *digest);

/// Overwrites `size` bytes with zeros in a way that no optimiser removes.
void copenssl_wipe(void *data, size_t size);

// Every function below takes untrusted bytes, leaves no error behind in OpenSSL's queue, and may be called by several
// threads at once, as long as a `copenssl_cms` is used by one at a time.

/// What a check of a signature found.
enum {
  COPENSSL_INVALID = 0,
  COPENSSL_VALID = 1,
  /// The algorithm or key is none that OpenSSL knows, so that nothing was checked.
  COPENSSL_UNSUPPORTED = 2,
  /// The content is not what the signed attributes were made for.
  COPENSSL_WRONG_DIGEST = 3,
};

/// Hashes with the digest of an object identifier in dotted form, or of a name such as "SHA256".
/// @param digest room for 64 bytes.
/// @return the count of bytes, or 0 if OpenSSL knows no such digest.
size_t copenssl_digest(const char *algorithm, const uint8_t *data, size_t size, uint8_t *digest);

/// A public key.
typedef struct {
  /// Such as "RSA", "RSA-PSS", "EC".
  char algorithm[32];
  /// Empty if the key is on no curve with a name.
  char curve[32];
  int32_t bits;
} copenssl_key_info;

/// Describes a SubjectPublicKeyInfo in DER.
/// @return 1, or 0 if it cannot be read.
int copenssl_key_describe(const uint8_t *key, size_t size, copenssl_key_info *info);

/// Whether the issuer's key made the signature of a certificate. Both are DER. Nothing else is checked.
int copenssl_certificate_verify(
    const uint8_t *certificate, size_t size, const uint8_t *issuer, size_t issuer_size);

/// Whether the issuer's key made the signature of a certificate revocation list. Both are DER.
int copenssl_crl_verify(const uint8_t *list, size_t size, const uint8_t *issuer, size_t issuer_size);

/// Signed data of the Cryptographic Message Syntax (RFC 5652).
typedef struct copenssl_cms copenssl_cms;

/// Reads signed data in BER or DER that hold their content.
/// @return NULL if the bytes are something else.
copenssl_cms *copenssl_cms_read(const uint8_t *data, size_t size);

void copenssl_cms_free(copenssl_cms *cms);

/// The object identifier of the content's type, in dotted form.
void copenssl_cms_content_type(const copenssl_cms *cms, char *text, size_t capacity);

/// The content, which lives as long as `cms`.
/// @return its count of bytes.
size_t copenssl_cms_content(const copenssl_cms *cms, const uint8_t **content);

size_t copenssl_cms_certificate_count(const copenssl_cms *cms);

/// Writes a certificate in DER if `capacity` is enough.
/// @return the count of bytes, or 0 if there is no such certificate.
size_t copenssl_cms_certificate(const copenssl_cms *cms, size_t index, uint8_t *der, size_t capacity);

/// How a signer's certificate was found.
enum {
  COPENSSL_SIGNER_NONE = 0,
  /// As RFC 5652 prescribes: by issuer and serial number, or by key identifier.
  COPENSSL_SIGNER_IDENTIFIED = 1,
  /// The serial number is right, the issuer's name is written otherwise.
  COPENSSL_SIGNER_BY_SERIAL_NUMBER = 2,
  /// Nothing matches, but there is only one certificate.
  COPENSSL_SIGNER_ONLY_ONE = 3,
};

/// The first signer.
typedef struct {
  /// COPENSSL_SIGNER_…
  int32_t found;
  size_t certificate;
  /// Names such as "SHA256".
  char digest[48];
  /// Names such as "ecdsa-with-SHA256", "rsassaPss".
  char signature[48];
  /// YYYYMMDDhhmmss in UTC, or empty.
  char signing_time[16];
} copenssl_signer;

/// @return 0 if nobody signed.
int copenssl_cms_signer(const copenssl_cms *cms, copenssl_signer *signer);

/// Checks the first signer's signature, with and then without the strictness of RFC 5652: signed attributes may be in
/// any order, and the digest may be named in the signature's algorithm alone.
/// @param certificate the signer's.
/// @return COPENSSL_…
int copenssl_cms_verify(copenssl_cms *cms, size_t certificate);

/// The version of the library that is loaded, such as "OpenSSL 3.0.17 1 Jul 2025".
const char *copenssl_version(void);

#endif
