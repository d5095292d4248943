// The page's files, embedded from Sources/FaceVerifyServer, gzip and the allocator.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

typedef struct {
  const char *name;
  const char *text;
  size_t size;
} cpage_file;

// `index` starts at 0; `name` is NULL after the last file.
cpage_file cpage_file_at(size_t index);

// Compresses bytes to gzip (RFC 1952). Returns the size, or 0 if it exceeds `capacity`.
size_t cpage_gzip(const unsigned char *bytes, size_t size, unsigned char *out, size_t capacity);

// Returns unused memory to the system, which the allocator keeps for the threads that freed it.
void cpage_trim(void);

// Makes all threads share one heap, from their next allocation: less memory, for a process in which few threads allocate.
void cpage_share_heap(void);

#endif
