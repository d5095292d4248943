/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Journeys: one person led from consent to a result, through documents, their chips and their face. faceverify.h has
 * the conventions.
 */
#ifndef FACEVERIFY_JOURNEY_H
#define FACEVERIFY_JOURNEY_H

#include "core.h"
#include "documents.h"
#include "liveness.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fv_journey fv_journey;
typedef struct fv_record fv_record;

/* ---- Journey: one person, on one thread at a time ---------------------------------------------------------------- */

/**
 * Begins nothing yet: FV_JOURNEY_CALL_START does. A journey has no clock: each call says when it is made, in seconds
 * since 1970, and never before the last one.
 *
 * Requires: `configuration` is a JSON object whose members docs/journeys.md lists, each of which may be left out.
 * `portrait` is who is expected, if that is not the holder of a document; it is copied. `configuration`, `portrait` and
 * `trust` may be NULL: the defaults, nobody, and no one's certificates.
 * Status: FV_E_DAMAGED for what is no JSON; FV_E_BAD_ARGUMENT, which names the member; FV_E_WRONG_STATE as for a call
 * that is refused, if the configuration asks for another version of the library, for another region, for a token that
 * is not right, or for what is not there yet.
 */
FV_CHECKED fv_status fv_journey_create(fv_journey **out, const fv_engine *engine, const char *configuration,
                                       const fv_template *portrait, const fv_trust_store *trust, double now,
                                       char *message, size_t message_bytes);
/** Also cancels what another thread is just doing with it. */
void fv_journey_free(fv_journey *journey);

/** Where a journey is. */
typedef int64_t fv_journey_state;

enum {
  FV_JOURNEY_STATE_CREATED = 1,      /**< not started */
  FV_JOURNEY_STATE_CONSENTING = 2,   /**< not everything has been consented to */
  FV_JOURNEY_STATE_READY = 3,        /**< no credential is active */
  FV_JOURNEY_STATE_CONFIGURING = 4,  /**< of the active credential, the document is not chosen yet */
  FV_JOURNEY_STATE_ADVISING = 5,     /**< the holder of such a document must be told something first */
  FV_JOURNEY_STATE_CHOOSING = 6,     /**< a credential is active, none of its parts is */
  FV_JOURNEY_STATE_SCANNING = 7,     /**< a part takes frames, photos or files */
  FV_JOURNEY_STATE_PAUSED = 8,       /**< frames are dropped */
  FV_JOURNEY_STATE_CONFIRMING = 9,   /**< the person is asked whether the picture is good */
  FV_JOURNEY_STATE_REJECTED = 10,    /**< the picture is not good enough: it must be taken again */
  FV_JOURNEY_STATE_RETRYING = 11,    /**< the part did not come to a result, and must be tried again */
  FV_JOURNEY_STATE_CAPTURED = 12,    /**< the part has all it needs */
  FV_JOURNEY_STATE_FAILED = 13,      /**< something failed that may work when it is tried again */
  FV_JOURNEY_STATE_HALTED = 14,      /**< something failed for good */
  FV_JOURNEY_STATE_FINISHING = 15,   /**< the result is being made */
  FV_JOURNEY_STATE_FINISHED = 16     /**< the result is there */
};

/** "created", "consenting"... */
const char *fv_journey_state_name(fv_journey_state state);

/** A part of a credential. */
typedef int64_t fv_journey_part;

enum {
  FV_JOURNEY_PART_FRONT = 1,
  FV_JOURNEY_PART_BACK = 2,
  FV_JOURNEY_PART_CHIP = 3, /**< the files of the chip */
  FV_JOURNEY_PART_FACE = 4,
  FV_JOURNEY_PART_DOCUMENT = 5,
  FV_JOURNEY_PART_MULTIPART = 6, /**< front and back, one after the other */
  FV_JOURNEY_PART_DIGITAL = 7    /**< a document that is none of paper or plastic: nothing takes it */
};

/** "front", "back"... */
const char *fv_journey_part_name(fv_journey_part part);

/** How a part is scanned. */
typedef int64_t fv_scan_mode;

enum {
  FV_SCAN_MODE_MANUAL = 1,      /**< the person decides when a picture of the document is taken */
  FV_SCAN_MODE_FACE_MANUAL = 2, /**< one photo of the face, which tells little of who is before the camera */
  FV_SCAN_MODE_LIVENESS = 3,    /**< challenges, by the policy "standard" */
  FV_SCAN_MODE_STRICT = 4,      /**< challenges, by the policy "strict" */
  FV_SCAN_MODE_PASSIVE = 5,     /**< a recording for which nobody was asked for anything, by "passive-only" */
  FV_SCAN_MODE_BARCODE = 6,     /**< frames with the code on the back of a driving licence */
  FV_SCAN_MODE_CHIP_FILES = 7,  /**< see fv_journey_attach_chip() */
  FV_SCAN_MODE_DOC_FINDER = 8,  /**< frames of a document, of which the first good one is taken */
  FV_SCAN_MODE_FILE = 9,        /**< a photo's file */
  FV_SCAN_MODE_WEB = 10         /**< another page: nothing opens one */
};

/** "manual", "face-manual"... */
const char *fv_scan_mode_name(fv_scan_mode mode);

/** How much was proved of a living person in front of the camera, from least to most: docs/glossary.md. */
typedef int64_t fv_presence;

enum {
  FV_PRESENCE_NONE = 1,               /**< nobody, an attack, or undecided */
  FV_PRESENCE_PHOTO = 2,              /**< one picture, judged by its texture */
  FV_PRESENCE_PASSIVE_VIDEO = 3,      /**< a stream of frames for which nothing was asked of the person */
  FV_PRESENCE_CHALLENGE_ANSWERED = 4, /**< the person did what a script asked for */
  FV_PRESENCE_TRUSTED_CAPTURE = 5     /**< the same with a camera that the caller controls */
};

/** "none", "photo"... */
const char *fv_presence_name(fv_presence presence);

/** What the person's face was bound to by a match, from least to most: docs/glossary.md. */
typedef int64_t fv_binding;

enum {
  FV_BINDING_NONE = 1,             /**< nothing: no comparison, or no match */
  FV_BINDING_SAME_PICTURE = 2,     /**< both sides are copies of one picture */
  FV_BINDING_SUPPLIED_PHOTO = 3,   /**< a photo of the caller's */
  FV_BINDING_PAGE_PORTRAIT = 4,    /**< the portrait on a document's page */
  FV_BINDING_CHIP_PORTRAIT = 5,    /**< the portrait on a document's chip */
  FV_BINDING_ENROLLED_TEMPLATE = 6 /**< a template that the caller enrolled earlier */
};

/** "none", "same-picture"... */
const char *fv_binding_name(fv_binding binding);

/** Why a call was refused: a mistake in the program, and nothing about the person. */
typedef int64_t fv_logical_error;

enum {
  FV_LOGICAL_ERROR_DEPENDENCY_WRONG_VERSION = 1,
  FV_LOGICAL_ERROR_NOT_YET_IMPLEMENTED = 2,
  FV_LOGICAL_ERROR_DEAD_CONTROLLER = 3, /**< the journey is finished, or cleared */
  FV_LOGICAL_ERROR_ERROR_NOT_RETRYABLE = 4,
  FV_LOGICAL_ERROR_NEED_TO_CONSENT_FIRST = 5,
  FV_LOGICAL_ERROR_CONTROLLER_NOT_COMPLETED = 6,
  FV_LOGICAL_ERROR_IS_BEING_FINISHED = 7,
  FV_LOGICAL_ERROR_MULTIPLE_CREDENTIALS = 8,
  FV_LOGICAL_ERROR_UNKNOWN_CREDENTIAL = 9,
  FV_LOGICAL_ERROR_DEAD_CREDENTIAL = 10,
  FV_LOGICAL_ERROR_CREDENTIAL_NOT_COMPLETED = 11,
  FV_LOGICAL_ERROR_MULTIPLE_SCAN_PARTS = 12,
  FV_LOGICAL_ERROR_UNKNOWN_SCAN_PART = 13,
  FV_LOGICAL_ERROR_SCAN_PART_NOT_COMPLETED = 14,
  FV_LOGICAL_ERROR_DEAD_SCAN_PART = 15,
  FV_LOGICAL_ERROR_NO_FALLBACK_AVAILABLE = 16,
  FV_LOGICAL_ERROR_TAKE_PICTURE_NOT_ALLOWED = 17,
  FV_LOGICAL_ERROR_TOKEN_VALIDATION_FAILED = 18,
  FV_LOGICAL_ERROR_DATA_CENTRE_VALIDATION_FAILED = 19,
  FV_LOGICAL_ERROR_WRONG_ORDER = 20 /**< everything else that is not due now */
};

/** "dependency-wrong-version", "not-yet-implemented"... */
const char *fv_logical_error_name(fv_logical_error error);

/** What there is to know of a journey now. The texts live as long as it does. */
typedef struct fv_journey_info {
  size_t struct_size;
  fv_journey_state state;   /**< where it is */
  fv_scan_mode fallback;    /**< what FV_JOURNEY_CALL_FALLBACK would lead to; 0: there is nothing */
  int64_t is_shutter_due;   /**< 1: frames are only looked at, until FV_JOURNEY_CALL_TAKE_PICTURE; else 0 */
  fv_logical_error refusal; /**< of the last call that was refused; 0 if none was */
  const char *id;           /**< a UUID of the journey */
  const char *account_id;   /**< a UUID of the person's account */
} fv_journey_info;
#define FV_JOURNEY_INFO_INIT {sizeof(fv_journey_info), 0, 0, 0, 0, NULL, NULL}

/** Any thread may ask, also while another one makes a call. */
FV_CHECKED fv_status fv_journey_describe(fv_journey_info *out, const fv_journey *journey);

/** What looks like personal data in the identifiers of the configuration, where none may be. */
size_t fv_journey_warning_count(const fv_journey *journey);
/** One sentence; NULL if `index` is not below the count. */
const char *fv_journey_warning_at(const fv_journey *journey, size_t index);

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/** A call that carries nothing but its time. */
typedef int64_t fv_journey_call;

enum {
  FV_JOURNEY_CALL_START = 1,              /**< begins: the credentials, and what to consent to, are told */
  FV_JOURNEY_CALL_ACKNOWLEDGE = 2,        /**< the person has read the legal advice */
  FV_JOURNEY_CALL_TAKE_PICTURE = 3,       /**< takes the last frame, where the person decides when */
  FV_JOURNEY_CALL_PAUSE = 4,              /**< frames are dropped from now on */
  FV_JOURNEY_CALL_RESUME = 5,             /**< they are taken again */
  FV_JOURNEY_CALL_FALLBACK = 6,           /**< goes on in the next mode that is allowed */
  FV_JOURNEY_CALL_CONFIRM = 7,            /**< the picture is good */
  FV_JOURNEY_CALL_RETAKE = 8,             /**< the picture is taken again */
  FV_JOURNEY_CALL_RETRY_PART = 9,         /**< tries again what did not come to a result */
  FV_JOURNEY_CALL_FINISH_PART = 10,       /**< also before a session is complete: it is decided by what came */
  FV_JOURNEY_CALL_CANCEL_PART = 11,       /**< gives the part up; it can be started again */
  FV_JOURNEY_CALL_FINISH_CREDENTIAL = 12, /**< all its parts have been captured */
  FV_JOURNEY_CALL_CANCEL_CREDENTIAL = 13, /**< gives the credential up; it can be started again */
  FV_JOURNEY_CALL_RETRY = 14,             /**< tries again after an error */
  FV_JOURNEY_CALL_FINISH = 15,            /**< makes the result */
  FV_JOURNEY_CALL_CANCEL = 16,            /**< ends the journey, whatever it does; any thread may, at any time */
  FV_JOURNEY_CALL_TICK = 17,              /**< nothing but the time: deadlines are looked at with every call */
  FV_JOURNEY_CALL_DECLINE = 18            /**< the person declines a movement that is asked for; the result is not passed */
};

/** "start", "acknowledge"... */
const char *fv_journey_call_name(fv_journey_call call);

/**
 * Makes one of these calls. After an error, the journey goes on as if the call had not been made; what a person must
 * know of is an event.
 *
 * Requires: `at`, seconds since 1970. To cancel, a time before that of the last call will do.
 * Status: FV_E_WRONG_STATE if the call is not due: the message begins with the name of the fv_logical_error.
 * FV_E_BAD_ARGUMENT if it cannot be carried out, FV_E_BUSY while another thread makes one, FV_E_CANCELLED if another
 * thread cancels meanwhile.
 */
FV_CHECKED fv_status fv_journey_perform(fv_journey *journey, fv_journey_call call, double at, char *message,
                                        size_t message_bytes);
/** The person's decision about one item of the event "initialized", counted from 0; the last one counts, until a
 * credential starts. `is_given` is 1 or 0. Status: as fv_journey_perform(). */
FV_CHECKED fv_status fv_journey_consent(fv_journey *journey, size_t item, int64_t is_given, double at, char *message,
                                        size_t message_bytes);
/** Begins with one of the credentials that the configuration asks for, counted from 0, in any order. Status: as
 * fv_journey_perform(). */
FV_CHECKED fv_status fv_journey_start_credential(fv_journey *journey, size_t credential, double at, char *message,
                                                 size_t message_bytes);

/** What a document is made of. */
typedef int64_t fv_document_variant;

enum {
  FV_DOCUMENT_VARIANT_PAPER = 1,
  FV_DOCUMENT_VARIANT_PLASTIC = 2
};

/** "paper", "plastic". */
const char *fv_document_variant_name(fv_document_variant variant);

/** A document that a person may choose. The text lives as long as the journey. */
typedef struct fv_document_choice {
  size_t struct_size;
  const char *country;         /**< a code of ICAO 9303-3, section 5 */
  fv_document_type type;       /**< passport, visa or identity card */
  fv_document_variant variant; /**< paper for all but identity cards */
} fv_document_choice;
#define FV_DOCUMENT_CHOICE_INIT {sizeof(fv_document_choice), NULL, 0, 0}

/** Documents that a credential may be configured with; 0 for one that is no identity document. */
size_t fv_journey_choice_count(const fv_journey *journey, size_t credential);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_journey_choice_at(fv_document_choice *out, const fv_journey *journey, size_t credential,
                                          size_t index);
/** Which document the active credential is. Status: as fv_journey_perform(); FV_E_BAD_ARGUMENT for none of the choices.
 * */
FV_CHECKED fv_status fv_journey_configure(fv_journey *journey, const fv_document_choice *choice, double at,
                                          char *message, size_t message_bytes);
/** Begins with one of the parts of the active credential. A `mode` of 0 is the first that is allowed. Status: as
 * fv_journey_perform(). */
FV_CHECKED fv_status fv_journey_start_part(fv_journey *journey, fv_journey_part part, fv_scan_mode mode, double at,
                                           char *message, size_t message_bytes);
/**
 * The next picture of a camera. What it leads to is told by events.
 *
 * Requires: `out` may be NULL: no feedback is wanted. Its state is 0 where it is no face that is watched.
 * Status: as fv_journey_perform() and fv_liveness_session_add().
 */
FV_CHECKED fv_status fv_journey_add_frame(fv_liveness_feedback *out, fv_journey *journey,
                                          const fv_liveness_frame *frame, double at, char *message,
                                          size_t message_bytes);
/** A photo in place of frames. Status: as fv_journey_perform(); FV_E_DAMAGED and what else pictures have. */
FV_CHECKED fv_status fv_journey_attach_image(fv_journey *journey, const fv_image *image, double at, char *message,
                                             size_t message_bytes);
/** What was read from the chip. Status: as fv_journey_perform(); FV_E_BAD_ARGUMENT for a chip without files. */
FV_CHECKED fv_status fv_journey_attach_chip(fv_journey *journey, const fv_chip *chip, double at, char *message,
                                            size_t message_bytes);
/** What the code on the back of a driving licence holds, read elsewhere. Status: as fv_journey_perform();
 * FV_E_UNKNOWN_FORMAT for one that is no licence's. */
FV_CHECKED fv_status fv_journey_attach_code(fv_journey *journey, const void *bytes, size_t byte_count, double at,
                                            char *message, size_t message_bytes);
/** Something outside of the library failed. `code` is A, B, C, E, H, I or J (connection, safe connection, credentials of
 * the program, offline, camera, key, time) and six digits. Status: as fv_journey_perform(). */
FV_CHECKED fv_status fv_journey_report(fv_journey *journey, const char *code, double at, char *message,
                                       size_t message_bytes);

/* ---- Events: what a journey tells, to be asked for after each call, by one thread -------------------------------- */

/** An event. The texts live until the next one is asked for. */
typedef struct fv_journey_event {
  size_t struct_size;
  double at;        /**< of the call that led to it */
  const char *name; /**< "initialized", "scan-view", "finished"...: docs/c-api.md; later releases add some */
  const char *json; /**< all of it, as in the record */
} fv_journey_event;
#define FV_JOURNEY_EVENT_INIT {sizeof(fv_journey_event), 0, NULL, NULL}

/** The next event that was not asked for yet. The last one of a journey is "finished". Status: FV_E_ABSENT if there is
 * none now. */
FV_CHECKED fv_status fv_journey_next_event(fv_journey_event *out, fv_journey *journey);

/** What is to be confirmed in FV_JOURNEY_STATE_CONFIRMING: a picture of its own, to be freed. Status: FV_E_ABSENT
 * without one. */
FV_CHECKED fv_status fv_journey_picture(fv_image **out, const fv_journey *journey);

/* ---- Result ------------------------------------------------------------------------------------------------------ */

/** What came of a journey. The texts live until it is cleared. */
typedef struct fv_journey_outcome {
  size_t struct_size;
  int64_t is_complete;    /**< 1: the journey came to its end, whatever its result is; else 0 */
  fv_check_status result; /**< failed if anything failed; passed if the journey is complete and everything that was asked
                             for is proved as far as the configuration's assurance asks; else not checked */
  const char *error_code; /**< a letter and six digits: why it did not come to its end; NULL if it did */
  const char *error_text; /**< one sentence; NULL without an error */
  int64_t is_retryable;   /**< 1: a new journey may succeed without a change; else 0 */
  const char *json;       /**< credentials, result and error, as in the record; empty once it is cleared */
  fv_presence presence;   /**< what was proved of a living person */
  fv_document_assurance document; /**< what was proved of the document; of several, of the one with the least */
  fv_binding binding;             /**< what the face was bound to */
} fv_journey_outcome;
#define FV_JOURNEY_OUTCOME_INIT {sizeof(fv_journey_outcome), 0, 0, NULL, NULL, 0, NULL, 0, 0, 0}

/** Status: FV_E_WRONG_STATE before the end. */
FV_CHECKED fv_status fv_journey_result(fv_journey_outcome *out, const fv_journey *journey);
/** The document of a credential; NULL without one, and before the end. Like the next two, it lives until the journey is
 * cleared. */
const fv_document *fv_journey_document(const fv_journey *journey, size_t credential);
/** How the face of a credential was seen, with the selfie; NULL without one. */
const fv_liveness_decision *fv_journey_liveness(const fv_journey *journey, size_t credential);
/** The comparison of that face with the portrait; NULL if none was made. */
const fv_decision *fv_journey_decision(const fv_journey *journey, size_t credential);
/** Forgets all that tells of the person, and overwrites pictures and templates in memory; identifiers and error stay. Status:
 * FV_E_WRONG_STATE before the end. */
FV_CHECKED fv_status fv_journey_clear(fv_journey *journey, char *message, size_t message_bytes);

/* ---- Record: what a journey decided and what that rests on, signed ----------------------------------------------- */

/** Writes the 64 bytes of an Ed25519 signature (RFC 8032, not pre-hashed) of `bytes` to `signature`, as a device does
 * that keeps its key to itself. Returns 0; anything else: it could not. Called on the thread of fv_journey_record(). */
typedef int (*fv_sign_function)(const void *bytes, size_t byte_count, void *signature, void *user);

/** Who signs: a private key, or a public one and a function. */
typedef struct fv_signer {
  size_t struct_size;
  const char *private_key; /**< Ed25519 in PEM (PKCS #8, RFC 8410) without a pass phrase; NULL: `sign` signs */
  const char *public_key;  /**< in PEM, with which what `sign` writes is checked; NULL with a private key */
  fv_sign_function sign;   /**< NULL with a private key */
  void *sign_user;         /**< is handed to `sign` */
} fv_signer;
#define FV_SIGNER_INIT {sizeof(fv_signer), NULL, NULL, NULL, NULL}

/**
 * The record of a journey, signed: docs/records.md.
 *
 * Status: FV_E_WRONG_STATE before the end, and once the journey is cleared; FV_E_UNKNOWN_FORMAT for what is no key;
 * FV_E_INTERNAL for a signature that does not fit, or if there is none.
 */
FV_CHECKED fv_status fv_journey_record(fv_record **out, const fv_journey *journey, const fv_signer *signer,
                                       char *message, size_t message_bytes);
/**
 * Reads a record, right or wrong.
 *
 * Status: FV_E_DAMAGED, FV_E_TOO_LARGE for what is no JSON, FV_E_UNKNOWN_FORMAT for what is no record of a known
 * version.
 */
FV_CHECKED fv_status fv_record_from_bytes(fv_record **out, const void *bytes, size_t byte_count, char *message,
                                          size_t message_bytes);
void fv_record_free(fv_record *record);
/** All of it, byte for byte: to be kept. */
const char *fv_record_json(const fv_record *record);

/** What a record is worth by itself, without its evidence. The texts live as long as the record. */
typedef struct fv_record_verification {
  size_t struct_size;
  fv_check_status result; /**< failed if a check failed, passed if all have passed; not checked without a trusted key */
  const char *signer;     /**< SHA-256 of the key that is named, lower-case hexadecimal; NULL if none is */
  const char *json;       /**< each check with what is wrong, as `faceverify record verify --json` */
} fv_record_verification;
#define FV_RECORD_VERIFICATION_INIT {sizeof(fv_record_verification), 0, NULL, NULL}

/** A public key in PEM that is trusted: `trusted_key` may be NULL, and then nobody knows who signed. Status:
 * FV_E_UNKNOWN_FORMAT for what is no key. */
FV_CHECKED fv_status fv_record_verify(fv_record_verification *out, const fv_record *record, const char *trusted_key,
                                      char *message, size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
