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

/// Overwrites the freed blocks that glibc's allocator keeps for the calling thread: seven of each size up to 1032
/// bytes.
void copenssl_wipe_cache(void);

/// AES-256-GCM (NIST SP 800-38D) with one key, used by one thread at a time.
typedef struct copenssl_gcm copenssl_gcm;

/// @param key 32 bytes, of which a copy is kept, and wiped by `copenssl_gcm_free`.
/// @return NULL if OpenSSL refused.
copenssl_gcm *copenssl_gcm_new(const uint8_t *key);

void copenssl_gcm_free(copenssl_gcm *gcm);

/// What sealing adds: a random nonce of 12 bytes before, and a tag of 16 behind.
enum { COPENSSL_GCM_EXTRA = 28 };

/// Encrypts `size` bytes, up to a megabyte, into `size + COPENSSL_GCM_EXTRA` bytes at `sealed`.
/// @param additional bytes that are not in `sealed`, and that opening must be given, too.
/// @return 1, or 0 if OpenSSL refused.
int copenssl_gcm_seal(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *data, size_t size,
    uint8_t *sealed);

/// Decrypts what `copenssl_gcm_seal` made into `size - COPENSSL_GCM_EXTRA` bytes at `data`, which are not to be used
/// unless this returns 1.
/// @return 1, or 0 if key, additional bytes or sealed bytes are not those of the sealing.
int copenssl_gcm_open(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *sealed, size_t size,
    uint8_t *data);

/// The same two with a nonce of 12 bytes that the caller gives, and never twice with one key: what is sealed has
/// `size + COPENSSL_GCM_TAG` bytes.
enum { COPENSSL_GCM_NONCE = 12, COPENSSL_GCM_TAG = 16 };

int copenssl_gcm_seal_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *data,
    size_t size, uint8_t *sealed);

int copenssl_gcm_open_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *sealed,
    size_t size, uint8_t *data);

enum {
  /// Signs (RFC 8032).
  COPENSSL_ED25519 = 1,
  /// Agrees on a secret (RFC 7748).
  COPENSSL_X25519 = 2,
  /// Bytes of a signature.
  COPENSSL_ED25519_SIGNATURE = 64,
};

/// A key of 32 bytes, with or without its secret part; any threads may use it at once.
typedef struct copenssl_key copenssl_key;

/// @param kind COPENSSL_ED25519 or COPENSSL_X25519.
/// @return NULL if OpenSSL refused; the same for the next two.
copenssl_key *copenssl_key_generate(int32_t kind);

copenssl_key *copenssl_key_from_public(int32_t kind, const uint8_t *public_key);

/// Reads a private or a public key of either kind in PEM, without a pass phrase.
copenssl_key *copenssl_key_read(const uint8_t *pem, size_t size);

/// Wipes the secret part.
void copenssl_key_free(copenssl_key *key);

int32_t copenssl_key_kind(const copenssl_key *key);

int copenssl_key_has_secret(const copenssl_key *key);

void copenssl_key_public(const copenssl_key *key, uint8_t *public_key);

/// Writes PEM: PKCS #8 if `secret` is 1, else SubjectPublicKeyInfo.
/// @param capacity 256 is enough.
/// @return the count of bytes, or 0 if OpenSSL refused.
size_t copenssl_key_write(const copenssl_key *key, int secret, uint8_t *pem, size_t capacity);

/// @param signature room for 64 bytes.
/// @return 1, or 0 if the key cannot sign.
int copenssl_ed25519_sign(const copenssl_key *key, const uint8_t *data, size_t size, uint8_t *signature);

/// @param signature 64 bytes.
/// @return 1 if this key signed these bytes, else 0.
int copenssl_ed25519_verify(const copenssl_key *key, const uint8_t *data, size_t size, const uint8_t *signature);

/// Agrees with the owner of a public key on 32 bytes: HKDF with SHA-256 (RFC 5869), without salt, of what X25519 gives.
/// @return 1, or 0 if the key cannot do that, or the public key is one that gives all the same secret.
int copenssl_x25519_derive(
    const copenssl_key *key, const uint8_t *public_key, const uint8_t *info, size_t info_size, uint8_t *secret);

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
  /// Empty if the key is on no curve with a name. Explicit parameters have the name of the curve that they equal, base
  /// point and all.
  char curve[32];
  int32_t bits;
  /// 1 if the public exponent of an RSA key is odd and above 1, as RFC 8017, 3.1, wants; 0 if not, and for other keys.
  int32_t has_good_exponent;
  /// Of the curve; 0 for other keys.
  int32_t cofactor;
} copenssl_key_info;

/// Describes a SubjectPublicKeyInfo in DER.
/// @return 1, or 0 if it cannot be read.
int copenssl_key_describe(const uint8_t *key, size_t size, copenssl_key_info *info);

/// Whether a SubjectPublicKeyInfo in DER can be a key, as far as RSA and curves go: see EVP_PKEY_public_check(3). It takes
/// as long as a signature.
/// @return 1, also for other kinds of keys; 0 if it is none.
int copenssl_key_is_sound(const uint8_t *key, size_t size);

/// Whether a key made a signature.
/// @param key its SubjectPublicKeyInfo in DER.
/// @param algorithm the signature's AlgorithmIdentifier in DER; only a kind of key that it is for can be right.
/// @return COPENSSL_…
int copenssl_verify(
    const uint8_t *key, size_t key_size, const uint8_t *algorithm, size_t algorithm_size, const uint8_t *signature,
    size_t signature_size, const uint8_t *data, size_t size);

/// Signed data of the Cryptographic Message Syntax (RFC 5652).
typedef struct copenssl_cms copenssl_cms;

/// Reads signed data in BER or DER that hold their content.
/// @param used the count of bytes that the signed data take.
/// @return NULL if the bytes are something else.
copenssl_cms *copenssl_cms_read(const uint8_t *data, size_t size, size_t *used);

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

/// What the signed attributes of a signer are (RFC 5652, 5.3 and 11).
enum {
  COPENSSL_ATTRIBUTES_NONE = 0,
  /// The content's type and digest once, with one value each; at most one time.
  COPENSSL_ATTRIBUTES_RIGHT = 1,
  COPENSSL_ATTRIBUTES_WRONG = 2,
};

/// The first signer.
typedef struct {
  /// Signers there are.
  size_t count;
  /// COPENSSL_SIGNER_…
  int32_t found;
  size_t certificate;
  /// The issuer's name that the signer gives, in DER; none if it gives a key identifier, or a very long name.
  uint8_t issuer[2048];
  size_t issuer_size;
  /// COPENSSL_ATTRIBUTES_…
  int32_t attributes;
  /// The object identifier of the digest, in dotted form.
  char digest[80];
  /// The AlgorithmIdentifier of the signature in DER.
  uint8_t signature[512];
  size_t signature_size;
  /// YYYYMMDDhhmmss in UTC, empty, or "?" if it cannot be read.
  char signing_time[16];
} copenssl_signer;

/// @return 0 if nobody signed.
int copenssl_cms_signer(const copenssl_cms *cms, copenssl_signer *signer);

/// Checks the first signer's signature, with and then without the strictness of RFC 5652: signed attributes may be in
/// any order, and the digest may be named in the signature's algorithm alone.
/// @param certificate the signer's.
/// @param strict 1 if the signature is valid with all strictness; else 0.
/// @return COPENSSL_…
int copenssl_cms_verify(copenssl_cms *cms, size_t certificate, int *strict);

/// The version of the library that is loaded, such as "OpenSSL 3.0.17 1 Jul 2025".
const char *copenssl_version(void);

#endif
