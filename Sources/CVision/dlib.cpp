// dlib's frontal face detector and five-point landmarks.
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_processing/shape_predictor.h>
#include <dlib/matrix.h>
#include <dlib/pixel.h>

#include <cstring>
#include <istream>
#include <memory>
#include <streambuf>
#include <vector>

#include "guard.hpp"

namespace {

static_assert(sizeof(dlib::rgb_pixel) == 3);

dlib::matrix<dlib::rgb_pixel> dlib_image(cvision_image image) {
  dlib::matrix<dlib::rgb_pixel> out(image.height, image.width);
  std::memcpy(&out(0, 0), image.rgb, static_cast<size_t>(image.height) * image.width * 3);
  return out;
}

bool is_empty(cvision_image image) { return !image.rgb || image.width < 1 || image.height < 1; }

/// A stream that reads memory in place.
class MemoryStream : std::streambuf, public std::istream {
 public:
  MemoryStream(const uint8_t *bytes, size_t size) : std::istream(this) {
    char *begin = const_cast<char *>(reinterpret_cast<const char *>(bytes));
    setg(begin, begin, begin + size);
  }
};

}  // namespace

struct cvision_hog {
  dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
};

extern "C" cvision_status cvision_hog_create(cvision_hog **out, char *message) {
  return cvision::guarded(message, [&] {
    *out = new cvision_hog;
    return CVISION_OK;
  });
}

extern "C" void cvision_hog_free(cvision_hog *detector) { delete detector; }

extern "C" cvision_status cvision_hog_detect(cvision_hog *detector, cvision_image image, cvision_box *out,
                                             size_t capacity, size_t *count, char *message) {
  return cvision::guarded(message, [&] {
    if (!detector || is_empty(image)) return cvision::fail(message, CVISION_E_ARGUMENT, "no image");
    std::vector<dlib::rect_detection> found;
    detector->detector(dlib_image(image), found);
    *count = std::min(found.size(), capacity);
    for (size_t i = 0; i < *count; i++) {
      const dlib::rectangle &box = found[i].rect;
      out[i] = {double(box.left()), double(box.top()), double(box.width()), double(box.height()),
                found[i].detection_confidence};
    }
    return CVISION_OK;
  });
}

struct cvision_points5 {
  dlib::shape_predictor predictor;
};

extern "C" cvision_status cvision_points5_create(const uint8_t *bytes, size_t size, cvision_points5 **out,
                                                 char *message) {
  return cvision::guarded(message, [&] {
    auto predictor = std::make_unique<cvision_points5>();
    MemoryStream stream(bytes, size);
    deserialize(predictor->predictor, stream);
    if (predictor->predictor.num_parts() != 5) {
      return cvision::fail(message, CVISION_E_FORMAT, "not a 5-point shape predictor");
    }
    *out = predictor.release();
    return CVISION_OK;
  });
}

extern "C" void cvision_points5_free(cvision_points5 *predictor) { delete predictor; }

extern "C" cvision_status cvision_points5_predict(const cvision_points5 *predictor, cvision_image image,
                                                  cvision_box box, double points[10], char *message) {
  return cvision::guarded(message, [&] {
    if (!predictor || is_empty(image)) return cvision::fail(message, CVISION_E_ARGUMENT, "no image");
    dlib::rectangle face(long(box.x), long(box.y), long(box.x + box.width) - 1, long(box.y + box.height) - 1);
    dlib::full_object_detection shape = predictor->predictor(dlib_image(image), face);
    for (int i = 0; i < 5; i++) {
      points[2 * i] = shape.part(i).x();
      points[2 * i + 1] = shape.part(i).y();
    }
    return CVISION_OK;
  });
}
