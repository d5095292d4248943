/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loading LIBRARY: the library as a plug-in, opened by dlopen() in a program that is not linked with it, closed while a
 * thread that used it exists, opened again, and used in a child process.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

#include "test.h"

static const char *path;

/* As in POSIX: ISO C has no conversion from a data pointer to a function pointer. */
#define FIND(library, name) (*(void **)&name = dlsym(library, "fv_" #name))

static fv_status (*engine_create)(fv_engine **, uint32_t, const fv_engine_options *, char *, size_t);
static void (*engine_free)(fv_engine *);
static fv_status (*engine_compare)(fv_decision **, const fv_engine *, const fv_input *, const fv_input *,
                                   const fv_comparison_policy *, const fv_budget *, char *, size_t);
static fv_result (*decision_result)(const fv_decision *);
static void (*decision_free)(fv_decision *);
static size_t (*live_objects)(void);
static void (*struct_init)(void *, size_t);

static void *load(void) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return NULL;
  }
  FIND(library, engine_create);
  FIND(library, engine_free);
  FIND(library, engine_compare);
  FIND(library, decision_result);
  FIND(library, decision_free);
  FIND(library, live_objects);
  FIND(library, struct_init);
  return library;
}

static int compare(void) {
  fv_engine *engine = NULL;
  fv_decision *decision = NULL;
  fv_input selfie, portrait;
  fv_result result = 0;
  struct_init(&selfie, sizeof selfie);
  struct_init(&portrait, sizeof portrait);
  selfie.path = sample_path("obama.jpg");
  portrait.path = sample_path("obama2.jpg");
  if (engine_create(&engine, FV_VERSION_NUMBER, NULL, NULL, 0) == FV_OK &&
      engine_compare(&decision, engine, &selfie, &portrait, NULL, NULL, NULL, 0) == FV_OK)
    result = decision_result(decision);
  decision_free(decision);
  engine_free(engine);
  return (int)result;
}

static void the_library_is_loaded_and_closed(void) {
  int i;
  for (i = 0; i < 10; i++) {
    void *library = load();
    if (!CHECK(library != NULL)) return;
    CHECK(compare() == FV_RESULT_MATCH);
    CHECK(live_objects() == 0);
    CHECK(dlclose(library) == 0);
  }
}

static sem_t is_used, is_closed;

/* Ends after the library was closed: its thread-local data must still be freeable. */
static void *use_and_outlive(void *result) {
  *(int *)result = compare();
  sem_post(&is_used);
  sem_wait(&is_closed);
  return NULL;
}

static void a_thread_outlives_the_library(void) {
  int i;
  for (i = 0; i < 3; i++) {
    void *library = load();
    pthread_t thread;
    int result = 0;
    if (!CHECK(library != NULL)) return;
    sem_init(&is_used, 0, 0);
    sem_init(&is_closed, 0, 0);
    CHECK(pthread_create(&thread, NULL, use_and_outlive, &result) == 0);
    sem_wait(&is_used);
    CHECK(dlclose(library) == 0);
    sem_post(&is_closed);
    pthread_join(thread, NULL);
    CHECK(result == FV_RESULT_MATCH);
  }
}

static void a_process_forks_after_loading(void) {
  void *library = load();
  int i, status;
  if (!CHECK(library != NULL)) return;
  for (i = 0; i < 2; i++) {
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
      alarm(30);
      _exit(compare());
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == FV_RESULT_MATCH);
    CHECK(compare() == FV_RESULT_MATCH);
  }
  CHECK(dlclose(library) == 0);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: loading LIBRARY\n");
    return 2;
  }
  path = arguments[1];
  RUN(a_process_forks_after_loading);
  RUN(the_library_is_loaded_and_closed);
  RUN(a_thread_outlives_the_library);
  return finish();
}
