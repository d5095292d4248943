// PNG through libpng, row by row: only the reduced picture is kept in memory.
//
// libpng reports errors by longjmp. It jumps only over the frames of `start`, `read_rows` and `read_profile`, which
// hold no objects with destructors.
#include <png.h>

#include "placer.hpp"

namespace cvision {
namespace {

struct Source {
  Bytes bytes;
  size_t at = 0;
  bool truncated = false, stopped = false;
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
  if (source.stopped) return stopped(message);
  if (source.truncated) return fail(message, CVISION_E_DAMAGED, "the PNG file is truncated: its end is missing");
  return fail(message, CVISION_E_DAMAGED, "the PNG data are malformed: %s", source.text);
}

struct Decoder {
  png_structp png = nullptr;
  png_infop info = nullptr;

  explicit Decoder(Source &source) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
    if (png) info = png_create_info_struct(png);
    if (!info) {
      png_destroy_read_struct(&png, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png, &source, on_read);
    png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);  // the caller has checked the size
    png_set_chunk_malloc_max(png, profile_limit);
  }
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Reads up to the first pixels; rows are then 8-bit grey, RGB or RGBA.
bool start(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // except palette and transparency
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION                           // checksums would reject changed bytes
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

bool read_rows(png_structp png, Source *source, Placer *placer, uint8_t *row) {
  if (setjmp(png_jmpbuf(png))) return false;
  const Target &target = placer->target;
  for (int pass = 0; pass < (placer->interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1); pass++) {
    int32_t first_x = 0, first_y = 0, step_x = 1, step_y = 1;
    if (placer->interlaced) {
      first_x = PNG_PASS_START_COL(pass);
      first_y = PNG_PASS_START_ROW(pass);
      step_x = PNG_PASS_COL_OFFSET(pass);
      step_y = PNG_PASS_ROW_OFFSET(pass);
      if (first_x >= target.width) continue;  // libpng skips empty passes too
    }
    for (int32_t y = first_y; y < target.height; y += step_y) {
      if ((source->stopped = target.must_stop())) return false;
      png_read_row(png, row, nullptr);
      placer->place(row, y, first_x, step_x);
    }
  }
  png_read_end(png, nullptr);
  return true;
}

/// Finds a chunk before the pixels; false if there is none.
bool find_chunk(Bytes bytes, const char *type, Bytes &out) {
  uint32_t length;
  for (size_t at = 8; bytes.number(at, 4, length) && !bytes.matches(at + 4, "IDAT", 4); at += 12 + size_t(length)) {
    if (!bytes.holds(at + 8, length)) return false;
    out = {bytes.data + at + 8, length};
    if (bytes.matches(at + 4, type, 4)) return true;
  }
  return false;
}

/// Lets libpng inflate and check the profile.
bool read_profile(png_structp png, png_infop info, png_bytep *profile, png_uint_32 *size) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_info(png, info);
  png_charp name;
  int compression;
  return png_get_iCCP(png, info, &name, &compression, profile, size) != 0;
}

/// The code points of a cICP chunk take precedence over an iCCP chunk (PNG, third edition). Gamma and chromaticities
/// alone are ignored, as in most programs.
void read_colours(Bytes bytes, Colours &out) {
  Bytes chunk;
  if (find_chunk(bytes, "cICP", chunk) && chunk.size == 4) {
    chunk.number(0, 1, out.primaries);
    chunk.number(1, 1, out.transfer);
    return;
  }
  if (!find_chunk(bytes, "iCCP", chunk)) return;
  Source source{bytes};
  Decoder decoder(source);
  png_bytep profile = nullptr;
  png_uint_32 size = 0;
  out.broken = !read_profile(decoder.png, decoder.info, &profile, &size);
  if (!out.broken) out.profile.assign(profile, profile + size);
}

}  // namespace

cvision_status png_header(Bytes bytes, Header &out, char *message) {
  uint32_t width, height, bits, type;
  if (!bytes.number(16, 4, width) || !bytes.number(20, 4, height) || !bytes.number(24, 1, bits) ||
      !bytes.number(25, 1, type)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG file is truncated in its header");
  }
  if (!bytes.matches(8, "\0\0\0\rIHDR", 8)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG file does not start with its header");
  }
  if (width == 0 || height == 0 || width > 0x7FFFFFF0 || height > 0x7FFFFFF0) {
    return fail(message, CVISION_E_DAMAGED, "the PNG header states an invalid size");
  }
  int32_t components = type == 0 ? 1 : type == 4 ? 2 : type == 6 ? 4 : 3;
  out.info = {CVISION_PNG, int32_t(width), int32_t(height), components, int32_t(bits), 0, {}};
  read_colours(bytes, out.colours);
  return CVISION_OK;
}

cvision_status png_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message) {
  Source source{bytes};
  Decoder decoder(source);
  if (!start(decoder.png, decoder.info)) return failed(message, source);

  int channels = png_get_channels(decoder.png, decoder.info);
  if (png_get_image_width(decoder.png, decoder.info) != uint32_t(target.width) ||
      png_get_image_height(decoder.png, decoder.info) != uint32_t(target.height) ||
      (channels != 1 && channels != 3 && channels != 4)) {
    return fail(message, CVISION_E_DAMAGED, "the PNG data contradict their header");
  }
  std::vector<uint8_t> row(png_get_rowbytes(decoder.png, decoder.info));
  bool interlaced = png_get_interlace_type(decoder.png, decoder.info) != PNG_INTERLACE_NONE;
  Placer placer(target, channels, interlaced);
  if (!read_rows(decoder.png, &source, &placer, row.data())) return failed(message, source);
  placer.finish();
  return CVISION_OK;
}

}  // namespace cvision
