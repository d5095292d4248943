// JPEG through libjpeg-turbo, which reduces in the inverse DCT.
//
// It treats a missing end as a warning, so the segments are parsed here first, once, for the header: that finds
// truncation before anything is allocated, the Adobe marker, the colour profile and EXIF.
//
// A file without its end is decoded, with a warning, if most of its picture is present. With one scan, from top to
// bottom, that is three quarters of the rows: libjpeg leaves the others mid grey. With several scans, each of which
// refines the whole picture, the complete scans must together contain every coefficient of luma and the mean colours
// once, so that only lower bits are missing.
#include <algorithm>
#include <vector>

#include "codecs.hpp"
#include "libjpeg.hpp"

namespace cvision {
namespace {

/// Encoders write about ten scans; each costs a pass over all coefficients, so a file with hundreds is an attack.
const int scan_limit = 64;

/// The coefficients of a component in complete scans, one bit each, by zigzag position.
struct Component {
  uint32_t name = 0;
  uint64_t coefficients = 0;
};

struct Layout {
  uint32_t width = 0, height = 0, bits = 0;
  size_t components = 0;
  bool framed = false;       // a frame header was found
  bool progressive = false;
  bool adobe = false;        // CMYK is stored inverted
  bool complete = false;     // the end marker was reached
  size_t size = 0;           // of the file up to a truncated segment
  int scans = 0;
  size_t in_first_scan = 0;  // components
  std::vector<Component> parts;
  size_t exif_at = 0, exif_size = 0;
  std::vector<Bytes> profile;  // the segments of the colour profile, each preceded by its number
};

bool is_frame(uint8_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

void read_frame(Bytes segment, uint8_t marker, Layout &layout) {
  uint32_t count = 0;
  segment.number(2, 1, layout.bits);
  segment.number(3, 2, layout.height);
  segment.number(5, 2, layout.width);
  segment.number(7, 1, count);
  layout.components = count;
  layout.progressive = (marker & 3) == 2;
  layout.framed = true;
  Component part;
  for (size_t i = 0; i < count && segment.number(8 + 3 * i, 1, part.name); i++) layout.parts.push_back(part);
}

/// The current scan. `end` records the coefficients of a complete scan; `begin` starts the next one.
struct Scan {
  std::vector<uint32_t> names;
  uint64_t coefficients = 0;

  void end(Layout &layout) const {
    for (Component &part : layout.parts) {
      if (std::count(names.begin(), names.end(), part.name)) part.coefficients |= coefficients;
    }
  }

  void begin(Bytes segment) {
    uint32_t count = 0, name, first = 0, last = 0;
    *this = {};
    segment.number(2, 1, count);
    for (size_t i = 0; i < count && segment.number(3 + 2 * i, 1, name); i++) names.push_back(name);
    size_t at = 3 + 2 * size_t(count);
    if (!segment.number(at, 1, first) || !segment.number(at + 1, 1, last) || first > last || last > 63) return;
    for (uint32_t i = first; i <= last; i++) coefficients |= uint64_t(1) << i;
  }
};

/// Parses the segments to the end of the picture. Compressed data need no special handling: in them, 0xFF is followed
/// by 0 or by a restart marker, and both are skipped.
Layout walk(Bytes bytes) {
  Layout layout;
  Scan scan;
  size_t at = 2;
  layout.size = bytes.size;
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
    if (!bytes.number(at, 2, length) || length < 2 || !bytes.holds(at, length)) {
      layout.size = at - 2;
      break;
    }
    Bytes segment{bytes.data + at, length};
    if (is_frame(marker) && !layout.framed && length >= 8) read_frame(segment, marker, layout);
    if (marker == 0xEE && length >= 14 && segment.matches(2, "Adobe", 5)) layout.adobe = true;
    bool is_first = layout.exif_at == 0 && layout.scans == 0;
    if (marker == 0xE1 && length >= 8 && is_first && segment.matches(2, "Exif\0\0", 6)) {
      layout.exif_at = at + 8;
      layout.exif_size = length - 8;
    }
    if (marker == 0xE2 && length >= 16 && segment.matches(2, "ICC_PROFILE", 12)) {
      layout.profile.push_back({segment.data + 14, segment.size - 14});
    }
    if (marker == 0xDA) {
      if (layout.scans++ > 0) scan.end(layout);
      scan.begin(segment);
      if (layout.scans == 1) layout.in_first_scan = scan.names.size();
    }
    at += length;
  }
  return layout;
}

/// ICC.1, annex B.4: each segment has its number, starting at 1, and the number of segments.
void join_profile(std::vector<Bytes> &segments, Colours &out) {
  std::sort(segments.begin(), segments.end(), [](Bytes a, Bytes b) { return a.data[0] < b.data[0]; });
  size_t number = 0;
  for (Bytes segment : segments) {
    out.broken |= segment.data[0] != ++number || segment.data[1] != segments.size();
    out.profile.insert(out.profile.end(), segment.data + 2, segment.data + segment.size);
  }
}

/// Whether a file without its end can contain most of its picture; if it has one scan, its rows decide.
bool may_do(const Layout &layout) {
  if (!layout.progressive) return layout.scans == 1 && layout.in_first_scan == layout.components;
  return !layout.parts.empty() && layout.parts[0].coefficients == ~uint64_t(0) &&
         std::all_of(layout.parts.begin(), layout.parts.end(), [](Component part) { return part.coefficients & 1; });
}

/// Whether three quarters of the rows contain data. Missing ones are mid grey, 127 as ink.
bool has_most_rows(const uint8_t *pixels, size_t stride, size_t rows) {
  size_t held = rows;
  auto is_missing = [](uint8_t value) { return value == 127 || value == 128; };
  while (held > 0 && std::all_of(pixels + (held - 1) * stride, pixels + held * stride, is_missing)) held--;
  return held * 4 >= rows * 3;
}

bool contains(const char *text, const char *part) { return std::strstr(text, part) != nullptr; }

/// Some warnings concern bytes that do not matter; the others mean that a part of the picture is fabricated.
bool is_harmless(const char *warning) {
  return contains(warning, "extraneous bytes") || contains(warning, "Adobe") || contains(warning, "JFIF") ||
         contains(warning, "Invalid SOS") || contains(warning, "ICC");
}

cvision_status failed(char *message, const char *text) {
  if (contains(text, "nsupported") || contains(text, "not supported") || contains(text, "Sorry"))
    return fail(message, CVISION_E_UNSUPPORTED, "unsupported JPEG: %s", text);
  return fail(message, CVISION_E_DAMAGED, "the JPEG data are malformed: %s", text);
}

struct Decoder {
  JPEGErrors errors;
  jpeg_decompress_struct jpeg = {};
  jpeg_progress_mgr progress = {};
  const Target &target;
  bool stopped = false, is_other_size = false;

  explicit Decoder(const Target &target) : target(target) {}
  ~Decoder() { jpeg_destroy_decompress(&jpeg); }
};

/// Called for each row of blocks of each scan, and for each output row.
void on_progress(j_common_ptr jpeg) {
  auto decoder = static_cast<Decoder *>(jpeg->client_data);
  if (!decoder->target.must_stop()) return;
  decoder->stopped = true;
  std::longjmp(decoder->errors.back, 1);
}

bool decompress(Decoder *decoder, Bytes bytes, bool inks, uint8_t *pixels) {
  jpeg_decompress_struct *jpeg = &decoder->jpeg;
  jpeg->err = &decoder->errors.manager;
  if (setjmp(decoder->errors.back)) return false;
  jpeg_create_decompress(jpeg);
  jpeg->client_data = decoder;
  decoder->progress.progress_monitor = on_progress;
  jpeg->progress = &decoder->progress;
  jpeg_mem_src(jpeg, bytes.data, static_cast<unsigned long>(bytes.size));
  jpeg_read_header(jpeg, TRUE);
  const Target &target = decoder->target;
  // Checked again, because the sizes below are libjpeg's.
  decoder->is_other_size =
      jpeg->image_width != JDIMENSION(target.width) || jpeg->image_height != JDIMENSION(target.height);
  if (decoder->is_other_size) return false;
  jpeg->scale_num = 1;
  jpeg->scale_denom = static_cast<unsigned>(target.reduction);
  jpeg->out_color_space = inks ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(jpeg);
  size_t stride = size_t(inks ? 4 : 3) * size_t(target.columns());
  decoder->is_other_size =
      jpeg->output_width != JDIMENSION(target.columns()) || jpeg->output_height != JDIMENSION(target.rows());
  if (decoder->is_other_size) return false;
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = pixels + stride * jpeg->output_scanline;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_decompress(jpeg);
  return true;
}

}  // namespace

cvision_status jpeg_header(Bytes bytes, Header &out, char *message) {
  Layout layout = walk(bytes);
  if (!layout.framed) return fail(message, CVISION_E_DAMAGED, "the JPEG file is truncated or malformed in its header");
  if (layout.width == 0 || layout.height == 0) {
    return fail(message, CVISION_E_DAMAGED, "the JPEG header states a side of 0 pixels");
  }
  if (layout.bits != 8) return fail(message, CVISION_E_UNSUPPORTED, "unsupported JPEG: samples do not have 8 bits");
  if (layout.components != 1 && layout.components != 3 && layout.components != 4) {
    return fail(message, CVISION_E_UNSUPPORTED, "unsupported JPEG: it does not have 1, 3 or 4 components");
  }
  join_profile(layout.profile, out.colours);
  out.info = {CVISION_JPEG, int32_t(layout.width), int32_t(layout.height), int32_t(layout.components), 8,
              layout.complete ? 0 : CVISION_TRUNCATED,
              {layout.size, layout.exif_at, layout.exif_size, layout.scans, layout.adobe, may_do(layout)}};
  return CVISION_OK;
}

cvision_status jpeg_decode(Bytes bytes, const cvision_image_info &info, const Target &target, char *message) {
  bool complete = !(info.warnings & CVISION_TRUNCATED);
  const char *const too_little = "the JPEG file is truncated: it holds less than three quarters of its picture";
  if (!complete && !info.jpeg.may_do) return fail(message, CVISION_E_DAMAGED, too_little);
  if (info.jpeg.scans > scan_limit) {
    return fail(message, CVISION_E_LIMIT, "the JPEG has more than 64 scans, which no camera or program writes");
  }
  // A truncated table would be an error, whereas the end of the data is a warning.
  if (!complete) bytes.size = std::min(bytes.size, info.jpeg.size);
  bool inks = info.components == 4;
  std::vector<uint8_t> cmyk(inks ? 4 * target.pixels() : 0);
  uint8_t *pixels = inks ? cmyk.data() : target.rgb;
  Decoder decoder(target);
  bool decoded = decompress(&decoder, bytes, inks, pixels);
  const char *text = decoder.errors.text;
  if (decoder.stopped) return stopped(message);
  if (decoder.is_other_size) return failed(message, "its headers contradict each other");
  bool is_read = !text[0] || is_harmless(text) || (!complete && contains(text, "remature end"));
  if (!decoded || !is_read) return failed(message, text);
  if (!complete && !has_most_rows(pixels, size_t(inks ? 4 : 3) * size_t(target.columns()), size_t(target.rows()))) {
    return fail(message, CVISION_E_DAMAGED, too_little);
  }
  if (!inks) return CVISION_OK;
  if (info.jpeg.is_adobe) {
    for (uint8_t &value : cmyk) value ^= 255;
  }
  if (colour_takes_inks(target.colour)) {
    colour_apply_inks(target.colour, cmyk.data(), target.pixels(), target.rgb);
    return CVISION_OK;
  }
  uint8_t *out = target.rgb;
  for (size_t i = 0; i < cmyk.size(); i += 4) {
    for (size_t channel = 0; channel < 3; channel++) *out++ = ink_to_light(cmyk[i + channel], cmyk[i + 3]);
  }
  return CVISION_OK;
}

}  // namespace cvision
