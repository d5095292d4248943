// PNG writing through libpng's simplified interface, which needs no setjmp, and JPEG writing through libjpeg-turbo.
#include <png.h>

#include <algorithm>
#include <cstdlib>

#include "guard.hpp"
#include "libjpeg.hpp"

using namespace cvision;

namespace {

struct Encoder {
  JPEGErrors errors;
  jpeg_compress_struct jpeg = {};
  unsigned char *bytes = nullptr;
  unsigned long size = 0;
  ~Encoder() {
    jpeg_destroy_compress(&jpeg);
    std::free(bytes);
  }
};

bool compress(Encoder *encoder, const uint8_t *rgb, int32_t width, int32_t height, int quality) {
  jpeg_compress_struct *jpeg = &encoder->jpeg;
  jpeg->err = &encoder->errors.manager;
  if (setjmp(encoder->errors.back)) return false;
  jpeg_create_compress(jpeg);
  jpeg_mem_dest(jpeg, &encoder->bytes, &encoder->size);
  jpeg->image_width = JDIMENSION(width);
  jpeg->image_height = JDIMENSION(height);
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  // Chroma at full resolution, because the picture is kept for its skin.
  for (int i = 0; i < jpeg->num_components; i++) {
    jpeg->comp_info[i].h_samp_factor = jpeg->comp_info[i].v_samp_factor = 1;
  }
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < jpeg->image_height) {
    auto row = const_cast<JSAMPROW>(rgb + 3 * size_t(width) * jpeg->next_scanline);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  return true;
}

/// Clears the output; returns whether there is a picture to encode.
bool begin(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **out, size_t *out_size) {
  if (!rgb || !out || !out_size || width <= 0 || height <= 0) return false;
  *out = nullptr;
  *out_size = 0;
  return true;
}

}  // namespace

cvision_status cvision_encode_png(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **out, size_t *out_size,
                                  char *message) {
  if (!begin(rgb, width, height, out, out_size)) return fail(message, CVISION_E_ARGUMENT, "no picture to encode");
  return guarded(message, [&] {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(width);
    image.height = png_uint_32(height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *memory = std::malloc(size);
    if (!memory) return fail(message, CVISION_E_MEMORY, "out of memory");
    if (!png_image_write_to_memory(&image, memory, &size, 0, rgb, 0, nullptr)) {
      std::free(memory);
      return fail(message, CVISION_E_INTERNAL, "%s", image.message);
    }
    void *fitted = std::realloc(memory, size);
    *out = static_cast<uint8_t *>(fitted ? fitted : memory);
    *out_size = size;
    return CVISION_OK;
  });
}

cvision_status cvision_encode_jpeg(const uint8_t *rgb, int32_t width, int32_t height, int32_t quality, uint8_t **out,
                                   size_t *out_size, char *message) {
  if (!begin(rgb, width, height, out, out_size)) return fail(message, CVISION_E_ARGUMENT, "no picture to encode");
  if (quality < 1 || quality > 100) return fail(message, CVISION_E_ARGUMENT, "the quality of a JPEG must be 1 to 100");
  if (width > 65535 || height > 65535)
    return fail(message, CVISION_E_LIMIT, "a side of %d pixels exceeds the maximum of a JPEG, 65535",
                std::max(width, height));
  return guarded(message, [&] {
    Encoder encoder;
    if (!compress(&encoder, rgb, width, height, quality)) {
      return fail(message, CVISION_E_INTERNAL, "%s", encoder.errors.text);
    }
    std::swap(*out, encoder.bytes);
    *out_size = encoder.size;
    return CVISION_OK;
  });
}

void cvision_free(void *memory) { std::free(memory); }
