// Shared by the code locator and the programs that train it (training/codes).
#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace cvision {

/// Number of features of a block's surroundings, and of a region; side of a view in pixels.
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
  int block;       // side of its blocks in pixels of the whole picture
};

/// Computes the texture of grey pixels in blocks of `side` pixels.
Texture texture_of(const cv::Mat &grey, int side);
/// Finds connected regions of blocks like a code's, at full size and at a third of it, regardless of likeness.
std::vector<Candidate> candidates_of(const cv::Mat &grey);
/// Extracts the two views of a region that the last network takes.
void views_of(const cv::Mat &grey, const Candidate &candidate, uint8_t views[2][view_side * view_side]);

}  // namespace cvision
