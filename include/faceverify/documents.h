/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Documents: passport pages, machine readable zones and chips. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_DOCUMENTS_H
#define FACEVERIFY_DOCUMENTS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fv_chip fv_chip;
typedef struct fv_document fv_document;
typedef struct fv_trust_store fv_trust_store;

/* ---- Document: what pages and chip say --------------------------------------------------------------------------- */

/** What a document is read from. */
typedef struct fv_document_input {
  size_t struct_size;
  const fv_image *const *pages; /**< photos of its pages; NULL: none */
  size_t page_count;            /**< of `pages`, at most 64 */
  const fv_chip *chip;          /**< the files of its chip; NULL: none */
  const void *code;             /**< what the PDF417 on the back of a driving licence holds (fv_codes_bytes()), and then
                                   the pages show its front; NULL: none; not beside a chip */
  size_t code_bytes;            /**< of `code` */
  const fv_trust_store *trust;  /**< the certificates that are trusted; NULL: no one's */
  const char *date;             /**< "YYYY-MM-DD", for which expiry, age and certificates are judged: the library has
                                   no clock */
  int64_t is_chip_expected;     /**< 1: the document is known to have a chip, so that its absence is a failed check
                                   and nobody matches; else 0 */
  int64_t is_single_page;       /**< 1: no page is read after the first with a machine readable zone; else 0 */
  int64_t is_strict;            /**< 1: the chip is forgiven nothing that the standards do not allow; else 0 */
  int64_t accepts_page_only;    /**< 1: a page passes without an authenticated chip; else 0 */
  int64_t accepts_licence_code; /**< 1: a driving licence passes, whose code carries no signature; else 0 */
} fv_document_input;
#define FV_DOCUMENT_INPUT_INIT {sizeof(fv_document_input), NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0, 0}

/** How much was proved of a document, from least to most: docs/glossary.md. */
typedef int64_t fv_document_assurance;

enum {
  FV_DOCUMENT_ASSURANCE_NONE = 1,                /**< no document, or one with a failed check */
  FV_DOCUMENT_ASSURANCE_DATA_ONLY = 2,           /**< data of a document and no picture of it */
  FV_DOCUMENT_ASSURANCE_PAGE_SEEN = 3,           /**< a picture of it, of which a field is unverified */
  FV_DOCUMENT_ASSURANCE_PAGE_CONSISTENT = 4,     /**< a page whose fields are verified and agree with other sources */
  FV_DOCUMENT_ASSURANCE_CHIP_COPY_AUTHENTIC = 5, /**< the chip's data are signed by a trusted state; a copy passes */
  FV_DOCUMENT_ASSURANCE_CHIP_AUTHENTIC = 6       /**< the chip also proved that it is no copy */
};

/** "none", "data-only"... */
const char *fv_document_assurance_name(fv_document_assurance assurance);

/**
 * Reads a document from photos of its pages, from the files of its chip or the code of a driving licence, or from both.
 * FV_OK for every answer: a photo without a document, a chip that is not genuine or cannot be read, an expired document.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, also for a chip without files; FV_E_UNKNOWN_FORMAT for a code that is no licence's; FV_E_DAMAGED for a photo; FV_E_MODEL_MISSING if there are
 * pages, and no models to read them; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_CHECKED fv_status fv_document_read(fv_document **out, const fv_engine *engine, const fv_document_input *input,
                                      const fv_budget *budget, char *message, size_t message_bytes);
/**
 * The same from the text of a machine readable zone (ICAO 9303, parts 3 to 7), with or without line ends: nothing but
 * its check digits vouches for it. Nothing is ever repaired. FV_OK also for a zone with wrong check digits.
 *
 * Requires: `date` as fv_document_input has it.
 * Status: FV_E_UNKNOWN_FORMAT if the lines are of no format, FV_E_DAMAGED at a character that no zone has (small
 * letters and spaces too), FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_document_from_mrz(fv_document **out, const char *text, const char *date, char *message,
                                          size_t message_bytes);
void fv_document_free(fv_document *document);

/** The kind of a document. */
typedef int64_t fv_document_type;

enum {
  FV_DOCUMENT_TYPE_PASSPORT = 1,
  FV_DOCUMENT_TYPE_VISA = 2,
  FV_DOCUMENT_TYPE_ID_CARD = 3,
  FV_DOCUMENT_TYPE_DRIVING_LICENCE = 4
};

/** "passport", "visa", "id-card", "driving-licence". */
const char *fv_document_type_name(fv_document_type type);

/** What passive authentication says of a chip (ICAO 9303-11, 5.1). A copied chip passes too. */
typedef int64_t fv_verdict;

enum {
  FV_VERDICT_AUTHENTIC = 1,            /**< signed by a state whose certificate is trusted */
  FV_VERDICT_VALID_WITHOUT_ANCHOR = 2, /**< signature and hashes are right, but nobody knows who signed */
  FV_VERDICT_INVALID = 3,              /**< a step failed, other than one that asks what is in date */
  FV_VERDICT_NOT_CHECKED = 4           /**< too little could be checked */
};

/** "authentic", "valid-without-anchor", "invalid", "not-checked". */
const char *fv_verdict_name(fv_verdict verdict);

/** Where the value of a field, or a portrait, is from. */
typedef int64_t fv_document_source;

enum {
  FV_DOCUMENT_SOURCE_BEST = 1, /**< the chip, unless its value has failed and the page's has passed */
  FV_DOCUMENT_SOURCE_PAGE = 2, /**< the photos of pages, or the typed zone */
  FV_DOCUMENT_SOURCE_CHIP = 3  /**< the files of the chip */
};

/** "best", "page", "chip". */
const char *fv_document_source_name(fv_document_source source);

/** A document in short. The texts live as long as it does. */
typedef struct fv_document_info {
  size_t struct_size;
  /** Of the checks. Passed: all that was asked for was checked, and is right. Failed: a check failed. Not checked:
   * nothing is wrong, but not all could be checked, or no chip authenticates it and its kind is not accepted. */
  fv_check_status result;
  fv_document_type type;        /**< 0 if it is not known */
  const char *type_name;        /**< in finer detail, such as "Diplomatic passport"; NULL if that is not known */
  const char *date;             /**< for which all was judged */
  const char *portrait_sha256;  /**< of the portrait's bytes, lower-case hexadecimal; NULL without one */
  const char *data_sha256;      /**< of what was read, as canonical JSON; NULL if nothing was read */
  const char *portrait_problem; /**< why there is no portrait, or why it is not the chip's; NULL if all is well */
  /** Page or chip; 0 without a portrait. That of a chip is trusted as far as the verdict on the chip; of one of a page,
   * nothing tells whether the page is genuine. */
  fv_document_source portrait_source;
  int64_t has_chip;   /**< 1: a chip was read; else 0 */
  fv_verdict verdict; /**< of passive authentication on the chip; 0 without one */
  /** Whether the certificates under the verdict are in date: an expired passport is still a genuine one. 0 without a
   * chip. */
  fv_check_status validity;
  fv_document_assurance assurance; /**< how much was proved */
} fv_document_info;
#define FV_DOCUMENT_INFO_INIT {sizeof(fv_document_info), 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0}

FV_CHECKED fv_status fv_document_describe(fv_document_info *out, const fv_document *document);

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

/** A value of a document. The texts live as long as the document. */
typedef struct fv_document_field {
  size_t struct_size;
  const char *value;  /**< dates as "1974-08-12", unknown parts as "XX"; NULL if the document has none */
  const char *reason; /**< why it has not passed: "check-digit-wrong", "low-confidence", "absent"...; else NULL */
  /** Passed: a check digit, the chip's signature or a sure reading vouches for it. Failed: not to be used, for a check
   * digit is wrong, a code unknown, the chip's data changed. Not checked: nothing vouches for it. */
  fv_check_status status;
} fv_document_field;
#define FV_DOCUMENT_FIELD_INIT {sizeof(fv_document_field), NULL, NULL, 0}

/** The names of the fields: "documentNumber", "dateOfBirth", "mrzLines"...; NULL from the last one on. Later releases
 * add some. */
const char *fv_document_field_name_at(size_t index);
/**
 * A field by its name, as one source has it. A field that the document has not is FV_OK: its value is NULL, and its
 * reason "absent".
 *
 * Status: FV_E_BAD_ARGUMENT for a name that fv_document_field_name_at() does not list, or another source; FV_E_ABSENT
 * if nothing was read from the source.
 */
FV_CHECKED fv_status fv_document_field_by_name(fv_document_field *out, const fv_document *document,
                                               fv_document_source source, const char *name);

/** Fields in which page and chip differ. */
size_t fv_document_mismatch_count(const fv_document *document);
/** The field's name, for fv_document_field_by_name(); NULL if `index` is not below the count. */
const char *fv_document_mismatch_at(const fv_document *document, size_t index);

/* ---- Portrait ---------------------------------------------------------------------------------------------------- */

/**
 * The portrait: the file that the chip has, or a PNG that was cut out of the page. It is biometric data.
 *
 * Status: FV_E_ABSENT without a portrait.
 */
FV_CHECKED fv_status fv_document_portrait(const fv_document *document, void *bytes, size_t capacity_bytes,
                                          size_t *byte_count);
/** Its quality, and its template unless the policy refuses it, "chip-portrait" or "document-portrait"; NULL without
 * one. */
const fv_sample *fv_document_sample(const fv_document *document);

/**
 * Decides whether the selfie shows the holder of the document: fv_engine_compare() with its portrait. The result is
 * FV_RESULT_REFUSED, whatever the faces say, if the document has a chip that is not FV_VERDICT_AUTHENTIC (without
 * a trust store, FV_VERDICT_VALID_WITHOUT_ANCHOR will do) or not in date, or if its check "chip-read" failed.
 * Reasons are added: "document.portrait-" and the verdict unless that is authentic, "document.chip-out-of-date",
 * "document." and the reason of "chip-read", and "document.portrait-page". fv_decision_json() has the document too.
 *
 * Requires: `policy` and `budget` may be NULL.
 * Status: as fv_engine_compare(); FV_E_NO_FACE if the document has no portrait.
 */
FV_CHECKED fv_status fv_engine_compare_document(fv_decision **out, const fv_engine *engine, const fv_input *selfie,
                                                const fv_document *document, const fv_comparison_policy *policy,
                                                const fv_budget *budget, char *message, size_t message_bytes);

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

/** What became of one check. The texts live as long as the document. */
typedef struct fv_document_check {
  size_t struct_size;
  const char *name;       /**< see the function that gives it */
  const char *reason;     /**< why it did not pass, from a fixed list; NULL if it did */
  const char *text;       /**< one line for people; may be empty */
  fv_check_status status; /**< passed, failed or not checked */
} fv_document_check;
#define FV_DOCUMENT_CHECK_INIT {sizeof(fv_document_check), NULL, NULL, NULL, 0}

/** What the result follows from: "validation", "expiry", "mrz-matches-chip", "chip-read", "passive-authentication",
 * "pages-match", "portrait-matches-chip".
 * "chip-read" fails with the reason "no-chip", "chip-unreadable", "sod-unusable", "portrait-unreadable" or
 * "chip-incomplete": docs/documents.md. */
size_t fv_document_check_count(const fv_document *document);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_document_check_at(fv_document_check *out, const fv_document *document, size_t index);

/** The steps of passive authentication, in the order in which they were done: "signature", "hash-dg1"..., "chain",
 * "key-usage", "signer-validity", "country", "revocation"...; 0 without a chip. docs/passive-authentication.md lists them
 * with their reasons. */
size_t fv_document_step_count(const fv_document *document);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_document_step_at(fv_document_check *out, const fv_document *document, size_t index);

/** One thing that may be wrong with the photo of a page. The texts live as long as the document. */
typedef struct fv_page_check {
  size_t struct_size;
  const char *reason;     /**< "black-white-copy", "blurry", "glare"... */
  const char *unit;       /**< of the value and its limit */
  const char *text;       /**< what to do, or why it was not checked; empty if it passed */
  fv_check_status status; /**< failed: the photo is to be rejected for it */
  double value;           /**< in its unit; NaN if nothing was measured */
  double limit;           /**< the check fails beyond it; NaN if nothing was measured */
} fv_page_check;
#define FV_PAGE_CHECK_INIT {sizeof(fv_page_check), NULL, NULL, NULL, 0, 0, 0}

/** Photos that were read. */
size_t fv_document_page_count(const fv_document *document);
/** One for each thing that may be wrong; 0 if `page` is not below the count. */
size_t fv_document_page_check_count(const fv_document *document, size_t page);
/** Status: FV_E_ABSENT if `page` or `index` is not below its count. */
FV_CHECKED fv_status fv_document_page_check_at(fv_page_check *out, const fv_document *document, size_t page,
                                               size_t index);

/** Everything, as `faceverify document --json` prints it. */
const char *fv_document_json(const fv_document *document);
/** What was read, as canonical JSON (RFC 8785); NULL if nothing was, or if there is no such document. */
const char *fv_document_data_json(const fv_document *document);

/* ---- Chip: the files of an eMRTD --------------------------------------------------------------------------------- */

/**
 * Reads the files of one chip from a folder, without the folders in it: EF.COM, EF.SOD, EF.DG1 to EF.DG16,
 * EF.CardAccess and EF.CardSecurity (ICAO 9303-10), under any usual name (`EF.DG1`, `dg01.bin`, `0101`), plain, in
 * hexadecimal or in base64. Others are left out.
 *
 * Requires: `folder` may be NULL: that makes an empty one. At most 64 files, of 10 MiB each and 16 MiB together.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE; FV_E_BAD_ARGUMENT if no file is a chip's, or two are the same one and
 * differ. Damage is found by fv_document_read(), and is no error there.
 */
FV_CHECKED fv_status fv_chip_create(fv_chip **out, const char *folder, char *message, size_t message_bytes);
/**
 * Adds one file.
 *
 * Requires: `name` as above; it decides for files without a tag of their own, and for damaged ones.
 * Status: FV_E_UNKNOWN_FORMAT if it is none of a chip's; FV_E_TOO_LARGE, also if all are together;
 * FV_E_BAD_ARGUMENT if it differs from the one that is there.
 */
FV_CHECKED fv_status fv_chip_add(fv_chip *chip, const char *name, const void *bytes, size_t byte_count, char *message,
                                 size_t message_bytes);
void fv_chip_free(fv_chip *chip);

/* ---- Trust store: the certificates that chips are checked by ----------------------------------------------------- */

/**
 * Reads a folder, without the folders in it: certificates of issuing states (CSCA), revocation lists, master lists and
 * lists of deviations (ICAO 9303-12). What a file is, its content tells; one that is none of these is left out, and named
 * in fv_trust_store_json() with the reason. A master list is trusted only if its signer chains to a certificate in a file
 * of its own, or to one whose SHA-256 is on a line of the folder's `pins.txt`.
 *
 * Requires: `folder` may be NULL: that makes an empty one. At most 4096 files, of 32 MiB each.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE. A folder without certificates is FV_OK: then no chip is
 * FV_VERDICT_AUTHENTIC, and none is FV_VERDICT_INVALID for that.
 */
FV_CHECKED fv_status fv_trust_store_create(fv_trust_store **out, const char *folder, char *message,
                                           size_t message_bytes);
/**
 * Adds what one file holds; `name` is for fv_trust_store_json(). What was read with this before stays as it is.
 *
 * Status: FV_E_UNKNOWN_FORMAT if there is nothing in it that can be trusted, also for a master list of which nothing
 * tells that it may be (see fv_trust_store_pin()), FV_E_DAMAGED for a master list whose
 * signature is wrong, FV_E_TOO_LARGE; then nothing of it is trusted.
 */
FV_CHECKED fv_status fv_trust_store_add(fv_trust_store *store, const char *name, const void *bytes, size_t byte_count,
                                        char *message, size_t message_bytes);
/**
 * Trusts the certificate with this fingerprint to vouch for signers of master lists that are added from now on.
 *
 * Requires: `sha256` is 64 hexadecimal digits, with or without colons.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_trust_store_pin(fv_trust_store *store, const char *sha256, char *message,
                                        size_t message_bytes);
/** Certificates that may sign the signers of chips, each counted once. */
size_t fv_trust_store_anchor_count(const fv_trust_store *store);
/** What each file brought, the certificates and the revocation lists, as `faceverify trust list --json`. */
const char *fv_trust_store_json(const fv_trust_store *store);
void fv_trust_store_free(fv_trust_store *store);

/* ---- Verification of what was kept ------------------------------------------------------------------------------- */

/** A portrait and data that were kept, and the SHA-256 that were reported with them. All may be NULL. */
typedef struct fv_document_copy {
  size_t struct_size;
  const char *portrait_sha256; /**< as fv_document_info has it */
  const char *data_sha256;     /**< as fv_document_info has it */
  const void *portrait;        /**< the bytes of fv_document_portrait() */
  size_t portrait_bytes;       /**< of `portrait` */
  const char *data;            /**< the text of fv_document_data_json() */
} fv_document_copy;
#define FV_DOCUMENT_COPY_INIT {sizeof(fv_document_copy), NULL, NULL, NULL, 0, NULL}

/** Whether a portrait and data are those of a report. */
typedef struct fv_document_binding {
  size_t struct_size;
  fv_check_status portrait; /**< not checked if one of the two sides is missing */
  fv_check_status data;     /**< not checked if one of the two sides is missing */
} fv_document_binding;
#define FV_DOCUMENT_BINDING_INIT {sizeof(fv_document_binding), 0, 0}

/** Compares a portrait and data that were kept with the SHA-256 of the report that they came with. Status:
 * FV_E_BAD_ARGUMENT for what is no SHA-256. */
FV_CHECKED fv_status fv_document_verify(fv_document_binding *out, const fv_document_copy *copy, char *message,
                                        size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
