/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Journeys: complete identity checks of one person, from consent to a result, with documents, their chips and the face.
 * faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_JOURNEY_H
#define FACEVERIFY_JOURNEY_H

#include "core.h"
#include "documents.h"
#include "liveness.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One identity check. Not thread-safe: a concurrent call returns FV_E_BUSY, except for cancelling and describing. */
typedef struct fv_journey fv_journey;
/** The signed decision of a journey and its basis. Immutable, thread-safe. */
typedef struct fv_record fv_record;

/* ---- Journey: one identity check; not thread-safe ---------------------------------------------------------------- */

/** The state of a journey. */
typedef int64_t fv_journey_state;

enum {
  FV_JOURNEY_STATE_CREATED = 1,      /**< not started */
  FV_JOURNEY_STATE_CONSENTING = 2,   /**< consent is incomplete */
  FV_JOURNEY_STATE_READY = 3,        /**< no credential is active */
  FV_JOURNEY_STATE_CONFIGURING = 4,  /**< the document of the active credential is not chosen yet */
  FV_JOURNEY_STATE_ADVISING = 5,     /**< legal advice must be acknowledged first */
  FV_JOURNEY_STATE_CHOOSING = 6,     /**< a credential is active, but no part */
  FV_JOURNEY_STATE_SCANNING = 7,     /**< a part accepts frames, photos or files */
  FV_JOURNEY_STATE_PAUSED = 8,       /**< frames are dropped */
  FV_JOURNEY_STATE_CONFIRMING = 9,   /**< the person must accept or reject the picture */
  FV_JOURNEY_STATE_REJECTED = 10,    /**< the picture is not good enough and must be taken again */
  FV_JOURNEY_STATE_RETRYING = 11,    /**< the part is undecided and must be retried */
  FV_JOURNEY_STATE_CAPTURED = 12,    /**< the part is complete */
  FV_JOURNEY_STATE_FAILED = 13,      /**< a retryable error occurred */
  FV_JOURNEY_STATE_HALTED = 14,      /**< a permanent error occurred */
  FV_JOURNEY_STATE_FINISHING = 15,   /**< the result is being computed */
  FV_JOURNEY_STATE_FINISHED = 16     /**< the result is available */
};

/** Returns the name: "created", "consenting"... */
FV_API const char *fv_journey_state_name(fv_journey_state state);

/** A part of a credential, which is scanned separately. */
typedef int64_t fv_journey_part;

enum {
  FV_JOURNEY_PART_FRONT = 1,
  FV_JOURNEY_PART_BACK = 2,
  FV_JOURNEY_PART_CHIP = 3, /**< the files of the chip */
  FV_JOURNEY_PART_FACE = 4,
  FV_JOURNEY_PART_DOCUMENT = 5,
  FV_JOURNEY_PART_MULTIPART = 6, /**< front and back, one after the other */
  FV_JOURNEY_PART_DIGITAL = 7    /**< a digital document; not supported */
};

/** Returns the name: "front", "back"... */
FV_API const char *fv_journey_part_name(fv_journey_part part);

/** The mode in which a part is scanned. */
typedef int64_t fv_scan_mode;

enum {
  FV_SCAN_MODE_MANUAL = 1,      /**< photo of a document, taken on the person's command */
  FV_SCAN_MODE_FACE_MANUAL = 2, /**< one photo of the face, which does not prove presence */
  FV_SCAN_MODE_LIVENESS = 3,    /**< challenges, with the policy "standard" */
  FV_SCAN_MODE_STRICT = 4,      /**< challenges, with the policy "strict" */
  FV_SCAN_MODE_PASSIVE = 5,     /**< a recording without challenges, with the policy "passive-only" */
  FV_SCAN_MODE_BARCODE = 6,     /**< frames with the code on the back of a driving licence */
  FV_SCAN_MODE_CHIP_FILES = 7,  /**< see fv_journey_attach_chip() */
  FV_SCAN_MODE_DOC_FINDER = 8,  /**< frames of a document; takes the first good one */
  FV_SCAN_MODE_FILE = 9,        /**< image file */
  FV_SCAN_MODE_WEB = 10         /**< a web page; not supported */
};

/** Returns the name: "manual", "face-manual"... */
FV_API const char *fv_scan_mode_name(fv_scan_mode mode);

/** The level to which a living person in front of the camera was proved, from lowest to highest: docs/glossary.md. */
typedef int64_t fv_presence;

enum {
  FV_PRESENCE_NONE = 1,               /**< nobody, a presentation attack, or undecided */
  FV_PRESENCE_PHOTO = 2,              /**< one picture, judged by its texture */
  FV_PRESENCE_PASSIVE_VIDEO = 3,      /**< a stream of frames without challenges */
  FV_PRESENCE_CHALLENGE_ANSWERED = 4, /**< the person answered a script */
  FV_PRESENCE_TRUSTED_CAPTURE = 5     /**< the same, with a camera that the caller controls */
};

/** Returns the name: "none", "photo"... */
FV_API const char *fv_presence_name(fv_presence presence);

/** The reference that the person's face matched, from lowest to highest: docs/glossary.md. */
typedef int64_t fv_binding;

enum {
  FV_BINDING_NONE = 1,             /**< no comparison, or no match */
  FV_BINDING_SAME_PICTURE = 2,     /**< both sides are copies of one picture */
  FV_BINDING_SUPPLIED_PHOTO = 3,   /**< a photo supplied by the caller */
  FV_BINDING_PAGE_PORTRAIT = 4,    /**< the portrait on a document's page */
  FV_BINDING_CHIP_PORTRAIT = 5,    /**< the portrait on a document's chip */
  FV_BINDING_ENROLLED_TEMPLATE = 6 /**< a template that the caller enrolled earlier */
};

/** Returns the name: "none", "same-picture"... */
FV_API const char *fv_binding_name(fv_binding binding);

/** The reason why a call was refused: a bug in the program, independent of the person. */
typedef int64_t fv_logical_error;

enum {
  FV_LOGICAL_ERROR_DEPENDENCY_WRONG_VERSION = 1,
  FV_LOGICAL_ERROR_NOT_YET_IMPLEMENTED = 2,
  FV_LOGICAL_ERROR_DEAD_CONTROLLER = 3, /**< the journey is finished or cleared */
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
  FV_LOGICAL_ERROR_WRONG_ORDER = 20 /**< any other call that is not due */
};

/** Returns the name: "dependency-wrong-version", "not-yet-implemented"... */
FV_API const char *fv_logical_error_name(fv_logical_error error);

/* ---- Creation ---------------------------------------------------------------------------------------------------- */

/** The kind of a credential, which is an item that a journey requests. */
typedef int64_t fv_credential_category;

enum {
  FV_CREDENTIAL_CATEGORY_ID = 1,       /**< an identity document, which is read and judged */
  FV_CREDENTIAL_CATEGORY_FACE = 2,     /**< the person */
  FV_CREDENTIAL_CATEGORY_DOCUMENT = 3, /**< a picture of any other document, which is kept and not judged */
  FV_CREDENTIAL_CATEGORY_DATA = 4      /**< not supported */
};

/** Returns the name: "id", "face", "document", "data". */
FV_API const char *fv_credential_category_name(fv_credential_category category);

/** One credential that a journey requests. */
typedef struct fv_credential_request {
  size_t struct_size;
  fv_credential_category category; /**< what is requested */
  const char *countries;           /**< allowed issuers, codes of ICAO 9303-3 separated by commas: "AUT,D"; NULL: all */
  fv_document_type_set types;      /**< allowed types of an identity document; 0: all that are supported */
} fv_credential_request;
#define FV_CREDENTIAL_REQUEST_INIT {sizeof(fv_credential_request), 0, NULL, 0}

/**
 * The configuration of a journey. A field that is not 0 takes precedence over the member of `json` that it names; a
 * field of 0 leaves the member of `json`, or else its default (docs/journeys.md). Pointers are used during the call
 * only.
 */
typedef struct fv_journey_options {
  size_t struct_size;
  /** The whole configuration as a JSON object, whose members docs/journeys.md lists; all are optional. NULL: none. */
  const char *json;
  /** `requests`: the requested credentials, in a contiguous array; the `struct_size` of the first applies to all.
   * NULL: an identity document and the face. */
  const fv_credential_request *requests;
  size_t request_count;                 /**< number of `requests` */
  const fv_template *portrait;          /**< the expected person; copied; NULL: the holder of the document */
  const fv_trust_store *trust;          /**< trust anchors for chips; NULL: none */
  const fv_comparison_policy *matching; /**< `comparison`: quality requirements and false-match rate; NULL: default */
  /* The policy: the levels that the result must reach to be passed. */
  fv_presence presence;                     /**< `assurance.presence`; 0: challenge-answered */
  fv_document_assurance document_assurance; /**< `assurance.document`; 0: page-consistent */
  fv_binding binding;                       /**< `assurance.binding`; 0: supplied-photo */
  fv_bool accepts_page_only;                /**< adds "page-only" to `assurance.accepted` */
  fv_bool accepts_licence_code;             /**< adds "licence-code" to `assurance.accepted` */
  fv_bool is_strict;                        /**< `authentication` "strict": no violation by a chip is forgiven */
  fv_bool is_capture_trusted;               /**< `isCaptureTrusted`: the caller controls camera and computer */
  fv_bool skips_comparison;                 /**< `comparesFace` false: the face is not compared */
  const char *date;                         /**< `date`, "YYYY-MM-DD", for which documents are judged; NULL: that of the
                                               call */
  /* The face. */
  const fv_scan_mode *face_modes; /**< `faceModes`: the allowed modes, the default first, then the fallbacks; NULL:
                                     liveness */
  size_t face_mode_count;         /**< number of `face_modes` */
  const void *nonce;              /**< `nonce`: bytes that the challenges follow from; NULL: random */
  size_t nonce_bytes;             /**< size of `nonce`, 16 to 64 */
  int64_t challenge_count;        /**< `challengeCount`: movements of each try without a path, 1 to 12; 0: 3 */
  fv_challenge_set challenges;    /**< `challenges`: those allowed; FV_CHALLENGE_FOLLOW is the whole script of a try until
                                     the person declines it; 0: FOLLOW, and all from BLINK to OPEN_MOUTH */
  int64_t rotation;               /**< `rotation`: clockwise degrees that make frames upright: 0, 90, 180 or 270 */
  fv_bool is_mirrored;            /**< `isMirrored`: frames of the face are mirrored */
  /* The document. */
  const fv_scan_mode *document_modes; /**< `documentModes`: as `face_modes`; NULL: barcode, doc-finder, manual, file */
  size_t document_mode_count;         /**< number of `document_modes` */
  fv_bool requires_chip;              /**< `requiresChip`: the document is known to have a chip, which must be read */
  fv_bool skips_chip;                 /**< `readsChip` false: no chip is requested */
  fv_bool skips_pages;                /**< `readsPages` false: the chip alone is requested */
  fv_bool reads_text;                 /**< `readsText`: the printed text of the pages is read and compared with the rest */
  fv_bool asks_confirmation;          /**< `asksConfirmation`: the person confirms each picture of a document */
  /* Limits. */
  double start_by;       /**< `startBy`: seconds from creation to the start, 5 to 900; 0: 60 */
  double timeout;        /**< `timeout`: seconds from the start to the end, 30 to 3600; 0: 900 */
  double part_timeout;   /**< `partTimeout`: seconds for each try of a document's part, 10 to 60; 0: 30 */
  int64_t maximum_tries; /**< `maximumTries` of each part, 1 to 10; 0: 5 */
  /* Identifiers and data. */
  const char *id;                 /**< `id`: UUID of the journey; NULL: random */
  const char *account_id;         /**< `account`: UUID of the person's account; NULL: random */
  const char *customer_reference; /**< `customerInternalReference`: at most 100 characters, not personal data; NULL:
                                     none */
  fv_bool keeps_pictures;         /**< `keepsPictures`: until the journey is cleared */
  fv_bool records_personal_data;  /**< `recordsPersonalData`: the record has the document's data */
} fv_journey_options;
#define FV_JOURNEY_OPTIONS_INIT                                                                                        \
  {sizeof(fv_journey_options), NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, 0, NULL, 0, 0,     \
   0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 0, 0}

/**
 * Creates a journey; FV_JOURNEY_CALL_START starts it. A journey has no clock: each call has its time, in seconds since
 * 1970, not earlier than that of the previous call.
 *
 * Requires: `options` may be NULL: a document and its holder's face.
 * Status: FV_E_DAMAGED for malformed JSON; FV_E_BAD_ARGUMENT, with the name of the member in the message;
 * FV_E_INCOMPATIBLE_TEMPLATE for a portrait of other models; FV_E_BUSY while another thread changes a quality policy;
 * FV_E_WRONG_STATE, as for a refused call, if the configuration requires another version of the library, another
 * region, a valid token, or something that is not implemented.
 */
FV_API FV_CHECKED fv_status fv_journey_create(fv_journey **out, const fv_engine *engine,
                                              const fv_journey_options *options, double at, char *message,
                                              size_t message_bytes);
/** Cancels the journey if it is not finished, including a call of another thread. */
FV_API void fv_journey_free(fv_journey *journey);

/** The current state of a journey. The texts live as long as it does. */
typedef struct fv_journey_info {
  size_t struct_size;
  fv_journey_state state;   /**< current state */
  fv_scan_mode fallback;    /**< mode that FV_JOURNEY_CALL_FALLBACK would switch to; 0: none */
  fv_bool is_shutter_due;   /**< frames are previewed, not analysed, until FV_JOURNEY_CALL_TAKE_PICTURE */
  fv_logical_error refusal; /**< of the last refused call; 0 if none was refused */
  const char *id;           /**< UUID of the journey */
  const char *account_id;   /**< UUID of the person's account */
} fv_journey_info;
#define FV_JOURNEY_INFO_INIT {sizeof(fv_journey_info), 0, 0, 0, 0, NULL, NULL}

/** Describes the current state. Thread-safe, also during a call. */
FV_API FV_CHECKED fv_status fv_journey_describe(fv_journey_info *out, const fv_journey *journey);

/** Returns the number of warnings about the configuration: suspected personal data in identifiers, and settings that no
 * result can pass. */
FV_API size_t fv_journey_warning_count(const fv_journey *journey);
/** Returns a warning, one sentence; NULL if `index` is not below the count. */
FV_API const char *fv_journey_warning_at(const fv_journey *journey, size_t index);

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/** A call without arguments other than its time. */
typedef int64_t fv_journey_call;

enum {
  FV_JOURNEY_CALL_START = 1,              /**< starts the journey; an event lists the credentials and the items to
                                             consent to */
  FV_JOURNEY_CALL_ACKNOWLEDGE = 2,        /**< the person has read the legal advice */
  FV_JOURNEY_CALL_TAKE_PICTURE = 3,       /**< takes the last frame, in modes with a shutter */
  FV_JOURNEY_CALL_PAUSE = 4,              /**< frames are dropped until RESUME */
  FV_JOURNEY_CALL_RESUME = 5,             /**< frames are accepted again */
  FV_JOURNEY_CALL_FALLBACK = 6,           /**< switches to the next allowed mode */
  FV_JOURNEY_CALL_CONFIRM = 7,            /**< accepts the picture */
  FV_JOURNEY_CALL_RETAKE = 8,             /**< discards the picture, to take another */
  FV_JOURNEY_CALL_RETRY_PART = 9,         /**< starts another try of an undecided part */
  FV_JOURNEY_CALL_FINISH_PART = 10,       /**< finishes the part; an incomplete session is decided on the frames so
                                             far */
  FV_JOURNEY_CALL_CANCEL_PART = 11,       /**< abandons the part; it can be started again */
  FV_JOURNEY_CALL_FINISH_CREDENTIAL = 12, /**< all its parts are captured */
  FV_JOURNEY_CALL_CANCEL_CREDENTIAL = 13, /**< abandons the credential; it can be started again */
  FV_JOURNEY_CALL_RETRY = 14,             /**< resumes after a retryable error */
  FV_JOURNEY_CALL_FINISH = 15,            /**< computes the result */
  FV_JOURNEY_CALL_CANCEL = 16,            /**< ends the journey in any state; thread-safe, also during a call */
  FV_JOURNEY_CALL_TICK = 17,              /**< only advances the time: every call checks the deadlines */
  FV_JOURNEY_CALL_DECLINE = 18            /**< the person declines the requested movement; the result is not passed */
};

/** Returns the name: "start", "acknowledge"... */
FV_API const char *fv_journey_call_name(fv_journey_call call);

/**
 * Makes one of these calls. After an error the journey is unchanged; whatever concerns the person is an event.
 *
 * Requires: `at` is in seconds since 1970, and not earlier than the previous call's unless the call cancels.
 * Status: FV_E_WRONG_STATE if the call is not due: the message begins with the name of the fv_logical_error.
 * FV_E_BAD_ARGUMENT if it cannot be executed, FV_E_BUSY during a call of another thread, FV_E_CANCELLED if another
 * thread cancels the journey during the call.
 */
FV_API FV_CHECKED fv_status fv_journey_perform(fv_journey *journey, fv_journey_call call, double at, char *message,
                                               size_t message_bytes);
/** Sets the person's decision about one item of the event "initialized", counted from 0; it can be changed until a
 * credential starts. Status: as fv_journey_perform(). */
FV_API FV_CHECKED fv_status fv_journey_consent(fv_journey *journey, size_t item, fv_bool is_given, double at,
                                               char *message, size_t message_bytes);
/** Starts one of the credentials that the configuration requests, counted from 0, in any order. Status: as
 * fv_journey_perform(). */
FV_API FV_CHECKED fv_status fv_journey_start_credential(fv_journey *journey, size_t credential, double at,
                                                        char *message, size_t message_bytes);

/** The material of a document. */
typedef int64_t fv_document_variant;

enum {
  FV_DOCUMENT_VARIANT_PAPER = 1,
  FV_DOCUMENT_VARIANT_PLASTIC = 2
};

/** Returns the name: "paper", "plastic". */
FV_API const char *fv_document_variant_name(fv_document_variant variant);

/** A document that the person may choose. The text lives as long as the journey. */
typedef struct fv_document_choice {
  size_t struct_size;
  const char *country;         /**< code of ICAO 9303-3, section 5 */
  fv_document_type type;       /**< any but unknown */
  fv_document_variant variant; /**< one in which the country issues the type */
} fv_document_choice;
#define FV_DOCUMENT_CHOICE_INIT {sizeof(fv_document_choice), NULL, 0, 0}

/** Returns the number of documents that a credential may be configured with; 0 for one that is not an identity
 * document. */
FV_API size_t fv_journey_choice_count(const fv_journey *journey, size_t credential);
/** Describes a choice. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_journey_choice_at(fv_document_choice *out, const fv_journey *journey, size_t credential,
                                                 size_t index);
/** Chooses the document of the active credential. Status: as fv_journey_perform(); FV_E_BAD_ARGUMENT if it is not one
 * of the choices. */
FV_API FV_CHECKED fv_status fv_journey_configure(fv_journey *journey, const fv_document_choice *choice, double at,
                                                 char *message, size_t message_bytes);
/** Starts one of the parts of the active credential. A `mode` of 0 is the first allowed one. Status: as
 * fv_journey_perform(). */
FV_API FV_CHECKED fv_status fv_journey_start_part(fv_journey *journey, fv_journey_part part, fv_scan_mode mode,
                                                  double at, char *message, size_t message_bytes);
/**
 * Adds the next frame of a camera; its consequences are events.
 *
 * Requires: `out` may be NULL: no feedback. Its state is 0 unless the part is a face.
 * Status: as fv_journey_perform() and fv_liveness_session_add().
 */
FV_API FV_CHECKED fv_status fv_journey_add_frame(fv_liveness_feedback *out, fv_journey *journey,
                                                 const fv_liveness_frame *frame, double at, char *message,
                                                 size_t message_bytes);
/** Adds a photo instead of frames. Status: as fv_journey_perform(); FV_E_DAMAGED and other errors of images. */
FV_API FV_CHECKED fv_status fv_journey_attach_image(fv_journey *journey, const fv_image *image, double at,
                                                    char *message, size_t message_bytes);
/** Adds the files read from the chip. Status: as fv_journey_perform(); FV_E_BAD_ARGUMENT for a chip without files. */
FV_API FV_CHECKED fv_status fv_journey_attach_chip(fv_journey *journey, const fv_chip *chip, double at, char *message,
                                                   size_t message_bytes);
/** Adds the content of the code on the back of a driving licence, read by a scanner. Status: as fv_journey_perform();
 * FV_E_UNKNOWN_FORMAT for a code that is not a licence's. */
FV_API FV_CHECKED fv_status fv_journey_attach_code(fv_journey *journey, const void *bytes, size_t byte_count, double at,
                                                   char *message, size_t message_bytes);
/** Reports a failure outside the library. `code` is A, B, C, E, H, I or J (connection, secure connection, credentials
 * of the program, offline, camera, key, time) and six digits. Status: as fv_journey_perform(). */
FV_API FV_CHECKED fv_status fv_journey_report(fv_journey *journey, const char *code, double at, char *message,
                                              size_t message_bytes);

/* ---- Events: polled after each call, by one thread --------------------------------------------------------------- */

/** An event. The texts live until the next event is requested. */
typedef struct fv_journey_event {
  size_t struct_size;
  double at;        /**< time of the call that caused it */
  const char *name; /**< "initialized", "scan-view", "finished"...: docs/c-api.md; later releases add some */
  const char *json; /**< the whole event, as in the record */
} fv_journey_event;
#define FV_JOURNEY_EVENT_INIT {sizeof(fv_journey_event), 0, NULL, NULL}

/** Returns the next unread event. The last one of a journey is "finished". Status: FV_E_ABSENT if there is none now. */
FV_API FV_CHECKED fv_status fv_journey_next_event(fv_journey_event *out, fv_journey *journey);

/** Returns the picture to be confirmed in FV_JOURNEY_STATE_CONFIRMING, as a new image that the caller frees. Status:
 * FV_E_ABSENT without one. */
FV_API FV_CHECKED fv_status fv_journey_picture(fv_image **out, const fv_journey *journey);

/* ---- Result ------------------------------------------------------------------------------------------------------ */

/** The result of a journey. The texts live until it is cleared. */
typedef struct fv_journey_outcome {
  size_t struct_size;
  fv_bool is_complete;    /**< the journey was completed, whatever its result */
  fv_check_status result; /**< failed if anything failed; passed if the journey is complete and everything requested is
                             proved to the levels of the configuration's assurance; else not checked */
  const char *error_code; /**< a letter and six digits: why it was not completed; NULL if it was */
  const char *error_text; /**< one sentence; NULL without an error */
  fv_bool is_retryable;   /**< a new journey may succeed without a change */
  const char *json;       /**< credentials, result and error, as in the record; empty once it is cleared */
  fv_presence presence;   /**< level to which presence was proved */
  fv_document_assurance document; /**< level to which the document was proved; the lowest of several */
  fv_binding binding;             /**< reference that the face matched */
} fv_journey_outcome;
#define FV_JOURNEY_OUTCOME_INIT {sizeof(fv_journey_outcome), 0, 0, NULL, NULL, 0, NULL, 0, 0, 0}

/** Describes the result. Status: FV_E_WRONG_STATE before the end. */
FV_API FV_CHECKED fv_status fv_journey_result(fv_journey_outcome *out, const fv_journey *journey);

/** The result of one credential of a journey. The objects and texts live until the journey is cleared. */
typedef struct fv_credential {
  size_t struct_size;
  fv_credential_category category;          /**< what was requested */
  fv_check_status result;                   /**< of this credential alone; 0 if it is not judged */
  const fv_document *document;              /**< the identity document; NULL without one */
  const fv_liveness_decision *liveness;     /**< the liveness decision on the face, with the selfie; NULL without one */
  const fv_decision *decision;              /**< the comparison of the face with the portrait; NULL if there was none */
  fv_scan_mode mode;                        /**< how the face was scanned; 0 without a face */
  fv_presence presence;                     /**< level to which presence was proved; 0 if it is not judged */
  fv_document_assurance document_assurance; /**< level to which the document was proved; 0 if it is not judged */
  fv_binding binding;                       /**< reference that the face matched; 0 if it is not judged */
  fv_bool has_declined;                     /**< the person declined a requested movement */
} fv_credential;
#define FV_CREDENTIAL_INIT {sizeof(fv_credential), 0, 0, NULL, NULL, NULL, 0, 0, 0, 0, 0}

/** Returns the number of credentials, in the order in which they were requested; 0 before the end, and once the journey
 * is cleared. */
FV_API size_t fv_journey_credential_count(const fv_journey *journey);
/** Describes the result of a credential. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_journey_credential_at(fv_credential *out, const fv_journey *journey, size_t index);
/** Returns the number of reasons of a credential: "liveness.", "comparison." or "document." and the reason, and where
 * the evidence falls short of the policy. A passed credential may have reasons, too. */
FV_API size_t fv_journey_reason_count(const fv_journey *journey, size_t credential);
/** Describes a reason. The texts live until the journey is cleared. Status: FV_E_ABSENT if `index` is not below the
 * count. */
FV_API FV_CHECKED fv_status fv_journey_reason_at(fv_reason *out, const fv_journey *journey, size_t credential,
                                                 size_t index);

/** Removes all personal data, and overwrites pictures and templates in memory; identifiers and error remain. Status:
 * FV_E_WRONG_STATE before the end. */
FV_API FV_CHECKED fv_status fv_journey_clear(fv_journey *journey, char *message, size_t message_bytes);

/* ---- Record: the signed decision of a journey, and its basis ----------------------------------------------------- */

/** Signing callback, for a key in a device (HSM). Writes the 64 bytes of an Ed25519 signature (RFC 8032, not
 * pre-hashed) of `bytes` to `signature`. Returns FV_OK on success. Called on the thread of fv_journey_record(). */
typedef fv_status (*fv_sign_function)(const void *bytes, size_t byte_count, void *signature, void *user);

/** The signer of a record: a private key, or a public key and a callback. */
typedef struct fv_signer {
  size_t struct_size;
  const char *private_key; /**< Ed25519 in PEM (PKCS #8, RFC 8410) without a passphrase; NULL: `sign` is used */
  const char *public_key;  /**< in PEM, to verify what `sign` returns; NULL with a private key */
  fv_sign_function sign;   /**< signing callback; NULL with a private key */
  void *sign_user;         /**< passed to `sign` */
} fv_signer;
#define FV_SIGNER_INIT {sizeof(fv_signer), NULL, NULL, NULL, NULL}

/**
 * Returns the signed record of a journey: docs/records.md.
 *
 * Status: FV_E_WRONG_STATE before the end, and once the journey is cleared; FV_E_UNKNOWN_FORMAT for a malformed key;
 * FV_E_INTERNAL if the callback fails or its signature is invalid.
 */
FV_API FV_CHECKED fv_status fv_journey_record(fv_record **out, const fv_journey *journey, const fv_signer *signer,
                                              char *message, size_t message_bytes);
/**
 * Reads a record without verifying it.
 *
 * Status: FV_E_DAMAGED, FV_E_TOO_LARGE for malformed JSON; FV_E_UNKNOWN_FORMAT for JSON that is not a record of a known
 * version.
 */
FV_API FV_CHECKED fv_status fv_record_from_bytes(fv_record **out, const void *bytes, size_t byte_count, char *message,
                                                 size_t message_bytes);
FV_API void fv_record_free(fv_record *record);
/** The record byte for byte, for storage. */
FV_API const char *fv_record_json(const fv_record *record);

/** The result of verifying a record without its evidence. The texts live as long as the record. */
typedef struct fv_record_verification {
  size_t struct_size;
  fv_check_status result; /**< failed if a check failed, passed if all passed; not checked without a trusted key */
  const char *signer;     /**< SHA-256 of the named key, lower-case hexadecimal; NULL if none is named */
  const char *json;       /**< each check and its problems, as `faceverify record verify --json` */
} fv_record_verification;
#define FV_RECORD_VERIFICATION_INIT {sizeof(fv_record_verification), 0, NULL, NULL}

/** Verifies a record with a trusted public key in PEM. `trusted_key` may be NULL: the signer is unknown. Status:
 * FV_E_UNKNOWN_FORMAT for a malformed key. */
FV_API FV_CHECKED fv_status fv_record_verify(fv_record_verification *out, const fv_record *record,
                                             const char *trusted_key, char *message, size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
