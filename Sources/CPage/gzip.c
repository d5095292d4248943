#include "cpage.h"

#include <zlib.h>

size_t cpage_gzip(const unsigned char *bytes, size_t size, unsigned char *out, size_t capacity) {
  z_stream stream = {0};
  // A window of 15 bits; 16 selects the gzip format (zlib.h, deflateInit2).
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  const int status = deflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? written : 0;
}
