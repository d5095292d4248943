// JPEG 2000 through OpenJPEG: box files and raw code streams.
//
// OpenJPEG allocates as a header announces (tiles, precincts, code blocks, palette columns), so all headers of the file
// are parsed first and excessive ones are refused. This also finds truncation and the number of resolution levels.
#include <openjpeg.h>

#include <algorithm>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "codecs.hpp"

namespace cvision {
namespace {

// Encoders stay far within these limits; beyond them a small file takes gigabytes.
const uint32_t component_limit = 4;
const uint64_t tile_limit = 4096;
const uint32_t layer_limit = 128;
const uint32_t precinct_exponent_minimum = 5;     // 32 samples
const uint32_t code_block_exponents_minimum = 8;  // width times height: 256 samples

struct Layout {
  uint32_t width = 0, height = 0, components = 0, bits = 0;
  uint64_t tiles = 0;
  uint32_t levels = 32;  // minimum over all components and tiles
};

/// The code stream within the file; `complete` if it ends inside the file.
struct Stream {
  Bytes bytes;
  bool complete = true;
};

cvision_status truncated(char *message) {
  return fail(message, CVISION_E_DAMAGED, "the JPEG 2000 file is truncated: its end is missing");
}

cvision_status broken(char *message, const char *what) {
  return fail(message, CVISION_E_DAMAGED, "the JPEG 2000 data are malformed: %s", what);
}

cvision_status unsupported(char *message, const char *what) {
  return fail(message, CVISION_E_UNSUPPORTED, "unsupported JPEG 2000: %s", what);
}

/// A box's content, from `at` to `end`; `next_box` returns false if there is none before `limit`.
struct Box {
  uint32_t type = 0;
  size_t at = 0, end = 0;
  bool cut = false;  // reaches beyond `limit`
};

bool next_box(Bytes bytes, size_t at, size_t limit, Box &box) {
  uint32_t length, high, low;
  if (limit - at < 8 || !bytes.number(at, 4, length) || !bytes.number(at + 4, 4, box.type)) return false;
  uint64_t size = length;
  box.at = at + 8;
  if (length == 0) {
    size = limit - at;
  } else if (length == 1) {
    if (limit - at < 16 || !bytes.number(at + 8, 4, high) || !bytes.number(at + 12, 4, low)) return false;
    size = uint64_t(high) << 32 | low;
    box.at = at + 16;
  }
  if (size < box.at - at) return false;
  box.cut = size > limit - at;
  box.end = box.cut ? limit : at + size_t(size);
  return true;
}

/// Finds the code stream among the boxes, and checks the palette, if any.
cvision_status find_stream(Bytes bytes, Stream &out, Colours *colours, char *message) {
  uint32_t first;
  if (bytes.number(0, 4, first) && first == 0xFF4FFF51) {
    out.bytes = bytes;
    return CVISION_OK;
  }
  Box box, inner;
  for (size_t at = 0; next_box(bytes, at, bytes.size, box); at = box.end) {
    if (box.type == 0x6A703263) {  // jp2c
      out.bytes = {bytes.data + box.at, box.end - box.at};
      out.complete = !box.cut;
      return CVISION_OK;
    }
    if (box.cut) break;
    if (box.type != 0x6A703268) continue;  // jp2h
    for (size_t part = box.at; next_box(bytes, part, box.end, inner) && !inner.cut; part = inner.end) {
      uint32_t columns, method;
      bool colour = colours && inner.type == 0x636F6C72 && inner.end - inner.at > 3;  // colr; 2 and 3: a profile
      if (colour && bytes.number(inner.at, 1, method) && (method == 2 || method == 3)) {
        colours->profile.assign(bytes.data + inner.at + 3, bytes.data + inner.end);
      }
      if (inner.type != 0x70636C72) continue;  // pclr
      if (!bytes.number(inner.at + 2, 1, columns)) return truncated(message);
      if (columns > component_limit) return unsupported(message, "a palette of more than 4 columns");
    }
  }
  return fail(message, CVISION_E_DAMAGED, "the JPEG 2000 file is truncated or malformed before its code stream");
}

uint32_t divided_up(uint32_t value, uint32_t by) { return uint32_t((uint64_t(value) + by - 1) / by); }

/// Reads the SIZ segment, which is first in every code stream.
cvision_status read_size(Bytes stream, Layout &layout, char *message) {
  uint32_t start, length, x1, y1, x0, y0, tile_width, tile_height, tile_x, tile_y;
  if (!stream.number(0, 4, start) || !stream.number(4, 2, length) || !stream.number(8, 4, x1) ||
      !stream.number(12, 4, y1) || !stream.number(16, 4, x0) || !stream.number(20, 4, y0) ||
      !stream.number(24, 4, tile_width) || !stream.number(28, 4, tile_height) || !stream.number(32, 4, tile_x) ||
      !stream.number(36, 4, tile_y) || !stream.number(40, 2, layout.components)) {
    return fail(message, CVISION_E_DAMAGED, "the JPEG 2000 file is truncated in its header");
  }
  if (start != 0xFF4FFF51) return broken(message, "the code stream does not begin with a SIZ segment");
  if (x0 >= x1 || y0 >= y1 || x1 > INT32_MAX || y1 > INT32_MAX) return broken(message, "a picture without area");
  if (tile_width == 0 || tile_height == 0 || tile_x > x0 || tile_y > y0) return broken(message, "tiles without area");
  layout.tiles = uint64_t(divided_up(x1 - tile_x, tile_width)) * divided_up(y1 - tile_y, tile_height);
  if (layout.components == 0 || layout.components > component_limit) {
    return unsupported(message, "other than 1 to 4 components");
  }
  for (uint32_t i = 0; i < layout.components; i++) {
    uint32_t depth, dx, dy;
    size_t at = 42 + 3 * size_t(i);
    if (!stream.number(at, 1, depth) || !stream.number(at + 1, 1, dx) || !stream.number(at + 2, 1, dy)) {
      return fail(message, CVISION_E_DAMAGED, "the JPEG 2000 file is truncated in its header");
    }
    uint32_t bits = (depth & 0x7F) + 1;
    if (bits > 16) return unsupported(message, "more than 16 bits");
    if (dx == 0 || dy == 0) return broken(message, "a component without area");
    uint32_t width = divided_up(x1, dx) - divided_up(x0, dx);
    uint32_t height = divided_up(y1, dy) - divided_up(y0, dy);
    if (width == 0 || height == 0) return broken(message, "a component without area");
    layout.width = std::max(layout.width, width);
    layout.height = std::max(layout.height, height);
    layout.bits = std::max(layout.bits, bits);
  }
  return CVISION_OK;
}

/// Checks the coding parameters that COD (for all components) and COC (for one) share, at `at`.
cvision_status check_coding(Bytes stream, size_t at, bool precincts, Layout &layout, char *message) {
  uint32_t levels, width, height, size;
  if (!stream.number(at, 1, levels) || !stream.number(at + 1, 1, width) || !stream.number(at + 2, 1, height)) {
    return truncated(message);
  }
  if (levels > 32) return broken(message, "more than 32 resolution levels");
  if ((width & 15) + 2 + (height & 15) + 2 < code_block_exponents_minimum) {
    return unsupported(message, "code blocks of fewer than 256 samples");
  }
  for (uint32_t i = 0; precincts && i <= levels; i++) {
    if (!stream.number(at + 5 + i, 1, size)) return truncated(message);
    if ((size & 15) < precinct_exponent_minimum || size >> 4 < precinct_exponent_minimum) {
      return unsupported(message, "precincts of fewer than 32 samples a side");
    }
  }
  layout.levels = std::min(layout.levels, levels);
  return CVISION_OK;
}

/// Parses the main header and the header of each tile part.
cvision_status walk(const Stream &source, Layout &layout, char *message) {
  if (layout.tiles > tile_limit) return unsupported(message, "more than 4096 tiles");
  Bytes stream = source.bytes;
  uint64_t tiles_begun = 0;
  size_t part_end = 0;  // of the tile part whose header is being parsed; 0: it extends to the end of the stream
  bool in_part = false;
  size_t at = 2;
  for (;;) {
    uint32_t marker, length, value;
    if (!stream.number(at, 2, marker)) {
      if (in_part || !source.complete || tiles_begun < layout.tiles) return truncated(message);
      return CVISION_OK;  // only the end marker is missing
    }
    if (marker == 0xFFD9) return tiles_begun < layout.tiles ? truncated(message) : CVISION_OK;
    if (marker == 0xFF93 && in_part) {  // the data of this tile part
      in_part = false;
      if (part_end == 0) {
        return source.complete && stream.size >= 2 && stream.matches(stream.size - 2, "\xFF\xD9", 2)
                   ? CVISION_OK
                   : truncated(message);
      }
      if (part_end < at + 2) return broken(message, "an empty tile part");
      if (part_end > stream.size) return truncated(message);
      at = part_end;
      continue;
    }
    if (marker < 0xFF00) return broken(message, "a marker is missing");
    if (!stream.number(at + 2, 2, length)) return truncated(message);
    if (length < 2) return broken(message, "an empty segment");
    if (!stream.holds(at + 2, length)) return truncated(message);
    cvision_status status = CVISION_OK;
    if (marker == 0xFF90) {  // a tile part begins
      uint32_t size, part;
      if (in_part || length != 10) return broken(message, "a tile part inside another");
      stream.number(at + 6, 4, size);
      stream.number(at + 10, 1, part);
      in_part = true;
      part_end = size == 0 ? 0 : at + size;
      if (part == 0) tiles_begun++;
    } else if (marker == 0xFF52 && length >= 12) {
      stream.number(at + 4, 1, value);
      bool precincts = value & 1;
      stream.number(at + 6, 2, value);
      if (value > layer_limit) return unsupported(message, "more than 128 quality layers");
      status = check_coding(stream, at + 9, precincts, layout, message);
    } else if (marker == 0xFF53 && length >= 9) {  // the component is one byte, since there are at most 4
      stream.number(at + 5, 1, value);
      status = check_coding(stream, at + 6, value & 1, layout, message);
    }
    if (status != CVISION_OK) return status;
    at += 2 + length;
  }
}

/// Estimates the seconds of decoding without the `reduce` finest resolution levels: 20 ns per pixel, and 120 ns per
/// decoded byte. The decoded bytes are the fraction of the file that the remaining levels had in a picture of 20
/// megapixels and 6 MB, but at most two per pixel, as in a lossless one of 5 megapixels and 8.6 MB. Estimates for both
/// at all reductions are 0.7 to 1.2 times the measured time.
double estimate(const Layout &layout, size_t size, uint32_t reduce) {
  const double shares[] = {1, 0.6, 0.35, 0.15};
  double pixels = double(layout.width) * layout.height / double(1 << 2 * reduce);
  return 20e-9 * pixels + 120e-9 * std::min(shares[reduce] * double(size), 2 * pixels);
}

// OpenJPEG's stream callbacks.

struct Reading {
  Bytes bytes;
  size_t at = 0;
};

OPJ_SIZE_T on_read(void *buffer, OPJ_SIZE_T count, void *data) {
  auto reading = static_cast<Reading *>(data);
  count = std::min(count, reading->bytes.size - reading->at);
  if (count == 0) return OPJ_SIZE_T(-1);
  std::memcpy(buffer, reading->bytes.data + reading->at, count);
  reading->at += count;
  return count;
}

OPJ_OFF_T on_skip(OPJ_OFF_T count, void *data) {
  auto reading = static_cast<Reading *>(data);
  if (count < 0) return -1;
  size_t left = reading->bytes.size - reading->at;
  if (uint64_t(count) > left) count = OPJ_OFF_T(left);
  reading->at += size_t(count);
  return count;
}

OPJ_BOOL on_seek(OPJ_OFF_T at, void *data) {
  auto reading = static_cast<Reading *>(data);
  if (at < 0 || uint64_t(at) > reading->bytes.size) return OPJ_FALSE;
  reading->at = size_t(at);
  return OPJ_TRUE;
}

/// Keeps the first error, which names the cause; it ends with a line break.
void on_error(const char *text, void *data) {
  auto line = static_cast<char *>(data);
  if (line[0] == 0) std::snprintf(line, CVISION_MESSAGE - 64, "%.*s", int(std::strcspn(text, "\r\n")), text);
}

/// Whether OpenJPEG has parsed the header that was checked.
bool fits(const opj_image_t &image, const Layout &layout) {
  uint32_t width = 0, height = 0;
  for (uint32_t i = 0; i < image.numcomps; i++) {
    const opj_image_comp_t &component = image.comps[i];
    width = std::max(width, divided_up(image.x1, component.dx) - divided_up(image.x0, component.dx));
    height = std::max(height, divided_up(image.y1, component.dy) - divided_up(image.y0, component.dy));
  }
  return image.numcomps == layout.components && width == layout.width && height == layout.height;
}

/// Converts one component to bytes at the size of the target, and frees the component's memory.
cv::Mat plane(opj_image_comp_t &component, const Target &target) {
  cv::Mat bytes(int(component.h), int(component.w), CV_8U);
  int64_t offset = component.sgnd ? int64_t(1) << (component.prec - 1) : 0;
  int64_t largest = (int64_t(1) << component.prec) - 1;
  size_t count = size_t(component.w) * component.h;
  for (size_t i = 0; i < count; i++) {
    int64_t value = std::min(std::max(component.data[i] + offset, int64_t(0)), largest);
    bytes.data[i] = uint8_t(largest == 255 ? value : (value * 255 + largest / 2) / largest);
  }
  opj_image_data_free(component.data);
  component.data = nullptr;
  cv::Size size(target.columns(), target.rows());
  if (bytes.size() == size) return bytes;
  cv::Mat out;
  bool shrinks = bytes.cols >= size.width && bytes.rows >= size.height;
  cv::resize(bytes, out, size, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  return out;
}

uint8_t clamped(double value) { return uint8_t(std::min(std::max(value + 0.5, 0.0), 255.0)); }

/// Combines the planes to RGB, by the colour space that the file states or its components suggest.
cvision_status combine(opj_image_t &image, const Target &target, char *message) {
  uint32_t count = image.numcomps;
  bool inks = image.color_space == OPJ_CLRSPC_CMYK && count == 4;
  bool grey = count < 3;
  bool halved = count >= 3 && image.comps[1].w < image.comps[0].w && image.comps[2].w < image.comps[0].w;
  bool luma_chroma =
      count >= 3 && (image.color_space == OPJ_CLRSPC_SYCC || (image.color_space != OPJ_CLRSPC_SRGB && halved && !inks));
  if (image.color_space == OPJ_CLRSPC_EYCC) return unsupported(message, "the colour space e-YCC");

  const uint8_t *planes[component_limit] = {};
  cv::Mat mats[component_limit];
  const uint8_t *alpha = nullptr;
  for (uint32_t i = 0; i < count; i++) {
    mats[i] = plane(image.comps[i], target);
    planes[i] = mats[i].data;
    bool last = i == count - 1;
    if (last && !inks && (count == 2 || (count == 4 && image.comps[i].alpha != 0))) alpha = planes[i];
  }
  uint8_t *out = target.rgb;
  for (size_t i = 0; i < target.pixels(); i++, out += 3) {
    if (grey) {
      out[0] = out[1] = out[2] = planes[0][i];
    } else if (inks) {
      for (int channel = 0; channel < 3; channel++) out[channel] = ink_to_light(planes[channel][i], planes[3][i]);
    } else if (luma_chroma) {
      double y = planes[0][i], cb = planes[1][i] - 128.0, cr = planes[2][i] - 128.0;
      out[0] = clamped(y + 1.402 * cr);
      out[1] = clamped(y - 0.344136 * cb - 0.714136 * cr);
      out[2] = clamped(y + 1.772 * cb);
    } else {
      for (int channel = 0; channel < 3; channel++) out[channel] = planes[channel][i];
    }
    if (alpha) {
      for (int channel = 0; channel < 3; channel++) out[channel] = over_white(out[channel], alpha[i]);
    }
  }
  return CVISION_OK;
}

}  // namespace

cvision_status jp2_header(Bytes bytes, Header &out, char *message) {
  Stream stream;
  Layout layout;
  cvision_status status = find_stream(bytes, stream, &out.colours, message);
  if (status == CVISION_OK) status = read_size(stream.bytes, layout, message);
  if (status != CVISION_OK) return status;
  out.info = {
      CVISION_JP2, int32_t(layout.width), int32_t(layout.height), int32_t(layout.components), int32_t(layout.bits), 0,
      {}};
  return CVISION_OK;
}

cvision_status jp2_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message) {
  Stream source;
  Layout layout;
  cvision_status status = find_stream(bytes, source, nullptr, message);
  if (status == CVISION_OK) status = read_size(source.bytes, layout, message);
  if (status == CVISION_OK) status = walk(source, layout, message);
  if (status != CVISION_OK) return status;

  uint32_t reduce = 0;
  for (int32_t left = target.reduction; left > 1 && reduce < layout.levels; left /= 2) reduce++;
  double seconds = estimate(layout, source.bytes.size, reduce);
  if (target.must_stop(seconds)) return stopped_by(seconds, "JPEG 2000", message);

  char text[CVISION_MESSAGE] = "";
  Reading reading{bytes};
  bool raw = source.bytes.data == bytes.data;
  std::unique_ptr<opj_codec_t, Closer<opj_destroy_codec>> codec(
      opj_create_decompress(raw ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
  std::unique_ptr<opj_stream_t, Closer<opj_stream_destroy>> stream(opj_stream_create(1 << 16, OPJ_TRUE));
  if (!codec || !stream) return fail(message, CVISION_E_MEMORY, "out of memory");
  opj_stream_set_user_data(stream.get(), &reading, nullptr);
  opj_stream_set_user_data_length(stream.get(), bytes.size);
  opj_stream_set_read_function(stream.get(), on_read);
  opj_stream_set_skip_function(stream.get(), on_skip);
  opj_stream_set_seek_function(stream.get(), on_seek);
  opj_set_error_handler(codec.get(), on_error, text);

  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  parameters.cp_reduce = reduce;
  if (!opj_setup_decoder(codec.get(), &parameters) || !opj_decoder_set_strict_mode(codec.get(), OPJ_TRUE)) {
    return fail(message, CVISION_E_INTERNAL, "OpenJPEG rejected the decoder parameters");
  }
  opj_image_t *opened = nullptr;
  bool decoded = opj_read_header(stream.get(), codec.get(), &opened) && opened;
  std::unique_ptr<opj_image_t, Closer<opj_image_destroy>> image(opened);
  if (decoded && !fits(*image, layout)) return broken(message, "its headers contradict each other");
  decoded =
      decoded && opj_decode(codec.get(), stream.get(), image.get()) && opj_end_decompress(codec.get(), stream.get());
  if (!decoded) return broken(message, text[0] ? text : "decoding failed");
  if (image->numcomps == 0 || image->numcomps > component_limit) return broken(message, "no components");
  for (uint32_t i = 0; i < image->numcomps; i++) {
    const opj_image_comp_t &component = image->comps[i];
    if (!component.data || component.w == 0 || component.h == 0 || component.w > uint32_t(target.width) ||
        component.h > uint32_t(target.height)) {
      return broken(message, "a component without data");
    }
    if (component.prec == 0 || component.prec > 16) return unsupported(message, "more than 16 bits");
  }
  return combine(*image, target, message);
}

}  // namespace cvision
