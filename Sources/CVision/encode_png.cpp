// PNG writing through libpng's simplified interface, which needs no setjmp.
#include <png.h>

#include <cstdlib>

#include "guard.hpp"

using namespace cvision;

cvision_status cvision_encode_png(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **out, size_t *out_size,
                                  char *message) {
  if (!rgb || !out || !out_size || width <= 0 || height <= 0) {
    return fail(message, CVISION_E_ARGUMENT, "no picture to encode");
  }
  *out = nullptr;
  *out_size = 0;
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

void cvision_free(void *memory) { std::free(memory); }
