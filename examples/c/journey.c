/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journey PORTRAIT FRAME...: whether a recording at ten pictures per second shows the living person of the portrait.
 *
 *   cc -std=c99 journey.c $(pkg-config --cflags --libs faceverify) -o journey
 *
 * Exit codes: 0 passed, 1 failed, 2 usage error, 3 runtime error, 4 not checked.
 */
#include <faceverify.h>
#include <stdio.h>

enum { PASSED = 0, FAILED = 1, USAGE = 2, BROKEN = 3, NOT_CHECKED = 4 };

/* What has no field in the options. */
static const char *const consents = "{\"consents\": [{\"text\": \"May your face be analysed?\", \"isActive\": true}]}";

static char message[FV_MESSAGE_BYTES];

static int fail(void) {
  fprintf(stderr, "journey: %s\n", message);
  return BROKEN;
}

static void print_events(fv_journey *journey) {
  fv_journey_event event = FV_JOURNEY_EVENT_INIT;
  while (fv_journey_next_event(&event, journey) == FV_OK) printf("%.1f s: %s\n", event.at, event.name);
}

static fv_status add(fv_journey *journey, const char *path, double time) {
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_image *image = NULL;
  fv_status status = fv_image_from_file(&image, path, NULL, message, sizeof message);
  frame.image = image;
  frame.time = time;
  if (status == FV_OK) status = fv_journey_add_frame(NULL, journey, &frame, time, message, sizeof message);
  fv_image_free(image);
  print_events(journey);
  return status;
}

/* Each call has its time, here that of the recording; a program with a camera uses a clock. */
static fv_status lead(fv_journey *journey, int count, char **frames) {
  static const fv_journey_call end[] = {FV_JOURNEY_CALL_FINISH_PART, FV_JOURNEY_CALL_FINISH_CREDENTIAL,
                                        FV_JOURNEY_CALL_FINISH};
  fv_status status = fv_journey_perform(journey, FV_JOURNEY_CALL_START, 0, message, sizeof message);
  int i;
  if (status == FV_OK) status = fv_journey_consent(journey, 0, 1, 0, message, sizeof message);
  if (status == FV_OK) status = fv_journey_start_credential(journey, 0, 0, message, sizeof message);
  if (status == FV_OK) status = fv_journey_start_part(journey, FV_JOURNEY_PART_FACE, 0, 0, message, sizeof message);
  for (i = 0; status == FV_OK && i < count; i++) status = add(journey, frames[i], i / 10.0);
  for (i = 0; status == FV_OK && i < 3; i++)
    status = fv_journey_perform(journey, end[i], count / 10.0, message, sizeof message);
  print_events(journey);
  return status;
}

static int print(const fv_journey *journey) {
  static const int codes[] = {BROKEN, PASSED, FAILED, NOT_CHECKED};
  fv_journey_outcome outcome = FV_JOURNEY_OUTCOME_INIT;
  fv_credential face = FV_CREDENTIAL_INIT;
  if (fv_journey_result(&outcome, journey) != FV_OK || fv_journey_credential_at(&face, journey, 0) != FV_OK)
    return BROKEN;
  printf("liveness: %s\n", fv_liveness_result_name(fv_liveness_decision_result(face.liveness)));
  printf("comparison: %s\n", fv_result_name(fv_decision_result(face.decision)));
  puts(fv_check_status_name(outcome.result));
  return codes[outcome.result];
}

static int verify(const fv_engine *engine, const char *portrait, int count, char **frames) {
  fv_image *image = NULL;
  fv_sample *sample = NULL;
  fv_journey *journey = NULL;
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  fv_credential_request request = FV_CREDENTIAL_REQUEST_INIT;
  const fv_scan_mode mode = FV_SCAN_MODE_PASSIVE; /* a recording without challenges */
  int code;
  request.category = FV_CREDENTIAL_CATEGORY_FACE;
  options.json = consents;
  options.requests = &request;
  options.request_count = 1;
  options.face_modes = &mode;
  options.face_mode_count = 1;
  if (fv_image_from_file(&image, portrait, NULL, message, sizeof message) != FV_OK ||
      fv_engine_sample(&sample, engine, image, NULL, NULL, message, sizeof message) != FV_OK)
    code = fail();
  else {
    options.portrait = fv_sample_template(sample);
    code = fv_journey_create(&journey, engine, &options, 0, message, sizeof message) == FV_OK &&
                   lead(journey, count, frames) == FV_OK
               ? print(journey)
               : fail();
  }
  fv_journey_free(journey);
  fv_sample_free(sample);
  fv_image_free(image);
  return code;
}

int main(int count, char **arguments) {
  fv_engine *engine = NULL;
  int code;
  if (count < 3) {
    fprintf(stderr, "usage: journey PORTRAIT FRAME...\n");
    return USAGE;
  }
  if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK) return fail();
  code = verify(engine, arguments[1], count - 2, arguments + 2);
  fv_engine_free(engine);
  return code;
}
