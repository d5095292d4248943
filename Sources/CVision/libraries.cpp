// Versions of the libraries in use, for troubleshooting.
#include <cblas.h>
#include <dlfcn.h>
#include <dlib/revision.h>
#include <lcms2.h>
#include <openjpeg.h>
#include <png.h>
#include <webp/decode.h>

#include <climits>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <string>

#include "codecs.hpp"
#include "libjpeg.hpp"

namespace {

/// For libraries that do not report their version: the name of the file that contains a function, with links resolved.
template <typename Function>
std::string file_of(Function *function) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(function), &info) || !info.dli_fname) return "";
  char resolved[PATH_MAX];
  std::string path = realpath(info.dli_fname, resolved) ? resolved : info.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

std::string dotted(int a, int b) { return std::to_string(a) + "." + std::to_string(b); }

const struct {
  const char *name;
  std::string (*version)();
} libraries[] = {
    {"OpenCV", [] { return std::string(cv::getVersionString()); }},
    {"dlib", [] { return dotted(DLIB_MAJOR_VERSION, DLIB_MINOR_VERSION) + "." + std::to_string(DLIB_PATCH_VERSION); }},
    {"OpenBLAS", [] { return file_of(&cblas_sgemm); }},
    {"libjpeg-turbo", [] { return file_of(&jpeg_std_error); }},
    {"libpng", [] { return std::string(png_get_libpng_ver(nullptr)); }},
    {"OpenJPEG", [] { return std::string(opj_version()); }},
    {"libwebp",
     [] {
       int number = WebPGetDecoderVersion();
       return dotted(number >> 16, number >> 8 & 255) + "." + std::to_string(number & 255);
     }},
    {"Little CMS", [] { return dotted(cmsGetEncodedCMMversion() / 1000, cmsGetEncodedCMMversion() / 10 % 100); }},
    {"libheif",
     [] {
       const char *version = cvision::heif_version();
       return std::string(version ? version : "");
     }},
};

}  // namespace

// OpenCV's archive needs this for windows, which are never opened here. Debian's libGLX would depend on X11.
extern "C" __attribute__((visibility("hidden"))) void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }

// OpenCV's core, linked statically, can share memory with OpenGL, which is not used here. A release build drops that
// code and the functions that it calls; a debug build keeps it and resolves them here.
extern "C" {
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentContext() { return nullptr; }
__attribute__((weak, visibility("hidden"))) void *glXGetCurrentDisplay() { return nullptr; }
}

const char *cvision_library(size_t index, char *version) {
  if (index >= sizeof libraries / sizeof *libraries) return nullptr;
  std::snprintf(version, CVISION_MESSAGE, "%s", libraries[index].version().c_str());
  return libraries[index].name;
}
