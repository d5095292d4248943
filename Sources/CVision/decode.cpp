// Detects the format of a picture by its first bytes (never by a name) and calls that format's decoder.
#include <algorithm>

#include "codecs.hpp"

namespace cvision {
namespace {

const uint8_t jpeg_magic[] = {0xFF, 0xD8, 0xFF};
const uint8_t png_magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
const uint8_t jp2_magic[] = {0, 0, 0, 12, 'j', 'P', ' ', ' ', '\r', '\n', 0x87, '\n'};
const uint8_t j2k_magic[] = {0xFF, 0x4F, 0xFF, 0x51};

/// Returns 0 if there is none.
int sniff(Bytes bytes) {
  if (bytes.matches(0, jpeg_magic, sizeof jpeg_magic)) return CVISION_JPEG;
  if (bytes.matches(0, png_magic, sizeof png_magic)) return CVISION_PNG;
  if (bytes.matches(0, "RIFF", 4) && bytes.matches(8, "WEBP", 4)) return CVISION_WEBP;
  if (bytes.matches(0, jp2_magic, sizeof jp2_magic) || bytes.matches(0, j2k_magic, sizeof j2k_magic)) {
    return CVISION_JP2;
  }
  return heif_codec(bytes);
}

struct Codec {
  cvision_status (*header)(Bytes, Header &, char *message);
  cvision_status (*decode)(Bytes, const cvision_image_info &, const Target &, char *message);
};

/// Returns the functions of a `cvision_codec`, NULL if there is none.
const Codec *codec_of(int number) {
  static const Codec codecs[] = {{jpeg_header, jpeg_decode}, {png_header, png_decode},   {jp2_header, jp2_decode},
                                 {webp_header, webp_decode}, {heif_header, heif_decode}, {heif_header, heif_decode}};
  return number >= CVISION_JPEG && number <= CVISION_AVIF ? &codecs[number - CVISION_JPEG] : nullptr;
}

}  // namespace
}  // namespace cvision

using namespace cvision;

int cvision_sniff(const uint8_t *bytes, size_t size) { return bytes ? sniff({bytes, size}) : 0; }

cvision_status cvision_read_header(const uint8_t *bytes, size_t size, cvision_image_info *out, cvision_colour **colour,
                                   char *message) {
  if (!bytes || !out || !colour) return fail(message, CVISION_E_ARGUMENT, "no input bytes");
  *out = {};
  *colour = nullptr;
  return guarded(message, [&] {
    const Codec *codec = codec_of(sniff({bytes, size}));
    if (!codec) return fail(message, CVISION_E_FORMAT, "not a picture in a supported format");
    Header found;
    cvision_status status = codec->header({bytes, size}, found, message);
    if (status != CVISION_OK) return status;
    *out = found.info;
    bool inks = out->codec == CVISION_JPEG && out->components == 4, warning = false;
    bool grey = out->components <= 2 || out->codec >= CVISION_HEIC;  // libheif does not report it
    *colour = colour_make(found.colours, inks, grey, warning);
    if (warning) out->warnings |= CVISION_PROFILE_IGNORED;
    return CVISION_OK;
  });
}

cvision_status cvision_decode(const uint8_t *bytes, size_t size, const cvision_image_info *info, int32_t reduction,
                              const cvision_colour *colour, const cvision_stop *stop, uint8_t *out, size_t out_size,
                              char *message) {
  if (!bytes || !info || !out) return fail(message, CVISION_E_ARGUMENT, "no bytes to read, or no output");
  if (reduction != 1 && reduction != 2 && reduction != 4 && reduction != 8) {
    return fail(message, CVISION_E_ARGUMENT, "the reduction must be 1, 2, 4 or 8");
  }
  return guarded(message, [&] {
    Target target{out, info->width, info->height, reduction, colour, stop};
    if (info->width <= 0 || info->height <= 0 || out_size / 3 != target.pixels() || out_size % 3 != 0) {
      return fail(message, CVISION_E_ARGUMENT, "the output does not have the size of the picture");
    }
    const Codec *codec = codec_of(info->codec);
    cvision_status status = codec ? codec->decode({bytes, size}, *info, target, message) : CVISION_E_INTERNAL;
    if (status != CVISION_OK || !colour || colour_takes_inks(colour)) return status;
    const size_t step = 1 << 18;  // some 10 ms
    for (size_t at = 0; at < target.pixels(); at += step) {
      if (target.must_stop()) return stopped(message);
      cvision_colour_apply(colour, out + 3 * at, std::min(step, target.pixels() - at));
    }
    return status;
  });
}
