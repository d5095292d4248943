// HEIC and AVIF through libheif, which is loaded for the first such picture if it is installed: it depends on video
// decoders, which programs without such pictures do not need.
//
// The parts used are declared here; these functions and values have been in its C interface since version 1.4.
#include <dlfcn.h>

#include <cmath>
#include <mutex>
#include <string>

#include "placer.hpp"

namespace cvision {
namespace {

struct heif_error {
  int code;
  int subcode;
  const char *message;
};
struct heif_context;
struct heif_image_handle;
struct heif_image;
/// The first members; libheif allocates the structures itself, and only appends members.
struct heif_decoding_options {
  uint8_t version, ignore_transformations;
  void (*start_progress)(int, int, void *);
  void (*on_progress)(int, int, void *);
  void (*end_progress)(int, void *);
  void *progress_user_data;
  uint8_t convert_hdr_to_8bit;  // from version 2
};
struct heif_color_profile_nclx {
  uint8_t version;
  int color_primaries, transfer_characteristics, matrix_coefficients;
};

const int error_memory = 6, error_unsupported_filetype = 3, error_unsupported_feature = 4;
const int error_unsupported_codec = 3000;  // a subcode
const int colorspace_rgb = 1, chroma_rgb = 10, chroma_rgba = 11, channel_interleaved = 10;
const uint32_t profile_nclx = 0x6E636C78;

/// Calls `each(result, name without heif_, parameters)` for each function.
#define HEIF_FUNCTIONS(each)                                                                                          \
  each(const char *, get_version, ())                                                                                 \
  each(heif_context *, context_alloc, ())                                                                             \
  each(void, context_free, (heif_context *))                                                                          \
  each(void, context_set_maximum_image_size_limit, (heif_context *, int))                                             \
  each(heif_error, context_read_from_memory_without_copy, (heif_context *, const void *, size_t, const void *))       \
  each(heif_error, context_get_primary_image_handle, (heif_context *, heif_image_handle **))                          \
  each(void, image_handle_release, (const heif_image_handle *))                                                       \
  each(int, image_handle_get_width, (const heif_image_handle *))                                                      \
  each(int, image_handle_get_height, (const heif_image_handle *))                                                     \
  each(int, image_handle_has_alpha_channel, (const heif_image_handle *))                                              \
  each(int, image_handle_get_luma_bits_per_pixel, (const heif_image_handle *))                                        \
  each(uint32_t, image_handle_get_color_profile_type, (const heif_image_handle *))                                    \
  each(size_t, image_handle_get_raw_color_profile_size, (const heif_image_handle *))                                  \
  each(heif_error, image_handle_get_raw_color_profile, (const heif_image_handle *, void *))                           \
  each(heif_error, image_handle_get_nclx_color_profile, (const heif_image_handle *, heif_color_profile_nclx **))      \
  each(void, nclx_color_profile_free, (heif_color_profile_nclx *))                                                    \
  each(heif_decoding_options *, decoding_options_alloc, ())                                                           \
  each(void, decoding_options_free, (heif_decoding_options *))                                                        \
  each(heif_error, decode_image,                                                                                      \
       (const heif_image_handle *, heif_image **, int, int, const heif_decoding_options *))                           \
  each(int, image_get_width, (const heif_image *, int))                                                               \
  each(int, image_get_height, (const heif_image *, int))                                                              \
  each(const uint8_t *, image_get_plane_readonly, (const heif_image *, int, int *))                                   \
  each(void, image_release, (const heif_image *))

struct Library {
#define HEIF_DECLARE(result, name, parameters) result(*name) parameters;
  HEIF_FUNCTIONS(HEIF_DECLARE)

  bool load(void *file) {
#define HEIF_FIND(result, name, parameters) \
  if (!(name = reinterpret_cast<result(*) parameters>(dlsym(file, "heif_" #name)))) return false;
    HEIF_FUNCTIONS(HEIF_FIND)
    return true;
  }
};

/// Returns libheif, or NULL if it is not installed. It stays loaded; if it is missing, each call searches again,
/// because it may be installed meanwhile. Never loaded from the current folder: a name without a slash is searched in
/// the system's library path.
const Library *library() {
  static std::mutex mutex;
  static Library loaded;
  static bool is_loaded = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (is_loaded) return &loaded;
  void *file = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!file) return nullptr;
  is_loaded = loaded.load(file);
  if (is_loaded) return &loaded;
  dlclose(file);
  return nullptr;
}

/// Whether the first box lists a brand, as the major or a compatible one.
bool has_brand(Bytes bytes, const char *brand) {
  uint32_t size;
  if (!bytes.number(0, 4, size) || !bytes.matches(4, "ftyp", 4)) return false;
  for (size_t at = 8; at < size; at += at == 8 ? 8 : 4) {  // a version follows the major brand
    if (bytes.matches(at, brand, 4)) return true;
    if (!bytes.holds(at, 4)) return false;
  }
  return false;
}

bool is_avif(Bytes bytes) { return heif_codec(bytes) == CVISION_AVIF; }

cvision_status failed(char *message, Bytes bytes, const heif_error &error) {
  bool avif = is_avif(bytes);
  const char *kind = avif ? "AVIF" : "HEIC";
  if (error.code == error_memory) return fail(message, CVISION_E_MEMORY, "out of memory");
  if (error.subcode == error_unsupported_codec) {
    return fail(message, CVISION_E_UNSUPPORTED,
                "libheif has no decoder for this %s picture: install the Debian package %s, or save it as JPEG", kind,
                avif ? "libheif-plugin-dav1d" : "libheif-plugin-libde265");
  }
  bool unsupported = error.code == error_unsupported_filetype || error.code == error_unsupported_feature;
  std::string text = error.message ? error.message : "decoding failed";
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (unsupported) return fail(message, CVISION_E_UNSUPPORTED, "unsupported %s: %s", kind, text.c_str());
  return fail(message, CVISION_E_DAMAGED, "the %s data are malformed: %s", kind, text.c_str());
}

/// A parsed file and its primary picture.
struct Picture {
  const Library &heif;
  heif_context *context = nullptr;
  heif_image_handle *handle = nullptr;
  heif_decoding_options *options = nullptr;
  heif_image *image = nullptr;

  explicit Picture(const Library &heif) : heif(heif) {}
  ~Picture() {
    if (image) heif.image_release(image);
    if (options) heif.decoding_options_free(options);
    if (handle) heif.image_handle_release(handle);
    if (context) heif.context_free(context);
  }

  /// `side`: that of the largest square that may be decoded; 0 if nothing will be.
  cvision_status open(Bytes bytes, int side, char *message) {
    context = heif.context_alloc();
    if (!context) return fail(message, CVISION_E_MEMORY, "out of memory");
    if (side > 0) heif.context_set_maximum_image_size_limit(context, side);
    heif_error error = heif.context_read_from_memory_without_copy(context, bytes.data, bytes.size, nullptr);
    if (error.code == 0) error = heif.context_get_primary_image_handle(context, &handle);
    return error.code == 0 && handle ? CVISION_OK : failed(message, bytes, error);
  }

  void read_colours(Colours &out) const {
    uint32_t type = heif.image_handle_get_color_profile_type(handle);
    if (type == profile_nclx) {
      heif_color_profile_nclx *nclx = nullptr;
      bool known = heif.image_handle_get_nclx_color_profile(handle, &nclx).code == 0 && nclx;
      if (known) {
        out.primaries = uint32_t(nclx->color_primaries);
        out.transfer = uint32_t(nclx->transfer_characteristics);
      }
      if (nclx) heif.nclx_color_profile_free(nclx);  // allocated even if its numbers are unknown
    } else if (type != 0) {
      size_t size = heif.image_handle_get_raw_color_profile_size(handle);
      out.broken = size == 0 || size > profile_limit;
      if (out.broken) return;
      out.profile.resize(size);
      out.broken = heif.image_handle_get_raw_color_profile(handle, out.profile.data()).code != 0;
    }
  }
};

cvision_status missing(Bytes bytes, char *message) {
  return fail(message, CVISION_E_UNSUPPORTED,
              "reading %s needs libheif, which is not installed: install the Debian package libheif1, or save the picture "
              "as JPEG",
              is_avif(bytes) ? "AVIF" : "HEIC");
}

}  // namespace

const char *heif_version() {
  const Library *heif = library();
  return heif ? heif->get_version() : nullptr;
}

int heif_codec(Bytes bytes) {
  for (const char *brand : {"avif", "avis"}) {
    if (has_brand(bytes, brand)) return CVISION_AVIF;
  }
  for (const char *brand : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}) {
    if (has_brand(bytes, brand)) return CVISION_HEIC;
  }
  return 0;
}

cvision_status heif_header(Bytes bytes, Header &out, char *message) {
  const Library *heif = library();
  if (!heif) return missing(bytes, message);
  Picture picture(*heif);
  cvision_status status = picture.open(bytes, 0, message);
  if (status != CVISION_OK) return status;
  int width = heif->image_handle_get_width(picture.handle), height = heif->image_handle_get_height(picture.handle);
  if (width <= 0 || height <= 0) return fail(message, CVISION_E_DAMAGED, "the picture's header states no size");
  out.info = {cvision_codec(heif_codec(bytes)),
              width,
              height,
              heif->image_handle_has_alpha_channel(picture.handle) ? 4 : 3,
              heif->image_handle_get_luma_bits_per_pixel(picture.handle),
              0,
              {}};
  picture.read_colours(out.colours);
  return CVISION_OK;
}

cvision_status heif_decode(Bytes bytes, const cvision_image_info &, const Target &target, char *message) {
  const Library *heif = library();
  if (!heif) return missing(bytes, message);
  Picture picture(*heif);
  // The tiles of a picture may be announced larger than the picture: libheif refuses sizes above this.
  int side = std::max(4096, int(std::ceil(std::sqrt(double(target.width) * target.height))));
  cvision_status status = picture.open(bytes, side, message);
  if (status != CVISION_OK) return status;
  picture.options = heif->decoding_options_alloc();
  if (!picture.options) return fail(message, CVISION_E_MEMORY, "out of memory");
  if (picture.options->version >= 2) picture.options->convert_hdr_to_8bit = 1;
  // HEIC of 12 megapixels and 8.9 MB takes 1.1 s, AVIF of 12 megapixels and 2.4 MB 0.36 s, at any reduction.
  double seconds = 20e-9 * target.width * target.height + 90e-9 * double(bytes.size);
  if (target.must_stop(seconds)) return stopped_by(seconds, is_avif(bytes) ? "AVIF" : "HEIC", message);
  bool alpha = heif->image_handle_has_alpha_channel(picture.handle) != 0;
  heif_error error = heif->decode_image(picture.handle, &picture.image, colorspace_rgb, alpha ? chroma_rgba : chroma_rgb,
                                        picture.options);
  if (error.code != 0 || !picture.image) return failed(message, bytes, error);
  int stride = 0;
  const uint8_t *rows = heif->image_get_plane_readonly(picture.image, channel_interleaved, &stride);
  if (!rows || heif->image_get_width(picture.image, channel_interleaved) != target.width ||
      heif->image_get_height(picture.image, channel_interleaved) != target.height ||
      stride < (alpha ? 4 : 3) * target.width) {
    return fail(message, CVISION_E_DAMAGED, "the picture contradicts its header");
  }
  Placer placer(target, alpha ? 4 : 3, false);
  for (int32_t y = 0; y < target.height; y++) placer.place(rows + size_t(y) * size_t(stride), y, 0, 1);
  return CVISION_OK;
}

}  // namespace cvision
