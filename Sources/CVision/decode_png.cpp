// PNG through libpng, row by row: only the reduced picture is held.
//
// libpng reports errors by longjmp. `start` and `read_rows` are the only frames that it jumps over, and they hold
// nothing that has a destructor.
#include <png.h>

#include <algorithm>
#include <vector>

#include "codecs.hpp"

namespace cvision {
namespace {

struct Source {
  Bytes bytes;
  size_t at = 0;
  bool truncated = false;
  char text[CVISION_MESSAGE - 32] = "";
};

void on_error(png_structp png, png_const_charp text) {
  auto source = static_cast<Source *>(png_get_error_ptr(png));
  std::snprintf(source->text, sizeof source->text, "%s", text);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep out, size_t count) {
  auto source = static_cast<Source *>(png_get_io_ptr(png));
  if (!source->bytes.holds(source->at, count)) {
    source->truncated = true;
    png_error(png, "truncated");
  }
  std::memcpy(out, source->bytes.data + source->at, count);
  source->at += count;
}

cvision_status failed(char *message, const Source &source) {
  if (source.truncated) return fail(message, CVISION_E_DAMAGED, "the PNG file is truncated: its end is missing");
  char line[CVISION_MESSAGE];
  std::snprintf(line, sizeof line, "the PNG data are broken: %s", source.text);
  return fail(message, CVISION_E_DAMAGED, line);
}

struct Decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Reads up to the first pixels; from then on rows are 8-bit grey, RGB or RGBA.
bool start(png_structp png, png_infop info, Source *source) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, source, on_read);
  png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);  // the caller has checked the size
  png_set_chunk_malloc_max(png, 1 << 20);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // but for palette and transparency
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // changed bytes would not get past the checksums
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_option(png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
  png_read_info(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  if (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS)) {
    png_set_gray_to_rgb(png);
  }
  png_read_update_info(png, info);
  return true;
}

/// Puts rows into the picture. Where it is reduced, each output pixel is the mean of a square.
struct Placer {
  const Target &target;
  int channels;  // of a row: 1 grey, 3 RGB, 4 RGBA
  bool interlaced;
  /// Where the picture is reduced: of each column of the rows of one output row; of interlaced pictures, whose rows do
  /// not come in order, of each square.
  std::vector<uint16_t> sums;  // 64 * 255 fits

  Placer(const Target &target, int channels, bool interlaced)
      : target(target), channels(channels), interlaced(interlaced) {
    if (target.reduction > 1) sums.resize(interlaced ? 3 * target.pixels() : shown() * size_t(target.width));
  }

  /// Channels that are summed: alpha is blended over white before.
  size_t shown() const { return channels == 1 ? 1 : 3; }

  void place(const uint8_t *row, int32_t y, int32_t first, int32_t step) {
    size_t stride = 3 * size_t(target.columns());
    if (target.reduction == 1) {
      uint8_t *out = target.rgb + stride * size_t(y);
      if (step == 1 && channels == 3) {
        std::memcpy(out, row, stride);
      } else {
        spread(row, first, step, [&](int32_t x, int channel, uint8_t value) { out[3 * size_t(x) + channel] = value; });
      }
      return;
    }
    if (interlaced) {
      uint16_t *sum = sums.data() + stride * size_t(y / target.reduction);
      int shift = target.reduction == 2 ? 1 : target.reduction == 4 ? 2 : 3;
      spread(row, first, step,
             [&](int32_t x, int channel, uint8_t value) { sum[3 * size_t(x >> shift) + channel] += value; });
      return;
    }
    if (channels == 4) {
      spread(row, 0, 1, [&](int32_t x, int channel, uint8_t value) { sums[3 * size_t(x) + channel] += value; });
    } else {
      for (size_t i = 0; i < sums.size(); i++) sums[i] += row[i];
    }
    if (y % target.reduction != target.reduction - 1 && y != target.height - 1) return;
    switch (target.reduction * 4 + int(shown())) {
      case 2 * 4 + 1: return average_columns<2, 1>(y / 2);
      case 2 * 4 + 3: return average_columns<2, 3>(y / 2);
      case 4 * 4 + 1: return average_columns<4, 1>(y / 4);
      case 4 * 4 + 3: return average_columns<4, 3>(y / 4);
      case 8 * 4 + 1: return average_columns<8, 1>(y / 8);
      default: return average_columns<8, 3>(y / 8);
    }
  }

  /// Gives each channel of each pixel of a row, over white, to `put`.
  template <typename Put>
  void spread(const uint8_t *row, int32_t first, int32_t step, Put put) {
    for (int32_t x = first; x < target.width; x += step, row += channels) {
      for (int channel = 0; channel < 3; channel++) {
        put(x, channel, channels == 4 ? over_white(row[channel], row[3]) : row[channels == 1 ? 0 : channel]);
      }
    }
  }

  /// The mean of a square of `count` pixels, rounded.
  static uint8_t mean(uint32_t sum, uint32_t count) { return uint8_t((sum + count / 2) / count); }

  /// Turns the sums of columns into a row of output and clears them.
  template <int side, int channels>
  void average_columns(int32_t out_row) {
    uint8_t *out = target.rgb + 3 * size_t(target.columns()) * size_t(out_row);
    uint32_t rows = uint32_t(std::min(side, target.height - out_row * side));
    const uint16_t *from = sums.data();
    auto put = [&](uint32_t width, uint32_t count) {
      uint32_t sum[channels] = {};
      for (uint32_t x = 0; x < width; x++) {
        for (int channel = 0; channel < channels; channel++) sum[channel] += *from++;
      }
      for (int channel = 0; channel < 3; channel++) *out++ = mean(sum[channels == 1 ? 0 : channel], count);
    };
    int32_t whole = target.width / side;
    if (rows == side) {  // the usual case, with constants
      for (int32_t column = 0; column < whole; column++) put(side, side * side);
    } else {
      for (int32_t column = 0; column < whole; column++) put(side, side * rows);
    }
    if (uint32_t rest = uint32_t(target.width % side)) put(rest, rest * rows);
    std::fill(sums.begin(), sums.end(), 0);
  }

  /// Turns the sums of an interlaced picture into output.
  void finish() {
    if (target.reduction == 1 || !interlaced) return;
    int32_t side = target.reduction;
    const uint16_t *sum = sums.data();
    uint8_t *out = target.rgb;
    for (int32_t row = 0; row < target.rows(); row++) {
      int32_t rows = std::min(side, target.height - row * side);
      for (int32_t column = 0; column < target.columns(); column++) {
        uint32_t count = uint32_t(rows * std::min(side, target.width - column * side));
        for (int channel = 0; channel < 3; channel++) *out++ = mean(*sum++, count);
      }
    }
  }
};

bool read_rows(png_structp png, Placer *placer, uint8_t *row) {
  if (setjmp(png_jmpbuf(png))) return false;
  const Target &target = placer->target;
  for (int pass = 0; pass < (placer->interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); pass++) {
    int32_t first_x = 0, first_y = 0, step_x = 1, step_y = 1;
    if (placer->interlaced) {
      first_x = PNG_PASS_START_COL(pass);
      first_y = PNG_PASS_START_ROW(pass);
      step_x = PNG_PASS_COL_OFFSET(pass);
      step_y = PNG_PASS_ROW_OFFSET(pass);
      if (first_x >= target.width) continue;  // libpng leaves out empty passes too
    }
    for (int32_t y = first_y; y < target.height; y += step_y) {
      png_read_row(png, row, nullptr);
      placer->place(row, y, first_x, step_x);
    }
  }
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

cvision_status png_header(Bytes bytes, cvision_image_info *out, char *message) {
  uint32_t width, height, bits, type;
  if (!bytes.number(16, 4, width) || !bytes.number(20, 4, height) || !bytes.number(24, 1, bits) ||
      !bytes.number(25, 1, type)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG file is truncated in its header");
  }
  if (!bytes.matches(8, "\0\0\0\rIHDR", 8)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG file does not begin with its header");
  }
  if (width == 0 || height == 0 || width > 0x7FFFFFF0 || height > 0x7FFFFFF0) {
    return fail(message, CVISION_E_DAMAGED, "the PNG header gives a side that is 0 or beyond the format");
  }
  int32_t components = type == 0 ? 1 : type == 4 ? 2 : type == 6 ? 4 : 3;
  *out = {CVISION_PNG, int32_t(width), int32_t(height), components, int32_t(bits)};
  return CVISION_OK;
}

cvision_status png_decode(Bytes bytes, const Target &target, char *message) {
  Source source{bytes};
  Decoder decoder;
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
  if (!decoder.png) return fail(message, CVISION_E_MEMORY, "out of memory");
  decoder.info = png_create_info_struct(decoder.png);
  if (!decoder.info) return fail(message, CVISION_E_MEMORY, "out of memory");
  if (!start(decoder.png, decoder.info, &source)) return failed(message, source);

  int channels = png_get_channels(decoder.png, decoder.info);
  if (png_get_image_width(decoder.png, decoder.info) != uint32_t(target.width) ||
      png_get_image_height(decoder.png, decoder.info) != uint32_t(target.height) || (channels != 1 && channels != 3 && channels != 4)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG data do not fit their header");
  }
  std::vector<uint8_t> row(png_get_rowbytes(decoder.png, decoder.info));
  bool interlaced = png_get_interlace_type(decoder.png, decoder.info) != PNG_INTERLACE_NONE;
  Placer placer(target, channels, interlaced);
  if (!read_rows(decoder.png, &placer, row.data())) return failed(message, source);
  placer.finish();
  return CVISION_OK;
}

}  // namespace cvision
