/* SPDX-License-Identifier: Apache-2.0 */
/* Objects can be freed in any order, and ten thousand cycles of creating and freeing leak nothing. */
#include <malloc.h>
#include <sys/prctl.h>

#include "test.h"

enum { CYCLES = 10000, CYCLES_WITH_A_FACE = 100, ENGINES = 10 };

static fv_engine *engine;
static fv_template *face;
static unsigned char *encoded;
static size_t encoded_count;

static long resident_bytes(void) {
  long size, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

/*
 * Runs `cycle` until its memory use is stable, then `count` more times: the allocations that remain must be fewer than
 * one per cycle, and the process may grow only by page fragments.
 */
static void repeat(void (*cycle)(void), int count) {
  const size_t allowed_bytes = 16 * (size_t)count + (16 << 10);
  size_t living = fv_live_objects(), allocated;
  long resident;
  int i;
  for (i = 0; i < count / 5 + 10; i++) cycle();
  malloc_trim(0);
  allocated = mallinfo2().uordblks;
  resident = resident_bytes();
  for (i = 0; i < count; i++) cycle();
  malloc_trim(0);
  CHECK(resident > 0 && fv_live_objects() == living);
  if (!CHECK(mallinfo2().uordblks < allocated + allowed_bytes))
    printf("  %.1f bytes a cycle\n", ((double)mallinfo2().uordblks - (double)allocated) / count);
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed for a while, and looks for leaks itself */
  if (!CHECK(resident_bytes() <= resident + (256 << 10)))
    printf("  %.1f bytes a cycle\n", (double)(resident_bytes() - resident) / count);
#endif
}

static void images_cycle(void) {
  static const unsigned char pixels[3 * 16 * 16];
  fv_image *from_bytes = NULL, *from_pixels = NULL, *none = NULL;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  char message[FV_MESSAGE_BYTES];
  view.data = pixels;
  view.byte_count = sizeof pixels;
  view.width = view.height = 16;
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&from_bytes, encoded, encoded_count, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&from_pixels, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, from_bytes));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, from_pixels));
  CHECK_STATUS(FV_E_UNREADABLE, fv_image_from_file(&none, "missing.jpg", NULL, message, sizeof message));
  fv_image_free(from_bytes);
  fv_image_free(from_pixels);
}

static void comparisons_cycle(void) {
  fv_quality_policy *quality = NULL;
  fv_comparison_policy policy = FV_COMPARISON_POLICY_INIT;
  fv_cancellation *cancellation = NULL;
  fv_budget budget = FV_BUDGET_INIT;
  fv_template *copy = NULL;
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_input input = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  unsigned char bytes[580];
  size_t count;
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&quality, "selfie", NULL, 0));
  CHECK_STATUS(FV_OK, fv_quality_policy_require(quality, "sharpness", 0.1, NAN, NAN, NAN, NULL, 0));
  CHECK_STATUS(FV_OK, fv_cancellation_create(&cancellation, NULL, 0));
  policy.selfie = quality;
  budget.cancellation = cancellation;
  CHECK_STATUS(FV_OK, fv_template_serialise(face, bytes, sizeof bytes, &count));
  CHECK_STATUS(FV_OK, fv_template_from_bytes(&copy, bytes, count, NULL, 0));
  CHECK_STATUS(FV_OK, fv_template_describe(&info, copy));
  CHECK_STATUS(FV_OK, compare_templates(&comparison, engine, face, copy));
  input.face_template = copy;
  CHECK_STATUS(FV_OK, fv_engine_compare(&decision, engine, &input, &input, &policy, &budget, said, sizeof said));
  CHECK(fv_decision_json(decision) != NULL && *said == '\0');
  fv_decision_free(decision);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, compare_inputs(&decision, engine, &input, NULL));
  CHECK(*said != '\0');
  fv_template_free(copy);
  fv_cancellation_free(cancellation);
  fv_quality_policy_free(quality);
}

/* Everything that can be borrowed from a decision, requested twice. */
static void decisions_cycle(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "biden.jpg");
  const fv_sample *sides[2];
  size_t side, i;
  sides[0] = fv_decision_selfie(decision);
  sides[1] = fv_decision_portrait(decision);
  for (side = 0; side < 4; side++) {
    const fv_sample *sample = sides[side % 2];
    fv_template_info info = FV_TEMPLATE_INFO_INIT;
    fv_quality_check one = FV_QUALITY_CHECK_INIT;
    CHECK(fv_sample_json(sample) != NULL && fv_faces_json(fv_sample_faces(sample)) != NULL);
    CHECK_STATUS(FV_OK, fv_template_describe(&info, fv_sample_template(sample)));
    for (i = 0; i < fv_sample_check_count(sample); i++) CHECK_STATUS(FV_OK, fv_sample_check_at(&one, sample, i));
  }
  for (i = 0; i < fv_decision_reason_count(decision); i++) CHECK(reason_of(decision, i).text != NULL);
  CHECK(fv_decision_json(decision) != NULL);
  fv_decision_free(decision);
}

/* The same for one long-lived object, repeatedly. */
static void borrowing_cycle(void) {
  static fv_sample *sample;
  fv_quality_check one = FV_QUALITY_CHECK_INIT;
  if (sample == NULL) sample = take_sample(engine, "obama.jpg");
  CHECK(fv_faces_count(fv_sample_faces(sample)) == 1 && fv_sample_template(sample) != NULL);
  CHECK_STATUS(FV_OK, fv_sample_check_at(&one, sample, 3));
  CHECK(fv_status_name(FV_E_BUSY) != NULL && fv_version_string() != NULL && fv_quality_measure_at(4) != NULL);
  CHECK(fv_engine_json(engine) != NULL && fv_sample_json(sample) != NULL);
}

/* An image without a face, created by the first call. */
static fv_image *grey(void) {
  static fv_image *made;
  static const unsigned char pixels[64 * 64];
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  view.data = pixels;
  view.byte_count = sizeof pixels;
  view.width = view.height = 64;
  view.pixel_format = FV_PIXEL_FORMAT_GRAY8;
  if (made == NULL) CHECK_STATUS(FV_OK, fv_image_from_pixels(&made, &view, NULL, NULL, 0));
  return made;
}

/* A session with all options, abandoned without a frame or, in every tenth cycle, after one. */
static void sessions_cycle(void) {
  static int cycles;
  fv_liveness_request_store *open = NULL;
  fv_liveness_request *request = NULL;
  fv_liveness_request_info info = FV_LIVENESS_REQUEST_INFO_INIT;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_session *session = NULL;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&request, open, NULL, 0, 0, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_describe(&info, request));
  options.policy = "strict";
  options.portrait = face;
  options.camera_driver = options.camera_name = "camera";
  CHECK_STATUS(FV_OK, fv_liveness_session_create(&session, engine, request, 0, &options, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, add_frame(session, NULL, 0));
  CHECK(*said != '\0');
  if (cycles++ % 10 == 0) CHECK_STATUS(FV_OK, add_frame(session, grey(), 0));
  fv_liveness_session_free(session);
  fv_liveness_request_free(request);
  fv_liveness_request_store_free(open);
}

/* One frame with a face, and everything that can be borrowed from the decision. */
static void liveness_decisions_cycle(void) {
  fv_image *photo = open_sample("obama.jpg");
  fv_liveness_session *session = make_session(engine, NULL, NULL);
  fv_liveness_decision *decision = NULL;
  fv_liveness_evidence evidence = FV_LIVENESS_EVIDENCE_INIT;
  fv_liveness_check one = FV_LIVENESS_CHECK_INIT;
  fv_quality_check quality = FV_QUALITY_CHECK_INIT;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  size_t i;
  CHECK_STATUS(FV_OK, add_frame(session, photo, 0));
  fv_image_free(photo);
  CHECK_STATUS(FV_OK, finish_session(&decision, session));
  fv_liveness_session_free(session);
  for (i = 0; i < 2; i++) {
    CHECK_STATUS(FV_OK, fv_liveness_decision_describe(&evidence, decision));
    CHECK_STATUS(FV_OK, fv_liveness_decision_check_at(&one, decision, i));
    CHECK_STATUS(FV_OK, fv_liveness_decision_quality_at(&quality, decision, i));
    CHECK_STATUS(FV_OK, fv_image_describe(&info, fv_liveness_decision_selfie(decision)));
    CHECK(fv_liveness_decision_template(decision) != NULL && fv_liveness_decision_json(decision) != NULL);
  }
  fv_liveness_decision_free(decision);
}

/* A typed zone and everything that can be borrowed from it, a chip, and invalid certificates. */
static void documents_cycle(void) {
  static const unsigned char file[] = {0x61, 0x00};
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01");
  fv_document_info info = FV_DOCUMENT_INFO_INIT;
  fv_document_check finding = FV_DOCUMENT_CHECK_INIT;
  fv_document_binding binding = FV_DOCUMENT_BINDING_INIT;
  fv_trust_store *trust = NULL;
  fv_chip *chip = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_document_describe(&info, document));
  for (i = 0; fv_document_field_name_at(i) != NULL; i++) {
    fv_document_field field = FV_DOCUMENT_FIELD_INIT;
    CHECK_STATUS(FV_OK, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_BEST,
                                                  fv_document_field_name_at(i)));
  }
  CHECK_STATUS(FV_OK, fv_document_check_at(&finding, document, 0));
  CHECK(fv_document_json(document) != NULL && fv_document_data_json(document) != NULL);
  CHECK_STATUS(FV_OK, verify(&binding, NULL, info.data_sha256, NULL, 0, fv_document_data_json(document)));
  fv_document_free(document);
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_from_mrz(&document, "P<", "2010-01-01", NULL, 0));
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, NULL, NULL, 0));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_store_add(trust, "name", file, sizeof file, NULL, 0));
  CHECK(fv_trust_store_json(trust) != NULL);
  fv_trust_store_free(trust);
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", file, sizeof file, NULL, 0));
  fv_chip_free(chip);
}

/* A chip with trusted certificates, the photo of a page, and the comparison with a selfie. */
static void chips_cycle(void) {
  static fv_trust_store *trust;
  fv_chip *chip = open_chip("td3-jpeg");
  fv_image *photo = open_sample("obama.jpg");
  const fv_image *pages[1];
  fv_document *document = NULL;
  fv_decision *decision = NULL;
  fv_input input = FV_INPUT_INIT;
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  size_t i, count;
  pages[0] = photo;
  if (trust == NULL) trust = open_trust();
  CHECK_STATUS(FV_OK, read_document(&document, engine, pages, 1, chip, trust, "2026-06-01"));
  fv_chip_free(chip);
  for (i = 0; i < 2; i++) {
    fv_document_check finding = FV_DOCUMENT_CHECK_INIT;
    fv_page_check one = FV_PAGE_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_document_step_at(&finding, document, i));
    CHECK_STATUS(FV_OK, fv_document_page_check_at(&one, document, 0, i));
    CHECK_STATUS(FV_OK, fv_document_portrait(document, NULL, 0, &count));
    CHECK_STATUS(FV_OK, fv_template_describe(&info, fv_sample_template(fv_document_sample(document))));
    CHECK(fv_document_json(document) != NULL && fv_trust_store_json(trust) != NULL);
  }
  input.image = photo;
  CHECK_STATUS(FV_OK, compare_document(&decision, engine, &input, document));
  fv_image_free(photo);
  fv_document_free(document);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && fv_decision_json(decision) != NULL);
  fv_decision_free(decision);
}

static void engines_cycle(void) {
  fv_engine *made = make_engine(NULL, 1);
  fv_decision_free(compare_samples(made, "obama.jpg", "obama2.jpg"));
  fv_engine_free(made);
}

static void images(void) { repeat(images_cycle, CYCLES); }
static void comparisons(void) { repeat(comparisons_cycle, CYCLES); }
static void decisions(void) { repeat(decisions_cycle, CYCLES_WITH_A_FACE); }
/* A cancelled journey with all of its outputs, and its record. */
static void journeys_cycle(void) {
  static const char *const configuration =
      "{\"requests\": [{\"category\": \"face\"}], \"userReference\": \"anna@example.org\"}";
  fv_journey *journey = NULL;
  fv_journey_event event = FV_JOURNEY_EVENT_INIT;
  fv_journey_info info = FV_JOURNEY_INFO_INIT;
  fv_journey_outcome outcome = FV_JOURNEY_OUTCOME_INIT;
  fv_signer signer = FV_SIGNER_INIT;
  fv_record *record = NULL;
  fv_record_verification verification = FV_RECORD_VERIFICATION_INIT;
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  signer.private_key = PRIVATE_KEY;
  options.json = configuration;
  options.portrait = face;
  CHECK_STATUS(FV_OK, fv_journey_create(&journey, engine, &options, 0, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_START, 0, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_start_credential(journey, 0, 0, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_start_part(journey, FV_JOURNEY_PART_FACE, 0, 0, said, sizeof said));
  CHECK_STATUS(FV_E_WRONG_STATE, fv_journey_perform(journey, FV_JOURNEY_CALL_START, 0, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_CANCEL, 0, said, sizeof said));
  while (fv_journey_next_event(&event, journey) == FV_OK) CHECK(*event.json == '{');
  CHECK_STATUS(FV_OK, fv_journey_describe(&info, journey));
  CHECK(*fv_journey_warning_at(journey, 0) != '\0');
  CHECK_STATUS(FV_OK, fv_journey_result(&outcome, journey));
  CHECK_STATUS(FV_OK, fv_journey_record(&record, journey, &signer, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_clear(journey, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_record_verify(&verification, record, PUBLIC_KEY, said, sizeof said));
  fv_journey_free(journey);
  fv_record_free(record);
}

static void journeys(void) { repeat(journeys_cycle, CYCLES / 10); }

static void sessions(void) {
  sessions_cycle();
  repeat(sessions_cycle, CYCLES);
}
static void documents(void) { repeat(documents_cycle, CYCLES); }
/* OpenSSL's caches grow and are cleared at random: by far less than a chip. */
static void chips(void) {
  size_t allocated, living;
  int i;
  if (!has_documents()) return;
  for (i = 0; i < CYCLES_WITH_A_FACE; i++) chips_cycle();
  living = fv_live_objects();
  allocated = mallinfo2().uordblks;
  for (i = 0; i < CYCLES_WITH_A_FACE; i++) chips_cycle();
  CHECK(fv_live_objects() == living);
  if (!CHECK(mallinfo2().uordblks < allocated + CYCLES_WITH_A_FACE * 1024))
    printf("  %.1f bytes a chip\n", ((double)mallinfo2().uordblks - (double)allocated) / CYCLES_WITH_A_FACE);
}
static void liveness_decisions(void) { repeat(liveness_decisions_cycle, CYCLES_WITH_A_FACE); }
static void borrowing(void) {
  borrowing_cycle();
  repeat(borrowing_cycle, CYCLES);
}

/* The tolerance covers fragments and small leaks of libraries per engine: far less than an engine. */
static void engines(void) {
  size_t allocated;
  int i;
  for (i = 0; i < ENGINES; i++) engines_cycle();
  allocated = mallinfo2().uordblks;
  for (i = 0; i < ENGINES; i++) engines_cycle();
  if (!CHECK(mallinfo2().uordblks < allocated + ENGINES * 4096))
    printf("  %.1f bytes an engine\n", ((double)mallinfo2().uordblks - (double)allocated) / ENGINES);
}

static void free_in_any_order(void) {
  size_t living = fv_live_objects();
  fv_engine *made = make_engine(NULL, 1);
  fv_quality_policy *quality = NULL;
  fv_comparison_policy policy = FV_COMPARISON_POLICY_INIT;
  fv_image *image = open_sample("obama.jpg");
  fv_input input = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  fv_sample *sample = NULL;
  fv_face one = FV_FACE_INIT;
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&quality, "selfie", NULL, 0));
  policy.selfie = quality;
  input.image = image;
  CHECK_STATUS(FV_OK, fv_engine_compare(&decision, made, &input, &input, &policy, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, sample_image(&sample, made, image, NULL));
  fv_quality_policy_free(quality);
  fv_engine_free(made);
  fv_image_free(image);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && fv_decision_json(decision) != NULL);
  CHECK_STATUS(FV_OK, fv_faces_at(&one, fv_sample_faces(fv_decision_selfie(decision)), 0));
  fv_decision_free(decision);
  CHECK(fv_sample_template(sample) != NULL);
  fv_sample_free(sample);
  CHECK(fv_live_objects() == living);
}

static void borrowed_handles_die_with_their_owner(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "obama2.jpg");
  const fv_sample *selfie = fv_decision_selfie(decision);
  const fv_faces *faces = fv_sample_faces(selfie);
  const fv_template *its_face = fv_sample_template(selfie);
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  size_t living = fv_live_objects();
  CHECK(fv_sample_is_accepted(selfie) == 1 && fv_faces_count(faces) == 1);
  CHECK_STATUS(FV_OK, fv_template_describe(&info, its_face));
  fv_decision_free(decision);
  CHECK(fv_live_objects() == living - 1);
  CHECK(fv_sample_is_accepted(selfie) == 0 && fv_sample_json(selfie) == NULL && fv_faces_count(faces) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_describe(&info, its_face));
}

/* A session retains what it needs; a decision outlives its session, but borrowed data do not outlive the decision. */
static void sessions_in_any_order(void) {
  size_t living = fv_live_objects();
  fv_engine *made = make_engine(NULL, 1);
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  fv_liveness_request *request = NULL;
  fv_liveness_request_store *open = NULL;
  fv_liveness_session *session = NULL;
  fv_liveness_decision *decision = NULL;
  fv_template *portrait = NULL;
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  fv_image_info of_selfie = FV_IMAGE_INFO_INIT;
  const fv_image *selfie;
  const fv_template *average;
  fv_image *photo = open_sample("obama.jpg");
  unsigned char bytes[580];
  size_t count;
  CHECK_STATUS(FV_OK, fv_template_serialise(face, bytes, sizeof bytes, &count));
  CHECK_STATUS(FV_OK, fv_template_from_bytes(&portrait, bytes, count, NULL, 0));
  options.portrait = portrait;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&open, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&request, open, NULL, 0, 0, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_session_create(&session, made, request, 0, &options, NULL, 0));
  fv_liveness_request_free(request);
  fv_template_free(portrait);
  fv_engine_free(made);
  CHECK_STATUS(FV_OK, add_frame(session, photo, 0));
  fv_image_free(photo);
  CHECK_STATUS(FV_OK, finish_session(&decision, session));
  fv_liveness_session_free(session);
  CHECK_STATUS(FV_OK, fv_liveness_request_store_accept(open, decision, 0, NULL, 0));
  fv_liveness_request_store_free(open);
  selfie = fv_liveness_decision_selfie(decision);
  average = fv_liveness_decision_template(decision);
  fv_image_free((fv_image *)selfie);
  fv_template_free((fv_template *)average);
  CHECK_STATUS(FV_OK, fv_image_describe(&of_selfie, selfie));
  CHECK(of_selfie.width == 910 && of_selfie.height == 1137);
  CHECK_STATUS(FV_OK, fv_template_describe(&info, average));
  CHECK(fv_live_objects() == living + 1);
  fv_liveness_decision_free(decision);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_describe(&of_selfie, selfie));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_describe(&info, average));
  CHECK(fv_live_objects() == living);
}

/* A document retains what it needs of pages, chip, trust and engine; borrowed data do not outlive it. */
static void documents_in_any_order(void) {
  size_t living = fv_live_objects(), count;
  fv_engine *made = make_engine(NULL, 1);
  fv_image *photo = open_sample("obama.jpg");
  const fv_image *pages[1];
  fv_trust_store *trust = NULL;
  fv_document *document = NULL;
  const fv_sample *sample;
  const fv_template *portrait;
  fv_template_info info = FV_TEMPLATE_INFO_INIT;
  pages[0] = photo;
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, read_document(&document, made, pages, 1, NULL, trust, "2026-06-01"));
  fv_engine_free(made);
  fv_image_free(photo);
  fv_trust_store_free(trust);
  CHECK(fv_live_objects() == living + 1);
  CHECK_STATUS(FV_OK, fv_document_portrait(document, NULL, 0, &count));
  sample = fv_document_sample(document);
  portrait = fv_sample_template(sample);
  fv_sample_free((fv_sample *)sample);
  CHECK_STATUS(FV_OK, fv_template_describe(&info, portrait));
  CHECK(fv_sample_is_accepted(sample) == 1);
  fv_document_free(document);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_template_describe(&info, portrait));
  CHECK(fv_sample_is_accepted(sample) == 0 && fv_live_objects() == living);
}

static void live_objects_are_counted(void) {
  fv_image *image = NULL;
  fv_faces *faces = NULL;
  size_t living = fv_live_objects();
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&image, encoded, encoded_count, NULL, NULL, 0));
  CHECK(fv_live_objects() == living + 1);
  CHECK_STATUS(FV_OK, detect_faces(&faces, engine, image, 0));
  CHECK(fv_live_objects() == living + 2);
  fv_image_free(image);
  fv_image_free(image);
  fv_faces_free(NULL);
  CHECK(fv_live_objects() == living + 1);
  fv_faces_free(faces);
  CHECK(fv_live_objects() == living);
}

int main(void) {
  fv_sample *sample;
  unsigned char bytes[580];
  size_t count;
  if (!has_samples()) return finish();
  /* Otherwise the kernel merges small pages into large ones in the background, and the process grows by unused memory.
  */
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  engine = make_engine(NULL, 1);
  sample = take_sample(engine, "obama.jpg");
  require(fv_template_serialise(fv_sample_template(sample), bytes, sizeof bytes, &count), "serialise", NULL);
  require(fv_template_from_bytes(&face, bytes, count, NULL, 0), "read the template", NULL);
  fv_sample_free(sample);
  encoded = read_file(sample_path("obama.jpg"), &encoded_count);
  RUN(live_objects_are_counted);
  RUN(free_in_any_order);
  RUN(borrowed_handles_die_with_their_owner);
  RUN(sessions_in_any_order);
  RUN(documents_in_any_order);
  RUN(images);
  RUN(comparisons);
  RUN(decisions);
  RUN(sessions);
  RUN(journeys);
  RUN(liveness_decisions);
  RUN(documents);
  RUN(chips);
  RUN(borrowing);
  RUN(engines);
  return finish();
}
