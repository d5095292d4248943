// Versions of the libraries that are in use, for people who look for the cause of something.
#include <dlfcn.h>
#include <dlib/revision.h>
#include <openjpeg.h>
#include <png.h>
#include <turbojpeg.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <opencv2/core.hpp>

#include "cvision.h"

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

// OpenCV's archive asks for this, for windows that nothing here opens. Debian's libGLX would bring X11 along.
extern "C" __attribute__((visibility("hidden"))) void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }

int cvision_library_version(cvision_library library, char *version, char *path) {
  *version = *path = 0;
  const void *function = nullptr;
  switch (library) {
    case CVISION_OPENCV:  // linked statically, as is dlib
      std::snprintf(version, CVISION_MESSAGE, "%s", cv::getVersionString().c_str());
      return 1;
    case CVISION_DLIB:
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
    case CVISION_BLAS:
      function = dlsym(RTLD_DEFAULT, "sgemm_");
      break;
  }
  find_file(function, path);
  if (!*version) use_file_name(path, version);
  return *version != 0;
}
