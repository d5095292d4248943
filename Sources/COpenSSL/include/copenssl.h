#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

/// Computes the SHA-256 (FIPS 180-4) of `size` bytes into the 32 bytes at `digest`, by OpenSSL, which uses the CPU's
/// own instructions for it: the 25 MB of model files are hashed at every start.
/// @return 1, or 0 if OpenSSL failed.
int copenssl_sha256(const uint8_t *data, size_t size, uint8_t *digest);

/// Overwrites `size` bytes with zeros; the optimiser cannot remove it.
void copenssl_wipe(void *data, size_t size);

/// Overwrites the freed blocks that glibc's allocator caches for the calling thread: seven of each size up to 1032
/// bytes.
void copenssl_wipe_cache(void);

/// AES-256-GCM (NIST SP 800-38D) with one key. Not thread-safe.
typedef struct copenssl_gcm copenssl_gcm;

/// @param key 32 bytes; a copy is kept, and wiped by `copenssl_gcm_free`.
/// @return NULL if OpenSSL failed.
copenssl_gcm *copenssl_gcm_new(const uint8_t *key);

void copenssl_gcm_free(copenssl_gcm *gcm);

/// Bytes added by sealing: a random nonce of 12 bytes before the data, and a tag of 16 after them.
enum { COPENSSL_GCM_EXTRA = 28 };

/// Encrypts `size` bytes, up to 1 MiB, into `size + COPENSSL_GCM_EXTRA` bytes at `sealed`.
/// @param additional additional authenticated data: not part of `sealed`, and required again for opening.
/// @return 1, or 0 if OpenSSL failed.
int copenssl_gcm_seal(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *data, size_t size,
    uint8_t *sealed);

/// Decrypts the output of `copenssl_gcm_seal` into `size - COPENSSL_GCM_EXTRA` bytes at `data`, which must not be used
/// unless this returns 1.
/// @return 1, or 0 if the key, the additional data or the sealed bytes do not match.
int copenssl_gcm_open(
    copenssl_gcm *gcm, const uint8_t *additional, size_t additional_size, const uint8_t *sealed, size_t size,
    uint8_t *data);

/// The same two with a nonce of 12 bytes from the caller, which must never be reused with the same key: sealed data
/// have `size + COPENSSL_GCM_TAG` bytes.
enum { COPENSSL_GCM_NONCE = 12, COPENSSL_GCM_TAG = 16 };

int copenssl_gcm_seal_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *data,
    size_t size, uint8_t *sealed);

int copenssl_gcm_open_with(
    copenssl_gcm *gcm, const uint8_t *nonce, const uint8_t *additional, size_t additional_size, const uint8_t *sealed,
    size_t size, uint8_t *data);

enum {
  /// Signatures (RFC 8032).
  COPENSSL_ED25519 = 1,
  /// Key agreement (RFC 7748).
  COPENSSL_X25519 = 2,
  /// Size of a signature in bytes.
  COPENSSL_ED25519_SIGNATURE = 64,
};

/// A key of 32 bytes, with or without its secret part. Thread-safe.
typedef struct copenssl_key copenssl_key;

/// @param kind COPENSSL_ED25519 or COPENSSL_X25519.
/// @return NULL if OpenSSL failed; the same for the next two.
copenssl_key *copenssl_key_generate(int32_t kind);

copenssl_key *copenssl_key_from_public(int32_t kind, const uint8_t *public_key);

/// Reads an unencrypted private or public key of either kind in PEM.
copenssl_key *copenssl_key_read(const uint8_t *pem, size_t size);

/// Wipes the secret part.
void copenssl_key_free(copenssl_key *key);

int32_t copenssl_key_kind(const copenssl_key *key);

int copenssl_key_has_secret(const copenssl_key *key);

void copenssl_key_public(const copenssl_key *key, uint8_t *public_key);

/// Writes PEM: PKCS #8 if `secret` is 1, else SubjectPublicKeyInfo.
/// @param capacity 256 is enough.
/// @return the number of bytes, or 0 if OpenSSL failed.
size_t copenssl_key_write(const copenssl_key *key, int secret, uint8_t *pem, size_t capacity);

/// @param signature room for 64 bytes.
/// @return 1, or 0 if the key cannot sign.
int copenssl_ed25519_sign(const copenssl_key *key, const uint8_t *data, size_t size, uint8_t *signature);

/// @param signature 64 bytes.
/// @return 1 if this key signed these bytes, else 0.
int copenssl_ed25519_verify(const copenssl_key *key, const uint8_t *data, size_t size, const uint8_t *signature);

/// Derives 32 bytes shared with the owner of a public key: HKDF with SHA-256 (RFC 5869), without salt, of the X25519
/// output.
/// @return 1, or 0 if the key cannot do that, or the public key yields the same secret for every key.
int copenssl_x25519_derive(
    const copenssl_key *key, const uint8_t *public_key, const uint8_t *info, size_t info_size, uint8_t *secret);

// Every function below accepts untrusted bytes, leaves no error in OpenSSL's queue, and is thread-safe.

/// The result of verifying a signature.
enum {
  COPENSSL_INVALID = 0,
  COPENSSL_VALID = 1,
  /// OpenSSL does not know the algorithm or key; nothing was checked.
  COPENSSL_UNSUPPORTED = 2,
};

/// Hashes with the digest of an object identifier in dotted form, or of a name such as "SHA256".
/// @param digest room for 64 bytes.
/// @return the number of bytes, or 0 if OpenSSL does not know the digest.
size_t copenssl_digest(const char *algorithm, const uint8_t *data, size_t size, uint8_t *digest);

/// A public key.
typedef struct {
  /// Such as "RSA", "RSA-PSS", "EC".
  char algorithm[32];
  /// Empty if the key is on no named curve. Explicit parameters have the name of the curve that they equal, base point
  /// included.
  char curve[32];
  int32_t bits;
  /// 1 if the public exponent of an RSA key is odd and above 1, as RFC 8017, 3.1, requires; otherwise 0, as for other
  /// keys.
  int32_t has_good_exponent;
  /// The curve's cofactor; 0 for other keys.
  int32_t cofactor;
} copenssl_key_info;

/// Describes a SubjectPublicKeyInfo in DER.
/// @return 1, or 0 if it cannot be read.
int copenssl_key_describe(const uint8_t *key, size_t size, copenssl_key_info *info);

/// Checks whether a SubjectPublicKeyInfo in DER is a plausible key, for RSA and elliptic curves: see
/// EVP_PKEY_public_check(3). Takes as long as a signature.
/// @return 1, also for other kinds of keys; 0 if it is not plausible.
int copenssl_key_is_sound(const uint8_t *key, size_t size);

/// Verifies a signature.
/// @param key the signer's SubjectPublicKeyInfo in DER.
/// @param algorithm the signature's AlgorithmIdentifier in DER; it must be for this kind of key.
/// @param digest the digest's AlgorithmIdentifier in DER, which applies if `algorithm` implies none; NULL for none.
/// @return COPENSSL_…
int copenssl_verify(
    const uint8_t *key, size_t key_size, const uint8_t *algorithm, size_t algorithm_size, const uint8_t *digest,
    size_t digest_size, const uint8_t *signature, size_t signature_size, const uint8_t *data, size_t size);

/// Block ciphers of chips.
enum {
  /// Triple DES with two keys (NIST SP 800-67, keying option 2): 16 bytes. Equal halves make it single DES.
  COPENSSL_DES3 = 1,
  /// 16, 24 or 32 bytes.
  COPENSSL_AES = 2,
};

/// Encrypts or decrypts whole blocks in cipher block chaining mode, without padding, in `size` bytes at `result`, which
/// may be `data`.
/// @param iv one block: 8 bytes for triple DES, 16 for AES.
/// @return 1, or 0 if a size does not fit the cipher, or OpenSSL failed.
int copenssl_cbc(
    int32_t cipher, int encrypt, const uint8_t *key, size_t key_size, const uint8_t *iv, const uint8_t *data,
    size_t size, uint8_t *result);

/// Computes the CMAC (NIST SP 800-38B) with AES: 16 bytes.
/// @return 1, or 0 if the key has a wrong size, or OpenSSL failed.
int copenssl_aes_cmac(const uint8_t *key, size_t key_size, const uint8_t *data, size_t size, uint8_t *mac);

/// Compares bytes in constant time.
/// @return 1 if they are equal.
int copenssl_equal(const uint8_t *left, const uint8_t *right, size_t size);

/// Fills `size` bytes, up to 1 MiB, by OpenSSL's generator for secrets.
/// @return 1, or 0 if OpenSSL failed.
int copenssl_random(uint8_t *bytes, size_t size);

/// Domain parameters of Diffie-Hellman key agreement: an elliptic curve over a prime field, or a group modulo a prime,
/// and a generator. Elements are uncompressed points (04, x, y), or numbers with as many bytes as the prime. Not
/// thread-safe.
typedef struct copenssl_group copenssl_group;

enum {
  /// Maximum size in bytes of an element and of a secret.
  COPENSSL_GROUP_LARGEST = 512,
};

/// @param number that of ICAO Doc 9303-11, 9.5.1.
/// @return NULL if the number is reserved; the same for the next one.
copenssl_group *copenssl_group_standard(int32_t number);

/// Reads the domain parameters and the key of a SubjectPublicKeyInfo in DER: EC with a known curve of cofactor 1, or DH
/// with a modulus of 1024 to 4096 bits.
/// @param public_key room for COPENSSL_GROUP_LARGEST bytes.
copenssl_group *copenssl_group_of_key(const uint8_t *key, size_t size, uint8_t *public_key, size_t *public_size);

void copenssl_group_free(copenssl_group *group);

/// @return 1 for an elliptic curve.
int copenssl_group_is_curve(const copenssl_group *group);

/// @return the size of the prime in bits.
size_t copenssl_group_bits(const copenssl_group *group);

/// @return the size of an element in bytes.
size_t copenssl_group_element_size(const copenssl_group *group);

/// @return the size of a secret in bytes.
size_t copenssl_group_secret_size(const copenssl_group *group);

/// Generates a secret.
/// @return 1, or 0 if OpenSSL failed.
int copenssl_group_secret(const copenssl_group *group, uint8_t *secret);

/// Multiplies a point by a secret, or raises a number to its power; in constant time for a secret.
/// @param element an untrusted element, which is checked, with or without leading zeros; NULL for the generator.
/// @return 1, or 0 if the element is not in the group or the result is the neutral element.
int copenssl_group_multiply(
    const copenssl_group *group, const uint8_t *secret, size_t secret_size, const uint8_t *element, size_t size,
    uint8_t *result);

/// Generic mapping (ICAO Doc 9303-11, 4.4.3.3.1): the generator becomes `nonce` times itself plus `secret` times
/// `element`, which is untrusted.
/// @return NULL if the element is not in the group or the new generator is the neutral element.
copenssl_group *copenssl_group_map_generic(
    const copenssl_group *group, const uint8_t *nonce, size_t nonce_size, const uint8_t *secret, size_t secret_size,
    const uint8_t *element, size_t size);

/// Integrated mapping (ICAO Doc 9303-11, 4.4.3.3.2): the generator becomes the image of a pseudo-random number.
/// @return NULL if it has none; always for a curve whose prime is not 3 modulo 4, such as NIST P-224.
copenssl_group *copenssl_group_map_integrated(const copenssl_group *group, const uint8_t *random, size_t random_size);

/// Raises a signature to the public exponent of an RSA key of 1024 to 4096 bits.
/// @param key SubjectPublicKeyInfo in DER.
/// @param result room for COPENSSL_GROUP_LARGEST bytes.
/// @return the size of the modulus in bytes, or 0 if the key is none of these or the signature is not below the
/// modulus.
size_t copenssl_rsa_recover(
    const uint8_t *key, size_t key_size, const uint8_t *signature, size_t signature_size, uint8_t *result);

/// The version of the loaded library, such as "OpenSSL 3.0.17 1 Jul 2025".
const char *copenssl_version(void);

#endif
