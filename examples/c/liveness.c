/* SPDX-License-Identifier: Apache-2.0 */
/*
 * liveness FRAME...: liveness of a person who turns left and blinks, from pictures taken at ten per second.
 *
 *   cc -std=c99 liveness.c $(pkg-config --cflags --libs faceverify) -o liveness
 *
 * Exit codes: 0 live, 1 presentation attack, 2 usage error, 3 runtime error, 4 undecided.
 */
#include <faceverify.h>
#include <stdio.h>

enum { LIVE = 0, ATTACK = 1, USAGE = 2, FAILED = 3, UNDECIDED = 4 };

static char message[FV_MESSAGE_BYTES];

static int fail(const char *text) {
  fprintf(stderr, "liveness: %s\n", text);
  return FAILED;
}

static int print(const fv_liveness_decision *decision) {
  static const int codes[] = {FAILED, LIVE, ATTACK, UNDECIDED};
  fv_liveness_result result = fv_liveness_decision_result(decision);
  fv_reason reason = FV_REASON_INIT;
  size_t i;
  puts(fv_liveness_result_name(result));
  for (i = 0; i < fv_liveness_decision_reason_count(decision); i++)
    if (fv_liveness_decision_reason_at(&reason, decision, i) == FV_OK) puts(reason.text);
  return codes[result];
}

/* Prints after each frame what the person should do next. */
static int add(fv_liveness_session *session, const char *path, double time) {
  fv_liveness_feedback feedback = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_image *image = NULL;
  fv_status status;
  if (fv_image_from_file(&image, path, NULL, message, sizeof message) != FV_OK) return fail(message);
  frame.image = image;
  frame.time = time;
  status = fv_liveness_session_add(&feedback, session, &frame, NULL, message, sizeof message);
  fv_image_free(image);
  if (status != FV_OK) return fail(message);
  printf("%.1f s: %s\n", time, feedback.challenge ? fv_challenge_name(feedback.challenge) : "look ahead");
  return 0;
}

static int watch(const fv_engine *engine, int count, char **frames) {
  static const fv_challenge_prompt script[] = {{sizeof *script, FV_CHALLENGE_TURN_LEFT, 0.5, 0.3},
                                               {sizeof *script, FV_CHALLENGE_BLINK, 0, 0.3}};
  fv_liveness_request *request = NULL;
  fv_liveness_session *session = NULL;
  fv_liveness_decision *decision = NULL;
  int code = 0, i;
  if (fv_liveness_request_from_script(&request, script, 2, NULL, 0, message, sizeof message) != FV_OK ||
      fv_liveness_session_create(&session, engine, request, 0, NULL, message, sizeof message) != FV_OK)
    code = fail(message);
  for (i = 0; code == 0 && i < count && !fv_liveness_session_is_complete(session); i++)
    code = add(session, frames[i], i / 10.0);
  if (code == 0 && fv_liveness_session_finish(&decision, session, message, sizeof message) != FV_OK)
    code = fail(message);
  if (code == 0) code = print(decision);
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(session);
  fv_liveness_request_free(request);
  return code;
}

int main(int count, char **arguments) {
  fv_engine *engine = NULL;
  int code;
  if (count < 2) {
    fprintf(stderr, "usage: liveness FRAME...\n");
    return USAGE;
  }
  if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK) return fail(message);
  code = watch(engine, count - 1, arguments + 1);
  fv_engine_free(engine);
  return code;
}
