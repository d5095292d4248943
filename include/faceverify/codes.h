/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Codes: QR, PDF417, bar codes and others, in pictures and in the frames of a camera. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_CODES_H
#define FACEVERIFY_CODES_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fv_code_scanner fv_code_scanner;
typedef struct fv_codes fv_codes;

/* ---- Codes: what one picture shows ------------------------------------------------------------------------------- */

/** A kind of code. */
typedef int64_t fv_code_format;

enum {
  FV_CODE_FORMAT_QR = 1,
  FV_CODE_FORMAT_MICRO_QR = 2,
  FV_CODE_FORMAT_RMQR = 3,
  FV_CODE_FORMAT_DATA_MATRIX = 4,
  FV_CODE_FORMAT_AZTEC = 5,
  FV_CODE_FORMAT_PDF417 = 6, /**< of driving licences in North America; the compact kind, too */
  FV_CODE_FORMAT_MAXICODE = 7,
  FV_CODE_FORMAT_UPC_A = 8,
  FV_CODE_FORMAT_UPC_E = 9,
  FV_CODE_FORMAT_EAN_8 = 10,
  FV_CODE_FORMAT_EAN_13 = 11,
  FV_CODE_FORMAT_CODE_39 = 12,
  FV_CODE_FORMAT_CODE_93 = 13,
  FV_CODE_FORMAT_CODE_128 = 14,
  FV_CODE_FORMAT_ITF = 15, /**< interleaved two of five */
  FV_CODE_FORMAT_DATABAR = 16,
  FV_CODE_FORMAT_DATABAR_EXPANDED = 17
};

/** "qr", "micro-qr"... */
const char *fv_code_format_name(fv_code_format format);

/** One format in a set of them: sets are added up with `|`. */
#define FV_CODE_FORMAT_BIT(format) ((int64_t)1 << (format))

/** What stands in the way of reading a code. */
typedef int64_t fv_code_fault;

enum {
  FV_CODE_FAULT_NONE_THERE = 1, /**< nothing in the picture looks like a code */
  FV_CODE_FAULT_TOO_FAR = 2,
  FV_CODE_FAULT_TOO_NEAR = 3,
  FV_CODE_FAULT_BLURRED = 4,
  FV_CODE_FAULT_GLARE = 5,
  FV_CODE_FAULT_TILTED = 6,
  FV_CODE_FAULT_PARTLY_OUT_OF_FRAME = 7,
  FV_CODE_FAULT_LOW_CONTRAST = 8,
  FV_CODE_FAULT_NOT_DECODED = 9 /**< something like a code, and nothing is wrong with its picture */
};

/** "none-there", "too-far"... */
const char *fv_code_fault_name(fv_code_fault fault);
/** What to do, in one sentence for people; empty for a number that is no fault. */
const char *fv_code_fault_text(fv_code_fault fault);

/** What is looked for, and how long. */
typedef struct fv_code_options {
  size_t struct_size;
  int64_t formats;  /**< FV_CODE_FORMAT_BIT() of each that is read; 0: all, which takes longest */
  int64_t is_frame; /**< 1: of a stream, where the next one comes soon: only places that look like codes are tried;
                       else 0 */
} fv_code_options;
#define FV_CODE_OPTIONS_INIT {sizeof(fv_code_options), 0, 0}

/**
 * Looks for codes in a picture, at full size. It needs no engine and no models. FV_OK also if there is none.
 *
 * Requires: `options`, `budget` may be NULL: all formats of a photo, without a limit.
 * Status: FV_E_BAD_ARGUMENT; FV_E_DAMAGED and what else pictures have; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_CHECKED fv_status fv_codes_read(fv_codes **out, const fv_image *image, const fv_code_options *options,
                                   const fv_budget *budget, char *message, size_t message_bytes);
void fv_codes_free(fv_codes *codes);
/** Codes that were read. */
size_t fv_codes_count(const fv_codes *codes);

/** A code that was read. The texts live as long as the codes. */
typedef struct fv_code {
  size_t struct_size;
  fv_code_format format;
  const char *text;       /**< by the character sets that the code names, else by the likeliest one; NULL if its bytes are
                             no text. It ends at the first 0 byte: fv_codes_bytes() has all */
  const char *encoding;   /**< of the text: "ASCII", "UTF-8"...; NULL if it is a guess */
  const char *identifier; /**< symbology and options as in ISO/IEC 15424, such as "]Q1" */
  const char *purpose;    /**< "link", "aamva-licence", "mobile-licence-engagement"; NULL if it is not known */
  fv_point upper_left;    /**< as the code is read */
  fv_point upper_right;
  fv_point lower_right;
  fv_point lower_left;
  int64_t is_inverted; /**< 1: light on dark; else 0 */
  int64_t is_mirrored; /**< 1 or 0 */
} fv_code;
#define FV_CODE_INIT {sizeof(fv_code), 0, NULL, NULL, NULL, NULL, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0}

/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_codes_at(fv_code *out, const fv_codes *codes, size_t index);
/** Copies what a code holds, byte for byte. Status: FV_E_ABSENT if `index` is not below the count, FV_E_BAD_ARGUMENT. */
FV_CHECKED fv_status fv_codes_bytes(const fv_codes *codes, size_t index, void *buffer, size_t capacity_bytes,
                                    size_t *byte_count);
/** Why none was read; 0 if one was. */
fv_code_fault fv_codes_fault(const fv_codes *codes);
/** Everything, as `faceverify code --json` has it for a photo, or for a scanner: GS1 elements, places that look like
 * codes... */
const char *fv_codes_json(const fv_codes *codes);

/* ---- Scanner: the codes of one issuer in the frames of a camera; one thread at a time ---------------------------- */

/** Whose codes are scanned, and what is asked of their pictures. At most one of `prefix`, `pattern` and `public_key`
 * says whose; without any, all are the issuer's. */
typedef struct fv_code_scanner_options {
  size_t struct_size;
  int64_t formats;           /**< as fv_code_options has it; of a limited scanner, 0 are bar codes and QR */
  const char *prefix;        /**< the text begins so, letter for letter; NULL: see above */
  const char *pattern;       /**< the text is so as a whole: `*` is any letters or none, `?` one; NULL: see above */
  const char *public_key;    /**< Ed25519 in PEM: the text ends with a signature of all before; NULL: see above */
  const char *separator;     /**< stands between that text and its signature in base64url; NULL without a key */
  double zone_x;             /**< of what must be in the frame beside the code, in its widths from its upper left corner */
  double zone_y;             /**< in its widths */
  double zone_width;         /**< in its widths; 0: there is no zone */
  double zone_height;        /**< in its widths */
  int64_t specimen_side;     /**< pixels of the upright square that a specimen is brought to, at most 4096; 0: 256 */
  double least_side;         /**< pixels of its shortest side that the code must show, to be judged; 0: any */
  double most_edge;          /**< pixels that an edge of the code may take, to be judged; 0: any */
  int64_t frames_to_confirm; /**< good frames of the same code that confirm it, 1 to 1000; 0: 3 */
  int64_t frames_to_give_up; /**< frames that are not sharp enough, until the best of them is given out; 0: 60 */
  int64_t is_limited;        /**< 1: codes are read by what they say alone, and at once; else 0 */
  int64_t has_torch;         /**< 1: the camera has a lamp; else 0 */
  int64_t is_camera_unsupported; /**< 1: the camera cannot give what is to be judged; else 0 */
} fv_code_scanner_options;
#define FV_CODE_SCANNER_OPTIONS_INIT \
  {sizeof(fv_code_scanner_options), 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** Requires: `options` may be NULL: everybody's codes. Status: FV_E_BAD_ARGUMENT, FV_E_UNKNOWN_FORMAT for what is no
 * key. */
FV_CHECKED fv_status fv_code_scanner_create(fv_code_scanner **out, const fv_code_scanner_options *options,
                                            char *message, size_t message_bytes);
void fv_code_scanner_free(fv_code_scanner *scanner);
/** Wants frames, and looks at them, from the beginning. Status: FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_start(fv_code_scanner *scanner);
/** Wants no frames, and looks at none. Status: FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_pause(fv_code_scanner *scanner);
/** Looks at frames again, from the beginning; whether they are wanted stays as it is. Status: FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_resume(fv_code_scanner *scanner);
/** Asks for the camera's lamp: 1, or 0. Status: FV_E_BAD_ARGUMENT if it has none, FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_set_torch(fv_code_scanner *scanner, int64_t is_on);

/** What a scanner wants now. */
typedef struct fv_code_scanner_info {
  size_t struct_size;
  int64_t is_source_wanted; /**< 1: the program should get frames from the camera; else 0 */
  int64_t is_processing;    /**< 1: frames are looked at; else 0 */
  int64_t is_torch_wanted;  /**< 1: the program should light the lamp; else 0 */
} fv_code_scanner_info;
#define FV_CODE_SCANNER_INFO_INIT {sizeof(fv_code_scanner_info), 0, 0, 0}

/** Status: FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_describe(fv_code_scanner_info *out, const fv_code_scanner *scanner);

/** Whether a scanner goes on. */
typedef int64_t fv_code_report;

enum {
  FV_CODE_REPORT_COMPLETED = 1, /**< processing has stopped: fv_code_scanner_start() begins anew */
  FV_CODE_REPORT_IN_PROGRESS = 2,
  FV_CODE_REPORT_UNSUPPORTED = 3 /**< the camera cannot give what is to be judged; processing has stopped if a code was
                                    seen */
};

/** "completed", "in-progress", "unsupported". */
const char *fv_code_report_name(fv_code_report report);

/** What a frame showed. */
typedef int64_t fv_code_state;

enum {
  FV_CODE_STATE_OK = 1,
  FV_CODE_STATE_BLURRY = 2,            /**< the issuer's, not sharp enough to be judged */
  FV_CODE_STATE_TOO_SMALL = 3,         /**< the issuer's, too small in the frame to be judged */
  FV_CODE_STATE_UNREADABLE = 4,        /**< no code that can be read */
  FV_CODE_STATE_NOT_PROPRIETARY = 5,   /**< a code, but not the issuer's */
  FV_CODE_STATE_ZONE_NOT_IN_FRAME = 6, /**< the issuer's, but the zone beside it is not in the frame */
  FV_CODE_STATE_NO_AUTHENTICATION = 7  /**< the issuer's, without anything to judge it by */
};

/** "ok", "blurry"... */
const char *fv_code_state_name(fv_code_state state);

/** What a scanner says of a frame. */
typedef struct fv_code_scan {
  size_t struct_size;
  fv_code_report report;
  fv_code_state state;
  fv_code_fault fault; /**< what keeps the likeliest code from being read; 0 if one was */
  int64_t is_final;    /**< 1: the scanner stopped with it; else 0 */
  double resolution;   /**< pixels of the frame for each of the specimen: below 1 it has less detail than it seems; NaN
                          without one */
  double edge;         /**< pixels of the frame from dark to light at its sharpest edges; NaN without one */
  double contrast;     /**< its grey levels between dark and light; NaN without one */
} fv_code_scan;
#define FV_CODE_SCAN_INIT {sizeof(fv_code_scan), 0, 0, 0, 0, 0, 0, 0}

/**
 * Looks at the next frame.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_ABSENT if no frame is looked at now; as fv_codes_read(); FV_E_BUSY.
 */
FV_CHECKED fv_status fv_code_scanner_process(fv_code_scan *out, fv_code_scanner *scanner, const fv_image *frame,
                                             const fv_budget *budget, char *message, size_t message_bytes);
/** What the last frame showed, or once it is confirmed, the code of the best frame alone: an object of its own, to be
 * freed. Status: FV_E_ABSENT before the first frame, FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_codes(fv_codes **out, const fv_code_scanner *scanner);
/** The code of the best frame, upright and square, for the program to judge its print: a picture of its own, to be
 * freed. Status: FV_E_ABSENT before a report that is completed, FV_E_BUSY. */
FV_CHECKED fv_status fv_code_scanner_specimen(fv_image **out, const fv_code_scanner *scanner);
/** The zone beside it, as wide as the specimen. Status: as for that, and FV_E_ABSENT without a zone. */
FV_CHECKED fv_status fv_code_scanner_zone(fv_image **out, const fv_code_scanner *scanner);

#ifdef __cplusplus
}
#endif

#endif
