/* SPDX-License-Identifier: Apache-2.0 */
/* load LIBRARY: the seconds to load a library with all of its dependencies, in a new process. */
#define _POSIX_C_SOURCE 199309L
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **arguments) {
  double start = seconds();
  if (count != 2 || dlopen(arguments[1], RTLD_NOW) == NULL) {
    fprintf(stderr, "load: %s\n", count == 2 ? dlerror() : "usage: load LIBRARY");
    return 2;
  }
  printf("%.6f\n", seconds() - start);
  return 0;
}
