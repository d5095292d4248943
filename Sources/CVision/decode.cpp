// Finds the kind of a picture by its first bytes (never by a name) and hands it to that format's reader.
#include "codecs.hpp"

namespace cvision {
namespace {

const uint8_t jpeg_magic[] = {0xFF, 0xD8, 0xFF};
const uint8_t png_magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
const uint8_t jp2_magic[] = {0, 0, 0, 12, 'j', 'P', ' ', ' ', '\r', '\n', 0x87, '\n'};
const uint8_t j2k_magic[] = {0xFF, 0x4F, 0xFF, 0x51};

cvision_status header(Bytes bytes, cvision_image_info *out, char *message) {
  *out = {};
  if (bytes.matches(0, jpeg_magic, sizeof jpeg_magic)) return jpeg_header(bytes, out, message);
  if (bytes.matches(0, png_magic, sizeof png_magic)) return png_header(bytes, out, message);
  if (bytes.matches(0, jp2_magic, sizeof jp2_magic) || bytes.matches(0, j2k_magic, sizeof j2k_magic)) {
    return jp2_header(bytes, out, message);
  }
  return fail(message, CVISION_E_FORMAT, "not a JPEG, PNG or JPEG 2000 picture");
}

}  // namespace
}  // namespace cvision

using namespace cvision;

cvision_status cvision_read_header(const uint8_t *bytes, size_t size, cvision_image_info *out, char *message) {
  if (!bytes || !out) return fail(message, CVISION_E_ARGUMENT, "no bytes to read");
  return guarded(message, [&] { return header({bytes, size}, out, message); });
}

cvision_status cvision_decode(const uint8_t *bytes, size_t size, int32_t reduction, uint8_t *out, size_t out_size,
                              char *message) {
  if (!bytes || !out) return fail(message, CVISION_E_ARGUMENT, "no bytes to read, or no place to decode to");
  if (reduction != 1 && reduction != 2 && reduction != 4 && reduction != 8) {
    return fail(message, CVISION_E_ARGUMENT, "the reduction is not 1, 2, 4 or 8");
  }
  return guarded(message, [&] {
    cvision_image_info info;
    cvision_status status = header({bytes, size}, &info, message);
    if (status != CVISION_OK) return status;
    Target target{out, info.width, info.height, reduction};
    if (out_size / 3 != target.pixels() || out_size % 3 != 0) {
      return fail(message, CVISION_E_ARGUMENT, "the place to decode to has not the size of the picture");
    }
    switch (info.codec) {
      case CVISION_JPEG:
        return jpeg_decode({bytes, size}, target, message);
      case CVISION_PNG:
        return png_decode({bytes, size}, target, message);
      case CVISION_JP2:
        return jp2_decode({bytes, size}, target, message);
    }
    return fail(message, CVISION_E_INTERNAL, "a codec without a reader");
  });
}
