#include <dlib/image_processing/shape_predictor.h>

#include "dlib_input.hpp"
#include "guard.hpp"

struct cvision_points5 {
  dlib::shape_predictor predictor;
};

extern "C" cvision_status cvision_points5_create(const uint8_t *bytes, size_t size, cvision_points5 **out,
                                                 char *message) {
  return cvision::guarded(message, [&] {
    auto predictor = std::make_unique<cvision_points5>();
    cvision::MemoryStream stream(bytes, size);
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
    if (!predictor || cvision::is_empty(image)) return cvision::fail(message, CVISION_E_ARGUMENT, "no image");
    dlib::rectangle face(long(box.x), long(box.y), long(box.x + box.width) - 1, long(box.y + box.height) - 1);
    dlib::full_object_detection shape = predictor->predictor(cvision::dlib_image(image), face);
    for (int i = 0; i < 5; i++) {
      points[2 * i] = shape.part(i).x();
      points[2 * i + 1] = shape.part(i).y();
    }
    return CVISION_OK;
  });
}
