/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Documents: passport pages, machine-readable zones and chips. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_DOCUMENTS_H
#define FACEVERIFY_DOCUMENTS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The smart card readers of this machine. Immutable, thread-safe. */
typedef struct fv_card_readers fv_card_readers;
/** The files of a document's chip. Thread-safe. */
typedef struct fv_chip fv_chip;
/** The authentication of a chip that was read live, and whether it is a copy. Immutable, thread-safe. */
typedef struct fv_chip_report fv_chip_report;
/** Everything that was read from one document, and its checks. Immutable, thread-safe. */
typedef struct fv_document fv_document;
/** A document's chip that was read through a transport. Immutable, thread-safe. */
typedef struct fv_live_chip fv_live_chip;
/** Trust anchors, revocation lists and master lists for passive authentication. Thread-safe. */
typedef struct fv_trust_store fv_trust_store;

/* ---- Document: the data of pages and chip ------------------------------------------------------------------------ */

/** The sources of a document, and the policy for judging it. */
typedef struct fv_document_input {
  size_t struct_size;
  const fv_image *const *pages; /**< photos of its pages; NULL: none */
  size_t page_count;            /**< number of `pages`, at most 64 */
  const fv_chip *chip;          /**< the files of its chip; NULL: none */
  const void *code;             /**< content of the PDF417 on the back of a driving licence (fv_codes_bytes()), in which
                                   case `pages` show its front, or of a visible digital seal; NULL: none; not together
                                   with a chip */
  size_t code_bytes;            /**< size of `code` */
  const fv_trust_store *trust;  /**< trust anchors; NULL: none */
  const char *date;             /**< "YYYY-MM-DD", the date for which expiry, age and certificates are checked: the
                                   library has no clock */
  fv_bool is_chip_expected;     /**< the document is known to have a chip: without one, a check fails and there is no
                                   match */
  fv_bool is_single_page;       /**< stops at the first page with a machine-readable zone */
  fv_bool is_strict;            /**< no violation of the standards by the chip is forgiven */
  fv_bool accepts_page_only;    /**< a page passes without an authenticated chip */
  fv_bool accepts_licence_code; /**< a driving licence passes, although its code is not signed */
  fv_bool reads_text;           /**< the printed text of the pages is read, which takes longer than the rest, and compared
                                   with the machine-readable data */
} fv_document_input;
#define FV_DOCUMENT_INPUT_INIT {sizeof(fv_document_input), NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0, 0, 0}

/** The level to which a document was proved, from lowest to highest: docs/glossary.md. */
typedef int64_t fv_document_assurance;

enum {
  FV_DOCUMENT_ASSURANCE_NONE = 1,                /**< no document, or one with a failed check */
  FV_DOCUMENT_ASSURANCE_DATA_ONLY = 2,           /**< data without a picture of the document */
  FV_DOCUMENT_ASSURANCE_PAGE_SEEN = 3,           /**< a picture of the document with an unverified field */
  FV_DOCUMENT_ASSURANCE_PAGE_CONSISTENT = 4,     /**< a page whose fields are verified and agree with other sources */
  FV_DOCUMENT_ASSURANCE_CHIP_COPY_AUTHENTIC = 5, /**< the chip's data are signed by a trusted state; a copied chip
                                                    passes */
  FV_DOCUMENT_ASSURANCE_CHIP_AUTHENTIC = 6       /**< the chip also proved that it is no copy: one that was read live */
};

/** Returns the name: "none", "data-only"... */
FV_API const char *fv_document_assurance_name(fv_document_assurance assurance);

/**
 * Reads a document from photos of its pages, from the files of its chip or the code of a driving licence, or from both.
 * The visible digital seal of a visa or an emergency travel document is read from its page; fv_document_json() has the
 * result, and a seal that failed fails the document. Returns FV_OK for every finding: a photo without a document, a chip
 * that is not genuine or unreadable, an expired document.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, also for a chip without files; FV_E_UNKNOWN_FORMAT for a code that is neither a licence's
 * nor a seal; FV_E_DAMAGED for a photo; FV_E_MODEL_MISSING if there are pages, but no models to read them, or their
 * text; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_document_read(fv_document **out, const fv_engine *engine, const fv_document_input *input,
                                             const fv_budget *budget, char *message, size_t message_bytes);
/**
 * Reads a document from the text of a machine-readable zone (ICAO 9303, parts 3 to 7), with or without line breaks;
 * only its check digits support it. Nothing is corrected. Returns FV_OK also for a zone with wrong check digits.
 *
 * Requires: `date` as in fv_document_input.
 * Status: FV_E_UNKNOWN_FORMAT if the lines have no known format; FV_E_DAMAGED for a character that is not allowed in a
 * zone, such as a lower-case letter or a space; FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_document_from_mrz(fv_document **out, const char *text, const char *date, char *message,
                                                 size_t message_bytes);
FV_API void fv_document_free(fv_document *document);

/** The type of a document. */
typedef int64_t fv_document_type;

enum {
  FV_DOCUMENT_TYPE_PASSPORT = 1,
  FV_DOCUMENT_TYPE_VISA = 2,
  FV_DOCUMENT_TYPE_ID_CARD = 3,
  FV_DOCUMENT_TYPE_DRIVING_LICENCE = 4
};

/** Returns the name: "passport", "visa", "id-card", "driving-licence". */
FV_API const char *fv_document_type_name(fv_document_type type);

/** A set of types: FV_DOCUMENT_TYPE_BIT() of each, combined with `|`. */
typedef int64_t fv_document_type_set;
#define FV_DOCUMENT_TYPE_BIT(type) ((fv_document_type_set)1 << (type))

/** The result of passive authentication (ICAO 9303-11, 5.1), which does not detect a copied chip. */
typedef int64_t fv_verdict;

enum {
  FV_VERDICT_AUTHENTIC = 1,            /**< signed by a state whose certificate is trusted */
  FV_VERDICT_VALID_WITHOUT_ANCHOR = 2, /**< signature and hashes are valid, but there is no trust anchor for the
                                          signer */
  FV_VERDICT_INVALID = 3,              /**< a step failed, other than one that checks validity periods */
  FV_VERDICT_NOT_CHECKED = 4           /**< too little could be checked */
};

/** Returns the name: "authentic", "valid-without-anchor", "invalid", "not-checked". */
FV_API const char *fv_verdict_name(fv_verdict verdict);

/** The source of a field or portrait. */
typedef int64_t fv_document_source;

enum {
  FV_DOCUMENT_SOURCE_BEST = 1, /**< the chip, unless its value has failed and the page's has passed */
  FV_DOCUMENT_SOURCE_PAGE = 2, /**< the photos of pages, or the typed zone */
  FV_DOCUMENT_SOURCE_CHIP = 3, /**< the files of the chip */
  FV_DOCUMENT_SOURCE_PRINT = 4 /**< the printed text, compared with the others where they have the field; only with `reads_text` */
};

/** Returns the name: "best", "page", "chip", "print". */
FV_API const char *fv_document_source_name(fv_document_source source);

/** A summary of a document. The texts live as long as it does. */
typedef struct fv_document_info {
  size_t struct_size;
  /** Of all checks. Passed: everything required was checked and is valid. Failed: a check failed. Not checked: no check
   * failed, but not everything could be checked, or no chip authenticates the document and its kind is not accepted. */
  fv_check_status result;
  fv_document_type type;        /**< 0 if unknown */
  const char *type_name;        /**< more specific, such as "Diplomatic passport"; NULL if unknown */
  const char *date;             /**< for which everything was checked */
  const char *portrait_sha256;  /**< of the portrait's bytes, lower-case hexadecimal; NULL without one */
  const char *data_sha256;      /**< of the data as canonical JSON; NULL if nothing was read */
  const char *portrait_problem; /**< why there is no portrait, or why it is not the chip's; NULL without a problem */
  /** Page or chip; 0 without a portrait. The chip's is trusted as far as the verdict on the chip; nothing authenticates
   * a page's. */
  fv_document_source portrait_source;
  fv_bool has_chip;   /**< a chip was read */
  fv_verdict verdict; /**< of passive authentication of the chip; 0 without one */
  /** Whether the certificates behind the verdict are in date: an expired passport is still genuine. 0 without a
   * chip. */
  fv_check_status validity;
  fv_document_assurance assurance; /**< level to which the document was proved */
} fv_document_info;
#define FV_DOCUMENT_INFO_INIT {sizeof(fv_document_info), 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0}

/** Describes a document in short. */
FV_API FV_CHECKED fv_status fv_document_describe(fv_document_info *out, const fv_document *document);

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

/** The value of a field of a document. The texts live as long as the document. */
typedef struct fv_document_field {
  size_t struct_size;
  const char *value;  /**< dates as "1974-08-12", with "XX" for unknown parts; NULL if the document does not have the
                         field */
  const char *reason; /**< why it did not pass: "check-digit-wrong", "low-confidence", "absent"...; else NULL */
  /** Passed: supported by a check digit, the chip's signature or a confident reading. Failed: not to be used, because a
   * check digit is wrong, a code is unknown, or the chip's data were modified. Not checked: nothing supports it. */
  fv_check_status status;
} fv_document_field;
#define FV_DOCUMENT_FIELD_INIT {sizeof(fv_document_field), NULL, NULL, 0}

/** The names of the fields: "documentNumber", "dateOfBirth", "mrzLines"...; NULL from the last one on. Later releases
 * add some. */
FV_API const char *fv_document_field_name_at(size_t index);
/**
 * Returns the value of a field from one source. FV_OK also for a field that the document does not have: its value is
 * NULL, and its reason "absent".
 *
 * Status: FV_E_BAD_ARGUMENT for a name that fv_document_field_name_at() does not list, or an unknown source;
 * FV_E_ABSENT if nothing was read from the source.
 */
FV_API FV_CHECKED fv_status fv_document_field_by_name(fv_document_field *out, const fv_document *document,
                                                      fv_document_source source, const char *name);

/** Returns the number of fields in which page, chip, code or printed text differ. */
FV_API size_t fv_document_mismatch_count(const fv_document *document);
/** Returns the name of such a field, for fv_document_field_by_name(); NULL if `index` is not below the count. */
FV_API const char *fv_document_mismatch_at(const fv_document *document, size_t index);

/* ---- Portrait ---------------------------------------------------------------------------------------------------- */

/**
 * Copies the portrait: the image file on the chip, or a PNG cropped from the page. It is biometric data.
 *
 * Status: FV_E_ABSENT without a portrait, FV_E_BUFFER_TOO_SMALL, FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_document_portrait(const fv_document *document, void *bytes, size_t capacity_bytes,
                                                 size_t *byte_count);
/** Returns the sample of the portrait: its quality, and its template unless the policy "chip-portrait" or
 * "document-portrait" refuses it; NULL without a portrait. */
FV_API const fv_sample *fv_document_sample(const fv_document *document);

/**
 * Decides whether the selfie shows the holder of the document: fv_engine_compare() with its portrait. The result is
 * FV_RESULT_REFUSED, whatever the score, if the document has a chip that is not FV_VERDICT_AUTHENTIC
 * (FV_VERDICT_VALID_WITHOUT_ANCHOR is enough without a trust store) or not in date, or if its check "chip-read" failed.
 * Added reasons: "document.portrait-" and the verdict unless it is authentic, "document.chip-out-of-date", "document."
 * and the reason of "chip-read", and "document.portrait-page". fv_decision_json() includes the document.
 *
 * Requires: `policy` and `budget` may be NULL.
 * Status: as fv_engine_compare(); FV_E_NO_FACE if the document has no portrait.
 */
FV_API FV_CHECKED fv_status fv_engine_compare_document(fv_decision **out, const fv_engine *engine,
                                                       const fv_input *selfie, const fv_document *document,
                                                       const fv_comparison_policy *policy, const fv_budget *budget,
                                                       char *message, size_t message_bytes);

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

/** The result of one check. The texts live as long as the document. */
typedef struct fv_document_check {
  size_t struct_size;
  const char *name;       /**< see the function that returns the check */
  const char *reason;     /**< why it did not pass, from a fixed list; NULL if it did */
  const char *text;       /**< one line for people; may be empty */
  fv_check_status status; /**< passed, failed or not checked */
} fv_document_check;
#define FV_DOCUMENT_CHECK_INIT {sizeof(fv_document_check), NULL, NULL, NULL, 0}

/** Returns the number of checks that determine the result: "validation", "expiry", "mrz-matches-chip", "chip-read",
 * "passive-authentication", "pages-match", "portrait-matches-chip", "print-matches". "chip-read" fails with the reason
 * "no-chip", "clone-suspected", "chip-unreadable", "sod-unusable", "portrait-unreadable" or "chip-incomplete":
 * docs/documents.md. */
FV_API size_t fv_document_check_count(const fv_document *document);
/** Describes a check. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_document_check_at(fv_document_check *out, const fv_document *document, size_t index);

/** Returns the number of steps of passive authentication: "signature", "hash-dg1"..., "chain", "key-usage",
 * "signer-validity", "country", "revocation"..., in the order of execution; 0 without a chip.
 * docs/passive-authentication.md lists them with their reasons. */
FV_API size_t fv_document_step_count(const fv_document *document);
/** Describes a step. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_document_step_at(fv_document_check *out, const fv_document *document, size_t index);

/** One check of the photo of a page. The texts live as long as the document. */
typedef struct fv_page_check {
  size_t struct_size;
  const char *reason;     /**< "black-white-copy", "blurry", "glare"... */
  const char *unit;       /**< of the value and its limit */
  const char *text;       /**< what to do, or why it was not checked; empty if it passed */
  fv_check_status status; /**< failed: the photo should be rejected for this reason */
  double value;           /**< in its unit; NaN if nothing was measured */
  double limit;           /**< the check fails beyond it; NaN if nothing was measured */
} fv_page_check;
#define FV_PAGE_CHECK_INIT {sizeof(fv_page_check), NULL, NULL, NULL, 0, 0, 0}

/** Returns the number of photos that were read. */
FV_API size_t fv_document_page_count(const fv_document *document);
/** Returns the number of checks of a photo; 0 if `page` is not below the count. */
FV_API size_t fv_document_page_check_count(const fv_document *document, size_t page);
/** Describes a check of a photo. Status: FV_E_ABSENT if `page` or `index` is not below its count. */
FV_API FV_CHECKED fv_status fv_document_page_check_at(fv_page_check *out, const fv_document *document, size_t page,
                                                      size_t index);

/** The report, as `faceverify document --json` prints it. */
FV_API const char *fv_document_json(const fv_document *document);
/** The data that were read, as canonical JSON (RFC 8785); NULL if nothing was read, or if there is no such document. */
FV_API const char *fv_document_data_json(const fv_document *document);

/* ---- Chip: the files of an eMRTD --------------------------------------------------------------------------------- */

/**
 * Reads the files of one chip from a folder, not from its subfolders: EF.COM, EF.SOD, EF.DG1 to EF.DG16, EF.CardAccess
 * and EF.CardSecurity (ICAO 9303-10), under any usual name (`EF.DG1`, `dg01.bin`, `0101`), in binary, hexadecimal or
 * base64. Other files are skipped.
 *
 * Requires: `folder` may be NULL: creates an empty chip. At most 64 files, of 10 MiB each and 16 MiB together.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE; FV_E_BAD_ARGUMENT if there is no file of a chip, or if two versions of one
 * differ. Damaged files are a finding of fv_document_read(), not an error here.
 */
FV_API FV_CHECKED fv_status fv_chip_create(fv_chip **out, const char *folder, char *message, size_t message_bytes);
/**
 * Adds one file.
 *
 * Requires: `name` as in fv_chip_create(); it identifies files without a tag of their own, and damaged ones.
 * Status: FV_E_UNKNOWN_FORMAT if it is not a file of a chip; FV_E_TOO_LARGE, also for all files together;
 * FV_E_BAD_ARGUMENT if it differs from the same file added before.
 */
FV_API FV_CHECKED fv_status fv_chip_add(fv_chip *chip, const char *name, const void *bytes, size_t byte_count,
                                        char *message, size_t message_bytes);
FV_API void fv_chip_free(fv_chip *chip);

/* ---- Live chip: a document's chip, read through a transport ------------------------------------------------------ */

/**
 * Sends a command APDU to the chip and receives the response APDU (ISO/IEC 7816-3, 12.1).
 *
 * Requires: writes the response, data followed by two status bytes, to `response`, which has room for `capacity_bytes`,
 * 65,538, and its size to `response_bytes`. Called on the thread of the call that reads, one command at a time. Returns
 * FV_OK, or a status that ends the reading, such as FV_E_UNREADABLE if the chip was removed.
 */
typedef fv_status (*fv_chip_transmit_function)(const void *command, size_t command_bytes, void *response,
                                               size_t capacity_bytes, size_t *response_bytes, void *user);

/** A connection to one chip that the program provides: a phone that relays, a reader without PC/SC. */
typedef struct fv_chip_transport {
  size_t struct_size;
  fv_chip_transmit_function transmit; /**< sends a command */
  void *user;                         /**< passed to `transmit` */
  int64_t maximum_data_bytes; /**< largest number of data bytes in a command or response, below 256 without extended
                                 length; 0: unknown */
} fv_chip_transport;
#define FV_CHIP_TRANSPORT_INIT {sizeof(fv_chip_transport), NULL, NULL, 0}

/** Receives the progress of reading: the name of a file, such as "EF.DG2", and the fraction of it that was read, 0 to 1.
 * `file` is valid until the handler returns. Called on the thread of the call that reads. */
typedef void (*fv_chip_progress_function)(const char *file, double part, void *user);

/** The connection to a chip, and its password. */
typedef struct fv_live_chip_options {
  size_t struct_size;
  const fv_chip_transport *transport; /**< NULL: a smart card reader of this machine (PC/SC) */
  const char *reader;  /**< name of the reader, or a part of it in any case; NULL: the only reader with a card; not
                          together with a transport */
  double card_timeout; /**< seconds to wait for a card on a reader, 10 to 60; 0: 30 */
  /** The password: the text of the machine-readable zone, with or without line breaks, or the document number, the date
   * of birth and the date of expiry of it: "L898902C3,740812,120415". NULL: see card_access_number. */
  const char *mrz;
  const char *card_access_number; /**< the password: the digits printed on the document. NULL: `mrz`; both NULL: a chip
                                     without access control */
  fv_bool is_confirmed; /**< tries the password although one more wrong one blocks it */
  fv_chip_progress_function progress; /**< progress handler; NULL: none */
  void *progress_user;                /**< passed to `progress` */
} fv_live_chip_options;
#define FV_LIVE_CHIP_OPTIONS_INIT {sizeof(fv_live_chip_options), NULL, NULL, 0, NULL, NULL, 0, NULL, NULL}

/** The result of opening a chip. */
typedef int64_t fv_chip_access;

enum {
  FV_CHIP_ACCESS_OPENED = 1,             /**< the chip accepted the password */
  FV_CHIP_ACCESS_PASSWORD_REFUSED = 2,   /**< the password is wrong; it was tried once */
  FV_CHIP_ACCESS_CONFIRMATION_NEEDED = 3 /**< nothing was tried: one more wrong password blocks it; check it, then set
                                            is_confirmed */
};

/** Returns the name: "opened", "password-refused", "confirmation-needed". */
FV_API const char *fv_chip_access_name(fv_chip_access access);

/**
 * Reads the chip of a document (ICAO 9303-10 and 9303-11): opens it by PACE or basic access control, reads its files
 * except EF.DG3 and EF.DG4 under secure messaging, and lets it prove that it is no copy. Takes 5 to 30 seconds. Returns
 * FV_OK also for a refused password, and for a chip that was removed after it was opened: see fv_live_chip_info.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, also for a zone with a wrong check digit, and if several readers fit; FV_E_UNKNOWN_FORMAT
 * and FV_E_DAMAGED for a text that is no zone; FV_E_ABSENT if libpcsclite is not installed, its service pcscd does not
 * run, or there is no such reader; FV_E_TIMEOUT without a card, FV_E_BUSY if another program uses it; FV_E_UNREADABLE if
 * the chip is not a travel document's or was removed before it was opened; FV_E_DAMAGED for responses that violate the
 * protocol; the status of the transport; FV_E_TIMEOUT, FV_E_CANCELLED by the budget, which is checked before each command
 * and four times a second while waiting.
 */
FV_API FV_CHECKED fv_status fv_live_chip_read(fv_live_chip **out, const fv_live_chip_options *options,
                                              const fv_budget *budget, char *message, size_t message_bytes);
FV_API void fv_live_chip_free(fv_live_chip *chip);

/** How a chip was opened and read. The texts live as long as the chip. */
typedef struct fv_live_chip_info {
  size_t struct_size;
  fv_chip_access access;         /**< the result of opening the chip */
  double attempts_left;          /**< attempts until the chip blocks the password; NaN if it does not state them */
  const char *protocol;          /**< the protocol that opened the chip: "id-PACE-ECDH-GM-AES-CBC-CMAC-128", "BAC",
                                    "none"...; NULL if it was not opened */
  const char *interruption;      /**< the error that ended reading early, for people; NULL if all was read */
  const char *transcript_sha256; /**< hash over all commands and responses, lower-case hexadecimal: docs/live-chips.md;
                                    NULL if the chip was not opened */
  int64_t command_count;         /**< number of commands; 0 if it was not opened */
} fv_live_chip_info;
#define FV_LIVE_CHIP_INFO_INIT {sizeof(fv_live_chip_info), 0, 0, NULL, NULL, NULL, 0}

/** Describes a chip in short. */
FV_API FV_CHECKED fv_status fv_live_chip_describe(fv_live_chip_info *out, const fv_live_chip *chip);
/** Returns the files that were read, for fv_document_input; NULL if the chip was not opened. */
FV_API const fv_chip *fv_live_chip_files(const fv_live_chip *chip);

/** Whether a chip is the one that its data were signed for (ICAO 9303-11, 6). */
typedef int64_t fv_chip_proof;

enum {
  FV_CHIP_PROOF_NOT_CLONED = 1,      /**< the data are authentic, and the chip proved that it is no copy */
  FV_CHIP_PROOF_CLONE_SUSPECTED = 2, /**< the chip failed a protocol that its signed data announce */
  FV_CHIP_PROOF_NOT_ANNOUNCED = 3,   /**< the data are authentic, and announce no protocol against copies: a copy passes */
  FV_CHIP_PROOF_NOT_CHECKED = 4      /**< the data are not authentic, or a protocol was not performed */
};

/** Returns the name: "not-cloned", "clone-suspected", "not-announced", "not-checked". */
FV_API const char *fv_chip_proof_name(fv_chip_proof proof);

/**
 * Judges a chip: passive authentication of its files, and whether it is a copy.
 *
 * Requires: `date` and `is_strict` as in fv_document_input. `trust` may be NULL.
 * Status: FV_E_BAD_ARGUMENT; FV_E_WRONG_STATE if the chip was not opened.
 */
FV_API FV_CHECKED fv_status fv_live_chip_report(fv_chip_report **out, const fv_live_chip *chip,
                                                const fv_trust_store *trust, const char *date, fv_bool is_strict,
                                                char *message, size_t message_bytes);
FV_API void fv_chip_report_free(fv_chip_report *report);

/** A summary of the judgement of a chip. */
typedef struct fv_chip_report_info {
  size_t struct_size;
  /** Passed: authentic, in date, read completely, and proved to be no copy. Failed: not genuine, not in date, or suspected
   * to be a copy. Not checked: anything else. */
  fv_check_status result;
  fv_verdict verdict;       /**< of passive authentication */
  fv_check_status validity; /**< whether the certificates behind the verdict are in date */
  fv_chip_proof proof;      /**< whether the chip is a copy */
} fv_chip_report_info;
#define FV_CHIP_REPORT_INFO_INIT {sizeof(fv_chip_report_info), 0, 0, 0, 0}

/** Describes a report in short. */
FV_API FV_CHECKED fv_status fv_chip_report_describe(fv_chip_report_info *out, const fv_chip_report *report);
/** Returns the number of steps of passive authentication, as fv_document_step_count(). */
FV_API size_t fv_chip_report_step_count(const fv_chip_report *report);
/** Describes a step. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_chip_report_step_at(fv_document_check *out, const fv_chip_report *report, size_t index);
/** Returns the number of steps behind the proof: "active-authentication", "chip-authentication",
 * "chip-authentication-mapping", "announcement". docs/live-chips.md lists them with their reasons. */
FV_API size_t fv_chip_report_proof_step_count(const fv_chip_report *report);
/** Describes a step behind the proof. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_chip_report_proof_step_at(fv_document_check *out, const fv_chip_report *report,
                                                         size_t index);
/** The report as JSON, as `faceverify chip --reader --json` prints it. */
FV_API const char *fv_chip_report_json(const fv_chip_report *report);

/* ---- Card readers: the smart card readers of this machine --------------------------------------------------------- */

/** A smart card reader. The texts live as long as the fv_card_readers. */
typedef struct fv_card_reader {
  size_t struct_size;
  const char *name;            /**< for fv_live_chip_options; the number at its end may change when it is plugged in */
  const char *answer_to_reset; /**< of its card (ISO/IEC 7816-3, 8), hexadecimal; empty without a card that answers */
  fv_bool has_card;            /**< a card is present */
  fv_bool is_contactless; /**< the answer is one that readers compose for contactless cards (PC/SC part 3) */
} fv_card_reader;
#define FV_CARD_READER_INIT {sizeof(fv_card_reader), NULL, NULL, 0, 0}

/**
 * Lists the connected readers, and whether they have a card. A machine without readers has an empty list.
 *
 * Status: FV_E_ABSENT if libpcsclite is not installed, or its service pcscd does not run; FV_E_UNREADABLE if it denies
 * access.
 */
FV_API FV_CHECKED fv_status fv_card_readers_list(fv_card_readers **out, char *message, size_t message_bytes);
FV_API size_t fv_card_readers_count(const fv_card_readers *readers);
/** Describes a reader. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_card_readers_at(fv_card_reader *out, const fv_card_readers *readers, size_t index);
/** The readers as JSON, as `faceverify readers --json` prints them. */
FV_API const char *fv_card_readers_json(const fv_card_readers *readers);
FV_API void fv_card_readers_free(fv_card_readers *readers);

/* ---- Trust store: the trust anchors of chips --------------------------------------------------------------------- */

/**
 * Reads a folder, not its subfolders: certificates of issuing states (CSCA) in files named .cer, .crt, .der, .pem or
 * .p7b, revocation lists in these and .crl, master lists and deviation lists (ICAO 9303-12) in any file, and the LDIF
 * of the ICAO PKD. Other files are skipped, and listed by fv_trust_store_json() with the reason. A master list is trusted only if its signer chains to a certificate in a file
 * of its own, or to one whose SHA-256 is on a line of the folder's `pins.txt`.
 *
 * Requires: `folder` may be NULL: creates an empty store. At most 4096 files, of 32 MiB each.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE. A folder without certificates is FV_OK: then no chip is
 * FV_VERDICT_AUTHENTIC, and none is FV_VERDICT_INVALID for that reason.
 */
FV_API FV_CHECKED fv_status fv_trust_store_create(fv_trust_store **out, const char *folder, char *message,
                                                  size_t message_bytes);
/**
 * Adds the content of one file; the extension of `name` limits what it contributes, as in a folder, and a name without
 * a full stop sets no limit. Documents that were read with this store before
 * are not affected. The certificate of the signer of visible digital seals is added in the same way, and is no anchor.
 *
 * Status: FV_E_UNKNOWN_FORMAT if it contains nothing that can be trusted, including a master list whose signer is not
 * trusted (see fv_trust_store_pin()); FV_E_DAMAGED for a master list with an invalid signature; FV_E_TOO_LARGE. After a
 * failure nothing of the file is trusted.
 */
FV_API FV_CHECKED fv_status fv_trust_store_add(fv_trust_store *store, const char *name, const void *bytes,
                                               size_t byte_count, char *message, size_t message_bytes);
/**
 * Trusts the certificate with this fingerprint as the anchor of master lists that are added later.
 *
 * Requires: `sha256` is 64 hexadecimal digits, with or without colons.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_trust_store_pin(fv_trust_store *store, const char *sha256, char *message,
                                               size_t message_bytes);
/** Returns the number of distinct trust anchors: certificates that may sign document signers. */
FV_API size_t fv_trust_store_anchor_count(const fv_trust_store *store);
/** The contents of each file, the certificates and the revocation lists, as `faceverify trust list --json`. */
FV_API const char *fv_trust_store_json(const fv_trust_store *store);
FV_API void fv_trust_store_free(fv_trust_store *store);

/* ---- Verification of stored data --------------------------------------------------------------------------------- */

/** A stored portrait and stored data, and the SHA-256 values reported with them. All may be NULL. */
typedef struct fv_document_copy {
  size_t struct_size;
  const char *portrait_sha256; /**< as in fv_document_info */
  const char *data_sha256;     /**< as in fv_document_info */
  const void *portrait;        /**< the bytes of fv_document_portrait() */
  size_t portrait_bytes;       /**< size of `portrait` */
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

/** Compares a stored portrait and stored data with the SHA-256 values of the report they are from. Status:
 * FV_E_BAD_ARGUMENT for a malformed SHA-256. */
FV_API FV_CHECKED fv_status fv_document_verify(fv_document_binding *out, const fv_document_copy *copy, char *message,
                                               size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
