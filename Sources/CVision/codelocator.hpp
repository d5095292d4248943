// What the locator of codes has in common with the programs that train it (training/codes).
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace cvision {

/// Numbers that describe a block's surroundings, and a region; pixels of a view's side.
const int block_features = 10, region_features = 20, view_side = 48;

/// The texture of a picture, block by block.
struct Texture {
  int columns, rows, side;
  std::vector<float> features;                         // of each block, row by row
  cv::Mat energy, cos2, sin2, cos4, sin4, energy2;     // sums over a block's pixels, see blocks_of
  cv::Mat sum, low, high;                              // grey levels
};

/// A region that may be a code.
struct Candidate {
  cv::Point2f corners[4];  // in pixels of the whole picture
  std::vector<cv::Point> hull;  // within its outer blocks, likewise
  float features[region_features];
  float likeness;  // by its features
  int block;       // pixels of the whole picture in a side of its blocks
};

/// The texture of grey pixels in blocks of `side` pixels.
Texture texture_of(const cv::Mat &grey, int side);
/// What hangs together of blocks like a code's, at full size and at a third of it, whatever its likeness.
std::vector<Candidate> candidates_of(const cv::Mat &grey);
/// What the last network sees of a region.
void views_of(const cv::Mat &grey, const Candidate &candidate, uint8_t views[2][view_side * view_side]);

}  // namespace cvision
