/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes of a program and malicious bytes: each yields a status, and no memory error. */
#include "test.h"

static fv_engine *engine;
/* One that accepts frames, and one that does not. */
static fv_liveness_session *session, *finished;

/* An invalid pointer, to verify that `*out` becomes NULL. */
static char not_ours;
#define NOT_OURS ((void *)&not_ours)

/* ---- Handles and pointers: every function with one of them invalid, and the rest valid ---- */

/* The word for a handle in a message. */
static const char *wrong(const void *bad) { return bad == NULL ? "NULL" : "freed"; }

/* An index may be checked before the output pointer. */
static int is_refused(fv_status status) { return status == FV_E_BAD_ARGUMENT || status == FV_E_ABSENT; }

#include "generated_calls.h"

/* A record without a signature. */
static fv_record *unsigned_record(void) {
  static const char json[] = "{\"schema\": \"faceverify-record-1\"}";
  fv_record *record = NULL;
  CHECK_STATUS(FV_OK, fv_record_from_bytes(&record, json, sizeof json - 1, NULL, 0));
  return record;
}

/* A chip without access control and without files. */
static fv_status answer(const void *command, size_t command_bytes, void *response, size_t capacity_bytes,
                        size_t *response_bytes, void *user) {
  const unsigned char *header = (const unsigned char *)command;
  unsigned char *status = (unsigned char *)response;
  int is_application = command_bytes > 4 && header[1] == 0xA4 && header[2] == 0x04;
  if (user != NULL || capacity_bytes < 2) return FV_E_INTERNAL;
  status[0] = is_application ? 0x90 : 0x6A;
  status[1] = is_application ? 0x00 : 0x82;
  *response_bytes = 2;
  return FV_OK;
}

static fv_live_chip *empty_chip(void) {
  fv_chip_transport transport = FV_CHIP_TRANSPORT_INIT;
  fv_live_chip_options options = FV_LIVE_CHIP_OPTIONS_INIT;
  fv_live_chip *chip = NULL;
  transport.transmit = answer;
  options.transport = &transport;
  CHECK_STATUS(FV_OK, fv_live_chip_read(&chip, &options, NULL, NULL, 0));
  return chip;
}

/* Kinds of which there is no object: readers, without their service. */
static size_t absent_kinds;

/* A live object of each kind. */
static void make_one_of_each(void *made[KINDS]) {
  static const unsigned char file[] = {0x61, 0x00};
  fv_models *models = NULL;
  fv_image *image = open_sample("obama2.jpg");
  fv_quality_policy *policy = NULL;
  fv_faces *faces = NULL;
  fv_sample *sample = take_sample(engine, "obama2.jpg");
  fv_template *copy = NULL;
  fv_cancellation *cancellation = NULL;
  fv_liveness_request_store *open = NULL;
  fv_liveness_request *request = NULL;
  fv_liveness_decision *decision = NULL;
  fv_trust_store *trust = NULL;
  fv_chip *chip = NULL;
  const fv_image *pages[1];
  fv_document *document = NULL;
  fv_gallery *gallery = make_gallery(engine);
  fv_candidates *candidates = NULL;
  fv_journey *journey = NULL;
  fv_codes *codes = NULL;
  fv_code_scanner *scanner = NULL;
  fv_live_chip *live = empty_chip();
  fv_chip_report *report = NULL;
  fv_card_readers *readers = NULL;
  fv_status listed = fv_card_readers_list(&readers, NULL, 0);
  unsigned char bytes[580];
  size_t count;
  pages[0] = image;
  CHECK(listed == FV_OK || listed == FV_E_ABSENT || listed == FV_E_UNREADABLE);
  absent_kinds = readers == NULL;
  CHECK_STATUS(FV_OK, fv_live_chip_report(&report, live, NULL, "2026-06-01", 0, NULL, 0));
  CHECK_STATUS(FV_OK, read_document(&document, engine, pages, 1, NULL, NULL, "2026-06-01"));
  CHECK_STATUS(FV_OK, fv_cancellation_create(&cancellation, NULL, 0));
  CHECK_STATUS(FV_OK, fv_models_check(&models, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, "selfie", NULL, 0));
  CHECK_STATUS(FV_OK, detect_faces(&faces, engine, image, 0));
  CHECK_STATUS(FV_OK, fv_template_serialise(fv_sample_template(sample), bytes, sizeof bytes, &count));
  CHECK_STATUS(FV_OK, fv_template_from_bytes(&copy, bytes, count, NULL, 0));
  CHECK_STATUS(FV_OK, fv_gallery_add(gallery, "somebody", copy, NULL, 0));
  CHECK_STATUS(FV_OK, fv_gallery_search(&candidates, gallery, copy, 0, 0, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&request, open, NULL, 0, 0, NULL, 0));
  CHECK_STATUS(FV_OK, finish_session(&decision, finished));
  CHECK_STATUS(FV_OK, fv_journey_create(&journey, engine, NULL, 0, NULL, 0));
  {
    fv_image *code = NULL;
    CHECK_STATUS(FV_OK, fv_image_from_file(&code, code_path("qr.png"), NULL, NULL, 0));
    CHECK_STATUS(FV_OK, fv_codes_read(&codes, code, NULL, NULL, NULL, 0));
    fv_image_free(code);
  }
  CHECK_STATUS(FV_OK, fv_code_scanner_create(&scanner, NULL, NULL, 0));
  made[KIND_codes] = codes;
  made[KIND_code_scanner] = scanner;
  made[KIND_record] = unsigned_record();
  made[KIND_cancellation] = cancellation;
  made[KIND_engine] = make_engine(NULL, 0);
  made[KIND_models] = models;
  made[KIND_image] = image;
  made[KIND_quality_policy] = policy;
  made[KIND_faces] = faces;
  made[KIND_sample] = sample;
  made[KIND_template] = copy;
  made[KIND_decision] = compare_samples(engine, "obama.jpg", "obama2.jpg");
  made[KIND_liveness_request] = request;
  made[KIND_liveness_request_store] = open;
  made[KIND_liveness_session] = make_session(engine, request, NULL);
  made[KIND_liveness_decision] = decision;
  made[KIND_trust_store] = trust;
  made[KIND_chip] = chip;
  made[KIND_live_chip] = live;
  made[KIND_chip_report] = report;
  made[KIND_card_readers] = readers;
  made[KIND_document] = document;
  made[KIND_gallery] = gallery;
  made[KIND_candidates] = candidates;
  made[KIND_journey] = journey;
}

/* Calls every function that takes a handle of one kind with an invalid one. */
static void call_with_bad(size_t kind, void *bad, void *const *good) {
  void (*const *call)(void *, void *const *);
  for (call = with_bad[kind]; *call != NULL; call++) (*call)(bad, good);
}

static void handles_of_other_types_are_rejected(void) {
  void *made[KINDS];
  size_t kind, other, living;
  make_one_of_each(made);
  living = fv_live_objects();
  for (kind = 0; kind < KINDS; kind++) {
    call_with_bad(kind, NULL, made);
    for (other = 0; other < KINDS; other++)
      if (other != kind) call_with_bad(kind, made[other], made);
  }
  /* Freeing them as another kind did not free them. */
  CHECK(fv_live_objects() == living);
  CHECK(fv_engine_json((fv_engine *)made[KIND_engine]) != NULL);
  CHECK(fv_decision_result((fv_decision *)made[KIND_decision]) == FV_RESULT_MATCH);
  for (kind = 0; kind < KINDS; kind++) release((int)kind, made[kind]);
}

static void freed_handles_are_rejected(void) {
  void *made[KINDS], *freed[KINDS];
  size_t kind, living = fv_live_objects();
  make_one_of_each(made);
  make_one_of_each(freed);
  for (kind = 0; kind < KINDS; kind++) release((int)kind, freed[kind]);
  CHECK(fv_live_objects() == living + KINDS - absent_kinds);
  for (kind = 0; kind < KINDS; kind++) {
    release((int)kind, freed[kind]);
    call_with_bad(kind, freed[kind], made);
  }
  CHECK(fv_live_objects() == living + KINDS - absent_kinds);
  for (kind = 0; kind < KINDS; kind++) release((int)kind, made[kind]);
  CHECK(fv_live_objects() == living);
}

static void null_pointers_are_rejected(void) {
  void *made[KINDS];
  size_t kind, living, i;
  make_one_of_each(made);
  living = fv_live_objects();
  for (i = 0; with_null[i] != NULL; i++) with_null[i](NULL, made);
  fv_struct_init(NULL, 8);
  CHECK(fv_live_objects() == living);
  for (kind = 0; kind < KINDS; kind++) release((int)kind, made[kind]);
}

static void numbers_that_are_not_handles_are_rejected(void) {
  char on_stack[64] = "";
  void *on_heap = calloc(1, 64);
  const uintptr_t near_a_handle = (uintptr_t)engine;
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
  void *made[KINDS];
  size_t i, kind;
  make_one_of_each(made);
  for (i = 0; i < COUNT(bad); i++)
    for (kind = 0; kind < KINDS; kind++) call_with_bad(kind, bad[i], made);
  for (kind = 0; kind < KINDS; kind++) release((int)kind, made[kind]);
  free(on_heap);
}

static void borrowed_handles_cannot_be_freed(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "obama2.jpg");
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

/* Buffers may be NULL in calls that only ask for the count. */
static void null_buffers_are_rejected(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_sample *sample = take_sample(engine, "obama.jpg");
  const fv_faces *faces = fv_sample_faces(sample);
  size_t count;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_mesh(faces, 0, NULL, FV_MESH_POINTS, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(faces, 0, FV_EYE_LEFT, NULL, FV_EYE_POINTS, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_serialise(fv_sample_template(sample), NULL, 580, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, NULL, SIZE_MAX / 2, &count, NULL, 0));
  CHECK(count == 3 * 910 * 1137);
  fv_sample_free(sample);
  fv_image_free(image);
}

/* ---- Structs ---- */

static fv_status create_with(const void *options) {
  fv_engine *made = (fv_engine *)NOT_OURS;
  fv_status status = fv_engine_create(&made, FV_VERSION_NUMBER, (const fv_engine_options *)options, NULL, 0);
  CHECK((status == FV_OK) == (made != NULL));
  fv_engine_free(made);
  return status;
}

static void wrong_struct_sizes_are_rejected(void) {
  static const size_t wrong[] = {0, 1, 4, 7, (size_t)1 << 20, SIZE_MAX / 2, SIZE_MAX};
  fv_image *image = open_sample("obama.jpg");
  size_t i;
  for (i = 0; i < COUNT(wrong); i++) {
    fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
    fv_image_limits limits = FV_IMAGE_LIMITS_INIT;
    fv_image_view view = FV_IMAGE_VIEW_INIT;
    fv_comparison_policy policy = FV_COMPARISON_POLICY_INIT;
    fv_input input = FV_INPUT_INIT, good = FV_INPUT_INIT;
    fv_image_info info = FV_IMAGE_INFO_INIT;
    fv_threshold threshold = FV_THRESHOLD_INIT;
    fv_budget budget = FV_BUDGET_INIT;
    fv_detect_options detect = FV_DETECT_OPTIONS_INIT;
    fv_image *made = NULL;
    fv_decision *decision = NULL;
    fv_faces *faces = NULL;
    input.image = good.image = image;
    view.data = "abc";
    view.byte_count = 3;
    view.width = view.height = 1;
    view.pixel_format = FV_PIXEL_FORMAT_RGB8;
    options.struct_size = limits.struct_size = view.struct_size = policy.struct_size = wrong[i];
    input.struct_size = info.struct_size = threshold.struct_size = budget.struct_size = detect.struct_size = wrong[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_pixels(&made, &view, NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_from_file(&made, sample_path("obama.jpg"), &limits, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare(&decision, engine, &good, &good, &policy, NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare(&decision, engine, &good, &good, NULL, &budget, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_detect(&faces, engine, image, &detect, NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &input, &good));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &good, &input));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_describe(&info, image));
    CHECK(info.struct_size == wrong[i] && info.sha256 == NULL);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold(&threshold, engine, 1e-3, NULL, 0));
    CHECK(threshold.score == 0);
  }
  fv_image_free(image);
}

/* A size that ends within a field: half of a pointer must not be dereferenced. */
static void half_a_field_is_ignored(void) {
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
    CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &input, &good));
  }
}

/* A struct of a later release: unknown fields must be 0. */
static void longer_structs_are_filled_with_zeros(void) {
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
static void unaligned_structs_are_accepted(void) {
  char *memory = (char *)guarded(sizeof(fv_input) + 1);
  char *place = (char *)guarded(sizeof(fv_comparison) + 3);
  fv_input input = FV_INPUT_INIT, other = FV_INPUT_INIT;
  fv_comparison expected = FV_COMPARISON_INIT, found = FV_COMPARISON_INIT;
  fv_decision *decision = NULL;
  input.path = sample_path("obama.jpg");
  other.path = sample_path("obama2.jpg");
  memcpy(memory, &input, sizeof input);
  CHECK_STATUS(FV_OK, compare_inputs(&decision, engine, (fv_input *)(void *)memory, &other));
  CHECK_STATUS(FV_OK, fv_decision_comparison(&expected, decision));
  memcpy(place, &found, sizeof found);
  CHECK_STATUS(FV_OK, fv_decision_comparison((fv_comparison *)(void *)place, decision));
  memcpy(&found, place, sizeof found);
  CHECK(memcmp(&expected, &found, sizeof found) == 0);
  fv_decision_free(decision);
}

static void a_too_small_struct_is_not_initialised(void) {
  size_t size;
  for (size = 0; size < sizeof(size_t); size++) {
    unsigned char memory[16];
    size_t i;
    memset(memory, 0xAA, sizeof memory);
    fv_struct_init(memory, size);
    for (i = size; i < sizeof memory; i++) CHECK(memory[i] == 0xAA);
  }
}

static void ambiguous_inputs_are_rejected(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_input good = FV_INPUT_INIT, none = FV_INPUT_INIT, two = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  good.image = two.image = image;
  two.path = sample_path("obama.jpg");
  CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &none, &good));
  CHECK(strstr(said, "selfie") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &good, &two));
  CHECK(strstr(said, "portrait") != NULL);
  CHECK_STATUS(FV_OK, compare_inputs(&decision, engine, &good, &good));
  CHECK_TEXT("", said);
  fv_decision_free(decision);
  fv_image_free(image);
}

/* ---- Numbers ---- */

/* Rows: J3 V6-versions */
static void incompatible_header_versions_are_rejected(void) {
  static const struct {
    uint32_t version;
    fv_status status;
  } all[] = {
      {FV_VERSION_NUMBER + 1, FV_OK},
      {0, FV_E_BAD_ARGUMENT},
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

static void invalid_engine_options_are_rejected(void) {
  static const int64_t threads[] = {-1, 65, INT64_MIN, INT64_MAX};
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  size_t i;
  for (i = 0; i < COUNT(threads); i++) {
    options.thread_count = threads[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  }
  options.thread_count = 64;
  options.model_set = "dlib";
  CHECK_STATUS(FV_OK, create_with(&options));
  options.model_set = "no such set";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  options.model_set = "";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  options.model_set = NULL;
  options.precision = "auto";
  CHECK_STATUS(FV_OK, create_with(&options));
  options.precision = "bf16";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
  options.precision = "";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&options));
}

static void invalid_rates_are_rejected(void) {
  static const struct {
    double rate;
    fv_status status;
  } all[] = {
      {1e-9, FV_E_UNSUPPORTED_RATE}, {1e-300, FV_E_UNSUPPORTED_RATE}, {0.5, FV_E_UNSUPPORTED_RATE},
      {-1e-3, FV_E_BAD_ARGUMENT},    {1, FV_E_BAD_ARGUMENT},          {1e300, FV_E_BAD_ARGUMENT},
      {NAN, FV_E_BAD_ARGUMENT},      {INFINITY, FV_E_BAD_ARGUMENT},   {-INFINITY, FV_E_BAD_ARGUMENT},
  };
  fv_input input = FV_INPUT_INIT;
  size_t i;
  input.path = sample_path("obama.jpg");
  for (i = 0; i < COUNT(all); i++) {
    fv_threshold threshold = FV_THRESHOLD_INIT;
    fv_comparison_policy policy = FV_COMPARISON_POLICY_INIT;
    fv_decision *decision = (fv_decision *)NOT_OURS;
    policy.false_match_rate = all[i].rate;
    CHECK_STATUS(all[i].status, fv_engine_threshold(&threshold, engine, all[i].rate, NULL, 0));
    CHECK(threshold.score == 0);
    CHECK_STATUS(all[i].status, fv_engine_compare(&decision, engine, &input, &input, &policy, NULL, NULL, 0));
    CHECK(decision == NULL);
  }
}

static void invalid_requirements_are_rejected(void) {
  fv_quality_policy *policy = NULL;
  fv_image *image = open_sample("obama.jpg");
  fv_sample *sample = NULL;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, "no such policy", NULL, 0));
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, "selfie", NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(policy, "no such measure", 0, 1, NAN, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_require(policy, "", 0, 1, NAN, NAN, NULL, 0));
  const double contradictory[][4] = {{0.8, 0.2, NAN, NAN},      {0.2, NAN, 0.3, NAN}, {NAN, 0.8, NAN, 0.7},
                                     {NAN, NAN, 0.8, 0.2},      {NAN, 0.2, 0.3, NAN}, {INFINITY, NAN, NAN, NAN},
                                     {NAN, -INFINITY, NAN, NAN}};
  for (size_t i = 0; i < sizeof contradictory / sizeof *contradictory; i++) {
    const double *limit = contradictory[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 fv_quality_policy_require(policy, "sharpness", limit[0], limit[1], limit[2], limit[3], NULL, 0));
  }
  CHECK_STATUS(FV_OK, fv_quality_policy_require(policy, "sharpness", -INFINITY, INFINITY, -INFINITY, INFINITY, NULL,
                                                0));
  CHECK_STATUS(FV_OK, assess_image(&sample, engine, image, policy));
  CHECK(fv_sample_is_accepted(sample) == 1 && fv_sample_json(sample) != NULL);
  fv_sample_free(sample);
  fv_quality_policy_free(policy);
  fv_image_free(image);
}

static void indices_beyond_the_last_are_absent(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "biden.jpg");
  const fv_sample *selfie = fv_decision_selfie(decision);
  const fv_faces *faces = fv_sample_faces(selfie);
  fv_models *models = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_models_check(&models, NULL, NULL, 0));
  for (i = 0; i < 3; i++) {
    const size_t beyond[] = {0, SIZE_MAX / 2, SIZE_MAX};
    size_t index = beyond[i], count;
    fv_face face = FV_FACE_INIT;
    fv_quality_check one = FV_QUALITY_CHECK_INIT;
    fv_model model = FV_MODEL_INIT;
    CHECK_STATUS(FV_E_ABSENT, fv_faces_at(&face, faces, index ? index : fv_faces_count(faces)));
    CHECK_STATUS(FV_E_ABSENT, fv_faces_mesh(faces, index ? index : fv_faces_count(faces), NULL, 0, &count));
    CHECK_STATUS(FV_E_ABSENT, fv_faces_eye(faces, index ? index : fv_faces_count(faces), FV_EYE_LEFT, NULL, 0, &count));
    CHECK_STATUS(FV_E_ABSENT, fv_sample_check_at(&one, selfie, index ? index : fv_sample_check_count(selfie)));
    CHECK_STATUS(FV_E_ABSENT, fv_models_at(&model, models, index ? index : fv_models_count(models)));
    if (index == 0) index = fv_decision_reason_count(decision);
    CHECK(reason_of(decision, index).code == NULL && reason_of(decision, index).text == NULL);
    if (i > 0) CHECK(fv_quality_measure_at(index) == NULL);
  }
  fv_models_free(models);
  fv_decision_free(decision);
}

static void unknown_choices_are_rejected(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_faces *faces = NULL;
  size_t count, i;
  static const fv_eye eyes[] = {0, 3, -1, INT64_MAX};
  CHECK_STATUS(FV_E_BAD_ARGUMENT, detect_faces(&faces, engine, image, 2));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, detect_faces(&faces, engine, image, -1));
  CHECK_STATUS(FV_OK, detect_faces(&faces, engine, image, 0));
  for (i = 0; i < COUNT(eyes); i++) CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_faces_eye(faces, 0, eyes[i], NULL, 0, &count));
  fv_faces_free(faces);
  fv_image_free(image);
}

/* ---- Buffers ---- */

static void too_small_buffers_are_unchanged(void) {
  fv_sample *sample = take_sample(engine, "obama.jpg");
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
    CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_faces_mesh(faces, 0, mesh, mesh_sizes[i], &count));
    CHECK(count == FV_MESH_POINTS && mesh[0] == -7);
    CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_faces_eye(faces, 0, FV_EYE_LEFT, eye, eye_sizes[i], &count));
    CHECK(count == FV_EYE_POINTS && eye[0].x == -7);
    CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_template_serialise(face, bytes, sizes[i], &count));
    CHECK(count == 580 && bytes[0] == 7);
  }
  fv_sample_free(sample);
}

/* Capacities beyond any buffer: the output still fits. */
static void capacities_beyond_memory_are_rejected(void) {
  static const size_t capacities[] = {SIZE_MAX / 3, SIZE_MAX / 2};
  fv_sample *sample = take_sample(engine, "obama.jpg");
  double *mesh = (double *)guarded(3 * sizeof(double) * FV_MESH_POINTS);
  unsigned char *bytes = (unsigned char *)guarded(580);
  char *message = (char *)guarded(FV_MESSAGE_BYTES);
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

/* Whether the bytes up to the 0 are complete UTF-8 characters. */
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

static void messages_are_truncated_between_characters(void) {
  static const char name[] = "m\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80.jpg"; /* m, a with dots, euro, a smiling face */
  char full[FV_MESSAGE_BYTES] = "";
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

/* For any capacity. */
static void messages_are_optional(void) {
  fv_engine *made = NULL;
  fv_models *models = NULL;
  fv_image *image = NULL;
  fv_decision *decision = NULL;
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
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare(&decision, NULL, NULL, NULL, NULL, NULL, NULL, 100));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_template_from_bytes(&face, "abc", 3, NULL, 100));
}

/* A path of any length: the message is truncated to its buffer. */
static void long_texts_are_rejected(void) {
  size_t length = 100000;
  char *path = (char *)malloc(length + 1), *message = (char *)guarded(FV_MESSAGE_BYTES);
  fv_image *image = NULL;
  fv_quality_policy *policy = NULL;
  fv_input input = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  memset(path, 'a', length);
  path[length] = '\0';
  CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&image, path, NULL, message, FV_MESSAGE_BYTES));
  CHECK(strlen(message) == FV_MESSAGE_BYTES - 1);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, path, NULL, 0));
  input.path = path;
  CHECK_STATUS(FV_E_UNREADABLE, compare_inputs(&decision, engine, &input, &input));
  CHECK(strlen(said) < FV_MESSAGE_BYTES);
  free(path);
}

static void texts_that_are_not_utf8_are_rejected(void) {
  static const char *const bad[] = {"\xFF.jpg", "\xC3", "\xED\xA0\x80", "\xC0\xAF", "\xF4\x90\x80\x80", "a\x80z"};
  size_t i;
  for (i = 0; i < COUNT(bad); i++) {
    char message[FV_MESSAGE_BYTES] = "";
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
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_quality_policy_create(&policy, bad[i], NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &input, &input));
    CHECK(decision == NULL && is_utf8(said));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&folder));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&set));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, create_with(&cache));
  }
}

/* ---- Pictures ---- */

static void views_that_do_not_fit_are_rejected(void) {
  static const int64_t side = 1 << 20;
  /* Rows of 4 RGB pixels, 3 rows: 36 bytes. */
  static const struct {
    int64_t width, height, row_stride, format;
    size_t byte_count;
    fv_status status;
  } all[] = {
      {4, 3, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_OK},
      {4, 3, 0, FV_PIXEL_FORMAT_RGB8, 35, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_RGB8, 0, FV_E_BAD_ARGUMENT},
      {4, 3, 11, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, 13, FV_PIXEL_FORMAT_RGB8, 37, FV_E_BAD_ARGUMENT},
      {4, 3, 13, FV_PIXEL_FORMAT_RGB8, 38, FV_OK},
      {4, 3, -12, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MIN, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MAX, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, INT64_MAX / 2 + 1, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_RGBA8, 47, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_GRAY8, 11, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_GRAY8, 12, FV_OK},
      {4, 3, 0, 0, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_NV12, 19, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_NV12, 20, FV_OK},
      {4, 3, 0, FV_PIXEL_FORMAT_I420, 19, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_I420, 20, FV_OK},
      {4, 3, 0, FV_PIXEL_FORMAT_YUYV, 23, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_YUYV, 24, FV_OK},
      {4, 3, 0, 9, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, -1, 48, FV_E_BAD_ARGUMENT},
      {4, 3, 0, INT64_MIN, 48, FV_E_BAD_ARGUMENT},
      {0, 3, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, 0, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {-4, 3, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {4, -3, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {-4, -3, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {INT64_MIN, INT64_MIN, 0, FV_PIXEL_FORMAT_RGB8, 36, FV_E_BAD_ARGUMENT},
      {INT64_MAX, 1, 0, FV_PIXEL_FORMAT_RGB8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {1, INT64_MAX, INT64_MAX, FV_PIXEL_FORMAT_RGB8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {side + 1, 1, 0, FV_PIXEL_FORMAT_GRAY8, 36, FV_E_TOO_LARGE},
      {1, side + 1, 0, FV_PIXEL_FORMAT_GRAY8, 36, FV_E_TOO_LARGE},
      {side, side, INT64_MAX, FV_PIXEL_FORMAT_RGBA8, SIZE_MAX / 2, FV_E_TOO_LARGE},
      {4, side, INT64_MAX, FV_PIXEL_FORMAT_RGB8, SIZE_MAX / 2, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_RGB8, SIZE_MAX, FV_E_BAD_ARGUMENT},
      {4, 3, 0, FV_PIXEL_FORMAT_RGB8, SIZE_MAX / 2 + 1, FV_E_BAD_ARGUMENT},
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

static void limits_out_of_range_are_rejected(void) {
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

/* No byte after the last may be read, wherever a file is truncated. */
static void truncated_pictures_are_rejected(void) {
  size_t count, length;
  unsigned char *bytes = read_file(sample_path("obama.jpg"), &count);
  for (length = 0; length < count; length = length * 2 + 1) {
    void *part = guarded(length);
    fv_image *image = NULL;
    fv_faces *faces = NULL;
    fv_status status;
    memcpy(part, bytes, length);
    status = fv_image_from_bytes(&image, part, length, NULL, NULL, 0);
    if (status == FV_OK) status = detect_faces(&faces, engine, image, 0);
    CHECK(status == FV_E_DAMAGED || status == FV_E_UNKNOWN_FORMAT || (status == FV_OK && length > count / 2));
    fv_faces_free(faces);
    fv_image_free(image);
  }
  free(bytes);
}

static void counts_beyond_memory_are_rejected(void) {
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

static void truncated_templates_are_rejected(void) {
  fv_sample *sample = take_sample(engine, "obama.jpg");
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

static void paths_without_a_picture_are_rejected(void) {
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
    CHECK_STATUS(all[i].status, compare_inputs(&decision, engine, &good, &input));
    CHECK(image == NULL && decision == NULL);
    CHECK(strncmp(said, "portrait: ", 10) == 0);
  }
}

/* ---- Liveness ---- */

static fv_status session_with(const fv_liveness_options *options) {
  fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
  fv_status status = fv_liveness_session_create(&made, engine, NULL, NAN, options, NULL, 0);
  CHECK((status == FV_OK) == (made != NULL));
  fv_liveness_session_free(made);
  return status;
}

static void invalid_liveness_options_are_rejected(void) {
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
  CHECK_STATUS(FV_OK, request_of(&request, &blink, NULL, NULL, 1, NULL, 0));
  for (i = 0; i < COUNT(timeouts); i++) {
    fv_liveness_session *made = (fv_liveness_session *)NOT_OURS;
    good.challenge_timeout = timeouts[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, request, 0, &good, NULL, 0));
    CHECK(made == NULL);
  }
  fv_liveness_request_free(request);
}

static void invalid_liveness_frames_are_rejected(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  const double huge = 1e300;
  const fv_liveness_frame bad[] = {
      {0, image, NULL, 1, 0, 0, 0, 0, 0, 0},
      {7, image, NULL, 1, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, NULL, NULL, 1, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, image, &view, 1, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, NULL, &view, 1, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 2, 0, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, -1, 0, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 1, 1.01, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 1, 0, -0.01, 0, 0, 0},
      {sizeof *bad, image, NULL, 1, 1, 0, 0, NAN, 0, 0},
      {sizeof *bad, image, NULL, NAN, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, INFINITY, 0, 0, 0, 0, 0, 0},
      {sizeof *bad, image, NULL, -huge * huge, 0, 0, 0, 0, 0, 0},
  };
  fv_liveness_session *made = make_session(engine, NULL, NULL);
  fv_liveness_feedback state = FV_LIVENESS_FEEDBACK_INIT, wrong = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame good = FV_LIVENESS_FRAME_INIT;
  size_t i;
  state.has_face = 7;
  for (i = 0; i < COUNT(bad); i++) {
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, feed(&state, made, &bad[i])))
      printf("  in line %d of the table\n", (int)i);
    CHECK(state.has_face == 7 && *said != '\0');
  }
  good.image = image;
  good.time = 1;
  wrong.struct_size = 9;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, feed(&wrong, made, &good));
  /* None of them was accepted. */
  CHECK_STATUS(FV_OK, feed(&state, made, &good));
  CHECK(state.has_face == 1 && state.state == FV_LIVENESS_SESSION_STATE_CAPTURING);
  fv_liveness_session_free(made);
  fv_image_free(image);
}

/* Prompts of another size than the library's, in an array. */
static void prompts_of_other_sizes_are_accepted(void) {
  struct longer {
    fv_challenge_prompt known;
    int64_t later;
  } prompts[2];
  fv_liveness_request *made = NULL;
  fv_challenge_prompt found = FV_CHALLENGE_PROMPT_INIT;
  const fv_challenge_prompt *first = &prompts->known;
  memset(prompts, 0, sizeof prompts);
  prompts[0].known.struct_size = sizeof *prompts;
  prompts[0].known.challenge = FV_CHALLENGE_SMILE;
  prompts[1].known.challenge = FV_CHALLENGE_LOOK_UP;
  prompts[1].known.hold = 1;
  CHECK_STATUS(FV_OK, fv_liveness_request_from_script(&made, first, 2, NULL, 0, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_prompt_at(&found, made, 1));
  CHECK(found.challenge == FV_CHALLENGE_LOOK_UP && found.hold == 1 && found.pause == 0);
  fv_liveness_request_free(made);
  prompts[1].later = 1;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&made, first, 2, NULL, 0, NULL, 0));
  prompts[0].known.struct_size = 20;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&made, first, 2, NULL, 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_from_script(&made, first, SIZE_MAX, NULL, 0, NULL, 0));
  CHECK(made == NULL);
}

static void invalid_liveness_scripts_are_rejected(void) {
  static const unsigned char nonce[65] = {0};
  static const size_t nonces[] = {0, 15, 65, SIZE_MAX / 2, SIZE_MAX};
  static const fv_challenge_draw draws[] = {{0, 0, 0},
                                           {sizeof *draws, -1, 0},
                                           {sizeof *draws, 10, 0},
                                           {sizeof *draws, INT64_MIN, 0},
                                           {sizeof *draws, INT64_MAX, 0},
                                           {sizeof *draws, 2, FV_CHALLENGE_BIT(FV_CHALLENGE_BLINK)},
                                           {sizeof *draws, 1, 1},
                                           {sizeof *draws, 1, FV_CHALLENGE_BIT(14) | 2},
                                           {sizeof *draws, 1, -1},
                                           {sizeof *draws, 1, INT64_MIN}};
  static const int64_t all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2}, none[] = {0, 14, -1, INT64_MIN, INT64_MAX};
  static const size_t counts[] = {0, 14, SIZE_MAX / 2, SIZE_MAX};
  static const double times[] = {-0.1, 5.1, NAN, INFINITY}, lifetimes[] = {9.9, 901, -1, NAN, INFINITY};
  fv_liveness_request_store *open = NULL;
  fv_liveness_request *made = (fv_liveness_request *)NOT_OURS;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  for (i = 0; i < COUNT(nonces); i++) {
    const void *bytes = nonces[i] == SIZE_MAX / 2 ? guarded(65) : (const void *)nonce;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, bytes, nonces[i], NULL, 0, NULL, 0));
    if (nonces[i] > 64)
      CHECK_STATUS(FV_E_BAD_ARGUMENT,
                   request_of(&made, all, NULL, NULL, 1, bytes, nonces[i]));
    CHECK(made == NULL);
  }
  for (i = 0; i < COUNT(draws); i++) {
    if (!CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, &draws[i], 0, NULL, 0)))
      printf("  in line %d of the table\n", (int)i);
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_store_issue(&made, open, &draws[i], 0, 0, NULL, 0));
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, NULL, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_create(&made, nonce, 16, NULL, -INFINITY, NULL, 0));
  for (i = 0; i < COUNT(counts); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 request_of(&made, all, NULL, NULL, counts[i], NULL, 0));
  for (i = 0; i < COUNT(none); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, request_of(&made, &none[i], NULL, NULL, 1, NULL, 0));
  for (i = 0; i < COUNT(times); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT,
                 request_of(&made, all + 1, &times[i], NULL, 1, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, request_of(&made, all, NULL, &times[i], 1, NULL, 0));
  }
  for (i = 0; i < COUNT(lifetimes); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_store_issue(&made, open, NULL, lifetimes[i], 0, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_store_issue(&made, open, NULL, 0, NAN, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_store_issue(&made, open, NULL, 0, INFINITY, NULL, 0));
  CHECK(made == NULL);
  fv_liveness_request_store_free(open);
}

/* A wrong time closes no request. */
static void invalid_liveness_times_are_rejected(void) {
  static const double times[] = {NAN, INFINITY, -INFINITY};
  fv_liveness_request_store *open = NULL;
  fv_liveness_request *request = NULL;
  fv_liveness_session *made = NULL;
  fv_liveness_decision *decision = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&request, open, NULL, 0, 1000, NULL, 0));
  for (i = 0; i < COUNT(times); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_session_create(&made, engine, request, times[i], NULL, NULL, 0));
    CHECK(made == NULL);
  }
  CHECK_STATUS(FV_OK, fv_liveness_session_create(&made, engine, request, 1000, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, finish_session(&decision, made));
  for (i = 0; i < COUNT(times); i++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_liveness_request_store_accept(open, decision, times[i], NULL, 100));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_accept(open, decision, 1000, NULL, 0));
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(made);
  fv_liveness_request_free(request);
  fv_liveness_request_store_free(open);
}

static void invalid_liveness_indices_are_rejected(void) {
  static const size_t beyond[] = {0, SIZE_MAX / 2, SIZE_MAX};
  static const int64_t blink = FV_CHALLENGE_BLINK;
  fv_liveness_request *request = NULL;
  fv_liveness_decision *decision = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, request_of(&request, &blink, NULL, NULL, 1, NULL, 0));
  CHECK_STATUS(FV_OK, finish_session(&decision, finished));
  for (i = 0; i < COUNT(beyond); i++) {
    fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
    fv_challenge_answer answer = FV_CHALLENGE_ANSWER_INIT;
    fv_challenge_prompt prompt = FV_CHALLENGE_PROMPT_INIT;
    fv_reason reason = FV_REASON_INIT;
    fv_screen_colour colour = FV_SCREEN_COLOUR_INIT;
    size_t index = beyond[i];
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_request_colour_at(&colour, request, index));
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_request_prompt_at(&prompt, request, index ? index : 1));
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_answer_at(&answer, decision, index));
    if (index == 0) index = fv_liveness_decision_check_count(decision);
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_check_at(&one, decision, index));
    CHECK_STATUS(FV_E_ABSENT, fv_liveness_decision_reason_at(&reason, decision, index));
  }
  fv_liveness_decision_free(decision);
  fv_liveness_request_free(request);
}

/* ---- Documents ---- */

static void invalid_document_inputs_are_rejected(void) {
  static const unsigned char file[] = {0x61, 0x00};
  static const char *const dates[] = {"",           "2026",        "2026-6-1",   "2026-06-01 ", "2026-13-01",
                                      "2026-02-29", "0000-01-01",  "-026-06-01", "2026-06-XX",  "XXXX-06-01",
                                      "\xFF\xFE",   "2026-06-01T", "today",      NULL};
  static const size_t counts[] = {65, SIZE_MAX / 2, SIZE_MAX}, sizes[] = {0, SIZE_MAX, 9};
  static const int64_t flags[] = {2, -1, INT64_MIN, INT64_MAX};
  fv_document *document = (fv_document *)NOT_OURS;
  fv_document_input input = FV_DOCUMENT_INPUT_INIT, wrong;
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[65];
  fv_chip *chip = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  input.chip = chip;
  input.date = "2026-06-01";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &input, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  for (i = 0; i < COUNT(pages); i++) pages[i] = image;
  for (i = 0; i < COUNT(sizes); i++) {
    wrong = input;
    wrong.struct_size = sizes[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
  }
  for (i = 0; i < COUNT(flags); i++) {
    wrong = input;
    wrong.is_chip_expected = flags[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
    wrong = input;
    wrong.is_single_page = flags[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
    wrong = input;
    wrong.is_strict = flags[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
    wrong = input;
    wrong.accepts_page_only = flags[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
    wrong = input;
    wrong.accepts_licence_code = flags[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
  }
  for (i = 0; i < COUNT(dates); i++) {
    wrong = input;
    wrong.date = dates[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&document, SPECIMEN, dates[i], NULL, 0));
  }
  wrong = input;
  wrong.page_count = 1;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
  wrong.pages = pages;
  for (i = 0; i < COUNT(counts); i++) {
    wrong.page_count = counts[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
  }
  pages[1] = NULL;
  wrong.page_count = 2;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, engine, &wrong, NULL, NULL, 0));
  CHECK(document == NULL);
  input.is_chip_expected = input.is_single_page = 1;
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, &input, NULL, NULL, 0));
  fv_document_free(document);
  fv_chip_free(chip);
  fv_image_free(image);
}

static void small_portrait_buffers_are_rejected(void) {
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[1];
  fv_document *document = NULL;
  fv_page_check one = FV_PAGE_CHECK_INIT;
  size_t count = 0;
  pages[0] = image;
  CHECK_STATUS(FV_OK, read_document(&document, engine, pages, 1, NULL, NULL, "2010-01-01"));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, NULL, 0, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, NULL, SIZE_MAX / 2, &count));
  CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_document_portrait(document, &one, 1, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_portrait(document, &one, SIZE_MAX, &count));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_page_check_at(NULL, document, 0, 0));
  fv_document_free(document);
  fv_image_free(image);
}

static void invalid_gallery_calls_are_rejected(void) {
  fv_sample *sample = take_sample(engine, "obama.jpg");
  const fv_template *templates[2];
  fv_references references = FV_REFERENCES_INIT;
  fv_comparison found[2] = {FV_COMPARISON_INIT, FV_COMPARISON_INIT};
  static const size_t counts[] = {SIZE_MAX / 8 + 1, SIZE_MAX / 2, SIZE_MAX};
  size_t i;
  templates[0] = fv_sample_template(sample);
  templates[1] = NULL;
  references.templates = templates;
  references.template_count = 2;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(found, engine, templates[0], &references, NULL, said,
                                                            sizeof said));
  CHECK(found[0].threshold == 0 && strstr(said, "NULL") != NULL);
  for (i = 0; i < COUNT(counts); i++) {
    references.template_count = counts[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(found, engine, templates[0], &references, NULL, NULL, 0));
  }
  references.template_count = 1;
  references.false_match_rate = NAN;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(found, engine, templates[0], &references, NULL, NULL, 0));
  references.false_match_rate = 0;
  found[0].struct_size = 9;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(found, engine, templates[0], &references, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(NULL, engine, templates[0], &references, NULL, NULL, 0));
  references.templates = NULL;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_compare_many(found, engine, fv_sample_template(sample), &references, NULL,
                                                            NULL, 0));
  fv_sample_free(sample);
}

static void invalid_budgets_are_rejected(void) {
  static const double seconds[] = {-1, -1e-300, NAN, -INFINITY};
  fv_image *image = open_sample("obama.jpg");
  fv_faces *faces = (fv_faces *)NOT_OURS;
  fv_budget budget = FV_BUDGET_INIT;
  size_t i;
  for (i = 0; i < COUNT(seconds); i++) {
    budget.seconds = seconds[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_detect(&faces, engine, image, NULL, &budget, NULL, 0));
    CHECK(faces == NULL);
  }
  budget.seconds = INFINITY;
  CHECK_STATUS(FV_OK, fv_engine_detect(&faces, engine, image, NULL, &budget, NULL, 0));
  fv_faces_free(faces);
  fv_image_free(image);
}

static void invalid_document_indices_are_rejected(void) {
  static const size_t beyond[] = {SIZE_MAX / 2, SIZE_MAX, 1000};
  static const fv_document_source sources[] = {-1, 0, 5, INT64_MIN, INT64_MAX};
  static const char *const fields[] = {"", "no such field", "surname ", "\xFF", "Surname"};
  fv_image *image = open_sample("obama.jpg");
  const fv_image *pages[1];
  fv_document *document = NULL;
  size_t i;
  pages[0] = image;
  CHECK_STATUS(FV_OK, read_document(&document, engine, pages, 1, NULL, NULL, "2026-06-01"));
  for (i = 0; i < COUNT(beyond); i++) {
    fv_document_check finding = FV_DOCUMENT_CHECK_INIT;
    fv_page_check one = FV_PAGE_CHECK_INIT;
    CHECK_STATUS(FV_E_ABSENT, fv_document_check_at(&finding, document, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_step_at(&finding, document, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_page_check_at(&one, document, 0, beyond[i]));
    CHECK_STATUS(FV_E_ABSENT, fv_document_page_check_at(&one, document, beyond[i], 0));
    CHECK(fv_document_page_check_count(document, beyond[i]) == 0);
    CHECK(fv_document_mismatch_at(document, beyond[i]) == NULL);
  }
  for (i = 0; i < COUNT(sources); i++) {
    fv_document_field field = FV_DOCUMENT_FIELD_INIT;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field_by_name(&field, document, sources[i], "surname"));
  }
  for (i = 0; i < COUNT(fields); i++) {
    fv_document_field field = FV_DOCUMENT_FIELD_INIT;
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_BEST, fields[i]));
  }
  fv_document_free(document);
  fv_image_free(image);
}

static void invalid_document_structs_are_rejected(void) {
  static const size_t wrong[] = {0, 1, 4, 7, 9, (size_t)1 << 20, SIZE_MAX / 2, SIZE_MAX};
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01");
  struct {
    fv_document_field known;
    int64_t later;
  } longer = {FV_DOCUMENT_FIELD_INIT, -1};
  size_t i;
  for (i = 0; i < COUNT(wrong); i++) {
    fv_document_info info = FV_DOCUMENT_INFO_INIT;
    fv_document_field field = FV_DOCUMENT_FIELD_INIT;
    fv_document_check finding = FV_DOCUMENT_CHECK_INIT;
    fv_document_binding binding = FV_DOCUMENT_BINDING_INIT;
    info.struct_size = field.struct_size = finding.struct_size = binding.struct_size = wrong[i];
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_describe(&info, document));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_BEST, "surname"));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_check_at(&finding, document, 0));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, verify(&binding, NULL, NULL, NULL, 0, NULL));
    CHECK(info.date == NULL && field.value == NULL && finding.name == NULL && binding.data == 0);
  }
  longer.known.struct_size = sizeof longer;
  CHECK_STATUS(FV_OK, fv_document_field_by_name(&longer.known, document, FV_DOCUMENT_SOURCE_BEST, "surname"));
  CHECK(longer.later == 0);
  CHECK_TEXT("ERIKSSON", longer.known.value);
  fv_document_free(document);
}

static void invalid_document_hashes_are_rejected(void) {
  static const char *const bad[] = {"",
                                    "abc",
                                    "\xFF",
                                    "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
                                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015adba7816bf8f01cfea41"
                                    "4140de5dae2223b00361a396177a9c",
                                    "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
  fv_document_binding binding = FV_DOCUMENT_BINDING_INIT;
  size_t i;
  for (i = 0; i < COUNT(bad); i++) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, verify(&binding, bad[i], NULL, "abc", 3, NULL));
    CHECK_STATUS(FV_E_BAD_ARGUMENT, verify(&binding, NULL, bad[i], NULL, 0, "abc"));
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, verify(&binding, NULL, NULL, "abc", SIZE_MAX, NULL));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, verify(&binding, NULL, NULL, NULL, 0, "\xC3"));
  CHECK(binding.portrait == 0 && binding.data == 0);
  /* Bytes of a photo without a pointer are none. */
  CHECK_STATUS(FV_OK, verify(&binding, NULL, NULL, NULL, SIZE_MAX, NULL));
  CHECK(binding.portrait == FV_CHECK_STATUS_NOT_CHECKED && binding.data == FV_CHECK_STATUS_NOT_CHECKED);
}

/* Lengths beyond the end of the file, nesting, and every truncation of a certificate and of a data group. */
static void hostile_document_files_are_rejected(void) {
  static const unsigned char files[][12] = {
      {0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x5F, 0x1F}, {0x75, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0x61},
      {0x77, 0x80, 0x30, 0x80, 0x30, 0x80, 0x30, 0x80}, {0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x06, 0x09},
      {0x75, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, {0x61, 0x5F, 0x5F, 0x1F, 0x58, 0x50, 0x3C, 0x55},
  };
  static const char *const names[] = {"EF.DG1", "EF.DG2", "EF.SOD", "EF.COM", "EF.CardAccess", "EF.CardSecurity", ""};
  static const size_t counts[] = {((size_t)10 << 20) * 3 + 1, ((size_t)32 << 20) + 1, SIZE_MAX / 2, SIZE_MAX};
  unsigned char *nested = (unsigned char *)guarded(1 << 16);
  fv_trust_store *trust = NULL;
  size_t file, name, count, i;
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, NULL, NULL, 0));
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
      status = fv_trust_store_add(trust, names[name], nested, counts[i], NULL, 0);
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
        fv_document_info info = FV_DOCUMENT_INFO_INIT;
        fv_status status;
        CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
        status = fv_chip_add(chip, names[name], bytes, size, NULL, 0);
        CHECK(status == FV_OK || status == FV_E_UNKNOWN_FORMAT);
        if (status == FV_OK) {
          CHECK_STATUS(FV_OK, read_document(&document, engine, NULL, 0, chip, trust, "2026-06-01"));
          CHECK_STATUS(FV_OK, fv_document_describe(&info, document));
          CHECK(info.result != FV_CHECK_STATUS_PASSED && fv_document_json(document) != NULL);
        }
        CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_store_add(trust, names[name], bytes, size, NULL, 0));
        fv_document_free(document);
        fv_chip_free(chip);
      }
  }
  CHECK(fv_trust_store_anchor_count(trust) == 0);
  fv_trust_store_free(trust);
}

/* Every truncation of a zone, and zones with any byte in them. */
static void hostile_document_texts_are_rejected(void) {
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

static void invalid_pixel_requests_are_rejected(void) {
  fv_image *image = open_sample("obama2.jpg"), *damaged = NULL;
  const size_t size = 3 * 626 * 1200;
  unsigned char *pixels = (unsigned char *)guarded(size), *less = (unsigned char *)guarded(size - 1);
  unsigned char *file;
  size_t count = 0, bytes;
  less[0] = 7;
  CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_image_pixels(image, less, size - 1, &count, NULL, 0));
  CHECK(count == size && less[0] == 7);
  CHECK_STATUS(FV_OK, fv_image_pixels(image, pixels, SIZE_MAX / 2, &count, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_pixels(image, pixels, SIZE_MAX, &count, NULL, 0));
  file = read_file(sample_path("obama2.jpg"), &bytes);
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&damaged, file, bytes / 3, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_pixels(damaged, NULL, 0, &count, NULL, 0));
  CHECK(count == size);
  CHECK_STATUS(FV_E_DAMAGED, fv_image_pixels(damaged, pixels, size, &count, NULL, 0));
  free(file);
  fv_image_free(damaged);
  fv_image_free(image);
}

static void no_object_remains(void) {
  fv_liveness_session_free(finished);
  fv_liveness_session_free(session);
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
}

int main(void) {
  fv_liveness_decision *decision = NULL;
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 0);
  session = make_session(engine, NULL, NULL);
  finished = make_session(engine, NULL, NULL);
  CHECK_STATUS(FV_OK, finish_session(&decision, finished));
  fv_liveness_decision_free(decision);
  RUN(handles_of_other_types_are_rejected);
  RUN(freed_handles_are_rejected);
  RUN(numbers_that_are_not_handles_are_rejected);
  RUN(borrowed_handles_cannot_be_freed);
  RUN(null_pointers_are_rejected);
  RUN(null_buffers_are_rejected);
  RUN(wrong_struct_sizes_are_rejected);
  RUN(longer_structs_are_filled_with_zeros);
  RUN(unaligned_structs_are_accepted);
  RUN(a_too_small_struct_is_not_initialised);
  RUN(ambiguous_inputs_are_rejected);
  RUN(incompatible_header_versions_are_rejected);
  RUN(invalid_engine_options_are_rejected);
  RUN(invalid_rates_are_rejected);
  RUN(invalid_requirements_are_rejected);
  RUN(indices_beyond_the_last_are_absent);
  RUN(unknown_choices_are_rejected);
  RUN(too_small_buffers_are_unchanged);
  RUN(capacities_beyond_memory_are_rejected);
  RUN(messages_are_truncated_between_characters);
  RUN(long_texts_are_rejected);
  RUN(texts_that_are_not_utf8_are_rejected);
  RUN(views_that_do_not_fit_are_rejected);
  RUN(limits_out_of_range_are_rejected);
  RUN(truncated_pictures_are_rejected);
  RUN(counts_beyond_memory_are_rejected);
  RUN(truncated_templates_are_rejected);
  RUN(paths_without_a_picture_are_rejected);
  RUN(messages_are_optional);
  RUN(half_a_field_is_ignored);
  RUN(invalid_liveness_options_are_rejected);
  RUN(invalid_liveness_frames_are_rejected);
  RUN(prompts_of_other_sizes_are_accepted);
  RUN(invalid_liveness_scripts_are_rejected);
  RUN(invalid_liveness_times_are_rejected);
  RUN(invalid_liveness_indices_are_rejected);
  RUN(invalid_gallery_calls_are_rejected);
  RUN(invalid_budgets_are_rejected);
  RUN(invalid_document_inputs_are_rejected);
  RUN(small_portrait_buffers_are_rejected);
  RUN(invalid_document_indices_are_rejected);
  RUN(invalid_document_structs_are_rejected);
  RUN(invalid_document_hashes_are_rejected);
  RUN(hostile_document_files_are_rejected);
  RUN(hostile_document_texts_are_rejected);
  RUN(invalid_pixel_requests_are_rejected);
  RUN(no_object_remains);
  return finish();
}
