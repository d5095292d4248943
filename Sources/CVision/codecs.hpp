// Shared by the image decoders: bounds-checked reading of header fields, and the two functions of each format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "guard.hpp"

namespace cvision {

/// A file in memory with bounds-checked access.
struct Bytes {
  const uint8_t *data;
  size_t size;

  bool holds(size_t at, size_t count) const { return at <= size && count <= size - at; }

  /// Reads the big-endian number of `count` (1 to 4) bytes at `at`; false past the end.
  bool number(size_t at, size_t count, uint32_t &out) const {
    if (!holds(at, count)) return false;
    out = 0;
    for (size_t i = 0; i < count; i++) out = out << 8 | data[at + i];
    return true;
  }

  bool matches(size_t at, const void *text, size_t count) const {
    return holds(at, count) && std::memcmp(data + at, text, count) == 0;
  }
};

/// The colour space that a file states: a profile, or code points of ITU-T H.273 (0 and 2: unspecified).
struct Colours {
  std::vector<uint8_t> profile;
  uint32_t primaries = 0, transfer = 0;
  bool broken = false;  // a profile is present, but cannot be extracted
};

/// Profiles of photos have less than 1 kB, those for print about 1 MB.
const size_t profile_limit = 4 << 20;

struct Header {
  cvision_image_info info = {};
  Colours colours;
};

/// A decoder's output and its size. `width` and `height` are those of the stored picture.
struct Target {
  uint8_t *rgb;
  int32_t width, height;
  int32_t reduction;
  const cvision_colour *colour;  // NULL: the picture is in sRGB
  const cvision_stop *stop;      // NULL: no deadline

  bool must_stop(double needed = 0) const { return stop && stop->is_due(stop->context, needed); }
  int32_t columns() const { return (width + reduction - 1) / reduction; }
  int32_t rows() const { return (height + reduction - 1) / reduction; }
  size_t pixels() const { return size_t(columns()) * size_t(rows()); }
};

inline cvision_status stopped(char *message) { return fail(message, CVISION_E_STOPPED, "decoding was stopped"); }

/// Refuses to begin work that takes `seconds` and cannot be interrupted. The estimates are CPU time, measured on an AMD
/// EPYC on 2026-11-24 with Debian 12's libraries.
inline cvision_status stopped_by(double seconds, const char *format, char *message) {
  return fail(
      message, CVISION_E_STOPPED,
      "decoding this %s picture takes about %.2g s and cannot be interrupted, and less time is left: allow more "
      "time, or shrink the picture",
      format, seconds);
}

/// Blends an 8-bit value over white.
inline uint8_t over_white(uint32_t value, uint32_t alpha) {
  return uint8_t((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

/// Converts an 8-bit ink value on paper, under an amount of black, to light; both 0 = none.
inline uint8_t ink_to_light(uint32_t ink, uint32_t black) { return uint8_t(((255 - ink) * (255 - black) + 127) / 255); }

/// Creates the conversion of a picture's colours to sRGB; NULL if they are sRGB, or, with `warning`, if they are
/// unknown. `inks`: the pixels are cyan, magenta, yellow and black.
cvision_colour *colour_make(const Colours &colours, bool inks, bool grey, bool &warning);
bool colour_takes_inks(const cvision_colour *colour);
/// Converts `pixels` times four inks, 0 = none, to RGB.
void colour_apply_inks(const cvision_colour *colour, const uint8_t *inks, size_t pixels, uint8_t *rgb);

cvision_status jpeg_header(Bytes bytes, Header &out, char *message);
cvision_status jpeg_decode(Bytes bytes, const cvision_image_info &info, const Target &target, char *message);
cvision_status png_header(Bytes bytes, Header &out, char *message);
cvision_status png_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message);
cvision_status jp2_header(Bytes bytes, Header &out, char *message);
cvision_status jp2_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message);
cvision_status webp_header(Bytes bytes, Header &out, char *message);
cvision_status webp_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message);
/// Returns CVISION_HEIC, CVISION_AVIF, or 0 if it is neither.
int heif_codec(Bytes bytes);
/// Returns NULL if libheif is not installed.
const char *heif_version();
cvision_status heif_header(Bytes bytes, Header &out, char *message);
cvision_status heif_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message);

}  // namespace cvision
