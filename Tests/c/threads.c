/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that threads may share yield the right result to each of them; others report concurrent use. */
#include <pthread.h>

#include "test.h"

enum { THREADS = 8, ROUNDS = 4, MANY = 20000000 };

static fv_engine *engine;

/* Runs `work` on every thread with its number; all must return 0. */
static int run_threads(void *(*work)(void *)) {
  pthread_t threads[THREADS];
  intptr_t i;
  int failures = 0;
  for (i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0) abort();
  for (i = 0; i < THREADS; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    failures += failed != NULL;
  }
  return failures;
}

#define FAILURE ((void *)1)

/* ---- One engine ---- */

static const char *const names[] = {"obama.jpg", "obama2.jpg", "biden.jpg"};
static char *paths[COUNT(names)];
static char *expected[COUNT(names) * COUNT(names)];

/* Every pair of photos, each thread starting with another one. */
static void *compare_all(void *number) {
  size_t i, pair;
  void *failed = NULL;
  for (i = 0; i < ROUNDS * COUNT(expected); i++) {
    fv_input a = FV_INPUT_INIT, b = FV_INPUT_INIT;
    fv_decision *decision = NULL;
    pair = (i + (size_t)(intptr_t)number) % COUNT(expected);
    a.path = paths[pair / COUNT(names)];
    b.path = paths[pair % COUNT(names)];
    if (compare_inputs(&decision, engine, &a, &b) != FV_OK ||
        strcmp(fv_decision_json(decision), expected[pair]) != 0)
      failed = FAILURE;
    fv_decision_free(decision);
  }
  return failed;
}

static void threads_share_an_engine(void) {
  size_t i, living = fv_live_objects();
  for (i = 0; i < COUNT(names); i++) paths[i] = strdup(sample_path(names[i]));
  for (i = 0; i < COUNT(expected); i++) {
    fv_decision *decision = compare_samples(engine, names[i / COUNT(names)], names[i % COUNT(names)]);
    expected[i] = strdup(fv_decision_json(decision));
    fv_decision_free(decision);
  }
  CHECK(run_threads(compare_all) == 0);
  CHECK(fv_live_objects() == living);
  for (i = 0; i < COUNT(expected); i++) free(expected[i]);
  for (i = 0; i < COUNT(names); i++) free(paths[i]);
}

static void *make_and_free(void *number) {
  void *failed = NULL;
  int i;
  (void)number;
  for (i = 0; i < 3; i++) {
    fv_engine *own = NULL;
    fv_threshold threshold = FV_THRESHOLD_INIT;
    if (fv_engine_create(&own, FV_VERSION_NUMBER, NULL, NULL, 0) != FV_OK ||
        fv_engine_threshold(&threshold, engine, 1e-3, NULL, 0) != FV_OK)
      failed = FAILURE;
    fv_engine_free(own);
  }
  return failed;
}

static void threads_have_an_engine_each(void) {
  size_t living = fv_live_objects();
  CHECK(run_threads(make_and_free) == 0);
  CHECK(fv_live_objects() == living);
}

/* ---- Immutable objects ---- */

static fv_image *shared_image;
static fv_decision *shared_decision;
static double shared_quality, shared_score;

static void *use_shared(void *number) {
  const fv_sample *sample = number ? fv_decision_selfie(shared_decision) : fv_decision_portrait(shared_decision);
  const fv_template *a = fv_sample_template(fv_decision_selfie(shared_decision));
  const fv_template *b = fv_sample_template(fv_decision_portrait(shared_decision));
  fv_image_info info = FV_IMAGE_INFO_INIT;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_face face = FV_FACE_INIT;
  fv_quality_check one = FV_QUALITY_CHECK_INIT;
  fv_template_info of_a = FV_TEMPLATE_INFO_INIT;
  fv_sample *made = NULL;
  void *failed = NULL;
  size_t i;
  for (i = 0; i < 200; i++)
    if (fv_image_describe(&info, shared_image) != FV_OK || info.width != 910 || strlen(info.sha256) != 64 ||
        compare_templates(&comparison, engine, a, b) != FV_OK || comparison.score != shared_score ||
        fv_template_describe(&of_a, a) != FV_OK || strlen(of_a.sha256) != 64 ||
        fv_faces_at(&face, fv_sample_faces(sample), 0) != FV_OK || fv_sample_check_at(&one, sample, i % 18) != FV_OK ||
        strcmp(one.measure, fv_quality_measure_at(i % 18)) != 0 || fv_sample_json(sample) == NULL ||
        strlen(fv_decision_json(shared_decision)) < 1000 || strlen(fv_engine_json(engine)) < 100)
      failed = FAILURE;
  for (i = 0; i < ROUNDS; i++) {
    if (assess_image(&made, engine, shared_image, NULL) != FV_OK || fv_sample_quality(made) != shared_quality)
      failed = FAILURE;
    fv_sample_free(made);
  }
  return failed;
}

static void threads_share_objects(void) {
  fv_sample *sample = NULL;
  fv_comparison comparison = FV_COMPARISON_INIT;
  size_t living = fv_live_objects();
  shared_image = open_sample("obama.jpg");
  CHECK_STATUS(FV_OK, assess_image(&sample, engine, shared_image, NULL));
  shared_quality = fv_sample_quality(sample);
  fv_sample_free(sample);
  shared_decision = compare_samples(engine, "obama.jpg", "biden.jpg");
  CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, shared_decision));
  shared_score = comparison.score;
  CHECK(run_threads(use_shared) == 0);
  fv_decision_free(shared_decision);
  fv_image_free(shared_image);
  CHECK(fv_live_objects() == living);
}

/* ---- Objects for a single thread ---- */

static int was_busy; /* set and read atomically */

static int seen(void) { return __sync_fetch_and_add(&was_busy, 0); }

static fv_quality_policy *shared_policy;

static void *share_a_policy(void *number) {
  int i;
  for (i = 0; !seen() && i < MANY; i++) {
    fv_status status = fv_quality_policy_require(shared_policy, "sharpness", 0.4, NAN, NAN, NAN, NULL, 0);
    if (status == FV_E_BUSY) __sync_fetch_and_add(&was_busy, 1);
    if (status != FV_OK && status != FV_E_BUSY) return FAILURE;
  }
  (void)number;
  return NULL;
}

static void a_concurrent_quality_policy_is_busy(void) {
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&shared_policy, "selfie", NULL, 0));
  was_busy = 0;
  CHECK(run_threads(share_a_policy) == 0);
  CHECK(was_busy > 0);
  CHECK_STATUS(FV_OK, fv_quality_policy_require(shared_policy, "sharpness", 0.4, NAN, NAN, NAN, NULL, 0));
  fv_quality_policy_free(shared_policy);
}

static fv_liveness_session *shared_session;
static fv_image *shared_frame;

/* All add frames with increasing times; a frame made late by another thread is refused. */
static void *share_a_session(void *number) {
  void *failed = NULL;
  int i;
  for (i = 0; (!seen() || i < 3) && i < 500; i++) {
    fv_status status = add_frame(shared_session, shared_frame, i + (double)(intptr_t)number / THREADS);
    if (status == FV_E_BUSY) __sync_fetch_and_add(&was_busy, 1);
    if (status != FV_OK && status != FV_E_BUSY && status != FV_E_BAD_ARGUMENT && status != FV_E_WRONG_STATE)
      failed = FAILURE;
    if (fv_liveness_session_is_complete(shared_session) < 0) failed = FAILURE;
  }
  return failed;
}

static void a_concurrent_session_is_busy(void) {
  fv_liveness_decision *decision = NULL;
  fv_liveness_options options = FV_LIVENESS_OPTIONS_INIT;
  options.timeout = 900;
  shared_session = make_session(engine, NULL, &options);
  shared_frame = open_sample("obama2.jpg");
  was_busy = 0;
  CHECK(run_threads(share_a_session) == 0);
  CHECK(was_busy > 0);
  CHECK_STATUS(FV_OK, finish_session(&decision, shared_session));
  CHECK(fv_liveness_decision_result(decision) != 0);
  fv_liveness_decision_free(decision);
  fv_liveness_session_free(shared_session);
  fv_image_free(shared_frame);
}

/* ---- A store shared by all threads ---- */

static fv_liveness_request_store *shared_register;
static fv_liveness_decision *of_all;
static int accepted;

static void *issue_and_answer(void *number) {
  void *failed = NULL;
  int i;
  (void)number;
  for (i = 0; i < 20; i++) {
    fv_liveness_request *request = NULL;
    fv_liveness_session *session = NULL;
    fv_liveness_decision *decision = NULL;
    if (fv_liveness_request_store_issue(&request, shared_register, NULL, 0, 0, NULL, 0) != FV_OK ||
        fv_liveness_session_create(&session, engine, request, 0, NULL, NULL, 0) != FV_OK ||
        finish_session(&decision, session) != FV_OK ||
        fv_liveness_request_store_accept(shared_register, decision, 0, NULL, 0) != FV_OK ||
        fv_liveness_request_store_accept(shared_register, decision, 0, NULL, 0) != FV_E_WRONG_STATE)
      failed = FAILURE;
    fv_liveness_decision_free(decision);
    fv_liveness_session_free(session);
    fv_liveness_request_free(request);
  }
  if (fv_liveness_request_store_accept(shared_register, of_all, 0, NULL, 0) == FV_OK) __sync_fetch_and_add(&accepted,
                                                                                                           1);
  return failed;
}

static void threads_share_a_request_store(void) {
  size_t living = fv_live_objects();
  fv_liveness_request *request = NULL;
  fv_liveness_session *session;
  CHECK_STATUS(FV_OK, fv_liveness_request_store_create(&shared_register, NULL, 0));
  CHECK_STATUS(FV_OK, fv_liveness_request_store_issue(&request, shared_register, NULL, 0, 0, NULL, 0));
  session = make_session(engine, request, NULL);
  CHECK_STATUS(FV_OK, finish_session(&of_all, session));
  CHECK(run_threads(issue_and_answer) == 0);
  CHECK(accepted == 1);
  fv_liveness_decision_free(of_all);
  fv_liveness_session_free(session);
  fv_liveness_request_free(request);
  fv_liveness_request_store_free(shared_register);
  CHECK(fv_live_objects() == living);
}

/* ---- Cancelling calls of other threads ---- */

static fv_cancellation *shared_cancellation;

static void *work_until_cancelled(void *number) {
  fv_budget budget = FV_BUDGET_INIT;
  fv_status status = FV_OK;
  int i;
  budget.cancellation = shared_cancellation;
  for (i = 0; status == FV_OK && i < 10000; i++) {
    fv_sample *sample = NULL;
    if (i == 3 && number == NULL) fv_cancellation_cancel(shared_cancellation);
    status = fv_engine_sample(&sample, engine, shared_image, NULL, &budget, NULL, 0);
    fv_sample_free(sample);
  }
  return status == FV_E_CANCELLED ? NULL : FAILURE;
}

static void another_thread_cancels_calls(void) {
  shared_image = open_sample("obama.jpg");
  CHECK_STATUS(FV_OK, fv_cancellation_create(&shared_cancellation, NULL, 0));
  CHECK(run_threads(work_until_cancelled) == 0);
  fv_cancellation_free(shared_cancellation);
  fv_image_free(shared_image);
}

/* ---- Freeing objects that another thread uses ---- */

static void *use_until_it_is_freed(void *number) {
  fv_status status;
  do {
    fv_sample *sample = NULL;
    status = assess_image(&sample, engine, shared_image, NULL);
    fv_sample_free(sample);
    if (number == NULL) fv_image_free(shared_image);
  } while (status == FV_OK);
  return status == FV_E_BAD_ARGUMENT ? NULL : FAILURE;
}

static void objects_are_freed_while_used(void) {
  size_t living = fv_live_objects();
  shared_image = open_sample("obama.jpg");
  CHECK(run_threads(use_until_it_is_freed) == 0);
  CHECK(fv_live_objects() == living);
}

int main(void) {
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 2);
  RUN(threads_share_an_engine);
  RUN(threads_have_an_engine_each);
  RUN(threads_share_objects);
  RUN(a_concurrent_quality_policy_is_busy);
  RUN(a_concurrent_session_is_busy);
  RUN(threads_share_a_request_store);
  RUN(another_thread_cancels_calls);
  RUN(objects_are_freed_while_used);
  return finish();
}
