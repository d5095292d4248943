#include <dlib/image_processing/frontal_face_detector.h>

#include <vector>

#include "dlib_input.hpp"
#include "guard.hpp"

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
    if (!detector || cvision::is_empty(image)) return cvision::fail(message, CVISION_E_ARGUMENT, "no image");
    std::vector<dlib::rect_detection> found;
    detector->detector(cvision::dlib_image(image), found);
    *count = std::min(found.size(), capacity);
    for (size_t i = 0; i < *count; i++) {
      const dlib::rectangle &box = found[i].rect;
      out[i] = {double(box.left()), double(box.top()), double(box.width()), double(box.height()),
                found[i].detection_confidence};
    }
    return CVISION_OK;
  });
}
