/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The engine, images, comparisons, quality and templates. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_CORE_H
#define FACEVERIFY_CORE_H

#include <stddef.h>
#include <stdint.h>

/* ---- Attributes of declarations ---------------------------------------------------------------------------------- */

/** Begins the declaration of every function of the interface: libfaceverify.so exports these and nothing else. */
#if defined(__GNUC__)
#define FV_API __attribute__((visibility("default")))
#else
#define FV_API
#endif

/** A function whose status must not be ignored. */
#if defined(__GNUC__)
#define FV_CHECKED __attribute__((warn_unused_result))
#else
#define FV_CHECKED
#endif

/** A function that a later major release removes: `since` is the release that deprecated it, such as "1.2.0", and
 * `replacement` the function to call instead, both as string literals. */
#if defined(__GNUC__)
#define FV_DEPRECATED(since, replacement) \
  __attribute__((deprecated("since faceverify " since ": call " replacement)))
#else
#define FV_DEPRECATED(since, replacement)
#endif

/** A function that is not in release 0.3.0, with the release that added it: a program that calls it needs a library of
 * at least that version. The compiler ignores it; scripts/generate-bindings checks it. */
#define FV_SINCE(major, minor, patch)

#ifdef __cplusplus
extern "C" {
#endif

/** Ends calls from another thread. Thread-safe. */
typedef struct fv_cancellation fv_cancellation;
/** The result of a search in a gallery. Immutable, thread-safe. */
typedef struct fv_candidates fv_candidates;
/** The result of a comparison and its basis. Immutable, thread-safe. */
typedef struct fv_decision fv_decision;
/** The models, loaded once and shared by all threads. Thread-safe. */
typedef struct fv_engine fv_engine;
/** The faces of one image. Immutable, thread-safe. */
typedef struct fv_faces fv_faces;
/** A file with the templates of many people (1:N). Thread-safe. */
typedef struct fv_gallery fv_gallery;
/** An image whose header was read and checked; its pixels are decoded when they are needed. Thread-safe. */
typedef struct fv_image fv_image;
/** The state of the files of a models folder. Immutable, thread-safe. */
typedef struct fv_models fv_models;
/** The requirements on an image. Not thread-safe: a concurrent call returns FV_E_BUSY. */
typedef struct fv_quality_policy fv_quality_policy;
/** The faces of one image, the quality of the most prominent one, and its template. Immutable, thread-safe. */
typedef struct fv_sample fv_sample;
/** A face template: biometric data, wiped when freed. Immutable, thread-safe. */
typedef struct fv_template fv_template;

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/** The version of this header (semantic versioning). */
#define FV_VERSION_MAJOR 0
#define FV_VERSION_MINOR 3
#define FV_VERSION_PATCH 0
/** The same as one number, to compare: 200 is 0.2.0. */
#define FV_VERSION_NUMBER (FV_VERSION_MAJOR * 10000u + FV_VERSION_MINOR * 100u + FV_VERSION_PATCH)

/** Returns the version of the loaded library; FV_VERSION_NUMBER is that of the header a program was compiled with. */
FV_API uint32_t fv_version_number(void);

/** Returns the version of the loaded library, such as "0.2.0" (semantic versioning). Never NULL. */
FV_API const char *fv_version_string(void);

/* ---- Truth values ------------------------------------------------------------------------------------------------ */

/** 1 for yes, 0 for no. Any other value of an input is FV_E_BAD_ARGUMENT. */
typedef int64_t fv_bool;

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/** 0, or a negative error code. Codes never change their meaning. */
typedef int32_t fv_status;

enum {
  FV_OK = 0,
  FV_E_BAD_ARGUMENT = -1,           /**< NULL, out of range, or an invalid handle: a bug in the program */
  FV_E_UNREADABLE = -2,             /**< a file, or a chip, cannot be opened or read */
  FV_E_UNKNOWN_FORMAT = -3,         /**< not an image, template, certificate... of a supported format */
  FV_E_DAMAGED = -4,                /**< of the right format, but truncated or malformed */
  FV_E_TOO_LARGE = -5,              /**< beyond the limits on pixels or bytes */
  FV_E_NO_FACE = -6,                /**< no face was found in the image */
  FV_E_INCOMPATIBLE_TEMPLATE = -7,  /**< a template of other models: recreate it from its photo */
  FV_E_MODEL_MISSING = -8,          /**< a model file is not installed */
  FV_E_MODEL_MISMATCH = -9,         /**< a model file is not the one in the manifest */
  FV_E_UNSUPPORTED_RATE = -10,      /**< the calibration data do not support this false-match rate */
  FV_E_UNWRITABLE = -11,            /**< a file cannot be written */
  FV_E_WRONG_STATE = -12,           /**< not allowed in the object's present state */
  FV_E_INTERNAL = -13,              /**< a library failed in a way that no input should cause */
  FV_E_BUSY = -14,                  /**< another thread is using this object */
  FV_E_ABSENT = -15,                /**< the requested item, or a service that the call needs, does not exist */
  FV_E_VERSION = -16,               /**< the program was compiled for another major version, or a later minor one */
  FV_E_TIMEOUT = -17,               /**< the budget's time limit was exceeded */
  FV_E_CANCELLED = -18,             /**< the call was cancelled */
  FV_E_BUFFER_TOO_SMALL = -19,      /**< the caller's buffer has less room than the count that the call returned */
  FV_E_NO_TEMPLATE = -20            /**< the photo has no usable face, so no template was made of it */
};

/** Returns the name of a status as used in the command line's JSON: "ok", "no-face"...; "unknown" for any other
 * number. */
FV_API const char *fv_status_name(fv_status status);

/** Returns whether another attempt may succeed without a change to program or installation: with another image (no
 * face, no template, unreadable, unknown format, damaged, too large) or later (busy, timeout). */
FV_API fv_bool fv_status_is_retryable(fv_status status);

/** A buffer size that is sufficient for every message of this release. */
#define FV_MESSAGE_BYTES 1024

/**
 * Initialises a struct as its _INIT macro does, for languages without macros: sets all bytes to 0, then its size.
 *
 * Requires: `byte_count` is the struct's size, at least sizeof(size_t). `structure` may be NULL: does nothing.
 */
FV_API void fv_struct_init(void *structure, size_t byte_count);

/* ---- Engine: the models, loaded once and shared by all threads --------------------------------------------------- */

/** The severity of a log line. */
typedef int64_t fv_log_level;

enum {
  FV_LOG_LEVEL_DEBUG = 1,  /**< each call: its name, its duration, the name of its status */
  FV_LOG_LEVEL_INFO = 2,   /**< what was loaded */
  FV_LOG_LEVEL_WARNING = 3 /**< reduced speed or quality */
};

/** Returns the name: "debug", "info", "warning". */
FV_API const char *fv_log_level_name(fv_log_level level);

/** Log handler. Receives one line; `text` is valid until the handler returns. Called on the thread of the logged call,
 * concurrently if several threads make calls. Must not call the engine. */
typedef void (*fv_log_function)(fv_log_level level, const char *text, void *user);

/** The configuration of an engine. */
typedef struct fv_engine_options {
  size_t struct_size;
  /** Folder with manifest.json and the models. NULL: $FACEVERIFY_MODELS, or else share/faceverify/models in the prefix
   * that the library is installed in, found from the path of the library's file. */
  const char *models_folder;
  /** "retail", "default", or "dlib" (slower, without OpenVINO, without a mesh). NULL: "retail" if its files are in the
   * folder, else "default"; fv_engine_json() names the set. Templates of different sets are not comparable. */
  const char *model_set;
  const char *cache_folder; /**< for compiled models; NULL: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify */
  /** Number of calls that run concurrently at full speed, 1 to 64; further calls wait. Each beyond the first adds
   * 0.35 s to loading, and 66 MB; more than the machine's cores make no call faster. 0: 1. */
  int64_t thread_count;
  /** Log handler; receives no personal data and no result of a comparison. NULL: no logging. */
  fv_log_function log;
  void *log_user; /**< passed to `log`; must outlive the engine and every object made from it */
  /** Precision of the networks' arithmetic: "f32", the same scores on every machine, or "auto": bf16 if the processor
   * supports it, which is faster; the models' "precision" in JSON reports the choice. Scores change by less than 0.2
   * (set retail: 0.4); templates of both precisions are comparable. NULL: "f32". */
  const char *precision;
} fv_engine_options;
#define FV_ENGINE_OPTIONS_INIT {sizeof(fv_engine_options), NULL, NULL, NULL, 0, NULL, NULL, NULL}

/**
 * Reads the calibration and checks that all model files exist and have their size. The networks are loaded by
 * fv_engine_preload() or by the first call that needs one: 0.2 s, about a second the first time on a machine. Comparing
 * templates needs none.
 *
 * Requires: `header_version` is FV_VERSION_NUMBER. `options` may be NULL.
 * Status: FV_E_VERSION, FV_E_BAD_ARGUMENT, FV_E_MODEL_MISSING, FV_E_MODEL_MISMATCH, FV_E_DAMAGED, FV_E_INTERNAL.
 */
FV_API FV_CHECKED fv_status fv_engine_create(fv_engine **out, uint32_t header_version, const fv_engine_options *options,
                                             char *message, size_t message_bytes);

/** Objects made from the engine remain usable, and keep the models in memory until they are freed. */
FV_API void fv_engine_free(fv_engine *engine);

/** Loads the networks and allocates what the first call would otherwise allocate, so that it is not slower than later
 * ones. Status: FV_E_MODEL_MISSING, FV_E_MODEL_MISMATCH, FV_E_INTERNAL. */
FV_API FV_CHECKED fv_status fv_engine_preload(const fv_engine *engine, char *message, size_t message_bytes);

/** Version, models, thresholds and the calibration data, as JSON; NULL if there is no such engine. */
FV_API const char *fv_engine_json(const fv_engine *engine);

/* ---- Comparison (1:1) -------------------------------------------------------------------------------------------- */

/** One side of a comparison: exactly one of the pointers is set. */
typedef struct fv_input {
  size_t struct_size;
  const char *path;                 /**< an image or template file, recognised by its content; read with default
                                       limits */
  const fv_image *image;            /**< see fv_image_from_file() */
  const fv_template *face_template; /**< its quality was judged when it was created, and is not judged again */
} fv_input;
#define FV_INPUT_INIT {sizeof(fv_input), NULL, NULL, NULL}

/** The quality requirements and the operating point of a decision. */
typedef struct fv_comparison_policy {
  size_t struct_size;
  const fv_quality_policy *selfie;   /**< requirements on the selfie; copied; NULL: "selfie" */
  const fv_quality_policy *portrait; /**< requirements on the portrait; copied; NULL: "document-portrait" */
  double false_match_rate;           /**< false-match rate at the threshold, as for fv_engine_threshold(). 0: 1e-3 */
  /** The people among whom that rate holds: "worst-group", those of the group with the highest rate, or "all". NULL:
   * "worst-group". */
  const char *among;
} fv_comparison_policy;
#define FV_COMPARISON_POLICY_INIT {sizeof(fv_comparison_policy), NULL, NULL, 0, NULL}

/** The limits of one call. They are checked between processing steps, some milliseconds apart. */
typedef struct fv_budget {
  size_t struct_size;
  double seconds;                      /**< time limit from the start of the call, which then returns FV_E_TIMEOUT; 0:
                                          unlimited. Loading networks is not interrupted: fv_engine_preload() */
  const fv_cancellation *cancellation; /**< ends the call with FV_E_CANCELLED; NULL: none */
} fv_budget;
#define FV_BUDGET_INIT {sizeof(fv_budget), 0, NULL}

/**
 * Decides whether the selfie shows the person in the portrait. Returns FV_OK for every result: see
 * fv_decision_result().
 *
 * Requires: `policy` and `budget` may be NULL: the defaults, and no limit.
 * Status: FV_E_NO_FACE and errors of reading an image, with the side in the message; FV_E_INCOMPATIBLE_TEMPLATE;
 * FV_E_UNSUPPORTED_RATE; FV_E_TIMEOUT, FV_E_CANCELLED; FV_E_BUSY while another thread changes a quality policy.
 */
FV_API FV_CHECKED fv_status fv_engine_compare(fv_decision **out, const fv_engine *engine, const fv_input *selfie,
                                              const fv_input *portrait, const fv_comparison_policy *policy,
                                              const fv_budget *budget, char *message, size_t message_bytes);

/* ---- Decision: the result of a comparison, and its basis --------------------------------------------------------- */

/** The result of a comparison. */
typedef int64_t fv_result;

enum {
  FV_RESULT_MATCH = 1,
  FV_RESULT_NO_MATCH = 2,
  FV_RESULT_REFUSED = 3 /**< a photo is not good enough to decide, or both are copies of one; see the reasons */
};

/** Returns the name: "match", "no-match", "refused". */
FV_API const char *fv_result_name(fv_result result);

/** The result of a check: one of three values, never two. */
typedef int64_t fv_check_status;

enum {
  FV_CHECK_STATUS_PASSED = 1,
  FV_CHECK_STATUS_FAILED = 2,
  FV_CHECK_STATUS_NOT_CHECKED = 3 /**< could not be determined, or was not required: never counts as passed */
};

/** Returns the name: "passed", "failed", "not-checked". */
FV_API const char *fv_check_status_name(fv_check_status check_status);

/** A reason for a decision, or a warning about it. The texts live as long as the decision. */
typedef struct fv_reason {
  size_t struct_size;
  const char *code; /**< from a fixed list: see the function that returns the reason */
  const char *text; /**< one sentence for people */
  fv_check_status status; /**< failed: it decides against the person or the document; not checked: something is not
                             proved; passed: a warning that decides nothing */
} fv_reason;
#define FV_REASON_INIT {sizeof(fv_reason), NULL, NULL, 0}

/** The result of comparing two templates. */
typedef struct fv_comparison {
  size_t struct_size;
  /** Distance in units of each side's cohort (the nearest other people): smaller is closer. The closest non-mated
   * comparisons are around 0. */
  double score;
  double threshold;  /**< a score up to this is a match */
  double decided_at; /**< false-match rate at the threshold */
  /** 0 to 100: 25 per factor of ten in the upper bound of the false-match rate; 75 is one in a thousand. */
  double similarity;
  /** False-match rate at this score: share of non-mated comparisons with a score at most this, in the group where it is
   * highest. */
  double false_match_rate;
  double false_match_rate_upper_bound; /**< upper 95 % confidence bound of the false-match rate */
  fv_bool is_match;                    /**< the score is at most the threshold */
  fv_bool is_beyond_calibration;       /**< the score is below that of every false match in the calibration data, so
                                          the rate may be lower still */
  double overall_false_match_rate;     /**< the same share over all non-mated comparisons */
  double overall_false_match_rate_upper_bound; /**< its upper 95 % confidence bound */
} fv_comparison;
#define FV_COMPARISON_INIT {sizeof(fv_comparison), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/** Returns the result; 0 if there is no such decision. */
FV_API fv_result fv_decision_result(const fv_decision *decision);
/** Returns the number of reasons, or of warnings about a match; 0 only for a match. */
FV_API size_t fv_decision_reason_count(const fv_decision *decision);
/**
 * Describes a reason. The code is "score-beyond-threshold", "same-picture", "selfie." or "portrait." and a quality
 * measure, or "document." and a fact about the document's portrait: see fv_engine_compare_document().
 *
 * Status: FV_E_ABSENT if `index` is not below the count.
 */
FV_API FV_CHECKED fv_status fv_decision_reason_at(fv_reason *out, const fv_decision *decision, size_t index);
/** Describes the comparison of the templates. Status: FV_E_ABSENT if the decision was refused. */
FV_API FV_CHECKED fv_status fv_decision_comparison(fv_comparison *out, const fv_decision *decision);
/** Returns the sample of the selfie; NULL if it was a template. */
FV_API const fv_sample *fv_decision_selfie(const fv_decision *decision);
/** Returns the sample of the portrait; NULL if it was a template. */
FV_API const fv_sample *fv_decision_portrait(const fv_decision *decision);
/** The decision record, as `faceverify compare --json`: the same input, version and models give the same bytes. */
FV_API const char *fv_decision_json(const fv_decision *decision);
FV_API void fv_decision_free(fv_decision *decision);

/* ---- Cancellation: ends calls from another thread ---------------------------------------------------------------- */

/** Creates a cancellation, which any number of calls may have in their budgets, successively or concurrently. */
FV_API FV_CHECKED fv_status fv_cancellation_create(fv_cancellation **out, char *message, size_t message_bytes);
/** Ends running calls soon, and later ones immediately. Irrevocable. Thread-safe. */
FV_API void fv_cancellation_cancel(const fv_cancellation *cancellation);
FV_API void fv_cancellation_free(fv_cancellation *cancellation);

/* ---- Image: header read and checked, pixels decoded later -------------------------------------------------------- */

/** The maximum size of an image, checked before memory of that size is allocated. */
typedef struct fv_image_limits {
  size_t struct_size;
  int64_t maximum_pixels; /**< of the stored image; 0: 100 million, twice the sensor of a good phone */
  int64_t maximum_bytes;  /**< of the file; 0: 64 MiB */
} fv_image_limits;
#define FV_IMAGE_LIMITS_INIT {sizeof(fv_image_limits), 0, 0}

/** The memory layout of pixels with 8-bit samples. In planar formats the planes follow each other without a gap, each
 * with all bytes of its rows except for the padding of the last row of the last plane; the row stride is that of the
 * luma plane. Luma and chroma are BT.601 limited range, as cameras supply them; chroma has half the width, rounded
 * up. */
typedef int64_t fv_pixel_format;

enum {
  FV_PIXEL_FORMAT_RGB8 = 1,
  FV_PIXEL_FORMAT_BGR8 = 2,
  FV_PIXEL_FORMAT_RGBA8 = 3, /**< the fourth byte is ignored */
  FV_PIXEL_FORMAT_BGRA8 = 4, /**< the fourth byte is ignored */
  FV_PIXEL_FORMAT_GRAY8 = 5,
  FV_PIXEL_FORMAT_NV12 = 6, /**< luma; then interleaved blue and red chroma: same stride, one row per two pixel rows */
  FV_PIXEL_FORMAT_I420 = 7, /**< luma; then blue, then red chroma: half the stride, one row per two pixel rows */
  FV_PIXEL_FORMAT_YUYV = 8  /**< luma, blue chroma, luma, red chroma for every two pixels */
};

/** Returns the name: "rgb8", "bgr8"... */
FV_API const char *fv_pixel_format_name(fv_pixel_format format);

/** Raw pixels owned by the caller. All fields are validated against each other before a pixel is read. */
typedef struct fv_image_view {
  size_t struct_size;
  const void *data;             /**< the first row is the top one */
  size_t byte_count;            /**< readable bytes: all rows of all planes, the last one without its padding */
  int64_t width;                /**< pixels, 1 to 2^20 */
  int64_t height;               /**< rows, 1 to 2^20 */
  int64_t row_stride;           /**< bytes from one row to the next; 0: rows are contiguous */
  fv_pixel_format pixel_format; /**< layout of the pixels */
} fv_image_view;
#define FV_IMAGE_VIEW_INIT {sizeof(fv_image_view), NULL, 0, 0, 0, 0, 0}

/**
 * Reads a JPEG, PNG, JPEG 2000, WebP, TIFF or BMP file, or HEIC or AVIF if libheif is installed; the format is
 * recognised by the content. Only regular files are read. EXIF orientation and colour profiles are applied.
 *
 * Requires: `path` is UTF-8; for a file with another name, read it and use fv_image_from_bytes(). `limits` may be NULL.
 * Status: FV_E_UNREADABLE, FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED, FV_E_TOO_LARGE. Pixels are decoded later: damage outside
 * the header is an error of the call that uses the image.
 */
FV_API FV_CHECKED fv_status fv_image_from_file(fv_image **out, const char *path, const fv_image_limits *limits,
                                               char *message, size_t message_bytes);
/** Reads an image file from memory, which is copied. `limits` may be NULL. Status: as fv_image_from_file(). */
FV_API FV_CHECKED fv_status fv_image_from_bytes(fv_image **out, const void *bytes, size_t byte_count,
                                                const fv_image_limits *limits, char *message, size_t message_bytes);
/** Copies raw pixels of an upright image. `limits` may be NULL. Status: FV_E_BAD_ARGUMENT, FV_E_TOO_LARGE. */
FV_API FV_CHECKED fv_status fv_image_from_pixels(fv_image **out, const fv_image_view *view,
                                                 const fv_image_limits *limits, char *message, size_t message_bytes);
FV_API void fv_image_free(fv_image *image);

/** A description of an image. The texts live as long as the image. */
typedef struct fv_image_info {
  size_t struct_size;
  int64_t width;      /**< pixels, upright */
  int64_t height;     /**< pixels, upright */
  const char *format; /**< "jpeg", "png", "jpeg2000", "webp", "heic", "avif", "tiff", "bmp" or "pixels" */
  const char *sha256; /**< of the file, or of the pixels as RGB; lower-case hexadecimal */
} fv_image_info;
#define FV_IMAGE_INFO_INIT {sizeof(fv_image_info), 0, 0, NULL, NULL}

FV_API FV_CHECKED fv_status fv_image_describe(fv_image_info *out, const fv_image *image);
/**
 * Decodes the upright pixels as 8-bit RGB, rows contiguous. Querying the count decodes nothing.
 *
 * Ensures: `*byte_count` is 3 * width * height.
 * Status: FV_E_BUFFER_TOO_SMALL, FV_E_BAD_ARGUMENT, FV_E_DAMAGED.
 */
FV_API FV_CHECKED fv_status fv_image_pixels(const fv_image *image, void *rgb, size_t capacity_bytes, size_t *byte_count,
                                            char *message, size_t message_bytes);

/** A file format for writing images. */
typedef int64_t fv_image_encoding;

enum {
  FV_IMAGE_ENCODING_PNG = 1, /**< lossless */
  FV_IMAGE_ENCODING_JPEG = 2 /**< quality 95 without chroma subsampling: changes a template less than a second photo of
                                the person does */
};

/** Returns the name: "png", "jpeg". */
FV_API const char *fv_image_encoding_name(fv_image_encoding encoding);

/**
 * Encodes the image as a file, such as the selfie of a session. The file is cached with the image, so that querying its
 * size first costs no second encoding.
 *
 * Status: FV_E_BUFFER_TOO_SMALL; FV_E_BAD_ARGUMENT; FV_E_DAMAGED; FV_E_TOO_LARGE for a JPEG with a side of more than
 * 65,535 pixels.
 */
FV_API FV_CHECKED fv_status fv_image_encode(const fv_image *image, fv_image_encoding encoding, void *bytes,
                                            size_t capacity_bytes, size_t *byte_count, char *message,
                                            size_t message_bytes);

/* ---- Sample: the result for one image ---------------------------------------------------------------------------- */

/** The consequence of a failed check for its image. */
typedef int64_t fv_consequence;

enum {
  FV_CONSEQUENCE_REFUSE = 1, /**< the image must not be used */
  FV_CONSEQUENCE_WARN = 2    /**< it may be used; results are less certain */
};

/** Returns the name: "refuse", "warn". */
FV_API const char *fv_consequence_name(fv_consequence consequence);

/** One quality check of an image (docs/quality.md). The texts live as long as the sample or decision. */
typedef struct fv_quality_check {
  size_t struct_size;
  const char *measure;        /**< one of fv_quality_measure_at() */
  const char *unit;           /**< of the value and its range */
  const char *advice;         /**< what the person can do, or why it was not checked; empty if it passed */
  fv_check_status status;     /**< passed, failed or not checked */
  fv_consequence consequence; /**< of a failed check; 0: none */
  double value;               /**< in its unit; NaN if it could not be determined */
  double score;               /**< 0 to 100, higher is better; NaN without a value */
  double minimum;             /**< of the range that passes; NaN: no limit */
  double maximum;             /**< of the range that passes; NaN: no limit */
} fv_quality_check;
#define FV_QUALITY_CHECK_INIT {sizeof(fv_quality_check), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}

/**
 * Analyses the most prominent face of an image: its quality, and its template unless the policy refuses the image.
 *
 * Requires: `policy` may be NULL: "selfie". `budget` may be NULL.
 * Status: FV_E_NO_FACE, FV_E_DAMAGED, FV_E_TIMEOUT, FV_E_CANCELLED, FV_E_BUSY.
 */
FV_API FV_CHECKED fv_status fv_engine_sample(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                             const fv_quality_policy *policy, const fv_budget *budget, char *message,
                                             size_t message_bytes);
/** Like fv_engine_sample(), but without a template, which is faster. `policy` and `budget` may be NULL. */
FV_API FV_CHECKED fv_status fv_engine_assess(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                             const fv_quality_policy *policy, const fv_budget *budget, char *message,
                                             size_t message_bytes);

/** Returns whether the policy does not refuse the image; 0 if there is no such sample. */
FV_API fv_bool fv_sample_is_accepted(const fv_sample *sample);
/** Returns the unified quality, 0 to 100: 100 over the factor by which the photo's defects multiply the odds of a false
 * non-match; NaN if too little of the face is inside the image. */
FV_API double fv_sample_quality(const fv_sample *sample);
/** Returns the number of checks, one per measure. */
FV_API size_t fv_sample_check_count(const fv_sample *sample);
/** Describes a quality check. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_sample_check_at(fv_quality_check *out, const fv_sample *sample, size_t index);
/** Returns the faces of the image, the analysed one first. */
FV_API const fv_faces *fv_sample_faces(const fv_sample *sample);
/** Returns the template; NULL if the policy refused the image or no template was requested. Borrowed: copy it with
 * fv_template_serialise() to keep it. */
FV_API const fv_template *fv_sample_template(const fv_sample *sample);
/** The sample as JSON, as `faceverify quality --json` prints each photo. */
FV_API const char *fv_sample_json(const fv_sample *sample);
FV_API void fv_sample_free(fv_sample *sample);

/* ---- Template: what is stored of a face to match it -------------------------------------------------------------- */

/*
 * A template is biometric data: protect it like the photo, and keep it no longer. It is wiped when it is freed.
 * Templates of different models are not comparable.
 */

/** Reads a serialised template. Status: FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED. Compatibility with the models is checked
 * when it is compared. */
FV_API FV_CHECKED fv_status fv_template_from_bytes(fv_template **out, const void *bytes, size_t byte_count,
                                                   char *message, size_t message_bytes);
/** Writes the binary form, 580 bytes in this release. Status: FV_E_BUFFER_TOO_SMALL, FV_E_BAD_ARGUMENT. */
FV_API FV_CHECKED fv_status fv_template_serialise(const fv_template *face_template, void *bytes, size_t capacity_bytes,
                                                  size_t *byte_count);

/** A description of a template. The texts live as long as it does. */
typedef struct fv_template_info {
  size_t struct_size;
  const char *model_identifier; /**< identifies the models that made it */
  const char *sha256;           /**< of the binary form: identifies the template without revealing the face */
  double quality;               /**< unified quality of its photo, 0 to 100; NaN if not measured */
} fv_template_info;
#define FV_TEMPLATE_INFO_INIT {sizeof(fv_template_info), NULL, NULL, 0}

FV_API FV_CHECKED fv_status fv_template_describe(fv_template_info *out, const fv_template *face_template);
FV_API void fv_template_free(fv_template *face_template);

/**
 * Compares two templates at a false-match rate.
 *
 * Requires: `false_match_rate` as for fv_engine_threshold(); 0: 1e-3.
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNSUPPORTED_RATE.
 */
FV_API FV_CHECKED fv_status fv_engine_compare_templates(fv_comparison *out, const fv_engine *engine,
                                                        const fv_template *a, const fv_template *b,
                                                        double false_match_rate, char *message, size_t message_bytes);

/** The templates that one template is compared with. */
typedef struct fv_references {
  size_t struct_size;
  const fv_template *const *templates; /**< handles, none of them NULL */
  size_t template_count;               /**< number of `templates` */
  double false_match_rate;             /**< as for fv_engine_threshold(); 0: 1e-3 */
} fv_references;
#define FV_REFERENCES_INIT {sizeof(fv_references), NULL, 0, 0}

/**
 * Compares one template with several, in their order. The false-match rate is that of one comparison: with n non-mated
 * references, a false match is up to n times as likely.
 *
 * Requires: `out` has room for as many structs as there are templates; the `struct_size` of the first applies to all.
 * `budget` may be NULL.
 * Ensures: after a failure, nothing is written.
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNSUPPORTED_RATE, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_engine_compare_many(fv_comparison *out, const fv_engine *engine,
                                                   const fv_template *probe, const fv_references *references,
                                                   const fv_budget *budget, char *message, size_t message_bytes);

/* ---- Gallery: identification (1:N) ------------------------------------------------------------------------------- */

/*
 * A file with the templates of many people (docs/gallery.md). Templates cannot be read back. Several processes may use
 * one file concurrently. A change that has returned FV_OK is on disk.
 */

/**
 * Opens a gallery of the engine's models, or creates one that only its owner may read.
 *
 * Requires: `key` has 32 bytes, which encrypt the templates, and is the same each time the gallery is opened. `key` may
 * be NULL: no encryption.
 * Status: FV_E_INCOMPATIBLE_TEMPLATE for a gallery of other models; FV_E_BAD_ARGUMENT for a wrong, missing or
 * superfluous key; FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED, FV_E_UNREADABLE, FV_E_UNWRITABLE; FV_E_WRONG_STATE while another
 * process has locked it.
 */
FV_API FV_CHECKED fv_status fv_gallery_open(fv_gallery **out, const fv_engine *engine, const char *path,
                                            const void *key, size_t key_byte_count, char *message,
                                            size_t message_bytes);

/** The size of a gallery. */
typedef struct fv_gallery_info {
  size_t struct_size;
  int64_t template_count; /**< entries with a template, which are searched */
  int64_t failure_count;  /**< entries of photos without a template */
  fv_bool is_encrypted;   /**< the templates are encrypted */
} fv_gallery_info;
#define FV_GALLERY_INFO_INIT {sizeof(fv_gallery_info), 0, 0, 0}

/** Counts the entries. Status: FV_E_DAMAGED, FV_E_UNREADABLE, FV_E_WRONG_STATE. */
FV_API FV_CHECKED fv_status fv_gallery_describe(fv_gallery_info *out, const fv_gallery *gallery);
/**
 * Adds a template under a name of 1 to 4096 bytes, replacing a same-named entry.
 *
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_UNWRITABLE, FV_E_WRONG_STATE.
 */
FV_API FV_CHECKED fv_status fv_gallery_add(fv_gallery *gallery, const char *name, const fv_template *face_template,
                                           char *message, size_t message_bytes);
/**
 * Adds a photo under its path: its template, or the reason why it has none. An existing entry is left unchanged if the
 * file and the name of the policy are the same.
 *
 * Requires: `policy` may be NULL: "selfie". `budget` may be NULL.
 * Status: FV_E_NO_TEMPLATE if the photo was added without a template, because it is unreadable, shows no face or was
 * refused by the policy: the message states the reason. FV_E_BAD_ARGUMENT; FV_E_DAMAGED for the gallery;
 * FV_E_UNWRITABLE, FV_E_WRONG_STATE, FV_E_BUSY; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_gallery_enrol(fv_gallery *gallery, const char *path, const fv_quality_policy *policy,
                                             const fv_budget *budget, char *message, size_t message_bytes);
/**
 * Returns whether fv_gallery_enrol() would leave the entry of a photo unchanged; 0 on an error.
 *
 * Requires: `policy` may be NULL: "selfie".
 */
FV_API fv_bool fv_gallery_is_enrolled(const fv_gallery *gallery, const char *path, const fv_quality_policy *policy);
/** The entries of another gallery that are copied. */
typedef struct fv_merge_options {
  size_t struct_size;
  const void *key;       /**< of the other gallery; NULL: it is not encrypted */
  size_t key_byte_count; /**< 32, or 0 without a key */
  size_t first;          /**< zero-based index of the first entry to copy, in order of insertion */
  size_t count;          /**< number of entries to copy; 0: all that follow */
} fv_merge_options;
#define FV_MERGE_OPTIONS_INIT {sizeof(fv_merge_options), NULL, 0, 0, 0}

/**
 * Copies entries of another gallery of the same models, both templates and failures, replacing same-named entries.
 *
 * Requires: `options` may be NULL: all entries of an unencrypted gallery. `budget` may be NULL.
 * Ensures: after a failure, some entries may have been copied; merging again is safe.
 * Status: as fv_gallery_open() for the other gallery; FV_E_UNWRITABLE, FV_E_WRONG_STATE; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_gallery_merge(fv_gallery *gallery, const char *path, const fv_merge_options *options,
                                             const fv_budget *budget, char *message, size_t message_bytes);
/**
 * Removes the entry with a name, and overwrites its template.
 *
 * Status: FV_E_ABSENT if there is none, FV_E_UNWRITABLE, FV_E_WRONG_STATE.
 */
FV_API FV_CHECKED fv_status fv_gallery_remove(fv_gallery *gallery, const char *name, char *message,
                                              size_t message_bytes);
/**
 * Returns the entries closest to a template, closest first. The first search reads the vectors into memory, 536 bytes
 * per template.
 *
 * Requires: `count` is the maximum number of candidates, up to 1000; 0: 10. `rate` is the false-positive identification
 * rate (FPIR, ISO/IEC 19795-1), the share of searches for people who are not in the gallery that have a match: above 0
 * and below 1; 0: 1e-2. Each comparison is decided at `rate` over the number of templates; if the calibration does not
 * support so small a rate, no candidate is a match. `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, FV_E_INCOMPATIBLE_TEMPLATE, FV_E_DAMAGED, FV_E_WRONG_STATE; FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_gallery_search(fv_candidates **out, const fv_gallery *gallery, const fv_template *probe,
                                              size_t count, double rate, const fv_budget *budget, char *message,
                                              size_t message_bytes);
/**
 * Returns the pairs of entries closest to each other, closest first. Compares all pairs with as many threads as the
 * engine has: 100,000 templates take minutes.
 *
 * Requires: `count` is the maximum number of pairs, up to 1000; 0: 100. `rate` is the probability that any non-mated
 * pair is a match, with the range and default of fv_gallery_search(). `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, FV_E_DAMAGED, FV_E_WRONG_STATE, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_gallery_duplicates(fv_candidates **out, const fv_gallery *gallery, size_t count,
                                                  double rate, const fv_budget *budget, char *message,
                                                  size_t message_bytes);
FV_API void fv_gallery_free(fv_gallery *gallery);

/** An entry close to a probe, or two entries close to each other. The texts live as long as the fv_candidates. */
typedef struct fv_candidate {
  size_t struct_size;
  const char *name;  /**< name of the entry */
  const char *other; /**< name of the other entry of a pair; empty in a search */
  double score;      /**< distance in units of each side's cohort: smaller is closer */
  double similarity; /**< 0 to 100; not corrected for the number of comparisons */
  fv_bool is_match;  /**< the score is at most the threshold */
} fv_candidate;
#define FV_CANDIDATE_INIT {sizeof(fv_candidate), NULL, NULL, 0, 0, 0}

/** The basis of a search. The text lives as long as the fv_candidates. */
typedef struct fv_candidates_info {
  size_t struct_size;
  int64_t template_count;   /**< number of templates in the gallery */
  int64_t comparison_count; /**< number of comparisons: templates, or pairs of templates */
  double rate;              /**< the requested rate */
  double comparison_rate;   /**< the rate over the number of comparisons, at most 1e-2: decides each comparison */
  double threshold;         /**< a score up to this is a match; NaN if the calibration does not support the rate */
  const char *note;         /**< why there is no threshold, and what to do; empty if there is one */
} fv_candidates_info;
#define FV_CANDIDATES_INFO_INIT {sizeof(fv_candidates_info), 0, 0, 0, 0, 0, NULL}

FV_API size_t fv_candidates_count(const fv_candidates *candidates);
/** Describes a candidate. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_candidates_at(fv_candidate *out, const fv_candidates *candidates, size_t index);
FV_API FV_CHECKED fv_status fv_candidates_describe(fv_candidates_info *out, const fv_candidates *candidates);
/** The candidates as JSON, as `faceverify gallery search --json` and `dedupe --json` print them, without the probe. */
FV_API const char *fv_candidates_json(const fv_candidates *candidates);
FV_API void fv_candidates_free(fv_candidates *candidates);

/* ---- Faces ------------------------------------------------------------------------------------------------------- */

/** The extent of face detection. */
typedef struct fv_detect_options {
  size_t struct_size;
  fv_bool small_faces; /**< also search for faces down to 40 pixels if larger ones were found, which is slower */
} fv_detect_options;
#define FV_DETECT_OPTIONS_INIT {sizeof(fv_detect_options), 0}

/** A position in pixels of the upright image. */
typedef struct fv_point {
  double x;
  double y;
} fv_point;

/** A face in an image. */
typedef struct fv_face {
  size_t struct_size;
  double x;      /**< left side of a bounding box from the brows to the chin, which may extend beyond the image */
  double y;      /**< upper side of the box */
  double width;  /**< of the box */
  double height; /**< of the box */
  double score;  /**< the detector's confidence: 0 to 1; in the "dlib" set on dlib's own scale, 0 is its threshold */
  int64_t turn;  /**< clockwise rotation of the image in degrees that makes the face upright: 0, 90, 180 or 270 */
  fv_point left_eye_outer;
  fv_point left_eye_inner;
  fv_point right_eye_outer;
  fv_point right_eye_inner;
  fv_point nose_base;
  double inter_eye_distance; /**< pixels between the centres of the eyes (ISO/IEC 29794-5) */
  double yaw;                /**< degrees, positive to the subject's left (ISO/IEC 39794-5); NaN in the "dlib" set */
  double pitch;              /**< degrees, positive downwards; NaN in the "dlib" set */
  double roll;               /**< degrees, positive towards the subject's right shoulder; NaN in the "dlib" set */
  /** Gap between the lids over the distance between the corners of the eye: 0.02-0.05 in a blink, 0.18-0.29 open
   * (medians of 13 clips); NaN in the "dlib" set. */
  double left_eye_openness;
  double right_eye_openness; /**< as for the left eye; NaN in the "dlib" set */
} fv_face;
#define FV_FACE_INIT                                                                                                   \
  {sizeof(fv_face), 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0, 0, 0}

/**
 * Detects all faces of an image, the most prominent first. Returns FV_OK with a count of 0 if there is none.
 *
 * Requires: `options` and `budget` may be NULL.
 * Status: FV_E_DAMAGED, FV_E_TIMEOUT, FV_E_CANCELLED.
 */
FV_API FV_CHECKED fv_status fv_engine_detect(fv_faces **out, const fv_engine *engine, const fv_image *image,
                                             const fv_detect_options *options, const fv_budget *budget, char *message,
                                             size_t message_bytes);

FV_API size_t fv_faces_count(const fv_faces *faces);
/** Describes a face. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_faces_at(fv_face *out, const fv_faces *faces, size_t index);

/** The number of points of a mesh, in the numbering of MediaPipe's face mesh (arXiv 1907.06724). */
#define FV_MESH_POINTS 468

/**
 * Copies the mesh: x, y and depth of each point, in pixels; depth is 0 at the centre of the head and increases away
 * from the camera.
 *
 * Requires: `xyz` has room for 3 * `capacity_points` numbers.
 * Status: FV_E_ABSENT if there is no such face, or no mesh (the "dlib" set); FV_E_BUFFER_TOO_SMALL; FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_faces_mesh(const fv_faces *faces, size_t index, double *xyz, size_t capacity_points,
                                          size_t *point_count);

/** One of the subject's eyes. */
typedef int64_t fv_eye;

enum { FV_EYE_LEFT = 1, FV_EYE_RIGHT = 2 };

/** Returns the name: "left", "right". */
FV_API const char *fv_eye_name(fv_eye eye);

/** The number of points of an eye. */
#define FV_EYE_POINTS 21

/** Copies the outline of an eye: the lower lid from corner to corner (9 points), the upper lid between them (7), the
 * centre of the iris, its rim (4). Status: as fv_faces_mesh(). */
FV_API FV_CHECKED fv_status fv_faces_eye(const fv_faces *faces, size_t index, fv_eye eye, fv_point *points,
                                         size_t capacity_points, size_t *point_count);
/** The faces as JSON, as `faceverify detect --json` prints each photo's. */
FV_API const char *fv_faces_json(const fv_faces *faces);
FV_API void fv_faces_free(fv_faces *faces);

/* ---- Quality policy: the requirements on an image ---------------------------------------------------------------- */

/** The names of the quality measures (ISO/IEC 29794-5), in the order of reports; NULL from the last one on. */
FV_API const char *fv_quality_measure_at(size_t index);

/**
 * Copies a built-in policy: "selfie", "document-portrait", "chip-portrait", or "any", which refuses nothing
 * (docs/quality.md).
 *
 * Status: FV_E_BAD_ARGUMENT for another name.
 */
FV_API FV_CHECKED fv_status fv_quality_policy_create(fv_quality_policy **out, const char *name, char *message,
                                                     size_t message_bytes);
/**
 * Sets the requirement on one measure: a value from `minimum` to `maximum` passes; one below `refused_below` or above
 * `refused_above` refuses the image; any other is a warning. NaN: no limit; with four NaNs the measure is reported
 * without a requirement. Units and ranges: docs/quality.md.
 *
 * Status: FV_E_BAD_ARGUMENT for a measure that fv_quality_measure_at() does not list, and unless
 * refused_below <= minimum <= maximum <= refused_above; FV_E_BUSY.
 */
FV_API FV_CHECKED fv_status fv_quality_policy_require(fv_quality_policy *policy, const char *measure, double minimum,
                                                      double maximum, double refused_below, double refused_above,
                                                      char *message, size_t message_bytes);
FV_API void fv_quality_policy_free(fv_quality_policy *policy);

/* ---- Thresholds -------------------------------------------------------------------------------------------------- */

/** An operating point: the error rates measured at one false-match rate (ISO/IEC 19795-1), or interpolated between
 * measured points, on the data that the engine's JSON names. The false-match rate is that of the worst group, the overall
 * rate that of all non-mated comparisons. */
typedef struct fv_threshold {
  size_t struct_size;
  double false_match_rate;           /**< the requested rate */
  double score;                      /**< a score up to this is a match */
  double false_matches;              /**< number of false matches observed over all groups */
  double false_match_rate_lower;     /**< lower 95 % confidence bound, from bootstrapping subjects */
  double false_match_rate_upper;     /**< upper 95 % confidence bound: the requested rate among the worst group */
  double false_non_match_rate;       /**< share of mated comparisons that are no match */
  double false_non_match_rate_lower; /**< lower 95 % confidence bound */
  double false_non_match_rate_upper; /**< upper 95 % confidence bound */
  double overall_false_match_rate;   /**< share of all non-mated comparisons that match */
  double overall_false_match_rate_lower; /**< lower 95 % confidence bound */
  double overall_false_match_rate_upper; /**< upper 95 % confidence bound: the requested rate among all */
} fv_threshold;
#define FV_THRESHOLD_INIT {sizeof(fv_threshold), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Returns the operating point at a false-match rate from 1e-5 to 1e-2, interpolated on the calibration.
 *
 * Status: FV_E_UNSUPPORTED_RATE for a rate that the data do not support; FV_E_BAD_ARGUMENT for one that is not between
 * 0 and 1.
 */
FV_API FV_CHECKED fv_status fv_engine_threshold(fv_threshold *out, const fv_engine *engine, double false_match_rate,
                                                char *message, size_t message_bytes);

/**
 * Returns the operating point at which a rate holds among the people of `among`, as in fv_comparison_policy.
 *
 * Requires: "worst-group" or "all". `among` may be NULL: "worst-group".
 * Status: as fv_engine_threshold(). Among all, rates from about 1e-6 are supported.
 */
FV_API FV_CHECKED fv_status fv_engine_threshold_among(fv_threshold *out, const fv_engine *engine,
                                                      double false_match_rate, const char *among, char *message,
                                                      size_t message_bytes);

/* ---- Models: the files and their state --------------------------------------------------------------------------- */

/** The state of a model file. */
typedef int64_t fv_model_state;

enum {
  FV_MODEL_STATE_OK = 1,      /**< present, with the SHA-256 in the manifest */
  FV_MODEL_STATE_MISSING = 2, /**< absent */
  FV_MODEL_STATE_MISMATCH = 3 /**< a file with another SHA-256 */
};

/** Returns the name: "ok", "missing", "mismatch". */
FV_API const char *fv_model_state_name(fv_model_state state);

/** One file of a models folder. The texts live as long as the fv_models. */
typedef struct fv_model {
  size_t struct_size;
  const char *id;       /**< its name in the manifest */
  const char *role;     /**< purpose of the model */
  const char *version;  /**< of the model */
  const char *licence;  /**< SPDX identifier */
  const char *path;     /**< of the file */
  const char *remedy;   /**< what to do; empty if the state is OK */
  fv_model_state state; /**< present, missing or another file */
  int64_t byte_count;   /**< size in the manifest */
  fv_bool is_optional;  /**< only required by optional model sets, so it may be missing */
} fv_model;
#define FV_MODEL_INIT {sizeof(fv_model), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0}

/**
 * Reads and hashes every file in the manifest of a folder.
 *
 * Requires: `folder` may be NULL: it is searched for as in fv_engine_options.
 * Status: FV_E_MODEL_MISSING if there is no manifest.
 */
FV_API FV_CHECKED fv_status fv_models_check(fv_models **out, const char *folder, char *message, size_t message_bytes);
FV_API size_t fv_models_count(const fv_models *models);
/** Describes a file. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_models_at(fv_model *out, const fv_models *models, size_t index);
/** The files as JSON, as `faceverify models list --json` prints them. */
FV_API const char *fv_models_json(const fv_models *models);
FV_API void fv_models_free(fv_models *models);

/* ---- For tests --------------------------------------------------------------------------------------------------- */

/** Returns the number of owned handles in this process that are not freed yet: 0 at the end of a program that frees all
 * of them. */
FV_API size_t fv_live_objects(void);

#ifdef __cplusplus
}
#endif

#endif
