/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of the binary interface: sizes, offsets and numbers as programs have compiled them in. A later release may
 * add a line at the end of a struct or of the constants; no line that was released may change. Also: each _INIT macro
 * is fv_struct_init(), and programs that were compiled with an older, shorter struct go on working.
 */
#include "test.h"

#define BEGIN(type)                                \
  do {                                             \
    type made = {0};                               \
    const char *const start = (const char *)&made; \
    size_t end = 0;
/* Fields follow each other without a gap, so none can be left out here. */
#define FIELD(name, offset, size)                                \
  CHECK((size_t)((const char *)&made.name - start) == (offset)); \
  CHECK(end == (offset) && sizeof made.name == (size));          \
  end = (offset) + (size);
#define END(size)                                \
  CHECK(end == (size) && sizeof made == (size)); \
  }                                              \
  while (0)

static void layout(void) {
  BEGIN(fv_engine_options)
  FIELD(struct_size, 0, 8)
  FIELD(models_folder, 8, 8)
  FIELD(model_set, 16, 8)
  FIELD(cache_folder, 24, 8)
  FIELD(threads, 32, 8)
  END(40);

  BEGIN(fv_threshold)
  FIELD(struct_size, 0, 8)
  FIELD(rate, 8, 8)
  FIELD(score, 16, 8)
  FIELD(false_matches, 24, 8)
  FIELD(false_match_rate_lower, 32, 8)
  FIELD(false_match_rate_upper, 40, 8)
  FIELD(false_non_match_rate, 48, 8)
  FIELD(false_non_match_rate_lower, 56, 8)
  FIELD(false_non_match_rate_upper, 64, 8)
  END(72);

  BEGIN(fv_model)
  FIELD(struct_size, 0, 8)
  FIELD(id, 8, 8)
  FIELD(role, 16, 8)
  FIELD(version, 24, 8)
  FIELD(licence, 32, 8)
  FIELD(path, 40, 8)
  FIELD(remedy, 48, 8)
  FIELD(state, 56, 8)
  FIELD(size, 64, 8)
  END(72);

  BEGIN(fv_image_limits)
  FIELD(struct_size, 0, 8)
  FIELD(maximum_pixels, 8, 8)
  FIELD(maximum_bytes, 16, 8)
  END(24);

  BEGIN(fv_image_view)
  FIELD(struct_size, 0, 8)
  FIELD(data, 8, 8)
  FIELD(byte_count, 16, 8)
  FIELD(width, 24, 8)
  FIELD(height, 32, 8)
  FIELD(row_stride, 40, 8)
  FIELD(pixel_format, 48, 8)
  END(56);

  BEGIN(fv_image_info)
  FIELD(struct_size, 0, 8)
  FIELD(width, 8, 8)
  FIELD(height, 16, 8)
  FIELD(format, 24, 8)
  FIELD(sha256, 32, 8)
  END(40);

  BEGIN(fv_policy)
  FIELD(struct_size, 0, 8)
  FIELD(selfie, 8, 8)
  FIELD(portrait, 16, 8)
  FIELD(false_match_rate, 24, 8)
  END(32);

  BEGIN(fv_input)
  FIELD(struct_size, 0, 8)
  FIELD(path, 8, 8)
  FIELD(image, 16, 8)
  FIELD(face_template, 24, 8)
  END(32);

  BEGIN(fv_comparison)
  FIELD(struct_size, 0, 8)
  FIELD(score, 8, 8)
  FIELD(threshold, 16, 8)
  FIELD(decided_at, 24, 8)
  FIELD(similarity, 32, 8)
  FIELD(false_match_rate, 40, 8)
  FIELD(false_match_rate_upper_bound, 48, 8)
  FIELD(is_match, 56, 8)
  FIELD(is_beyond_calibration, 64, 8)
  END(72);

  BEGIN(fv_point)
  FIELD(x, 0, 8)
  FIELD(y, 8, 8)
  END(16);

  BEGIN(fv_face)
  FIELD(struct_size, 0, 8)
  FIELD(x, 8, 8)
  FIELD(y, 16, 8)
  FIELD(width, 24, 8)
  FIELD(height, 32, 8)
  FIELD(score, 40, 8)
  FIELD(turn, 48, 8)
  FIELD(left_eye_outer, 56, 16)
  FIELD(left_eye_inner, 72, 16)
  FIELD(right_eye_outer, 88, 16)
  FIELD(right_eye_inner, 104, 16)
  FIELD(nose_base, 120, 16)
  FIELD(inter_eye_distance, 136, 8)
  FIELD(yaw, 144, 8)
  FIELD(pitch, 152, 8)
  FIELD(roll, 160, 8)
  FIELD(left_eye_openness, 168, 8)
  FIELD(right_eye_openness, 176, 8)
  END(184);

  BEGIN(fv_check)
  FIELD(struct_size, 0, 8)
  FIELD(measure, 8, 8)
  FIELD(unit, 16, 8)
  FIELD(advice, 24, 8)
  FIELD(status, 32, 8)
  FIELD(consequence, 40, 8)
  FIELD(value, 48, 8)
  FIELD(score, 56, 8)
  FIELD(minimum, 64, 8)
  FIELD(maximum, 72, 8)
  END(80);

  BEGIN(fv_template_info)
  FIELD(struct_size, 0, 8)
  FIELD(model_identifier, 8, 8)
  FIELD(sha256, 16, 8)
  FIELD(quality, 24, 8)
  END(32);

  BEGIN(fv_liveness_draw)
  FIELD(struct_size, 0, 8)
  FIELD(count, 8, 8)
  FIELD(challenges, 16, 8)
  END(24);

  BEGIN(fv_liveness_request_info)
  FIELD(struct_size, 0, 8)
  FIELD(nonce, 8, 8)
  FIELD(expires, 16, 8)
  END(24);

  BEGIN(fv_liveness_colour)
  FIELD(struct_size, 0, 8)
  FIELD(red, 8, 8)
  FIELD(green, 16, 8)
  FIELD(blue, 24, 8)
  FIELD(begin, 32, 8)
  FIELD(seconds, 40, 8)
  END(48);

  BEGIN(fv_liveness_task)
  FIELD(struct_size, 0, 8)
  FIELD(challenge, 8, 8)
  FIELD(hold, 16, 8)
  FIELD(pause, 24, 8)
  END(32);

  BEGIN(fv_liveness_options)
  FIELD(struct_size, 0, 8)
  FIELD(policy, 8, 8)
  FIELD(portrait, 16, 8)
  FIELD(camera_driver, 24, 8)
  FIELD(camera_name, 32, 8)
  FIELD(challenge_timeout, 40, 8)
  FIELD(timeout, 48, 8)
  FIELD(rotation, 56, 8)
  FIELD(is_mirrored, 64, 8)
  END(72);

  BEGIN(fv_liveness_frame)
  FIELD(struct_size, 0, 8)
  FIELD(image, 8, 8)
  FIELD(pixels, 16, 8)
  FIELD(time, 24, 8)
  FIELD(has_screen_colour, 32, 8)
  FIELD(screen_red, 40, 8)
  FIELD(screen_green, 48, 8)
  FIELD(screen_blue, 56, 8)
  END(64);

  BEGIN(fv_liveness_state)
  FIELD(struct_size, 0, 8)
  FIELD(time, 8, 8)
  FIELD(step, 16, 8)
  FIELD(hint, 24, 8)
  FIELD(seconds_left, 32, 8)
  FIELD(challenge, 40, 8)
  FIELD(phase, 48, 8)
  FIELD(progress, 56, 8)
  FIELD(answer_count, 64, 8)
  FIELD(has_face, 72, 8)
  FIELD(yaw, 80, 8)
  FIELD(pitch, 88, 8)
  FIELD(roll, 96, 8)
  FIELD(left_eye_openness, 104, 8)
  FIELD(right_eye_openness, 112, 8)
  FIELD(mouth_opening, 120, 8)
  FIELD(mouth_width, 128, 8)
  FIELD(mouth_lift, 136, 8)
  FIELD(face_size, 144, 8)
  FIELD(face_x, 152, 8)
  FIELD(face_y, 160, 8)
  END(168);

  BEGIN(fv_liveness_check)
  FIELD(struct_size, 0, 8)
  FIELD(signal, 8, 8)
  FIELD(unit, 16, 8)
  FIELD(text, 24, 8)
  FIELD(source, 32, 8)
  FIELD(status, 40, 8)
  FIELD(value, 48, 8)
  FIELD(minimum, 56, 8)
  FIELD(maximum, 64, 8)
  END(72);

  BEGIN(fv_liveness_answer)
  FIELD(struct_size, 0, 8)
  FIELD(challenge, 8, 8)
  FIELD(outcome, 16, 8)
  FIELD(asked, 24, 8)
  FIELD(ended, 32, 8)
  FIELD(failed_tries, 40, 8)
  FIELD(movement, 48, 8)
  END(56);

  BEGIN(fv_liveness_evidence)
  FIELD(struct_size, 0, 8)
  FIELD(policy, 8, 8)
  FIELD(nonce, 16, 8)
  FIELD(chain, 24, 8)
  FIELD(frames, 32, 8)
  FIELD(refused_frames, 40, 8)
  FIELD(first, 48, 8)
  FIELD(last, 56, 8)
  FIELD(averaged_frames, 64, 8)
  FIELD(selfie_time, 72, 8)
  FIELD(selfie_quality, 80, 8)
  END(88);

  BEGIN(fv_document_options)
  FIELD(struct_size, 0, 8)
  FIELD(read_rfid, 8, 8)
  FIELD(multipage, 16, 8)
  FIELD(mrz_read_timeout, 24, 8)
  FIELD(rfid_read_timeout, 32, 8)
  END(40);

  BEGIN(fv_document_info)
  FIELD(struct_size, 0, 8)
  FIELD(type, 8, 8)
  FIELD(type_name, 16, 8)
  FIELD(date, 24, 8)
  FIELD(photo_hash, 32, 8)
  FIELD(data_hash, 40, 8)
  FIELD(portrait_problem, 48, 8)
  FIELD(portrait_trust, 56, 8)
  FIELD(has_chip, 64, 8)
  FIELD(chip_page, 72, 8)
  FIELD(rfid_status, 80, 8)
  FIELD(verdict, 88, 8)
  END(96);

  BEGIN(fv_field)
  FIELD(struct_size, 0, 8)
  FIELD(value, 8, 8)
  FIELD(reason, 16, 8)
  FIELD(status, 24, 8)
  END(32);

  BEGIN(fv_finding)
  FIELD(struct_size, 0, 8)
  FIELD(name, 8, 8)
  FIELD(reason, 16, 8)
  FIELD(text, 24, 8)
  FIELD(status, 32, 8)
  END(40);

  BEGIN(fv_page_check)
  FIELD(struct_size, 0, 8)
  FIELD(reason, 8, 8)
  FIELD(unit, 16, 8)
  FIELD(text, 24, 8)
  FIELD(number, 32, 8)
  FIELD(status, 40, 8)
  FIELD(value, 48, 8)
  FIELD(limit, 56, 8)
  END(64);

  BEGIN(fv_binding)
  FIELD(struct_size, 0, 8)
  FIELD(photo, 8, 8)
  FIELD(data, 16, 8)
  END(24);
}

static void constants(void) {
  CHECK(sizeof(fv_status) == 4 && (fv_status)-1 < 0);
  CHECK(FV_OK == 0 && FV_E_BAD_ARGUMENT == -1 && FV_E_UNREADABLE == -2 && FV_E_UNKNOWN_FORMAT == -3);
  CHECK(FV_E_DAMAGED == -4 && FV_E_TOO_LARGE == -5 && FV_E_NO_FACE == -6 && FV_E_INCOMPATIBLE_TEMPLATE == -7);
  CHECK(FV_E_MODEL_MISSING == -8 && FV_E_MODEL_MISMATCH == -9 && FV_E_UNSUPPORTED_RATE == -10);
  CHECK(FV_E_UNWRITABLE == -11 && FV_E_WRONG_STATE == -12 && FV_E_INTERNAL == -13 && FV_E_BUSY == -14);
  CHECK(FV_E_ABSENT == -15 && FV_E_VERSION == -16);
  CHECK(FV_MESSAGE_SIZE == 1024);
  CHECK(FV_MODEL_OK == 1 && FV_MODEL_MISSING == 2 && FV_MODEL_MISMATCH == 3);
  CHECK(FV_PIXELS_RGB8 == 1 && FV_PIXELS_BGR8 == 2 && FV_PIXELS_RGBA8 == 3 && FV_PIXELS_BGRA8 == 4);
  CHECK(FV_PIXELS_GRAY8 == 5);
  CHECK(FV_DETECT_SMALL_FACES == 1);
  CHECK(FV_MESH_POINTS == 468 && FV_EYE_POINTS == 21 && FV_EYE_LEFT == 1 && FV_EYE_RIGHT == 2);
  CHECK(FV_CHECK_PASSED == 1 && FV_CHECK_FAILED == 2 && FV_CHECK_NOT_CHECKED == 3);
  CHECK(FV_CONSEQUENCE_NONE == 0 && FV_CONSEQUENCE_REFUSE == 1 && FV_CONSEQUENCE_WARN == 2);
  CHECK(FV_RESULT_MATCH == 1 && FV_RESULT_NO_MATCH == 2 && FV_RESULT_REFUSED == 3);
  CHECK(FV_CHALLENGE_BLINK == 1 && FV_CHALLENGE_TURN_LEFT == 2 && FV_CHALLENGE_TURN_RIGHT == 3);
  CHECK(FV_CHALLENGE_LOOK_UP == 4 && FV_CHALLENGE_LOOK_DOWN == 5 && FV_CHALLENGE_TILT_LEFT == 6);
  CHECK(FV_CHALLENGE_TILT_RIGHT == 7 && FV_CHALLENGE_SMILE == 8 && FV_CHALLENGE_OPEN_MOUTH == 9);
  CHECK(FV_CHALLENGE_MOVE_CLOSER == 10 && FV_CHALLENGE_MOVE_BACK == 11 && FV_CHALLENGE_HOLD_STILL == 12);
  CHECK(FV_STEP_STARTED == 1 && FV_STEP_SCAN_VIEW == 2 && FV_STEP_IMAGE_TAKEN == 3 && FV_STEP_CAN_FINISH == 4);
  CHECK(FV_STEP_RETRY == 5 && FV_STEP_REJECT_VIEW == 6);
  CHECK(FV_HINT_MOVE_FACE_INTO_FRAME == 1 && FV_HINT_MULTIPLE_FACES == 2 && FV_HINT_LIGHTING_TOO_DARK == 3);
  CHECK(FV_HINT_LIGHTING_TOO_BRIGHT == 4 && FV_HINT_SUNGLASSES == 5 && FV_HINT_OBSCURED_FACE == 6);
  CHECK(FV_HINT_FACE_TOO_CLOSE == 7 && FV_HINT_MOVE_FACE_CLOSER == 8 && FV_HINT_CENTER_FACE == 9);
  CHECK(FV_HINT_LEVEL_EYES_AND_DEVICE == 10 && FV_HINT_TILT_FACE_UP == 11 && FV_HINT_TILT_FACE_DOWN == 12);
  CHECK(FV_HINT_TILT_FACE_LEFT == 13 && FV_HINT_TILT_FACE_RIGHT == 14 && FV_HINT_EYES_CLOSED == 15);
  CHECK(FV_HINT_TOO_MUCH_MOVEMENT == 16 && FV_HINT_HOLD_STILL == 17);
  CHECK(FV_PHASE_STARTING == 1 && FV_PHASE_MOVING == 2 && FV_PHASE_HOLDING == 3 && FV_PHASE_RETURNING == 4);
  CHECK(FV_PHASE_PASSED == 5 && FV_PHASE_FAILED == 6);
  CHECK(FV_LIVENESS_LIVE == 1 && FV_LIVENESS_PRESENTATION_ATTACK == 2 && FV_LIVENESS_UNDECIDED == 3);
  CHECK(FV_RETRY_GENERIC == 1 && FV_RETRY_TOO_MUCH_MOVEMENT == 2 && FV_RETRY_LIGHTING_TOO_BRIGHT == 3);
  CHECK(FV_RETRY_LIGHTING_TOO_DARK == 4 && FV_RETRY_EYES_CLOSED == 5 && FV_RETRY_OBSCURED_FACE == 6);
  CHECK(FV_RETRY_MULTIPLE_FACES == 7 && FV_RETRY_SUNGLASSES == 8 && FV_RETRY_FACE_TOO_CLOSE == 9);
  CHECK(FV_RETRY_FACE_TOO_FAR == 10 && FV_RETRY_FACE_MISALIGNED == 11 && FV_RETRY_USER_TIMEOUT == 12);
  CHECK(FV_RETRY_WRONG_MOVEMENT == 13 && FV_RETRY_INTERRUPTED == 14);
  CHECK(FV_OUTCOME_PASSED == 1 && FV_OUTCOME_TIMEOUT == 2 && FV_OUTCOME_WRONG_MOVEMENT == 3);
  CHECK(FV_OUTCOME_INTERRUPTED == 4);
  CHECK(FV_YES == 1 && FV_NO == 2);
  CHECK(FV_RFID_UNDEFINED == 1 && FV_RFID_SUCCESS == 2 && FV_RFID_ERROR == 3);
  CHECK(FV_VERDICT_AUTHENTIC == 1 && FV_VERDICT_VALID_WITHOUT_ANCHOR == 2 && FV_VERDICT_INVALID == 3);
  CHECK(FV_VERDICT_NOT_CHECKED == 4);
  CHECK(FV_PORTRAIT_AUTHENTIC == 1 && FV_PORTRAIT_VALID_WITHOUT_ANCHOR == 2 && FV_PORTRAIT_NOT_CHECKED == 3);
  CHECK(FV_PORTRAIT_PAGE == 4 && FV_PORTRAIT_ALTERED == 5);
  CHECK(FV_DOCUMENT_OK == 1 && FV_DOCUMENT_NOT_CHECKED == 2 && FV_DOCUMENT_VALIDATION_ERROR == 3);
  CHECK(FV_DOCUMENT_EXPIRED_DOCUMENT == 4 && FV_DOCUMENT_RFID_PASSIVE_AUTHENTICATION == 5);
  CHECK(FV_DOCUMENT_MRZ_RFID_MISMATCH == 6 && FV_DOCUMENT_RFID_TIMEOUT == 7);
  CHECK(FV_DOCUMENT_RFID_PERMISSION_NOT_GRANTED == 8 && FV_DOCUMENT_RFID_TAG_NOT_FOUND == 9);
  CHECK(FV_DOCUMENT_RFID_NFC_NOT_SUPPORTED == 10 && FV_DOCUMENT_RFID_GENERIC_ERROR == 11);
  CHECK(FV_DOCUMENT_USER_SKIPPED_RFID == 12);
  CHECK(FV_FIELD_OK == 1 && FV_FIELD_ERROR == 2 && FV_FIELD_NOT_CHECKED == 3);
  CHECK(FV_SOURCE_DOCUMENT == 0 && FV_SOURCE_PAGE == 1 && FV_SOURCE_CHIP == 2);
  CHECK(FV_CHALLENGE_BIT(FV_CHALLENGE_BLINK) == 2 && FV_CHALLENGE_BIT(FV_CHALLENGE_HOLD_STILL) == 4096);
}

#define SAME(type, initialiser)                                   \
  do {                                                            \
    const type by_macro = initialiser;                            \
    type by_function;                                             \
    memset(&by_function, 0xAA, sizeof by_function);               \
    fv_struct_init(&by_function, sizeof by_function);             \
    CHECK(memcmp(&by_macro, &by_function, sizeof by_macro) == 0); \
  } while (0)

static void macro_and_function(void) {
  SAME(fv_engine_options, FV_ENGINE_OPTIONS_INIT);
  SAME(fv_threshold, FV_THRESHOLD_INIT);
  SAME(fv_model, FV_MODEL_INIT);
  SAME(fv_image_limits, FV_IMAGE_LIMITS_INIT);
  SAME(fv_image_view, FV_IMAGE_VIEW_INIT);
  SAME(fv_image_info, FV_IMAGE_INFO_INIT);
  SAME(fv_policy, FV_POLICY_INIT);
  SAME(fv_input, FV_INPUT_INIT);
  SAME(fv_comparison, FV_COMPARISON_INIT);
  SAME(fv_face, FV_FACE_INIT);
  SAME(fv_check, FV_CHECK_INIT);
  SAME(fv_template_info, FV_TEMPLATE_INFO_INIT);
  SAME(fv_liveness_draw, FV_LIVENESS_DRAW_INIT);
  SAME(fv_liveness_request_info, FV_LIVENESS_REQUEST_INFO_INIT);
  SAME(fv_liveness_colour, FV_LIVENESS_COLOUR_INIT);
  SAME(fv_liveness_task, FV_LIVENESS_TASK_INIT);
  SAME(fv_liveness_options, FV_LIVENESS_OPTIONS_INIT);
  SAME(fv_liveness_frame, FV_LIVENESS_FRAME_INIT);
  SAME(fv_liveness_state, FV_LIVENESS_STATE_INIT);
  SAME(fv_liveness_check, FV_LIVENESS_CHECK_INIT);
  SAME(fv_liveness_answer, FV_LIVENESS_ANSWER_INIT);
  SAME(fv_liveness_evidence, FV_LIVENESS_EVIDENCE_INIT);
  SAME(fv_document_options, FV_DOCUMENT_OPTIONS_INIT);
  SAME(fv_document_info, FV_DOCUMENT_INFO_INIT);
  SAME(fv_field, FV_FIELD_INIT);
  SAME(fv_finding, FV_FINDING_INIT);
  SAME(fv_page_check, FV_PAGE_CHECK_INIT);
  SAME(fv_binding, FV_BINDING_INIT);
}

/* A struct of `size` bytes as an older program has it: what follows it is not its own, and must not be touched. */
static void *older(size_t size) {
  void *structure = guarded(size);
  fv_struct_init(structure, size);
  return structure;
}

static void older_input(void) {
  fv_engine *engine = NULL;
  fv_engine_options *options = (fv_engine_options *)older(offsetof(fv_engine_options, model_set));
  fv_image *image = NULL;
  fv_image_limits *limits = (fv_image_limits *)older(offsetof(fv_image_limits, maximum_bytes));
  fv_credential *credential = NULL;
  fv_policy *policy = (fv_policy *)older(offsetof(fv_policy, portrait));
  fv_decision *decision = NULL;
  fv_input *input = (fv_input *)older(offsetof(fv_input, image));
  CHECK_STATUS(FV_OK, fv_engine_create(&engine, FV_VERSION_NUMBER, options, NULL, 0));
  CHECK_STATUS(FV_OK, fv_credential_create(&credential, engine, policy, NULL, 0));
  if (has_samples()) {
    input->path = sample_path("obama.jpg");
    CHECK_STATUS(FV_OK, fv_image_from_file(&image, input->path, limits, NULL, 0));
    CHECK_STATUS(FV_OK, fv_credential_compare(&decision, credential, input, input));
    CHECK(fv_decision_result(decision) == FV_RESULT_MATCH);
  }
  fv_decision_free(decision);
  fv_image_free(image);
  fv_credential_free(credential);
  fv_engine_free(engine);
}

static void older_output(void) {
  fv_engine *engine = make_engine(NULL, 0);
  fv_threshold full = FV_THRESHOLD_INIT;
  fv_threshold *threshold = (fv_threshold *)older(offsetof(fv_threshold, false_matches));
  CHECK_STATUS(FV_OK, fv_engine_threshold(&full, engine, 1e-3, NULL, 0));
  CHECK_STATUS(FV_OK, fv_engine_threshold(threshold, engine, 1e-3, NULL, 0));
  CHECK(threshold->rate == full.rate && threshold->score == full.score);
  CHECK(threshold->struct_size == offsetof(fv_threshold, false_matches) && full.struct_size == sizeof full);
  fv_engine_free(engine);
}

int main(void) {
  RUN(layout);
  RUN(constants);
  RUN(macro_and_function);
  RUN(older_input);
  RUN(older_output);
  return finish();
}
