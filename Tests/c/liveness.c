/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of liveness, used according to the header, with a photo that is held in front of the camera. */
#include "json.h"
#include "test.h"

static fv_engine *engine;

/* ---- Names ---- */

static void hints_have_texts(void) {
  fv_liveness_hint hint;
  for (hint = FV_LIVENESS_HINT_MOVE_FACE_INTO_FRAME; hint <= FV_LIVENESS_HINT_HOLD_STILL; hint++)
    CHECK(strlen(fv_liveness_hint_text(hint)) > 8 &&
          strcmp(fv_liveness_hint_text(hint), fv_liveness_hint_name(hint)) != 0);
  for (fv_challenge challenge = FV_CHALLENGE_BLINK; challenge <= FV_CHALLENGE_FOLLOW; challenge++) {
    CHECK(strchr(fv_challenge_text(challenge), '.') != NULL);
  }
  CHECK_TEXT("Turn your head to your left.", fv_challenge_text(FV_CHALLENGE_TURN_LEFT));
  CHECK_TEXT("", fv_challenge_text(0));
  CHECK_TEXT("", fv_challenge_text(FV_CHALLENGE_FOLLOW + 1));
  CHECK_TEXT("", fv_liveness_hint_text(0));
  CHECK_TEXT("", fv_liveness_hint_text(FV_LIVENESS_HINT_HOLD_STILL + 1));
}

static void names_are_listed(void) {
  size_t i;
  CHECK_TEXT("standard", fv_liveness_policy_at(0));
  CHECK_TEXT("strict", fv_liveness_policy_at(1));
  CHECK_TEXT("passive-only", fv_liveness_policy_at(2));
  CHECK_TEXT("photo", fv_liveness_policy_at(3));
  CHECK(fv_liveness_policy_at(4) == NULL && fv_liveness_policy_at(SIZE_MAX) == NULL);
  CHECK_TEXT("challenge-compliance", fv_liveness_signal_at(0));
  for (i = 0; fv_liveness_signal_at(i) != NULL; i++) CHECK(*fv_liveness_signal_at(i) != '\0');
  CHECK(i > 4 && fv_liveness_signal_at(SIZE_MAX / 2) == NULL && fv_liveness_signal_at(SIZE_MAX) == NULL);
}

/* ---- Requests ---- */

static const unsigned char nonce[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  255};
static const char *const nonce_text = "0102030405060708090a0b0c0d0e0f10000000000000000000000000000000ff";

static fv_challenge_prompt task_of(const fv_liveness_request *request, size_t index) {
  fv_challenge_prompt task = FV_CHALLENGE_PROMPT_INIT;
  CHECK_STATUS(FV_OK, fv_liveness_request_prompt_at(&task, request, index));
  return task;
}

static void a_nonce_determines_the_script(void) {
  fv_liveness_request *one = NULL, *same = NULL, *chosen = NULL;
  fv_liveness_request_info info = FV_LIVENESS_REQUEST_INFO_INIT;
  fv_challenge_draw draw = FV_CHALLENGE_DRAW_INIT;
  char message[FV_MESSAGE_BYTES];
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_create(&one, nonce, sizeof nonce, NULL, 1000, message, sizeof message));
  draw.challenge_count = 3;
  CHECK_STATUS(FV_OK, fv_liveness_request_create(&same, nonce, sizeof nonce, &draw, INFINITY, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, one));
  CHECK(info.expires == 1000);
  CHECK_TEXT(nonce_text, info.nonce);
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, same));
  CHECK(isinf(info.expires));
  CHECK(fv_liveness_request_prompt_count(one) == 3 && fv_liveness_request_prompt_count(same) == 3);
  for (i = 0; i < 3; i++) {
    fv_challenge_prompt a = task_of(one, i), b = task_of(same, i);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK(a.challenge >= FV_CHALLENGE_BLINK && a.challenge <= FV_CHALLENGE_OPEN_MOUTH);
    CHECK(a.challenge == FV_CHALLENGE_BLINK ? a.hold == 0 : a.hold >= 0.5 && a.hold <= 1);
    CHECK(a.pause >= 0.3 && a.pause <= 1.2);
  }
  fv_liveness_request_free(same);
  fv_liveness_request_free(one);

  draw.challenge_count = 2;
  draw.challenges = FV_CHALLENGE_BIT(FV_CHALLENGE_MOVE_BACK) | FV_CHALLENGE_BIT(FV_CHALLENGE_HOLD_STILL);
  CHECK_STATUS(FV_OK, fv_liveness_request_create(&chosen, nonce, 16, &draw, 1000, NULL, 0));
  CHECK(fv_liveness_request_prompt_count(chosen) == 2);
  CHECK(task_of(chosen, 0).challenge + task_of(chosen, 1).challenge ==
        FV_CHALLENGE_MOVE_BACK + FV_CHALLENGE_HOLD_STILL);
  fv_liveness_request_free(chosen);
}

static void a_path_needs_a_nonce(void) {
  static const int64_t follow[] = {FV_CHALLENGE_FOLLOW};
  fv_liveness_request *request = NULL;
  fv_challenge_draw draw = FV_CHALLENGE_DRAW_INIT;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, request_of(&request, follow, NULL, NULL, 1, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, request_of(&request, follow, NULL, NULL, 1, nonce, 15));
  CHECK_STATUS(FV_OK, request_of(&request, follow, NULL, NULL, 1, nonce, 16));
  CHECK(task_of(request, 0).challenge == FV_CHALLENGE_FOLLOW && task_of(request, 0).hold == 0);
  fv_liveness_request_free(request);
  draw.challenge_count = 1;
  draw.challenges = FV_CHALLENGE_BIT(FV_CHALLENGE_FOLLOW);
  CHECK_STATUS(FV_OK, fv_liveness_request_create(&request, nonce, 16, &draw, 1000, NULL, 0));
  CHECK(task_of(request, 0).challenge == FV_CHALLENGE_FOLLOW);
  fv_liveness_request_free(request);
}

static void a_nonce_determines_the_colours(void) {
  static const int64_t smile[] = {FV_CHALLENGE_SMILE};
  fv_liveness_request *request = NULL, *without = NULL;
  double end = 0;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_create(&request, nonce, sizeof nonce, NULL, 1000, NULL, 0));
  for (i = 0; i < fv_liveness_request_colour_count(request); i++) {
    fv_screen_colour one = FV_SCREEN_COLOUR_INIT;
    CHECK_STATUS(FV_OK, fv_liveness_request_colour_at(&one, request, i));
    CHECK(one.red > 0.4 && one.red <= 1 && one.green > 0.4 && one.green <= 1 && one.blue > 0.4 && one.blue <= 1);
    CHECK(fabs(one.begin - end) < 1e-9 && one.seconds >= 0.5 && one.seconds <= 1);
    end = one.begin + one.seconds;
  }
  CHECK(i > 4);
  CHECK_STATUS(FV_OK, request_of(&without, smile, NULL, NULL, 1, NULL, 0));
  CHECK(fv_liveness_request_colour_count(without) == 0);
  fv_liveness_request_free(without);
  fv_liveness_request_free(request);
}

static void scripts_are_set(void) {
  static const int64_t challenges[] = {FV_CHALLENGE_BLINK, FV_CHALLENGE_TURN_LEFT};
  static const double holds[] = {2, 1.5}, pauses[] = {0, 4.5};
  fv_liveness_request *request = NULL;
  fv_liveness_request_info info = FV_LIVENESS_REQUEST_INFO_INIT;
  CHECK_STATUS(FV_OK, request_of(&request, challenges, holds, pauses, 2, nonce, 32));
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, request));
  CHECK_TEXT(nonce_text, info.nonce);
  CHECK(isinf(info.expires) && fv_liveness_request_prompt_count(request) == 2);
  CHECK(task_of(request, 0).challenge == FV_CHALLENGE_BLINK && task_of(request, 0).hold == 0);
  CHECK(task_of(request, 1).challenge == FV_CHALLENGE_TURN_LEFT && task_of(request, 1).hold == 1.5);
  CHECK(task_of(request, 0).pause == 0 && task_of(request, 1).pause == 4.5);
  fv_liveness_request_free(request);

  CHECK_STATUS(FV_OK, request_of(&request, challenges, NULL, NULL, 2, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, request));
  CHECK_TEXT("", info.nonce);
  CHECK(task_of(request, 1).hold == 0.5 && task_of(request, 1).pause == 0.3);
  fv_liveness_request_free(request);
}

/* ---- Sessions ---- */

/* Adds the same picture ten times per second until the session is complete or times out. */
static double hold_up(fv_liveness_session *session, const fv_image *photo, double from, double to) {
  double time = from;
  int i;
  for (i = 0; !fv_liveness_session_is_complete(session) && time < to; i++) {
    time = from + i / 10.0;
    CHECK_STATUS(FV_OK, add_frame(session, photo, time));
  }
  return time;
}

static fv_liveness_decision *decide(fv_liveness_session *session) {
  fv_liveness_decision *decision = NULL;
  require(finish_session(&decision, session), "finish", said);
  return decision;
}

static fv_liveness_evidence evidence_of(const fv_liveness_decision *decision) {
  fv_liveness_evidence evidence = FV_LIVENESS_EVIDENCE_INIT;
  CHECK_STATUS(FV_OK, fv_liveness_decision_describe(&evidence, decision));
  return evidence;
}

/* NULLs if there is no such reason. */
static fv_reason liveness_reason(const fv_liveness_decision *decision, size_t index) {
  fv_reason reason = FV_REASON_INIT;
  (void)(fv_liveness_decision_reason_at(&reason, decision, index) == FV_OK);
  return reason;
}

static void check_checks(const fv_liveness_decision *decision) {
  size_t i, count = fv_liveness_decision_check_count(decision);
  for (i = 0; i < count; i++) {
    fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_liveness_decision_check_at(&one, decision, i));
    CHECK_TEXT(fv_liveness_signal_at(i), one.signal);
    CHECK(*one.unit != '\0' && *one.source != '\0');
    CHECK((one.status == FV_CHECK_STATUS_PASSED) == (*one.text == '\0'));
    if (one.status == FV_CHECK_STATUS_PASSED) CHECK(!(one.value < one.minimum) && !(one.value > one.maximum));
    if (one.status == FV_CHECK_STATUS_FAILED) CHECK(one.value < one.minimum || one.value > one.maximum);
    CHECK(one.status >= FV_CHECK_STATUS_PASSED && one.status <= FV_CHECK_STATUS_NOT_CHECKED);
  }
  CHECK(count > 4 && fv_liveness_signal_at(count) == NULL);
  for (i = 0; i < fv_liveness_decision_reason_count(decision); i++)
    CHECK(*liveness_reason(decision, i).code && *liveness_reason(decision, i).text);
  CHECK(liveness_reason(decision, i).code == NULL);
  CHECK(liveness_reason(decision, i).text == NULL);
  CHECK((fv_liveness_decision_retry_reason(decision) != 0) ==
        (fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_UNDECIDED));
}

/* The pixels of an image; the caller frees them. */
static unsigned char *pixels_of(const fv_image *image, size_t *count) {
  unsigned char *pixels;
  CHECK_STATUS(FV_OK, fv_image_pixels(image, NULL, 0, count, NULL, 0));
  pixels = (unsigned char *)malloc(*count + 1);
  CHECK(pixels != NULL && *count > 0);
  CHECK_STATUS(FV_OK, fv_image_pixels(image, pixels, *count, count, NULL, 0));
  return pixels;
}

static int same_pixels(const fv_image *a, const fv_image *b) {
  size_t of_a, of_b;
  unsigned char *one = pixels_of(a, &of_a), *other = pixels_of(b, &of_b);
  int same = of_a == of_b && memcmp(one, other, of_a) == 0;
  free(one);
  free(other);
  return same;
}

static void check_same_person(const fv_template *face, const char *photo) {
  fv_sample *sample = take_sample(engine, photo);
  fv_comparison comparison = FV_COMPARISON_INIT;
  CHECK_STATUS(FV_OK,
               compare_templates(&comparison, engine, face, fv_sample_template(sample)));
  CHECK(comparison.is_match == 1);
  fv_sample_free(sample);
}

static void a_photo_is_not_live(void) {
  static const int64_t turn[] = {FV_CHALLENGE_TURN_LEFT, FV_CHALLENGE_BLINK};
  fv_liveness_request *request = NULL;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *session;
  fv_liveness_decision *decision, *again;
  fv_liveness_evidence evidence;
  fv_liveness_check compliance = FV_LIVENESS_CHECK_INIT;
  fv_challenge_answer answer = FV_CHALLENGE_ANSWER_INIT;
  fv_image *photo = open_sample("obama.jpg");
  double end;
  size_t i;
  options.challenge_timeout = 2;
  CHECK_STATUS(FV_OK, request_of(&request, turn, NULL, NULL, 2, nonce, 32));
  session = make_session(engine, request, &options);
  fv_liveness_request_free(request);
  CHECK(fv_liveness_session_is_complete(session) == 0);
  end = hold_up(session, photo, 5, 12);
  CHECK(end < 12 && fv_liveness_session_is_complete(session) == 1);
  CHECK_STATUS(FV_E_WRONG_STATE, add_frame(session, photo, end + 1));
  CHECK(*said != '\0');

  decision = decide(session);
  CHECK_TEXT("", said);
  CHECK_STATUS(FV_E_WRONG_STATE, add_frame(session, photo, end + 1));
  again = decide(session);
  CHECK_TEXT(fv_liveness_decision_json(decision), fv_liveness_decision_json(again));
  fv_liveness_decision_free(again);
  fv_liveness_session_free(session);

  CHECK(is_json(fv_liveness_decision_json(decision)));
  CHECK(fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_UNDECIDED ||
        fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_PRESENTATION_ATTACK);
  CHECK(fv_liveness_decision_reason_count(decision) > 0);
  check_checks(decision);
  CHECK_STATUS(FV_OK, fv_liveness_decision_check_at(&compliance, decision, 0));
  CHECK(compliance.status == FV_CHECK_STATUS_FAILED && compliance.value == 0 && compliance.minimum == 1);
  CHECK(isnan(compliance.maximum));
  CHECK(fv_liveness_decision_answer_count(decision) == 1);
  CHECK_STATUS(FV_OK, fv_liveness_decision_answer_at(&answer, decision, 0));
  CHECK(answer.challenge == FV_CHALLENGE_TURN_LEFT && answer.outcome == FV_CHALLENGE_OUTCOME_TIMEOUT &&
        answer.movement == 0);
  CHECK(answer.asked > 5 && answer.ended > answer.asked + 2 && answer.ended <= end && answer.failed_tries == 0);

  evidence = evidence_of(decision);
  CHECK_TEXT("standard", evidence.policy);
  CHECK_TEXT(nonce_text, evidence.nonce);
  CHECK(strlen(evidence.chain_sha256) == 64 && evidence.refused_frame_count == 0 && evidence.first_time == 5 &&
        evidence.last_time == end);
  CHECK(evidence.frame_count == (int64_t)lround((end - 5) * 10) + 1);
  CHECK(evidence.averaged_frame_count > 1 && evidence.selfie_time >= 5 && evidence.selfie_time <= end);
  CHECK(evidence.selfie_quality > 0 && evidence.selfie_quality <= 100);

  CHECK(same_pixels(fv_liveness_decision_selfie(decision), photo));
  CHECK(fv_liveness_decision_selfie(decision) == fv_liveness_decision_selfie(decision));
  for (i = 0; i < fv_liveness_decision_quality_count(decision); i++) {
    fv_quality_check one = FV_QUALITY_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_liveness_decision_quality_at(&one, decision, i));
    CHECK_TEXT(fv_quality_measure_at(i), one.measure);
  }
  CHECK(i > 0 && fv_quality_measure_at(i) == NULL);
  check_same_person(fv_liveness_decision_template(decision), "obama.jpg");
  fv_liveness_decision_free(decision);
  fv_image_free(photo);
}

static void a_session_without_frames_is_undecided(void) {
  fv_liveness_session *session = make_session(engine, NULL, NULL);
  fv_liveness_decision *decision = decide(session);
  fv_liveness_evidence evidence = evidence_of(decision);
  fv_quality_check one = FV_QUALITY_CHECK_INIT;
  CHECK(fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_UNDECIDED);
  CHECK(fv_liveness_decision_retry_reason(decision) == FV_RETRY_REASON_INTERRUPTED);
  check_checks(decision);
  CHECK(evidence.frame_count == 0 && isnan(evidence.first_time) && isnan(evidence.last_time) &&
        evidence.averaged_frame_count == 0);
  CHECK(isnan(evidence.selfie_time) && isnan(evidence.selfie_quality));
  CHECK_TEXT("", evidence.nonce);
  CHECK(fv_liveness_decision_selfie(decision) == NULL && fv_liveness_decision_template(decision) == NULL);
  CHECK(fv_liveness_decision_quality_count(decision) == 0 && fv_liveness_decision_answer_count(decision) == 0);
  CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_quality_at(&one, decision, 0));
  CHECK(is_json(fv_liveness_decision_json(decision)));
  fv_liveness_decision_free(decision);
  CHECK(fv_liveness_session_is_complete(session) == 1);
  fv_liveness_session_free(session);
}

static void refused_frames_do_not_end_a_session(void) {
  fv_liveness_session *session = make_session(engine, NULL, NULL);
  fv_image *photo = open_sample("obama2.jpg"), *small = NULL, *damaged = NULL;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_liveness_feedback feedback = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_budget budget = FV_BUDGET_INIT;
  fv_liveness_decision *decision;
  size_t count;
  unsigned char *bytes = read_file(sample_path("obama2.jpg"), &count);
  view.data = bytes;
  view.byte_count = count;
  view.width = 63;
  view.height = 100;
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&small, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&damaged, bytes, count / 3, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, add_frame(session, photo, 1));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, photo, 1));
  CHECK(*said != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, photo, 0.5));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, photo, NAN));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, photo, INFINITY));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, small, 2));
  CHECK_STATUS(FV_E_DAMAGED, add_frame(session, damaged, 2));
  frame.image = photo;
  frame.time = 2;
  budget.seconds = 1e-9;
  CHECK_STATUS(FV_E_TIMEOUT, fv_liveness_session_add(&feedback, session, &frame, &budget, said, sizeof said));
  CHECK(fv_liveness_session_is_complete(session) == 0);
  CHECK_STATUS(FV_OK, add_frame(session, photo, 2));
  CHECK_TEXT("", said);
  decision = decide(session);
  CHECK(evidence_of(decision).frame_count == 2 && evidence_of(decision).refused_frame_count == 5);
  CHECK(evidence_of(decision).first_time == 1 && evidence_of(decision).last_time == 2);
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(session);
  fv_image_free(damaged);
  fv_image_free(small);
  fv_image_free(photo);
  free(bytes);
}

static void a_session_has_its_states(void) {
  static const int64_t blink[] = {FV_CHALLENGE_BLINK};
  fv_liveness_request *request = NULL;
  fv_liveness_session *session;
  fv_image *photo = open_sample("obama.jpg"), *grey = NULL;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT;
  int i, asked = 0;
  CHECK_STATUS(FV_OK, request_of(&request, blink, NULL, NULL, 1, NULL, 0));
  session = make_session(engine, request, NULL);
  frame.image = photo;
  for (i = 0; i < 30; i++) {
    frame.time = i / 10.0;
    CHECK_STATUS(FV_OK, feed(&state, session, &frame));
    CHECK(state.struct_size == sizeof state && state.time == frame.time &&
          state.state == FV_LIVENESS_SESSION_STATE_CAPTURING);
    CHECK(state.has_face == 1 && isnan(state.yaw) == (i == 0) && isnan(state.face_y) == (i == 0));
    if (i == 0) continue;
    CHECK(fabs(state.yaw) < 30 && fabs(state.pitch) < 30 && fabs(state.roll) < 30);
    CHECK(state.left_eye_openness > 0.1 && state.right_eye_openness > 0.1 && state.mouth_opening >= 0);
    CHECK(state.mouth_width > 0.2 && fabs(state.mouth_lift) < 0.2 && state.face_size > 0.1 && state.face_size < 0.9);
    CHECK(state.face_x > 0.2 && state.face_x < 0.8 && state.face_y > 0.1 && state.face_y < 0.8);
    CHECK(isnan(state.seconds_left) && state.answer_count == 0 && state.progress >= 0 && state.progress < 1);
    CHECK((state.challenge == 0) == (state.phase == 0));
    asked |= state.challenge == FV_CHALLENGE_BLINK;
  }
  CHECK(asked);

  view.data = calloc(200, 200);
  view.byte_count = 200 * 200;
  view.width = view.height = 200;
  view.pixel_format = FV_PIXEL_FORMAT_GRAY8;
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&grey, &view, NULL, NULL, 0));
  frame.image = grey;
  for (i = 30; i < 40; i++) {
    frame.time = i / 10.0;
    CHECK_STATUS(FV_OK, feed(&state, session, &frame));
  }
  CHECK(state.has_face == 0 && isnan(state.yaw) && isnan(state.face_size) && isnan(state.mouth_lift));
  CHECK(state.hint == FV_LIVENESS_HINT_MOVE_FACE_INTO_FRAME);
  free((void *)view.data);
  fv_image_free(grey);
  fv_image_free(photo);
  fv_liveness_session_free(session);
  fv_liveness_request_free(request);
}

/* Mirrored or rotated frames yield the original selfie; raw pixels are equivalent to an image. */
static void rotated_and_mirrored_frames_are_accepted(void) {
  fv_image *photo = open_sample("obama2.jpg");
  fv_image_info info = FV_IMAGE_INFO_INIT;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *session;
  fv_liveness_decision *decision;
  size_t count;
  unsigned char *pixels = pixels_of(photo, &count), *turned = (unsigned char *)malloc(count);
  int64_t x, y;
  CHECK_STATUS(FV_OK, fv_image_describe(&info, photo));
  CHECK((int64_t)count == 3 * info.width * info.height);
  /* Mirrored, then rotated anticlockwise: the right side is on top. */
  for (y = 0; y < info.height; y++)
    for (x = 0; x < info.width; x++)
      memcpy(turned + 3 * (x * info.height + y), pixels + 3 * (y * info.width + x), 3);
  view.data = turned;
  view.byte_count = count;
  view.width = info.height;
  view.height = info.width;
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  frame.pixels = &view;
  frame.has_screen_colour = 1;
  frame.screen_green = 0.5;
  frame.screen_blue = 1;
  options.rotation = 90;
  options.is_mirrored = 1;
  options.policy = "passive-only";
  options.camera_driver = "uvcvideo";
  options.camera_name = "Integrated Camera";
  session = make_session(engine, NULL, &options);
  CHECK_STATUS(FV_OK, feed(&state, session, &frame));
  CHECK(state.has_face == 1);
  decision = decide(session);
  CHECK_TEXT("passive-only", evidence_of(decision).policy);
  CHECK(same_pixels(fv_liveness_decision_selfie(decision), photo));
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(session);
  free(turned);
  free(pixels);
  fv_image_free(photo);
}

/* Frames delayed by the caller's clock; invalid arrival times. */
static void late_arrivals_are_detected(void) {
  static const double bad[] = {999, NAN, INFINITY, 1e12};
  fv_image *photo = open_sample("obama2.jpg");
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *session;
  fv_liveness_decision *decision;
  size_t i;
  int found = 0;
  options.policy = "passive-only";
  session = make_session(engine, NULL, &options);
  frame.image = photo;
  frame.has_received = 1;
  frame.received = 1000;
  CHECK_STATUS(FV_OK, feed(&state, session, &frame));
  frame.time = 1;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    frame.received = bad[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, feed(&state, session, &frame));
  }
  frame.received = 1004;
  frame.has_received = 2;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, feed(&state, session, &frame));
  frame.has_received = 0;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, feed(&state, session, &frame));
  frame.has_received = 1;
  CHECK_STATUS(FV_OK, feed(&state, session, &frame));
  decision = decide(session);
  CHECK(fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_UNDECIDED);
  for (i = 0; i < fv_liveness_decision_check_count(decision); i++) {
    fv_liveness_check delay = FV_LIVENESS_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_liveness_decision_check_at(&delay, decision, i));
    if (strcmp(delay.signal, "arrival-delay") != 0) continue;
    found = 1;
    CHECK(delay.status == FV_CHECK_STATUS_FAILED && delay.value == 3 && delay.maximum == 2);
  }
  CHECK(found);
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(session);
  fv_image_free(photo);
}

/* Equal for the same pixels and times; another time or nonce gives another chain. */
static void the_chain_follows_its_specification(void) {
  fv_image *photo = open_sample("obama2.jpg");
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  char expected[65] = "";
  size_t count, i;
  unsigned char *pixels = pixels_of(photo, &count);
  view.data = pixels;
  view.byte_count = count;
  view.width = 626;
  view.height = 1200;
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  for (i = 0; i < 4; i++) {
    static const int64_t smile[] = {FV_CHALLENGE_SMILE};
    fv_liveness_request *request = NULL;
    fv_liveness_session *session;
    fv_liveness_decision *decision;
    fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
    fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT;
    CHECK_STATUS(FV_OK,
                 request_of(&request, smile, NULL, NULL, 1, nonce, i < 3 ? 32 : 31));
    session = make_session(engine, request, NULL);
    if (i == 0)
      frame.image = photo;
    else
      frame.pixels = &view;
    frame.time = i == 2 ? 7.5 : 7;
    CHECK_STATUS(FV_OK, feed(&state, session, &frame));
    decision = decide(session);
    if (i == 0) snprintf(expected, sizeof expected, "%s", evidence_of(decision).chain_sha256);
    CHECK((strcmp(expected, evidence_of(decision).chain_sha256) == 0) == (i < 2));
    fv_liveness_decision_free(decision);
    fv_liveness_session_free(session);
    fv_liveness_request_free(request);
  }
  free(pixels);
  fv_image_free(photo);
}

static void the_person_of_the_portrait_passes(void) {
  const char *const names_of_photos[] = {"obama.jpg", "biden.jpg"};
  fv_image *photo = open_sample("obama2.jpg");
  size_t i, k;
  for (i = 0; i < 2; i++) {
    fv_sample *sample = take_sample(engine, names_of_photos[i]);
    fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
    fv_liveness_session *session;
    fv_liveness_decision *decision;
    options.portrait = fv_sample_template(sample);
    session = make_session(engine, NULL, &options);
    fv_sample_free(sample);
    hold_up(session, photo, 0, 3);
    decision = decide(session);
    for (k = 0; k < fv_liveness_decision_check_count(decision); k++) {
      fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
      CHECK_STATUS(FV_OK, fv_liveness_decision_check_at(&one, decision, k));
      if (strcmp(one.signal, "portrait-identity") == 0)
        CHECK(one.status == (i == 0 ? FV_CHECK_STATUS_PASSED : FV_CHECK_STATUS_FAILED));
    }
    CHECK(i == 0 || fv_liveness_decision_result(decision) == FV_LIVENESS_RESULT_PRESENTATION_ATTACK);
    fv_liveness_decision_free(decision);
    fv_liveness_session_free(session);
  }
  fv_image_free(photo);
}

static void another_persons_portrait_fails(void) {
  fv_engine *other = make_engine("dlib", 0);
  fv_sample *sample = take_sample(other, "obama.jpg");
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *session = NULL;
  fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  char message[FV_MESSAGE_BYTES] = "";
  options.portrait = fv_sample_template(sample);
  CHECK_STATUS(FV_E_INCOMPATIBLE_TEMPLATE,
               fv_liveness_session_create(&session, engine, NULL, 0, &options, message, sizeof message));
  CHECK(session == NULL && *message != '\0');

  /* The set without a mesh detects a face, but not its movement. */
  session = make_session(other, NULL, &options);
  frame.image = open_sample("obama.jpg");
  CHECK_STATUS(FV_OK, feed(&state, session, &frame));
  CHECK(state.has_face == 1 && isnan(state.yaw) && isnan(state.left_eye_openness) && isnan(state.face_size));
  fv_image_free((fv_image *)frame.image);
  fv_liveness_session_free(session);
  fv_sample_free(sample);
  fv_engine_free(other);
}

/* ---- The server's side ---- */

static fv_liveness_decision *answer(const fv_liveness_request *request, double now) {
  fv_liveness_session *session = NULL;
  fv_liveness_decision *decision;
  require(fv_liveness_session_create(&session, engine, request, now, NULL, NULL, 0), "answer", NULL);
  decision = decide(session);
  fv_liveness_session_free(session);
  return decision;
}

static void a_request_is_accepted_once(void) {
  fv_liveness_request_store *open = NULL;
  fv_liveness_request *one = NULL, *other = NULL, *late = NULL, *forged = NULL;
  fv_liveness_request_info info = FV_LIVENESS_REQUEST_INFO_INIT;
  fv_challenge_draw draw = FV_CHALLENGE_DRAW_INIT;
  fv_liveness_decision *decision;
  fv_liveness_session *session = NULL;
  static const int64_t smile[] = {FV_CHALLENGE_SMILE};
  unsigned char bytes[32];
  char message[FV_MESSAGE_BYTES] = "";
  const double now = 1.7e9;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&one, open, NULL, 0, now, message, sizeof message));
  draw.challenge_count = 5;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&other, open, &draw, 10, now, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&late, open, NULL, 900, now, NULL, 0));
  CHECK(fv_liveness_request_prompt_count(one) == 3 && fv_liveness_request_prompt_count(other) == 5);
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, one));
  CHECK(info.expires == now + 300 && strlen(info.nonce) == 64);

  decision = answer(one, now + 299);
  CHECK_TEXT(info.nonce, evidence_of(decision).nonce);
  CHECK_STATUS(FV_OK, fv_liveness_request_store_accept(open, decision, now + 299, message, sizeof message));
  CHECK_TEXT("", message);
  CHECK_STATUS(FV_E_WRONG_STATE, fv_liveness_request_store_accept(open, decision, now + 299, message, sizeof message));
  CHECK(*message != '\0');
  fv_liveness_decision_free(decision);

  CHECK_STATUS(FV_E_WRONG_STATE, fv_liveness_session_create(&session, engine, other, now + 10, NULL, message,
                                                            sizeof message));
  CHECK(session == NULL && *message != '\0');
  decision = answer(other, now + 9);
  CHECK_STATUS(FV_E_WRONG_STATE, fv_liveness_request_store_accept(open, decision, now + 10, NULL, 0));
  fv_liveness_decision_free(decision);

  /* The right nonce, and another script. */
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, late));
  for (i = 0; i < 32; i++) {
    unsigned digits = 0;
    CHECK(sscanf(info.nonce + 2 * i, "%2x", &digits) == 1);
    bytes[i] = (unsigned char)digits;
  }
  CHECK_STATUS(FV_OK, request_of(&forged, smile, NULL, NULL, 1, bytes, 32));
  decision = answer(forged, now);
  CHECK_STATUS(FV_E_WRONG_STATE, fv_liveness_request_store_accept(open, decision, now, message, sizeof message));
  CHECK(strstr(message, "script") != NULL);
  fv_liveness_decision_free(decision);
  fv_liveness_request_free(forged);
  fv_liveness_request_free(late);
  fv_liveness_request_free(other);
  fv_liveness_request_free(one);
  fv_liveness_request_store_free(open);
}

static void no_object_remains(void) {
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
}

int main(void) {
  RUN(hints_have_texts);
  RUN(names_are_listed);
  RUN(a_nonce_determines_the_script);
  RUN(a_path_needs_a_nonce);
  RUN(a_nonce_determines_the_colours);
  RUN(scripts_are_set);
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 0);
  RUN(a_session_without_frames_is_undecided);
  RUN(a_photo_is_not_live);
  RUN(refused_frames_do_not_end_a_session);
  RUN(a_session_has_its_states);
  RUN(rotated_and_mirrored_frames_are_accepted);
  RUN(late_arrivals_are_detected);
  RUN(the_chain_follows_its_specification);
  RUN(the_person_of_the_portrait_passes);
  RUN(another_persons_portrait_fails);
  RUN(a_request_is_accepted_once);
  RUN(no_object_remains);
  return finish();
}
