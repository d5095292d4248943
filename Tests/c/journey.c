/* SPDX-License-Identifier: Apache-2.0 */
/* Journeys: one from its start to its result, every mistake of a program, and random calls. */
#include <pthread.h>

#include "json.h"
#include "test.h"

#ifdef __SANITIZE_ADDRESS__ /* which sees what these are for */
enum { SEQUENCES = 2000 };
#else
enum { SEQUENCES = 1000 };
#endif
enum { CALLS = 20 };

static fv_engine *engine;

static const double now = 1.7e9;

static fv_status create(fv_journey **out, const char *configuration) {
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  options.json = configuration;
  return fv_journey_create(out, engine, &options, now, said, sizeof said);
}

static fv_journey *begin(const char *configuration) {
  fv_journey *journey = NULL;
  require(create(&journey, configuration), "fv_journey_create", said);
  return journey;
}

static fv_status perform(fv_journey *journey, fv_journey_call call) {
  return fv_journey_perform(journey, call, now, said, sizeof said);
}

static fv_status start_part(fv_journey *journey, fv_journey_part part, fv_scan_mode mode) {
  return fv_journey_start_part(journey, part, mode, now, said, sizeof said);
}

static fv_status start_credential(fv_journey *journey, size_t credential) {
  return fv_journey_start_credential(journey, credential, now, said, sizeof said);
}

static fv_status show(fv_journey *journey, const fv_image *image, double time) {
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  frame.image = image;
  frame.time = time;
  return fv_journey_add_frame(NULL, journey, &frame, now + time, said, sizeof said);
}

static fv_journey_info info_of(const fv_journey *journey) {
  fv_journey_info info = FV_JOURNEY_INFO_INIT;
  CHECK_STATUS(FV_OK, fv_journey_describe(&info, journey));
  return info;
}

/* The first credential; without objects if there is none. */
static fv_credential credential_of(const fv_journey *journey) {
  fv_credential credential = FV_CREDENTIAL_INIT;
  CHECK(fv_journey_credential_at(&credential, journey, 0) == (fv_journey_credential_count(journey) ? FV_OK : FV_E_ABSENT));
  return credential;
}

static fv_journey_state state_of(const fv_journey *journey) { return info_of(journey).state; }

/* The names of the pending events, one after another. */
static const char *events_of(fv_journey *journey) {
  static char names[4096];
  fv_journey_event event = FV_JOURNEY_EVENT_INIT;
  *names = '\0';
  while (fv_journey_next_event(&event, journey) == FV_OK) {
    CHECK(event.at >= now && is_json(event.json) && strstr(event.json, event.name) != NULL);
    strncat(strncat(names, event.name, 64), " ", 2);
  }
  return names;
}

static fv_journey_outcome outcome_of(const fv_journey *journey) {
  fv_journey_outcome outcome = FV_JOURNEY_OUTCOME_INIT;
  CHECK_STATUS(FV_OK, fv_journey_result(&outcome, journey));
  return outcome;
}

static fv_image *grey(int side) {
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_image *image = NULL;
  unsigned char *pixels = (unsigned char *)calloc((size_t)side, (size_t)side);
  view.data = pixels;
  view.byte_count = (size_t)side * (size_t)side;
  view.width = view.height = side;
  view.pixel_format = FV_PIXEL_FORMAT_GRAY8;
  require(fv_image_from_pixels(&image, &view, NULL, said, sizeof said), "fv_image_from_pixels", said);
  free(pixels);
  return image;
}

/* ---- From the start to the result ---- */

static const char *const face_only =
    "{\"requests\": [{\"category\": \"face\"}], \"faceModes\": [\"passive\", \"face-manual\"],"
    " \"consents\": [{\"text\": \"May your face be looked at?\", \"isActive\": true}]}";

/* A journey decided by a recording: `photo` is held in front of the camera. */
static fv_journey *held_photo(const char *photo, const char *portrait) {
  fv_sample *sample = take_sample(engine, portrait);
  fv_image *image = open_sample(photo);
  fv_journey *journey = NULL;
  fv_liveness_feedback feedback = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  int i;
  options.json = face_only;
  options.portrait = fv_sample_template(sample);
  require(fv_journey_create(&journey, engine, &options, now, said, sizeof said), "fv_journey_create", said);
  fv_sample_free(sample);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_CONSENTING);
  CHECK_STATUS(FV_OK, fv_journey_consent(journey, 0, 1, now, said, sizeof said));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_FACE, 0));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_SCANNING && info_of(journey).fallback == FV_SCAN_MODE_FACE_MANUAL);
  frame.image = image;
  for (i = 0; i < 12; i++) {
    frame.time = i / 10.0;
    CHECK_STATUS(FV_OK, fv_journey_add_frame(&feedback, journey, &frame, now + frame.time, said, sizeof said));
    CHECK(feedback.has_face == 1 && feedback.time == frame.time);
  }
  fv_image_free(image);
  return journey;
}

/* Rows: J31 J34 J41 J53 NV31 */
static void a_journey_reaches_its_result(void) {
  fv_journey *journey = held_photo("obama2.jpg", "obama.jpg");
  fv_journey_outcome outcome;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_credential credential = FV_CREDENTIAL_INIT;
  fv_reason reason = FV_REASON_INIT;
  const double end = now + 2;
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_PART, end, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL, end, said, sizeof said));
  CHECK(fv_journey_credential_count(journey) == 0 && fv_journey_reason_count(journey, 0) == 0);
  CHECK_STATUS(FV_E_ABSENT, fv_journey_credential_at(&credential, journey, 0));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH, end, said, sizeof said));
  CHECK_TEXT("", said);
  CHECK_TEXT("initialized prepare started scan-view processing image-taken can-finish credential-finished all-captured "
             "finished ", events_of(journey));
  outcome = outcome_of(journey);
  CHECK(outcome.is_complete == 1 && outcome.error_code == NULL && outcome.error_text == NULL);
  CHECK(outcome.result == FV_CHECK_STATUS_NOT_CHECKED || outcome.result == FV_CHECK_STATUS_FAILED);
  /* One picture, held for a second, does not prove presence; the template was enrolled. */
  CHECK(outcome.presence <= FV_PRESENCE_PHOTO && outcome.document == FV_DOCUMENT_ASSURANCE_NONE);
  CHECK(outcome.binding == FV_BINDING_ENROLLED_TEMPLATE);
  CHECK(is_json(outcome.json) && strstr(outcome.json, "\"comparison\"") && strstr(outcome.json, info_of(journey).id));
  CHECK(fv_journey_credential_count(journey) == 1);
  CHECK_STATUS(FV_E_ABSENT, fv_journey_credential_at(&credential, journey, 1));
  CHECK_STATUS(FV_OK, fv_journey_credential_at(&credential, journey, 0));
  CHECK(credential.category == FV_CREDENTIAL_CATEGORY_FACE && credential.document == NULL);
  CHECK(credential.result == outcome.result && credential.mode == FV_SCAN_MODE_PASSIVE && credential.has_declined == 0);
  CHECK(credential.presence == outcome.presence && credential.binding == outcome.binding);
  CHECK(fv_liveness_decision_selfie(credential.liveness) != NULL);
  CHECK(credential.liveness == credential_of(journey).liveness);
  CHECK(fv_journey_reason_count(journey, 0) > 0);
  CHECK_STATUS(FV_OK, fv_journey_reason_at(&reason, journey, 0, 0));
  CHECK(strncmp(reason.code, "liveness.", 9) == 0 && *reason.text != '\0');
  CHECK_STATUS(FV_E_ABSENT, fv_journey_reason_at(&reason, journey, 0, fv_journey_reason_count(journey, 0)));
  CHECK(fv_decision_result(credential.decision) == FV_RESULT_MATCH);
  CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, credential.decision));
  CHECK(comparison.is_match == 1);
  fv_journey_free(journey);
}

static fv_status record(fv_record **out, const fv_journey *journey, const char *key) {
  fv_signer signer = FV_SIGNER_INIT;
  signer.private_key = key;
  return fv_journey_record(out, journey, &signer, said, sizeof said);
}

static void options_take_precedence(void) {
  static const char *const json =
      "{\"requests\": [{\"category\": \"face\"}], \"startBy\": 30, \"timeout\": 100, \"customerInternalReference\": \"json\","
      " \"faceModes\": [\"strict\"], \"assurance\": {\"binding\": \"chip-portrait\"}}";
  static const fv_scan_mode modes[] = {FV_SCAN_MODE_PASSIVE, FV_SCAN_MODE_FACE_MANUAL};
  static const char nonce[] = "0123456789abcdef";
  fv_credential_request requests[2] = {FV_CREDENTIAL_REQUEST_INIT, FV_CREDENTIAL_REQUEST_INIT};
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT, wrong[13];
  fv_document_choice choice = FV_DOCUMENT_CHOICE_INIT;
  fv_journey *journey = NULL;
  fv_record *made = NULL;
  size_t i;
  requests[0].category = FV_CREDENTIAL_CATEGORY_ID;
  requests[0].countries = "AUT,D";
  requests[0].types = FV_DOCUMENT_TYPE_BIT(FV_DOCUMENT_TYPE_PASSPORT) | FV_DOCUMENT_TYPE_BIT(FV_DOCUMENT_TYPE_VISA);
  requests[1].category = FV_CREDENTIAL_CATEGORY_FACE;
  options.json = json;
  options.requests = requests;
  options.request_count = 2;
  options.face_modes = modes;
  options.face_mode_count = 2;
  options.presence = FV_PRESENCE_PASSIVE_VIDEO;
  options.accepts_page_only = 1;
  options.nonce = nonce;
  options.nonce_bytes = 16;
  options.challenge_count = 2;
  options.challenges = FV_CHALLENGE_BIT(FV_CHALLENGE_BLINK) | FV_CHALLENGE_BIT(FV_CHALLENGE_SMILE);
  options.skips_chip = 1;
  options.start_by = 7;
  options.id = "00000000-0000-4000-8000-000000000001";
  CHECK_STATUS(FV_OK, fv_journey_create(&journey, engine, &options, now, said, sizeof said));
  CHECK_TEXT("", said);
  CHECK_TEXT(options.id, info_of(journey).id);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK(fv_journey_choice_count(journey, 0) == 4);
  CHECK_STATUS(FV_OK, fv_journey_choice_at(&choice, journey, 0, 0));
  CHECK_TEXT("AUT", choice.country);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL));
  /* The record has the members that were set by fields, and those of the JSON that were not. */
  CHECK_STATUS(FV_OK, record(&made, journey, PRIVATE_KEY));
  {
    static const char *const members[] = {
        "\"startBy\":7,", "\"timeout\":100,", "\"customerInternalReference\":\"json\"",
        "\"faceModes\":[\"passive\",\"face-manual\"]", "\"readsChip\":false", "\"challengeCount\":2,",
        "\"binding\":\"chip-portrait\"", "\"presence\":\"passive-video\"", "\"accepted\":[\"page-only\"]",
        "\"nonce\":\"30313233343536373839616263646566\"",
    };
    for (i = 0; i < COUNT(members); i++)
      if (!CHECK(strstr(fv_record_json(made), members[i]) != NULL)) printf("  %s\n", members[i]);
  }
  fv_record_free(made);
  fv_journey_free(journey);
  for (i = 0; i < COUNT(wrong); i++) wrong[i] = options;
  wrong[0].request_count = SIZE_MAX;
  wrong[1].face_mode_count = 0;
  wrong[2].presence = 6;
  wrong[3].is_strict = 2;
  wrong[4].date = "tomorrow";
  wrong[5].nonce_bytes = 15;
  wrong[6].nonce_bytes = SIZE_MAX;
  wrong[7].challenges = 1;
  wrong[8].start_by = 1;
  wrong[9].maximum_tries = 11;
  wrong[10].id = "7";
  wrong[11].binding = -1;
  wrong[12].timeout = NAN;
  for (i = 0; i < COUNT(wrong); i++) {
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_create(&journey, engine, &wrong[i], now, said, sizeof said)))
      printf("  in line %d of the table\n", (int)i);
    CHECK(journey == NULL && *said != '\0');
  }
  requests[1].category = 5;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_create(&journey, engine, &options, now, said, sizeof said));
  requests[1].category = FV_CREDENTIAL_CATEGORY_FACE;
  requests[0].types = FV_DOCUMENT_TYPE_BIT(5);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_create(&journey, engine, &options, now, said, sizeof said));
}

/* Rows: J60 NV33 NV70 NV71 */
static void a_document_is_read_from_files(void) {
  fv_journey *journey = NULL;
  fv_trust_store *trust;
  fv_chip *chip;
  fv_image *page = NULL;
  fv_document_choice choice = FV_DOCUMENT_CHOICE_INIT;
  fv_document_info info = FV_DOCUMENT_INFO_INIT;
  size_t i, count;
  int found = 0;
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  const char *configuration =
      "{\"requests\": [{\"category\": \"id\", \"types\": [\"passport\"]}], \"documentModes\": [\"file\"],"
      " \"requiresChip\": true, \"asksConfirmation\": true, \"givesInstantFeedback\": false}";
  if (!has_documents()) return;
  trust = open_trust();
  chip = open_chip("td3-jpeg");
  require(fv_image_from_file(&page, test_document_path("pages/clean-0.png"), NULL, said, sizeof said), "page", said);
  options.json = configuration;
  options.trust = trust;
  CHECK_STATUS(FV_OK, fv_journey_create(&journey, engine, &options, now, said, sizeof said));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_CONFIGURING);
  count = fv_journey_choice_count(journey, 0);
  for (i = 0; i < count; i++) {
    CHECK_STATUS(FV_OK, fv_journey_choice_at(&choice, journey, 0, i));
    CHECK(choice.type == FV_DOCUMENT_TYPE_PASSPORT && choice.variant == FV_DOCUMENT_VARIANT_PAPER);
    found += strcmp(choice.country, "UTO") == 0 || strcmp(choice.country, "FRA") == 0;
  }
  CHECK(count > 100 && found > 0);
  CHECK_STATUS(FV_E_ABSENT, fv_journey_choice_at(&choice, journey, 0, count));
  CHECK(fv_journey_choice_count(journey, 1) == 0 && fv_journey_choice_count(journey, SIZE_MAX) == 0);
  CHECK_STATUS(FV_OK, fv_journey_configure(journey, &choice, now, said, sizeof said));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_FRONT, FV_SCAN_MODE_FILE));
  CHECK_STATUS(FV_OK, fv_journey_attach_image(journey, page, now, said, sizeof said));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_CONFIRMING);
  {
    fv_image *shown = NULL;
    CHECK_STATUS(FV_OK, fv_journey_picture(&shown, journey));
    fv_image_free(shown);
  }
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CONFIRM));
  {
    fv_image *shown = NULL;
    CHECK_STATUS(FV_E_ABSENT, fv_journey_picture(&shown, journey));
    CHECK(shown == NULL);
  }
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_PART));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_CHIP, 0));
  CHECK_STATUS(FV_OK, fv_journey_attach_chip(journey, chip, now, said, sizeof said));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_PART));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH));
  CHECK(strstr(events_of(journey), "addon-part ") != NULL && outcome_of(journey).is_complete == 1);
  CHECK_STATUS(FV_OK, fv_document_describe(&info, credential_of(journey).document));
  CHECK(info.has_chip == 1);
  CHECK_TEXT("SUCCESS", fv_document_specification_chip_status(credential_of(journey).document));
  /* The chip expired in 2012, and the page is of another document. */
  count = fv_document_specification_status_count(credential_of(journey).document);
  CHECK(count > 0);
  CHECK_TEXT("EXPIRED_DOCUMENT", fv_document_specification_status_at(credential_of(journey).document, 0));
  CHECK(fv_document_specification_status_at(credential_of(journey).document, count) == NULL);
  CHECK(credential_of(journey).decision == NULL && credential_of(journey).liveness == NULL);
  CHECK(credential_of(journey).document_assurance == FV_DOCUMENT_ASSURANCE_NONE);
  fv_journey_free(journey);
  fv_image_free(page);
  fv_chip_free(chip);
  fv_trust_store_free(trust);
}

/* ---- Records ---- */

/* As JSON. */
static const char *const escaped_public_key =
    "-----BEGIN PUBLIC KEY-----\\n"
    "MCowBQYDK2VwAyEAg2SethwxXEIINqeyA4sEX2G2TFccRaKR/3Yv7KNJXr0=\\n"
    "-----END PUBLIC KEY-----\\n";

static fv_journey *cancelled(void) {
  fv_journey *journey = begin("{\"requests\": [{\"category\": \"face\"}]}");
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL));
  return journey;
}

static fv_record_verification verified(const fv_record *record, const char *key) {
  fv_record_verification verification = FV_RECORD_VERIFICATION_INIT;
  CHECK_STATUS(FV_OK, fv_record_verify(&verification, record, key, said, sizeof said));
  return verification;
}

static void a_record_is_signed(void) {
  fv_journey *journey = cancelled(), *open = begin(NULL);
  fv_record *made = NULL, *kept = NULL, *none = NULL;
  char *json;
  CHECK_STATUS(FV_E_WRONG_STATE, record(&none, open, PRIVATE_KEY));
  fv_journey_free(open);
  CHECK_STATUS(FV_OK, record(&made, journey, PRIVATE_KEY));
  json = strdup(fv_record_json(made));
  CHECK(is_json(json) && verified(made, PUBLIC_KEY).result == FV_CHECK_STATUS_PASSED);
  CHECK(verified(made, NULL).result == FV_CHECK_STATUS_NOT_CHECKED && strlen(verified(made, NULL).signer) == 64);
  CHECK(is_json(verified(made, NULL).json));

  CHECK_STATUS(FV_OK, fv_record_from_bytes(&kept, json, strlen(json), said, sizeof said));
  CHECK_TEXT(json, fv_record_json(kept));
  CHECK(verified(kept, PUBLIC_KEY).result == FV_CHECK_STATUS_PASSED);
  fv_record_free(kept);
  memcpy(strstr(json, "G000000"), "H000000", 7);
  CHECK_STATUS(FV_OK, fv_record_from_bytes(&kept, json, strlen(json), said, sizeof said));
  CHECK(verified(kept, PUBLIC_KEY).result == FV_CHECK_STATUS_FAILED);
  CHECK(strstr(verified(kept, PUBLIC_KEY).json, "signature") != NULL);
  fv_record_free(kept);

  CHECK_STATUS(FV_E_DAMAGED, fv_record_from_bytes(&none, json, strlen(json) / 2, said, sizeof said));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_record_from_bytes(&none, "{}", 2, said, sizeof said));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, record(&none, journey, "no key"));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, record(&none, journey, PUBLIC_KEY));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, record(&none, journey, NULL));
  CHECK_STATUS(FV_OK, fv_journey_clear(journey, said, sizeof said));
  CHECK_STATUS(FV_E_WRONG_STATE, record(&none, journey, PRIVATE_KEY));
  CHECK(none == NULL);
  free(json);
  fv_record_free(made);
  fv_journey_free(journey);
}

/* A device with a preset result. */
static fv_status device(const void *bytes, size_t count, void *signature, void *user) {
  CHECK(count > 100 && *(const char *)bytes == '{');
  memset(signature, 7, 64);
  return *(int *)user;
}

static void a_function_signs_a_record(void) {
  fv_journey *journey = cancelled();
  fv_record *none = NULL;
  fv_signer signer = FV_SIGNER_INIT;
  int answer = 0;
  signer.public_key = PUBLIC_KEY;
  signer.sign = device;
  signer.sign_user = &answer;
  CHECK_STATUS(FV_E_INTERNAL, fv_journey_record(&none, journey, &signer, said, sizeof said));
  CHECK(strstr(said, "does not fit") != NULL);
  answer = 1;
  CHECK_STATUS(FV_E_INTERNAL, fv_journey_record(&none, journey, &signer, said, sizeof said));
  CHECK(strstr(said, "did not sign") != NULL);
  signer.private_key = PRIVATE_KEY;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_record(&none, journey, &signer, said, sizeof said));
  CHECK(none == NULL);
  fv_journey_free(journey);
}

/* ---- Early ends ---- */

/* Rows: J33 NV32 NV36 NV37 */
static void errors_are_retried_or_end_the_journey(void) {
  fv_journey *journey = begin("{\"requests\": [{\"category\": \"face\"}]}");
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, fv_journey_report(journey, "A000000", now, said, sizeof said));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_FAILED);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_RETRY));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_READY);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_report(journey, "D000000", now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_report(journey, "H000000", now, said, sizeof said));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_HALTED);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL));
  CHECK_TEXT("H000000", outcome_of(journey).error_code);
  CHECK(*outcome_of(journey).error_text && outcome_of(journey).is_complete == 0 &&
        outcome_of(journey).result == FV_CHECK_STATUS_NOT_CHECKED && outcome_of(journey).is_retryable == 0);
  CHECK_TEXT("initialized error error finished ", events_of(journey));
  fv_journey_free(journey);
}

static void an_early_cancel_succeeds(void) {
  fv_journey *journey = begin(NULL);
  fv_journey_outcome outcome = FV_JOURNEY_OUTCOME_INIT;
  CHECK_STATUS(FV_E_WRONG_STATE, fv_journey_result(&outcome, journey));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_perform(journey, FV_JOURNEY_CALL_TICK, now - 1, said, sizeof said));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_perform(journey, FV_JOURNEY_CALL_CANCEL, NAN, said, sizeof said));
  CHECK(state_of(journey) == FV_JOURNEY_STATE_CREATED);
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_CANCEL, 0, said, sizeof said));
  CHECK_TEXT("G000000", outcome_of(journey).error_code);
  CHECK_TEXT("finished ", events_of(journey));
  fv_journey_free(journey);
}

static int done, unexpected;

static void *show_many(void *journey) {
  fv_image *photo = open_sample("obama.jpg");
  int i;
  for (i = 0; i < 1000; i++) {
    fv_status status = show((fv_journey *)journey, photo, i / 10.0);
    if (status == FV_OK) continue;
    /* Cancelled during or before the call. */
    unexpected += status != FV_E_CANCELLED && status != FV_E_WRONG_STATE;
    break;
  }
  __atomic_store_n(&done, i < 1000, __ATOMIC_SEQ_CST);
  fv_image_free(photo);
  return NULL;
}

static fv_journey *watching(void) {
  fv_journey *journey = begin("{\"requests\": [{\"category\": \"face\"}], \"faceModes\": [\"passive\"]}");
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_FACE, 0));
  return journey;
}

static void any_thread_cancels_a_journey(void) {
  fv_journey *journey = watching();
  pthread_t thread;
  done = unexpected = 0;
  CHECK(pthread_create(&thread, NULL, show_many, journey) == 0);
  usleep(100000);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL));
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(done && !unexpected && state_of(journey) == FV_JOURNEY_STATE_FINISHED);
  CHECK_TEXT("G000000", outcome_of(journey).error_code);
  fv_journey_free(journey);
}

/* Rows: NV22 */
static void freeing_cancels_a_journey(void) {
  fv_journey *journey = watching();
  pthread_t thread;
  done = unexpected = 0;
  CHECK(pthread_create(&thread, NULL, show_many, journey) == 0);
  usleep(100000);
  fv_journey_free(journey);
  fv_journey_free(journey);
  CHECK(pthread_join(thread, NULL) == 0);
  /* The next frame's journey is a freed handle. */
  CHECK(done && unexpected <= 1);
}

/* ---- Mistakes ---- */

static void refused(fv_logical_error error, fv_status status, const fv_journey *journey) {
  const char *name = fv_logical_error_name(error);
  if (!CHECK_STATUS(FV_E_WRONG_STATE, status) || !CHECK(strncmp(said, name, strlen(name)) == 0))
    printf("  expected %s, found %s\n", name, said);
  if (journey != NULL) CHECK(info_of(journey).refusal == error);
}

/* The code of a licence, which fv_codes_read() reads from a photo of its back. */
static void a_licence_code_is_attached(void) {
  static const char payload[] =
      "@\n\x1e\rANSI 636000100102DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
      "DCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\n"
      "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\n"
      "DDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r";
  fv_journey *journey = begin(
      "{\"requests\": [{\"category\": \"id\", \"types\": [\"driving-licence\"], \"countries\": [\"USA\"]}],"
      " \"date\": \"2024-06-01\", \"givesInstantFeedback\": false}");
  fv_image *front = open_sample("obama.jpg");
  fv_document_field name = FV_DOCUMENT_FIELD_INIT;
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_FRONT, FV_SCAN_MODE_FILE));
  refused(FV_LOGICAL_ERROR_UNKNOWN_SCAN_PART, fv_journey_attach_code(journey, payload, 9, now, said, sizeof said), journey);
  CHECK_STATUS(FV_OK, fv_journey_attach_image(journey, front, now, said, sizeof said));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_PART));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_BACK, FV_SCAN_MODE_BARCODE));
  CHECK_STATUS(FV_OK, show(journey, front, 0));
  CHECK(strstr(events_of(journey), "document-hint ") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_attach_code(journey, NULL, 9, now, said, sizeof said));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_journey_attach_code(journey, "P<UTO", 5, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_attach_code(journey, payload, sizeof payload - 1, now, said, sizeof said));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_PART));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH));
  CHECK_STATUS(FV_OK, fv_document_field_by_name(&name, credential_of(journey).document, FV_DOCUMENT_SOURCE_BEST, "surname"));
  CHECK_TEXT("SAMPLE", name.value);
  fv_image_free(front);
  fv_journey_free(journey);
}

static void another_person_fails(void) {
  fv_journey *journey = held_photo("biden.jpg", "obama.jpg");
  const fv_decision *decision;
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_PART, now + 2, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL, now + 2, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH, now + 2, said, sizeof said));
  CHECK(outcome_of(journey).result == FV_CHECK_STATUS_FAILED && outcome_of(journey).is_complete == 1);
  decision = credential_of(journey).decision;
  CHECK(fv_decision_result(decision) == FV_RESULT_NO_MATCH);

  CHECK_STATUS(FV_OK, fv_journey_clear(journey, said, sizeof said));
  CHECK_TEXT("", outcome_of(journey).json);
  CHECK(fv_decision_result(decision) == 0 && credential_of(journey).decision == NULL);
  CHECK(fv_journey_credential_count(journey) == 0 && strlen(info_of(journey).id) == 36);
  fv_journey_free(journey);
}

/* Rows: J67 J68 LE-dependencyWrongVersion LE-notYetImplemented LE-deadController LE-errorNotRetryable */
/* Rows: LE-needToConsentFirst LE-controllerNotCompleted LE-multipleCredentials LE-unknownCredential */
/* Rows: LE-deadCredential LE-credentialNotCompleted LE-multipleScanParts LE-unknownScanPart */
/* Rows: LE-scanPartNotCompleted LE-deadScanPart LE-noFallbackAvailable LE-takePictureNotAllowed */
/* Rows: LE-dataCenterValidationFailed LE-tokenValidationFailed */
static void every_wrong_call_has_its_logical_error(void) {
  fv_journey *journey = NULL;
  fv_image *image = grey(64);
  char with_key[512];
  refused(FV_LOGICAL_ERROR_DEPENDENCY_WRONG_VERSION, create(&journey, "{\"requiredVersion\": \"9.9\"}"), NULL);
  refused(FV_LOGICAL_ERROR_DATA_CENTRE_VALIDATION_FAILED, create(&journey, "{\"region\": \"XX\"}"), NULL);
  refused(FV_LOGICAL_ERROR_NOT_YET_IMPLEMENTED, create(&journey, "{\"documentModes\": [\"web\"]}"), NULL);
  snprintf(with_key, sizeof with_key, "{\"tokenKey\": \"%s\", \"token\": \"e30.e30\"}", escaped_public_key);
  refused(FV_LOGICAL_ERROR_TOKEN_VALIDATION_FAILED, create(&journey, with_key), NULL);
  CHECK(journey == NULL);

  journey = begin("{\"requests\": [{\"category\": \"face\"}, {\"category\": \"document\"}],"
                  " \"faceModes\": [\"passive\"], \"documentModes\": [\"file\"]}");
  CHECK(info_of(journey).refusal == 0);
  refused(FV_LOGICAL_ERROR_NEED_TO_CONSENT_FIRST, start_credential(journey, 0), journey);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  refused(FV_LOGICAL_ERROR_WRONG_ORDER, perform(journey, FV_JOURNEY_CALL_START), journey);
  refused(FV_LOGICAL_ERROR_UNKNOWN_CREDENTIAL, start_credential(journey, 2), journey);
  refused(FV_LOGICAL_ERROR_UNKNOWN_CREDENTIAL, start_credential(journey, SIZE_MAX), journey);
  refused(FV_LOGICAL_ERROR_DEAD_CREDENTIAL, start_part(journey, FV_JOURNEY_PART_FACE, 0), journey);
  refused(FV_LOGICAL_ERROR_ERROR_NOT_RETRYABLE, perform(journey, FV_JOURNEY_CALL_RETRY), journey);
  refused(FV_LOGICAL_ERROR_CONTROLLER_NOT_COMPLETED, perform(journey, FV_JOURNEY_CALL_FINISH), journey);
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  refused(FV_LOGICAL_ERROR_MULTIPLE_CREDENTIALS, start_credential(journey, 1), journey);
  refused(FV_LOGICAL_ERROR_CREDENTIAL_NOT_COMPLETED, perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL), journey);
  refused(FV_LOGICAL_ERROR_UNKNOWN_SCAN_PART, start_part(journey, FV_JOURNEY_PART_BACK, 0), journey);
  refused(FV_LOGICAL_ERROR_NOT_YET_IMPLEMENTED, start_part(journey, FV_JOURNEY_PART_DIGITAL, 0), journey);
  refused(FV_LOGICAL_ERROR_DEAD_SCAN_PART, show(journey, image, 0), journey);
  refused(FV_LOGICAL_ERROR_DEAD_SCAN_PART, perform(journey, FV_JOURNEY_CALL_PAUSE), journey);
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_FACE, 0));
  refused(FV_LOGICAL_ERROR_MULTIPLE_SCAN_PARTS, start_part(journey, FV_JOURNEY_PART_FACE, 0), journey);
  refused(FV_LOGICAL_ERROR_NO_FALLBACK_AVAILABLE, perform(journey, FV_JOURNEY_CALL_FALLBACK), journey);
  refused(FV_LOGICAL_ERROR_TAKE_PICTURE_NOT_ALLOWED, perform(journey, FV_JOURNEY_CALL_TAKE_PICTURE), journey);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL_CREDENTIAL));
  CHECK_STATUS(FV_OK, start_credential(journey, 1));
  CHECK_STATUS(FV_OK, start_part(journey, FV_JOURNEY_PART_DOCUMENT, 0));
  refused(FV_LOGICAL_ERROR_SCAN_PART_NOT_COMPLETED, perform(journey, FV_JOURNEY_CALL_FINISH_PART), journey);
  CHECK_STATUS(FV_OK, fv_journey_attach_image(journey, image, now, said, sizeof said));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_PART));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL));
  refused(FV_LOGICAL_ERROR_DEAD_CREDENTIAL, start_credential(journey, 1), journey);
  refused(FV_LOGICAL_ERROR_CONTROLLER_NOT_COMPLETED, fv_journey_clear(journey, said, sizeof said), NULL);
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_CANCEL));
  refused(FV_LOGICAL_ERROR_DEAD_CONTROLLER, perform(journey, FV_JOURNEY_CALL_TICK), journey);
  CHECK(strstr(events_of(journey), "logical-error ") != NULL);
  fv_journey_free(journey);
  fv_image_free(image);
}

/* Rows: J23 */
static void personal_data_in_identifiers_cause_a_warning(void) {
  fv_journey *journey = begin("{\"userReference\": \"anna@example.org\"}");
  CHECK(fv_journey_warning_count(journey) == 1 && strstr(fv_journey_warning_at(journey, 0), "userReference") != NULL);
  CHECK(fv_journey_warning_at(journey, 1) == NULL && fv_journey_warning_at(journey, SIZE_MAX) == NULL);
  fv_journey_free(journey);
  journey = begin(NULL);
  CHECK(fv_journey_warning_count(journey) == 0);
  CHECK(strlen(info_of(journey).id) == 36 && strlen(info_of(journey).account_id) == 36);
  fv_journey_free(journey);
}

static void hostile_arguments_are_rejected(void) {
  static const char *const configurations[] = {"", "{", "[]", "{\"requests\": 1}", "{\"noSuchMember\": 1}",
                                               "{\"faceModes\": [\"file\"]}", "{\"requests\": []}", "\xff"};
  static const fv_journey_call calls[] = {0, 19, -1, INT64_MIN, INT64_MAX};
  fv_journey *journey = (fv_journey *)said;
  fv_document_choice choice = FV_DOCUMENT_CHOICE_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  size_t i;
  for (i = 0; i < COUNT(configurations); i++) {
    fv_status status = create(&journey, configurations[i]);
    if (!CHECK(status == (i < 2 ? FV_E_DAMAGED : FV_E_BAD_ARGUMENT))) printf("  %s\n", configurations[i]);
    CHECK(journey == NULL && *said != '\0');
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_create(&journey, engine, NULL, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_create(&journey, engine, NULL, INFINITY, NULL, 0));
  journey = begin("{\"requests\": [{\"category\": \"id\"}], \"consents\": [{\"text\": \"?\", \"isActive\": true}]}");
  for (i = 0; i < COUNT(calls); i++) CHECK_STATUS(FV_E_BAD_ARGUMENT, perform(journey, calls[i]));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_perform(journey, FV_JOURNEY_CALL_START, INFINITY, NULL, 0));
  CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_consent(journey, 1, 1, now, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_consent(journey, SIZE_MAX, 1, now, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_consent(journey, 0, 2, now, NULL, 0));
  CHECK_STATUS(FV_OK, fv_journey_consent(journey, 0, 1, now, NULL, 0));
  CHECK_STATUS(FV_OK, start_credential(journey, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_configure(journey, &choice, now, said, sizeof said));
  choice.country = "NOWHERE";
  choice.type = FV_DOCUMENT_TYPE_PASSPORT;
  choice.variant = 3;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_configure(journey, &choice, now, said, sizeof said));
  choice.variant = FV_DOCUMENT_VARIANT_PAPER;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_configure(journey, &choice, now, said, sizeof said));
  CHECK(strstr(said, "NOWHERE") != NULL);
  choice.country = "\xff";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_configure(journey, &choice, now, NULL, 0));
  choice.country = "FRA";
  CHECK_STATUS(FV_OK, fv_journey_configure(journey, &choice, now, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, start_part(journey, 0, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, start_part(journey, FV_JOURNEY_PART_FRONT, 11));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, start_part(journey, INT64_MIN, INT64_MIN));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_add_frame(NULL, journey, &frame, now, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_report(journey, "", now, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_journey_report(journey, "A00000\xc3\xa9", now, NULL, 0));
  fv_journey_free(journey);
}

/* ---- Random calls ---- */

static uint64_t random_state = 1;

/* xorshift64 (Marsaglia 2003), the same on every machine. */
static size_t choose(size_t count) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (size_t)(random_state % count);
}

/* The due calls, so that the sequences reach all states. */
static fv_status due_call(fv_journey *journey, double at, const fv_image *image) {
  static const fv_journey_part parts[] = {FV_JOURNEY_PART_FRONT, FV_JOURNEY_PART_CHIP, FV_JOURNEY_PART_FACE,
                                          FV_JOURNEY_PART_DOCUMENT};
  static const fv_journey_call calls[FV_JOURNEY_STATE_FINISHED + 1] = {
      [FV_JOURNEY_STATE_CREATED] = FV_JOURNEY_CALL_START,
      [FV_JOURNEY_STATE_READY] = FV_JOURNEY_CALL_FINISH,
      [FV_JOURNEY_STATE_CHOOSING] = FV_JOURNEY_CALL_FINISH_CREDENTIAL,
      [FV_JOURNEY_STATE_SCANNING] = FV_JOURNEY_CALL_FINISH_PART,
      [FV_JOURNEY_STATE_PAUSED] = FV_JOURNEY_CALL_RESUME,
      [FV_JOURNEY_STATE_CONFIRMING] = FV_JOURNEY_CALL_CONFIRM,
      [FV_JOURNEY_STATE_REJECTED] = FV_JOURNEY_CALL_RETAKE,
      [FV_JOURNEY_STATE_RETRYING] = FV_JOURNEY_CALL_RETRY_PART,
      [FV_JOURNEY_STATE_CAPTURED] = FV_JOURNEY_CALL_FINISH_PART,
      [FV_JOURNEY_STATE_FAILED] = FV_JOURNEY_CALL_RETRY,
  };
  fv_journey_state state = state_of(journey);
  fv_document_choice choice = FV_DOCUMENT_CHOICE_INIT;
  if (state == FV_JOURNEY_STATE_CONSENTING) return fv_journey_consent(journey, 0, 1, at, said, sizeof said);
  if (state == FV_JOURNEY_STATE_CONFIGURING && fv_journey_choice_at(&choice, journey, 0, choose(300)) == FV_OK)
    return fv_journey_configure(journey, &choice, at, said, sizeof said);
  if (state == FV_JOURNEY_STATE_READY && choose(3))
    return fv_journey_start_credential(journey, choose(3), at, said, sizeof said);
  if (state == FV_JOURNEY_STATE_CHOOSING && choose(3))
    return fv_journey_start_part(journey, parts[choose(COUNT(parts))], 0, at, said, sizeof said);
  if (state == FV_JOURNEY_STATE_SCANNING && choose(8) == 0)
    return fv_journey_attach_image(journey, image, at, said, sizeof said);
  return fv_journey_perform(journey, calls[state], at, said, sizeof said);
}

static fv_status random_call(fv_journey *journey, double at, fv_image *const *images, const fv_chip *chip) {
  static const char *const codes[] = {"A000000", "H000000", "D000000", "nonsense"};
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_document_choice choice = FV_DOCUMENT_CHOICE_INIT;
  frame.image = images[choose(2)];
  frame.time = at - now;
  switch (choose(32)) {
    case 0: return fv_journey_consent(journey, choose(2), 1, at, said, sizeof said);
    case 1: case 2: return fv_journey_start_credential(journey, choose(4), at, said, sizeof said);
    case 3:
      if (fv_journey_choice_at(&choice, journey, 0, choose(700)) != FV_OK) choice.country = "FRA";
      return fv_journey_configure(journey, &choice, at, said, sizeof said);
    case 4: return fv_journey_start_part(journey, (fv_journey_part)choose(9), (fv_scan_mode)choose(12), at, said,
                                         sizeof said);
    case 5: return fv_journey_perform(journey, FV_JOURNEY_CALL_TAKE_PICTURE, at, said, sizeof said);
    case 6: case 12:
    case 7: return fv_journey_add_frame(NULL, journey, &frame, at, said, sizeof said);
    case 8: return fv_journey_attach_image(journey, images[choose(2)], at, said, sizeof said);
    case 9: return fv_journey_attach_chip(journey, chip, at, said, sizeof said);
    case 10: return fv_journey_report(journey, codes[choose(COUNT(codes))], at, said, sizeof said);
    case 11: return fv_journey_perform(journey, (fv_journey_call)choose(19), at, said, sizeof said);
    default: return due_call(journey, at, images[choose(2)]);
  }
}

/* Any sequence of calls yields statuses, never a crash; and each refusal has a name. */
static void calls_in_random_order_do_no_harm(void) {
  static const char *const configurations[] = {
      "{\"requests\": [{\"category\": \"id\"}, {\"category\": \"face\"}, {\"category\": \"document\"}],"
      " \"faceModes\": [\"face-manual\", \"passive\"], \"documentModes\": [\"file\", \"manual\"]}",
      "{\"requests\": [{\"category\": \"face\"}], \"faceModes\": [\"passive\", \"face-manual\"],"
      " \"consents\": [{\"text\": \"?\", \"isActive\": true}]}",
      "{\"requests\": [{\"category\": \"document\"}], \"documentModes\": [\"file\"], \"asksConfirmation\": true}",
  };
  static const unsigned char file[] = {0x61, 0x00};
  fv_image *images[2];
  fv_chip *chip = NULL;
  size_t living, counts[2] = {0, 0}, ends = 0;
  int i, k;
  images[0] = grey(64);
  images[1] = grey(66);
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  living = fv_live_objects();
  for (i = 0; i < SEQUENCES; i++) {
    fv_journey *journey = begin(configurations[choose(COUNT(configurations))]);
    fv_journey_event event = FV_JOURNEY_EVENT_INIT;
    int was_finished = 0;
    if (choose(8)) CHECK_STATUS(FV_OK, perform(journey, FV_JOURNEY_CALL_START));
    for (k = 0; k < CALLS; k++) {
      fv_status status = random_call(journey, now + k / 8.0, images, chip);
      counts[status == FV_OK]++;
      if (status != FV_OK && status != FV_E_BAD_ARGUMENT) { /* which frames of another size are, too */
        if (!CHECK(status == FV_E_WRONG_STATE && *said != '\0')) printf("  sequence %d: %s\n", i, said);
      }
      while (fv_journey_next_event(&event, journey) == FV_OK) {
        CHECK(!was_finished || strcmp(event.name, "logical-error") == 0);
        was_finished |= strcmp(event.name, "finished") == 0;
      }
    }
    CHECK(was_finished == (state_of(journey) == FV_JOURNEY_STATE_FINISHED));
    ends += (size_t)was_finished;
    if (was_finished) CHECK(is_json(outcome_of(journey).json));
    if (was_finished && choose(2)) CHECK_STATUS(FV_OK, fv_journey_clear(journey, NULL, 0));
    fv_journey_free(journey);
  }
  printf("  %d sequences: %zu calls carried out, %zu refused, %zu ends\n", SEQUENCES, counts[1], counts[0], ends);
  CHECK(counts[1] > SEQUENCES && ends > SEQUENCES / 10);
  CHECK(fv_live_objects() == living);
  fv_chip_free(chip);
  fv_image_free(images[1]);
  fv_image_free(images[0]);
}

static void terms_of_the_specification(void) {
  static const char *const modes[] = {"manual", "faceManual", "liveness", "livenessPremium", NULL,
                                      "barcode", "nfc", "docFinder", "file", "web"};
  size_t i;
  for (i = 0; i < COUNT(modes); i++) {
    const fv_scan_mode mode = (fv_scan_mode)i + 1;
    const char *name = fv_scan_mode_specification_name(mode);
    CHECK(modes[i] == NULL ? name == NULL : name != NULL && strcmp(modes[i], name) == 0);
    if (name != NULL) CHECK(fv_scan_mode_of_specification_name(name) == mode);
  }
  CHECK(fv_scan_mode_specification_name(0) == NULL && fv_scan_mode_specification_name(11) == NULL);
  CHECK(fv_scan_mode_of_specification_name("passive") == 0 && fv_scan_mode_of_specification_name(NULL) == 0);
  CHECK(fv_scan_mode_of_specification_name("\xFF") == 0);
  CHECK_TEXT("DRIVING_LICENSE", fv_document_type_specification_name(FV_DOCUMENT_TYPE_DRIVING_LICENCE));
  CHECK(fv_document_type_of_specification_name("ID_CARD") == FV_DOCUMENT_TYPE_ID_CARD);
  CHECK(fv_document_type_of_specification_name("UNKNOWN") == 0);
  CHECK_TEXT("nfc", fv_journey_part_specification_name(FV_JOURNEY_PART_CHIP));
  CHECK(fv_journey_part_of_specification_name("multipart") == FV_JOURNEY_PART_MULTIPART);
  CHECK_TEXT("NOT_CHECKED", fv_check_status_specification_name(FV_CHECK_STATUS_NOT_CHECKED));
  CHECK_TEXT("canFinish", fv_liveness_session_state_specification_name(FV_LIVENESS_SESSION_STATE_LIVE));
  CHECK_TEXT("tiltFaceUp", fv_liveness_hint_specification_name(FV_LIVENESS_HINT_RAISE_CHIN));
  CHECK_TEXT("eyesClosed", fv_retry_reason_specification_name(FV_RETRY_REASON_EYES_CLOSED));
  CHECK_TEXT("deadController", fv_logical_error_specification_name(FV_LOGICAL_ERROR_DEAD_CONTROLLER));
  CHECK(fv_logical_error_specification_name(FV_LOGICAL_ERROR_WRONG_ORDER) == NULL);
  CHECK_TEXT("mrzStrings", fv_specification_field_name("mrzLines"));
  CHECK(fv_specification_field_name("no such field") == NULL && fv_specification_field_name(NULL) == NULL);
  CHECK_TEXT("didInitialize", fv_specification_event_name("initialized"));
  CHECK(fv_specification_event_name(NULL) == NULL && fv_specification_event_name("") == NULL);
  CHECK_TEXT("centerId", fv_specification_document_hint("centre-document"));
  CHECK(fv_specification_document_hint("stand on your head") == NULL);
  CHECK(fv_specification_rejection_number("black-white-copy") == 102);
  CHECK(fv_specification_rejection_number("ugly") == 0 && fv_specification_rejection_number(NULL) == 0);
  CHECK_TEXT("C10401", fv_specification_older_error_code("C000401"));
  CHECK(fv_specification_older_error_code("N000000") == NULL && fv_specification_older_error_code("A") == NULL);
}

static void no_object_remains(void) {
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
}

int main(void) {
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 0);
  RUN(a_journey_reaches_its_result);
  RUN(another_person_fails);
  RUN(options_take_precedence);
  RUN(a_document_is_read_from_files);
  RUN(a_licence_code_is_attached);
  RUN(a_record_is_signed);
  RUN(a_function_signs_a_record);
  RUN(errors_are_retried_or_end_the_journey);
  RUN(an_early_cancel_succeeds);
  RUN(any_thread_cancels_a_journey);
  RUN(freeing_cancels_a_journey);
  RUN(every_wrong_call_has_its_logical_error);
  RUN(personal_data_in_identifiers_cause_a_warning);
  RUN(terms_of_the_specification);
  RUN(hostile_arguments_are_rejected);
  RUN(calls_in_random_order_do_no_harm);
  RUN(no_object_remains);
  return finish();
}
