// Shared by the dlib parts: pixels and bytes in dlib's types.
#pragma once

#include <dlib/matrix.h>
#include <dlib/pixel.h>

#include <cstring>
#include <istream>
#include <streambuf>

#include "cvision.h"

namespace cvision {

static_assert(sizeof(dlib::rgb_pixel) == 3);

inline dlib::matrix<dlib::rgb_pixel> dlib_image(cvision_image image) {
  dlib::matrix<dlib::rgb_pixel> out(image.height, image.width);
  std::memcpy(&out(0, 0), image.rgb, static_cast<size_t>(image.height) * image.width * 3);
  return out;
}

inline bool is_empty(cvision_image image) { return !image.rgb || image.width < 1 || image.height < 1; }

// A stream that reads memory in place.
class MemoryStream : std::streambuf, public std::istream {
 public:
  MemoryStream(const uint8_t *bytes, size_t size) : std::istream(this) {
    char *begin = const_cast<char *>(reinterpret_cast<const char *>(bytes));
    setg(begin, begin, begin + size);
  }
};

}  // namespace cvision
