// WebP through libwebp, which reduces while it decodes.
#include <webp/decode.h>

#include <algorithm>
#include <memory>

#include "codecs.hpp"

namespace cvision {
namespace {

cvision_status failed(char *message, VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      return fail(message, CVISION_E_MEMORY, "out of memory");
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return fail(message, CVISION_E_DAMAGED, "the WebP file is truncated: its end is missing");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return fail(message, CVISION_E_UNSUPPORTED, "unsupported kind of WebP");
    default:
      return fail(message, CVISION_E_DAMAGED, "the WebP data are malformed");
  }
}

/// Reads the profile's chunk, which precedes the pixels; chunks are padded to an even size.
void read_profile(Bytes bytes, Colours &out) {
  uint32_t length;
  for (size_t at = 12; bytes.number(at + 4, 4, length); at += 8 + size_t(length) + length % 2) {
    length = __builtin_bswap32(length);
    if (!bytes.matches(at, "ICCP", 4)) continue;
    out.broken = length > profile_limit || !bytes.holds(at + 8, length);
    if (!out.broken) out.profile.assign(bytes.data + at + 8, bytes.data + at + 8 + length);
    return;
  }
}

struct Output {
  WebPDecoderConfig config;
  ~Output() { WebPFreeDecBuffer(&config.output); }
};

}  // namespace

cvision_status webp_header(Bytes bytes, Header &out, char *message) {
  WebPBitstreamFeatures features;
  VP8StatusCode status = WebPGetFeatures(bytes.data, bytes.size, &features);
  if (status != VP8_STATUS_OK) return failed(message, status);
  if (features.has_animation) {
    return fail(message, CVISION_E_UNSUPPORTED, "animated WebP is not supported: save one frame as a picture");
  }
  if (features.width <= 0 || features.height <= 0) {
    return fail(message, CVISION_E_DAMAGED, "the WebP header states a side of 0 pixels");
  }
  out.info = {CVISION_WEBP, features.width, features.height, features.has_alpha ? 4 : 3, 8, 0, {}};
  read_profile(bytes, out.colours);
  return CVISION_OK;
}

cvision_status webp_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message) {
  Output output;
  WebPDecoderConfig &config = output.config;
  if (!WebPInitDecoderConfig(&config)) return fail(message, CVISION_E_INTERNAL, "libwebp has an incompatible version");
  VP8StatusCode status = WebPGetFeatures(bytes.data, bytes.size, &config.input);
  if (status != VP8_STATUS_OK) return failed(message, status);
  if (config.input.width != target.width || config.input.height != target.height) {
    return fail(message, CVISION_E_DAMAGED, "the WebP data contradict their header");
  }
  config.options.use_scaling = target.reduction > 1;
  config.options.scaled_width = target.columns();
  config.options.scaled_height = target.rows();
  bool alpha = config.input.has_alpha != 0;
  std::vector<uint8_t> rgba(alpha ? 4 * target.pixels() : 0);
  config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = alpha ? rgba.data() : target.rgb;
  config.output.u.RGBA.stride = (alpha ? 4 : 3) * target.columns();
  config.output.u.RGBA.size = size_t(config.output.u.RGBA.stride) * size_t(target.rows());
  // A few bytes that encode many pixels are decoded in one step: 100 megapixels of one colour take 0.09 to 0.30 s.
  double seconds = 3e-9 * target.width * target.height;
  if (target.must_stop(seconds)) return stopped_by(seconds, "WebP", message);
  std::unique_ptr<WebPIDecoder, Closer<WebPIDelete>> decoder(WebPIDecode(nullptr, 0, &config));
  if (!decoder) return fail(message, CVISION_E_MEMORY, "out of memory");
  status = VP8_STATUS_SUSPENDED;
  // 256 kB take some 2 ms lossless, 8 ms lossy.
  for (size_t end = 0; status == VP8_STATUS_SUSPENDED && end < bytes.size;) {
    if (target.must_stop()) return stopped(message);
    end = std::min(bytes.size, end + (256 << 10));
    status = WebPIUpdate(decoder.get(), bytes.data, end);
  }
  if (status != VP8_STATUS_OK) return failed(message, status);
  uint8_t *out = target.rgb;
  for (size_t i = 0; i < rgba.size(); i += 4) {
    for (size_t channel = 0; channel < 3; channel++) *out++ = over_white(rgba[i + channel], rgba[i + 3]);
  }
  return CVISION_OK;
}

}  // namespace cvision
