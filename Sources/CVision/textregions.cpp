// Lines of text from a likelihood map: the post-processing of differentiable binarisation (Liao et al., AAAI 2020).
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "guard.hpp"

using namespace cvision;

namespace {

// As in the inference configuration of PP-OCR: a pixel belongs to a line, a line is certain, the area of a line by its
// core's area and circumference, and its least height in pixels.
const double pixel_threshold = 0.3, line_threshold = 0.5, growth = 1.6, least_height = 3;
// A nearly square region is a single character, whose minimum-area rectangle may have any angle.
const double least_elongation = 1.5;

/// The network was trained with cores that were shrunk by this distance.
cv::Size2f grown(cv::Size2f core) {
  float margin = float(core.area() * growth / (core.width + core.height));
  return {core.width + margin, core.height + margin};
}

}  // namespace

cvision_status cvision_text_regions(const float *likelihood, int32_t width, int32_t height, cvision_text_region *out,
                                    size_t capacity, size_t *count, char *message) {
  if (!likelihood || !out || !count || width <= 0 || height <= 0) {
    return fail(message, CVISION_E_ARGUMENT, "no likelihood map");
  }
  *count = 0;
  return guarded(message, [&] {
    cv::Mat map(height, width, CV_32F, const_cast<float *>(likelihood)), core = map > pixel_threshold;
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(core, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
    for (size_t i = 0; i < contours.size() && *count < capacity; i++) {
      cv::RotatedRect line = cv::minAreaRect(contours[i]);
      if (std::min(line.size.width, line.size.height) < least_height) continue;
      cv::Rect bounds = cv::boundingRect(contours[i]);
      cv::Mat inside = cv::Mat::zeros(bounds.size(), CV_8U);
      cv::drawContours(inside, contours, int(i), 1, cv::FILLED, cv::LINE_8, cv::noArray(), INT_MAX, -bounds.tl());
      if (cv::mean(map(bounds), inside)[0] < line_threshold) continue;
      cv::Size2f size = grown(line.size);
      if (std::max(size.width, size.height) < least_elongation * std::min(size.width, size.height)) {
        line = cv::RotatedRect(cv::Point2f(bounds.tl() + bounds.br() - cv::Point(1, 1)) / 2,
                               cv::Size2f(bounds.size() - cv::Size(1, 1)), 0);
        size = grown(line.size);
      }
      out[(*count)++] = {line.center.x + 0.5f, line.center.y + 0.5f, size.width, size.height,
                         line.angle * float(CV_PI / 180)};
    }
    return CVISION_OK;
  });
}
