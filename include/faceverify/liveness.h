/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Liveness: sessions of one person in front of one camera. faceverify.h has the conventions.
 */
#ifndef FACEVERIFY_LIVENESS_H
#define FACEVERIFY_LIVENESS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a session, its checks and its evidence. Immutable, thread-safe. */
typedef struct fv_liveness_decision fv_liveness_decision;
/** A nonce and the challenges of one session. Immutable, thread-safe. */
typedef struct fv_liveness_request fv_liveness_request;
/** The open requests of a server. Thread-safe. */
typedef struct fv_liveness_request_store fv_liveness_request_store;
/** A session of one person in front of one camera. Not thread-safe: a concurrent call returns FV_E_BUSY. */
typedef struct fv_liveness_session fv_liveness_session;

/* ---- Challenges -------------------------------------------------------------------------------------------------- */

/** A movement requested of a person; directions are the person's own. Each but a blink and a path is a movement, a hold
 * and a return. */
typedef int64_t fv_challenge;

enum {
  FV_CHALLENGE_BLINK = 1,
  FV_CHALLENGE_TURN_LEFT = 2,
  FV_CHALLENGE_TURN_RIGHT = 3,
  FV_CHALLENGE_LOOK_UP = 4,
  FV_CHALLENGE_LOOK_DOWN = 5,
  FV_CHALLENGE_TILT_LEFT = 6,  /**< tilt the head towards the left shoulder */
  FV_CHALLENGE_TILT_RIGHT = 7, /**< tilt the head towards the right shoulder */
  FV_CHALLENGE_SMILE = 8,
  FV_CHALLENGE_OPEN_MOUTH = 9,
  FV_CHALLENGE_MOVE_CLOSER = 10,
  FV_CHALLENGE_MOVE_BACK = 11,
  FV_CHALLENGE_HOLD_STILL = 12,
  FV_CHALLENGE_FOLLOW = 13 /**< follow the target of the feedback in position, size and direction */
};

/** Returns the name: "blink", "turn-left"... */
FV_API const char *fv_challenge_name(fv_challenge challenge);
/** Returns one sentence that asks the person for it; empty for a number that is no challenge. */
FV_API const char *fv_challenge_text(fv_challenge challenge);

/** A set of challenges: FV_CHALLENGE_BIT() of each, combined with `|`. */
typedef int64_t fv_challenge_set;
#define FV_CHALLENGE_BIT(challenge) ((fv_challenge_set)1 << (challenge))

/** The rules for drawing the challenges of a request. */
typedef struct fv_challenge_draw {
  size_t struct_size;
  int64_t challenge_count;     /**< number of distinct challenges, 1 to 13; 0: 3 */
  fv_challenge_set challenges; /**< FV_CHALLENGE_BIT() of each allowed challenge; 0: all from BLINK to OPEN_MOUTH */
} fv_challenge_draw;
#define FV_CHALLENGE_DRAW_INIT {sizeof(fv_challenge_draw), 0, 0}

/** One challenge of a script. */
typedef struct fv_challenge_prompt {
  size_t struct_size;
  fv_challenge challenge; /**< the requested movement */
  double hold;            /**< seconds for which the position is held, 0 to 5; 0 for a blink and a path */
  double pause;           /**< seconds of looking ahead before the challenge is shown, 0 to 5 */
} fv_challenge_prompt;
#define FV_CHALLENGE_PROMPT_INIT {sizeof(fv_challenge_prompt), 0, 0, 0}

/* ---- Request: the nonce and challenges of a session -------------------------------------------------------------- */

/**
 * Creates a request from a server's nonce: the same nonce and `draw` give the same script on every machine
 * (docs/liveness.md).
 *
 * Requires: `nonce` has 16 to 64 bytes and is used once. `expires` is in seconds since 1970, or INFINITY; answers from
 * that time on are rejected. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_liveness_request_create(fv_liveness_request **out, const void *nonce, size_t nonce_bytes,
                                                       const fv_challenge_draw *draw, double expires, char *message,
                                                       size_t message_bytes);
/**
 * Creates a request with the caller's own script: `prompt_count` challenges (1 to 13), in this order. It never expires.
 *
 * Requires: `prompts` is a contiguous array; the `struct_size` of the first applies to all. A hold of 0.5 s and a pause
 * of 0.3 s suit most people. The nonce has at most 64 bytes; `nonce` may be NULL: none. A path is drawn from the nonce,
 * which must then have 16 bytes or more.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_liveness_request_from_script(fv_liveness_request **out,
                                                            const fv_challenge_prompt *prompts, size_t prompt_count,
                                                            const void *nonce, size_t nonce_bytes, char *message,
                                                            size_t message_bytes);
FV_API void fv_liveness_request_free(fv_liveness_request *request);

/** A description of a request. The text lives as long as it does. */
typedef struct fv_liveness_request_info {
  size_t struct_size;
  const char *nonce; /**< lower-case hexadecimal; empty without one */
  double expires;    /**< seconds since 1970; INFINITY: never */
} fv_liveness_request_info;
#define FV_LIVENESS_REQUEST_INFO_INIT {sizeof(fv_liveness_request_info), NULL, 0}

FV_API FV_CHECKED fv_status fv_liveness_request_describe(fv_liveness_request_info *out,
                                                         const fv_liveness_request *request);
FV_API size_t fv_liveness_request_prompt_count(const fv_liveness_request *request);
/** Describes a prompt of the script. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_liveness_request_prompt_at(fv_challenge_prompt *out, const fv_liveness_request *request,
                                                          size_t index);

/** A colour shown by the screen in front of the person. */
typedef struct fv_screen_colour {
  size_t struct_size;
  double red;     /**< sRGB, 0 to 1 */
  double green;   /**< sRGB, 0 to 1 */
  double blue;    /**< sRGB, 0 to 1 */
  double begin;   /**< start, in seconds after the start of the first colour */
  double seconds; /**< duration */
} fv_screen_colour;
#define FV_SCREEN_COLOUR_INIT {sizeof(fv_screen_colour), 0, 0, 0, 0, 0}

/** Returns the number of screen colours that the nonce determines, shown successively and without flashes to light the
 * face; 0 for a nonce of less than 16 bytes. Their reflection on the face is checked if every frame states the colour
 * that was shown: these, from the first, each within half a second of its time. */
FV_API size_t fv_liveness_request_colour_count(const fv_liveness_request *request);
/** Describes a screen colour. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_liveness_request_colour_at(fv_screen_colour *out, const fv_liveness_request *request,
                                                          size_t index);

/* ---- Session: one person in front of one camera; not thread-safe ------------------------------------------------- */

/** The names of the liveness policies: "standard"... (docs/liveness.md); NULL from the last one on. */
FV_API const char *fv_liveness_policy_at(size_t index);

/** The configuration of a session. */
typedef struct fv_liveness_options {
  size_t struct_size;
  const char *policy;          /**< one of fv_liveness_policy_at(); NULL: "standard" */
  const fv_template *portrait; /**< the expected person; copied; NULL: anyone */
  const char *camera_driver;   /**< such as "uvcvideo"; NULL, together with camera_name, if the camera is unknown */
  const char *camera_name;     /**< such as "Integrated Camera" */
  double challenge_timeout;    /**< seconds for each challenge, 2 to 30; 0: 8 */
  double timeout;              /**< seconds from the first frame to the last, 5 to 900; 0: 60 */
  int64_t rotation;            /**< clockwise rotation in degrees that makes frames upright: 0, 90, 180 or 270 */
  fv_bool is_mirrored;         /**< frames are mirrored */
} fv_liveness_options;
#define FV_LIVENESS_OPTIONS_INIT {sizeof(fv_liveness_options), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/**
 * Creates a session.
 *
 * Requires: `request` may be NULL: no challenges, for recordings and the policies "passive-only" and "photo". `now` is
 * in seconds since 1970, and is compared with the expiry of the request. `options` may be NULL.
 * Status: FV_E_BAD_ARGUMENT; FV_E_WRONG_STATE if the request has expired; FV_E_INCOMPATIBLE_TEMPLATE.
 */
FV_API FV_CHECKED fv_status fv_liveness_session_create(fv_liveness_session **out, const fv_engine *engine,
                                                       const fv_liveness_request *request, double now,
                                                       const fv_liveness_options *options, char *message,
                                                       size_t message_bytes);
/** Abandons the session if it is not finished; nothing of it remains. */
FV_API void fv_liveness_session_free(fv_liveness_session *session);

/** One frame of a stream. Exactly one of the pointers is set. */
typedef struct fv_liveness_frame {
  size_t struct_size;
  const fv_image *image;       /**< an image */
  const fv_image_view *pixels; /**< copied, as by fv_image_from_pixels() with default limits */
  double time;                 /**< capture time in seconds on the stream's own clock */
  fv_bool has_screen_colour;   /**< the screen lights the person's face with the colour below */
  double screen_red;           /**< sRGB, 0 to 1 */
  double screen_green;         /**< sRGB, 0 to 1 */
  double screen_blue;          /**< sRGB, 0 to 1 */
  fv_bool has_received;        /**< `received` is set, in all frames of a session or in none */
  double received;             /**< arrival time in seconds on the caller's own clock, not before the previous
                                  frame's */
} fv_liveness_frame;
#define FV_LIVENESS_FRAME_INIT {sizeof(fv_liveness_frame), NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

/** The state of a session. */
typedef int64_t fv_liveness_session_state;

enum {
  FV_LIVENESS_SESSION_STATE_STARTED = 1,            /**< no frame yet */
  FV_LIVENESS_SESSION_STATE_CAPTURING = 2,          /**< accepting frames */
  FV_LIVENESS_SESSION_STATE_CAPTURED = 3,           /**< the script is completed, or can no longer be */
  FV_LIVENESS_SESSION_STATE_LIVE = 4,               /**< finished: live */
  FV_LIVENESS_SESSION_STATE_UNDECIDED = 5,          /**< finished: undecided */
  FV_LIVENESS_SESSION_STATE_PRESENTATION_ATTACK = 6 /**< finished: a presentation attack */
};

/** Returns the name: "started", "capturing"... */
FV_API const char *fv_liveness_session_state_name(fv_liveness_session_state state);

/** An instruction to the person, for the session to proceed. */
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
  FV_LIVENESS_HINT_HOLD_STILL = 17 /**< for the remaining seconds in the feedback */
};

/** Returns the name: "move-face-into-frame", "multiple-faces"... */
FV_API const char *fv_liveness_hint_name(fv_liveness_hint hint);
/** Returns one sentence for the person; empty for a number that is no hint. */
FV_API const char *fv_liveness_hint_text(fv_liveness_hint hint);

/** The phase of a challenge. */
typedef int64_t fv_challenge_phase;

enum {
  FV_CHALLENGE_PHASE_STARTING = 1,  /**< the person must first take the start pose */
  FV_CHALLENGE_PHASE_MOVING = 2,    /**< waiting for the movement */
  FV_CHALLENGE_PHASE_HOLDING = 3,   /**< the position is being held */
  FV_CHALLENGE_PHASE_RETURNING = 4, /**< waiting for the return */
  FV_CHALLENGE_PHASE_PASSED = 5,
  FV_CHALLENGE_PHASE_FAILED = 6 /**< the timeout expired, or the path was not followed */
};

/** Returns the name: "starting", "moving"... */
FV_API const char *fv_challenge_phase_name(fv_challenge_phase phase);

/** The session's report after a frame. The values after `has_face` are smoothed and those of the previous frame: NaN
 * without a face, for a face that was just found, and without a mesh (the "dlib" set). */
typedef struct fv_liveness_feedback {
  size_t struct_size;
  double time;                     /**< of the frame, on the stream's clock */
  fv_liveness_session_state state; /**< of the session */
  fv_liveness_hint hint;           /**< instruction to the person; 0: none */
  double seconds_left;             /**< remaining seconds of a hold; NaN if none is in progress */
  fv_challenge challenge;          /**< the current challenge; 0: the person should look ahead */
  fv_challenge_phase phase;        /**< of the challenge; 0 without one */
  double progress;                 /**< 0 to 1 over the whole script; 0 without one */
  int64_t answer_count;            /**< challenges that have ended */
  fv_bool has_face;                /**< the frame shows a face */
  double yaw;                      /**< degrees, positive to the subject's left; may be NaN */
  double pitch;                    /**< degrees, positive downwards; may be NaN */
  double roll;                     /**< degrees, positive towards the subject's right shoulder; may be NaN */
  double left_eye_openness;        /**< gap between the lids over the distance between the corners; may be NaN */
  double right_eye_openness;       /**< as for the left eye; may be NaN */
  double mouth_opening;            /**< gap between the inner lips over the height of the face from forehead to chin;
                                      may be NaN */
  double mouth_width;              /**< over the distance of the outer corners of the eyes; may be NaN */
  double mouth_lift;               /**< height of the mouth's corners above the middle of the lips, over the height of
                                      the face; may be NaN */
  double face_size;                /**< height of the face over that of the frame; may be NaN */
  double face_x;                   /**< centre of the face over the frame's width; may be NaN */
  double face_y;                   /**< centre of the face over the frame's height; may be NaN */
  double target_x;                 /**< where the face should be to follow a path, relative to the person's resting pose:
                                      shift in widths of the upright, unmirrored frame, positive to its right; NaN unless
                                      the challenge is FV_CHALLENGE_FOLLOW, as for all of the target */
  double target_scale;             /**< size of the face over that in the resting pose; may be NaN */
  double target_yaw;               /**< degrees, signs as for yaw; may be NaN */
  double target_pitch;             /**< degrees, signs as for pitch; may be NaN */
} fv_liveness_feedback;
#define FV_LIVENESS_FEEDBACK_INIT                                                                                      \
  {sizeof(fv_liveness_feedback), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/**
 * Adds the next frame: upright and not mirrored unless the options state otherwise, with sides of 64 to 4096 pixels.
 * If the first face is upside down or on its side, the session rotates all frames, and the feedback is about the upright
 * ones. The session has no clock: its time is that of the frames.
 *
 * Requires: `budget` may be NULL.
 * Status: FV_E_BAD_ARGUMENT for a time that is not later than the previous frame's, an arrival time before the previous
 * one's, or another size, and FV_E_DAMAGED: the frame is refused, and the session continues. FV_E_TIMEOUT,
 * FV_E_CANCELLED: the frame has no effect. FV_E_WRONG_STATE if the session is complete. FV_E_BUSY.
 */
FV_API FV_CHECKED fv_status fv_liveness_session_add(fv_liveness_feedback *out, fv_liveness_session *session,
                                                    const fv_liveness_frame *frame, const fv_budget *budget,
                                                    char *message, size_t message_bytes);

/** Returns whether the session accepts no more frames, so that fv_liveness_session_finish() is due. Thread-safe. */
FV_API fv_bool fv_liveness_session_is_complete(const fv_liveness_session *session);

/**
 * Decides on the frames received so far; no more are accepted. Later calls return the same decision. A session without
 * frames is undecided.
 *
 * Status: FV_E_BUSY, FV_E_INTERNAL.
 */
FV_API FV_CHECKED fv_status fv_liveness_session_finish(fv_liveness_decision **out, fv_liveness_session *session,
                                                       char *message, size_t message_bytes);

/* ---- Decision: the result of a session, and its basis ------------------------------------------------------------ */

/** The result of a session. */
typedef int64_t fv_liveness_result;

enum {
  FV_LIVENESS_RESULT_LIVE = 1,
  FV_LIVENESS_RESULT_PRESENTATION_ATTACK = 2,
  FV_LIVENESS_RESULT_UNDECIDED = 3 /**< see the retry reason */
};

/** Returns the name: "live", "presentation-attack", "undecided". */
FV_API const char *fv_liveness_result_name(fv_liveness_result result);

/** The reason for retrying a session. */
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
  FV_RETRY_REASON_WRONG_MOVEMENT = 13, /**< a movement other than the requested one */
  FV_RETRY_REASON_INTERRUPTED = 14     /**< no frames, or none for a while */
};

/** Returns the name: "generic", "too-much-movement"... */
FV_API const char *fv_retry_reason_name(fv_retry_reason reason);

/** Returns the result; 0 if there is no such decision. */
FV_API fv_liveness_result fv_liveness_decision_result(const fv_liveness_decision *decision);
/** Returns why a session that is FV_LIVENESS_RESULT_UNDECIDED should be retried; 0 for other results. */
FV_API fv_retry_reason fv_liveness_decision_retry_reason(const fv_liveness_decision *decision);
/** Returns the number of reasons: failed checks, and required checks that were not made; for a live result, failed
 * checks that were tolerated. 0 only if live. */
FV_API size_t fv_liveness_decision_reason_count(const fv_liveness_decision *decision);
/** Describes a reason. The code is one of fv_liveness_signal_at(). Status: FV_E_ABSENT if `index` is not below the
 * count. */
FV_API FV_CHECKED fv_status fv_liveness_decision_reason_at(fv_reason *out, const fv_liveness_decision *decision,
                                                           size_t index);

/** Returns the best frame, upright, not mirrored and lossless; NULL if none was good enough. */
FV_API const fv_image *fv_liveness_decision_selfie(const fv_liveness_decision *decision);
/** Returns the mean of the best frames' templates; NULL if no frame was good enough. */
FV_API const fv_template *fv_liveness_decision_template(const fv_liveness_decision *decision);

/** The names of the liveness signals, in the order of a decision's checks; NULL from the last one on. Later releases
 * add some. */
FV_API const char *fv_liveness_signal_at(size_t index);

/** The result for one signal. The texts live as long as the decision. */
typedef struct fv_liveness_check {
  size_t struct_size;
  const char *signal;     /**< one of fv_liveness_signal_at() */
  const char *unit;       /**< "share" (0 to 1), "score", "ratio", "seconds", "degrees", "level" (of 255)... */
  const char *text;       /**< the finding, or why it was not checked; empty if it passed */
  const char *source;     /**< basis of the range */
  fv_check_status status; /**< passed, failed or not checked */
  double value;           /**< in its unit; NaN if it could not be determined */
  double minimum;         /**< of the range that passes; NaN: no limit */
  double maximum;         /**< of the range that passes; NaN: no limit */
} fv_liveness_check;
#define FV_LIVENESS_CHECK_INIT {sizeof(fv_liveness_check), NULL, NULL, NULL, NULL, 0, 0, 0, 0}

/** Returns the number of checks, one per signal. */
FV_API size_t fv_liveness_decision_check_count(const fv_liveness_decision *decision);
/** Describes a check. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_liveness_decision_check_at(fv_liveness_check *out, const fv_liveness_decision *decision,
                                                          size_t index);

/** The outcome of a challenge. */
typedef int64_t fv_challenge_outcome;

enum {
  FV_CHALLENGE_OUTCOME_PASSED = 1,
  FV_CHALLENGE_OUTCOME_TIMEOUT = 2,        /**< not completed in time */
  FV_CHALLENGE_OUTCOME_WRONG_MOVEMENT = 3, /**< another movement, or the right one too early */
  FV_CHALLENGE_OUTCOME_INTERRUPTED = 4,    /**< the stream or the face was missing for too long */
  FV_CHALLENGE_OUTCOME_NOT_FOLLOWED = 5    /**< the face did not follow the path */
};

/** Returns the name: "passed", "timeout", "wrong-movement", "interrupted", "not-followed". */
FV_API const char *fv_challenge_outcome_name(fv_challenge_outcome outcome);

/** The answer to one challenge of the script. Times are seconds on the stream's clock. */
typedef struct fv_challenge_answer {
  size_t struct_size;
  fv_challenge challenge;       /**< the requested movement */
  fv_challenge_outcome outcome; /**< how it ended */
  double asked;                 /**< when it was requested; NaN if it never was */
  double ended;                 /**< when it was completed or abandoned */
  int64_t failed_tries;         /**< movements that were started and not completed */
  fv_challenge movement;        /**< what was done instead; 0 if nothing was */
  double path_score;            /**< how well a path was followed: a correlation, at most 1; NaN for other challenges,
                                   and if the face was not always seen */
  double path_delay;            /**< seconds by which the face followed the path; may be NaN */
} fv_challenge_answer;
#define FV_CHALLENGE_ANSWER_INIT {sizeof(fv_challenge_answer), 0, 0, 0, 0, 0, 0, 0, 0}

/** Returns the number of challenges that ended, in the order of the script. */
FV_API size_t fv_liveness_decision_answer_count(const fv_liveness_decision *decision);
/** Describes the answer to a challenge. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_liveness_decision_answer_at(fv_challenge_answer *out,
                                                           const fv_liveness_decision *decision, size_t index);

/** The policy and the evidence behind a decision. Times are seconds on the stream's clock. The texts live as long as it
 * does. */
typedef struct fv_liveness_evidence {
  size_t struct_size;
  const char *policy;           /**< one of fv_liveness_policy_at() */
  const char *nonce;            /**< of the request, lower-case hexadecimal; empty without one */
  const char *chain_sha256;     /**< hash chain over the nonce and all frames with their times, lower-case
                                   hexadecimal */
  int64_t frame_count;          /**< accepted frames */
  int64_t refused_frame_count;  /**< frames refused for their time or size */
  double first_time;            /**< of the first frame; NaN without frames */
  double last_time;             /**< of the last frame; NaN without frames */
  int64_t averaged_frame_count; /**< frames whose templates were averaged; 0 without a template */
  double selfie_time;           /**< of the frame of the selfie; NaN without one */
  double selfie_quality;        /**< unified quality of the selfie, 0 to 100; NaN without one */
} fv_liveness_evidence;
#define FV_LIVENESS_EVIDENCE_INIT {sizeof(fv_liveness_evidence), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

/** Describes the basis of a decision. */
FV_API FV_CHECKED fv_status fv_liveness_decision_describe(fv_liveness_evidence *out,
                                                          const fv_liveness_decision *decision);

/** Returns the number of quality checks of the selfie, one per measure; 0 without a selfie. */
FV_API size_t fv_liveness_decision_quality_count(const fv_liveness_decision *decision);
/** Describes a quality check of the selfie. Status: FV_E_ABSENT if `index` is not below the count. */
FV_API FV_CHECKED fv_status fv_liveness_decision_quality_at(fv_quality_check *out, const fv_liveness_decision *decision,
                                                            size_t index);
/** The decision record, as `faceverify liveness --json`: the same frames, options, version and models give the same
 * bytes. */
FV_API const char *fv_liveness_decision_json(const fv_liveness_decision *decision);
FV_API void fv_liveness_decision_free(fv_liveness_decision *decision);

/* ---- Request store: a server's open requests; thread-safe -------------------------------------------------------- */

/** Creates an empty store, which accepts each request's answer once, before the request expires. */
FV_API FV_CHECKED fv_status fv_liveness_request_store_create(fv_liveness_request_store **out, char *message,
                                                             size_t message_bytes);
/**
 * Creates a request with a random nonce of 32 bytes, and stores it until it is answered or expires.
 *
 * Requires: `lifetime` is in seconds, 10 to 900; 0: 300. `now` is in seconds since 1970. `draw` may be NULL.
 * Status: FV_E_BAD_ARGUMENT.
 */
FV_API FV_CHECKED fv_status fv_liveness_request_store_issue(fv_liveness_request **out, fv_liveness_request_store *store,
                                                            const fv_challenge_draw *draw, double lifetime, double now,
                                                            char *message, size_t message_bytes);
/**
 * Accepts the answer to a request, and closes the request whatever the decision's result, which the caller must check.
 *
 * Requires: `now` is in seconds since 1970.
 * Status: FV_E_WRONG_STATE if no open request has the decision's nonce, if the request has expired, or if another
 * script was answered.
 */
FV_API FV_CHECKED fv_status fv_liveness_request_store_accept(fv_liveness_request_store *store,
                                                             const fv_liveness_decision *decision, double now,
                                                             char *message, size_t message_bytes);
FV_API void fv_liveness_request_store_free(fv_liveness_request_store *store);

#ifdef __cplusplus
}
#endif

#endif
