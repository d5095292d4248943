/* SPDX-License-Identifier: Apache-2.0 */
/*
 * c_batch SELFIE PORTRAIT [ROUNDS]: the time of a comparison through the C interface, from the files' bytes in memory
 * to the decision, on one thread: the least and the median of ROUNDS (50) in milliseconds, after two warm-up rounds.
 *
 *   cc -O2 -std=c99 c_batch.c $(pkg-config --cflags --libs faceverify) -o c_batch
 */
#define _POSIX_C_SOURCE 200809L
#include <faceverify.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_UP = 2, MOST_ROUNDS = 100000 };

typedef struct file {
  unsigned char *bytes;
  size_t count;
} file;

static void stop(const char *what, const char *why) {
  fprintf(stderr, "c_batch: %s: %s\n", what, why);
  exit(3);
}

static file read_file(const char *path) {
  file read = {NULL, 0};
  FILE *stream = fopen(path, "rb");
  long size = -1;
  if (stream != NULL && fseek(stream, 0, SEEK_END) == 0) size = ftell(stream);
  if (size > 0) read.bytes = (unsigned char *)malloc((size_t)size);
  if (read.bytes == NULL) stop(path, "cannot be read");
  rewind(stream);
  read.count = fread(read.bytes, 1, (size_t)size, stream);
  fclose(stream);
  return read;
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void compare(const fv_engine *engine, const file *selfie, const file *portrait) {
  fv_image *images[2] = {NULL, NULL};
  fv_input inputs[2] = {FV_INPUT_INIT, FV_INPUT_INIT};
  fv_decision *decision = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  if (fv_image_from_bytes(&images[0], selfie->bytes, selfie->count, NULL, message, sizeof message) != FV_OK ||
      fv_image_from_bytes(&images[1], portrait->bytes, portrait->count, NULL, message, sizeof message) != FV_OK)
    stop("a picture", message);
  inputs[0].image = images[0];
  inputs[1].image = images[1];
  if (fv_engine_compare(&decision, engine, &inputs[0], &inputs[1], NULL, NULL, message, sizeof message) != FV_OK)
    stop("compare", message);
  fv_decision_free(decision);
  fv_image_free(images[0]);
  fv_image_free(images[1]);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  static double times[MOST_ROUNDS];
  long rounds = count == 4 ? strtol(arguments[3], NULL, 10) : 50, i;
  file selfie, portrait;
  fv_engine *engine = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  if (count < 3 || count > 4 || rounds < 1 || rounds > MOST_ROUNDS) {
    fprintf(stderr, "usage: c_batch SELFIE PORTRAIT [ROUNDS]\n");
    return 2;
  }
  selfie = read_file(arguments[1]);
  portrait = read_file(arguments[2]);
  if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK)
    stop("models", message);
  for (i = -WARM_UP; i < rounds; i++) {
    double start = milliseconds();
    compare(engine, &selfie, &portrait);
    if (i >= 0) times[i] = milliseconds() - start;
  }
  qsort(times, (size_t)rounds, sizeof *times, by_size);
  printf("{\"least\": %.3f, \"median\": %.3f}\n", times[0], times[rounds / 2]);
  fv_engine_free(engine);
  free(selfie.bytes);
  free(portrait.bytes);
  return 0;
}
