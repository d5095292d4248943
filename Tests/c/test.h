/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common to all C tests. A test is a function without arguments that RUN() calls; it passes if each CHECK in it does.
 * main() ends with `return finish();`, which prints "N passed, M failed". Threads do not CHECK: they store their
 * results, which the test checks.
 */
#ifndef TEST_H
#define TEST_H

#include <faceverify.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The message of the last call below, on this thread. */
static __thread char said[FV_MESSAGE_BYTES];

static int passed_tests, failed_tests, failed_checks;
static const char *skip_reason;

#define CHECK(condition) check((condition) != 0, __FILE__, __LINE__, #condition)
#define CHECK_STATUS(expected, call) check_status(expected, call, __FILE__, __LINE__, #call)
#define CHECK_TEXT(expected, found) check_text(expected, found, __FILE__, __LINE__, #found)
#define RUN(test) run_test(test, #test)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline int check(int good, const char *file, int line, const char *what) {
  if (!good) {
    failed_checks++;
    printf("%s:%d: %s\n", file, line, what);
  }
  return good;
}

static inline int check_status(fv_status expected, fv_status found, const char *file, int line, const char *what) {
  if (!check(expected == found, file, line, what))
    printf("  expected %s, found %s (%d)\n", fv_status_name(expected), fv_status_name(found), (int)found);
  return expected == found;
}

static inline int check_text(const char *expected, const char *found, const char *file, int line, const char *what) {
  int same = found != NULL && strcmp(expected, found) == 0;
  if (!check(same, file, line, what)) printf("  expected \"%s\", found \"%s\"\n", expected, found ? found : "(NULL)");
  return same;
}

/* In a test, before `return`. */
static inline void skip(const char *reason) { skip_reason = reason; }

static inline void run_test(void (*test)(void), const char *name) {
  failed_checks = 0;
  skip_reason = NULL;
  test();
  if (skip_reason != NULL) {
    printf("skipped: %s: %s\n", name, skip_reason);
    return;
  }
  printf("%s: %s\n", failed_checks == 0 ? "ok" : "FAILED", name);
  if (failed_checks == 0)
    passed_tests++;
  else
    failed_tests++;
  fflush(stdout);
}

static inline int finish(void) {
  printf("%d passed, %d failed\n", passed_tests, failed_tests);
  return failed_tests != 0;
}

/* ---- Photos ---- */

/* The path of a file in the folder given by a variable; valid until the eighth next call. */
static inline const char *path_in(const char *variable, const char *standard, const char *name) {
  static char paths[8][4096];
  static int next;
  const char *folder = getenv(variable);
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder ? folder : standard, name);
  return path;
}

/* The path of a sample photo; valid until the eighth next call. */
static inline const char *sample_path(const char *name) { return path_in("FACEVERIFY_SAMPLES", ".deps/samples", name); }

/* 0, after printing a line, if the tests cannot run without photos. */
static inline int has_samples(void) {
  if (access(sample_path("obama.jpg"), R_OK) == 0 && access(sample_path("obama2.jpg"), R_OK) == 0 &&
      access(sample_path("biden.jpg"), R_OK) == 0)
    return 1;
  printf("skipped: all of it: no sample photos; FACEVERIFY_SAMPLES names their folder\n");
  return 0;
}

/* ---- Documents ---- */

/* The path of a file of the test documents, whose folder has chips/ and pages/; valid until the eighth next call. */
static inline const char *test_document_path(const char *name) {
  return path_in("FACEVERIFY_DOCUMENTS", ".deps/documents", name);
}

/* The path of a generated chip, or of a file next to them; valid until the eighth next call. */
static inline const char *document_path(const char *name) {
  char file[2048];
  snprintf(file, sizeof file, "chips/%s", name);
  return test_document_path(file);
}

/* 0 in a test that is skipped because there are no generated chips. */
static inline int has_documents(void) {
  if (access(document_path("chips.json"), R_OK) == 0) return 1;
  skip("no test documents; FACEVERIFY_DOCUMENTS names their folder, which scripts/test makes");
  return 0;
}

/* The path of a drawn code; valid until the eighth next call. */
static inline const char *code_path(const char *name) {
  return path_in("FACEVERIFY_CODES", "Tests/DocumentImagingTests/Fixtures/codes", name);
}

/* A zone of ICAO 9303-4, appendix B. */
#define SPECIMEN "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10"

/* ---- Keys ---- */

/* Made with `openssl genpkey -algorithm ed25519`, for these tests. */
#define PRIVATE_KEY \
  "-----BEGIN PRIVATE KEY-----\n" \
  "MC4CAQAwBQYDK2VwBCIEIIKd1Te9S3DlPi/uV3L2NfKPBvK3rzA4H/rTDtaXKBxE\n" \
  "-----END PRIVATE KEY-----\n"
#define PUBLIC_KEY \
  "-----BEGIN PUBLIC KEY-----\n" \
  "MCowBQYDK2VwAyEAg2SethwxXEIINqeyA4sEX2G2TFccRaKR/3Yv7KNJXr0=\n" \
  "-----END PUBLIC KEY-----\n"

/* ---- Required objects: a failure ends the program ---- */

static inline void require(fv_status status, const char *what, const char *message) {
  if (status == FV_OK) return;
  printf("FAILED: %s: %s: %s\n", what, fv_status_name(status), message ? message : "");
  failed_tests++;
  exit(finish());
}

static inline fv_engine *make_engine(const char *model_set, int64_t threads) {
  fv_engine *engine = NULL;
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  char message[FV_MESSAGE_BYTES] = "";
  options.model_set = model_set;
  options.thread_count = threads;
  require(fv_engine_create(&engine, FV_VERSION_NUMBER, &options, message, sizeof message), "fv_engine_create", message);
  return engine;
}

static char gallery_folder[] = "/tmp/fv-galleries-XXXXXX";
static int galleries_made;

/* Valid until the next call. */
static inline const char *gallery_path(int number) {
  static char path[64];
  snprintf(path, sizeof path, "%s/%d", gallery_folder, number);
  return path;
}

static inline void remove_galleries(void) {
  while (galleries_made > 0) unlink(gallery_path(galleries_made--));
  rmdir(gallery_folder);
}

/* A new gallery, gallery_path(galleries_made), whose file is removed when the program ends. */
static inline fv_gallery *make_gallery(const fv_engine *engine) {
  fv_gallery *gallery = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  if (galleries_made++ == 0 && (mkdtemp(gallery_folder) == NULL || atexit(remove_galleries) != 0))
    require(FV_E_UNWRITABLE, "mkdtemp", gallery_folder);
  require(fv_gallery_open(&gallery, engine, gallery_path(galleries_made), NULL, 0, message, sizeof message),
          "fv_gallery_open", message);
  return gallery;
}

static inline fv_image *open_sample(const char *name) {
  fv_image *image = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  require(fv_image_from_file(&image, sample_path(name), NULL, message, sizeof message), "fv_image_from_file", message);
  return image;
}

/* ---- Calls without a budget; their message is in `said` ---- */

static inline fv_status compare_inputs(fv_decision **out, const fv_engine *engine, const fv_input *selfie,
                                       const fv_input *portrait) {
  return fv_engine_compare(out, engine, selfie, portrait, NULL, NULL, said, sizeof said);
}

static inline fv_status compare_document(fv_decision **out, const fv_engine *engine, const fv_input *selfie,
                                         const fv_document *document) {
  return fv_engine_compare_document(out, engine, selfie, document, NULL, NULL, said, sizeof said);
}

static inline fv_status compare_templates(fv_comparison *out, const fv_engine *engine, const fv_template *a,
                                          const fv_template *b) {
  return fv_engine_compare_templates(out, engine, a, b, 0, said, sizeof said);
}

static inline fv_status detect_faces(fv_faces **out, const fv_engine *engine, const fv_image *image, int small_faces) {
  fv_detect_options options = FV_DETECT_OPTIONS_INIT;
  options.small_faces = small_faces;
  return fv_engine_detect(out, engine, image, &options, NULL, said, sizeof said);
}

static inline fv_status sample_image(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                     const fv_quality_policy *policy) {
  return fv_engine_sample(out, engine, image, policy, NULL, said, sizeof said);
}

static inline fv_status assess_image(fv_sample **out, const fv_engine *engine, const fv_image *image,
                                     const fv_quality_policy *policy) {
  return fv_engine_assess(out, engine, image, policy, NULL, said, sizeof said);
}

/* Challenges with the default holds and pauses, unless given. */
static inline fv_status request_of(fv_liveness_request **out, const fv_challenge *challenges, const double *holds,
                                   const double *pauses, size_t count, const void *nonce, size_t nonce_bytes) {
  fv_challenge_prompt prompts[13];
  size_t i;
  memset(prompts, 0, sizeof prompts);
  for (i = 0; count <= COUNT(prompts) && i < count; i++) {
    fv_struct_init(&prompts[i], sizeof prompts[i]);
    prompts[i].challenge = challenges[i];
    prompts[i].hold = holds ? holds[i] : 0.5;
    prompts[i].pause = pauses ? pauses[i] : 0.3;
  }
  return fv_liveness_request_from_script(out, prompts, count, nonce, nonce_bytes, said, sizeof said);
}

static inline fv_status feed(fv_liveness_feedback *out, fv_liveness_session *session, const fv_liveness_frame *frame) {
  return fv_liveness_session_add(out, session, frame, NULL, said, sizeof said);
}

static inline fv_status finish_session(fv_liveness_decision **out, fv_liveness_session *session) {
  return fv_liveness_session_finish(out, session, said, sizeof said);
}

static inline fv_status read_document(fv_document **out, const fv_engine *engine, const fv_image *const *pages,
                                      size_t page_count, const fv_chip *chip, const fv_trust_store *trust,
                                      const char *date) {
  fv_document_input input = FV_DOCUMENT_INPUT_INIT;
  input.pages = pages;
  input.page_count = page_count;
  input.chip = chip;
  input.trust = trust;
  input.date = date;
  return fv_document_read(out, engine, &input, NULL, said, sizeof said);
}

static inline fv_status verify(fv_document_binding *out, const char *portrait_sha256, const char *data_sha256,
                               const void *portrait, size_t portrait_bytes, const char *data) {
  fv_document_copy copy = FV_DOCUMENT_COPY_INIT;
  copy.portrait_sha256 = portrait_sha256;
  copy.data_sha256 = data_sha256;
  copy.portrait = portrait;
  copy.portrait_bytes = portrait_bytes;
  copy.data = data;
  return fv_document_verify(out, &copy, said, sizeof said);
}

/* NULLs if there is no such reason. */
static inline fv_reason reason_of(const fv_decision *decision, size_t index) {
  fv_reason reason = FV_REASON_INIT;
  (void)(fv_decision_reason_at(&reason, decision, index) == FV_OK);
  return reason;
}

static inline fv_sample *take_sample(const fv_engine *engine, const char *name) {
  fv_image *image = open_sample(name);
  fv_sample *sample = NULL;
  require(sample_image(&sample, engine, image, NULL), "fv_engine_sample", said);
  fv_image_free(image);
  return sample;
}

static inline fv_decision *compare_samples(const fv_engine *engine, const char *selfie, const char *portrait) {
  fv_input a = FV_INPUT_INIT, b = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  a.path = sample_path(selfie);
  b.path = sample_path(portrait);
  require(compare_inputs(&decision, engine, &a, &b), "fv_engine_compare", said);
  return decision;
}

/* With a request that does not expire, or NULL. */
static inline fv_liveness_session *make_session(const fv_engine *engine, const fv_liveness_request *request,
                                                const fv_liveness_options *options) {
  fv_liveness_session *session = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  fv_status status = fv_liveness_session_create(&session, engine, request, 0, options, message, sizeof message);
  require(status, "fv_liveness_session_create", message);
  return session;
}

static inline fv_status add_frame(fv_liveness_session *session, const fv_image *image, double time) {
  fv_liveness_feedback feedback = FV_LIVENESS_FEEDBACK_INIT;
  fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
  frame.image = image;
  frame.time = time;
  return feed(&feedback, session, &frame);
}

static inline fv_document *parse_mrz(const char *text, const char *date) {
  fv_document *document = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  require(fv_document_from_mrz(&document, text, date, message, sizeof message), "fv_document_from_mrz", message);
  return document;
}

/* A generated chip, by its folder's name. */
static inline fv_chip *open_chip(const char *name) {
  fv_chip *chip = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  require(fv_chip_create(&chip, document_path(name), message, sizeof message), "fv_chip_create", message);
  return chip;
}

/* The certificates of the generated chips. */
static inline fv_trust_store *open_trust(void) {
  fv_trust_store *trust = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  require(fv_trust_store_create(&trust, document_path("trust"), message, sizeof message), "fv_trust_store_create",
          message);
  return trust;
}

/* At the reference date of the generated chips. */
static inline fv_document *read_chip(const fv_engine *engine, const fv_chip *chip, const fv_trust_store *trust) {
  fv_document *document = NULL;
  require(read_document(&document, engine, NULL, 0, chip, trust, "2026-06-01"), "fv_document_read", said);
  return document;
}

/* ---- Memory ---- */

/* `size` bytes followed by inaccessible memory; released when the process ends. */
static inline void *guarded(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = (size + page - 1) / page;
  char *start = (char *)mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == (char *)MAP_FAILED || mprotect(start + pages * page, page, PROT_NONE) != 0) {
    perror("mmap");
    exit(1);
  }
  return start + pages * page - size;
}

/* The bytes of a file; the caller frees them. */
static inline unsigned char *read_file(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes;
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  *count = (size_t)ftell(file);
  rewind(file);
  bytes = (unsigned char *)malloc(*count + 1);
  if (bytes == NULL || fread(bytes, 1, *count, file) != *count) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

#endif
