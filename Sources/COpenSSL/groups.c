// Diffie-Hellman key agreement and the mappings of PACE (ICAO Doc 9303-11, 4.4.3.3), on curves and in groups modulo p.

#include <limits.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#include "copenssl.h"

struct copenssl_group {
  // NULL for a group modulo p.
  EC_GROUP *curve;
  EC_POINT *base;
  BIGNUM *p, *g;
  // The order of the generator; NULL if it is unknown, modulo p.
  BIGNUM *q;
  BN_CTX *context;
};

// ICAO Doc 9303-11, 9.5.1, table 6.
static const struct {
  int32_t number;
  int curve;
  const char *group;
} standard[] = {
    {0, 0, "dh_1024_160"},           {1, 0, "dh_2048_224"},           {2, 0, "dh_2048_256"},
    {8, NID_X9_62_prime192v1, NULL}, {9, NID_brainpoolP192r1, NULL},  {10, NID_secp224r1, NULL},
    {11, NID_brainpoolP224r1, NULL}, {12, NID_X9_62_prime256v1, NULL}, {13, NID_brainpoolP256r1, NULL},
    {14, NID_brainpoolP320r1, NULL}, {15, NID_secp384r1, NULL},       {16, NID_brainpoolP384r1, NULL},
    {17, NID_brainpoolP512r1, NULL}, {18, NID_secp521r1, NULL},
};
enum { STANDARD = sizeof standard / sizeof standard[0] };

void copenssl_group_free(copenssl_group *group) {
  if (!group) return;
  EC_GROUP_free(group->curve);
  EC_POINT_free(group->base);
  BN_free(group->p);
  BN_free(group->g);
  BN_free(group->q);
  BN_CTX_free(group->context);
  free(group);
}

static copenssl_group *group_new(void) {
  copenssl_group *group = calloc(1, sizeof *group);
  if (group && (group->context = BN_CTX_secure_new())) return group;
  copenssl_group_free(group);
  return NULL;
}

// Takes ownership of `curve`.
static copenssl_group *on_curve(EC_GROUP *curve) {
  copenssl_group *group = curve ? group_new() : NULL;
  if (!group) {
    EC_GROUP_free(curve);
    return NULL;
  }
  group->curve = curve;
  group->p = BN_new();
  group->q = BN_dup(EC_GROUP_get0_order(curve));
  const EC_POINT *base = EC_GROUP_get0_generator(curve);
  group->base = base ? EC_POINT_dup(base, curve) : NULL;
  // Every curve of the table has the cofactor 1: a point on it is in the group.
  if (group->p && group->q && group->base && EC_GROUP_get_field_type(curve) == NID_X9_62_prime_field &&
      BN_is_one(EC_GROUP_get0_cofactor(curve)) && EC_GROUP_get_curve(curve, group->p, NULL, NULL, group->context) == 1)
    return group;
  copenssl_group_free(group);
  return NULL;
}

static copenssl_group *modulo(const EVP_PKEY *key) {
  copenssl_group *group = group_new();
  if (!group) return NULL;
  EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_Q, &group->q);
  if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_P, &group->p) == 1 &&
      EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_FFC_G, &group->g) == 1)
    return group;
  copenssl_group_free(group);
  return NULL;
}

static copenssl_group *modulo_named(const char *name) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "DHX", NULL);
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)name, 0), OSSL_PARAM_construct_end()};
  int done = context && EVP_PKEY_fromdata_init(context) == 1 &&
             EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEY_PARAMETERS, parameters) == 1;
  copenssl_group *group = done ? modulo(key) : NULL;
  EVP_PKEY_free(key);
  EVP_PKEY_CTX_free(context);
  return group;
}

copenssl_group *copenssl_group_standard(int32_t number) {
  ERR_set_mark();
  copenssl_group *group = NULL;
  for (int i = 0; i < STANDARD; i++)
    if (standard[i].number == number)
      group = standard[i].group ? modulo_named(standard[i].group)
                                : on_curve(EC_GROUP_new_by_curve_name(standard[i].curve));
  ERR_pop_to_mark();
  return group;
}

copenssl_group *copenssl_group_of_key(const uint8_t *key, size_t size, uint8_t *public_key, size_t *public_size) {
  if (size > LONG_MAX) return NULL;
  ERR_set_mark();
  EVP_PKEY *pkey = d2i_PUBKEY(NULL, &key, (long)size);
  int kind = pkey ? EVP_PKEY_get_base_id(pkey) : EVP_PKEY_NONE;
  copenssl_group *group = NULL;
  size_t count = 0;
  if (kind == EVP_PKEY_EC) {
    OSSL_PARAM *parameters = NULL;
    EC_GROUP *curve = EVP_PKEY_todata(pkey, EVP_PKEY_KEY_PARAMETERS, &parameters) == 1
                          ? EC_GROUP_new_from_params(parameters, NULL, NULL)
                          : NULL;
    OSSL_PARAM_free(parameters);
    // Explicit parameters must be those of a known curve (RFC 5480, 2.1.1).
    int is_known = curve && EC_GROUP_get_curve_name(curve) != NID_undef && EC_GROUP_get_degree(curve) >= 192;
    if (is_known) {
      group = on_curve(curve);
    } else {
      EC_GROUP_free(curve);
    }
    uint8_t *encoded = NULL;
    EC_POINT *point = group ? EC_POINT_new(group->curve) : NULL;
    // The provider may have the point in another form.
    size_t given = group ? EVP_PKEY_get1_encoded_public_key(pkey, &encoded) : 0;
    if (point && given > 0 && EC_POINT_oct2point(group->curve, point, encoded, given, group->context) == 1)
      count = EC_POINT_point2oct(
          group->curve, point, POINT_CONVERSION_UNCOMPRESSED, public_key, COPENSSL_GROUP_LARGEST, group->context);
    OPENSSL_free(encoded);
    EC_POINT_free(point);
  } else if (kind == EVP_PKEY_DH || kind == EVP_PKEY_DHX) {
    BIGNUM *value = NULL;
    group = modulo(pkey);
    int bits = group ? BN_num_bits(group->p) : 0;
    // The upper limits bound the time of an exponentiation.
    int is_bounded = bits >= 1024 && bits <= 4096 && (!group->q || BN_num_bits(group->q) <= bits);
    if (is_bounded && BN_is_odd(group->p) && BN_cmp(group->g, group->p) < 0 &&
        EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_PUB_KEY, &value) == 1 && !BN_is_negative(value) &&
        BN_num_bytes(value) <= BN_num_bytes(group->p))
      count = (size_t)BN_bn2bin(value, public_key);
    BN_free(value);
  }
  EVP_PKEY_free(pkey);
  if (!count) {
    copenssl_group_free(group);
    group = NULL;
  }
  *public_size = count;
  ERR_pop_to_mark();
  return group;
}

int copenssl_group_is_curve(const copenssl_group *group) {
  return group->curve != NULL;
}

size_t copenssl_group_bits(const copenssl_group *group) {
  return (size_t)BN_num_bits(group->p);
}

size_t copenssl_group_element_size(const copenssl_group *group) {
  size_t bytes = (size_t)BN_num_bytes(group->p);
  return group->curve ? 1 + 2 * bytes : bytes;
}

size_t copenssl_group_secret_size(const copenssl_group *group) {
  return (size_t)BN_num_bytes(group->q ? group->q : group->p);
}

int copenssl_group_secret(const copenssl_group *group, uint8_t *secret) {
  ERR_set_mark();
  BIGNUM *value = BN_secure_new();
  // 1 to the order, exclusive; with an unknown order to the largest exponent.
  const BIGNUM *limit = group->q ? group->q : group->p;
  int done = value != NULL;
  do done = done && BN_priv_rand_range(value, limit) == 1;
  while (done && BN_is_zero(value));
  done = done && BN_bn2binpad(value, secret, (int)copenssl_group_secret_size(group)) > 0;
  BN_clear_free(value);
  ERR_pop_to_mark();
  return done;
}

// Reads an element and checks it (NIST SP 800-56A, 5.6.2.3): neither neutral nor, as far as the order is known, outside
// of the group.
static BIGNUM *read_number(const copenssl_group *group, const uint8_t *bytes, size_t size) {
  while (size && !*bytes) bytes++, size--;
  if (size > (size_t)BN_num_bytes(group->p)) return NULL;
  BIGNUM *number = BN_bin2bn(bytes, (int)size, NULL);
  BIGNUM *check = BN_dup(group->p);
  int is_good = number && check && BN_sub_word(check, 1) == 1 && BN_cmp(number, check) < 0 && !BN_is_zero(number) &&
                !BN_is_one(number);
  if (is_good && group->q)
    is_good = BN_mod_exp(check, number, group->q, group->p, group->context) == 1 && BN_is_one(check);
  BN_free(check);
  if (is_good) return number;
  BN_free(number);
  return NULL;
}

static EC_POINT *read_point(const copenssl_group *group, const uint8_t *bytes, size_t size) {
  if (size != copenssl_group_element_size(group) || bytes[0] != POINT_CONVERSION_UNCOMPRESSED) return NULL;
  EC_POINT *point = EC_POINT_new(group->curve);
  // This refuses points that are not on the curve; the form excludes infinity.
  if (point && EC_POINT_oct2point(group->curve, point, bytes, size, group->context) == 1) return point;
  EC_POINT_free(point);
  return NULL;
}

static int write_point(const copenssl_group *group, const EC_POINT *point, uint8_t *bytes) {
  size_t size = copenssl_group_element_size(group);
  return !EC_POINT_is_at_infinity(group->curve, point) &&
         EC_POINT_point2oct(group->curve, point, POINT_CONVERSION_UNCOMPRESSED, bytes, size, group->context) == size;
}

// `element` is NULL for the generator.
static int multiply(
    const copenssl_group *group, const uint8_t *secret, size_t secret_size, const uint8_t *element, size_t size,
    EC_POINT *point, BIGNUM *number) {
  BIGNUM *scalar = secret_size <= COPENSSL_GROUP_LARGEST ? BN_secure_new() : NULL;
  int done = scalar && BN_bin2bn(secret, (int)secret_size, scalar) != NULL;
  if (done && group->curve) {
    EC_POINT *other = element ? read_point(group, element, size) : EC_POINT_dup(group->base, group->curve);
    // With one point and no scalar of the curve's own generator, this takes constant time.
    done = other && EC_POINT_mul(group->curve, point, NULL, other, scalar, group->context) == 1;
    EC_POINT_free(other);
  } else if (done) {
    BIGNUM *other = element ? read_number(group, element, size) : BN_dup(group->g);
    BN_set_flags(scalar, BN_FLG_CONSTTIME);
    done = other && BN_mod_exp_mont_consttime(number, other, scalar, group->p, group->context, NULL) == 1;
    BN_clear_free(other);
  }
  BN_clear_free(scalar);
  return done;
}

int copenssl_group_multiply(
    const copenssl_group *group, const uint8_t *secret, size_t secret_size, const uint8_t *element, size_t size,
    uint8_t *result) {
  ERR_set_mark();
  EC_POINT *point = group->curve ? EC_POINT_new(group->curve) : NULL;
  BIGNUM *number = BN_secure_new();
  int done = number && (point || !group->curve) &&
             multiply(group, secret, secret_size, element, size, point, number);
  if (done && group->curve) {
    done = write_point(group, point, result);
  } else if (done) {
    done = !BN_is_zero(number) && !BN_is_one(number) &&
           BN_bn2binpad(number, result, (int)copenssl_group_element_size(group)) > 0;
  }
  EC_POINT_clear_free(point);
  BN_clear_free(number);
  ERR_pop_to_mark();
  return done;
}

static copenssl_group *with_generator(const copenssl_group *group, EC_POINT *base, BIGNUM *g) {
  copenssl_group *mapped = group_new();
  if (mapped) {
    mapped->p = BN_dup(group->p);
    mapped->q = group->q ? BN_dup(group->q) : NULL;
    mapped->curve = group->curve ? EC_GROUP_dup(group->curve) : NULL;
    mapped->base = base && mapped->curve ? EC_POINT_dup(base, mapped->curve) : NULL;
    mapped->g = g ? BN_dup(g) : NULL;
    if (mapped->p && (mapped->q || !group->q) &&
        (group->curve ? mapped->base && !EC_POINT_is_at_infinity(mapped->curve, mapped->base)
                      : mapped->g && !BN_is_zero(mapped->g) && !BN_is_one(mapped->g)))
      return mapped;
  }
  copenssl_group_free(mapped);
  return NULL;
}

copenssl_group *copenssl_group_map_generic(
    const copenssl_group *group, const uint8_t *nonce, size_t nonce_size, const uint8_t *secret, size_t secret_size,
    const uint8_t *element, size_t size) {
  ERR_set_mark();
  copenssl_group *mapped = NULL;
  EC_POINT *shared = group->curve ? EC_POINT_new(group->curve) : NULL;
  EC_POINT *power = group->curve ? EC_POINT_new(group->curve) : NULL;
  BIGNUM *number = BN_secure_new(), *other = BN_secure_new();
  int done = number && other && ((shared && power) || !group->curve) &&
             multiply(group, secret, secret_size, element, size, shared, number) &&
             multiply(group, nonce, nonce_size, NULL, 0, power, other);
  if (done && group->curve) {
    if (EC_POINT_add(group->curve, power, power, shared, group->context) == 1)
      mapped = with_generator(group, power, NULL);
  } else if (done) {
    if (BN_mod_mul(number, number, other, group->p, group->context) == 1) mapped = with_generator(group, NULL, number);
  }
  EC_POINT_clear_free(shared);
  EC_POINT_clear_free(power);
  BN_clear_free(number);
  BN_clear_free(other);
  ERR_pop_to_mark();
  return mapped;
}

// The point encoding of ICAO Doc 9303-11, appendix B, for p = 3 mod 4.
static int encode_point(const copenssl_group *group, const BIGNUM *u, BIGNUM *x, BIGNUM *y) {
  const BIGNUM *p = group->p;
  BN_CTX *c = group->context;
  BN_CTX_start(c);
  BIGNUM *a = BN_CTX_get(c), *b = BN_CTX_get(c), *alpha = BN_CTX_get(c), *x2 = BN_CTX_get(c), *x3 = BN_CTX_get(c),
         *h2 = BN_CTX_get(c), *e = BN_CTX_get(c), *t = BN_CTX_get(c), *root = BN_CTX_get(c);
  int done = root && BN_is_bit_set(p, 0) && BN_is_bit_set(p, 1) &&
             EC_GROUP_get_curve(group->curve, NULL, a, b, c) == 1 &&
             // alpha = -u^2
             BN_mod_sqr(t, u, p, c) && BN_mod_sub(alpha, p, t, p, c) &&
             // x2 = -b / a * (1 + 1 / (alpha + alpha^2)); there is no inverse for u = 0, 1 or -1
             BN_mod_sqr(t, alpha, p, c) && BN_mod_add(t, t, alpha, p, c) && BN_mod_inverse(t, t, p, c) &&
             BN_add_word(t, 1) && BN_mod_inverse(e, a, p, c) && BN_mod_mul(e, e, b, p, c) &&
             BN_mod_sub(e, p, e, p, c) &&
             BN_mod_mul(x2, e, t, p, c) &&
             // x3 = alpha * x2
             BN_mod_mul(x3, alpha, x2, p, c) &&
             // h2 = x2^3 + a * x2 + b
             BN_mod_sqr(h2, x2, p, c) && BN_mod_add(h2, h2, a, p, c) && BN_mod_mul(h2, h2, x2, p, c) &&
             BN_mod_add(h2, h2, b, p, c) &&
             // root = h2 ^ (p - 1 - (p + 1) / 4): 1 / sqrt(h2) if h2 is a square
             BN_copy(t, p) && BN_add_word(t, 1) && BN_rshift(t, t, 2) && BN_sub(e, p, t) && BN_sub_word(e, 1) &&
             BN_mod_exp(root, h2, e, p, c) &&
             BN_mod_sqr(t, root, p, c) && BN_mod_mul(t, t, h2, p, c);
  if (done && BN_is_one(t)) {
    // (x2, root * h2)
    done = BN_copy(x, x2) && BN_mod_mul(y, root, h2, p, c);
  } else if (done) {
    // (x3, root * u^3 * h2)
    done = BN_copy(x, x3) && BN_mod_sqr(t, u, p, c) && BN_mod_mul(t, t, u, p, c) && BN_mod_mul(t, t, h2, p, c) &&
           BN_mod_mul(y, root, t, p, c);
  }
  BN_CTX_end(c);
  return done;
}

copenssl_group *copenssl_group_map_integrated(const copenssl_group *group, const uint8_t *random, size_t random_size) {
  if (random_size > 2 * COPENSSL_GROUP_LARGEST || !group->q) return NULL;
  ERR_set_mark();
  copenssl_group *mapped = NULL;
  BIGNUM *u = BN_secure_new(), *x = BN_secure_new(), *y = BN_secure_new();
  EC_POINT *point = group->curve ? EC_POINT_new(group->curve) : NULL;
  int done = u && x && y && BN_bin2bn(random, (int)random_size, u) && BN_mod(u, u, group->p, group->context) == 1;
  if (done && group->curve) {
    // Setting the coordinates fails if the point is not on the curve.
    if (point && encode_point(group, u, x, y) &&
        EC_POINT_set_affine_coordinates(group->curve, point, x, y, group->context) == 1)
      mapped = with_generator(group, point, NULL);
  } else if (done) {
    // u ^ ((p - 1) / q)
    if (BN_sub(x, group->p, BN_value_one()) && BN_div(x, NULL, x, group->q, group->context) &&
        BN_mod_exp(y, u, x, group->p, group->context))
      mapped = with_generator(group, NULL, y);
  }
  EC_POINT_clear_free(point);
  BN_clear_free(u);
  BN_clear_free(x);
  BN_clear_free(y);
  ERR_pop_to_mark();
  return mapped;
}
