/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * faceverify: is this the person on the document?
 *
 *     fv_engine *engine;
 *     fv_credential *credential;
 *     fv_decision *decision;
 *     fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
 *     char message[FV_MESSAGE_SIZE];
 *     selfie.path = "selfie.jpg";
 *     portrait.path = "portrait.jpg";
 *     if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK) ...
 *     fv_credential_create(&credential, engine, NULL, NULL, 0);
 *     if (fv_credential_compare(&decision, credential, &selfie, &portrait) == FV_OK)
 *       puts(fv_result_name(fv_decision_result(decision)));
 *     else
 *       puts(fv_credential_message(credential));
 *
 * **Results and errors.** A negative answer (no match, poor quality) is a result: the status is FV_OK, and the object
 * says what was found and why. A status other than FV_OK says that something could not be done.
 *
 * **Ownership.** What a function hands out through its first parameter, `out`, is yours: free it with the `_free` of
 * its type. After a failure `*out` is NULL; a struct is left as it was. What a function returns as a `const` pointer
 * is borrowed: it lives as long as the handle that it was asked of, unless said otherwise. `_free(NULL)`, and freeing
 * what is borrowed, does nothing. What you pass in is used during the call only, and copied where it is needed later;
 * handles may be freed in any order.
 *
 * **Handles.** A handle is a number that is looked up, never memory that is followed: one that was freed, that
 * belongs to another type or that never was one gives FV_E_BAD_ARGUMENT (or NULL, or 0), not a crash. Numbers are not
 * used again.
 *
 * **Threads.** Any threads may use an object at the same time: it is never changed after it was made, or looks after
 * itself. But fv_credential, fv_liveness_session and fv_quality_policy serve one thread at a time, and a call meanwhile
 * is answered with FV_E_BUSY. There is no initialisation, no global setting, no clock and no callback; the library
 * never prints and opens no connection.
 *
 * **Structs.** Each begins with `struct_size`, which its _INIT macro or fv_struct_init() sets; in all other fields 0
 * stands for the default. Later releases only append fields: programs go on working without being compiled anew. Of a
 * struct longer than the library knows, the rest must be 0 when it is passed in, and is set to 0 when it is filled.
 *
 * Text is UTF-8 and ends with a 0 byte. Positions are pixels of the upright picture: x to the right, y down, (0, 0)
 * is the outer corner of the first pixel; left and right are the subject's. What was not measured is NaN.
 *
 * **Messages.** Functions without a credential or session take `message` and `capacity`: after a failure, one line that
 * says what was wrong and what to do, cut off at `capacity`; NULL if it is not wanted. A credential and a session keep
 * their own message.
 *
 * Since: all of it, 0.1.0. docs/c-api.md has the conventions at length.
 */
#ifndef FACEVERIFY_H
#define FACEVERIFY_H

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

/* ---- Version ----------------------------------------------------------------------------------------------------- */

/** Of this header: 10000 * major + 100 * minor + patch. */
#define FV_VERSION_NUMBER 100u

/** The number of the library in use; FV_VERSION_NUMBER is that of the header a program was compiled with. */
uint32_t fv_version_number(void);

/** Such as "0.1.0" (semantic versioning). Never NULL. */
const char *fv_version_string(void);

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/** 0, or a negative number that says what could not be done. Numbers never change their meaning. */
typedef int32_t fv_status;

enum {
  FV_OK = 0,
  FV_E_BAD_ARGUMENT = -1,      /**< NULL, out of range, or no handle that lives: a mistake in the program */
  FV_E_UNREADABLE = -2,        /**< a file cannot be opened or read */
  FV_E_UNKNOWN_FORMAT = -3,    /**< no picture, template, certificate... of a kind that is read */
  FV_E_DAMAGED = -4,           /**< the right kind, but cut off or broken */
  FV_E_TOO_LARGE = -5,         /**< beyond the limits of fv_image_limits */
  FV_E_NO_FACE = -6,           /**< no face was found in the picture */
  FV_E_INCOMPATIBLE_TEMPLATE = -7,  /**< a template of other models: make it anew from its photo */
  FV_E_MODEL_MISSING = -8,     /**< a model file is not installed */
  FV_E_MODEL_MISMATCH = -9,    /**< a model file is not the one that the manifest names */
  FV_E_UNSUPPORTED_RATE = -10, /**< the calibration data do not support this false-match rate */
  FV_E_UNWRITABLE = -11,       /**< a file cannot be written */
  FV_E_WRONG_STATE = -12,      /**< not in this state of the object */
  FV_E_INTERNAL = -13,         /**< a library failed in a way that no input should cause */
  FV_E_BUSY = -14,             /**< another thread uses this object */
  FV_E_ABSENT = -15,           /**< there is no such thing: see the function that returns it */
  FV_E_VERSION = -16           /**< the program was compiled for another major version, or a later minor one */
};

/** Room for every message of this release. */
#define FV_MESSAGE_SIZE 1024

/** The name of a status, as in the JSON of the command line: "ok", "no-face"...; "unknown" for any other number. */
const char *fv_status_name(fv_status status);

/**
 * 1 if another attempt may succeed without a change to program or installation: with another picture (no face,
 * unreadable, unknown format, damaged, too large) or a moment later (busy). Else 0.
 */
int fv_status_is_retryable(fv_status status);

/**
 * Makes a struct ready as its _INIT macro does, for languages without macros: all bytes 0, then its size.
 *
 * Requires: `size` is the struct's size in bytes, at least sizeof(size_t). NULL does nothing.
 */
void fv_struct_init(void *structure, size_t size);

/* ---- Engine: the models, loaded once and shared by all threads --------------------------------------------------- */

typedef struct fv_engine fv_engine;

typedef struct fv_engine_options {
  size_t struct_size;
  /**
   * The folder with manifest.json and the models. NULL: $FACEVERIFY_MODELS, else share/faceverify/models in the prefix
   * that the library is installed in, found from the place of the library's file.
   */
  const char *models_folder;
  const char *model_set;    /**< "default", or "dlib": slower, needs no OpenVINO, no mesh; NULL: "default" */
  const char *cache_folder; /**< for compiled models; NULL: $XDG_CACHE_HOME/faceverify or ~/.cache/faceverify */
  /** Calls that run at full speed at the same time, 1 to 64; more wait. Each but the first makes creation 0.1 s longer.
   * 0: 1. */
  int64_t threads;
} fv_engine_options;
#define FV_ENGINE_OPTIONS_INIT {sizeof(fv_engine_options), NULL, NULL, NULL, 0}

/**
 * Reads, checks and compiles the models: 0.2 s, the first time on a machine about a second.
 *
 * Requires: `header_version` is FV_VERSION_NUMBER. `options` may be NULL.
 * Status: FV_E_VERSION, FV_E_BAD_ARGUMENT, FV_E_MODEL_MISSING, FV_E_MODEL_MISMATCH, FV_E_DAMAGED, FV_E_INTERNAL.
 */
FV_CHECKED fv_status fv_engine_create(fv_engine **out, uint32_t header_version, const fv_engine_options *options,
                                      char *message, size_t capacity);

/** What was made from the engine stays usable, and keeps the models in memory until it is freed as well. */
void fv_engine_free(fv_engine *engine);

/** Makes ready for the first call: after this, no call pays for anything but its own work. Status: FV_E_INTERNAL. */
FV_CHECKED fv_status fv_engine_preload(const fv_engine *engine, char *message, size_t capacity);

/** An operating point: what was measured at one false-match rate (ISO/IEC 19795-1), on the data that
 * fv_engine_json() names. */
typedef struct fv_threshold {
  size_t struct_size;
  double rate;                      /**< the false-match rate that was asked for */
  double score;                     /**< a score up to this is a match */
  double false_matches;             /**< how many were seen */
  double false_match_rate_lower;    /**< 95 % confidence bounds, from resampling subjects */
  double false_match_rate_upper;
  double false_non_match_rate;      /**< share of genuine comparisons that are no match */
  double false_non_match_rate_lower; /**< 95 % confidence bounds */
  double false_non_match_rate_upper;
} fv_threshold;
#define FV_THRESHOLD_INIT {sizeof(fv_threshold), 0, 0, 0, 0, 0, 0, 0, 0}

/** The operating point of a false-match rate: 1e-2, 1e-3 or 1e-4. Status: FV_E_UNSUPPORTED_RATE for another one,
 * FV_E_BAD_ARGUMENT for one that is not between 0 and 1. */
FV_CHECKED fv_status fv_engine_threshold(fv_threshold *out, const fv_engine *engine, double rate, char *message,
                                         size_t capacity);

/** Version, models, thresholds, and the data that these rest on, as JSON; NULL if there is no such engine. */
const char *fv_engine_json(const fv_engine *engine);

/* ---- Models: the files and their state --------------------------------------------------------------------------- */

typedef struct fv_models fv_models;

enum {
  FV_MODEL_OK = 1,       /**< there, with the SHA-256 that the manifest gives */
  FV_MODEL_MISSING = 2,  /**< not there */
  FV_MODEL_MISMATCH = 3  /**< another file */
};

/** One file; the texts live as long as the fv_models. */
typedef struct fv_model {
  size_t struct_size;
  const char *id;
  const char *role;
  const char *version;
  const char *licence; /**< SPDX identifier */
  const char *path;
  const char *remedy;  /**< what to do; empty if it is right */
  int64_t state;       /**< FV_MODEL_OK... */
  int64_t size;        /**< bytes, as the manifest gives them */
} fv_model;
#define FV_MODEL_INIT {sizeof(fv_model), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0}

/**
 * Reads and hashes every file that the manifest of a folder names.
 *
 * Requires: nothing; a `folder` of NULL is searched as for fv_engine_options.
 * Status: FV_E_MODEL_MISSING if there is no manifest.
 */
FV_CHECKED fv_status fv_models_check(fv_models **out, const char *folder, char *message, size_t capacity);
void fv_models_free(fv_models *models);
size_t fv_models_count(const fv_models *models);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_models_get(fv_model *out, const fv_models *models, size_t index);
/** As `faceverify models list --json` prints it. */
const char *fv_models_json(const fv_models *models);

/* ---- Image: a picture whose header was read and checked ---------------------------------------------------------- */

typedef struct fv_image fv_image;

/** What a picture may cost at most, checked before anything of that size is allocated. */
typedef struct fv_image_limits {
  size_t struct_size;
  int64_t maximum_pixels; /**< of the stored picture; 0: 100 million, twice the sensor of a good telephone */
  int64_t maximum_bytes;  /**< of the file; 0: 64 MiB */
} fv_image_limits;
#define FV_IMAGE_LIMITS_INIT {sizeof(fv_image_limits), 0, 0}

/** The order of the 8-bit channels in memory. A fourth byte is not used. */
enum { FV_PIXELS_RGB8 = 1, FV_PIXELS_BGR8 = 2, FV_PIXELS_RGBA8 = 3, FV_PIXELS_BGRA8 = 4, FV_PIXELS_GRAY8 = 5 };

/** Raw pixels that belong to the caller. All fields are checked against each other before a pixel is read. */
typedef struct fv_image_view {
  size_t struct_size;
  const void *data;     /**< the first row is the upper one */
  size_t byte_count;    /**< that may be read from `data` on: at least (height - 1) * row_stride and one row */
  int64_t width;        /**< pixels, 1 to 2^20 */
  int64_t height;       /**< rows, 1 to 2^20 */
  int64_t row_stride;   /**< bytes from one row to the next; 0: rows are tightly packed */
  int64_t pixel_format; /**< FV_PIXELS_RGB8... */
} fv_image_view;
#define FV_IMAGE_VIEW_INIT {sizeof(fv_image_view), NULL, 0, 0, 0, 0, 0}

/**
 * Reads a JPEG, PNG, JPEG 2000, TIFF or BMP file, known by its content. Only regular files are read. EXIF orientation
 * is applied.
 *
 * Requires: `path` is UTF-8; read a file of another name yourself, and use fv_image_from_bytes().
 * Status: FV_E_UNREADABLE, FV_E_UNKNOWN_FORMAT, FV_E_DAMAGED, FV_E_TOO_LARGE. Pixels are decoded later: damage that is
 * not in the header is found by the call that uses the image.
 */
FV_CHECKED fv_status fv_image_from_file(fv_image **out, const char *path, const fv_image_limits *limits, char *message,
                                        size_t capacity);
/** The same from memory, which is copied. */
FV_CHECKED fv_status fv_image_from_bytes(fv_image **out, const void *bytes, size_t count,
                                         const fv_image_limits *limits, char *message, size_t capacity);
/** Copies raw pixels, which are taken to be upright. Status: FV_E_BAD_ARGUMENT, FV_E_TOO_LARGE. */
FV_CHECKED fv_status fv_image_from_pixels(fv_image **out, const fv_image_view *view, const fv_image_limits *limits,
                                          char *message, size_t capacity);
void fv_image_free(fv_image *image);

typedef struct fv_image_info {
  size_t struct_size;
  int64_t width;      /**< pixels, upright */
  int64_t height;
  const char *format; /**< "jpeg", "png", "jpeg2000", "tiff", "bmp" or "pixels" */
  const char *sha256; /**< of the file, or of the pixels as RGB; lower-case hexadecimal */
} fv_image_info;
#define FV_IMAGE_INFO_INIT {sizeof(fv_image_info), 0, 0, NULL, NULL}

FV_CHECKED fv_status fv_image_describe(fv_image_info *out, const fv_image *image);
/**
 * Decodes the pixels, upright: red, green and blue of each in a byte, rows tightly packed.
 *
 * Ensures: `*count` is the number of bytes, 3 * width * height; NULL and 0 ask for it, which decodes nothing.
 * Status: FV_E_DAMAGED; FV_E_BAD_ARGUMENT if `capacity` is too small and not 0; then nothing is written.
 */
FV_CHECKED fv_status fv_image_pixels(const fv_image *image, void *rgb, size_t capacity, size_t *count);

/* ---- Quality policy: what is asked of a picture ------------------------------------------------------------------ */

typedef struct fv_quality_policy fv_quality_policy;

/**
 * A copy of a policy of the library: "selfie", "document-portrait" or "chip-portrait" (docs/quality.md).
 *
 * Status: FV_E_BAD_ARGUMENT for another name.
 */
FV_CHECKED fv_status fv_quality_policy_create(fv_quality_policy **out, const char *name);
void fv_quality_policy_free(fv_quality_policy *policy);

/**
 * Changes what is asked of one measure: a value from `minimum` to `maximum` passes; one below `refused_below` or above
 * `refused_above` refuses the picture; between them lies a warning. NaN is no limit; four NaNs measure without asking.
 * Units and ranges: docs/quality.md.
 *
 * Status: FV_E_BAD_ARGUMENT for a measure that fv_quality_measure_name() does not know; FV_E_BUSY.
 */
FV_CHECKED fv_status fv_quality_policy_require(fv_quality_policy *policy, const char *measure, double minimum,
                                               double maximum, double refused_below, double refused_above);

/** The names of the measures after ISO/IEC 29794-5, in the order of reports; NULL from the last one on. */
const char *fv_quality_measure_name(size_t index);

/* ---- Credential: one person's journey, on one thread at a time --------------------------------------------------- */

typedef struct fv_credential fv_credential;
typedef struct fv_faces fv_faces;
typedef struct fv_sample fv_sample;
typedef struct fv_template fv_template;
typedef struct fv_decision fv_decision;

/** What a decision is made by. */
typedef struct fv_policy {
  size_t struct_size;
  const fv_quality_policy *selfie;   /**< copied; NULL: "selfie" */
  const fv_quality_policy *portrait; /**< copied; NULL: "document-portrait" */
  double false_match_rate;           /**< share of strangers that may be called a match: 1e-2, 1e-3, 1e-4. 0: 1e-3 */
} fv_policy;
#define FV_POLICY_INIT {sizeof(fv_policy), NULL, NULL, 0}

/**
 * `policy` may be NULL.
 *
 * Status: FV_E_BAD_ARGUMENT, FV_E_UNSUPPORTED_RATE, FV_E_BUSY while another thread changes a quality policy.
 */
FV_CHECKED fv_status fv_credential_create(fv_credential **out, const fv_engine *engine, const fv_policy *policy,
                                          char *message, size_t capacity);
void fv_credential_free(fv_credential *credential);

/** Why the last call on this credential failed; empty if it did not. Valid until the next call on it. A call that is
 * answered with FV_E_BUSY leaves it alone: it belongs to the thread that uses the credential. */
const char *fv_credential_message(const fv_credential *credential);

/** One side of a comparison: exactly one of the pointers is set. */
typedef struct fv_input {
  size_t struct_size;
  const char *path;                /**< a picture or template file, known by its content; read with default limits */
  const fv_image *image;
  const fv_template *face_template; /**< its quality was judged when it was made, and is not judged again */
} fv_input;
#define FV_INPUT_INIT {sizeof(fv_input), NULL, NULL, NULL}

/**
 * Decides whether the selfie shows the person of the portrait. FV_OK for every answer: see fv_decision_result().
 *
 * Status: FV_E_NO_FACE and what cannot be read, with the side in the message; FV_E_INCOMPATIBLE_TEMPLATE; FV_E_BUSY.
 */
FV_CHECKED fv_status fv_credential_compare(fv_decision **out, fv_credential *credential, const fv_input *selfie,
                                           const fv_input *portrait);

/** How two templates compare. */
typedef struct fv_comparison {
  size_t struct_size;
  /** Distance in units of each side's nearest strangers: smaller is closer; around 0 lie strangers that look alike. */
  double score;
  double threshold;  /**< a score up to this is a match */
  double decided_at; /**< the false-match rate that the threshold stands for */
  /** 0 to 100: 25 for each factor of ten in false_match_rate; 75 is one in a thousand. */
  double similarity;
  double false_match_rate;             /**< share of strangers who come at least as close as this score */
  double false_match_rate_upper_bound; /**< of its 95 % confidence interval */
  int64_t is_match;                    /**< 1 or 0 */
  int64_t is_beyond_calibration;       /**< 1: false_match_rate is the least that the data can tell */
} fv_comparison;
#define FV_COMPARISON_INIT {sizeof(fv_comparison), 0, 0, 0, 0, 0, 0, 0, 0}

/** Compares two templates at the credential's false-match rate. Status: FV_E_INCOMPATIBLE_TEMPLATE, FV_E_BUSY. */
FV_CHECKED fv_status fv_credential_compare_templates(fv_comparison *out, fv_credential *credential,
                                                     const fv_template *a, const fv_template *b);

/** Also look for faces down to 40 pixels where larger ones have been found, which takes longer. */
#define FV_DETECT_SMALL_FACES 1u

/** All faces of a picture, the most prominent first; none is FV_OK with a count of 0. `flags`: 0 or the above.
 * Status: FV_E_DAMAGED, FV_E_BUSY. */
FV_CHECKED fv_status fv_credential_detect(fv_faces **out, fv_credential *credential, const fv_image *image,
                                          uint32_t flags);

/**
 * The most prominent face, its quality, and its template unless the policy refuses the picture.
 *
 * Requires: `policy` may be NULL: the credential's policy for selfies.
 * Status: FV_E_NO_FACE, FV_E_DAMAGED, FV_E_BUSY.
 */
FV_CHECKED fv_status fv_credential_sample(fv_sample **out, fv_credential *credential, const fv_image *image,
                                          const fv_quality_policy *policy);
/** The same without a template, which takes less time. */
FV_CHECKED fv_status fv_credential_assess(fv_sample **out, fv_credential *credential, const fv_image *image,
                                          const fv_quality_policy *policy);

/* ---- Faces ------------------------------------------------------------------------------------------------------- */

typedef struct fv_point {
  double x;
  double y;
} fv_point;

typedef struct fv_face {
  size_t struct_size;
  double x; /**< box around the face from the brows to the chin; it may reach beyond the picture */
  double y;
  double width;
  double height;
  double score; /**< how sure the detector is: 0 to 1; in the "dlib" set dlib's own scale, 0 = its threshold */
  int64_t turn; /**< 0, 90, 180 or 270 degrees clockwise, after which the face was found */
  fv_point left_eye_outer;
  fv_point left_eye_inner;
  fv_point right_eye_outer;
  fv_point right_eye_inner;
  fv_point nose_base;
  double inter_eye_distance; /**< pixels between the eyes' centres (ISO/IEC 29794-5) */
  double yaw;   /**< degrees, positive to the subject's left (ISO/IEC 39794-5); NaN in the "dlib" set, like pitch... */
  double pitch; /**< degrees, positive downwards */
  double roll;  /**< degrees, positive towards the subject's right shoulder */
  /** Gap between the lids over the distance between the corners: 0.02-0.05 in a blink, 0.18-0.29 open (medians of 13
   * clips). */
  double left_eye_openness;
  double right_eye_openness;
} fv_face;
#define FV_FACE_INIT                                                                                                   \
  {sizeof(fv_face), 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0, 0, 0, 0, 0}

size_t fv_faces_count(const fv_faces *faces);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_faces_get(fv_face *out, const fv_faces *faces, size_t index);

/** Points of a mesh, in the numbering of MediaPipe's face mesh (arXiv 1907.06724). */
#define FV_MESH_POINTS 468

/**
 * The mesh: x, y and depth of each point, in pixels; depth grows away from the camera, from the head's centre.
 *
 * Requires: `xyz` has room for 3 * `capacity` numbers. If `capacity` is less than `*count`, nothing is written.
 * Ensures: `*count` is the number of points; so NULL and 0 ask for it.
 * Status: FV_E_ABSENT if there is no such face, or no mesh (the "dlib" set); FV_E_BAD_ARGUMENT if `capacity` is too
 * small and not 0.
 */
FV_CHECKED fv_status fv_faces_mesh(const fv_faces *faces, size_t index, double *xyz, size_t capacity, size_t *count);

enum { FV_EYE_LEFT = 1, FV_EYE_RIGHT = 2 };

/** Points of an eye. */
#define FV_EYE_POINTS 21

/** An eye: lower lid from corner to corner (9 points), upper lid between them (7), the iris's centre, its rim (4).
 * Otherwise as fv_faces_mesh(). */
FV_CHECKED fv_status fv_faces_eye(const fv_faces *faces, size_t index, int eye, fv_point *points, size_t capacity,
                                  size_t *count);
/** As `faceverify detect --json` prints each photo's faces. */
const char *fv_faces_json(const fv_faces *faces);
void fv_faces_free(fv_faces *faces);

/* ---- Sample: what one picture gave ------------------------------------------------------------------------------- */

enum {
  FV_CHECK_PASSED = 1,
  FV_CHECK_FAILED = 2,
  FV_CHECK_NOT_CHECKED = 3 /**< could not be determined, or nothing was asked: never taken for passed */
};
enum {
  FV_CONSEQUENCE_NONE = 0,
  FV_CONSEQUENCE_REFUSE = 1, /**< the picture must not be used */
  FV_CONSEQUENCE_WARN = 2    /**< it may be used; results are less certain */
};

/** One quality check; the texts live as long as the sample. */
typedef struct fv_check {
  size_t struct_size;
  const char *measure; /**< as fv_quality_measure_name() */
  const char *unit;
  const char *advice;  /**< what the person can do, or why it was not checked; empty if it passed */
  int64_t status;      /**< FV_CHECK_PASSED... */
  int64_t consequence; /**< FV_CONSEQUENCE_NONE... */
  double value;        /**< in `unit`; NaN if it could not be determined */
  double score;        /**< 0 to 100, higher is better; NaN without a value */
  double minimum;      /**< the range that passes; NaN is no limit */
  double maximum;
} fv_check;
#define FV_CHECK_INIT {sizeof(fv_check), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}

/** The faces of the picture, the one that was taken first. */
const fv_faces *fv_sample_faces(const fv_sample *sample);
/** 1 if the policy does not refuse the picture, 0 if it does or if there is no such sample. */
int fv_sample_is_accepted(const fv_sample *sample);
/** Unified quality, 0 to 100: the geometric mean over the checks that were made; NaN if none was. */
double fv_sample_quality(const fv_sample *sample);
/** One check for each measure. */
size_t fv_sample_check_count(const fv_sample *sample);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_sample_check(fv_check *out, const fv_sample *sample, size_t index);
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
FV_CHECKED fv_status fv_template_from_bytes(fv_template **out, const void *bytes, size_t count, char *message,
                                            size_t capacity);
/**
 * Writes the binary form, 580 bytes in this release.
 *
 * Ensures: `*count` is the number of bytes; NULL and 0 ask for it.
 * Status: FV_E_BAD_ARGUMENT if `capacity` is too small and not 0; then nothing is written.
 */
FV_CHECKED fv_status fv_template_serialise(const fv_template *face_template, void *bytes, size_t capacity,
                                           size_t *count);

typedef struct fv_template_info {
  size_t struct_size;
  const char *model_identifier; /**< which models made it */
  const char *sha256;           /**< of the binary form: names a template without telling anything of the face */
  double quality;               /**< of the photo it was made from, 0 to 100; NaN if not measured */
} fv_template_info;
#define FV_TEMPLATE_INFO_INIT {sizeof(fv_template_info), NULL, NULL, 0}

FV_CHECKED fv_status fv_template_describe(fv_template_info *out, const fv_template *face_template);
void fv_template_free(fv_template *face_template);

/* ---- Decision: the answer, with everything it rests on ----------------------------------------------------------- */

enum {
  FV_RESULT_MATCH = 1,
  FV_RESULT_NO_MATCH = 2,
  FV_RESULT_REFUSED = 3 /**< a photo is not good enough to decide; the reasons say which and why */
};

/** "match", "no-match", "refused"; "none" for any other number. */
const char *fv_result_name(int result);

/** FV_RESULT_MATCH...; 0 if there is no such decision. */
int fv_decision_result(const fv_decision *decision);
/** Reasons why it is no match, or warnings about one that is; 0 only for a match. */
size_t fv_decision_reason_count(const fv_decision *decision);
/** "score-beyond-threshold", "selfie." or "portrait." and a measure, or "document." and what there is to know of its
 * portrait; NULL if `index` is not below the count. */
const char *fv_decision_reason_code(const fv_decision *decision, size_t index);
/** One sentence for people; NULL if `index` is not below the count. */
const char *fv_decision_reason_text(const fv_decision *decision, size_t index);
/** Status: FV_E_ABSENT if the decision was refused: nothing was compared. */
FV_CHECKED fv_status fv_decision_comparison(fv_comparison *out, const fv_decision *decision);
/** What the selfie gave; NULL if it was a template. */
const fv_sample *fv_decision_selfie(const fv_decision *decision);
/** What the portrait gave; NULL if it was a template. */
const fv_sample *fv_decision_portrait(const fv_decision *decision);
/** The decision record: the same input, version and models give the same bytes, as `faceverify compare --json`. */
const char *fv_decision_json(const fv_decision *decision);
void fv_decision_free(fv_decision *decision);

/* ---- Liveness: what is asked of a person ------------------------------------------------------------------------- */

typedef struct fv_liveness_request fv_liveness_request;
typedef struct fv_liveness_register fv_liveness_register;
typedef struct fv_liveness_session fv_liveness_session;
typedef struct fv_liveness_decision fv_liveness_decision;

/** What a person is asked to do, in their own directions. Each but a blink is a movement, a hold, and the way back. */
enum {
  FV_CHALLENGE_BLINK = 1,
  FV_CHALLENGE_TURN_LEFT = 2,
  FV_CHALLENGE_TURN_RIGHT = 3,
  FV_CHALLENGE_LOOK_UP = 4,
  FV_CHALLENGE_LOOK_DOWN = 5,
  FV_CHALLENGE_TILT_LEFT = 6,  /**< the head towards the left shoulder */
  FV_CHALLENGE_TILT_RIGHT = 7, /**< the head towards the right shoulder */
  FV_CHALLENGE_SMILE = 8,
  FV_CHALLENGE_OPEN_MOUTH = 9,
  FV_CHALLENGE_MOVE_CLOSER = 10,
  FV_CHALLENGE_MOVE_BACK = 11,
  FV_CHALLENGE_HOLD_STILL = 12
};

/** "blink", "turn-left"...; "none" for any other number. */
const char *fv_challenge_name(int challenge);

/** One challenge in a set of them: sets are added up with `|`. */
#define FV_CHALLENGE_BIT(challenge) ((int64_t)1 << (challenge))

/** What a script is drawn from. */
typedef struct fv_liveness_draw {
  size_t struct_size;
  int64_t count;      /**< challenges that are asked for, each a different one: 1 to 12; 0: 3 */
  int64_t challenges; /**< FV_CHALLENGE_BIT() of each that may be; 0: all from BLINK to OPEN_MOUTH */
} fv_liveness_draw;
#define FV_LIVENESS_DRAW_INIT {sizeof(fv_liveness_draw), 0, 0}

/**
 * A request as a server made it: the same nonce and `draw` give the same script on every machine (docs/liveness.md).
 *
 * Requires: a nonce of 16 to 64 bytes that is used once; `expires`, seconds since 1970 from which on an answer comes
 * too late, or INFINITY. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_request_create(fv_liveness_request **out, const void *nonce, size_t nonce_count,
                                                const fv_liveness_draw *draw, double expires, char *message,
                                                size_t capacity);
/**
 * A request of your own: `count` challenges (1 to 12), in this order. It never expires.
 *
 * Requires: `challenges`, `holds` and `pauses` have `count` elements: FV_CHALLENGE_BLINK..., seconds for which the
 * position is held (0 to 5; not of a blink), seconds for which the person looks ahead before (0 to 5). `holds` and
 * `pauses` may be NULL: 0.5 and 0.3 each. The nonce has at most 64 bytes, or is NULL and 0.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_request_from_script(fv_liveness_request **out, const int64_t *challenges,
                                                     const double *holds, const double *pauses, size_t count,
                                                     const void *nonce, size_t nonce_count, char *message,
                                                     size_t capacity);
void fv_liveness_request_free(fv_liveness_request *request);

typedef struct fv_liveness_request_info {
  size_t struct_size;
  const char *nonce; /**< lower-case hexadecimal; empty without one. As long as the request lives */
  double expires;    /**< seconds since 1970; INFINITY: never */
} fv_liveness_request_info;
#define FV_LIVENESS_REQUEST_INFO_INIT {sizeof(fv_liveness_request_info), NULL, 0}

FV_CHECKED fv_status fv_liveness_request_describe(fv_liveness_request_info *out, const fv_liveness_request *request);

/** One challenge of a script. */
typedef struct fv_liveness_task {
  size_t struct_size;
  int64_t challenge; /**< FV_CHALLENGE_BLINK... */
  double hold;       /**< seconds for which the position is held; 0 for a blink */
  double pause;      /**< seconds for which the person looks ahead before it is asked for */
} fv_liveness_task;
#define FV_LIVENESS_TASK_INIT {sizeof(fv_liveness_task), 0, 0, 0}

size_t fv_liveness_request_task_count(const fv_liveness_request *request);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_request_task(fv_liveness_task *out, const fv_liveness_request *request, size_t index);

/** A colour that the screen before the person shows. */
typedef struct fv_liveness_colour {
  size_t struct_size;
  double red; /**< of sRGB, 0 to 1 */
  double green;
  double blue;
  double begin;   /**< seconds after the first colour */
  double seconds; /**< for which it stays */
} fv_liveness_colour;
#define FV_LIVENESS_COLOUR_INIT {sizeof(fv_liveness_colour), 0, 0, 0, 0, 0}

/** Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes. Whether the
 * face takes them on is checked if frames say what was shown. 0 for a nonce of less than 16 bytes. */
size_t fv_liveness_request_colour_count(const fv_liveness_request *request);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_request_colour(fv_liveness_colour *out, const fv_liveness_request *request,
                                                size_t index);

/** A server's open requests: each is answered once, and in time. Any threads may use it at the same time. */
FV_CHECKED fv_status fv_liveness_register_create(fv_liveness_register **out);
void fv_liveness_register_free(fv_liveness_register *requests);
/**
 * Makes a request with a new random nonce of 32 bytes, and keeps it until it is answered or has expired.
 *
 * Requires: `lifetime`, seconds from 10 to 900, or 0: 300; `now`, seconds since 1970. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_register_issue(fv_liveness_request **out, fv_liveness_register *requests,
                                                const fv_liveness_draw *draw, double lifetime, double now,
                                                char *message, size_t capacity);
/**
 * Takes the answer to a request, which is closed by it whatever the decision says: look at that yourself.
 *
 * Requires: `now`, seconds since 1970.
 * Status: FV_E_WRONG_STATE if no open request has its nonce, if it comes too late, or if another script was answered.
 */
FV_CHECKED fv_status fv_liveness_register_accept(fv_liveness_register *requests, const fv_liveness_decision *decision,
                                                 double now, char *message, size_t capacity);

/* ---- Liveness session: one person before one camera, on one thread at a time ------------------------------------- */

/** How frames come, and by what they are judged. */
typedef struct fv_liveness_options {
  size_t struct_size;
  const char *policy;          /**< as fv_liveness_policy_name(); NULL: "standard" */
  const fv_template *portrait; /**< who is expected; copied; NULL: anybody */
  const char *camera_driver;   /**< such as "uvcvideo"; NULL, like camera_name: the camera is not known */
  const char *camera_name;     /**< such as "Integrated Camera" */
  double challenge_timeout;    /**< seconds for each challenge, 2 to 30; 0: 8 */
  double timeout;              /**< seconds from the first frame to the last, 5 to 900; 0: 60 */
  int64_t rotation;            /**< degrees clockwise that turn frames upright: 0, 90, 180 or 270 */
  int64_t is_mirrored;         /**< 1: frames show the person as a mirror does; else 0 */
} fv_liveness_options;
#define FV_LIVENESS_OPTIONS_INIT {sizeof(fv_liveness_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/** The names of the policies: "standard"... (docs/liveness.md); NULL from the last one on. */
const char *fv_liveness_policy_name(size_t index);

/**
 * Requires: `request` may be NULL: nothing is asked for, which is for recordings and the policies "passive-only" and
 * "photo". `now`, seconds since 1970, is compared with the time at which the request expires. `options` may be NULL.
 * Status: FV_E_BAD_ARGUMENT; FV_E_WRONG_STATE if the request has expired; FV_E_INCOMPATIBLE_TEMPLATE.
 */
FV_CHECKED fv_status fv_liveness_session_create(fv_liveness_session **out, const fv_engine *engine,
                                                const fv_liveness_request *request, double now,
                                                const fv_liveness_options *options, char *message, size_t capacity);
/** Also ends a session before its time: nothing is left of it. */
void fv_liveness_session_free(fv_liveness_session *session);

/** Why the last call on this session failed: as fv_credential_message(). */
const char *fv_liveness_session_message(const fv_liveness_session *session);

/** One picture of a stream. Exactly one of the pointers is set. */
typedef struct fv_liveness_frame {
  size_t struct_size;
  const fv_image *image;
  const fv_image_view *pixels; /**< which are copied; as for fv_image_from_pixels() with default limits */
  double time;                 /**< when it was taken, in seconds on the stream's own clock */
  int64_t has_screen_colour;   /**< 1: the screen before the person lights their face with the colour below; else 0 */
  double screen_red;           /**< 0 to 1 */
  double screen_green;
  double screen_blue;
} fv_liveness_frame;
#define FV_LIVENESS_FRAME_INIT {sizeof(fv_liveness_frame), NULL, NULL, 0, 0, 0, 0, 0}

/** Where a session is in its life. */
enum {
  FV_STEP_STARTED = 1,     /**< no frame came yet */
  FV_STEP_SCAN_VIEW = 2,   /**< frames are taken */
  FV_STEP_IMAGE_TAKEN = 3, /**< complete: all that was asked for has been seen, or can no longer be */
  FV_STEP_CAN_FINISH = 4,  /**< decided: live */
  FV_STEP_RETRY = 5,       /**< decided: it could not be told */
  FV_STEP_REJECT_VIEW = 6  /**< decided: a presentation attack */
};

/** "started", "capturing", "captured"...; "none" for any other number. */
const char *fv_step_name(int step);

/** What the person should do for the session to go on. */
enum {
  FV_HINT_MOVE_FACE_INTO_FRAME = 1,
  FV_HINT_MULTIPLE_FACES = 2,
  FV_HINT_LIGHTING_TOO_DARK = 3,
  FV_HINT_LIGHTING_TOO_BRIGHT = 4,
  FV_HINT_SUNGLASSES = 5,
  FV_HINT_OBSCURED_FACE = 6,
  FV_HINT_FACE_TOO_CLOSE = 7,
  FV_HINT_MOVE_FACE_CLOSER = 8,
  FV_HINT_CENTER_FACE = 9,
  FV_HINT_LEVEL_EYES_AND_DEVICE = 10,
  FV_HINT_TILT_FACE_UP = 11,
  FV_HINT_TILT_FACE_DOWN = 12,
  FV_HINT_TILT_FACE_LEFT = 13, /**< to the person's own left */
  FV_HINT_TILT_FACE_RIGHT = 14,
  FV_HINT_EYES_CLOSED = 15,
  FV_HINT_TOO_MUCH_MOVEMENT = 16,
  FV_HINT_HOLD_STILL = 17 /**< for as long as `seconds_left` says */
};

/** "move-face-into-frame"...; "none" for any other number. */
const char *fv_hint_name(int hint);
/** One sentence for the person; empty for any other number. */
const char *fv_hint_text(int hint);

/** How far a challenge has been answered. */
enum {
  FV_PHASE_STARTING = 1,  /**< the person must first come into the start pose */
  FV_PHASE_MOVING = 2,    /**< the movement is awaited */
  FV_PHASE_HOLDING = 3,   /**< the position is held */
  FV_PHASE_RETURNING = 4, /**< the way back is awaited */
  FV_PHASE_PASSED = 5,
  FV_PHASE_FAILED = 6 /**< the time was over */
};

/** "starting", "moving"...; "none" for any other number. */
const char *fv_phase_name(int phase);

/** What a session says after a frame. What follows `has_face` is smoothed and of the frame before: NaN where there is
 * no face, where it was only just found, and where there is no mesh (the "dlib" set). */
typedef struct fv_liveness_state {
  size_t struct_size;
  double time;          /**< of the frame */
  int64_t step;         /**< FV_STEP_STARTED... */
  int64_t hint;         /**< FV_HINT_MOVE_FACE_INTO_FRAME...; 0: the person is doing well */
  double seconds_left;  /**< for which a position must still be held; NaN unless one is */
  int64_t challenge;    /**< what is asked for now, FV_CHALLENGE_BLINK...; 0: to look ahead */
  int64_t phase;        /**< of it, FV_PHASE_STARTING...; 0 without one */
  double progress;      /**< 0 to 1 over the whole script; 0 without one */
  int64_t answer_count; /**< challenges that have ended */
  int64_t has_face;     /**< 1 or 0 */
  double yaw;           /**< degrees, as those of fv_face */
  double pitch;
  double roll;
  double left_eye_openness; /**< as those of fv_face */
  double right_eye_openness;
  double mouth_opening; /**< the gap between the inner lips, over the face's height from forehead to chin */
  double mouth_width;   /**< over the distance of the eyes' outer corners */
  double mouth_lift;    /**< how far its corners are above the middle of the lips, over the face's height */
  double face_size;     /**< the face's height, over the frame's */
  double face_x;        /**< the face's middle, over the frame's width */
  double face_y;        /**< over the frame's height */
} fv_liveness_state;
#define FV_LIVENESS_STATE_INIT                                                                                         \
  {sizeof(fv_liveness_state), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Takes the next frame: upright and not mirrored, unless the options say otherwise, with sides of 64 to 4096 pixels.
 * Without a clock of its own, the session goes by the frames' times.
 *
 * Status: FV_E_BAD_ARGUMENT for a time that is not later than the last frame's, or for another size; FV_E_DAMAGED: the
 * frame is refused, and the session goes on. FV_E_WRONG_STATE if it is complete. FV_E_BUSY.
 */
FV_CHECKED fv_status fv_liveness_session_add(fv_liveness_state *out, fv_liveness_session *session,
                                             const fv_liveness_frame *frame);

/** 1 if no more frames are taken, so that fv_liveness_session_finish() is due; else 0. Any thread may ask. */
int fv_liveness_session_is_complete(const fv_liveness_session *session);

/**
 * Decides by the frames that came so far; after this no more are taken. Asked again, it gives the same decision.
 *
 * Status: FV_E_BUSY, FV_E_INTERNAL. A session without frames is decided too: it could not be told.
 */
FV_CHECKED fv_status fv_liveness_session_finish(fv_liveness_decision **out, fv_liveness_session *session);

/* ---- Liveness decision: the answer, with everything it rests on -------------------------------------------------- */

enum {
  FV_LIVENESS_LIVE = 1,
  FV_LIVENESS_PRESENTATION_ATTACK = 2,
  FV_LIVENESS_UNDECIDED = 3 /**< it could not be told: fv_liveness_decision_retry() says what stood in the way */
};

/** "live", "presentation-attack", "undecided"; "none" for any other number. */
const char *fv_liveness_result_name(int result);

/** Why a session should be tried again. */
enum {
  FV_RETRY_GENERIC = 1,
  FV_RETRY_TOO_MUCH_MOVEMENT = 2,
  FV_RETRY_LIGHTING_TOO_BRIGHT = 3,
  FV_RETRY_LIGHTING_TOO_DARK = 4,
  FV_RETRY_EYES_CLOSED = 5,
  FV_RETRY_OBSCURED_FACE = 6,
  FV_RETRY_MULTIPLE_FACES = 7,
  FV_RETRY_SUNGLASSES = 8,
  FV_RETRY_FACE_TOO_CLOSE = 9,
  FV_RETRY_FACE_TOO_FAR = 10,
  FV_RETRY_FACE_MISALIGNED = 11,
  FV_RETRY_USER_TIMEOUT = 12,
  FV_RETRY_WRONG_MOVEMENT = 13, /**< another movement than the one asked for */
  FV_RETRY_INTERRUPTED = 14     /**< no frames came, or not for a while */
};

/** "generic", "too-much-movement"...; "none" for any other number. */
const char *fv_retry_name(int retry);

/** FV_LIVENESS_LIVE...; 0 if there is no such decision. */
int fv_liveness_decision_result(const fv_liveness_decision *decision);
/** FV_RETRY_GENERIC... of a decision that is FV_LIVENESS_UNDECIDED; else 0. */
int fv_liveness_decision_retry(const fv_liveness_decision *decision);
/** The checks that failed or should have been made; 0 only for a living person. */
size_t fv_liveness_decision_reason_count(const fv_liveness_decision *decision);
/** As fv_liveness_signal_name(); NULL if `index` is not below the count. */
const char *fv_liveness_decision_reason_code(const fv_liveness_decision *decision, size_t index);
/** One sentence for people; NULL if `index` is not below the count. */
const char *fv_liveness_decision_reason_text(const fv_liveness_decision *decision, size_t index);

/** The names of what a session is judged by, in the order of a decision's checks; NULL from the last one on. Later
 * releases add some. */
const char *fv_liveness_signal_name(size_t index);

/** What was found for one signal; the texts live as long as the decision. */
typedef struct fv_liveness_check {
  size_t struct_size;
  const char *signal; /**< as fv_liveness_signal_name() */
  const char *unit;   /**< "share" (0 to 1), "score", "ratio", "frames", "seconds", "degrees", "level" (of 255), "faces"... */
  const char *text;   /**< what was seen, or why it was not checked; empty if it passed */
  const char *source; /**< what the range rests on */
  int64_t status;     /**< FV_CHECK_PASSED... */
  double value;       /**< in `unit`; NaN if it could not be determined */
  double minimum;     /**< the range that passes; NaN is no limit */
  double maximum;
} fv_liveness_check;
#define FV_LIVENESS_CHECK_INIT {sizeof(fv_liveness_check), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/** One check for each signal. */
size_t fv_liveness_decision_check_count(const fv_liveness_decision *decision);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_check(fv_liveness_check *out, const fv_liveness_decision *decision,
                                                size_t index);

/** How a challenge ended. */
enum {
  FV_OUTCOME_PASSED = 1,
  FV_OUTCOME_TIMEOUT = 2,        /**< it was not met in time */
  FV_OUTCOME_WRONG_MOVEMENT = 3, /**< another movement was made, or the right one too early */
  FV_OUTCOME_INTERRUPTED = 4     /**< the stream or the face was gone for too long */
};

/** "passed", "timeout", "wrong-movement", "interrupted"; "none" for any other number. */
const char *fv_outcome_name(int outcome);

/** The answer to one challenge of the script. */
typedef struct fv_liveness_answer {
  size_t struct_size;
  int64_t challenge;    /**< FV_CHALLENGE_BLINK... */
  int64_t outcome;      /**< FV_OUTCOME_PASSED... */
  double asked;         /**< when it was asked for, in seconds on the stream's clock; NaN if it never was */
  double ended;         /**< when it was met, or given up */
  int64_t failed_tries; /**< movements that were begun and not finished */
  int64_t movement;     /**< what was done instead, FV_CHALLENGE_BLINK...; 0 if nothing was */
} fv_liveness_answer;
#define FV_LIVENESS_ANSWER_INIT {sizeof(fv_liveness_answer), 0, 0, 0, 0, 0, 0}

/** Of the challenges that ended, in the order of the script. */
size_t fv_liveness_decision_answer_count(const fv_liveness_decision *decision);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_answer(fv_liveness_answer *out, const fv_liveness_decision *decision,
                                                 size_t index);

/** What a decision was made by and of; the texts live as long as it does. */
typedef struct fv_liveness_evidence {
  size_t struct_size;
  const char *policy;     /**< as fv_liveness_policy_name() */
  const char *nonce;      /**< of the request, lower-case hexadecimal; empty without one */
  const char *chain;      /**< SHA-256 over the nonce and all frames with their times, lower-case hexadecimal */
  int64_t frames;         /**< that were taken */
  int64_t refused_frames; /**< for their time or size */
  double first;           /**< time of the first frame, in seconds on the stream's clock; NaN without frames */
  double last;            /**< of the last one */
  int64_t averaged_frames; /**< whose mean fv_liveness_decision_template() is; 0 without one */
  double selfie_time;      /**< of the frame that fv_liveness_decision_selfie() is; NaN without one */
  double selfie_quality;   /**< its unified quality, 0 to 100, as fv_sample_quality(); NaN without one */
} fv_liveness_evidence;
#define FV_LIVENESS_EVIDENCE_INIT {sizeof(fv_liveness_evidence), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

FV_CHECKED fv_status fv_liveness_decision_describe(fv_liveness_evidence *out, const fv_liveness_decision *decision);

/** The best frame, upright and not mirrored, without loss; NULL if none was good enough. */
const fv_image *fv_liveness_decision_selfie(const fv_liveness_decision *decision);
/** Of the selfie, one for each quality measure; 0 without a selfie. */
size_t fv_liveness_decision_quality_count(const fv_liveness_decision *decision);
/** As fv_sample_check(). Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_quality(fv_check *out, const fv_liveness_decision *decision, size_t index);
/** The mean of the best frames' templates; NULL if no frame was good enough. */
const fv_template *fv_liveness_decision_template(const fv_liveness_decision *decision);
/** The decision record: the same frames, options, version and models give the same bytes, as `faceverify liveness
 * --json`. */
const char *fv_liveness_decision_json(const fv_liveness_decision *decision);
void fv_liveness_decision_free(fv_liveness_decision *decision);

/* ---- Trust: the certificates that chips are checked by ----------------------------------------------------------- */

typedef struct fv_trust fv_trust;

/**
 * Reads a folder, without the folders in it: certificates of issuing states (CSCA), revocation lists, and master lists,
 * whose signature is checked first (ICAO 9303-12). What a file is, its content tells; one that is none of these is left
 * out, and named in fv_trust_json() with the reason.
 *
 * Requires: a `folder` of NULL makes an empty one. At most 4096 files, of 32 MiB each.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE. A folder without certificates is FV_OK: then no chip is
 * FV_VERDICT_AUTHENTIC, and none is FV_VERDICT_INVALID for that.
 */
FV_CHECKED fv_status fv_trust_create(fv_trust **out, const char *folder, char *message, size_t capacity);
void fv_trust_free(fv_trust *trust);

/**
 * Adds what one file holds; `name` is for fv_trust_json(). What was read with this before stays as it is.
 *
 * Status: FV_E_UNKNOWN_FORMAT if there is nothing in it that can be trusted, FV_E_DAMAGED for a master list whose
 * signature is wrong, FV_E_TOO_LARGE; then nothing of it is trusted.
 */
FV_CHECKED fv_status fv_trust_add(fv_trust *trust, const char *name, const void *bytes, size_t count, char *message,
                                  size_t capacity);

/** Certificates that may sign the signers of chips, each counted once. */
size_t fv_trust_anchor_count(const fv_trust *trust);
/** What each file brought, the certificates and the revocation lists, as `faceverify trust list --json`. */
const char *fv_trust_json(const fv_trust *trust);

/* ---- Chip: the files of an eMRTD --------------------------------------------------------------------------------- */

typedef struct fv_chip fv_chip;

/**
 * Reads the files of one chip from a folder, without the folders in it: EF.COM, EF.SOD, EF.DG1 to EF.DG16,
 * EF.CardAccess and EF.CardSecurity (ICAO 9303-10), under any usual name (`EF.DG1`, `dg01.bin`, `0101`), plain, in
 * hexadecimal or in base64. Others are left out.
 *
 * Requires: a `folder` of NULL makes an empty one. At most 64 files, of 10 MiB each.
 * Status: FV_E_UNREADABLE, FV_E_TOO_LARGE; FV_E_BAD_ARGUMENT if no file is a chip's, or two are the same one and
 * differ. Damage is found by fv_document_read(), and is no error there.
 */
FV_CHECKED fv_status fv_chip_create(fv_chip **out, const char *folder, char *message, size_t capacity);
void fv_chip_free(fv_chip *chip);

/**
 * Adds one file.
 *
 * Requires: `name` as above; it decides for files without a tag of their own, and for damaged ones.
 * Status: FV_E_UNKNOWN_FORMAT if it is none of a chip's, FV_E_TOO_LARGE; FV_E_BAD_ARGUMENT if it differs from the one
 * that is there.
 */
FV_CHECKED fv_status fv_chip_add(fv_chip *chip, const char *name, const void *bytes, size_t count, char *message,
                                 size_t capacity);

/* ---- Document: what pages and chip say --------------------------------------------------------------------------- */

typedef struct fv_document fv_document;

/** For options that are 0, the default, if they are neither. */
enum { FV_YES = 1, FV_NO = 2 };

/** How a document is read. */
typedef struct fv_document_options {
  size_t struct_size;
  int64_t read_rfid;        /**< FV_YES: a chip is asked for, and its absence reported; FV_NO: the report is without it;
                               0: FV_YES if one is given */
  int64_t multipage;        /**< FV_NO: no more pages are read after one with a machine readable zone; 0: FV_YES */
  double mrz_read_timeout;  /**< seconds for which a zone is looked for, 10 to 60; 0: 30 */
  double rfid_read_timeout; /**< seconds for which a chip is read, 10 to 60; 0: 30 */
} fv_document_options;
#define FV_DOCUMENT_OPTIONS_INIT {sizeof(fv_document_options), 0, 0, 0, 0}

/**
 * Reads a document from photos of its pages, from the files of its chip, or from both. FV_OK for every answer: a photo
 * without a document, a chip that is not genuine or cannot be read, an expired document.
 *
 * Requires: `pages` has `page_count` images, at most 64; NULL and 0 for a chip alone. `chip` may be NULL: none; `trust`
 * may be NULL: no certificate is trusted. `date`, "YYYY-MM-DD", is the day for which expiry, age and certificates are
 * judged: the library has no clock. `options` may be NULL.
 * Status: FV_E_BAD_ARGUMENT, also for a chip without files and a timeout out of its range; FV_E_DAMAGED for a photo;
 * FV_E_MODEL_MISSING if there are pages, and no models to read them.
 */
FV_CHECKED fv_status fv_document_read(fv_document **out, const fv_engine *engine, const fv_image *const *pages,
                                      size_t page_count, const fv_chip *chip, const fv_trust *trust, const char *date,
                                      const fv_document_options *options, char *message, size_t capacity);
/**
 * The same from the text of a machine readable zone (ICAO 9303, parts 3 to 7), with or without line ends: nothing but
 * its check digits vouches for it. Nothing is ever repaired. FV_OK also for a zone with wrong check digits.
 *
 * Status: FV_E_UNKNOWN_FORMAT if the lines are of no format, FV_E_DAMAGED at a character that no zone has (small
 * letters and spaces too), FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_document_from_mrz(fv_document **out, const char *text, const char *date, char *message,
                                          size_t capacity);
void fv_document_free(fv_document *document);

/** What became of the chip. */
enum {
  FV_RFID_UNDEFINED = 1, /**< none was read, or it could not be shown to be genuine or not */
  FV_RFID_SUCCESS = 2,   /**< read, and genuine */
  FV_RFID_ERROR = 3      /**< not readable, or not genuine */
};

/** "UNDEFINED", "SUCCESS", "ERROR"; "none" for any other number. */
const char *fv_rfid_status_name(int rfid_status);

/** What passive authentication says of a chip (ICAO 9303-11, 5.1). A copied chip passes too. */
enum {
  FV_VERDICT_AUTHENTIC = 1,            /**< signed by a state whose certificate is trusted */
  FV_VERDICT_VALID_WITHOUT_ANCHOR = 2, /**< signature and hashes are right, but nobody knows who signed */
  FV_VERDICT_INVALID = 3,              /**< a step failed */
  FV_VERDICT_NOT_CHECKED = 4           /**< too little could be checked */
};

/** "authentic", "valid-without-anchor", "invalid", "not-checked"; "none" for any other number. */
const char *fv_verdict_name(int verdict);

/** How far a portrait itself is trusted. */
enum {
  FV_PORTRAIT_AUTHENTIC = 1,            /**< from a chip that a trusted state signed */
  FV_PORTRAIT_VALID_WITHOUT_ANCHOR = 2, /**< from a chip that is right, but nobody knows who signed it */
  FV_PORTRAIT_NOT_CHECKED = 3,          /**< from a chip of which too little could be checked */
  FV_PORTRAIT_PAGE = 4,                 /**< from a photo of the page: nothing tells that the page is genuine */
  FV_PORTRAIT_ALTERED = 5               /**< from a chip that was changed, or whose signer is not to be trusted */
};

/** "authentic", "valid-without-anchor", "not-checked", "page", "altered"; "none" for any other number. */
const char *fv_portrait_trust_name(int portrait_trust);

/** A document in short; the texts live as long as it does. */
typedef struct fv_document_info {
  size_t struct_size;
  const char *type;             /**< "passport", "visa", "id-card", "driving-licence" or "unknown" */
  const char *type_name;        /**< in finer detail, such as "Diplomatic passport"; NULL if that is not known */
  const char *date;             /**< for which all was judged */
  const char *photo_hash;       /**< SHA-256 of the portrait's bytes, lower-case hexadecimal; NULL without one */
  const char *data_hash;        /**< SHA-256 of fv_document_data_json(); NULL if nothing was read */
  const char *portrait_problem; /**< why there is no portrait, or why it is not the chip's; NULL if all is well */
  int64_t portrait_trust;       /**< FV_PORTRAIT_AUTHENTIC...; 0 without a portrait */
  int64_t has_chip;             /**< 1: a chip was read; else 0 */
  int64_t chip_page;            /**< where it is: 1 in the data page, 2 in the back page or inlay; 0 if not known */
  int64_t rfid_status;          /**< FV_RFID_UNDEFINED... */
  int64_t verdict;              /**< FV_VERDICT_AUTHENTIC...; 0 without a chip */
} fv_document_info;
#define FV_DOCUMENT_INFO_INIT {sizeof(fv_document_info), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0}

FV_CHECKED fv_status fv_document_describe(fv_document_info *out, const fv_document *document);

/** What can be said of a document as a whole; several can hold at once. */
enum {
  FV_DOCUMENT_OK = 1,               /**< all that was asked for was checked, and is right */
  FV_DOCUMENT_NOT_CHECKED = 2,      /**< nothing is wrong, but not all could be checked */
  FV_DOCUMENT_VALIDATION_ERROR = 3, /**< a field is in error, or nothing was read */
  FV_DOCUMENT_EXPIRED_DOCUMENT = 4,
  FV_DOCUMENT_RFID_PASSIVE_AUTHENTICATION = 5, /**< it failed */
  FV_DOCUMENT_MRZ_RFID_MISMATCH = 6,           /**< page and chip differ */
  FV_DOCUMENT_RFID_TIMEOUT = 7,
  FV_DOCUMENT_RFID_PERMISSION_NOT_GRANTED = 8,
  FV_DOCUMENT_RFID_TAG_NOT_FOUND = 9, /**< a chip was asked for, and none given */
  FV_DOCUMENT_RFID_NFC_NOT_SUPPORTED = 10,
  FV_DOCUMENT_RFID_GENERIC_ERROR = 11, /**< the chip's files could not be read */
  FV_DOCUMENT_USER_SKIPPED_RFID = 12
};

/** "OK", "NOT_CHECKED", "VALIDATION_ERROR"...; "none" for any other number. */
const char *fv_document_status_name(int document_status);
/** At least one: FV_DOCUMENT_OK or FV_DOCUMENT_NOT_CHECKED alone, or all that is wrong. */
size_t fv_document_status_count(const fv_document *document);
/** FV_DOCUMENT_OK...; 0 if `index` is not below the count. */
int fv_document_status(const fv_document *document, size_t index);

/** How far a value can be relied on. */
enum {
  FV_FIELD_OK = 1,         /**< a check digit, the chip's signature or a sure reading vouches for it */
  FV_FIELD_ERROR = 2,      /**< not to be used: a check digit is wrong, a code unknown, the chip's data changed */
  FV_FIELD_NOT_CHECKED = 3 /**< nothing vouches for it */
};

/** "OK", "ERROR", "NOT_CHECKED"; "none" for any other number. */
const char *fv_field_status_name(int field_status);
/** The names of the fields: "documentNumber", "dateOfBirth", "mrzStrings"...; NULL from the last one on. Later releases
 * add some. */
const char *fv_document_field_name(size_t index);

/** A value of a document; the texts live as long as it does. */
typedef struct fv_field {
  size_t struct_size;
  const char *value;  /**< dates as "1974-08-12", unknown parts as "XX"; NULL if the document has none */
  const char *reason; /**< why it is not FV_FIELD_OK: "check-digit-wrong", "low-confidence", "absent"...; else NULL */
  int64_t status;     /**< FV_FIELD_OK... */
} fv_field;
#define FV_FIELD_INIT {sizeof(fv_field), NULL, NULL, 0}

enum {
  FV_SOURCE_DOCUMENT = 0, /**< both: the chip's value, unless that is in error and the page's is not */
  FV_SOURCE_PAGE = 1,
  FV_SOURCE_CHIP = 2
};

/**
 * A field by its name, as the document has it, or as one of its sources alone has it. A field that the document has not
 * is FV_OK: its value is NULL, and its reason "absent".
 *
 * Status: FV_E_BAD_ARGUMENT for a name that fv_document_field_name() does not know, or another source; FV_E_ABSENT if
 * nothing was read from the source.
 */
FV_CHECKED fv_status fv_document_field(fv_field *out, const fv_document *document, const char *name, int source);

/** Fields in which page and chip differ. */
size_t fv_document_mismatch_count(const fv_document *document);
/** The field's name, for fv_document_field(); NULL if `index` is not below the count. */
const char *fv_document_mismatch(const fv_document *document, size_t index);

/** What became of one check; the texts live as long as the document. */
typedef struct fv_finding {
  size_t struct_size;
  const char *name;
  const char *reason; /**< why it did not pass, from a fixed list; NULL if it did */
  const char *text;   /**< one line for people; may be empty */
  int64_t status;     /**< FV_CHECK_PASSED... */
} fv_finding;
#define FV_FINDING_INIT {sizeof(fv_finding), NULL, NULL, NULL, 0}

/** What the statuses follow from: "validation", "expiry", "mrz-matches-chip", "passive-authentication". */
size_t fv_document_check_count(const fv_document *document);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_document_check(fv_finding *out, const fv_document *document, size_t index);

/** The steps of passive authentication, in the order in which they were done: "signature", "hash-dg1"..., "chain",
 * "signer-validity", "country", "revocation"...; 0 without a chip. */
size_t fv_document_step_count(const fv_document *document);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_document_step(fv_finding *out, const fv_document *document, size_t index);

/** One thing that may be wrong with the photo of a page; the texts live as long as the document. */
typedef struct fv_page_check {
  size_t struct_size;
  const char *reason; /**< "black-white-copy", "blurry", "glare"... */
  const char *unit;
  const char *text; /**< what to do, or why it was not checked; empty if it passed */
  int64_t number;   /**< by which such rejections are known: 102 to 2006 */
  int64_t status;   /**< FV_CHECK_FAILED: the photo is to be rejected for it */
  double value;     /**< in `unit`; NaN if nothing was measured */
  double limit;     /**< the check fails beyond it; NaN if nothing was measured */
} fv_page_check;
#define FV_PAGE_CHECK_INIT {sizeof(fv_page_check), NULL, NULL, NULL, 0, 0, 0, 0}

/** Photos that were read. */
size_t fv_document_page_count(const fv_document *document);
/** One for each thing that may be wrong; 0 if `page` is not below the count. */
size_t fv_document_page_check_count(const fv_document *document, size_t page);
/** Status: FV_E_ABSENT if `page` or `index` is not below its count. */
FV_CHECKED fv_status fv_document_page_check(fv_page_check *out, const fv_document *document, size_t page, size_t index);

/**
 * The portrait: the file that the chip has, or a PNG that was cut out of the page. It is biometric data.
 *
 * Ensures: `*count` is the number of bytes; NULL and 0 ask for it.
 * Status: FV_E_ABSENT without a portrait; FV_E_BAD_ARGUMENT if `capacity` is too small and not 0; then nothing is
 * written.
 */
FV_CHECKED fv_status fv_document_portrait(const fv_document *document, void *bytes, size_t capacity, size_t *count);
/** Its quality, and its template unless the policy refuses it, "chip-portrait" or "document-portrait"; NULL without
 * one. */
const fv_sample *fv_document_sample(const fv_document *document);
/** What was read, as canonical JSON (RFC 8785): what `data_hash` is of. NULL if there is no such document. */
const char *fv_document_data_json(const fv_document *document);
/** Everything, as `faceverify document --json` prints it. */
const char *fv_document_json(const fv_document *document);

/** Whether a portrait and data are those of a report. */
typedef struct fv_binding {
  size_t struct_size;
  int64_t photo; /**< FV_CHECK_PASSED... */
  int64_t data;
} fv_binding;
#define FV_BINDING_INIT {sizeof(fv_binding), 0, 0}

/**
 * Compares a portrait and data that were kept with the hashes of the report that they came with.
 *
 * Requires: `photo_hash` and `data_hash` as fv_document_info has them, `photo` the bytes of fv_document_portrait(),
 * `data` the text of fv_document_data_json(). Each may be NULL: then that side is FV_CHECK_NOT_CHECKED.
 * Status: FV_E_BAD_ARGUMENT for what is no hash.
 */
FV_CHECKED fv_status fv_document_verify(fv_binding *out, const char *photo_hash, const char *data_hash,
                                        const void *photo, size_t photo_count, const char *data);

/**
 * Decides whether the selfie shows the holder of the document: fv_credential_compare() with its portrait. With a
 * portrait that is FV_PORTRAIT_ALTERED the result is FV_RESULT_REFUSED; any but FV_PORTRAIT_AUTHENTIC adds a reason
 * "document." and what there is to know. fv_decision_json() has the document too.
 *
 * Status: as fv_credential_compare(); FV_E_NO_FACE if the document has no portrait.
 */
FV_CHECKED fv_status fv_credential_compare_document(fv_decision **out, fv_credential *credential,
                                                    const fv_input *selfie, const fv_document *document);

/* ---- For tests --------------------------------------------------------------------------------------------------- */

/** Objects of this process that are yours and not yet freed: a program that frees all it was given ends with 0. */
size_t fv_live_objects(void);

#ifdef __cplusplus
}
#endif

#endif
