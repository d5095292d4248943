#define _GNU_SOURCE
#include "cpostgresql.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static cpostgresql pq;
static const cpostgresql *loaded = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The SONAME has had version 5 since 2006.
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  // In the order of the struct, which has function pointers only.
  static const char *const names[] = {
      "PQconnectStart", "PQconnectPoll", "PQsetnonblocking", "PQsocket",   "PQstatus",    "PQfinish",
      "PQerrorMessage", "PQsendQueryParams", "PQsendQuery",   "PQflush",   "PQconsumeInput", "PQisBusy",
      "PQgetResult",    "PQresultStatus", "PQntuples",        "PQnfields", "PQgetvalue",  "PQgetisnull",
      "PQclear"};
  _Static_assert(sizeof pq == sizeof names, "a name for each function");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *found = dlsym(library, names[i]);
    if (found == NULL) return;
    ((void **)&pq)[i] = found;
  }
  loaded = &pq;
}

const cpostgresql *cpostgresql_load(void) {
  pthread_once(&once, load);
  return loaded;
}
