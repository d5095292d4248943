// Measures probable codes at full resolution: contrast, sharpness, module size, perspective, glare and cuts.
#include "codelocator.hpp"

namespace cvision {
namespace {

const int turns = 60;                  // bins of a half turn
const int separate_turns = 8;          // 24 degrees: two closer directions are the same one
const float edge_energy = 16;          // squared grey levels per pixel: a weaker gradient is noise
const double linear_coherence = 0.75;  // of edges: simulated bars have 0.77 and more, PDF417 up to 0.69
const double elements_per_run = 1.9;   // narrowest elements between two edges: 7/4 in EAN, 17/8 in PDF417, 2 in QR
const int sampled_pixels = 60000;      // for the statistics of larger regions, these suffice
const uint8_t clipped_level = 250;     // from here on, a camera clips
const uint8_t white_level = clipped_level - 5;  // paper from here on is as white as a reflection

using Histogram = std::vector<int>;

int quantile(const Histogram &counts, double share) {
  double total = 0, sum = 0;
  for (int count : counts) total += count;
  for (size_t i = 0; i < counts.size(); i++) {
    sum += counts[i];
    if (sum >= share * total) return int(i);
  }
  return int(counts.size()) - 1;
}

/// Statistics of the pixels of an area.
struct Statistics {
  int count = 0;
  Histogram levels = Histogram(256), slopes = Histogram(512);
  double energy = 0, cos2 = 0, sin2 = 0;  // of edges: sums of |g|², and of their direction as in `Sum`
  std::vector<double> directions = std::vector<double>(turns);  // |g|² of edges by direction

  Statistics(const cv::Mat &part, const Area &area) {
    int step = std::max(1, area.box.area() / sampled_pixels);
    for (int y = 0; y + 1 < part.rows; y += step) {
      const uint8_t *pixels = part.ptr(y), *next = part.ptr(y + 1), *is_inside = area.mask.ptr(y);
      for (int x = 0; x + 1 < part.cols; x++)
        if (is_inside[x]) add(pixels[x], Gradient(pixels, next, x));
    }
  }

  void add(uint8_t pixel, Gradient g) {
    count++;
    levels[pixel]++;
    float squared = g.x * g.x + g.y * g.y;
    slopes[std::min(511, int(std::sqrt(squared) + 0.5f))]++;
    if (squared < edge_energy) return;
    energy += squared;
    cos2 += g.x * g.x - g.y * g.y;
    sin2 += 2 * g.x * g.y;
    double angle = std::atan2(g.y, g.x);
    directions[std::min(turns - 1, int((angle < 0 ? angle + CV_PI : angle) / CV_PI * turns))] += squared;
  }

  double light() const { return quantile(levels, 0.95); }
  double contrast() const { return light() - quantile(levels, 0.05); }
  /// The edges of matrix codes have two directions; those of bars, and nearly those of PDF417, one.
  bool is_linear() const { return std::hypot(cos2, sin2) > linear_coherence * std::max(energy, 1e-3); }

  /// Finds the main direction of gradients and the strongest other peak, as angles; without one, the right angle.
  std::pair<double, double> main_directions() const {
    std::vector<double> smooth(turns);
    for (int i = 0; i < turns; i++)
      for (int k = -2; k <= 2; k++) smooth[i] += directions[(i + k + turns) % turns] * (3 - std::abs(k));
    int first = int(std::max_element(smooth.begin(), smooth.end()) - smooth.begin()), second = -1;
    for (int i = 0; i < turns; i++) {
      int apart = std::min((i - first + turns) % turns, (first - i + turns) % turns);
      bool is_peak = smooth[i] >= smooth[(i + 1) % turns] && smooth[i] >= smooth[(i + turns - 1) % turns];
      if (apart >= separate_turns && is_peak && (second < 0 || smooth[i] > smooth[second])) second = i;
    }
    double across = (first + 0.5) / turns * CV_PI;
    return {across, is_linear() || second < 0 ? across + CV_PI / 2 : (second + 0.5) / turns * CV_PI};
  }
};

/// Pixels between two edges, along parallel lines.
struct Runs {
  double pixels = 0, edges = 0;

  void add(double length) {
    pixels += length;
    edges++;
  }
};

struct RunLengths {
  double mean;
  double first, last;  // of the first and the last third along the direction
};

/// Measures the runs along a direction inside an area, on at most 48 lines; `relative` are levels above the local mean.
RunLengths runs_along(const cv::Mat &relative, const cv::Mat &mask, double angle, float threshold) {
  const int bin_count = 30;
  Runs all, bins[bin_count];
  double dx = std::cos(angle), dy = std::sin(angle), half = std::hypot(mask.cols, mask.rows) / 2;
  double spacing = std::max(1.0, half / 24);
  for (double offset = -half; offset < half; offset += spacing) {
    int state = 0;  // 1 in light, -1 in dark, 0 before the first edge
    double run = 0, x = mask.cols / 2.0 - half * dx - offset * dy, y = mask.rows / 2.0 - half * dy + offset * dx;
    for (double along = -half; along < half; along += 0.5, x += dx / 2, y += dy / 2) {
      int column = int(std::floor(x)), row = int(std::floor(y));
      if (column < 0 || row < 0 || column >= mask.cols || row >= mask.rows || !mask.at<uint8_t>(row, column)) {
        state = 0;
        continue;
      }
      float value = relative.at<float>(row, column);
      int now = value > threshold ? 1 : value < -threshold ? -1 : state;
      run += 0.5;
      if (now == state) continue;
      if (state != 0) {
        all.add(run);
        bins[std::clamp(int((along + half) / (2 * half) * bin_count), 0, bin_count - 1)].add(run);
      }
      run = 0;
      state = now;
    }
  }
  if (all.edges == 0) return {double(std::max(mask.cols, mask.rows)), 1, 1};
  int first = 0, last = bin_count - 1;
  while (bins[first].edges == 0) first++;
  while (bins[last].edges == 0) last--;
  double mean = all.pixels / all.edges;
  auto third = [&](int bin, int step) {
    Runs sum;
    for (int i = 0; i < (last - first + 1) / 3; i++) {
      sum.pixels += bins[bin + i * step].pixels;
      sum.edges += bins[bin + i * step].edges;
    }
    return sum.edges > 0 ? sum.pixels / sum.edges : mean;
  };
  return {mean, third(first, 1), third(last, -1)};
}

/// The two directions of a region, each twice as long as the mean of two opposite sides.
std::pair<cv::Point2f, cv::Point2f> directions_of(const Corners &corners) {
  return {corners[1] - corners[0] + corners[2] - corners[3], corners[3] - corners[0] + corners[2] - corners[1]};
}

/// Returns the extent of a region closer to a direction over the other one.
float elongation_of(const Corners &corners, double direction) {
  auto [one, other] = directions_of(corners);
  cv::Point2f unit(float(std::cos(direction)), float(std::sin(direction)));
  float length = magnitude(one), other_length = magnitude(other);
  float elongation = std::max(length, 1.0f) / std::max(other_length, 1.0f);
  bool is_one = std::abs(one.dot(unit)) * other_length >= std::abs(other.dot(unit)) * length;
  return is_one ? elongation : 1 / elongation;
}

/// Returns the deviation, in degrees, of bars and the line of their ends from a right angle; `across` is the direction
/// from bar to bar.
float slant_of(const Corners &corners, double across) {
  auto apart = [&](cv::Point2f side) {
    double angle = std::abs(std::remainder(std::atan2(side.y, side.x) - across, CV_PI));
    return float(angle * 180 / CV_PI);
  };
  auto [one, other] = directions_of(corners);
  return std::min(apart(one), apart(other));
}

/// Returns the share of the squares of `square` pixels inside a shape that are entirely white.
float white_squares(const cv::Mat &grey, const std::vector<cv::Point> &shape, int square) {
  Area area(shape, grey.size());
  cv::Mat part = grey(area.box);
  int end = square - 1, step = std::max(1, square / 3);
  double all = 0, white = 0;
  auto is_inside = [&](int y, int x) { return area.mask.at<uint8_t>(y, x) != 0; };
  auto is_white = [&](int top, int left) {
    for (int y = top; y < top + square; y++)
      for (int x = left; x < left + square; x++)
        if (part.at<uint8_t>(y, x) < clipped_level) return false;
    return true;
  };
  for (int y = 0; y + square <= part.rows; y += step)
    for (int x = 0; x + square <= part.cols; x += step) {
      if (!is_inside(y, x) || !is_inside(y, x + end) || !is_inside(y + end, x) || !is_inside(y + end, x + end))
        continue;
      all++;
      white += is_white(y, x);
    }
  return all > 0 ? float(white / all) : 0;
}

/// Measures the share of a code that is white without texture.
void measure_glare(const cv::Mat &grey, const Candidate &candidate, const Statistics &statistics,
                   cvision_code_place &place) {
  int light = int(statistics.light()), middle = (quantile(statistics.levels, 0.05) + light) / 2;
  Histogram lighter = statistics.levels, paper(256);
  std::fill(lighter.begin(), lighter.begin() + middle, 0);
  // The paper around the code; some of it may be the background on which the paper lies.
  std::vector<cv::Point> outline = outline_of(candidate.corners);
  std::vector<cv::Point> around = outline_of(candidate.corners, std::max(3 * place.module, 6.0f));
  Area ring(around, grey.size());
  ring.fill(outline, 0);
  for (int y = 0; y < ring.box.height; y++)
    for (int x = 0; x < ring.box.width; x++)
      if (ring.mask.at<uint8_t>(y, x)) paper[grey.at<uint8_t>(ring.box.y + y, ring.box.x + x)]++;
  place.is_on_white = quantile(lighter, 0.5) >= white_level || quantile(paper, 0.75) >= white_level;
  if (place.is_on_white) {
    // Only areas larger than the widest space of a code are significant.
    int square = std::max(3 * least_block_side, int(6 * place.module + 0.5f));
    place.glare = white_squares(grey, candidate.hull, square);
  } else {
    // A reflection at a code's edge hides the edge, and the corners are then inside it. If almost nothing of the code
    // is white, the smallest spot counts; otherwise light squares may be overexposed.
    int square = light < white_level ? least_block_side : std::max(least_block_side, int(1.5f * place.module + 0.5f));
    place.glare = white_squares(grey, around, square);
  }
}

/// Returns the sides of the picture that a region touches with more than paper in between; bits as in `cut`.
int32_t cut_of(const cv::Mat &grey, const Area &area, double light, float contrast) {
  const cv::Rect &box = area.box;
  // Texture is not resolved closer to the edge.
  int margin = std::max(grey.cols, grey.rows) / 40;
  const int gaps[] = {box.x, box.y, grey.cols - box.br().x, grey.rows - box.br().y};
  int32_t cut = 0;
  for (int side = 0; side < 4; side++) {
    if (gaps[side] > margin) continue;
    bool is_horizontal = side % 2 == 1, is_far = side >= 2;
    auto pixel = [&](const cv::Mat &mat, int depth, int along) {
      int at = is_far ? (is_horizontal ? mat.rows : mat.cols) - 1 - depth : depth;
      return is_horizontal ? mat.at<uint8_t>(at, along) : mat.at<uint8_t>(along, at);
    };
    // The levels at the picture's edge along those rows or columns of the region that are within the margin.
    Histogram levels(256);
    int depth = is_horizontal ? box.height : box.width, length = is_horizontal ? box.width : box.height;
    int count = 0, reach = std::min(depth, margin - gaps[side] + 1);
    for (int i = 0; i < length; i++) {
      bool is_near = false;
      for (int k = 0; k < reach && !is_near; k++) is_near = pixel(area.mask, k, i);
      if (!is_near) continue;
      for (int k = 0; k < 3; k++) levels[pixel(grey, k, (is_horizontal ? box.x : box.y) + i)]++;
      count++;
    }
    if (count >= least_block_side && quantile(levels, 0.05) < float(light) - contrast / 2) cut |= 1 << side;
  }
  return cut;
}

}  // namespace

bool measure(const cv::Mat &grey, const Candidate &candidate, cvision_code_place &place) {
  place = {};
  const Corners &corners = candidate.corners;
  Area area(outline_of(corners), grey.size());
  int width = area.box.width, height = area.box.height;
  if (width < 8 || height < 8) return false;
  cv::Mat part = grey(area.box), relative, mean;
  Statistics statistics(part, area);
  if (statistics.count < 64) return false;
  place.likeness = candidate.likeness;
  place.contrast = float(statistics.contrast());
  place.edge = place.contrast / float(std::max(1, quantile(statistics.slopes, 0.98)));
  place.is_linear = statistics.is_linear();
  auto [across, along] = statistics.main_directions();
  double off_square = std::abs(90 - std::abs(across - along) * 180 / CV_PI);
  place.slant = place.is_linear ? slant_of(corners, across) : float(off_square);

  part.convertTo(relative, CV_32F);
  int around = std::clamp(std::min(width, height) / 4, 9, 61) | 1;
  cv::boxFilter(relative, mean, CV_32F, {around, around}, {-1, -1}, true, cv::BORDER_REPLICATE);
  relative -= mean;
  float noise = place.contrast / 8;
  RunLengths runs = runs_along(relative, area.mask, across, noise);
  double other = place.is_linear ? runs.mean : runs_along(relative, area.mask, along, noise).mean;
  place.module = float(std::min(runs.mean, other) / elements_per_run);
  place.stretch = place.is_linear ? 0 : float(ratio(runs.mean, other));
  place.elongation = elongation_of(corners, runs.mean > other ? across : along);

  auto [upper, right, lower, left] = sides_of(corners, 1);
  place.taper = float(std::max(ratio(upper, lower), ratio(right, left)));
  // Perspective changes the lengths of sides and, squared, the widths of bars.
  if (place.is_linear) place.taper = std::max(place.taper, float(std::sqrt(ratio(runs.first, runs.last))));
  measure_glare(grey, candidate, statistics, place);
  place.cut = cut_of(grey, area, statistics.light(), place.contrast);
  for (int i = 0; i < 4; i++) {
    place.corners[2 * i] = corners[i].x;
    place.corners[2 * i + 1] = corners[i].y;
  }
  return true;
}

}  // namespace cvision
