// Marks on a picture for inspection. Coordinates are those of pixel centres, as in cvision_crop; parts outside the
// picture are clipped.
#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "guard.hpp"

using namespace cvision;

namespace {

const int fraction_bits = 4;  // sixteenths of a pixel
const double far = 1 << 20;   // OpenCV's coordinates are integers: nothing is drawn beyond this

bool is_near(double value) { return std::abs(value) < far; }  // false for NaN

cv::Point fixed(double x, double y) {
  return {int(std::lround(x * (1 << fraction_bits))), int(std::lround(y * (1 << fraction_bits)))};
}

cv::Scalar scalar(uint32_t colour) { return cv::Scalar(colour >> 16 & 255, colour >> 8 & 255, colour & 255); }

template <typename Body>
void draw(uint8_t *rgb, int32_t width, int32_t height, Body &&body) {
  if (!rgb || width <= 0 || height <= 0) return;
  guarded(nullptr, [&] {
    cv::Mat canvas(height, width, CV_8UC3, rgb);
    body(canvas);
    return CVISION_OK;
  });
}

}  // namespace

void cvision_draw_line(uint8_t *rgb, int32_t width, int32_t height, double x0, double y0, double x1, double y1,
                       uint32_t colour, double thickness) {
  if (!is_near(x0) || !is_near(y0) || !is_near(x1) || !is_near(y1) || !(thickness > 0)) return;
  draw(rgb, width, height, [&](cv::Mat &canvas) {
    int pixels = int(std::lround(std::min(std::max(thickness, 1.0), 255.0)));
    cv::line(canvas, fixed(x0, y0), fixed(x1, y1), scalar(colour), pixels, cv::LINE_AA, fraction_bits);
  });
}

void cvision_draw_disc(uint8_t *rgb, int32_t width, int32_t height, double x, double y, double radius,
                       uint32_t colour) {
  if (!is_near(x) || !is_near(y) || !(radius > 0) || !is_near(radius)) return;
  draw(rgb, width, height, [&](cv::Mat &canvas) {
    int size = int(std::lround(radius * (1 << fraction_bits)));
    cv::circle(canvas, fixed(x, y), size, scalar(colour), cv::FILLED, cv::LINE_AA, fraction_bits);
  });
}

void cvision_draw_rectangle(uint8_t *rgb, int32_t width, int32_t height, double x, double y, double columns,
                            double rows, uint32_t colour, double opacity) {
  if (!is_near(x) || !is_near(y) || !is_near(columns) || !is_near(rows) || !(opacity > 0 && opacity <= 1)) return;
  draw(rgb, width, height, [&](cv::Mat &canvas) {
    cv::Point from(int(std::lround(x)), int(std::lround(y))), to(int(std::lround(x + columns)), int(std::lround(y + rows)));
    cv::Rect area = cv::Rect(from, to) & cv::Rect(0, 0, width, height);
    if (area.empty()) return;
    cv::Mat part = canvas(area);
    cv::addWeighted(part, 1 - opacity, cv::Mat(part.size(), part.type(), scalar(colour)), opacity, 0, part);
  });
}
