/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Codes: QR, PDF417, bar codes and others, in images and camera frames. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_CODES_H
#define FACEVERIFY_CODES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scanner for the codes of one issuer in camera frames. Not thread-safe: a concurrent call returns FV_E_BUSY. */
typedef struct fv_code_scanner fv_code_scanner;
/** The result of reading the codes of one image. Immutable, thread-safe. */
typedef struct fv_codes fv_codes;

/* ---- Codes: reading one image ------------------------------------------------------------------------------------ */

/** The symbology of a code. */
typedef int64_t fv_code_format;

enum {
  FV_CODE_FORMAT_QR = 1,
  FV_CODE_FORMAT_MICRO_QR = 2,
  FV_CODE_FORMAT_RMQR = 3,
  FV_CODE_FORMAT_DATA_MATRIX = 4,
  FV_CODE_FORMAT_AZTEC = 5,
  FV_CODE_FORMAT_PDF417 = 6, /**< on driving licences of North America; includes compact PDF417 */
  FV_CODE_FORMAT_MAXICODE = 7,
  FV_CODE_FORMAT_UPC_A = 8,
  FV_CODE_FORMAT_UPC_E = 9,
  FV_CODE_FORMAT_EAN_8 = 10,
  FV_CODE_FORMAT_EAN_13 = 11,
  FV_CODE_FORMAT_CODE_39 = 12,
  FV_CODE_FORMAT_CODE_93 = 13,
  FV_CODE_FORMAT_CODE_128 = 14,
  FV_CODE_FORMAT_ITF = 15, /**< interleaved 2 of 5 */
  FV_CODE_FORMAT_DATABAR = 16,
  FV_CODE_FORMAT_DATABAR_EXPANDED = 17
};

/** Returns the name: "qr", "micro-qr"... */
FV_API const char *fv_code_format_name(fv_code_format format);

/** A set of formats: FV_CODE_FORMAT_BIT() of each, combined with `|`. */
typedef int64_t fv_code_format_set;
#define FV_CODE_FORMAT_BIT(format) ((fv_code_format_set)1 << (format))

/** The reason why no code was read. */
typedef int64_t fv_code_fault;

enum {
  FV_CODE_FAULT_NONE_THERE = 1, /**< nothing in the image looks like a code */
  FV_CODE_FAULT_TOO_FAR = 2,
  FV_CODE_FAULT_TOO_NEAR = 3,
  FV_CODE_FAULT_BLURRED = 4,
  FV_CODE_FAULT_GLARE = 5,
  FV_CODE_FAULT_TILTED = 6,
  FV_CODE_FAULT_PARTLY_OUT_OF_FRAME = 7,
  FV_CODE_FAULT_LOW_CONTRAST = 8,
  FV_CODE_FAULT_NOT_DECODED = 9 /**< a code was detected and the image has no fault: it is damaged, or its format is not
                                   supported or was not requested */
};

/** Returns the name: "none-there", "too-far"... */
FV_API const char *fv_code_fault_name(fv_code_fault fault);
/** Returns what to do, in one sentence for people; empty for a number that is no fault. */
FV_API const char *fv_code_fault_text(fv_code_fault fault);

/** The extent of a search for codes. */
typedef struct fv_code_options {
  size_t struct_size;
  fv_code_format_set formats; /**< the formats to read; 0: all, which is slowest */
  fv_bool is_frame;           /**< a frame of a stream, soon followed by another: searches only regions that look like
                                 codes */
} fv_code_options;
#define FV_CODE_OPTIONS_INIT {sizeof(fv_code_options), 0, 0}

/**
 * Reads the codes of an image at full resolution. Needs no engine, only the model `code-locator` in the default models
 * folder. Returns FV_OK even if there is no code.
 *
 * Requires: `options`, `budget` may be NULL: all formats, a photo, no limit.
 * Status: FV_E_BAD_ARGUMENT; FV_E_MODEL_MISSING, FV_E_MODEL_MISMATCH; FV_E_DAMAGED and other errors of images;
 * FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_codes_read(fv_codes **out, const fv_image *image, const fv_code_options *options,
                                          const fv_budget *budget, char *message, size_t message_bytes);
FV_API void fv_codes_free(fv_codes *codes);
/** Returns the number of codes that were read. */
FV_API size_t fv_codes_count(const fv_codes *codes);

/** A decoded code. The texts live as long as the codes. */
typedef struct fv_code {
  size_t struct_size;
  fv_code_format format;  /**< its symbology */
  const char *text;       /**< the bytes in the character sets that the code declares, or else the likeliest one; NULL
                             if they are not text. Zero-terminated, so it ends at a 0 byte in the code: fv_codes_bytes()
                             has all */
  const char *encoding;   /**< character set of `text`: "ASCII", "UTF-8", "ISO-8859-1" or the declared one; NULL for
                             another, guessed one */
  const char *identifier; /**< symbology identifier of ISO/IEC 15424, such as "]Q1" */
  const char *purpose;    /**< "link", "aamva-licence", "mobile-licence-engagement"; NULL if unknown */
  fv_point upper_left;    /**< corner in pixels of the upright image; upper and left are those of the reading
                             direction */
  fv_point upper_right;
  fv_point lower_right;
  fv_point lower_left;
  fv_bool is_inverted; /**< light on dark */
  fv_bool is_mirrored; /**< seen from behind, or in a mirror */
} fv_code;
#define FV_CODE_INIT {sizeof(fv_code), 0, NULL, NULL, NULL, NULL, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0}

/** Describes a code. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_codes_at(fv_code *out, const fv_codes *codes, size_t index);
/** Copies the content of a code, byte for byte. Status: FV_E_ABSENT if `index` is not below the count,
 * FV_E_BUFFER_TOO_SMALL, FV_E_BAD_ARGUMENT. */
FV_API FV_CHECKED fv_status fv_codes_bytes(const fv_codes *codes, size_t index, void *buffer, size_t capacity_bytes,
                                           size_t *byte_count);
/** Returns why no code was read; 0 if one was. */
FV_API fv_code_fault fv_codes_fault(const fv_codes *codes);
/** All results as JSON, as `faceverify code --json` prints them for a photo, or a scanner's for a frame; includes GS1
 * elements and regions that look like codes. */
FV_API const char *fv_codes_json(const fv_codes *codes);

/* ---- Scanner: the codes of one issuer in camera frames; not thread-safe ------------------------------------------ */

/** The issuer whose codes are scanned, and the requirements on their images. At most one of `prefix`, `pattern` and
 * `public_key` identifies the issuer's codes; with none, every code is the issuer's. */
typedef struct fv_code_scanner_options {
  size_t struct_size;
  fv_code_format_set formats;    /**< as in fv_code_options; if `is_limited`, 0 is bar codes and QR */
  const char *prefix;            /**< the beginning of the issuer's texts, case-sensitive; may be NULL */
  const char *pattern;           /**< a pattern for whole texts: `*` is any number of characters, `?` is one; may be
                                    NULL */
  const char *public_key;        /**< Ed25519 in PEM; the issuer's texts end with its signature of the text before; may
                                    be NULL */
  const char *separator;         /**< separates that text from its signature in base64url; NULL without a key */
  double zone_x;                 /**< left side of a zone next to the code that must be in the frame, from the code's
                                    upper left corner, in widths of the code */
  double zone_y;                 /**< its upper side, in widths of the code */
  double zone_width;             /**< in widths of the code; 0: no zone */
  double zone_height;            /**< in widths of the code */
  int64_t specimen_side;         /**< side of the square specimen in pixels, at most 4096; 0: 256 */
  double least_side;             /**< minimum length of the code's shortest side in pixels to be judged; 0: any */
  double most_edge;              /**< maximum width of the code's edges in pixels to be judged; 0: any */
  int64_t frames_to_confirm;     /**< good frames of the same code that confirm it, 1 to 1000; 0: 3 */
  int64_t frames_to_give_up;     /**< blurred frames after which the best of them is reported as it is; 0: 60 */
  fv_bool is_limited;            /**< completes with the first code read, judging its content only */
  fv_bool has_torch;             /**< the camera has a torch */
  fv_bool is_camera_unsupported; /**< the camera does not meet the requirements of judging */
} fv_code_scanner_options;
#define FV_CODE_SCANNER_OPTIONS_INIT                                                                                   \
  {sizeof(fv_code_scanner_options), 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Creates a scanner; fv_code_scanner_start() starts it.
 *
 * Requires: `options` may be NULL: codes of any issuer.
 * Status: FV_E_BAD_ARGUMENT; FV_E_UNKNOWN_FORMAT for a `public_key` that is not a key; FV_E_MODEL_MISSING,
 * FV_E_MODEL_MISMATCH.
 */
FV_API FV_CHECKED fv_status fv_code_scanner_create(fv_code_scanner **out, const fv_code_scanner_options *options,
                                                   char *message, size_t message_bytes);
FV_API void fv_code_scanner_free(fv_code_scanner *scanner);
/** Requests frames and restarts processing. Status: FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_start(fv_code_scanner *scanner);
/** Stops requesting and processing frames. Status: FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_pause(fv_code_scanner *scanner);
/** Restarts processing; whether frames are requested does not change. Status: FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_resume(fv_code_scanner *scanner);
/** Requests the camera's torch on or off. Status: FV_E_BAD_ARGUMENT if it has none, FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_set_torch(fv_code_scanner *scanner, fv_bool is_on);

/** The state of a scanner. */
typedef struct fv_code_scanner_info {
  size_t struct_size;
  fv_bool is_source_wanted; /**< the program should supply camera frames */
  fv_bool is_processing;    /**< frames are processed */
  fv_bool is_torch_wanted;  /**< the program should turn the torch on */
} fv_code_scanner_info;
#define FV_CODE_SCANNER_INFO_INIT {sizeof(fv_code_scanner_info), 0, 0, 0}

/** Describes the current state. Status: FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_describe(fv_code_scanner_info *out, const fv_code_scanner *scanner);

/** The progress of a scan. */
typedef int64_t fv_code_report;

enum {
  FV_CODE_REPORT_COMPLETED = 1, /**< processing has stopped: fv_code_scanner_start() starts a new scan */
  FV_CODE_REPORT_IN_PROGRESS = 2,
  FV_CODE_REPORT_UNSUPPORTED = 3 /**< the camera does not meet the requirements; processing has stopped if a code was
                                    seen */
};

/** Returns the name: "completed", "in-progress", "unsupported". */
FV_API const char *fv_code_report_name(fv_code_report report);

/** The state of the code in one frame. */
typedef int64_t fv_code_state;

enum {
  FV_CODE_STATE_OK = 1,
  FV_CODE_STATE_BLURRY = 2,            /**< the issuer's, but not sharp enough to be judged */
  FV_CODE_STATE_TOO_SMALL = 3,         /**< the issuer's, but too small in the frame to be judged */
  FV_CODE_STATE_UNREADABLE = 4,        /**< no readable code */
  FV_CODE_STATE_NOT_PROPRIETARY = 5,   /**< a code, but not the issuer's */
  FV_CODE_STATE_ZONE_NOT_IN_FRAME = 6, /**< the issuer's, but the zone next to it is not in the frame */
  FV_CODE_STATE_NO_AUTHENTICATION = 7  /**< the issuer's, but without a feature to judge; never reported */
};

/** Returns the name: "ok", "blurry"... */
FV_API const char *fv_code_state_name(fv_code_state state);

/** The result of processing a frame. */
typedef struct fv_code_scan {
  size_t struct_size;
  fv_code_report report;
  fv_code_state state;
  fv_code_fault fault; /**< why the likeliest code was not read; 0 if one was */
  fv_bool is_final;    /**< the scanner stopped with this frame */
  double resolution;   /**< frame pixels per specimen pixel: below 1 the specimen is upsampled; NaN without one */
  double edge;         /**< width of the specimen's sharpest edges in frame pixels; NaN without one */
  double contrast;     /**< grey levels between the specimen's dark and light; NaN without one */
} fv_code_scan;
#define FV_CODE_SCAN_INIT {sizeof(fv_code_scan), 0, 0, 0, 0, 0, 0, 0}

/**
 * Processes the next frame.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_ABSENT while processing is stopped; those of fv_codes_read(); FV_E_BUSY.
 */
FV_API FV_CHECKED fv_status fv_code_scanner_process(fv_code_scan *out, fv_code_scanner *scanner, const fv_image *frame,
                                                    const fv_budget *budget, char *message, size_t message_bytes);
/** Returns the codes of the last frame, or after confirmation the code of the best frame only, as a new object that the
 * caller frees. Status: FV_E_ABSENT before the first frame, FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_codes(fv_codes **out, const fv_code_scanner *scanner);
/** Returns the code of the best frame, upright and square, for the program to judge its print, as a new image that the
 * caller frees. Status: FV_E_ABSENT before a completed report, FV_E_BUSY. */
FV_API FV_CHECKED fv_status fv_code_scanner_specimen(fv_image **out, const fv_code_scanner *scanner);
/** Returns the zone next to it, as wide as the specimen. Status: as fv_code_scanner_specimen(); FV_E_ABSENT also
 * without a zone. */
FV_API FV_CHECKED fv_status fv_code_scanner_zone(fv_image **out, const fv_code_scanner *scanner);

#ifdef __cplusplus
}
#endif

#endif
