// Locates codes by their texture, whether they can be read or not.
//
// The picture is divided into blocks. A few features of each block's surroundings distinguish the dense, two-coloured,
// right-angled texture of codes from text, faces and cloth; a first network scores each block. Connected blocks form a
// region; a second network scores it by its features, and a third one by the pixels of those that are possible.
// training/codes trains the networks. codemeasures.cpp measures what was found.
#include "codelocator.hpp"

#include <cstring>
#include <memory>
#include <numeric>

#include "guard.hpp"

namespace cvision {
namespace {

/// Blocks along the longer side of a picture. A block's surroundings are then a thirtieth of it: several fit in a code.
const int blocks_across = 160;
const int surroundings = 5;                     // blocks along the side of the square around a block
const int least_blocks = 9;                     // minimum of a region: fewer are noise
const float block_thresholds[] = {0.5f, 0.9f};  // at the lower one, a code merges with similar texture next to it
const float possible_likeness = 0.02f;          // the third network scores regions from here on; as in train.py
const float reported_likeness = 0.6f;           // regions from here on are worth an attempt to read them
const size_t most_evaluated = 12;               // regions by the third network: four of each of three places
const float outside_blocks = 1.5f;              // by which a region of block centres exceeds a code
const char networks_magic[] = {'F', 'V', 'C', 'O', 'D', 'E', 'S', '1'};

/// A network with one hidden layer of rectified units and one logistic output.
template <int inputs, int hidden>
struct Perceptron {
  float weights[inputs][hidden], biases[hidden], output[hidden], output_bias;

  float operator()(const float *in) const {
    float units[hidden], sum = output_bias;
    std::copy(biases, biases + hidden, units);
    for (int i = 0; i < inputs; i++)
      for (int unit = 0; unit < hidden; unit++) units[unit] += in[i] * weights[i][unit];
    for (int unit = 0; unit < hidden; unit++) sum += output[unit] * std::max(units[unit], 0.0f);
    return 1 / (1 + std::exp(-sum));
  }
};

/// A 3 x 3 convolution with stride 2 and rectification; its weights are bytes times `scale`.
template <int side, int channels, int filters>
struct Convolution {
  static const int outputs = side / 2 * (side / 2) * filters;
  int8_t weights[9 * channels][filters];
  float scale, biases[filters];

  void operator()(const float *in, float *out) const {
    for (int row = 0; row < side; row += 2)
      for (int column = 0; column < side; column += 2, out += filters) {
        float sums[filters] = {};
        for (int tap = 0; tap < 9; tap++) {
          int y = row + tap / 3 - 1, x = column + tap % 3 - 1;
          if (y < 0 || x < 0 || y >= side || x >= side) continue;
          const float *from = in + (y * side + x) * channels;
          for (int channel = 0; channel < channels; channel++)
            for (int f = 0; f < filters; f++) sums[f] += from[channel] * float(weights[tap * channels + channel][f]);
        }
        for (int f = 0; f < filters; f++) out[f] = std::max(sums[f] * scale + biases[f], 0.0f);
      }
  }
};

const int pooled = 32;  // channels of the last convolution

}  // namespace
}  // namespace cvision

/// The content of models/code-locator.bin after its magic, in the file's order; little-endian without padding.
struct cvision_code_networks {
  cvision::Perceptron<cvision::block_features, 14> of_block;
  cvision::Perceptron<cvision::region_features, 16> of_region;
  cvision::Convolution<cvision::view_side, 1, 8> convolution1;
  cvision::Convolution<cvision::view_side / 2, 8, 16> convolution2;
  cvision::Convolution<cvision::view_side / 4, 16, 24> convolution3;
  cvision::Convolution<cvision::view_side / 8, 24, cvision::pooled> convolution4;
  cvision::Perceptron<2 * cvision::pooled + cvision::region_features, 24> of_views;
};
static_assert(sizeof(cvision_code_networks) == 22276, "the layout of models/code-locator.bin");

namespace cvision {
namespace {

/// Adds a row of pixels to the sums of each column, and updates the extreme levels.
void add_row(const uint8_t *row, const uint8_t *next, int width, float *const line[sum_count], uint8_t *low,
             uint8_t *high) {
  // Local pointers, which the compiler need not reload after each write.
  float *e = line[energy], *c2 = line[cos2], *s2 = line[sin2], *c4 = line[cos4], *s4 = line[sin4], *e2 = line[energy2];
  float *levels = line[level];
  for (int x = 0; x < width; x++) {
    Gradient g(row, next, x);
    float xx = g.x * g.x, yy = g.y * g.y, cosine = xx - yy, sine = 2 * g.x * g.y;
    float cosine_squared = cosine * cosine, sine_squared = sine * sine;
    e[x] += xx + yy;
    c2[x] += cosine;
    s2[x] += sine;
    c4[x] += cosine_squared - sine_squared;
    s4[x] += 2 * cosine * sine;
    e2[x] += cosine_squared + sine_squared;
    levels[x] += float(row[x]);
    low[x] = std::min(low[x], row[x]);
    high[x] = std::max(high[x], row[x]);
  }
}

/// Computes the sums and extreme levels of all blocks.
Texture blocks_of(const cv::Mat &grey, int side) {
  Texture texture;
  texture.side = side;
  texture.columns = (grey.cols - 1) / side;
  texture.rows = (grey.rows - 1) / side;
  for (cv::Mat &sum : texture.sums) sum.create(texture.rows, texture.columns, CV_32F);
  for (cv::Mat *extreme : {&texture.low, &texture.high}) extreme->create(texture.rows, texture.columns, CV_32F);
  int width = texture.columns * side;
  // Of large blocks, every second row suffices.
  int step = side >= 2 * least_block_side ? 2 : 1;
  float sampled = float(side / step) / float(side);
  // Sums over the rows of a block, for each column of pixels.
  std::vector<float> column_sums(sum_count * size_t(width));
  std::vector<uint8_t> lowest(width), highest(width);
  float *line[sum_count];
  for (int sum = 0; sum < sum_count; sum++) line[sum] = column_sums.data() + size_t(sum) * width;
  for (int row = 0; row < texture.rows; row++) {
    std::fill(column_sums.begin(), column_sums.end(), 0.0f);
    std::fill(lowest.begin(), lowest.end(), uint8_t(255));
    std::fill(highest.begin(), highest.end(), uint8_t(0));
    for (int y = row * side; y + step <= (row + 1) * side; y += step)
      add_row(grey.ptr(y), grey.ptr(y + 1), width, line, lowest.data(), highest.data());
    for (int column = 0; column < texture.columns; column++) {
      int first = column * side;
      for (int sum = 0; sum < sum_count; sum++)
        texture.sums[sum].at<float>(row, column) =
            std::accumulate(line[sum] + first, line[sum] + first + side, 0.0f) / sampled;
      texture.low.at<float>(row, column) = *std::min_element(&lowest[first], &lowest[first] + side);
      texture.high.at<float>(row, column) = *std::max_element(&highest[first], &highest[first] + side);
    }
  }
  return texture;
}

/// Means over each block's surroundings.
cv::Mat spread(const cv::Mat &values) {
  cv::Mat means;
  cv::boxFilter(values, means, CV_32F, {surroundings, surroundings}, {-1, -1}, true, cv::BORDER_REPLICATE);
  return means;
}

}  // namespace

Texture texture_of(const cv::Mat &grey, int side) {
  Texture texture = blocks_of(grey, side);
  texture.features.resize(size_t(texture.columns) * texture.rows * block_features);
  cv::Mat means[sum_count], low, high;
  for (int sum = 0; sum < sum_count; sum++) means[sum] = spread(texture.sums[sum]);
  cv::Mat mean_low = spread(texture.low), mean_high = spread(texture.high);
  cv::Mat mean_square = spread(texture.sums[energy].mul(texture.sums[energy]));
  cv::Mat square = cv::Mat::ones(surroundings, surroundings, CV_8U);
  cv::erode(texture.low, low, square, {-1, -1}, 1, cv::BORDER_REPLICATE);
  cv::dilate(texture.high, high, square, {-1, -1}, 1, cv::BORDER_REPLICATE);
  float pixels = float(side) * float(side), *out = texture.features.data();
  for (int row = 0; row < texture.rows; row++)
    for (int column = 0; column < texture.columns; column++, out += block_features) {
      auto at = [&](const cv::Mat &mat) { return mat.at<float>(row, column); };
      auto mean = [&](Sum sum) { return at(means[sum]); };
      float range = std::max(at(high) - at(low), 1.0f), mean_energy = mean(energy) / pixels;
      float squared = mean(energy) * mean(energy), deviation = std::sqrt(std::max(at(mean_square) - squared, 0.0f));
      out[0] = std::log(mean_energy / (range * range) + 1e-4f);                       // density of edges
      out[1] = magnitude({mean(cos2), mean(sin2)}) / std::max(mean(energy), 1e-3f);   // 1 for parallel bars
      out[2] = magnitude({mean(cos4), mean(sin4)}) / std::max(mean(energy2), 1e-3f);  // 1 for right angles too
      out[3] = (mean(level) / pixels - at(low)) / range;                              // share of light
      out[4] = std::log(range);
      out[5] = (at(mean_high) - at(mean_low)) / range;                               // in every block?
      out[6] = std::min(deviation / std::max(mean(energy), 1e-3f), 5.0f);            // unevenness
      out[7] = std::log(mean(energy2) * pixels / std::max(squared, 1e-3f) + 1e-3f);  // few strong edges
      out[8] = std::log(mean_energy + 0.5f);
      out[9] = at(high) / 255;
    }
  return texture;
}

namespace {

/// The line v = offset + slope * u.
struct Line {
  double offset, slope;
};

/// Fits a line to points (u, v) by least squares, then again without the fifth of the points farthest from it.
Line fitted(std::vector<cv::Point2d> points) {
  for (bool is_first = true;; is_first = false) {
    double n = double(points.size()), u = 0, v = 0, uu = 0, uv = 0;
    for (auto &point : points) {
      u += point.x;
      v += point.y;
      uu += point.x * point.x;
      uv += point.x * point.y;
    }
    double determinant = n * uu - u * u;
    Line line;
    line.slope = std::abs(determinant) > 1e-9 ? (n * uv - u * v) / determinant : 0;
    line.offset = n > 0 ? (v - line.slope * u) / n : 0;
    if (!is_first || points.size() < 6) return line;
    auto error = [&](auto &point) { return std::abs(point.y - line.offset - line.slope * point.x); };
    std::sort(points.begin(), points.end(), [&](auto &a, auto &b) { return error(a) < error(b); });
    points.resize(points.size() * 4 / 5);
  }
}

/// Finds four corners around blocks, in blocks: a line along each side of their smallest enclosing rectangle.
Corners corners_of(const std::vector<cv::Point> &blocks) {
  cv::RotatedRect rectangle = cv::minAreaRect(blocks);
  double angle = rectangle.angle * CV_PI / 180, cosine = std::cos(angle), sine = std::sin(angle);
  double width = rectangle.size.width, height = rectangle.size.height;
  cv::Point2d centre = rectangle.center;
  // The outermost blocks at each step along the rectangle's sides.
  const double none = 1e9;
  int columns = int(width) + 1, rows = int(height) + 1;
  std::vector<double> top(columns, none), bottom(columns, -none), left(rows, none), right(rows, -none);
  for (auto &block : blocks) {
    double x = block.x - centre.x, y = block.y - centre.y, u = x * cosine + y * sine, v = -x * sine + y * cosine;
    int column = std::clamp(int(u + width / 2), 0, columns - 1), row = std::clamp(int(v + height / 2), 0, rows - 1);
    top[column] = std::min(top[column], v);
    bottom[column] = std::max(bottom[column], v);
    left[row] = std::min(left[row], u);
    right[row] = std::max(right[row], u);
  }
  // Without the ends, where corners are; half a block is between a block's centre and its edge.
  auto side = [&](const std::vector<double> &outermost, double extent, double outward) {
    std::vector<cv::Point2d> points;
    int count = int(outermost.size()), margin = count / 8;
    for (int i = margin; i < count - margin; i++)
      if (std::abs(outermost[i]) < none / 10) points.push_back({i + 0.5 - extent / 2, outermost[i]});
    Line line = fitted(points);
    return Line{line.offset + outward, std::clamp(line.slope, -1.0, 1.0)};
  };
  Line above = side(top, width, -0.5), below = side(bottom, width, 0.5);
  Line before = side(left, height, -0.5), after = side(right, height, 0.5);
  // v = a + b u and u = c + d v meet at u = (c + d a) / (1 - d b).
  auto meet = [&](Line a, Line c) {
    double u = (c.offset + c.slope * a.offset) / std::max(1 - c.slope * a.slope, 0.1), v = a.offset + a.slope * u;
    return cv::Point2f(float(centre.x + u * cosine - v * sine + 0.5), float(centre.y + u * sine + v * cosine + 0.5));
  };
  return {meet(above, before), meet(above, after), meet(below, after), meet(below, before)};
}

/// Sums over the blocks of a region.
struct Region {
  std::vector<cv::Point> blocks;
  float likeness = 0, high = 0, sums[sum_count] = {}, features[block_features] = {};

  void add(cv::Point block, const Texture &texture, float block_likeness) {
    blocks.push_back(block);
    likeness += block_likeness;
    high += texture.high.at<float>(block);
    for (int sum = 0; sum < sum_count; sum++) sums[sum] += texture.sums[sum].at<float>(block);
    const float *from = &texture.features[(size_t(block.y) * texture.columns + block.x) * block_features];
    for (int i = 0; i < block_features; i++) features[i] += from[i];
  }
};

/// Returns the share of the blocks next to an area, two deep, that are about as light as paper: `light` and `contrast`
/// are those of the area.
float paper_around(const Texture &texture, const Area &area, float light, float contrast) {
  cv::Mat grown;
  cv::dilate(area.mask, grown, cv::Mat::ones(5, 5, CV_8U));
  float pixels = float(texture.side) * float(texture.side), around = 0, paper = 0;
  for (int y = 0; y < area.box.height; y++)
    for (int x = 0; x < area.box.width; x++) {
      if (!grown.at<uint8_t>(y, x) || area.mask.at<uint8_t>(y, x)) continue;
      around++;
      cv::Point block = cv::Point(x, y) + area.box.tl();
      if (texture.sums[level].at<float>(block) / pixels >= light - 0.35f * contrast) paper++;
    }
  return around > 0 ? paper / around : 0;
}

/// Returns the convex hull of a region's blocks without the surroundings of a code: about half of the surroundings of
/// a block at its edge are outside the code.
std::vector<cv::Point> hull_of(const std::vector<cv::Point> &blocks, int block_side) {
  std::vector<cv::Point> hull;
  cv::convexHull(blocks, hull);
  cv::Point2f middle = cv::minAreaRect(blocks).center;
  for (auto &point : hull) {
    cv::Point2f outward = cv::Point2f(point) - middle;
    outward *= std::max(0.0f, 1 - outside_blocks / std::max(magnitude(outward), outside_blocks));
    point = cv::Point((middle + outward + cv::Point2f(0.5f, 0.5f)) * float(block_side));
  }
  return hull;
}

Candidate candidate_of(const Region &region, const Texture &texture, int reduction,
                       const cvision_code_networks &networks) {
  Candidate candidate;
  candidate.block_side = texture.side * reduction;
  candidate.corners = corners_of(region.blocks);
  float n = float(region.blocks.size()), means[block_features];
  for (int i = 0; i < block_features; i++) means[i] = region.features[i] / n;
  auto [upper, right, lower, left] = sides_of(candidate.corners, 0.5);
  Area area(outline_of(candidate.corners), {texture.columns, texture.rows}, 3);
  float covered = float(cv::countNonZero(area.mask)), inside = 0;
  for (auto &block : region.blocks) inside += area.box.contains(block) && area.mask.at<uint8_t>(block - area.box.tl());
  const float *sums = region.sums, contrast = std::exp(means[4]);
  float *out = candidate.features;
  *out++ = region.likeness / n;
  *out++ = std::hypot(sums[cos2], sums[sin2]) / std::max(sums[energy], 1e-3f);
  *out++ = std::hypot(sums[cos4], sums[sin4]) / std::max(sums[energy2], 1e-3f);
  *out++ = paper_around(texture, area, region.high / n, contrast);
  *out++ = inside / std::max(covered, 1.0f);  // 1 if it fills its corners
  *out++ = inside / n;                        // 1 if it stays within them
  *out++ = std::log(n);
  *out++ = float(std::log(ratio((upper + lower) / 2, (right + left) / 2)));
  *out++ = float(std::min(std::max(ratio(upper, lower), ratio(right, left)), 4.0));
  *out++ = reduction == 1;
  std::copy(means, means + block_features, out);
  candidate.likeness = networks.of_region(candidate.features);
  for (auto &corner : candidate.corners) corner *= float(candidate.block_side);
  candidate.hull = hull_of(region.blocks, candidate.block_side);
  return candidate;
}

/// Adds the regions of a picture reduced by `reduction`.
void add_candidates(const cv::Mat &grey, int reduction, const cvision_code_networks &networks,
                    std::vector<Candidate> &out) {
  int side = std::max(least_block_side, std::max(grey.cols, grey.rows) / blocks_across);
  if (grey.cols <= 2 * side || grey.rows <= 2 * side) return;
  Texture texture = texture_of(grey, side);
  cv::Mat likeness(texture.rows, texture.columns, CV_32F);
  for (int block = 0; block < texture.rows * texture.columns; block++)
    likeness.ptr<float>()[block] = networks.of_block(&texture.features[size_t(block) * block_features]);
  for (float threshold : block_thresholds) {
    cv::Mat mask = likeness > threshold, labels, stats, centres;
    cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::Mat::ones(3, 3, CV_8U));
    int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
    for (int label = 1; label < count; label++) {
      const int *found = stats.ptr<int>(label);
      if (found[cv::CC_STAT_AREA] < least_blocks) continue;
      Region region;
      for (int y = 0; y < found[cv::CC_STAT_HEIGHT]; y++)
        for (int x = 0; x < found[cv::CC_STAT_WIDTH]; x++) {
          cv::Point block(found[cv::CC_STAT_LEFT] + x, found[cv::CC_STAT_TOP] + y);
          if (labels.at<int>(block) == label) region.add(block, texture, likeness.at<float>(block));
        }
      out.push_back(candidate_of(region, texture, reduction, networks));
    }
  }
}

/// Samples a square of a picture at the size of a view; beyond the picture, its edge is repeated.
void view_of(const cv::Mat &whole, cv::Point2f middle, float extent, uint8_t *out) {
  cv::Mat grey = whole;
  // Reducing by an integer factor first takes a third of the time.
  int factor = int(extent / float(2 * view_side));
  if (factor > 1) {
    cv::Point2f half(extent / 2 + float(factor), extent / 2 + float(factor));
    cv::Rect part = cv::Rect(cv::Point(middle - half), cv::Point(middle + half)) & cv::Rect({}, whole.size());
    part.width -= part.width % factor;
    part.height -= part.height % factor;
    if (!part.empty()) {
      cv::resize(whole(part), grey, part.size() / factor, 0, 0, cv::INTER_AREA);
      middle = (middle - cv::Point2f(part.tl())) / float(factor);
      extent /= float(factor);
    }
  }
  int side = std::max(1, cvRound(extent));
  cv::Point corner(cvRound(middle.x - extent / 2), cvRound(middle.y - extent / 2));
  cv::Rect part = cv::Rect(corner, cv::Size(side, side)) & cv::Rect({}, grey.size());
  cv::Mat view(view_side, view_side, CV_8U, out), small;
  if (part.empty()) {
    view.setTo(0);
    return;
  }
  auto scaled = [&](int value) { return std::clamp(value * view_side / side, 0, view_side); };
  cv::Rect inside = part - corner;
  int x = std::min(scaled(inside.x), view_side - 1), y = std::min(scaled(inside.y), view_side - 1);
  int width = std::max(1, scaled(inside.br().x) - x), height = std::max(1, scaled(inside.br().y) - y);
  cv::resize(grey(part), small, {width, height}, 0, 0, cv::INTER_AREA);
  cv::copyMakeBorder(small, view, y, view_side - y - height, x, view_side - x - width, cv::BORDER_REPLICATE);
}

/// Normalises a view, convolves it and writes the mean of each channel.
void pool(const uint8_t *view, const cvision_code_networks &networks, float out[pooled]) {
  const int pixels = view_side * view_side, cells = pixels / 256;  // after four convolutions with stride 2
  float sum = 0, squares = 0, normalised[pixels];
  for (int i = 0; i < pixels; i++) {
    sum += float(view[i]);
    squares += float(view[i]) * float(view[i]);
  }
  float mean = sum / pixels, deviation = std::sqrt(std::max(squares / pixels - mean * mean, 0.0f)) + 4;
  for (int i = 0; i < pixels; i++) normalised[i] = (float(view[i]) - mean) / deviation;
  float first[decltype(networks.convolution1)::outputs], second[decltype(networks.convolution2)::outputs];
  float third[decltype(networks.convolution3)::outputs], fourth[decltype(networks.convolution4)::outputs];
  networks.convolution1(normalised, first);
  networks.convolution2(first, second);
  networks.convolution3(second, third);
  networks.convolution4(third, fourth);
  for (int cell = 0; cell < cells; cell++)
    for (int channel = 0; channel < pooled; channel++) out[channel] += fourth[cell * pooled + channel] / cells;
}

/// Returns the likeness of a candidate to a code by its pixels and features, 0 to 1.
float likeness_by_views(const cv::Mat &grey, const Candidate &candidate, const cvision_code_networks &networks) {
  uint8_t views[2][view_side * view_side];
  views_of(grey, candidate, views);
  float in[2 * pooled + region_features] = {};
  for (int view = 0; view < 2; view++) pool(views[view], networks, in + view * pooled);
  std::copy(candidate.features, candidate.features + region_features, in + 2 * pooled);
  return networks.of_views(in);
}

/// Returns whether the upright bounding boxes of two candidates share more than half of the smaller one.
bool overlap(const Candidate &a, const Candidate &b) {
  auto box = [](const Candidate &candidate) {
    return cv::boundingRect(std::vector<cv::Point2f>(candidate.corners.begin(), candidate.corners.end()));
  };
  cv::Rect one = box(a), other = box(b);
  return double((one & other).area()) / std::max(1, std::min(one.area(), other.area())) > 0.5;
}

}  // namespace

void views_of(const cv::Mat &grey, const Candidate &candidate, uint8_t views[2][view_side * view_side]) {
  cv::Point2f low = candidate.corners[0], high = low;
  for (auto &corner : candidate.corners) {
    low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
    high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
  }
  cv::Point2f middle = (low + high) * 0.5f;
  view_of(grey, middle, 1.25f * std::max(high.x - low.x, high.y - low.y), views[0]);
  view_of(grey, middle, float(candidate.block_side * view_side / least_block_side), views[1]);
}

std::vector<Candidate> candidates_of(const cv::Mat &grey, const cvision_code_networks &networks) {
  std::vector<Candidate> candidates;
  add_candidates(grey, 1, networks, candidates);
  if (std::min(grey.cols, grey.rows) >= 3 * 8 * least_block_side) {
    cv::Mat third;
    cv::resize(grey, third, {grey.cols / 3, grey.rows / 3}, 0, 0, cv::INTER_AREA);
    add_candidates(third, 3, networks, candidates);
  }
  return candidates;
}

}  // namespace cvision

using namespace cvision;

cvision_status cvision_code_networks_create(const uint8_t *bytes, size_t size, cvision_code_networks **out,
                                            char *message) {
  if (!bytes || !out) return fail(message, CVISION_E_ARGUMENT, "no model of code networks");
  *out = nullptr;
  const size_t header = sizeof networks_magic;
  if (size != header + sizeof **out || std::memcmp(bytes, networks_magic, header) != 0)
    return fail(message, CVISION_E_DAMAGED, "not a model of code networks of this version");
  return guarded(message, [&] {
    auto networks = std::make_unique<cvision_code_networks>();
    std::memcpy(networks.get(), bytes + header, sizeof *networks);
    *out = networks.release();
    return CVISION_OK;
  });
}

void cvision_code_networks_free(cvision_code_networks *networks) { delete networks; }

cvision_status cvision_find_codes(const cvision_code_networks *networks, cvision_grey picture, int32_t most,
                                  cvision_code_place *out, int32_t *count, char *message) {
  if (!out || !count) return CVISION_E_ARGUMENT;
  *count = 0;
  if (!networks || !picture.pixels || picture.width <= 0 || picture.height <= 0 || picture.stride < picture.width ||
      most < 1)
    return fail(message, CVISION_E_ARGUMENT, "no networks, no picture, or no code is requested");
  return guarded(message, [&] {
    // One thread per call: with all cores, OpenCV takes 5 % less time and up to a third more CPU time.
    static const bool is_single_threaded = (cv::setNumThreads(1), true);
    (void)is_single_threaded;
    cv::Mat grey(picture.height, picture.width, CV_8U, const_cast<uint8_t *>(picture.pixels), size_t(picture.stride));
    std::vector<Candidate> candidates = candidates_of(grey, *networks), kept;
    auto sort = [&] {
      std::sort(candidates.begin(), candidates.end(), [](auto &a, auto &b) { return a.likeness > b.likeness; });
    };
    sort();
    if (candidates.size() > most_evaluated) candidates.resize(most_evaluated);
    for (auto &candidate : candidates)
      if (candidate.likeness >= possible_likeness) candidate.likeness = likeness_by_views(grey, candidate, *networks);
    sort();
    for (auto &candidate : candidates) {
      if (*count == most || candidate.likeness < reported_likeness) break;
      // The same region may have been found at both scales and thresholds.
      if (std::any_of(kept.begin(), kept.end(), [&](auto &other) { return overlap(candidate, other); })) continue;
      if (!measure(grey, candidate, out[*count])) continue;
      (*count)++;
      kept.push_back(candidate);
    }
    return CVISION_OK;
  });
}
