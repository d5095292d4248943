// The files of the web page and the description of the interface, as they are in Sources/FaceVerifyServer.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} cpage_file;

// `index` from 0; NULL behind the last one.
const cpage_file *cpage_file_at(size_t index);

#endif
