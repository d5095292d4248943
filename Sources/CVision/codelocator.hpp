// Internals of the code locator: codelocator.cpp, codemeasures.cpp and the program that dumps features for training
// (training/codes).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "cvision.h"

namespace cvision {

const int block_features = 10, region_features = 20;
const int view_side = 48;        // pixels
const int least_block_side = 4;  // pixels: smaller blocks have no texture

/// Sums over the pixels of a block: |g|² of the gradient g; its direction, as the doubled angle weighted by |g|² and as
/// the quadrupled angle weighted by |g|⁴; |g|⁴; the grey level.
enum Sum { energy, cos2, sin2, cos4, sin4, energy2, level, sum_count };

/// The texture of a picture in square blocks.
struct Texture {
  int columns, rows, side;
  cv::Mat sums[sum_count], low, high;  // of each block; `low` and `high` are the extreme grey levels
  std::vector<float> features;         // `block_features` of each block, row by row
};

/// Upper left, upper right, lower right, lower left.
using Corners = std::array<cv::Point2f, 4>;

/// A region that may be a code, in pixels of the whole picture.
struct Candidate {
  Corners corners;
  std::vector<cv::Point> hull;  // inside its outermost blocks
  float features[region_features];
  float likeness;  // 0 to 1
  int block_side;
};

/// Computes the texture of grey pixels in blocks of `side` pixels.
Texture texture_of(const cv::Mat &grey, int side);
/// Finds connected regions of blocks that resemble a code's, at full size and at a third of it; their likeness is that
/// of the second network.
std::vector<Candidate> candidates_of(const cv::Mat &grey, const cvision_code_networks &networks);
/// Extracts the views of the third network: the region with a margin, and its middle with the smallest blocks.
void views_of(const cv::Mat &grey, const Candidate &candidate, uint8_t views[2][view_side * view_side]);
/// Measures a candidate at full resolution. Returns false if it is too small.
bool measure(const cv::Mat &grey, const Candidate &candidate, cvision_code_place &place);

/// A convex outline as a mask of its bounding box, which is enlarged by `margin` and clipped to the picture.
struct Area {
  cv::Rect box;
  cv::Mat mask;

  Area(const std::vector<cv::Point> &outline, cv::Size picture, int margin = 0)
      : box((cv::boundingRect(outline) + cv::Size(2 * margin, 2 * margin) - cv::Point(margin, margin)) &
            cv::Rect({}, picture)),
        mask(cv::Mat::zeros(box.size(), CV_8U)) {
    fill(outline, 255);
  }

  void fill(std::vector<cv::Point> outline, uint8_t value) {
    for (auto &point : outline) point -= box.tl();
    if (!box.empty()) cv::fillConvexPoly(mask, outline, value);
  }
};

struct Gradient {
  float x, y;

  /// At the corner between four pixels: `x` and `x + 1` of a row and of the next one.
  Gradient(const uint8_t *row, const uint8_t *next, int x) {
    int falling = next[x + 1] - row[x], rising = row[x + 1] - next[x];
    this->x = float(falling + rising) * 0.5f;
    y = float(falling - rising) * 0.5f;
  }
};

/// As std::hypot without its protection against overflow, which is not needed here and takes five times as long.
inline float magnitude(cv::Point2f vector) { return std::sqrt(vector.x * vector.x + vector.y * vector.y); }

/// The ratio of the larger number to the smaller.
inline double ratio(double a, double b) { return std::max(a, b) / std::min(a, b); }

/// The lengths of the upper, right, lower and left side, at least `least`.
inline std::array<double, 4> sides_of(const Corners &corners, double least) {
  std::array<double, 4> sides;
  for (int i = 0; i < 4; i++) {
    cv::Point2f side = corners[(i + 1) % 4] - corners[i];
    sides[i] = std::max<double>(std::hypot(side.x, side.y), least);
  }
  return sides;
}

/// The outline of four corners, enlarged by `margin` pixels on each side.
inline std::vector<cv::Point> outline_of(const Corners &corners, float margin = 0) {
  cv::Point2f middle = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25f;
  std::vector<cv::Point> outline;
  for (auto &corner : corners) {
    cv::Point2f outward = corner - middle;
    // A corner moves by the square root of two times as much as the sides.
    outward *= 1 + 1.4f * margin / std::max(magnitude(outward), 1.0f);
    outline.push_back({cvRound(middle.x + outward.x), cvRound(middle.y + outward.y)});
  }
  return outline;
}

}  // namespace cvision
