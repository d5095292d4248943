// Internals of the document finder: outlines.cpp and the program that dumps features for training (training/outlines).
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <vector>

#include "cvision.h"

namespace cvision {

/// What a quadrilateral's four sides have in common with a document's; see `features_of`.
enum Feature {
  least_support,    // the share of a side with an edge along it, of the side that has least
  mean_support,     // of all four
  continued,        // the share of the sides' continuations beyond the corners with an edge along them
  both_continued,   // of the two continuations beyond one side, the smaller share; the maximum of the four sides
  shape_error,      // the logarithm of its aspect ratio to that of the nearest document format
  squareness,       // the cosine of the angle between its sides in space
  log_area,         // the logarithm of its share of the picture's area
  one_sign,         // the share by which one direction of contrast prevails along a side, of the side with least
  strength,         // the mean magnitude of the edges
  unlike,           // the difference in colour between neighbouring margins inside it
  visible,          // the share of the sides inside the picture
  print,            // the share of the pixels inside it with an edge
  least_likely,     // the mean likelihood of an edge along a side, of the side with the lowest
  mean_likely,      // of all four
  filled,           // the mean likelihood of a document inside it
  surrounded,       // the same just outside
  support_square,   // of the mean support
  feature_count
};

/// Clockwise on the screen, in pixels from the corner of the first pixel.
using Quadrilateral = std::array<cv::Point2d, 4>;

struct Outline {
  Quadrilateral corners;
  std::array<float, feature_count> features;
  float score;  // the logarithm of the odds that it is a document's
};

/// What a network sees in a picture, for each cell: the likelihoods that it is inside a document, and on its edge.
struct Likelihoods {
  cv::Mat inside, edge;  // floats
};

// The long sides of the searched picture. 2 % of the diagonal of a document that spans a quarter of the first are 3
// pixels, and edges are found within one. The second finds weak edges in texture; it is searched if nothing was found.
const int searched_sides[] = {512, 320};
// Above this score an outline is a document's.
const float least_score = 0;

/// Returns quadrilaterals that may be the outlines of documents of ISO/IEC 7810, the most likely first, found in a
/// picture reduced to a long side.
std::vector<Outline> candidates_in(const cv::Mat &rgb, const Likelihoods &likely, int side);
/// Returns the outlines of documents that do not overlap, the most likely first.
std::vector<Outline> outlines_in(const cv::Mat &rgb, const Likelihoods &likely);

}  // namespace cvision
