/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Liveness: sessions that watch one person before one camera. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_LIVENESS_H
#define FACEVERIFY_LIVENESS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fv_liveness_decision fv_liveness_decision;
typedef struct fv_liveness_request fv_liveness_request;
typedef struct fv_liveness_request_store fv_liveness_request_store;
typedef struct fv_liveness_session fv_liveness_session;

/* ---- Challenges: what is asked of a person ----------------------------------------------------------------------- */

/** What a person is asked to do, in their own directions. Each but a blink is a movement, a hold, and the way back. */
typedef int64_t fv_challenge;

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

/** "blink", "turn-left"... */
const char *fv_challenge_name(fv_challenge challenge);

/** One challenge in a set of them: sets are added up with `|`. */
#define FV_CHALLENGE_BIT(challenge) ((int64_t)1 << (challenge))

/** What the challenges of a request are drawn from. */
typedef struct fv_challenge_draw {
  size_t struct_size;
  int64_t challenge_count; /**< how many are asked for, each a different one: 1 to 12; 0: 3 */
  int64_t challenges;      /**< FV_CHALLENGE_BIT() of each that may be; 0: all from BLINK to OPEN_MOUTH */
} fv_challenge_draw;
#define FV_CHALLENGE_DRAW_INIT {sizeof(fv_challenge_draw), 0, 0}

/** One challenge of a script. */
typedef struct fv_challenge_prompt {
  size_t struct_size;
  fv_challenge challenge; /**< what is asked for */
  double hold;            /**< seconds for which the position is held, 0 to 5; 0 for a blink */
  double pause;           /**< seconds for which the person looks ahead before it is asked for, 0 to 5 */
} fv_challenge_prompt;
#define FV_CHALLENGE_PROMPT_INIT {sizeof(fv_challenge_prompt), 0, 0, 0}

/* ---- Request: challenges that a session asks for ----------------------------------------------------------------- */

/**
 * A request as a server made it: the same nonce and `draw` give the same script on every machine (docs/liveness.md).
 *
 * Requires: a `nonce` of 16 to 64 bytes that is used once; `expires`, seconds since 1970 from which on an answer comes
 * too late, or INFINITY. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_request_create(fv_liveness_request **out, const void *nonce, size_t nonce_bytes,
                                                const fv_challenge_draw *draw, double expires, char *message,
                                                size_t message_bytes);
/**
 * A request of your own: `prompt_count` challenges (1 to 12), in this order. It never expires.
 *
 * Requires: `prompts` are structs one after the other; the `struct_size` of the first is that of all. A hold of 0.5 s
 * and a pause of 0.3 s suit most people. The nonce has at most 64 bytes; `nonce` may be NULL: none.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_request_from_script(fv_liveness_request **out, const fv_challenge_prompt *prompts,
                                                     size_t prompt_count, const void *nonce, size_t nonce_bytes,
                                                     char *message, size_t message_bytes);
void fv_liveness_request_free(fv_liveness_request *request);

/** What is known of a request. The text lives as long as it does. */
typedef struct fv_liveness_request_info {
  size_t struct_size;
  const char *nonce; /**< lower-case hexadecimal; empty without one */
  double expires;    /**< seconds since 1970; INFINITY: never */
} fv_liveness_request_info;
#define FV_LIVENESS_REQUEST_INFO_INIT {sizeof(fv_liveness_request_info), NULL, 0}

FV_CHECKED fv_status fv_liveness_request_describe(fv_liveness_request_info *out, const fv_liveness_request *request);
size_t fv_liveness_request_prompt_count(const fv_liveness_request *request);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_request_prompt_at(fv_challenge_prompt *out, const fv_liveness_request *request,
                                                   size_t index);

/** A colour that the screen before the person shows. */
typedef struct fv_screen_colour {
  size_t struct_size;
  double red;     /**< of sRGB, 0 to 1 */
  double green;   /**< of sRGB, 0 to 1 */
  double blue;    /**< of sRGB, 0 to 1 */
  double begin;   /**< seconds after the first colour */
  double seconds; /**< for which it stays */
} fv_screen_colour;
#define FV_SCREEN_COLOUR_INIT {sizeof(fv_screen_colour), 0, 0, 0, 0, 0}

/** Colours that the nonce dictates for a screen that lights the face: one after the other, without flashes. Whether the
 * face takes them on is checked if frames say what was shown: these, from the first on, each at its time to half a
 * second. 0 for a nonce of less than 16 bytes. */
size_t fv_liveness_request_colour_count(const fv_liveness_request *request);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_request_colour_at(fv_screen_colour *out, const fv_liveness_request *request,
                                                   size_t index);

/* ---- Session: one person before one camera, on one thread at a time ---------------------------------------------- */

/** The names of the policies: "standard"... (docs/liveness.md); NULL from the last one on. */
const char *fv_liveness_policy_at(size_t index);

/** How frames come, and by what they are judged. */
typedef struct fv_liveness_options {
  size_t struct_size;
  const char *policy;          /**< one of those that fv_liveness_policy_at() lists; NULL: "standard" */
  const fv_template *portrait; /**< who is expected; copied; NULL: anybody */
  const char *camera_driver;   /**< such as "uvcvideo"; NULL, like camera_name: the camera is not known */
  const char *camera_name;     /**< such as "Integrated Camera" */
  double challenge_timeout;    /**< seconds for each challenge, 2 to 30; 0: 8 */
  double timeout;              /**< seconds from the first frame to the last, 5 to 900; 0: 60 */
  int64_t rotation;            /**< degrees clockwise that turn frames upright: 0, 90, 180 or 270 */
  int64_t is_mirrored;         /**< 1: frames show the person as a mirror does; else 0 */
} fv_liveness_options;
#define FV_LIVENESS_OPTIONS_INIT {sizeof(fv_liveness_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/**
 * Requires: `request` may be NULL: nothing is asked for, which is for recordings and the policies "passive-only" and
 * "photo". `now`, seconds since 1970, is compared with the time at which the request expires. `options` may be NULL.
 * Status: FV_E_BAD_ARGUMENT; FV_E_WRONG_STATE if the request has expired; FV_E_INCOMPATIBLE_TEMPLATE.
 */
FV_CHECKED fv_status fv_liveness_session_create(fv_liveness_session **out, const fv_engine *engine,
                                                const fv_liveness_request *request, double now,
                                                const fv_liveness_options *options, char *message,
                                                size_t message_bytes);
/** Also ends a session before its time: nothing is left of it. */
void fv_liveness_session_free(fv_liveness_session *session);

/** One picture of a stream. Exactly one of the pointers is set. */
typedef struct fv_liveness_frame {
  size_t struct_size;
  const fv_image *image;       /**< a picture */
  const fv_image_view *pixels; /**< which are copied; as for fv_image_from_pixels() with default limits */
  double time;                 /**< when it was taken, in seconds on the stream's own clock */
  int64_t has_screen_colour;   /**< 1: the screen before the person lights their face with the colour below; else 0 */
  double screen_red;           /**< 0 to 1 */
  double screen_green;         /**< 0 to 1 */
  double screen_blue;          /**< 0 to 1 */
  int64_t has_received;        /**< 1: the caller says below when it came, of all frames of a session or none; else 0 */
  double received;             /**< when it came, in seconds on the caller's own clock, not before the last frame */
} fv_liveness_frame;
#define FV_LIVENESS_FRAME_INIT {sizeof(fv_liveness_frame), NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

/** Where a session is in its life. */
typedef int64_t fv_liveness_session_state;

enum {
  FV_LIVENESS_SESSION_STATE_STARTED = 1,            /**< no frame came yet */
  FV_LIVENESS_SESSION_STATE_CAPTURING = 2,          /**< frames are taken */
  FV_LIVENESS_SESSION_STATE_CAPTURED = 3,           /**< all that was asked for has been seen, or can no longer be */
  FV_LIVENESS_SESSION_STATE_LIVE = 4,               /**< decided: live */
  FV_LIVENESS_SESSION_STATE_UNDECIDED = 5,          /**< decided: it could not be told */
  FV_LIVENESS_SESSION_STATE_PRESENTATION_ATTACK = 6 /**< decided: a presentation attack */
};

/** "started", "capturing"... */
const char *fv_liveness_session_state_name(fv_liveness_session_state state);

/** What the person should do for the session to go on. */
typedef int64_t fv_liveness_hint;

enum {
  FV_LIVENESS_HINT_MOVE_FACE_INTO_FRAME = 1,
  FV_LIVENESS_HINT_MULTIPLE_FACES = 2,
  FV_LIVENESS_HINT_LIGHTING_TOO_DARK = 3,
  FV_LIVENESS_HINT_LIGHTING_TOO_BRIGHT = 4,
  FV_LIVENESS_HINT_SUNGLASSES = 5,
  FV_LIVENESS_HINT_OBSCURED_FACE = 6,
  FV_LIVENESS_HINT_FACE_TOO_CLOSE = 7,
  FV_LIVENESS_HINT_MOVE_FACE_CLOSER = 8,
  FV_LIVENESS_HINT_CENTRE_FACE = 9,
  FV_LIVENESS_HINT_LEVEL_EYES_AND_DEVICE = 10,
  FV_LIVENESS_HINT_RAISE_CHIN = 11,
  FV_LIVENESS_HINT_LOWER_CHIN = 12,
  FV_LIVENESS_HINT_TURN_FACE_LEFT = 13,  /**< to the person's own left */
  FV_LIVENESS_HINT_TURN_FACE_RIGHT = 14, /**< to the person's own right */
  FV_LIVENESS_HINT_EYES_CLOSED = 15,
  FV_LIVENESS_HINT_TOO_MUCH_MOVEMENT = 16,
  FV_LIVENESS_HINT_HOLD_STILL = 17 /**< for as long as the feedback says */
};

/** "move-face-into-frame", "multiple-faces"... */
const char *fv_liveness_hint_name(fv_liveness_hint hint);
/** One sentence for the person; empty for a number that is no hint. */
const char *fv_liveness_hint_text(fv_liveness_hint hint);

/** How far a challenge has been answered. */
typedef int64_t fv_challenge_phase;

enum {
  FV_CHALLENGE_PHASE_STARTING = 1,  /**< the person must first come into the start pose */
  FV_CHALLENGE_PHASE_MOVING = 2,    /**< the movement is awaited */
  FV_CHALLENGE_PHASE_HOLDING = 3,   /**< the position is held */
  FV_CHALLENGE_PHASE_RETURNING = 4, /**< the way back is awaited */
  FV_CHALLENGE_PHASE_PASSED = 5,
  FV_CHALLENGE_PHASE_FAILED = 6 /**< the time was over */
};

/** "starting", "moving"... */
const char *fv_challenge_phase_name(fv_challenge_phase phase);

/** What a session says after a frame. What follows `has_face` is smoothed and of the frame before: NaN where there is
 * no face, where it was only just found, and where there is no mesh (the "dlib" set). */
typedef struct fv_liveness_feedback {
  size_t struct_size;
  double time;                     /**< of the frame */
  fv_liveness_session_state state; /**< of the session */
  fv_liveness_hint hint;           /**< what the person should do; 0: they are doing well */
  double seconds_left;             /**< for which a position must still be held; NaN unless one is */
  fv_challenge challenge;          /**< what is asked for now; 0: to look ahead */
  fv_challenge_phase phase;        /**< of the challenge; 0 without one */
  double progress;                 /**< 0 to 1 over the whole script; 0 without one */
  int64_t answer_count;            /**< challenges that have ended */
  int64_t has_face;                /**< 1 or 0 */
  double yaw;                      /**< degrees, positive to the subject's left; may be NaN */
  double pitch;                    /**< degrees, positive downwards; may be NaN */
  double roll;                     /**< degrees, positive towards the subject's right shoulder; may be NaN */
  double left_eye_openness;        /**< gap between the lids over the distance between the corners; may be NaN */
  double right_eye_openness;       /**< as that of the left eye; may be NaN */
  double mouth_opening;            /**< the gap between the inner lips, over the face's height from forehead to chin;
                                      may be NaN */
  double mouth_width;              /**< over the distance of the eyes' outer corners; may be NaN */
  double mouth_lift;               /**< how far the mouth's corners are above the middle of the lips, over the face's
                                      height; may be NaN */
  double face_size;                /**< the face's height, over the frame's; may be NaN */
  double face_x;                   /**< the face's middle, over the frame's width; may be NaN */
  double face_y;                   /**< the face's middle, over the frame's height; may be NaN */
} fv_liveness_feedback;
#define FV_LIVENESS_FEEDBACK_INIT                                                                                      \
  {sizeof(fv_liveness_feedback), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Takes the next frame: upright and not mirrored, unless the options say otherwise, with sides of 64 to 4096 pixels.
 * Without a clock of its own, the session goes by the frames' times.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT for a time that is not later than the last frame's, one of arrival that is before it, or for
 * another size; FV_E_DAMAGED: the frame is refused, and the session goes on. FV_E_TIMEOUT, FV_E_CANCELLED: as if the frame had not been given.
 * FV_E_WRONG_STATE if the session is complete. FV_E_BUSY.
 */
FV_CHECKED fv_status fv_liveness_session_add(fv_liveness_feedback *out, fv_liveness_session *session,
                                             const fv_liveness_frame *frame, const fv_budget *budget, char *message,
                                             size_t message_bytes);

/** 1 if no more frames are taken, so that fv_liveness_session_finish() is due; else 0. Any thread may ask. */
int fv_liveness_session_is_complete(const fv_liveness_session *session);

/**
 * Decides by the frames that came so far; after this no more are taken. Asked again, it gives the same decision.
 *
 * Status: FV_E_BUSY, FV_E_INTERNAL. A session without frames is decided too: it could not be told.
 */
FV_CHECKED fv_status fv_liveness_session_finish(fv_liveness_decision **out, fv_liveness_session *session, char *message,
                                                size_t message_bytes);

/* ---- Decision: the answer, with everything it rests on ----------------------------------------------------------- */

/** The answer of a session. */
typedef int64_t fv_liveness_result;

enum {
  FV_LIVENESS_RESULT_LIVE = 1,
  FV_LIVENESS_RESULT_PRESENTATION_ATTACK = 2,
  FV_LIVENESS_RESULT_UNDECIDED = 3 /**< it could not be told; the retry reason says what stood in the way */
};

/** "live", "presentation-attack", "undecided". */
const char *fv_liveness_result_name(fv_liveness_result result);

/** Why a session should be tried again. */
typedef int64_t fv_retry_reason;

enum {
  FV_RETRY_REASON_GENERIC = 1,
  FV_RETRY_REASON_TOO_MUCH_MOVEMENT = 2,
  FV_RETRY_REASON_LIGHTING_TOO_BRIGHT = 3,
  FV_RETRY_REASON_LIGHTING_TOO_DARK = 4,
  FV_RETRY_REASON_EYES_CLOSED = 5,
  FV_RETRY_REASON_OBSCURED_FACE = 6,
  FV_RETRY_REASON_MULTIPLE_FACES = 7,
  FV_RETRY_REASON_SUNGLASSES = 8,
  FV_RETRY_REASON_FACE_TOO_CLOSE = 9,
  FV_RETRY_REASON_FACE_TOO_FAR = 10,
  FV_RETRY_REASON_FACE_MISALIGNED = 11,
  FV_RETRY_REASON_USER_TIMEOUT = 12,
  FV_RETRY_REASON_WRONG_MOVEMENT = 13, /**< another movement than the one asked for */
  FV_RETRY_REASON_INTERRUPTED = 14     /**< no frames came, or not for a while */
};

/** "generic", "too-much-movement"... */
const char *fv_retry_reason_name(fv_retry_reason reason);

/** 0 if there is no such decision. */
fv_liveness_result fv_liveness_decision_result(const fv_liveness_decision *decision);
/** Of a decision that is FV_LIVENESS_RESULT_UNDECIDED; else 0. */
fv_retry_reason fv_liveness_decision_retry_reason(const fv_liveness_decision *decision);
/** The checks that failed or should have been made; 0 only for a living person. */
size_t fv_liveness_decision_reason_count(const fv_liveness_decision *decision);
/** The code is one of the signals that fv_liveness_signal_at() lists. Status: FV_E_ABSENT if `index` is not below the
 * count. */
FV_CHECKED fv_status fv_liveness_decision_reason_at(fv_reason *out, const fv_liveness_decision *decision,
                                                    size_t index);

/** The best frame, upright and not mirrored, without loss; NULL if none was good enough. */
const fv_image *fv_liveness_decision_selfie(const fv_liveness_decision *decision);
/** The mean of the best frames' templates; NULL if no frame was good enough. */
const fv_template *fv_liveness_decision_template(const fv_liveness_decision *decision);

/** The names of what a session is judged by, in the order of a decision's checks; NULL from the last one on. Later
 * releases add some. */
const char *fv_liveness_signal_at(size_t index);

/** What was found for one signal. The texts live as long as the decision. */
typedef struct fv_liveness_check {
  size_t struct_size;
  const char *signal;     /**< one of those that fv_liveness_signal_at() lists */
  const char *unit;       /**< "share" (0 to 1), "score", "ratio", "seconds", "degrees", "level" (of 255)... */
  const char *text;       /**< what was seen, or why it was not checked; empty if it passed */
  const char *source;     /**< what the range rests on */
  fv_check_status status; /**< passed, failed or not checked */
  double value;           /**< in its unit; NaN if it could not be determined */
  double minimum;         /**< of the range that passes; NaN is no limit */
  double maximum;         /**< of the range that passes; NaN is no limit */
} fv_liveness_check;
#define FV_LIVENESS_CHECK_INIT {sizeof(fv_liveness_check), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/** One check for each signal. */
size_t fv_liveness_decision_check_count(const fv_liveness_decision *decision);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_check_at(fv_liveness_check *out, const fv_liveness_decision *decision,
                                                   size_t index);

/** How a challenge ended. */
typedef int64_t fv_challenge_outcome;

enum {
  FV_CHALLENGE_OUTCOME_PASSED = 1,
  FV_CHALLENGE_OUTCOME_TIMEOUT = 2,        /**< it was not met in time */
  FV_CHALLENGE_OUTCOME_WRONG_MOVEMENT = 3, /**< another movement was made, or the right one too early */
  FV_CHALLENGE_OUTCOME_INTERRUPTED = 4     /**< the stream or the face was gone for too long */
};

/** "passed", "timeout", "wrong-movement", "interrupted". */
const char *fv_challenge_outcome_name(fv_challenge_outcome outcome);

/** The answer to one challenge of the script. Times are seconds on the stream's clock. */
typedef struct fv_challenge_answer {
  size_t struct_size;
  fv_challenge challenge;       /**< that was asked for */
  fv_challenge_outcome outcome; /**< how it ended */
  double asked;                 /**< when it was asked for; NaN if it never was */
  double ended;                 /**< when it was met, or given up */
  int64_t failed_tries;         /**< movements that were begun and not finished */
  fv_challenge movement;        /**< what was done instead; 0 if nothing was */
} fv_challenge_answer;
#define FV_CHALLENGE_ANSWER_INIT {sizeof(fv_challenge_answer), 0, 0, 0, 0, 0, 0}

/** Of the challenges that ended, in the order of the script. */
size_t fv_liveness_decision_answer_count(const fv_liveness_decision *decision);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_answer_at(fv_challenge_answer *out, const fv_liveness_decision *decision,
                                                    size_t index);

/** What a decision was made by and of. Times are seconds on the stream's clock. The texts live as long as it does. */
typedef struct fv_liveness_evidence {
  size_t struct_size;
  const char *policy;           /**< one of those that fv_liveness_policy_at() lists */
  const char *nonce;            /**< of the request, lower-case hexadecimal; empty without one */
  const char *chain_sha256;     /**< over the nonce and all frames with their times, lower-case hexadecimal */
  int64_t frame_count;          /**< that were taken */
  int64_t refused_frame_count;  /**< for their time or size */
  double first_time;            /**< of the first frame; NaN without frames */
  double last_time;             /**< of the last frame; NaN without frames */
  int64_t averaged_frame_count; /**< whose mean the decision's template is; 0 without one */
  double selfie_time;           /**< of the frame that the selfie is; NaN without one */
  double selfie_quality;        /**< unified quality of the selfie, 0 to 100; NaN without one */
} fv_liveness_evidence;
#define FV_LIVENESS_EVIDENCE_INIT {sizeof(fv_liveness_evidence), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

FV_CHECKED fv_status fv_liveness_decision_describe(fv_liveness_evidence *out, const fv_liveness_decision *decision);

/** Quality checks of the selfie, one for each measure; 0 without a selfie. */
size_t fv_liveness_decision_quality_count(const fv_liveness_decision *decision);
/** Status: FV_E_ABSENT if `index` is not below the count. */
FV_CHECKED fv_status fv_liveness_decision_quality_at(fv_quality_check *out, const fv_liveness_decision *decision,
                                                     size_t index);
/** The decision record: the same frames, options, version and models give the same bytes, as `faceverify liveness
 * --json`. */
const char *fv_liveness_decision_json(const fv_liveness_decision *decision);
void fv_liveness_decision_free(fv_liveness_decision *decision);

/* ---- Request store: a server's open requests, which any threads may use at the same time ------------------------- */

/** Each request is answered once, and in time. */
FV_CHECKED fv_status fv_liveness_request_store_create(fv_liveness_request_store **out, char *message,
                                                      size_t message_bytes);
/**
 * Makes a request with a new random nonce of 32 bytes, and keeps it until it is answered or has expired.
 *
 * Requires: `lifetime`, seconds from 10 to 900, or 0: 300; `now`, seconds since 1970. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_CHECKED fv_status fv_liveness_request_store_issue(fv_liveness_request **out, fv_liveness_request_store *store,
                                                     const fv_challenge_draw *draw, double lifetime, double now,
                                                     char *message, size_t message_bytes);
/**
 * Takes the answer to a request, which is closed by it whatever the decision says: look at that yourself.
 *
 * Requires: `now`, seconds since 1970.
 * Status: FV_E_WRONG_STATE if no open request has its nonce, if it comes too late, or if another script was answered.
 */
FV_CHECKED fv_status fv_liveness_request_store_accept(fv_liveness_request_store *store,
                                                      const fv_liveness_decision *decision, double now, char *message,
                                                      size_t message_bytes);
void fv_liveness_request_store_free(fv_liveness_request_store *store);

#ifdef __cplusplus
}
#endif

#endif
