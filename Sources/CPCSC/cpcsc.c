#define _GNU_SOURCE
#include "cpcsc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static cpcsc functions;
static const cpcsc *loaded = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The SONAME has had version 1 since 2003.
  void *library = dlopen("libpcsclite.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  // In the order of the struct, which has function pointers only.
  static const char *const names[] = {"SCardEstablishContext", "SCardReleaseContext", "SCardListReaders",
                                      "SCardGetStatusChange",  "SCardConnect",        "SCardDisconnect",
                                      "SCardTransmit",         "SCardControl"};
  _Static_assert(sizeof functions == sizeof names, "a name for each function");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *found = dlsym(library, names[i]);
    if (found == NULL) return;
    ((void **)&functions)[i] = found;
  }
  loaded = &functions;
}

const cpcsc *cpcsc_load(void) {
  pthread_once(&once, load);
  return loaded;
}
