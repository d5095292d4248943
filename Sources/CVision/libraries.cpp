// Versions of the libraries that are in use, for people who look for the cause of something.
#include <dlfcn.h>
#include <dlib/revision.h>
#include <lcms2.h>
#include <openjpeg.h>
#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <opencv2/core.hpp>

#include "codecs.hpp"

namespace {

// The file that a function's code is in, links followed.
void find_file(const void *function, char *path) {
  Dl_info info;
  if (!function || !dladdr(function, &info) || !info.dli_fname) return;
  char resolved[PATH_MAX];
  std::snprintf(path, CVISION_MESSAGE, "%s", realpath(info.dli_fname, resolved) ? resolved : info.dli_fname);
}

// For libraries that do not tell their version.
void use_file_name(const char *path, char *version) {
  const char *slash = std::strrchr(path, '/');
  std::snprintf(version, CVISION_MESSAGE, "%s", slash ? slash + 1 : path);
}

}  // namespace

int cvision_library_version(cvision_library library, char *version, char *path) {
  *version = *path = 0;
  const void *function = nullptr;
  switch (library) {
    case CVISION_OPENCV:
      std::snprintf(version, CVISION_MESSAGE, "%s", cv::getVersionString().c_str());
      function = reinterpret_cast<const void *>(&cv::getVersionMajor);
      break;
    case CVISION_DLIB:  // compiled in, for the greater part
      std::snprintf(version, CVISION_MESSAGE, "%d.%d.%d", DLIB_MAJOR_VERSION, DLIB_MINOR_VERSION, DLIB_PATCH_VERSION);
      return 1;
    case CVISION_TURBOJPEG:
      function = reinterpret_cast<const void *>(&tjInitDecompress);
      break;
    case CVISION_PNG_LIBRARY:
      std::snprintf(version, CVISION_MESSAGE, "%s", png_get_libpng_ver(nullptr));
      function = reinterpret_cast<const void *>(&png_get_libpng_ver);
      break;
    case CVISION_OPENJPEG:
      std::snprintf(version, CVISION_MESSAGE, "%s", opj_version());
      function = reinterpret_cast<const void *>(&opj_version);
      break;
    case CVISION_LIBWEBP: {
      int number = WebPGetDecoderVersion();
      std::snprintf(version, CVISION_MESSAGE, "%d.%d.%d", number >> 16, number >> 8 & 255, number & 255);
      function = reinterpret_cast<const void *>(&WebPGetDecoderVersion);
      break;
    }
    case CVISION_LCMS: {
      int number = cmsGetEncodedCMMversion();
      std::snprintf(version, CVISION_MESSAGE, "%d.%d", number / 1000, number / 10 % 100);
      function = reinterpret_cast<const void *>(&cmsGetEncodedCMMversion);
      break;
    }
    case CVISION_LIBHEIF: {
      const char *text = cvision::heif_version(&function);
      if (!text) return 0;
      std::snprintf(version, CVISION_MESSAGE, "%s", text);
      break;
    }
    case CVISION_BLAS:
      function = dlsym(RTLD_DEFAULT, "sgemm_");
      break;
  }
  find_file(function, path);
  if (!*version) use_file_name(path, version);
  return *version != 0;
}
