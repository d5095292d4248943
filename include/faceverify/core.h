/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The engine, pictures, comparisons, quality, and templates. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_CORE_H
#define FACEVERIFY_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FV_CHECKED __attribute__((warn_unused_result))
#else
#define FV_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fv_cancellation fv_cancellation;
typedef struct fv_candidates fv_candidates;
typedef struct fv_decision fv_decision;
typedef struct fv_engine fv_engine;
typedef struct fv_faces fv_faces;
typedef struct fv_gallery fv_gallery;
typedef struct fv_image fv_image;
typedef struct fv_models fv_models;
typedef struct fv_quality_policy fv_quality_policy;
typedef struct fv_sample fv_sample;
typedef struct fv_template fv_template;

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/** Of this header: 10000 * major + 100 * minor + patch. */
#define FV_VERSION_NUMBER 200u

/** The number of the library in use; FV_VERSION_NUMBER is that of the header a program was compiled with. */
uint32_t fv_version_number(void);

/** Such as "0.2.0" (semantic versioning). Never NULL. */
const char *fv_version_string(void);

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/** 0, or a negative number that says what could not be done. Numbers never change their meaning. */
typedef int32_t fv_status;

enum {
  FV_OK = 0,
  FV_E_BAD_ARGUMENT = -1,           /**< NULL, out of range, or no handle that lives: a mistake in the program */
  FV_E_UNREADABLE = -2,             /**< a file cannot be opened or read */
  FV_E_UNKNOWN_FORMAT = -3,         /**< no picture, template, certificate... of a kind that is read */
  FV_E_DAMAGED = -4,                /**< the right kind, but cut off or broken */
  FV_E_TOO_LARGE = -5,              /**< beyond the limits on pixels or bytes */
  FV_E_NO_FACE = -6,                /**< no face was found in the picture */
  FV_E_INCOMPATIBLE_TEMPLATE = -7,  /**< a template of other models: make it anew from its photo */
  FV_E_MODEL_MISSING = -8,          /**< a model file is not installed */
  FV_E_MODEL_MISMATCH = -9,         /**< a model file is not the one that the manifest names */
  FV_E_UNSUPPORTED_RATE = -10,      /**< the calibration data do not support this false-match rate */
  FV_E_UNWRITABLE = -11,            /**< a file cannot be written */
  FV_E_WRONG_STATE = -12,           /**< not in this state of the object */
  FV_E_INTERNAL = -13,              /**< a library failed in a way that no input should cause */
  FV_E_BUSY = -14,                  /**< another thread uses this object */
  FV_E_ABSENT = -15,                /**< there is no such thing */
  FV_E_VERSION = -16,               /**< the program was compiled for another major version, or a later minor one */
  FV_E_TIMEOUT = -17,               /**< the seconds of the budget were over before the call had ended */
  FV_E_CANCELLED = -18              /**< the call was cancelled */
};

/** The name of a status, as in the JSON of the command line: "ok", "no-face"...; "unknown" for any other number. */
const char *fv_status_name(fv_status status);

/**
 * 1 if another attempt may succeed without a change to program or installation: with another picture (no face,
 * unreadable, unknown format, damaged, too large) or a moment later (busy, timeout). Else 0.
 */
int fv_status_is_retryable(fv_status status);

/** Room for every message of this release. */
#define FV_MESSAGE_BYTES 1024

/**
 * Makes a struct ready as its _INIT macro does, for languages without macros: all bytes 0, then its size.
 *
 * Requires: `byte_count` is the struct's size, at least sizeof(size_t). `structure` may be NULL: then nothing is done.
 */
void fv_struct_init(void *structure, size_t byte_count);

/* ---- Engine: the models, loaded once and shared by all threads --------------------------------------------------- */

/** How much a line of the log matters. */
typedef int64_t fv_log_level;

enum {
  FV_LOG_LEVEL_DEBUG = 1,  /**< how each call went: its name, its time, the name of its status */
  FV_LOG_LEVEL_INFO = 2,   /**< what was loaded */
  FV_LOG_LEVEL_WARNING = 3 /**< what works, but slower or less well than it could */
};

/** "debug", "info", "warning". */
const char *fv_log_level_name(fv_log_level level);

/**
 * Takes a line of the log; `text` is valid until it returns. It is called on the thread of the call that the line tells
 * of, by several threads at the same time if several call, and must not call the engine.
 */
typedef void (*fv_log_function)(fv_log_level level, const char *text, void *user);

/** How the models are loaded. */
typedef struct fv_engine_options {
  size_t struct_size;
  /**
   * The folder with manifest.json and the models. NULL: $FACEVERIFY_MODELS, else share/faceverify/models in the prefix
   * that the library is installed in, found from the place of the library's file.
   */
  const char *models_folder;
  /**
   * "retail", "default", or "dlib": slower, needs no OpenVINO, no mesh. NULL: "retail" if its files are in the folder, else
   * "default"; fv_engine_json() says which. Templates of one set cannot be compared by another.
   */
  const char *model_set;
  const char *cache_folder; /**< for compiled models; NULL: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify */
  /** Calls that run at full speed at the same time, 1 to 64; more wait. Each but the first makes creation 0.1 s longer.
   * 0: 1. */
  int64_t thread_count;
  /** Is told how the engine works, never of whom it sees, nor how a comparison came out. NULL: nobody is. */
  fv_log_function log;
  void *log_user; /**< is handed to `log`; it must live as long as the engine, and all that was made from it */
  /**
   * What the networks compute in: "f32", the same scores on every machine, or "auto": bf16 where the processor has units
   * for it, which is faster; the models' "precision" in JSON tells what came of it. Scores move by less than 0.2
   * (set retail: 0.4), and templates of both can be compared. NULL: "f32"
   */
  const char *precision;
} fv_engine_options;
#define FV_ENGINE_OPTIONS_INIT {sizeof(fv_engine_options), NULL, NULL, NULL, 0, NULL, NULL, NULL}

/**
 * Reads, checks and compiles the models: 0.2 s, the first time on a machine about a second.
 *
 * Requires: `header_version` is FV_VERSION_NUMBER. `options` may be NULL.
 * Status: FV_E_VERSION, FV_E_BAD_ARGUMENT, FV_E_MODEL_MISSING, FV_E_MODEL_MISMATCH, FV_E_DAMAGED, FV_E_INTERNAL.
 */
FV_CHECKED fv_status fv_engine_create(fv_engine **out, uint32_t header_version, const fv_engine_options *options,
                                      char *message, size_t message_bytes);

/** What was made from the engine stays usable, and keeps the models in memory until it is freed as well. */
void fv_engine_free(fv_engine *engine);

/** Makes ready for the first call: after this, no call pays for anything but its own work. Status: FV_E_INTERNAL. */
FV_CHECKED fv_status fv_engine_preload(const fv_engine *engine, char *message, size_t message_bytes);

/** Version, models, thresholds, and the data that these rest on, as JSON; NULL if there is no such engine. */
const char *fv_engine_json(const fv_engine *engine);

/* ---- Comparison: is it the same person? -------------------------------------------------------------------------- */

/** One side of a comparison: exactly one of the pointers is set. */
typedef struct fv_input {
  size_t struct_size;
  const char *path;                 /**< a picture or template file, known by its content; read with default limits */
  const fv_image *image;            /**< see fv_image_from_file() */
  const fv_template *face_template; /**< its quality was judged when it was made, and is not judged again */
} fv_input;
#define FV_INPUT_INIT {sizeof(fv_input), NULL, NULL, NULL}

/** What a decision is made by. */
typedef struct fv_comparison_policy {
  size_t struct_size;
  const fv_quality_policy *selfie;   /**< what is asked of the selfie; copied; NULL: "selfie" */
  const fv_quality_policy *portrait; /**< what is asked of the portrait; copied; NULL: "document-portrait" */
  double false_match_rate;           /**< share of other people that may be called a match, as for
                                        fv_engine_threshold(). 0: 1e-3 */
} fv_comparison_policy;
#define FV_COMPARISON_POLICY_INIT {sizeof(fv_comparison_policy), NULL, NULL, 0}

/** How long a call may take. It is looked at between the steps of the work, some milliseconds apart. */
typedef struct fv_budget {
  size_t struct_size;
  double seconds;                      /**< from the call on, after which it ends with FV_E_TIMEOUT; 0: unlimited */
  const fv_cancellation *cancellation; /**< which ends it with FV_E_CANCELLED; NULL: none */
} fv_budget;
#define FV_BUDGET_INIT {sizeof(fv_budget), 0, NULL}

/**
 * Decides whether the selfie shows the person of the portrait. FV_OK for every answer: see fv_decision_result().
 *
 * Requires: `policy` and `budget` may be NULL: the defaults, and no limit.
 * Status: FV_E_NO_FACE and what cannot be read, with the side in the message; FV_E_INCOMPATIBLE_TEMPLATE;
 * FV_E_UNSUPPORTED_RATE; FV_E_TIMEOUT, FV_E_CANCELLED; FV_E_BUSY while another thread changes a quality policy.
 */
FV_CHECKED fv_status fv_engine_compare(fv_decision **out, const fv_engine *engine, const fv_input *selfie,
                                       const fv_input *portrait, const fv_comparison_policy *policy,
                                       const fv_budget *budget, char *message, size_t message_bytes);

/* ---- Decision: the answer, with everything it rests on ----------------------------------------------------------- */

/** The answer of a decision. */
typedef int64_t fv_result;

enum {
  FV_RESULT_MATCH = 1,
  FV_RESULT_NO_MATCH = 2,
  FV_RESULT_REFUSED = 3 /**< a photo is not good enough to decide, or both are copies of one; the reasons say why */
};

/** "match", "no-match", "refused". */
const char *fv_result_name(fv_result result);

/** Why a decision is what it is, or a warning about it. The texts live as long as the decision. */
typedef struct fv_reason {
  size_t struct_size;
  const char *code; /**< from a fixed list: see the function that gives it */
  const char *text; /**< one sentence for people */
} fv_reason;
#define FV_REASON_INIT {sizeof(fv_reason), NULL, NULL}

/** How two templates compare. */
typedef struct fv_comparison {
  size_t struct_size;
  /** Distance in units of each side's nearest other people: smaller is closer; around 0 lie others who look alike. */
  double score;
  double threshold;  /**< a score up to this is a match */
  double decided_at; /**< the false-match rate that the threshold stands for */
  /** 0 to 100: 25 for each factor of ten in the upper bound of the false-match rate; 75 is one in a thousand. */
  double similarity;
  /** Share of other people who come at least as close as this score, in the group in which they look most alike. */
  double false_match_rate;
  double false_match_rate_upper_bound; /**< of its 95 % confidence interval */
  int64_t is_match;                    /**< 1 or 0 */
  int64_t is_beyond_calibration;       /**< 1: the false-match rate is the least that the data can tell; else 0 */
  double overall_false_match_rate;     /**< share of all other people who come at least as close */
} fv_comparison;
#define FV_COMPARISON_INIT {sizeof(fv_comparison), 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** 0 if there is no such decision. */
fv_result fv_decision_result(const fv_decision *decision);
/** Reasons why it is no match, or warnings about one that is; 0 only for a match. */
size_t fv_decision_reason_count(const fv_decision *decision);
/**
 * The code is "score-beyond-threshold", "same-picture", "selfie." or "portrait." and a quality measure, or "document." and
 * what there is to know of the document's portrait.
 *
 * Status: FV_E_ABSENT if `index` is not below the count.
 */
FV_CHECKED fv_status fv_decision_reason_at(fv_reason *out, const fv_decision *decision, size_t index);
/** Status: FV_E_ABSENT if the decision was refused. */
FV_CHECKED fv_status fv_decision_comparison(fv_comparison *out, const fv_decision *decision);
/** What the selfie gave; NULL if it was a template. */
const fv_sample *fv_decision_selfie(const fv_decision *decision);
/** What the portrait gave; NULL if it was a template. */
const fv_sample *fv_decision_portrait(const fv_decision *decision);
/** The decision record: the same input, version and models give the same bytes, as `faceverify compare --json`. */
const char *fv_decision_json(const fv_decision *decision);
void fv_decision_free(fv_decision *decision);

/* ---- Cancellation: ends calls from another thread ---------------------------------------------------------------- */

/** Any number of calls may have it in their budget, one after the other or at the same time. */
FV_CHECKED fv_status fv_cancellation_create(fv_cancellation **out, char *message, size_t message_bytes);
/** From now on: calls that run end soon, and later ones at once. It cannot be taken back. Any thread may ask for it. */
void fv_cancellation_cancel(const fv_cancellation *cancellation);
void fv_cancellation_free(fv_cancellation *cancellation);

/* ---- Image: a picture whose header was read and checked ---------------------------------------------------------- */

/** What a picture may cost at most, checked before anything of that size is allocated. */
typedef struct fv_image_limits {
  size_t struct_size;
  int64_t maximum_pixels; /**< of the stored picture; 0: 100 million, twice the sensor of a good telephone */
  int64_t maximum_bytes;  /**< of the file; 0: 64 MiB */
} fv_image_limits;
#define FV_IMAGE_LIMITS_INIT {sizeof(fv_image_limits), 0, 0}

/**
 * How the 8-bit samples of pixels lie in memory. Of formats with several planes, the planes follow each other in one
 * piece of memory, each with all bytes of its rows but for the last row of the last plane; the row stride is that of
 * the luma plane. Luma and chroma are those of BT.601 with limited range, as cameras give them; chroma has half the
 * width, rounded up.
 */
typedef int64_t fv_pixel_format;

enum {
  FV_PIXEL_FORMAT_RGB8 = 1,
  FV_PIXEL_FORMAT_BGR8 = 2,
  FV_PIXEL_FORMAT_RGBA8 = 3, /**< the fourth byte is not used */
  FV_PIXEL_FORMAT_BGRA8 = 4, /**< the fourth byte is not used */
  FV_PIXEL_FORMAT_GRAY8 = 5,
  FV_PIXEL_FORMAT_NV12 = 6, /**< luma; then blue and red chroma in turns: same stride, a row for two of pixels */
  FV_PIXEL_FORMAT_I420 = 7, /**< luma; then blue, then red chroma: half the stride, a row for two of pixels */
  FV_PIXEL_FORMAT_YUYV = 8  /**< luma, blue chroma, luma, red chroma for every two pixels */
};

/** "rgb8", "bgr8"... */
const char *fv_pixel_format_name(fv_pixel_format format);

/** Raw pixels that belong to the caller. All fields are checked against each other before a pixel is read. */
typedef struct fv_image_view {
  size_t struct_size;
  const void *data;             /**< the first row is the upper one */
  size_t byte_count;            /**< that may be read: all rows of all planes, the last one without its padding */
  int64_t width;                /**< pixels, 1 to 2^20 */
  int64_t height;               /**< rows, 1 to 2^20 */
  int64_t row_stride;           /**< bytes from one row to the next; 0: rows are tightly packed */
  fv_pixel_format pixel_format; /**< how a pixel lies in memory */
} fv_image_view;
#define FV_IMAGE_VIEW_INIT {sizeof(fv_image_view), NULL, 0, 0, 0, 0, 0}

/**
 * Reads a JPEG, PNG, JPEG 2000, WebP, TIFF or BMP file, HEIC and AVIF where libheif is installed, known by its content.
 * Only regular files are read. EXIF orientation and colour profiles are applied.
 *
 * Requires: `path` is UTF-8; read a file of another name yourself, and use fv_image_from_bytes(). `limits` may be NULL.
 * Status: FV_E_UNREADABLE, FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED, FV_E_TOO_LARGE. Pixels are decoded later: damage that is
 * not in the header is found by the call that uses the image.
 */
FV_CHECKED fv_status fv_image_from_file(fv_image **out, const char *path, const fv_image_limits *limits, char *message,
                                        size_t message_bytes);
/** The same from memory, which is copied. `limits` may be NULL. */
FV_CHECKED fv_status fv_image_from_bytes(fv_image **out, const void *bytes, size_t byte_count,
                                         const fv_image_limits *limits, char *message, size_t message_bytes);
/** Copies raw pixels, which are taken to be upright. `limits` may be NULL. Status: FV_E_BAD_ARGUMENT,
 * FV_E_TOO_LARGE. */
FV_CHECKED fv_status fv_image_from_pixels(fv_image **out, const fv_image_view *view, const fv_image_limits *limits,
                                          char *message, size_t message_bytes);
void fv_image_free(fv_image *image);

/** What is known of a picture. The texts live as long as the image. */
typedef struct fv_image_info {
  size_t struct_size;
  int64_t width;      /**< pixels, upright */
  int64_t height;     /**< pixels, upright */
  const char *format; /**< "jpeg", "png", "jpeg2000", "webp", "heic", "avif", "tiff", "bmp" or "pixels" */
  const char *sha256; /**< of the file, or of the pixels as RGB; lower-case hexadecimal */
} fv_image_info;
#define FV_IMAGE_INFO_INIT {sizeof(fv_image_info), 0, 0, NULL, NULL}

FV_CHECKED fv_status fv_image_describe(fv_image_info *out, const fv_image *image);
/**
 * Decodes the pixels, upright: red, green and blue of each in a byte, rows tightly packed. Asking for the count decodes
 * nothing.
 *
 * Ensures: `*byte_count` is 3 * width * height.
 * Status: FV_E_DAMAGED.
 */
FV_CHECKED fv_status fv_image_pixels(const fv_image *image, void *rgb, size_t capacity_bytes, size_t *byte_count,
                                     char *message, size_t message_bytes);

/** The format of a picture's file. */
typedef int64_t fv_image_encoding;

enum {
  FV_IMAGE_ENCODING_PNG = 1, /**< without loss */
  FV_IMAGE_ENCODING_JPEG = 2 /**< at quality 95, colour at full resolution: a template moves less by it than by a second
                                photo of the person */
};

/** "png", "jpeg". */
const char *fv_image_encoding_name(fv_image_encoding encoding);

/**
 * The picture as a file, such as the selfie of a session. The file is kept with the image, so that asking for its count
 * first costs no more.
 *
 * Status: FV_E_DAMAGED; FV_E_TOO_LARGE for a JPEG with a side of more than 65,535 pixels.
 */
FV_CHECKED fv_status fv_image_encode(const fv_image *image, fv_image_encoding encoding, void *bytes,
                                     size_t capacity_bytes, size_t *byte_count, char *message, size_t message_bytes);

/* ---- Sample: what one picture gave ------------------------------------------------------------------------------- */

/** What became of a check. There are three values, never two. */
typedef int64_t fv_check_status;

enum {
  FV_CHECK_STATUS_PASSED = 1,
  FV_CHECK_STATUS_FAILED = 2,
  FV_CHECK_STATUS_NOT_CHECKED = 3 /**< could not be determined, or nothing was asked: never taken for passed */
};

/** "passed", "failed", "not-checked". */
const char *fv_check_status_name(fv_check_status check_status);

/** What a failed check means for its picture. */
typedef int64_t fv_consequence;

enum {
  FV_CONSEQUENCE_REFUSE = 1, /**< the picture must not be used */
  FV_CONSEQUENCE_WARN = 2    /**< it may be used; results are less certain */
};

/** "refuse", "warn". */
const char *fv_consequence_name(fv_consequence consequence);

/** One quality check of a picture (docs/quality.md). The texts live as long as what it was asked of. */
typedef struct fv_quality_check {
  size_t struct_size;
  const char *measure;        /**< one of those that fv_quality_measure_at() lists */
  const char *unit;           /**< of the value and its range */
  const char *advice;         /**< what the person can do, or why it was not checked; empty if it passed */
  fv_check_status status;     /**< passed, failed or not checked */
  fv_consequence consequence; /**< of a check that failed; 0: none */
  double value;               /**< in its unit; NaN if it could not be determined */
  double score;               /**< 0 to 100, higher is better; NaN without a value */
  double minimum;             /**< of the range that passes; NaN is no limit */
  double maximum;             /**< of the range that passes; NaN is no limit */
} fv_quality_check;
#define FV_QUALITY_CHECK_INIT {sizeof(fv_quality_check), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}

/**
 * The most prominent face, its quality, and its template unless the policy refuses the picture.
 *
 * Requires: `policy` may be NULL: "selfie". `budget` may be NULL.
 * Status: FV_E_NO_FACE, FV_E_DAMAGED, FV_E_TIMEOUT, FV_E_CANCELLED, FV_E_BUSY.
 */
FV_CHECKED fv_status fv_engine_sample(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                      const fv_quality_policy *policy, const fv_budget *budget, char *message,
                                      size_t message_bytes);
/** The same without a template, which takes less time. `policy` and `budget` may be NULL. */
FV_CHECKED fv_status fv_engine_assess(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                      const fv_quality_policy *policy, const fv_budget *budget, char *message,
                                      size_t message_bytes);

/** 1 if the policy does not refuse the picture, 0 if it does or if there is no such sample. */
int fv_sample_is_accepted(const fv_sample *sample);
/**
 * Unified quality, 0 to 100: 100 over the factor by which the photo's defects multiply the odds that it does not match
 * another photo of the person; NaN if too little of the face is inside the picture.
 */
double fv_sample_quality(const fv_sample *sample);
/** One check for each measure. */
size_t fv_sample_check_count(const fv_sample *sample);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_sample_check_at(fv_quality_check *out, const fv_sample *sample, size_t index);
/** The faces of the picture, the one that was taken first. */
const fv_faces *fv_sample_faces(const fv_sample *sample);
/** NULL if the policy refused the picture, or if no template was asked for. Borrowed: copy it with
 * fv_template_serialise() to keep it. */
const fv_template *fv_sample_template(const fv_sample *sample);
/** As `faceverify quality --json` prints each photo. */
const char *fv_sample_json(const fv_sample *sample);
void fv_sample_free(fv_sample *sample);

/* ---- Template: what is kept of a face to match it ---------------------------------------------------------------- */

/*
 * It is biometric data: keep it as short and as safely as the photo. It is wiped when it is freed. Templates of
 * different models are not comparable.
 */

/** Status: FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED. Whether it fits the models is decided when it is compared. */
FV_CHECKED fv_status fv_template_from_bytes(fv_template **out, const void *bytes, size_t byte_count, char *message,
                                            size_t message_bytes);
/** Writes the binary form, 580 bytes in this release. */
FV_CHECKED fv_status fv_template_serialise(const fv_template *face_template, void *bytes, size_t capacity_bytes,
                                           size_t *byte_count);

/** What is known of a template. The texts live as long as it does. */
typedef struct fv_template_info {
  size_t struct_size;
  const char *model_identifier; /**< which models made it */
  const char *sha256;           /**< of the binary form: names a template without telling anything of the face */
  double quality;               /**< of the photo it was made from, 0 to 100; NaN if not measured */
} fv_template_info;
#define FV_TEMPLATE_INFO_INIT {sizeof(fv_template_info), NULL, NULL, 0}

FV_CHECKED fv_status fv_template_describe(fv_template_info *out, const fv_template *face_template);
void fv_template_free(fv_template *face_template);

/**
 * Compares two templates at a false-match rate.
 *
 * Requires: `false_match_rate` as for fv_engine_threshold(); 0: 1e-3.
 * Status: FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNSUPPORTED_RATE.
 */
FV_CHECKED fv_status fv_engine_compare_templates(fv_comparison *out, const fv_engine *engine, const fv_template *a,
                                                 const fv_template *b, double false_match_rate, char *message,
                                                 size_t message_bytes);

/** Templates that one template is compared with. */
typedef struct fv_references {
  size_t struct_size;
  const fv_template *const *templates; /**< handles, none of them NULL */
  size_t template_count;               /**< of `templates` */
  double false_match_rate;             /**< as for fv_engine_threshold(); 0: 1e-3 */
} fv_references;
#define FV_REFERENCES_INIT {sizeof(fv_references), NULL, 0, 0}

/**
 * Compares a template with each of others, in their order. The false-match rate is that of one comparison: among n
 * other people, up to n times as many come as close.
 *
 * Requires: `out` has room for as many structs as there are templates; the `struct_size` of the first is that of
 * all. `budget` may be NULL.
 * Ensures: after a failure, nothing is written.
 * Status: FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNSUPPORTED_RATE, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_CHECKED fv_status fv_engine_compare_many(fv_comparison *out, const fv_engine *engine, const fv_template *probe,
                                               const fv_references *references, const fv_budget *budget, char *message,
                                               size_t message_bytes);

/* ---- Gallery: which of many people is it? ------------------------------------------------------------------------- */

/*
 * A file with the templates of many people (1:N; docs/gallery.md). Templates only go in. Any processes may use one file
 * at the same time. Once a change has returned FV_OK, it is on the disk.
 */

/**
 * Opens a gallery of the engine's models, or makes one, which only its owner may read.
 *
 * Requires: `key` has 32 bytes, which encrypt the templates, and are the same whenever the gallery is opened. `key` may
 * be NULL: they are not encrypted.
 * Status: FV_E_INCOMPATIBLE_TEMPLATE for a gallery of other models; FV_E_BAD_ARGUMENT for a wrong key;
 * FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED, FV_E_UNREADABLE, FV_E_UNWRITABLE; FV_E_WRONG_STATE while another process holds it.
 */
FV_CHECKED fv_status fv_gallery_open(fv_gallery **out, const fv_engine *engine, const char *path, const void *key,
                                     size_t key_byte_count, char *message, size_t message_bytes);

/** What is in a gallery. */
typedef struct fv_gallery_info {
  size_t struct_size;
  int64_t template_count; /**< entries that a search looks at */
  int64_t failure_count;  /**< entries of photos that gave no template */
  int64_t is_encrypted;   /**< 1 or 0 */
} fv_gallery_info;
#define FV_GALLERY_INFO_INIT {sizeof(fv_gallery_info), 0, 0, 0}

/** Status: FV_E_DAMAGED, FV_E_UNREADABLE, FV_E_WRONG_STATE. */
FV_CHECKED fv_status fv_gallery_describe(fv_gallery_info *out, const fv_gallery *gallery);
/**
 * Adds a template under a name of 1 to 4096 bytes, in the place of what has that name.
 *
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNWRITABLE, FV_E_WRONG_STATE.
 */
FV_CHECKED fv_status fv_gallery_add(fv_gallery *gallery, const char *name, const fv_template *face_template,
                                    char *message, size_t message_bytes);
/**
 * Adds the photo of a file under its path: its template, or why it has none. What is there already is left as it is, as
 * long as the file and the name of the policy are the same.
 *
 * Requires: `policy` may be NULL: "selfie".
 * Ensures: with FV_OK, `message` is empty if the photo has a template, else it says why it has none.
 * Status: FV_E_BAD_ARGUMENT, FV_E_DAMAGED if the gallery is, FV_E_UNWRITABLE, FV_E_WRONG_STATE, FV_E_BUSY.
 */
FV_CHECKED fv_status fv_gallery_enrol(fv_gallery *gallery, const char *path, const fv_quality_policy *policy,
                                      char *message, size_t message_bytes);
/**
 * 1 if fv_gallery_enrol() would leave a photo as it is, 0 if not, or if that cannot be told.
 *
 * Requires: `policy` may be NULL: "selfie".
 */
int fv_gallery_is_enrolled(const fv_gallery *gallery, const char *path, const fv_quality_policy *policy);
/**
 * Copies entries of another gallery of the same models, templates and failures, each in the place of what has its name.
 *
 * Requires: `key` is that of the other gallery. `key` may be NULL: it is not encrypted. Of the other's entries in the
 * order in which they were added, those from `first` on, counted from 0, are taken, `count` of them; 0: all that follow.
 * Ensures: after a failure, some may be copied; to do it again is no harm.
 * Status: as of fv_gallery_open() for the other gallery; FV_E_UNWRITABLE, FV_E_WRONG_STATE.
 */
FV_CHECKED fv_status fv_gallery_merge(fv_gallery *gallery, const char *path, const void *key, size_t key_byte_count,
                                      size_t first, size_t count, char *message, size_t message_bytes);
/**
 * Removes what has a name, and overwrites its template.
 *
 * Status: FV_E_ABSENT if there is none, FV_E_UNWRITABLE, FV_E_WRONG_STATE.
 */
FV_CHECKED fv_status fv_gallery_remove(fv_gallery *gallery, const char *name, char *message, size_t message_bytes);
/**
 * The entries that are closest to a template, closest first. The first call reads the vectors into memory, 536 bytes for
 * each template.
 *
 * Requires: at most `count` are found, up to 1000; 0: 10. `rate` is the share of searches for people who are not in the
 * gallery that may have a match (FPIR, ISO/IEC 19795-1), above 0 and below 1; 0: 1e-2. Each comparison is decided at
 * `rate` over the number of templates; if the calibration does not support so small a rate, nothing is called a match.
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_DAMAGED, FV_E_WRONG_STATE.
 */
FV_CHECKED fv_status fv_gallery_search(fv_candidates **out, const fv_gallery *gallery, const fv_template *probe,
                                       size_t count, double rate, char *message, size_t message_bytes);
/**
 * The pairs of entries that are closest to each other, closest first, of all pairs, by as many threads as the engine has:
 * 100,000 templates take minutes.
 *
 * Requires: at most `count` are found, up to 1000; 0: 100. `rate` is the probability that any pair of different people is
 * called a match, as for fv_gallery_search(). `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, FV_E_DAMAGED, FV_E_WRONG_STATE, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_CHECKED fv_status fv_gallery_duplicates(fv_candidates **out, const fv_gallery *gallery, size_t count, double rate,
                                           const fv_budget *budget, char *message, size_t message_bytes);
void fv_gallery_free(fv_gallery *gallery);

/** An entry that is close to a probe, or two that are close to each other. The texts live as long as the fv_candidates. */
typedef struct fv_candidate {
  size_t struct_size;
  const char *name;  /**< of the entry */
  const char *other; /**< name of the other entry of a pair; empty in a search */
  double score;      /**< distance in units of each side's nearest other people: smaller is closer */
  double similarity; /**< 0 to 100, of this comparison alone, however many there were */
  int64_t is_match;  /**< 1 or 0 */
} fv_candidate;
#define FV_CANDIDATE_INIT {sizeof(fv_candidate), NULL, NULL, 0, 0, 0}

/** What candidates rest on. The text lives as long as the fv_candidates. */
typedef struct fv_candidates_info {
  size_t struct_size;
  int64_t template_count;   /**< how many templates the gallery had */
  int64_t comparison_count; /**< how many comparisons were made: templates, or pairs of them */
  double rate;              /**< that was asked for */
  double comparison_rate;   /**< what each comparison is decided at: the rate over their number, 1e-2 at most */
  double threshold;         /**< a score up to this is a match; NaN if the calibration does not support the rate */
  const char *note;         /**< why nothing is called a match, and what can be done; empty if there is a threshold */
} fv_candidates_info;
#define FV_CANDIDATES_INFO_INIT {sizeof(fv_candidates_info), 0, 0, 0, 0, 0, NULL}

size_t fv_candidates_count(const fv_candidates *candidates);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_candidates_at(fv_candidate *out, const fv_candidates *candidates, size_t index);
FV_CHECKED fv_status fv_candidates_describe(fv_candidates_info *out, const fv_candidates *candidates);
/** As `faceverify gallery search --json` and `dedupe --json` print it, without the probe. */
const char *fv_candidates_json(const fv_candidates *candidates);
void fv_candidates_free(fv_candidates *candidates);

/* ---- Faces ------------------------------------------------------------------------------------------------------- */

/** How faces are looked for. */
typedef struct fv_detect_options {
  size_t struct_size;
  /** 1: also look for faces down to 40 pixels where larger ones have been found, which takes longer; 0: do not. */
  int64_t small_faces;
} fv_detect_options;
#define FV_DETECT_OPTIONS_INIT {sizeof(fv_detect_options), 0}

/** A position in pixels. */
typedef struct fv_point {
  double x;
  double y;
} fv_point;

/** A face in a picture. */
typedef struct fv_face {
  size_t struct_size;
  double x;      /**< left side of a box around the face from the brows to the chin; it may reach beyond the picture */
  double y;      /**< upper side of the box */
  double width;  /**< of the box */
  double height; /**< of the box */
  double score;  /**< how sure the detector is: 0 to 1; in the "dlib" set dlib's own scale, 0 = its threshold */
  int64_t turn;  /**< 0, 90, 180 or 270 degrees clockwise, after which the face was found */
  fv_point left_eye_outer;
  fv_point left_eye_inner;
  fv_point right_eye_outer;
  fv_point right_eye_inner;
  fv_point nose_base;
  double inter_eye_distance; /**< pixels between the eyes' centres (ISO/IEC 29794-5) */
  double yaw;                /**< degrees, positive to the subject's left (ISO/IEC 39794-5); NaN in the "dlib" set */
  double pitch;              /**< degrees, positive downwards; NaN in the "dlib" set */
  double roll;               /**< degrees, positive towards the subject's right shoulder; NaN in the "dlib" set */
  /** Gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 open (medians of 13
   * clips); NaN in the "dlib" set. */
  double left_eye_openness;
  double right_eye_openness; /**< as that of the left eye; NaN in the "dlib" set */
} fv_face;
#define FV_FACE_INIT                                                                                                   \
  {sizeof(fv_face), 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0, 0, 0}

/**
 * All faces of a picture, the most prominent first; none is FV_OK with a count of 0.
 *
 * Requires: `options` and `budget` may be NULL.
 * Status: FV_E_DAMAGED, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_CHECKED fv_status fv_engine_detect(fv_faces **out, const fv_engine *engine, const fv_image *image,
                                      const fv_detect_options *options, const fv_budget *budget, char *message,
                                      size_t message_bytes);

size_t fv_faces_count(const fv_faces *faces);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_faces_at(fv_face *out, const fv_faces *faces, size_t index);

/** Points of a mesh, in the numbering of MediaPipe's face mesh (arXiv 1907.06724). */
#define FV_MESH_POINTS 468

/**
 * The mesh: x, y and depth of each point, in pixels; depth grows away from the camera, from the head's centre.
 *
 * Requires: `xyz` has room for 3 * `capacity_points` numbers.
 * Status: FV_E_ABSENT if there is no such face, or no mesh (the "dlib" set).
 */
FV_CHECKED fv_status fv_faces_mesh(const fv_faces *faces, size_t index, double *xyz, size_t capacity_points,
                                   size_t *point_count);

/** One of the subject's eyes. */
typedef int64_t fv_eye;

enum { FV_EYE_LEFT = 1, FV_EYE_RIGHT = 2 };

/** "left", "right". */
const char *fv_eye_name(fv_eye eye);

/** Points of an eye. */
#define FV_EYE_POINTS 21

/** An eye: lower lid from corner to corner (9 points), upper lid between them (7), the iris's centre, its rim (4).
 * Status: as fv_faces_mesh(). */
FV_CHECKED fv_status fv_faces_eye(const fv_faces *faces, size_t index, fv_eye eye, fv_point *points,
                                  size_t capacity_points, size_t *point_count);
/** As `faceverify detect --json` prints each photo's faces. */
const char *fv_faces_json(const fv_faces *faces);
void fv_faces_free(fv_faces *faces);

/* ---- Quality policy: what is asked of a picture ------------------------------------------------------------------ */

/** The names of the measures after ISO/IEC 29794-5, in the order of reports; NULL from the last one on. */
const char *fv_quality_measure_at(size_t index);

/**
 * A copy of a policy of the library: "selfie", "document-portrait", "chip-portrait", or "any", which refuses nothing
 * (docs/quality.md).
 *
 * Status: FV_E_BAD_ARGUMENT for another name.
 */
FV_CHECKED fv_status fv_quality_policy_create(fv_quality_policy **out, const char *name, char *message,
                                              size_t message_bytes);
/**
 * Changes what is asked of one measure: a value from `minimum` to `maximum` passes; one below `refused_below` or above
 * `refused_above` refuses the picture; between them lies a warning. NaN is no limit; four NaNs measure without asking.
 * Units and ranges: docs/quality.md.
 *
 * Status: FV_E_BAD_ARGUMENT for a measure that fv_quality_measure_at() does not list; FV_E_BUSY.
 */
FV_CHECKED fv_status fv_quality_policy_require(fv_quality_policy *policy, const char *measure, double minimum,
                                               double maximum, double refused_below, double refused_above,
                                               char *message, size_t message_bytes);
void fv_quality_policy_free(fv_quality_policy *policy);

/* ---- Thresholds -------------------------------------------------------------------------------------------------- */

/** An operating point: what was measured at one false-match rate (ISO/IEC 19795-1), or is interpolated between measured
 * points, on the data that the engine's JSON names. The rate is that of the group in which strangers look most alike. */
typedef struct fv_threshold {
  size_t struct_size;
  double false_match_rate;           /**< that was asked for */
  double score;                      /**< a score up to this is a match */
  double false_matches;              /**< how many were seen, in all groups of strangers who look alike */
  double false_match_rate_lower;     /**< lower 95 % confidence bound, from resampling subjects */
  double false_match_rate_upper;     /**< upper 95 % confidence bound: at most what was asked for */
  double false_non_match_rate;       /**< share of mated comparisons that are no match */
  double false_non_match_rate_lower; /**< lower 95 % confidence bound */
  double false_non_match_rate_upper; /**< upper 95 % confidence bound */
  double overall_false_match_rate;   /**< share of all strangers' comparisons that match */
} fv_threshold;
#define FV_THRESHOLD_INIT {sizeof(fv_threshold), 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * The operating point of any false-match rate from 1e-5 to 1e-2, interpolated on the calibration.
 *
 * Status: FV_E_UNSUPPORTED_RATE for a rate beyond what the data support, FV_E_BAD_ARGUMENT for one that is not between
 * 0 and 1.
 */
FV_CHECKED fv_status fv_engine_threshold(fv_threshold *out, const fv_engine *engine, double false_match_rate,
                                         char *message, size_t message_bytes);

/* ---- Models: the files and their state --------------------------------------------------------------------------- */

/** Whether a model file is the right one. */
typedef int64_t fv_model_state;

enum {
  FV_MODEL_STATE_OK = 1,      /**< there, with the SHA-256 that the manifest gives */
  FV_MODEL_STATE_MISSING = 2, /**< not there */
  FV_MODEL_STATE_MISMATCH = 3 /**< another file */
};

/** "ok", "missing", "mismatch". */
const char *fv_model_state_name(fv_model_state state);

/** One file of a models folder. The texts live as long as the fv_models. */
typedef struct fv_model {
  size_t struct_size;
  const char *id;       /**< its name in the manifest */
  const char *role;     /**< what it is for */
  const char *version;  /**< of the model */
  const char *licence;  /**< SPDX identifier */
  const char *path;     /**< of the file */
  const char *remedy;   /**< what to do; empty if it is right */
  fv_model_state state; /**< whether it is the right one */
  int64_t byte_count;   /**< as the manifest gives it */
  int64_t is_optional;  /**< 1: only sets that are installed by themselves need it: it may be missing; else 0 */
} fv_model;
#define FV_MODEL_INIT {sizeof(fv_model), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0}

/**
 * Reads and hashes every file that the manifest of a folder names.
 *
 * Requires: `folder` may be NULL: it is searched as for fv_engine_options.
 * Status: FV_E_MODEL_MISSING if there is no manifest.
 */
FV_CHECKED fv_status fv_models_check(fv_models **out, const char *folder, char *message, size_t message_bytes);
size_t fv_models_count(const fv_models *models);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_models_at(fv_model *out, const fv_models *models, size_t index);
/** As `faceverify models list --json` prints it. */
const char *fv_models_json(const fv_models *models);
void fv_models_free(fv_models *models);

/* ---- For tests --------------------------------------------------------------------------------------------------- */

/** Objects of this process that are yours and not yet freed: a program that frees all it was given ends with 0. */
size_t fv_live_objects(void);

#ifdef __cplusplus
}
#endif

#endif
