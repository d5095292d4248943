// What the server needs of C: its files, as they are in Sources/FaceVerifyServer, gzip and the allocator.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} cpage_file;

// `index` starts at 0; NULL after the last file.
const cpage_file *cpage_file_at(size_t index);

// Compresses bytes to gzip (RFC 1952). Returns the size, or 0 if it exceeds `capacity`.
size_t cpage_gzip(const unsigned char *bytes, size_t size, unsigned char *out, size_t capacity);

// Returns free memory to the system: the allocator keeps what threads have freed for them.
void cpage_trim(void);

#endif
