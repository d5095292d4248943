// Versions of the libraries in use, for troubleshooting.
#include <cblas.h>
#include <dlfcn.h>
#include <dlib/revision.h>
#include <lcms2.h>
#include <openjpeg.h>
#include <png.h>
#include <webp/decode.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <opencv2/core.hpp>

#include "codecs.hpp"
#include "libjpeg.hpp"

// For libraries that do not report their version: the name of the file that contains a function, with links resolved.
static void use_file_name(const void *function, char *version) {
  Dl_info info;
  if (!function || !dladdr(function, &info) || !info.dli_fname) return;
  char resolved[PATH_MAX];
  const char *path = realpath(info.dli_fname, resolved) ? resolved : info.dli_fname;
  const char *slash = std::strrchr(path, '/');
  std::snprintf(version, CVISION_MESSAGE, "%s", slash ? slash + 1 : path);
}

// OpenCV's archive needs this for windows, which are never opened here. Debian's libGLX would depend on X11.
extern "C" __attribute__((visibility("hidden"))) void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }

int cvision_library_version(cvision_library library, char *version) {
  *version = 0;
  switch (library) {
    case CVISION_OPENCV:
      std::snprintf(version, CVISION_MESSAGE, "%s", cv::getVersionString().c_str());
      break;
    case CVISION_DLIB:
      std::snprintf(version, CVISION_MESSAGE, "%d.%d.%d", DLIB_MAJOR_VERSION, DLIB_MINOR_VERSION, DLIB_PATCH_VERSION);
      break;
    case CVISION_LIBJPEG:
      use_file_name(reinterpret_cast<const void *>(&jpeg_std_error), version);
      break;
    case CVISION_PNG_LIBRARY:
      std::snprintf(version, CVISION_MESSAGE, "%s", png_get_libpng_ver(nullptr));
      break;
    case CVISION_OPENJPEG:
      std::snprintf(version, CVISION_MESSAGE, "%s", opj_version());
      break;
    case CVISION_OPENBLAS:
      use_file_name(reinterpret_cast<const void *>(&cblas_sgemm), version);
      break;
    case CVISION_LIBWEBP: {
      int number = WebPGetDecoderVersion();
      std::snprintf(version, CVISION_MESSAGE, "%d.%d.%d", number >> 16, number >> 8 & 255, number & 255);
      break;
    }
    case CVISION_LCMS: {
      int number = cmsGetEncodedCMMversion();
      std::snprintf(version, CVISION_MESSAGE, "%d.%d", number / 1000, number / 10 % 100);
      break;
    }
    case CVISION_LIBHEIF: {
      const char *text = cvision::heif_version();
      if (!text) return 0;
      std::snprintf(version, CVISION_MESSAGE, "%s", text);
      break;
    }
  }
  return *version != 0;
}
