// JPEG through TurboJPEG, which reduces in the inverse DCT.
//
// TurboJPEG keeps only the first warning of a file and takes a missing end for a warning, so the segments are walked
// here first: that finds truncation before anything is allocated, and the Adobe marker that TurboJPEG does not tell.
#include <turbojpeg.h>

#include <memory>
#include <vector>

#include "codecs.hpp"

namespace cvision {
namespace {

/// Encoders write about ten scans; each one costs a pass over all coefficients, so a file of hundreds is an attack.
const int scan_limit = 64;

struct Layout {
  uint32_t width = 0, height = 0, components = 0, bits = 0;
  bool framed = false;    // a frame header was found
  bool adobe = false;     // CMYK is stored inverted
  bool complete = false;  // the end marker was reached
  int scans = 0;
};

bool is_frame(uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/// Walks the segments up to the frame header, or to the end of the picture. Compressed data need no care of their
/// own: in them 0xFF is followed by 0 or by a restart marker, and both are stepped over.
Layout walk(Bytes bytes, bool whole) {
  Layout layout;
  size_t at = 2;
  while (at < bytes.size) {
    auto found = static_cast<const uint8_t *>(std::memchr(bytes.data + at, 0xFF, bytes.size - at));
    if (!found) break;
    at = size_t(found - bytes.data);
    while (at < bytes.size && bytes.data[at] == 0xFF) at++;
    if (at == bytes.size) break;
    uint8_t marker = bytes.data[at++];
    if (marker <= 0x01 || (marker >= 0xD0 && marker <= 0xD8)) continue;
    if (marker == 0xD9) {
      layout.complete = true;
      break;
    }
    uint32_t length;
    if (!bytes.number(at, 2, length) || length < 2 || !bytes.holds(at, length)) break;
    if (is_frame(marker) && !layout.framed && length >= 8) {
      bytes.number(at + 2, 1, layout.bits);
      bytes.number(at + 3, 2, layout.height);
      bytes.number(at + 5, 2, layout.width);
      bytes.number(at + 7, 1, layout.components);
      layout.framed = true;
      if (!whole) break;
    }
    if (marker == 0xEE && length >= 14 && bytes.matches(at + 2, "Adobe", 5)) layout.adobe = true;
    if (marker == 0xDA) layout.scans++;
    at += length;
  }
  return layout;
}

bool contains(const char *text, const char *part) { return std::strstr(text, part) != nullptr; }

/// Some warnings are about bytes that do not matter; the others mean that a part of the picture is made up.
bool is_harmless(const char *warning) {
  return contains(warning, "extraneous bytes") || contains(warning, "Adobe") || contains(warning, "JFIF") ||
         contains(warning, "Invalid SOS") || contains(warning, "ICC");
}

cvision_status failed(char *message, const char *text) {
  char line[CVISION_MESSAGE];
  bool unsupported = contains(text, "nsupported") || contains(text, "not supported") || contains(text, "Sorry");
  std::snprintf(line, sizeof line, unsupported ? "this kind of JPEG is not read: %s" : "the JPEG data are broken: %s",
                text);
  return fail(message, unsupported ? CVISION_E_UNSUPPORTED : CVISION_E_DAMAGED, line);
}

struct Closer {
  void operator()(void *handle) const { tjDestroy(handle); }
};

}  // namespace

cvision_status jpeg_header(Bytes bytes, cvision_image_info *out, char *message) {
  Layout layout = walk(bytes, false);
  if (!layout.framed) return fail(message, CVISION_E_DAMAGED, "the JPEG file is truncated or broken in its header");
  if (layout.width == 0 || layout.height == 0) {
    return fail(message, CVISION_E_DAMAGED, "the JPEG header gives a side of 0 pixels");
  }
  if (layout.bits != 8) return fail(message, CVISION_E_UNSUPPORTED, "JPEG of other than 8 bits is not read");
  if (layout.components != 1 && layout.components != 3 && layout.components != 4) {
    return fail(message, CVISION_E_UNSUPPORTED, "JPEG of other than 1, 3 or 4 components is not read");
  }
  *out = {CVISION_JPEG, int32_t(layout.width), int32_t(layout.height), int32_t(layout.components), 8};
  return CVISION_OK;
}

cvision_status jpeg_decode(Bytes bytes, const Target &target, char *message) {
  Layout layout = walk(bytes, true);
  if (!layout.complete) {
    return fail(message, CVISION_E_DAMAGED, "the JPEG file is truncated: its end is missing");
  }
  if (layout.scans > scan_limit) {
    return fail(message, CVISION_E_LIMIT, "the JPEG has more than 64 scans, which no camera or program writes");
  }
  std::unique_ptr<void, Closer> handle(tjInitDecompress());
  if (!handle) return fail(message, CVISION_E_MEMORY, "out of memory");

  // Checked again, because from here on the sizes are TurboJPEG's. An odd subsampling is an error of this call only.
  int width = 0, height = 0, subsampling, colours;
  int result = tjDecompressHeader3(handle.get(), bytes.data, bytes.size, &width, &height, &subsampling, &colours);
  if (width != target.width || height != target.height) {
    return failed(message, result == 0 ? "two different sizes" : tjGetErrorStr2(handle.get()));
  }

  bool inks = layout.components == 4;
  std::vector<uint8_t> cmyk(inks ? 4 * target.pixels() : 0);
  result = tjDecompress2(handle.get(), bytes.data, bytes.size, inks ? cmyk.data() : target.rgb, target.columns(), 0,
                         target.rows(), inks ? TJPF_CMYK : TJPF_RGB, TJFLAG_LIMITSCANS);
  if (result != 0) {
    const char *text = tjGetErrorStr2(handle.get());
    if (tjGetErrorCode(handle.get()) != TJERR_WARNING || !is_harmless(text)) return failed(message, text);
  }
  uint8_t flip = layout.adobe ? 255 : 0;
  uint8_t *out = target.rgb;
  for (size_t i = 0; i < cmyk.size(); i += 4) {
    uint8_t black = cmyk[i + 3] ^ flip;
    for (size_t channel = 0; channel < 3; channel++) *out++ = ink_to_light(cmyk[i + channel] ^ flip, black);
  }
  return CVISION_OK;
}

}  // namespace cvision
