// JPEG writing through TurboJPEG.
#include <turbojpeg.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "guard.hpp"

using namespace cvision;

cvision_status cvision_encode_jpeg(const uint8_t *rgb, int32_t width, int32_t height, int32_t quality, uint8_t **out,
                                   size_t *out_size, char *message) {
  if (!rgb || !out || !out_size || width <= 0 || height <= 0) {
    return fail(message, CVISION_E_ARGUMENT, "no picture to encode");
  }
  if (quality < 1 || quality > 100) return fail(message, CVISION_E_ARGUMENT, "the quality of a JPEG is 1 to 100");
  if (width > 65535 || height > 65535) return fail(message, CVISION_E_LIMIT, "a JPEG has sides of at most 65535 pixels");
  *out = nullptr;
  *out_size = 0;
  return guarded(message, [&] {
    std::unique_ptr<void, int (*)(tjhandle)> encoder(tjInitCompress(), tjDestroy);
    if (!encoder) return fail(message, CVISION_E_MEMORY, "out of memory");
    unsigned char *bytes = nullptr;
    unsigned long size = 0;
    // Colour at full resolution: skin is what the picture is kept for.
    int failed = tjCompress2(encoder.get(), rgb, width, 0, height, TJPF_RGB, &bytes, &size, TJSAMP_444, quality,
                             TJFLAG_ACCURATEDCT);
    std::unique_ptr<unsigned char, void (*)(unsigned char *)> owner(bytes, tjFree);
    if (failed) return fail(message, CVISION_E_INTERNAL, tjGetErrorStr2(encoder.get()));
    // TurboJPEG's memory is its own to free.
    auto copy = static_cast<uint8_t *>(std::malloc(size));
    if (!copy) return fail(message, CVISION_E_MEMORY, "out of memory");
    std::memcpy(copy, bytes, size);
    *out = copy;
    *out_size = size;
    return CVISION_OK;
  });
}
