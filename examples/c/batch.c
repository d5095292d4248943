/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch PORTRAIT FOLDER [THREADS]: compares every file of a folder with one portrait, on THREADS threads (2).
 *
 *   cc -std=c99 -pthread batch.c $(pkg-config --cflags --libs faceverify) -o batch
 *
 * Prints one line per file, sorted by name: the name, then the result, score and similarity, or the error. Exit codes:
 * 0 every file was compared, 2 usage error, 3 runtime error for the portrait, the folder or at least one of its files,
 * 4 the portrait is not good enough.
 */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <faceverify.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DONE = 0, USAGE = 2, FAILED = 3, REFUSED = 4, MOST_THREADS = 64 };

typedef struct job {
  char *path;
  char line[FV_MESSAGE_BYTES];
  int failed;
} job;

/* Shared by the threads. Only `next` changes. */
typedef struct batch {
  const fv_engine *engine;
  const fv_template *portrait;
  job *jobs;
  size_t count;
  size_t next;
  pthread_mutex_t lock;
} batch;

static void compare(job *job, const fv_engine *engine, const fv_template *template_of_portrait) {
  fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_decision *decision = NULL;
  fv_reason reason = FV_REASON_INIT;
  selfie.path = job->path;
  portrait.face_template = template_of_portrait;
  if (fv_engine_compare(&decision, engine, &selfie, &portrait, NULL, NULL, job->line, sizeof job->line) != FV_OK) {
    job->failed = 1;
  } else if (fv_decision_comparison(&comparison, decision) == FV_OK) {
    snprintf(job->line, sizeof job->line, "%s, score %.2f, similarity %.0f",
             fv_result_name(fv_decision_result(decision)), comparison.score, comparison.similarity);
  } else if (fv_decision_reason_at(&reason, decision, 0) == FV_OK) {
    snprintf(job->line, sizeof job->line, "refused: %s", reason.text);
  }
  fv_decision_free(decision);
}

static job *next_job(batch *batch) {
  job *job = NULL;
  pthread_mutex_lock(&batch->lock);
  if (batch->next < batch->count) job = &batch->jobs[batch->next++];
  pthread_mutex_unlock(&batch->lock);
  return job;
}

/* One thread: processes files until none is left. */
static void *work(void *argument) {
  batch *shared = (batch *)argument;
  job *job;
  while ((job = next_job(shared)) != NULL) compare(job, shared->engine, shared->portrait);
  return NULL;
}

/* Lists the files of a folder, sorted by name, without hidden files and folders. Returns -1 if it cannot be read. */
static int list(batch *batch, const char *folder) {
  struct dirent **entries;
  struct stat status;
  int i, count = scandir(folder, &entries, NULL, alphasort);
  if (count < 0) return -1;
  batch->jobs = (job *)calloc((size_t)count + 1, sizeof(job));
  for (i = 0; i < count; i++) {
    size_t size = strlen(folder) + strlen(entries[i]->d_name) + 2;
    char *path = (char *)malloc(size);
    if (batch->jobs == NULL || path == NULL) abort();
    snprintf(path, size, "%s/%s", folder, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
      batch->jobs[batch->count++].path = path;
    else
      free(path);
    free(entries[i]);
  }
  free(entries);
  return 0;
}

/* Returns the portrait's sample, which owns its template; NULL with a message on an error. */
static fv_sample *sample_portrait(const fv_engine *engine, const char *path, char *message, size_t message_bytes) {
  char why[FV_MESSAGE_BYTES] = "";
  fv_image *image = NULL;
  fv_quality_policy *policy = NULL;
  fv_sample *sample = NULL;
  if (fv_image_from_file(&image, path, NULL, message, message_bytes) == FV_OK &&
      fv_quality_policy_create(&policy, "document-portrait", message, message_bytes) == FV_OK &&
      fv_engine_sample(&sample, engine, image, policy, NULL, why, sizeof why) != FV_OK)
    snprintf(message, message_bytes, "%s: %s", path, why);
  fv_quality_policy_free(policy);
  fv_image_free(image);
  return sample;
}

static int run(batch *batch, size_t thread_count) {
  pthread_t threads[MOST_THREADS];
  size_t i, started = 0;
  int code = DONE;
  pthread_mutex_init(&batch->lock, NULL);
  while (started < thread_count && pthread_create(&threads[started], NULL, work, batch) == 0) started++;
  for (i = 0; i < started; i++) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(&batch->lock);
  for (i = 0; i < batch->count; i++) {
    const char *line = batch->jobs[i].line, *name = strrchr(batch->jobs[i].path, '/');
    /* File names may contain terminal escapes; the library's texts are printable. */
    while (*++name) putchar(isprint((unsigned char)*name) ? *name : '?');
    printf(": %s\n", *line ? line : "no thread was left to compare it");
    if (batch->jobs[i].failed || !*line) code = FAILED;
  }
  return code;
}

int main(int count, char **arguments) {
  batch batch = {NULL, NULL, NULL, 0, 0, PTHREAD_MUTEX_INITIALIZER};
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  fv_engine *engine = NULL;
  fv_sample *portrait = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  long threads = count == 4 ? strtol(arguments[3], NULL, 10) : 2;
  int code = FAILED;
  size_t i;

  if (count < 3 || count > 4 || threads < 1 || threads > MOST_THREADS) {
    fprintf(stderr, "usage: batch PORTRAIT FOLDER [THREADS], with 1 to %d threads\n", MOST_THREADS);
    return USAGE;
  }
  options.thread_count = threads;
  if (list(&batch, arguments[2]) != 0) {
    fprintf(stderr, "batch: %s: %s\n", arguments[2], strerror(errno));
  } else if (fv_engine_create(&engine, FV_VERSION_NUMBER, &options, message, sizeof message) != FV_OK ||
             (portrait = sample_portrait(engine, arguments[1], message, sizeof message)) == NULL) {
    fprintf(stderr, "batch: %s\n", message);
  } else if (!fv_sample_is_accepted(portrait)) {
    fprintf(stderr, "batch: %s is not good enough\n", arguments[1]);
    code = REFUSED;
  } else {
    batch.engine = engine;
    batch.portrait = fv_sample_template(portrait);
    code = run(&batch, (size_t)threads);
  }
  for (i = 0; i < batch.count; i++) free(batch.jobs[i].path);
  free(batch.jobs);
  fv_sample_free(portrait);
  fv_engine_free(engine);
  return code;
}
