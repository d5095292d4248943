/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes of a program and bytes made to deceive: each gives a status, and no memory is touched that should not be. */
#include "test.h"

static fv_engine *engine;
static fv_credential *credential;
/* One that takes frames, and one that does not. */
static fv_liveness_session *session, *finished;

/* Something that no function has made, to see that `*out` becomes NULL. */
static char not_ours;
#define NOT_OURS ((void *)&not_ours)

/* ---- Handles ---- */

enum kind {
  NONE,
  ENGINE,
  MODELS,
  IMAGE,
  POLICY,
  CREDENTIAL,
  FACES,
  SAMPLE,
  TEMPLATE,
  DECISION,
  REQUEST,
  REGISTER,
  SESSION,
  LIVENESS_DECISION,
  TRUST,
  CHIP,
  DOCUMENT,
  KINDS
};

/* Each takes a handle that is not one of its kind, and calls every function of that kind with it. */

/* A document that can be read with any engine, and its status. */
static fv_status read_with(const fv_engine *by, const fv_image *page, const fv_chip *chip, const fv_trust *trust) {
  static const unsigned char file[] = {0x61, 0x00};
  fv_document *document = (fv_document *)NOT_OURS;
  fv_chip *own = NULL;
  fv_status status;
  CHECK_STATUS(FV_OK, fv_chip_create(&own, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(own, "EF.DG1", file, sizeof file, NULL, 0));
  status = fv_document_read(&document, by, &page, page != NULL, chip ? chip : own, trust, "2026-06-01", NULL, NULL, 0);
  CHECK((status == FV_OK) == (document != NULL));
  fv_document_free(document);
  fv_chip_free(own);
  return status;
}

static void as_engine(void *bad) {
  fv_engine *handle = (fv_engine *)bad;
  fv_credential *made = (fv_credential *)NOT_OURS;
  fv_liveness_session *of_it = (fv_liveness_session *)NOT_OURS;
  fv_threshold threshold = FV_THRESHOLD_INIT;
  char message[FV_MESSAGE_SIZE] = "";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_preload(handle, message, sizeof message));
  CHECK(*message != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold(&threshold, handle, 1e-3, NULL, 0));
  CHECK(fv_engine_json(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(&made, handle, NULL, NULL, 0));
  CHECK(made == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&of_it, handle, NULL, 0, NULL, NULL, 0));
  CHECK(of_it == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, read_with(handle, NULL, NULL, NULL));
  fv_engine_free(handle);
}

static void as_models(void *bad) {
  fv_models *handle = (fv_models *)bad;
  fv_model model = FV_MODEL_INIT;
  CHECK(fv_models_count(handle) == 0 && fv_models_json(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_models_get(&model, handle, 0));
  fv_models_free(handle);
}

static void as_image(void *bad) {
  fv_image *handle = (fv_image *)bad;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  fv_faces *faces = (fv_faces *)NOT_OURS;
  fv_sample *sample = (fv_sample *)NOT_OURS;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  fv_input input = FV_INPUT_INIT;
  size_t count;
  input.image = handle;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_describe(&info, handle));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(handle, NULL, 0, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, handle, 1));
  CHECK(*fv_liveness_session_message(session) != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_detect(&faces, credential, handle, 0));
  CHECK(faces == NULL && *fv_credential_message(credential) != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_sample(&sample, credential, handle, NULL));
  CHECK(sample == NULL);
  sample = (fv_sample *)NOT_OURS;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_assess(&sample, credential, handle, NULL));
  CHECK(sample == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, &input));
  CHECK(decision == NULL);
  if (handle != NULL) CHECK_STATUS(FV_E_BAD_ARGUMENT, read_with(engine, handle, NULL, NULL));
  fv_image_free(handle);
}

static void as_policy(void *bad) {
  fv_quality_policy *handle = (fv_quality_policy *)bad;
  fv_policy policy = FV_POLICY_INIT;
  fv_credential *made = (fv_credential *)NOT_OURS;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(handle, "sharpness", 0, 1, NAN, NAN));
  fv_quality_policy_free(handle);
  if (handle == NULL) return; /* the default, in what follows */
  policy.selfie = handle;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(&made, engine, &policy, NULL, 0));
  CHECK(made == NULL);
  made = (fv_credential *)NOT_OURS;
  policy.selfie = NULL;
  policy.portrait = handle;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(&made, engine, &policy, NULL, 0));
  CHECK(made == NULL);
}

static void as_credential(void *bad) {
  fv_credential *handle = (fv_credential *)bad;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  fv_faces *faces = (fv_faces *)NOT_OURS;
  fv_sample *sample = (fv_sample *)NOT_OURS;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_input input = FV_INPUT_INIT;
  CHECK(fv_credential_message(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, handle, &input, &input));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_detect(&faces, handle, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_sample(&sample, handle, NULL, NULL));
  CHECK(decision == NULL && faces == NULL && sample == NULL);
  sample = (fv_sample *)NOT_OURS;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_assess(&sample, handle, NULL, NULL));
  CHECK(sample == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_templates(&comparison, handle, NULL, NULL));
  decision = (fv_decision *)NOT_OURS;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_document(&decision, handle, &input, NULL));
  CHECK(decision == NULL);
  fv_credential_free(handle);
}

static void as_faces(void *bad) {
  fv_faces *handle = (fv_faces *)bad;
  fv_face face = FV_FACE_INIT;
  size_t count;
  CHECK(fv_faces_count(handle) == 0 && fv_faces_json(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_get(&face, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_mesh(handle, 0, NULL, 0, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(handle, 0, FV_EYE_LEFT, NULL, 0, &count));
  fv_faces_free(handle);
}

static void as_sample(void *bad) {
  fv_sample *handle = (fv_sample *)bad;
  fv_check one = FV_CHECK_INIT;
  CHECK(fv_sample_faces(handle) == NULL && fv_sample_template(handle) == NULL && fv_sample_json(handle) == NULL);
  CHECK(fv_sample_is_accepted(handle) == 0 && isnan(fv_sample_quality(handle)) && fv_sample_check_count(handle) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_sample_check(&one, handle, 0));
  fv_sample_free(handle);
}

static void as_template(void *bad) {
  fv_template *handle = (fv_template *)bad;
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  fv_input input = FV_INPUT_INIT;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
  size_t count;
  input.face_template = handle;
  options.portrait = handle;
  if (handle != NULL) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, NULL, 0, &options, NULL, 0));
    CHECK(made == NULL);
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_serialise(handle, NULL, 0, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_describe(&info, handle));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_templates(&comparison, credential, handle, handle));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, &input));
  CHECK(decision == NULL);
  fv_template_free(handle);
}

static void as_decision(void *bad) {
  fv_decision *handle = (fv_decision *)bad;
  fv_comparison comparison = FV_COMPARISON_INIT;
  CHECK(fv_decision_result(handle) == 0 && fv_decision_reason_count(handle) == 0);
  CHECK(fv_decision_reason_code(handle, 0) == NULL && fv_decision_reason_text(handle, 0) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_decision_comparison(&comparison, handle));
  CHECK(fv_decision_selfie(handle) == NULL && fv_decision_portrait(handle) == NULL);
  CHECK(fv_decision_json(handle) == NULL);
  fv_decision_free(handle);
}

static void as_request(void *bad) {
  fv_liveness_request *handle = (fv_liveness_request *)bad;
  fv_liveness_request_info info = FV_LIVENESS_REQUEST_INFO_INIT;
  fv_liveness_task task = FV_LIVENESS_TASK_INIT;
  fv_liveness_colour colour = FV_LIVENESS_COLOUR_INIT;
  fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_describe(&info, handle));
  CHECK(fv_liveness_request_task_count(handle) == 0 && fv_liveness_request_colour_count(handle) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_colour(&colour, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_task(&task, handle, 0));
  fv_liveness_request_free(handle);
  if (handle == NULL) return; /* nothing is asked for, in what follows */
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, handle, 0, NULL, NULL, 0));
  CHECK(made == NULL);
}

static void as_register(void *bad) {
  fv_liveness_register *handle = (fv_liveness_register *)bad;
  fv_liveness_request *request = (fv_liveness_request *)NOT_OURS;
  fv_liveness_decision *decision = NULL;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(&request, handle, NULL, 0, 0, NULL, 0));
  CHECK(request == NULL);
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, finished));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_accept(handle, decision, 0, NULL, 0));
  fv_liveness_decision_free(decision);
  fv_liveness_register_free(handle);
}

static void as_session(void *bad) {
  fv_liveness_session *handle = (fv_liveness_session *)bad;
  fv_liveness_decision *decision = (fv_liveness_decision *)NOT_OURS;
  CHECK(fv_liveness_session_message(handle) == NULL && fv_liveness_session_is_complete(handle) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(handle, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_finish(&decision, handle));
  CHECK(decision == NULL);
  fv_liveness_session_free(handle);
}

static void as_liveness_decision(void *bad) {
  fv_liveness_decision *handle = (fv_liveness_decision *)bad;
  fv_liveness_register *open = NULL;
  fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
  fv_liveness_answer answer = FV_LIVENESS_ANSWER_INIT;
  fv_liveness_evidence evidence = FV_LIVENESS_EVIDENCE_INIT;
  fv_check quality = FV_CHECK_INIT;
  CHECK(fv_liveness_decision_result(handle) == 0 && fv_liveness_decision_retry(handle) == 0);
  CHECK(fv_liveness_decision_reason_count(handle) == 0 && fv_liveness_decision_check_count(handle) == 0);
  CHECK(fv_liveness_decision_answer_count(handle) == 0 && fv_liveness_decision_quality_count(handle) == 0);
  CHECK(fv_liveness_decision_reason_code(handle, 0) == NULL && fv_liveness_decision_reason_text(handle, 0) == NULL);
  CHECK(fv_liveness_decision_selfie(handle) == NULL && fv_liveness_decision_template(handle) == NULL);
  CHECK(fv_liveness_decision_json(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_check(&one, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_answer(&answer, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_quality(&quality, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_describe(&evidence, handle));
  CHECK_STATUS(FV_OK, fv_liveness_register_create(&open));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_accept(open, handle, 0, NULL, 0));
  fv_liveness_register_free(open);
  fv_liveness_decision_free(handle);
}

static void as_trust(void *bad) {
  fv_trust *handle = (fv_trust *)bad;
  CHECK(fv_trust_anchor_count(handle) == 0 && fv_trust_json(handle) == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_add(handle, "name", "bytes", 5, NULL, 0));
  fv_trust_free(handle);
  if (handle == NULL) return; /* nothing is trusted, in what follows */
  CHECK_STATUS(FV_E_BAD_ARGUMENT, read_with(engine, NULL, NULL, handle));
}

static void as_chip(void *bad) {
  fv_chip *handle = (fv_chip *)bad;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_add(handle, "EF.DG1", "\x61\x00", 2, NULL, 0));
  fv_chip_free(handle);
  if (handle == NULL) return; /* no chip, in what follows */
  CHECK_STATUS(FV_E_BAD_ARGUMENT, read_with(engine, NULL, handle, NULL));
}

static void as_document(void *bad) {
  fv_document *handle = (fv_document *)bad;
  fv_document_info info = FV_DOCUMENT_INFO_INIT;
  fv_field field = FV_FIELD_INIT;
  fv_finding finding = FV_FINDING_INIT;
  fv_page_check one = FV_PAGE_CHECK_INIT;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  fv_input input = FV_INPUT_INIT;
  size_t count = 7;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_describe(&info, handle));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(&field, handle, "surname", FV_SOURCE_DOCUMENT));
  CHECK(fv_document_status_count(handle) == 0 && fv_document_status(handle, 0) == 0);
  CHECK(fv_document_mismatch_count(handle) == 0 && fv_document_mismatch(handle, 0) == NULL);
  CHECK(fv_document_check_count(handle) == 0 && fv_document_step_count(handle) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_check(&finding, handle, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_step(&finding, handle, 0));
  CHECK(fv_document_page_count(handle) == 0 && fv_document_page_check_count(handle, 0) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_page_check(&one, handle, 0, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(handle, NULL, 0, &count));
  CHECK(count == 7 && fv_document_sample(handle) == NULL);
  CHECK(fv_document_data_json(handle) == NULL && fv_document_json(handle) == NULL);
  input.path = sample_path("obama.jpg");
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_document(&decision, credential, &input, handle));
  CHECK(decision == NULL && *fv_credential_message(credential) != '\0');
  fv_document_free(handle);
}

/* Frees what main() does not keep for the other tests. */
static void release(enum kind kind, void *handle) {
  switch (kind) {
    case ENGINE:
      fv_engine_free((fv_engine *)handle);
      break;
    case MODELS:
      fv_models_free((fv_models *)handle);
      break;
    case IMAGE:
      fv_image_free((fv_image *)handle);
      break;
    case POLICY:
      fv_quality_policy_free((fv_quality_policy *)handle);
      break;
    case CREDENTIAL:
      fv_credential_free((fv_credential *)handle);
      break;
    case FACES:
      fv_faces_free((fv_faces *)handle);
      break;
    case SAMPLE:
      fv_sample_free((fv_sample *)handle);
      break;
    case TEMPLATE:
      fv_template_free((fv_template *)handle);
      break;
    case DECISION:
      fv_decision_free((fv_decision *)handle);
      break;
    case REQUEST:
      fv_liveness_request_free((fv_liveness_request *)handle);
      break;
    case REGISTER:
      fv_liveness_register_free((fv_liveness_register *)handle);
      break;
    case SESSION:
      fv_liveness_session_free((fv_liveness_session *)handle);
      break;
    case LIVENESS_DECISION:
      fv_liveness_decision_free((fv_liveness_decision *)handle);
      break;
    case TRUST:
      fv_trust_free((fv_trust *)handle);
      break;
    case CHIP:
      fv_chip_free((fv_chip *)handle);
      break;
    case DOCUMENT:
      fv_document_free((fv_document *)handle);
      break;
    case NONE:
    case KINDS:
      break;
  }
}

/* A living object of each kind. */
static void make_one_of_each(void *made[KINDS]) {
  fv_models *models = NULL;
  fv_image *image = open_sample("obama2.jpg");
  fv_quality_policy *policy = NULL;
  fv_faces *faces = NULL;
  fv_sample *sample = take_sample(credential, "obama2.jpg");
  fv_template *copy = NULL;
  fv_liveness_register *open = NULL;
  fv_liveness_request *request = NULL;
  fv_liveness_decision *decision = NULL;
  fv_trust *trust = NULL;
  fv_chip *chip = NULL;
  unsigned char bytes[580];
  size_t count;
  CHECK_STATUS(FV_OK, fv_models_check(&models, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_trust_create(&trust, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, "selfie"));
  CHECK_STATUS(FV_OK, fv_credential_detect(&faces, credential, image, 0));
  CHECK_STATUS(FV_OK, fv_template_serialise(fv_sample_template(sample), bytes, sizeof bytes, &count));
  CHECK_STATUS(FV_OK, fv_template_from_bytes(&copy, bytes, count, NULL, 0));
  made[NONE] = NULL;
  made[ENGINE] = make_engine(NULL, 0);
  made[MODELS] = models;
  made[IMAGE] = image;
  made[POLICY] = policy;
  made[CREDENTIAL] = make_credential(engine);
  made[FACES] = faces;
  made[SAMPLE] = sample;
  made[TEMPLATE] = copy;
  made[DECISION] = compare_samples(credential, "obama.jpg", "obama2.jpg");
  CHECK_STATUS(FV_OK, fv_liveness_register_create(&open));
  CHECK_STATUS(FV_OK, fv_liveness_register_issue(&request, open, NULL, 0, 0, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, finished));
  made[REQUEST] = request;
  made[REGISTER] = open;
  made[SESSION] = make_session(engine, request, NULL);
  made[LIVENESS_DECISION] = decision;
  made[TRUST] = trust;
  made[CHIP] = chip;
  made[DOCUMENT] = parse_mrz(SPECIMEN, "2010-01-01");
}

static void (*const with_bad[KINDS])(void *) = {
    NULL,      as_engine,   as_models,   as_image,   as_policy,   as_credential, as_faces,
    as_sample, as_template, as_decision, as_request, as_register, as_session,    as_liveness_decision,
    as_trust,  as_chip,     as_document};

static void handles_of_other_types(void) {
  void *made[KINDS];
  size_t kind, other, living;
  make_one_of_each(made);
  living = fv_live_objects();
  for (kind = ENGINE; kind < KINDS; kind++)
    for (other = NONE; other < KINDS; other++)
      if (other != kind) with_bad[kind](made[other]);
  /* Freeing them as what they are not did not free them. */
  CHECK(fv_live_objects() == living);
  CHECK(fv_engine_json((fv_engine *)made[ENGINE]) != NULL);
  CHECK(fv_decision_result((fv_decision *)made[DECISION]) == FV_RESULT_MATCH);
  for (kind = ENGINE; kind < KINDS; kind++) release((enum kind)kind, made[kind]);
}

static void freed_handles(void) {
  void *made[KINDS];
  size_t kind, living = fv_live_objects();
  make_one_of_each(made);
  for (kind = ENGINE; kind < KINDS; kind++) release((enum kind)kind, made[kind]);
  CHECK(fv_live_objects() == living);
  for (kind = ENGINE; kind < KINDS; kind++) {
    release((enum kind)kind, made[kind]);
    with_bad[kind](made[kind]);
  }
  CHECK(fv_live_objects() == living);
}

static void numbers_that_are_no_handles(void) {
  char on_stack[64] = "";
  void *on_heap = calloc(1, 64);
  const uintptr_t near_a_handle = (uintptr_t)credential;
  void *const bad[] = {on_stack,
                       on_heap,
                       (void *)&not_ours,
                       (void *)1,
                       (void *)8,
                       (void *)4096,
                       (void *)INT32_MAX,
                       (void *)UINTPTR_MAX,
                       (void *)(near_a_handle + 1),
                       (void *)(near_a_handle - 1),
                       (void *)(near_a_handle + (1 << 20))};
  size_t i, kind;
  for (i = 0; i < COUNT(bad); i++)
    for (kind = ENGINE; kind < KINDS; kind++) with_bad[kind](bad[i]);
  free(on_heap);
}

static void borrowed_handles_cannot_be_freed(void) {
  fv_decision *decision = compare_samples(credential, "obama.jpg", "obama2.jpg");
  const fv_sample *selfie = fv_decision_selfie(decision);
  size_t living = fv_live_objects();
  fv_faces_free((fv_faces *)fv_sample_faces(selfie));
  fv_template_free((fv_template *)fv_sample_template(selfie));
  fv_sample_free((fv_sample *)selfie);
  CHECK(fv_live_objects() == living);
  CHECK(fv_decision_selfie(decision) == selfie && fv_sample_is_accepted(selfie) == 1);
  CHECK(fv_faces_count(fv_sample_faces(selfie)) == 1);
  fv_decision_free(decision);
}

/* ---- Pointers ---- */

static void null_out(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_sample *sample = take_sample(credential, "obama.jpg");
  fv_decision *decision = compare_samples(credential, "obama.jpg", "obama2.jpg");
  const fv_template *face = fv_sample_template(sample);
  fv_models *models = NULL;
  fv_input input = FV_INPUT_INIT;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  size_t count, living;
  unsigned char bytes[580];
  char message[FV_MESSAGE_SIZE];
  CHECK_STATUS(FV_OK, fv_models_check(&models, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_template_serialise(face, bytes, sizeof bytes, &count));
  view.data = "abc";
  view.byte_count = 3;
  view.width = view.height = 1;
  view.pixel_format = FV_PIXELS_RGB8;
  input.image = image;
  living = fv_live_objects();
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_create(NULL, FV_VERSION_NUMBER, NULL, message, sizeof message));
  CHECK(strstr(message, "NULL") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold(NULL, engine, 1e-3, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_models_check(NULL, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_models_get(NULL, models, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(NULL, sample_path("obama.jpg"), NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_bytes(NULL, bytes, sizeof bytes, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(NULL, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_describe(NULL, image));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(NULL, "selfie"));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(NULL, engine, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(NULL, credential, &input, &input));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_templates(NULL, credential, face, face));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_detect(NULL, credential, image, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_sample(NULL, credential, image, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_assess(NULL, credential, image, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_get(NULL, fv_sample_faces(sample), 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_mesh(fv_sample_faces(sample), 0, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_mesh(fv_sample_faces(sample), 0, NULL, FV_MESH_POINTS, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(fv_sample_faces(sample), 0, FV_EYE_LEFT, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(fv_sample_faces(sample), 0, FV_EYE_LEFT, NULL, FV_EYE_POINTS, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_sample_check(NULL, sample, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_from_bytes(NULL, bytes, sizeof bytes, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_serialise(face, bytes, sizeof bytes, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_serialise(face, NULL, sizeof bytes, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_describe(NULL, face));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_decision_comparison(NULL, decision));
  fv_struct_init(NULL, 8);
  CHECK(fv_live_objects() == living);
  fv_models_free(models);
  fv_decision_free(decision);
  fv_sample_free(sample);
  fv_image_free(image);
}

static void null_input(void) {
  fv_image *image = (fv_image *)NOT_OURS;
  fv_quality_policy *policy = (fv_quality_policy *)NOT_OURS;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  fv_template *face = (fv_template *)NOT_OURS;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_input input = FV_INPUT_INIT;
  input.path = sample_path("obama.jpg");
  view.byte_count = 3;
  view.width = view.height = 1;
  view.pixel_format = FV_PIXELS_RGB8;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&image, NULL, NULL, NULL, 0));
  CHECK(image == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_bytes(&image, NULL, 100, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_bytes(&image, NULL, 0, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(&image, NULL, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(&image, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, NULL));
  CHECK(policy == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, NULL, &input));
  CHECK(decision == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, NULL));
  CHECK(strstr(fv_credential_message(credential), "portrait") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_from_bytes(&face, NULL, 580, NULL, 0));
  CHECK(face == NULL);
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, "selfie"));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(policy, NULL, 0, 1, NAN, NAN));
  fv_quality_policy_free(policy);
}

/* ---- Structs ---- */

static fv_status create_with(const void *options) {
  fv_engine *made = (fv_engine *)NOT_OURS;
  fv_status status = fv_engine_create(&made, FV_VERSION_NUMBER, (const fv_engine_options *)options, NULL, 0);
  CHECK((status == FV_OK) == (made != NULL));
  fv_engine_free(made);
  return status;
}

static void wrong_struct_sizes(void) {
  static const size_t wrong[] = {0, 1, 4, 7, (size_t)1 << 20, SIZE_MAX / 2, SIZE_MAX};
  fv_image *image = open_sample("obama.jpg");
  size_t i;
  for (i = 0; i < COUNT(wrong); i++) {
    fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
    fv_image_limits limits = FV_IMAGE_LIMITS_INIT;
    fv_image_view view = FV_IMAGE_VIEW_INIT;
    fv_policy policy = FV_POLICY_INIT;
    fv_input input = FV_INPUT_INIT, good = FV_INPUT_INIT;
    fv_image_info info = FV_IMAGE_INFO_INIT;
    fv_threshold threshold = FV_THRESHOLD_INIT;
    fv_image *made = NULL;
    fv_credential *made_credential = NULL;
    fv_decision *decision = NULL;
    input.image = good.image = image;
    view.data = "abc";
    view.byte_count = 3;
    view.width = view.height = 1;
    view.pixel_format = FV_PIXELS_RGB8;
    options.struct_size = limits.struct_size = view.struct_size = policy.struct_size = wrong[i];
    input.struct_size = info.struct_size = threshold.struct_size = wrong[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(&made, &view, NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&made, sample_path("obama.jpg"), &limits, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(&made_credential, engine, &policy, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, &good));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &good, &input));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_describe(&info, image));
    CHECK(info.struct_size == wrong[i] && info.sha256 == NULL);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold(&threshold, engine, 1e-3, NULL, 0));
    CHECK(threshold.score == 0);
  }
  fv_image_free(image);
}

/* A size that ends within a field: half of a pointer must not be followed. */
static void half_a_field(void) {
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  fv_input input = FV_INPUT_INIT, good = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  size_t size;
  good.path = sample_path("obama.jpg");
  options.models_folder = "models";
  input.path = good.path;
  for (size = 9; size < 16; size++) {
    options.struct_size = input.struct_size = size;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, &good));
  }
}

/* A struct of a later release: what is not known must be 0. */
static void longer_structs(void) {
  struct {
    fv_engine_options known;
    int64_t later;
  } options = {FV_ENGINE_OPTIONS_INIT, 0};
  struct {
    fv_image_info known;
    int64_t later;
  } info = {FV_IMAGE_INFO_INIT, -1};
  fv_image *image = open_sample("obama.jpg");
  options.known.struct_size = sizeof options;
  CHECK_STATUS(FV_OK, create_with(&options));
  options.later = 1;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  info.known.struct_size = sizeof info;
  CHECK_STATUS(FV_OK, fv_image_describe(&info.known, image));
  CHECK(info.known.width == 910 && info.later == 0);
  fv_image_free(image);
}

/* At an odd address, as in a packed struct of another language. */
static void unaligned_structs(void) {
  char *memory = (char *)guarded(sizeof(fv_input) + 1);
  char *place = (char *)guarded(sizeof(fv_comparison) + 3);
  fv_input input = FV_INPUT_INIT;
  fv_comparison expected = FV_COMPARISON_INIT, found = FV_COMPARISON_INIT;
  fv_decision *decision = NULL;
  input.path = sample_path("obama.jpg");
  memcpy(memory, &input, sizeof input);
  CHECK_STATUS(FV_OK, fv_credential_compare(&decision, credential, (fv_input *)(void *)memory, &input));
  CHECK_STATUS(FV_OK, fv_decision_comparison(&expected, decision));
  memcpy(place, &found, sizeof found);
  CHECK_STATUS(FV_OK, fv_decision_comparison((fv_comparison *)(void *)place, decision));
  memcpy(&found, place, sizeof found);
  CHECK(memcmp(&expected, &found, sizeof found) == 0);
  fv_decision_free(decision);
}

static void struct_init_of_too_small_a_size(void) {
  size_t size;
  for (size = 0; size < sizeof(size_t); size++) {
    unsigned char memory[16];
    size_t i;
    memset(memory, 0xAA, sizeof memory);
    fv_struct_init(memory, size);
    for (i = size; i < sizeof memory; i++) CHECK(memory[i] == 0xAA);
  }
}

static void inputs_that_are_not_one(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_input good = FV_INPUT_INIT, none = FV_INPUT_INIT, two = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  good.image = two.image = image;
  two.path = sample_path("obama.jpg");
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &none, &good));
  CHECK(strstr(fv_credential_message(credential), "selfie") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &good, &two));
  CHECK(strstr(fv_credential_message(credential), "portrait") != NULL);
  CHECK_STATUS(FV_OK, fv_credential_compare(&decision, credential, &good, &good));
  CHECK_TEXT("", fv_credential_message(credential));
  fv_decision_free(decision);
  fv_image_free(image);
}

/* ---- Numbers ---- */

static void header_versions(void) {
  static const struct {
    uint32_t version;
    fv_status status;
  } all[] = {
      {FV_VERSION_NUMBER + 1, FV_OK},
      {FV_VERSION_NUMBER + 100, FV_E_VERSION},
      {FV_VERSION_NUMBER + 10000, FV_E_VERSION},
      {UINT32_MAX, FV_E_VERSION},
  };
  size_t i;
  for (i = 0; i < COUNT(all); i++) {
    fv_engine *made = (fv_engine *)NOT_OURS;
    CHECK_STATUS(all[i].status, fv_engine_create(&made, all[i].version, NULL, NULL, 0));
    CHECK((made != NULL) == (all[i].status == FV_OK));
    fv_engine_free(made);
  }
}

static void engine_options(void) {
  static const int64_t threads[] = {-1, 65, INT64_MIN, INT64_MAX};
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  size_t i;
  for (i = 0; i < COUNT(threads); i++) {
    options.threads = threads[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  }
  options.threads = 64;
  options.model_set = "dlib";
  CHECK_STATUS(FV_OK, create_with(&options));
  options.model_set = "no such set";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  options.model_set = "";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
}

static void rates(void) {
  static const struct {
    double rate;
    fv_status status;
  } all[] = {
      {5e-4, FV_E_UNSUPPORTED_RATE}, {1e-300, FV_E_UNSUPPORTED_RATE}, {0.5, FV_E_UNSUPPORTED_RATE},
      {-1e-3, FV_E_BAD_ARGUMENT},    {1, FV_E_BAD_ARGUMENT},          {1e300, FV_E_BAD_ARGUMENT},
      {NAN, FV_E_BAD_ARGUMENT},      {INFINITY, FV_E_BAD_ARGUMENT},   {-INFINITY, FV_E_BAD_ARGUMENT},
  };
  size_t i;
  for (i = 0; i < COUNT(all); i++) {
    fv_threshold threshold = FV_THRESHOLD_INIT;
    fv_policy policy = FV_POLICY_INIT;
    fv_credential *made = (fv_credential *)NOT_OURS;
    policy.false_match_rate = all[i].rate;
    CHECK_STATUS(all[i].status, fv_engine_threshold(&threshold, engine, all[i].rate, NULL, 0));
    CHECK(threshold.score == 0);
    CHECK_STATUS(all[i].status, fv_credential_create(&made, engine, &policy, NULL, 0));
    CHECK(made == NULL);
  }
}

static void requirements(void) {
  fv_quality_policy *policy = NULL;
  fv_image *image = open_sample("obama.jpg");
  fv_sample *sample = NULL;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, "no such policy"));
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, "selfie"));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(policy, "no such measure", 0, 1, NAN, NAN));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(policy, "", 0, 1, NAN, NAN));
  CHECK_STATUS(FV_OK, fv_quality_policy_require(policy, "sharpness", -INFINITY, INFINITY, -INFINITY, INFINITY));
  CHECK_STATUS(FV_OK, fv_credential_assess(&sample, credential, image, policy));
  CHECK(fv_sample_is_accepted(sample) == 1 && fv_sample_json(sample) != NULL);
  fv_sample_free(sample);
  fv_quality_policy_free(policy);
  fv_image_free(image);
}

static void indices_beyond_the_last(void) {
  fv_decision *decision = compare_samples(credential, "obama.jpg", "biden.jpg");
  const fv_sample *selfie = fv_decision_selfie(decision);
  const fv_faces *faces = fv_sample_faces(selfie);
  fv_models *models = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_models_check(&models, NULL, NULL, 0));
  for (i = 0; i < 3; i++) {
    const size_t beyond[] = {0, SIZE_MAX / 2, SIZE_MAX};
    size_t index = beyond[i], count;
    fv_face face = FV_FACE_INIT;
    fv_check one = FV_CHECK_INIT;
    fv_model model = FV_MODEL_INIT;
    CHECK_STATUS(FV_E_ABSENT, fv_faces_get(&face, faces, index ? index : fv_faces_count(faces)));
    CHECK_STATUS(FV_E_ABSENT, fv_faces_mesh(faces, index ? index : fv_faces_count(faces), NULL, 0, &count));
    CHECK_STATUS(FV_E_ABSENT, fv_faces_eye(faces, index ? index : fv_faces_count(faces), FV_EYE_LEFT, NULL, 0, &count));
    CHECK_STATUS(FV_E_ABSENT, fv_sample_check(&one, selfie, index ? index : fv_sample_check_count(selfie)));
    CHECK_STATUS(FV_E_ABSENT, fv_models_get(&model, models, index ? index : fv_models_count(models)));
    if (index == 0) index = fv_decision_reason_count(decision);
    CHECK(fv_decision_reason_code(decision, index) == NULL && fv_decision_reason_text(decision, index) == NULL);
    if (i > 0) CHECK(fv_quality_measure_name(index) == NULL);
  }
  fv_models_free(models);
  fv_decision_free(decision);
}

static void unknown_choices(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_faces *faces = NULL;
  size_t count, i;
  static const int eyes[] = {0, 3, -1, 2147483647};
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_detect(&faces, credential, image, 2));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_detect(&faces, credential, image, UINT32_MAX));
  CHECK_STATUS(FV_OK, fv_credential_detect(&faces, credential, image, 0));
  for (i = 0; i < COUNT(eyes); i++) CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(faces, 0, eyes[i], NULL, 0, &count));
  fv_faces_free(faces);
  fv_image_free(image);
}

/* ---- Buffers ---- */

static void buffers_that_are_too_small(void) {
  fv_sample *sample = take_sample(credential, "obama.jpg");
  const fv_faces *faces = fv_sample_faces(sample);
  const fv_template *face = fv_sample_template(sample);
  static const size_t mesh_sizes[] = {1, FV_MESH_POINTS - 1}, eye_sizes[] = {1, FV_EYE_POINTS - 1}, sizes[] = {1, 579};
  size_t i, count;
  for (i = 0; i < 2; i++) {
    double *mesh = (double *)guarded(3 * sizeof(double) * mesh_sizes[i]);
    fv_point *eye = (fv_point *)guarded(sizeof(fv_point) * eye_sizes[i]);
    unsigned char *bytes = (unsigned char *)guarded(sizes[i]);
    mesh[0] = eye[0].x = -7;
    bytes[0] = 7;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_mesh(faces, 0, mesh, mesh_sizes[i], &count));
    CHECK(count == FV_MESH_POINTS && mesh[0] == -7);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(faces, 0, FV_EYE_LEFT, eye, eye_sizes[i], &count));
    CHECK(count == FV_EYE_POINTS && eye[0].x == -7);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_serialise(face, bytes, sizes[i], &count));
    CHECK(count == 580 && bytes[0] == 7);
  }
  fv_sample_free(sample);
}

/* More room than a buffer can have: what is written fits all the same. */
static void capacities_beyond_memory(void) {
  static const size_t capacities[] = {SIZE_MAX / 3, SIZE_MAX / 2};
  fv_sample *sample = take_sample(credential, "obama.jpg");
  double *mesh = (double *)guarded(3 * sizeof(double) * FV_MESH_POINTS);
  unsigned char *bytes = (unsigned char *)guarded(580);
  char *message = (char *)guarded(FV_MESSAGE_SIZE);
  fv_image *image = NULL;
  size_t i, count;
  for (i = 0; i < COUNT(capacities); i++) {
    CHECK_STATUS(FV_OK, fv_faces_mesh(fv_sample_faces(sample), 0, mesh, capacities[i], &count));
    CHECK_STATUS(FV_OK, fv_template_serialise(fv_sample_template(sample), bytes, capacities[i], &count));
    *message = '\0';
    CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, "missing.jpg", NULL, message, capacities[i]));
    CHECK(strstr(message, "missing.jpg") != NULL);
  }
  fv_sample_free(sample);
}

/* Whether the bytes up to the 0 are whole characters of UTF-8. */
static int is_utf8(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at != 0) {
    int more = *at < 0x80 ? 0 : *at < 0xC2 ? -1 : *at < 0xE0 ? 1 : *at < 0xF0 ? 2 : *at < 0xF5 ? 3 : -1;
    if (more < 0) return 0;
    for (at++; more > 0; more--)
      if ((*at++ & 0xC0) != 0x80) return 0;
  }
  return 1;
}

static void messages_are_cut_between_characters(void) {
  static const char name[] = "m\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80.jpg"; /* m, a with dots, euro, a smiling face */
  char full[FV_MESSAGE_SIZE] = "";
  fv_image *image = NULL;
  size_t capacity;
  CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, name, NULL, full, sizeof full));
  CHECK(strstr(full, name) != NULL && is_utf8(full));
  for (capacity = 0; capacity <= strlen(full) + 1; capacity++) {
    char *message = (char *)guarded(capacity);
    CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, name, NULL, message, capacity));
    if (capacity == 0) continue;
    CHECK(memchr(message, 0, capacity) != NULL && is_utf8(message));
    CHECK(strncmp(message, full, strlen(message)) == 0 && strlen(message) + 4 >= capacity);
  }
}

/* Whatever the capacity says. */
static void messages_that_are_not_wanted(void) {
  fv_engine *made = NULL;
  fv_models *models = NULL;
  fv_image *image = NULL;
  fv_credential *made_credential = NULL;
  fv_template *face = NULL;
  fv_threshold threshold = FV_THRESHOLD_INIT;
  CHECK_STATUS(FV_E_VERSION, fv_engine_create(&made, UINT32_MAX, NULL, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_preload(NULL, NULL, 100));
  CHECK_STATUS(FV_OK, fv_engine_preload(engine, NULL, SIZE_MAX));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold(&threshold, NULL, 1e-3, NULL, 100));
  CHECK_STATUS(FV_E_MODEL_MISSING, fv_models_check(&models, "/no/such/folder", NULL, 100));
  CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, "missing.jpg", NULL, NULL, 100));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_image_from_bytes(&image, "abc", 3, NULL, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(&image, NULL, NULL, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_create(&made_credential, NULL, NULL, NULL, 100));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_template_from_bytes(&face, "abc", 3, NULL, 100));
}

/* A path of any length: the message is cut to its room. */
static void long_texts(void) {
  size_t length = 100000;
  char *path = (char *)malloc(length + 1), *message = (char *)guarded(FV_MESSAGE_SIZE);
  fv_image *image = NULL;
  fv_quality_policy *policy = NULL;
  fv_input input = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  memset(path, 'a', length);
  path[length] = '\0';
  CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, path, NULL, message, FV_MESSAGE_SIZE));
  CHECK(strlen(message) == FV_MESSAGE_SIZE - 1);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, path));
  input.path = path;
  CHECK_STATUS(FV_E_UNREADABLE, fv_credential_compare(&decision, credential, &input, &input));
  CHECK(strlen(fv_credential_message(credential)) < FV_MESSAGE_SIZE);
  free(path);
}

static void texts_that_are_not_utf8(void) {
  static const char *const bad[] = {"\xFF.jpg", "\xC3", "\xED\xA0\x80", "\xC0\xAF", "\xF4\x90\x80\x80", "a\x80z"};
  size_t i;
  for (i = 0; i < COUNT(bad); i++) {
    char message[FV_MESSAGE_SIZE] = "";
    fv_image *image = (fv_image *)NOT_OURS;
    fv_models *models = (fv_models *)NOT_OURS;
    fv_quality_policy *policy = (fv_quality_policy *)NOT_OURS;
    fv_decision *decision = (fv_decision *)NOT_OURS;
    fv_input input = FV_INPUT_INIT;
    fv_engine_options folder = FV_ENGINE_OPTIONS_INIT, set = FV_ENGINE_OPTIONS_INIT, cache = FV_ENGINE_OPTIONS_INIT;
    input.path = bad[i];
    folder.models_folder = set.model_set = cache.cache_folder = bad[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&image, bad[i], NULL, message, sizeof message));
    CHECK(image == NULL && *message != '\0' && is_utf8(message));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_models_check(&models, bad[i], NULL, 0));
    CHECK(models == NULL);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, bad[i]));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare(&decision, credential, &input, &input));
    CHECK(decision == NULL && is_utf8(fv_credential_message(credential)));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&folder));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&set));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&cache));
  }
}

/* ---- Pictures ---- */

static void views_that_do_not_fit(void) {
  static const int64_t side = 1 << 20;
  /* Rows of 4 RGB pixels, 3 rows: 36 bytes. */
  static const struct {
    int64_t width, height, row_stride, format;
    size_t byte_count;
    fv_status status;
  } all[] = {
      {4, 3, 0, FV_PIXELS_RGB8, 36, FV_OK},
      {4, 3, 0, FV_PIXELS_RGB8, 35, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_RGB8, 0, FV_E_BAD_ARGUMENT},
      {4, 3, 11, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, 13, FV_PIXELS_RGB8, 37, FV_E_BAD_ARGUMENT},
      {4, 3, 13, FV_PIXELS_RGB8, 38, FV_OK},
      {4, 3, -12, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MIN, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MAX, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MAX / 2 + 1, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_RGBA8, 47, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_GRAY8, 11, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_GRAY8, 12, FV_OK},
      {4, 3, 0, 0, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, 6, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, -1, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, INT64_MIN, 48, FV_E_BAD_ARGUMENT},
      {0, 3, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 0, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {-4, 3, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, -3, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {-4, -3, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {INT64_MIN, INT64_MIN, 0, FV_PIXELS_RGB8, 36, FV_E_BAD_ARGUMENT},
      {INT64_MAX, 1, 0, FV_PIXELS_RGB8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {1, INT64_MAX, INT64_MAX, FV_PIXELS_RGB8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {side + 1, 1, 0, FV_PIXELS_GRAY8, 36, FV_E_TOO_LARGE},
      {1, side + 1, 0, FV_PIXELS_GRAY8, 36, FV_E_TOO_LARGE},
      {side, side, INT64_MAX, FV_PIXELS_RGBA8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {4, side, INT64_MAX, FV_PIXELS_RGB8, SIZE_MAX / 2, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_RGB8, SIZE_MAX, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXELS_RGB8, SIZE_MAX / 2 + 1, FV_E_BAD_ARGUMENT},
  };
  size_t i;
  for (i = 0; i < COUNT(all); i++) {
    size_t readable = all[i].byte_count <= 64 ? all[i].byte_count : 36;
    fv_image_view view = FV_IMAGE_VIEW_INIT;
    fv_image *image = (fv_image *)NOT_OURS;
    view.data = guarded(readable);
    view.byte_count = all[i].byte_count;
    view.width = all[i].width;
    view.height = all[i].height;
    view.row_stride = all[i].row_stride;
    view.pixel_format = all[i].format;
    if (!CHECK_STATUS(all[i].status, fv_image_from_pixels(&image, &view, NULL, NULL, 0)))
      printf("  in line %d of the table\n", (int)i);
    CHECK((image != NULL) == (all[i].status == FV_OK));
    fv_image_free(image);
  }
}

static void limits_out_of_range(void) {
  fv_image *image = (fv_image *)NOT_OURS;
  fv_image_limits limits = FV_IMAGE_LIMITS_INIT;
  limits.maximum_pixels = -1;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&image, sample_path("obama.jpg"), &limits, NULL, 0));
  CHECK(image == NULL);
  limits.maximum_pixels = INT64_MAX;
  limits.maximum_bytes = INT64_MIN;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&image, sample_path("obama.jpg"), &limits, NULL, 0));
  limits.maximum_bytes = INT64_MAX;
  CHECK_STATUS(FV_OK, fv_image_from_file(&image, sample_path("obama.jpg"), &limits, NULL, 0));
  fv_image_free(image);
}

/* No byte after the last may be read, wherever a file is cut off. */
static void pictures_that_are_cut_off(void) {
  size_t count, length;
  unsigned char *bytes = read_file(sample_path("obama.jpg"), &count);
  for (length = 0; length < count; length = length * 2 + 1) {
    void *part = guarded(length);
    fv_image *image = NULL;
    fv_faces *faces = NULL;
    fv_status status;
    memcpy(part, bytes, length);
    status = fv_image_from_bytes(&image, part, length, NULL, NULL, 0);
    if (status == FV_OK) status = fv_credential_detect(&faces, credential, image, 0);
    CHECK(status == FV_E_DAMAGED || status == FV_E_UNKNOWN_FORMAT || (status == FV_OK && length > count / 2));
    fv_faces_free(faces);
    fv_image_free(image);
  }
  free(bytes);
}

static void counts_beyond_memory(void) {
  static const size_t counts[] = {SIZE_MAX / 4, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX};
  size_t i;
  for (i = 0; i < COUNT(counts); i++) {
    fv_image *image = (fv_image *)NOT_OURS;
    fv_template *face = (fv_template *)NOT_OURS;
    char *bytes = (char *)guarded(581);
    fv_status status = fv_image_from_bytes(&image, bytes, counts[i], NULL, NULL, 0);
    CHECK(status == FV_E_TOO_LARGE || status == FV_E_BAD_ARGUMENT);
    memcpy(bytes, "FVTEMPL\1", 8);
    status = fv_template_from_bytes(&face, bytes, counts[i], NULL, 0);
    CHECK(status == FV_E_DAMAGED || status == FV_E_BAD_ARGUMENT);
    CHECK(image == NULL && face == NULL);
  }
}

static void templates_that_are_cut_off(void) {
  fv_sample *sample = take_sample(credential, "obama.jpg");
  unsigned char bytes[581] = {0};
  size_t count, length;
  CHECK_STATUS(FV_OK, fv_template_serialise(fv_sample_template(sample), bytes, sizeof bytes, &count));
  for (length = 0; length <= 581; length++) {
    void *part = guarded(length);
    fv_template *face = (fv_template *)NOT_OURS;
    fv_status expected = length == 580 ? FV_OK : length < 8 ? FV_E_UNKNOWN_FORMAT : FV_E_DAMAGED;
    memcpy(part, bytes, length);
    CHECK_STATUS(expected, fv_template_from_bytes(&face, part, length, NULL, 0));
    CHECK((face != NULL) == (length == 580));
    fv_template_free(face);
  }
  fv_sample_free(sample);
}

static void paths_of_no_picture(void) {
  static const struct {
    const char *path;
    fv_status status;
  } all[] = {
      {"", FV_E_BAD_ARGUMENT},
      {"/", FV_E_UNREADABLE},
      {"/dev/zero", FV_E_UNREADABLE},
      {"/no/such/file", FV_E_UNREADABLE},
      {"/proc/version", FV_E_UNKNOWN_FORMAT},
  };
  size_t i;
  for (i = 0; i < COUNT(all); i++) {
    fv_image *image = (fv_image *)NOT_OURS;
    fv_decision *decision = (fv_decision *)NOT_OURS;
    fv_input input = FV_INPUT_INIT, good = FV_INPUT_INIT;
    input.path = all[i].path;
    good.path = sample_path("obama.jpg");
    CHECK_STATUS(all[i].status, fv_image_from_file(&image, all[i].path, NULL, NULL, 0));
    CHECK_STATUS(all[i].status, fv_credential_compare(&decision, credential, &good, &input));
    CHECK(image == NULL && decision == NULL);
    CHECK(strncmp(fv_credential_message(credential), "portrait: ", 10) == 0);
  }
}

/* ---- Liveness ---- */

static void liveness_null(void) {
  static const int64_t blink = FV_CHALLENGE_BLINK;
  fv_liveness_register *open = NULL;
  fv_liveness_request *request = (fv_liveness_request *)NOT_OURS;
  fv_liveness_decision *decision = NULL;
  fv_liveness_state state = FV_LIVENESS_STATE_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  fv_image *image = open_sample("obama.jpg");
  const unsigned char nonce[16] = {0};
  size_t living, count;
  CHECK_STATUS(FV_OK, fv_liveness_register_create(&open));
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, finished));
  frame.image = image;
  frame.time = -1e9;
  living = fv_live_objects();
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(NULL, nonce, 16, NULL, 0, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&request, NULL, 16, NULL, 0, NULL, 0));
  CHECK(request == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&request, NULL, 0, NULL, 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(NULL, &blink, NULL, NULL, 1, NULL, 0, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&request, NULL, NULL, NULL, 1, NULL, 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&request, &blink, NULL, NULL, 1, NULL, 9, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_create(NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(NULL, open, NULL, 0, 0, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(NULL, engine, NULL, 0, NULL, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_add(NULL, session, &frame));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_add(&state, session, NULL));
  CHECK(*fv_liveness_session_message(session) != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_finish(NULL, finished));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_check(NULL, decision, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_decision_describe(NULL, decision));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, NULL, SIZE_MAX / 2, &count));
  CHECK(count == 3 * 910 * 1137 && fv_live_objects() == living);
  CHECK_STATUS(FV_OK, fv_liveness_register_issue(&request, open, NULL, 0, 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_describe(NULL, request));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_task(NULL, request, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_colour(NULL, request, 0));
  fv_liveness_request_free(request);
  fv_liveness_decision_free(decision);
  fv_liveness_register_free(open);
  fv_image_free(image);
}

static fv_status session_with(const fv_liveness_options *options) {
  fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
  fv_status status = fv_liveness_session_create(&made, engine, NULL, NAN, options, NULL, 0);
  CHECK((status == FV_OK) == (made != NULL));
  fv_liveness_session_free(made);
  return status;
}

static void liveness_options(void) {
  static const fv_liveness_options bad[] = {
      {0, NULL, NULL, NULL, NULL, 0, 0, 0, 0},
      {SIZE_MAX, NULL, NULL, NULL, NULL, 0, 0, 0, 0},
      {sizeof *bad, "", NULL, NULL, NULL, 0, 0, 0, 0},
      {sizeof *bad, "no such policy", NULL, NULL, NULL, 0, 0, 0, 0},
      {sizeof *bad, "\xFF", NULL, NULL, NULL, 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, "uvcvideo", NULL, 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, "Camera", 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, "\xC3", "Camera", 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 4.9, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 901, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, NAN, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, -INFINITY, 0, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 0, 45, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 0, -90, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 0, INT64_MIN, 0},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 0, 0, 2},
      {sizeof *bad, NULL, NULL, NULL, NULL, 0, 0, 0, -1},
  };
  static const double timeouts[] = {1.9, 31, -1, NAN, INFINITY};
  static const int64_t blink = FV_CHALLENGE_BLINK;
  fv_liveness_options good = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_request *request = NULL;
  size_t i;
  for (i = 0; i < COUNT(bad); i++)
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, session_with(&bad[i]))) printf("  in line %d of the table\n", (int)i);
  CHECK_STATUS(FV_OK, session_with(&good));
  CHECK_STATUS(FV_OK, fv_liveness_request_from_script(&request, &blink, NULL, NULL, 1, NULL, 0, NULL, 0));
  for (i = 0; i < COUNT(timeouts); i++) {
    fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
    good.challenge_timeout = timeouts[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, request, 0, &good, NULL, 0));
    CHECK(made == NULL);
  }
  fv_liveness_request_free(request);
}

static void liveness_frames(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  const double huge = 1e300;
  const fv_liveness_frame bad[] = {
      {0, image, NULL, 1, 0, 0, 0, 0},
      {7, image, NULL, 1, 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, 1, 0, 0, 0, 0},
      {sizeof *bad, image, &view, 1, 0, 0, 0, 0},
      {sizeof *bad, NULL, &view, 1, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 2, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, -1, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 1, 1.01, 0, 0},
      {sizeof *bad, image, NULL, 1, 1, 0, -0.01, 0},
      {sizeof *bad, image, NULL, 1, 1, 0, 0, NAN},
      {sizeof *bad, image, NULL, NAN, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, INFINITY, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, -huge * huge, 0, 0, 0, 0},
  };
  fv_liveness_session *made = make_session(engine, NULL, NULL);
  fv_liveness_state state = FV_LIVENESS_STATE_INIT, wrong = FV_LIVENESS_STATE_INIT;
  fv_liveness_frame good = FV_LIVENESS_FRAME_INIT;
  size_t i;
  state.has_face = 7;
  for (i = 0; i < COUNT(bad); i++) {
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_add(&state, made, &bad[i])))
      printf("  in line %d of the table\n", (int)i);
    CHECK(state.has_face == 7 && *fv_liveness_session_message(made) != '\0');
  }
  good.image = image;
  good.time = 1;
  wrong.struct_size = 9;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_add(&wrong, made, &good));
  /* None of them was taken. */
  CHECK_STATUS(FV_OK, fv_liveness_session_add(&state, made, &good));
  CHECK(state.has_face == 1 && state.step == FV_STEP_SCAN_VIEW);
  fv_liveness_session_free(made);
  fv_image_free(image);
}

static void liveness_scripts(void) {
  static const unsigned char nonce[65] = {0};
  static const size_t nonces[] = {0, 15, 65, SIZE_MAX / 2, SIZE_MAX};
  static const fv_liveness_draw draws[] = {{0, 0, 0},
                                           {sizeof *draws, -1, 0},
                                           {sizeof *draws, 10, 0},
                                           {sizeof *draws, INT64_MIN, 0},
                                           {sizeof *draws, INT64_MAX, 0},
                                           {sizeof *draws, 2, FV_CHALLENGE_BIT(FV_CHALLENGE_BLINK)},
                                           {sizeof *draws, 1, 1},
                                           {sizeof *draws, 1, FV_CHALLENGE_BIT(13) | 2},
                                           {sizeof *draws, 1, -1},
                                           {sizeof *draws, 1, INT64_MIN}};
  static const int64_t all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1}, none[] = {0, 13, -1, INT64_MIN, INT64_MAX};
  static const size_t counts[] = {0, 13, SIZE_MAX / 2, SIZE_MAX};
  static const double times[] = {-0.1, 5.1, NAN, INFINITY}, lifetimes[] = {9.9, 901, -1, NAN, INFINITY};
  fv_liveness_register *open = NULL;
  fv_liveness_request *made = (fv_liveness_request *)NOT_OURS;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_register_create(&open));
  for (i = 0; i < COUNT(nonces); i++) {
    const void *bytes = nonces[i] == SIZE_MAX / 2 ? guarded(65) : (const void *)nonce;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, bytes, nonces[i], NULL, 0, NULL, 0));
    if (nonces[i] > 64)
      CHECK_STATUS(FV_E_BAD_ARGUMENT,
                   fv_liveness_request_from_script(&made, all, NULL, NULL, 1, bytes, nonces[i], NULL, 0));
    CHECK(made == NULL);
  }
  for (i = 0; i < COUNT(draws); i++) {
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, &draws[i], 0, NULL, 0)))
      printf("  in line %d of the table\n", (int)i);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(&made, open, &draws[i], 0, 0, NULL, 0));
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, NULL, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, NULL, -INFINITY, NULL, 0));
  for (i = 0; i < COUNT(counts); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 fv_liveness_request_from_script(&made, all, NULL, NULL, counts[i], NULL, 0, NULL, 0));
  for (i = 0; i < COUNT(none); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&made, &none[i], NULL, NULL, 1, NULL, 0, NULL, 0));
  for (i = 0; i < COUNT(times); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 fv_liveness_request_from_script(&made, all + 1, &times[i], NULL, 1, NULL, 0, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&made, all, NULL, &times[i], 1, NULL, 0, NULL, 0));
  }
  for (i = 0; i < COUNT(lifetimes); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(&made, open, NULL, lifetimes[i], 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(&made, open, NULL, 0, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_issue(&made, open, NULL, 0, INFINITY, NULL, 0));
  CHECK(made == NULL);
  fv_liveness_register_free(open);
}

/* A wrong time closes no request. */
static void liveness_times(void) {
  static const double times[] = {NAN, INFINITY, -INFINITY};
  fv_liveness_register *open = NULL;
  fv_liveness_request *request = NULL;
  fv_liveness_session *made = NULL;
  fv_liveness_decision *decision = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_register_create(&open));
  CHECK_STATUS(FV_OK, fv_liveness_register_issue(&request, open, NULL, 0, 1000, NULL, 0));
  for (i = 0; i < COUNT(times); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, request, times[i], NULL, NULL, 0));
    CHECK(made == NULL);
  }
  CHECK_STATUS(FV_OK, fv_liveness_session_create(&made, engine, request, 1000, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, made));
  for (i = 0; i < COUNT(times); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_register_accept(open, decision, times[i], NULL, 100));
  CHECK_STATUS(FV_OK, fv_liveness_register_accept(open, decision, 1000, NULL, 0));
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(made);
  fv_liveness_request_free(request);
  fv_liveness_register_free(open);
}

static void liveness_indices(void) {
  static const size_t beyond[] = {0, SIZE_MAX / 2, SIZE_MAX};
  static const int64_t blink = FV_CHALLENGE_BLINK;
  fv_liveness_request *request = NULL;
  fv_liveness_decision *decision = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_from_script(&request, &blink, NULL, NULL, 1, NULL, 0, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, finished));
  for (i = 0; i < COUNT(beyond); i++) {
    fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
    fv_liveness_answer answer = FV_LIVENESS_ANSWER_INIT;
    fv_liveness_task task = FV_LIVENESS_TASK_INIT;
    fv_liveness_colour colour = FV_LIVENESS_COLOUR_INIT;
    size_t index = beyond[i];
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_request_colour(&colour, request, index));
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_request_task(&task, request, index ? index : 1));
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_answer(&answer, decision, index));
    if (index == 0) index = fv_liveness_decision_check_count(decision);
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_check(&one, decision, index));
    CHECK(fv_liveness_decision_reason_code(decision, index) == NULL);
    CHECK(fv_liveness_decision_reason_text(decision, index) == NULL);
  }
  fv_liveness_decision_free(decision);
  fv_liveness_request_free(request);
}

/* ---- Documents ---- */

static void document_null(void) {
  static const unsigned char file[] = {0x61, 0x00};
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01"), *none = (fv_document *)NOT_OURS;
  fv_trust *trust = NULL;
  fv_chip *chip = NULL;
  fv_field field = FV_FIELD_INIT;
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[2] = {NULL, NULL};
  fv_input input = FV_INPUT_INIT;
  fv_decision *decision = (fv_decision *)NOT_OURS;
  char message[FV_MESSAGE_SIZE];
  size_t living, count;
  CHECK_STATUS(FV_OK, fv_trust_create(&trust, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  living = fv_live_objects();
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_create(NULL, NULL, message, sizeof message));
  CHECK(*message != '\0');
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_create(NULL, NULL, message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_add(trust, NULL, file, sizeof file, message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_add(trust, "name", NULL, sizeof file, message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_add(chip, NULL, file, sizeof file, message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_add(chip, "EF.DG1", NULL, 0, message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(NULL, SPECIMEN, "2010-01-01", message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&none, NULL, "2010-01-01", message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&none, SPECIMEN, NULL, message, sizeof message));
  CHECK(none == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(NULL, engine, NULL, 0, chip, NULL, "2010-01-01", NULL, NULL, 100));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&none, engine, NULL, 0, NULL, trust, "2010-01-01", NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&none, engine, NULL, 1, chip, NULL, "2010-01-01", NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&none, engine, NULL, 0, chip, NULL, NULL, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&none, engine, pages, 1, chip, NULL, "2010-01-01", NULL, NULL, 0));
  pages[0] = image;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&none, engine, pages, 2, chip, NULL, "2010-01-01", NULL, NULL, 0));
  CHECK(none == NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_describe(NULL, document));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(NULL, document, "surname", FV_SOURCE_DOCUMENT));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(&field, document, NULL, FV_SOURCE_DOCUMENT));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_check(NULL, document, 0));
  CHECK_STATUS(FV_E_ABSENT, fv_document_step(NULL, document, 0));
  CHECK_STATUS(FV_E_ABSENT, fv_document_page_check(NULL, document, 0, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(NULL, NULL, NULL, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_document(NULL, credential, &input, document));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_credential_compare_document(&decision, credential, NULL, document));
  CHECK(decision == NULL);
  fv_document_free(document);
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, pages, 1, NULL, NULL, "2010-01-01", NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, NULL, SIZE_MAX / 2, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, &field, 1, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, &field, SIZE_MAX, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_page_check(NULL, document, 0, 0));
  CHECK(fv_live_objects() == living);
  fv_document_free(document);
  fv_chip_free(chip);
  fv_trust_free(trust);
  fv_image_free(image);
}

static void document_options(void) {
  static const fv_document_options bad[] = {
      {0, 0, 0, 0, 0},
      {SIZE_MAX, 0, 0, 0, 0},
      {9, 0, 0, 0, 0},
      {sizeof *bad, 3, 0, 0, 0},
      {sizeof *bad, -1, 0, 0, 0},
      {sizeof *bad, INT64_MIN, 0, 0, 0},
      {sizeof *bad, 0, 3, 0, 0},
      {sizeof *bad, 0, INT64_MAX, 0, 0},
      {sizeof *bad, 0, 0, 9.999, 0},
      {sizeof *bad, 0, 0, 60.001, 0},
      {sizeof *bad, 0, 0, NAN, 0},
      {sizeof *bad, 0, 0, -INFINITY, 0},
      {sizeof *bad, 0, 0, 0, 9.999},
      {sizeof *bad, 0, 0, 0, NAN},
      {sizeof *bad, 0, 0, 0, INFINITY},
  };
  static const unsigned char file[] = {0x61, 0x00};
  static const char *const dates[] = {"",           "2026",        "2026-6-1",   "2026-06-01 ", "2026-13-01",
                                      "2026-02-29", "0000-01-01",  "-026-06-01", "2026-06-XX",  "XXXX-06-01",
                                      "\xFF\xFE",   "2026-06-01T", "today"};
  static const size_t counts[] = {65, SIZE_MAX / 2, SIZE_MAX};
  fv_document *document = (fv_document *)NOT_OURS;
  fv_document_options options = FV_DOCUMENT_OPTIONS_INIT;
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[65];
  fv_chip *chip = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  for (i = 0; i < COUNT(pages); i++) pages[i] = image;
  for (i = 0; i < COUNT(bad); i++)
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT,
                      fv_document_read(&document, engine, NULL, 0, chip, NULL, "2026-06-01", &bad[i], NULL, 0)))
      printf("  in line %d of the table\n", (int)i);
  for (i = 0; i < COUNT(dates); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, NULL, 0, chip, NULL, dates[i], NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&document, SPECIMEN, dates[i], NULL, 0));
  }
  for (i = 0; i < COUNT(counts); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 fv_document_read(&document, engine, pages, counts[i], chip, NULL, "2026-06-01", NULL, NULL, 0));
  CHECK(document == NULL);
  options.read_rfid = FV_NO;
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, NULL, 0, chip, NULL, "2026-06-01", &options, NULL, 0));
  fv_document_free(document);
  fv_chip_free(chip);
  fv_image_free(image);
}

static void document_indices(void) {
  static const size_t beyond[] = {SIZE_MAX / 2, SIZE_MAX, 1000};
  static const int sources[] = {-1, 3, INT32_MIN, INT32_MAX};
  static const char *const fields[] = {"", "no such field", "surname ", "\xFF", "Surname"};
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[1];
  fv_document *document = NULL;
  size_t i;
  pages[0] = image;
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, pages, 1, NULL, NULL, "2026-06-01", NULL, NULL, 0));
  for (i = 0; i < COUNT(beyond); i++) {
    fv_finding finding = FV_FINDING_INIT;
    fv_page_check one = FV_PAGE_CHECK_INIT;
    CHECK_STATUS(FV_E_ABSENT, fv_document_check(&finding, document, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_step(&finding, document, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_page_check(&one, document, 0, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_page_check(&one, document, beyond[i], 0));
    CHECK(fv_document_page_check_count(document, beyond[i]) == 0);
    CHECK(fv_document_status(document, beyond[i]) == 0 && fv_document_mismatch(document, beyond[i]) == NULL);
  }
  for (i = 0; i < COUNT(sources); i++) {
    fv_field field = FV_FIELD_INIT;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(&field, document, "surname", sources[i]));
  }
  for (i = 0; i < COUNT(fields); i++) {
    fv_field field = FV_FIELD_INIT;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(&field, document, fields[i], FV_SOURCE_DOCUMENT));
  }
  fv_document_free(document);
  fv_image_free(image);
}

static void document_structs(void) {
  static const size_t wrong[] = {0, 1, 4, 7, 9, (size_t)1 << 20, SIZE_MAX / 2, SIZE_MAX};
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01");
  struct {
    fv_field known;
    int64_t later;
  } longer = {FV_FIELD_INIT, -1};
  size_t i;
  for (i = 0; i < COUNT(wrong); i++) {
    fv_document_info info = FV_DOCUMENT_INFO_INIT;
    fv_field field = FV_FIELD_INIT;
    fv_finding finding = FV_FINDING_INIT;
    fv_binding binding = FV_BINDING_INIT;
    info.struct_size = field.struct_size = finding.struct_size = binding.struct_size = wrong[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_describe(&info, document));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field(&field, document, "surname", FV_SOURCE_DOCUMENT));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_check(&finding, document, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(&binding, NULL, NULL, NULL, 0, NULL));
    CHECK(info.type == NULL && field.value == NULL && finding.name == NULL && binding.data == 0);
  }
  longer.known.struct_size = sizeof longer;
  CHECK_STATUS(FV_OK, fv_document_field(&longer.known, document, "surname", FV_SOURCE_DOCUMENT));
  CHECK(longer.later == 0);
  CHECK_TEXT("ERIKSSON", longer.known.value);
  fv_document_free(document);
}

static void document_hashes(void) {
  static const char *const bad[] = {"",
                                    "abc",
                                    "\xFF",
                                    "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015adba7816bf8f01cfea41"
                                    "4140de5dae2223b00361a396177a9c",
                                    "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
  fv_binding binding = FV_BINDING_INIT;
  size_t i;
  for (i = 0; i < COUNT(bad); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(&binding, bad[i], NULL, "abc", 3, NULL));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(&binding, NULL, bad[i], NULL, 0, "abc"));
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(&binding, NULL, NULL, "abc", SIZE_MAX, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_verify(&binding, NULL, NULL, NULL, 0, "\xC3"));
  CHECK(binding.photo == 0 && binding.data == 0);
  /* Bytes of a photo without a pointer are none. */
  CHECK_STATUS(FV_OK, fv_document_verify(&binding, NULL, NULL, NULL, SIZE_MAX, NULL));
  CHECK(binding.photo == FV_CHECK_NOT_CHECKED && binding.data == FV_CHECK_NOT_CHECKED);
}

/* Lengths that reach beyond the file, nesting, and every beginning of a certificate and of a data group. */
static void document_files(void) {
  static const unsigned char files[][12] = {
      {0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x5F, 0x1F}, {0x75, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0x61},
      {0x77, 0x80, 0x30, 0x80, 0x30, 0x80, 0x30, 0x80}, {0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x06, 0x09},
      {0x75, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, {0x61, 0x5F, 0x5F, 0x1F, 0x58, 0x50, 0x3C, 0x55},
  };
  static const char *const names[] = {"EF.DG1", "EF.DG2", "EF.SOD", "EF.COM", "EF.CardAccess", "EF.CardSecurity", ""};
  static const size_t counts[] = {((size_t)10 << 20) * 3 + 1, ((size_t)32 << 20) + 1, SIZE_MAX / 2, SIZE_MAX};
  unsigned char *nested = (unsigned char *)guarded(1 << 16);
  fv_trust *trust = NULL;
  size_t file, name, count, i;
  CHECK_STATUS(FV_OK, fv_trust_create(&trust, NULL, NULL, 0));
  for (i = 0; i < 1 << 16; i += 2) {
    nested[i] = 0x30;
    nested[i + 1] = 0x80;
  }
  for (name = 0; name < COUNT(names); name++) {
    fv_chip *chip = NULL;
    CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
    for (i = 1; i < COUNT(counts); i++) {
      fv_status status = fv_chip_add(chip, names[name], nested, counts[i], NULL, 0);
      CHECK(status == (counts[i] > SIZE_MAX / 2 ? FV_E_BAD_ARGUMENT : FV_E_TOO_LARGE));
      status = fv_trust_add(trust, names[name], nested, counts[i], NULL, 0);
      CHECK(status == (counts[i] > SIZE_MAX / 2 ? FV_E_BAD_ARGUMENT : FV_E_TOO_LARGE));
    }
    CHECK_STATUS(FV_E_TOO_LARGE, fv_chip_add(chip, names[name], nested, counts[0], NULL, 0));
    fv_chip_free(chip);
    for (file = 0; file <= COUNT(files); file++)
      for (count = 0; count <= sizeof files[0]; count++) {
        int is_nested = file == COUNT(files);
        const void *bytes = is_nested ? nested : (const void *)files[file];
        size_t size = is_nested ? count * 5000 : count;
        fv_document *document = NULL;
        fv_status status;
        CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
        status = fv_chip_add(chip, names[name], bytes, size, NULL, 0);
        CHECK(status == FV_OK || status == FV_E_UNKNOWN_FORMAT);
        if (status == FV_OK) {
          CHECK_STATUS(FV_OK, fv_document_read(&document, engine, NULL, 0, chip, trust, "2026-06-01", NULL, NULL, 0));
          CHECK(fv_document_status(document, 0) != FV_DOCUMENT_OK && fv_document_json(document) != NULL);
        }
        CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_add(trust, names[name], bytes, size, NULL, 0));
        fv_document_free(document);
        fv_chip_free(chip);
      }
  }
  CHECK(fv_trust_anchor_count(trust) == 0);
  fv_trust_free(trust);
}

/* Every beginning of a zone, and zones with any byte in them. */
static void document_texts(void) {
  char text[sizeof SPECIMEN], *large = (char *)malloc(1 << 20);
  fv_document *document = NULL;
  size_t i;
  int byte;
  for (i = 0; i < sizeof SPECIMEN - 1; i++) {
    memcpy(text, SPECIMEN, sizeof text);
    text[i] = '\0';
    CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_from_mrz(&document, text, "2026-06-01", NULL, 0));
    for (byte = 1; byte < 256; byte += 7) {
      fv_status status;
      memcpy(text, SPECIMEN, sizeof text);
      text[i] = (char)byte;
      status = fv_document_from_mrz(&document, text, "2026-06-01", NULL, 0);
      CHECK(status == FV_OK || status == FV_E_DAMAGED || status == FV_E_UNKNOWN_FORMAT || status == FV_E_BAD_ARGUMENT);
      fv_document_free(document);
    }
  }
  memset(large, '<', (1 << 20) - 1);
  large[(1 << 20) - 1] = '\0';
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_from_mrz(&document, large, "2026-06-01", NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&document, SPECIMEN, large, NULL, 0));
  CHECK(document == NULL);
  free(large);
}

static void pixels_of_an_image(void) {
  fv_image *image = open_sample("obama2.jpg"), *damaged = NULL;
  const size_t size = 3 * 626 * 1200;
  unsigned char *pixels = (unsigned char *)guarded(size), *less = (unsigned char *)guarded(size - 1);
  unsigned char *file;
  size_t count = 0, bytes;
  less[0] = 7;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, less, size - 1, &count));
  CHECK(count == size && less[0] == 7);
  CHECK_STATUS(FV_OK, fv_image_pixels(image, pixels, SIZE_MAX / 2, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, pixels, SIZE_MAX, &count));
  file = read_file(sample_path("obama2.jpg"), &bytes);
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&damaged, file, bytes / 3, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_pixels(damaged, NULL, 0, &count));
  CHECK(count == size);
  CHECK_STATUS(FV_E_DAMAGED, fv_image_pixels(damaged, pixels, size, &count));
  free(file);
  fv_image_free(damaged);
  fv_image_free(image);
}

static void nothing_is_left(void) {
  fv_liveness_session_free(finished);
  fv_liveness_session_free(session);
  fv_credential_free(credential);
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
}

int main(void) {
  fv_liveness_decision *decision = NULL;
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 0);
  credential = make_credential(engine);
  session = make_session(engine, NULL, NULL);
  finished = make_session(engine, NULL, NULL);
  CHECK_STATUS(FV_OK, fv_liveness_session_finish(&decision, finished));
  fv_liveness_decision_free(decision);
  RUN(handles_of_other_types);
  RUN(freed_handles);
  RUN(numbers_that_are_no_handles);
  RUN(borrowed_handles_cannot_be_freed);
  RUN(null_out);
  RUN(null_input);
  RUN(wrong_struct_sizes);
  RUN(longer_structs);
  RUN(unaligned_structs);
  RUN(struct_init_of_too_small_a_size);
  RUN(inputs_that_are_not_one);
  RUN(header_versions);
  RUN(engine_options);
  RUN(rates);
  RUN(requirements);
  RUN(indices_beyond_the_last);
  RUN(unknown_choices);
  RUN(buffers_that_are_too_small);
  RUN(capacities_beyond_memory);
  RUN(messages_are_cut_between_characters);
  RUN(long_texts);
  RUN(texts_that_are_not_utf8);
  RUN(views_that_do_not_fit);
  RUN(limits_out_of_range);
  RUN(pictures_that_are_cut_off);
  RUN(counts_beyond_memory);
  RUN(templates_that_are_cut_off);
  RUN(paths_of_no_picture);
  RUN(messages_that_are_not_wanted);
  RUN(half_a_field);
  RUN(liveness_null);
  RUN(liveness_options);
  RUN(liveness_frames);
  RUN(liveness_scripts);
  RUN(liveness_times);
  RUN(liveness_indices);
  RUN(document_null);
  RUN(document_options);
  RUN(document_indices);
  RUN(document_structs);
  RUN(document_hashes);
  RUN(document_files);
  RUN(document_texts);
  RUN(pixels_of_an_image);
  RUN(nothing_is_left);
  return finish();
}
