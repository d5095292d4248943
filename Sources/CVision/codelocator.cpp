// Locates and measures codes by their texture, whether they can be read or not.
//
// The picture is divided into blocks. A few features of each block's surroundings distinguish the dense, two-coloured,
// right-angled texture of codes from text, faces and cloth; a small network computes the likeness of each block to a
// code's. Connected blocks form a region; a second network decides whether it may be a code, and a third one decides by
// the pixels of those that may. Measurements are made at full resolution. training/codes produces the weights.
#include "codelocator.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "codeweights.hpp"
#include "guard.hpp"

namespace cvision {

namespace {

// Blocks along a picture's longer side. A block's surroundings are then a thirtieth of it: several fit in a code.
const int blocks_across = 160;
const int least_side = 4;  // minimum block side in pixels: a smaller block holds no texture
const int reach = 2;       // blocks on each side of one that form its surroundings
const int least_area = 9;  // minimum blocks of a region: fewer are noise
const int32_t side_limit = 8192;     // OpenCV's warps have 16-bit fixed-point coordinates
const float possible_from = 0.02f;   // minimum likeness of a region whose pixels are evaluated; as in train.py
const size_t most_judged = 12;       // maximum regions evaluated: four views of each of three places
const float likely_from = 0.6f;      // minimum likeness of a region that is reported: it is worth a try
const double linear_from = 0.75;     // coherence of edges: simulated bars have 0.77 and more, PDF417 up to 0.69
const double elements_a_run = 1.9;   // narrowest elements between two edges: 7/4 in EAN, 17/8 in PDF417, 2 in QR
const uint8_t white_from = 250;      // at or above it, a camera's levels are clipped

/// Computes sums over the pixels of blocks: of |g|², of the doubled angle of the gradient g weighted by |g|², of the
/// quadrupled one weighted by |g|⁴, of |g|⁴ and of grey levels; and the lowest and the highest level.
Texture blocks_of(const cv::Mat &grey, int side) {
  int width = grey.cols - 1, height = grey.rows - 1;
  Texture out;
  out.side = side;
  out.columns = width / side;
  out.rows = height / side;
  for (cv::Mat *mat : {&out.energy, &out.cos2, &out.sin2, &out.cos4, &out.sin4, &out.energy2, &out.sum, &out.low, &out.high})
    mat->create(out.rows, out.columns, CV_32F);
  int used = out.columns * side;
  // For large blocks, every second row suffices.
  int step = side >= 2 * least_side ? 2 : 1;
  float share = float(side / step) / float(side);
  std::vector<float> lines(7 * size_t(used));
  std::vector<uint8_t> low(used), high(used);
  float *e = lines.data(), *p = e + used, *q = p + used, *c = q + used, *s = c + used, *n = s + used, *t = n + used;
  for (int row = 0; row < out.rows; row++) {
    std::fill(lines.begin(), lines.end(), 0.0f);
    std::fill(low.begin(), low.end(), uint8_t(255));
    std::fill(high.begin(), high.end(), uint8_t(0));
    for (int y = row * side; y + step <= (row + 1) * side; y += step) {
      const uint8_t *a = grey.ptr(y), *b = grey.ptr(y + 1);
      uint8_t *l = low.data(), *h = high.data();
      for (int x = 0; x < used; x++) {
        int diagonal = b[x + 1] - a[x], other = a[x + 1] - b[x];
        float dx = float(diagonal + other) * 0.5f, dy = float(diagonal - other) * 0.5f;
        float xx = dx * dx, yy = dy * dy, cosine = xx - yy, sine = 2 * dx * dy;
        float cc = cosine * cosine, ss = sine * sine;
        e[x] += xx + yy;
        p[x] += cosine;
        q[x] += sine;
        c[x] += cc - ss;
        s[x] += 2 * cosine * sine;
        n[x] += cc + ss;
        t[x] += float(a[x]);
        l[x] = std::min(l[x], a[x]);
        h[x] = std::max(h[x], a[x]);
      }
    }
    float *to[] = {out.energy.ptr<float>(row), out.cos2.ptr<float>(row), out.sin2.ptr<float>(row), out.cos4.ptr<float>(row),
                   out.sin4.ptr<float>(row), out.energy2.ptr<float>(row), out.sum.ptr<float>(row)};
    for (int k = 0; k < 7; k++) {
      const float *from = lines.data() + size_t(k) * used;
      for (int column = 0; column < out.columns; column++) {
        float total = 0;
        for (int x = 0; x < side; x++) total += *from++;
        to[k][column] = total / share;
      }
    }
    for (int column = 0; column < out.columns; column++) {
      auto first = column * side;
      out.low.at<float>(row, column) = *std::min_element(low.begin() + first, low.begin() + first + side);
      out.high.at<float>(row, column) = *std::max_element(high.begin() + first, high.begin() + first + side);
    }
  }
  return out;
}

/// As std::hypot, without its handling of extreme numbers, which do not occur here and take five times as long.
float length(float x, float y) { return std::sqrt(x * x + y * y); }

/// Averages over the surroundings.
cv::Mat spread(const cv::Mat &values) {
  cv::Mat out;
  cv::boxFilter(values, out, CV_32F, cv::Size(2 * reach + 1, 2 * reach + 1), cv::Point(-1, -1), true, cv::BORDER_REPLICATE);
  return out;
}

/// Evaluates a network with one hidden layer; returns 0 to 1.
template <int inputs, int hidden>
float answer(const float *in, const float (&weights)[inputs][hidden], const float (&biases)[hidden],
             const float (&last)[hidden], float bias) {
  float inner[hidden];
  for (int k = 0; k < hidden; k++) inner[k] = biases[k];
  for (int i = 0; i < inputs; i++)
    for (int k = 0; k < hidden; k++) inner[k] += in[i] * weights[i][k];
  for (int k = 0; k < hidden; k++) bias += last[k] * std::max(inner[k], 0.0f);
  return 1 / (1 + std::exp(-bias));
}

}  // namespace

Texture texture_of(const cv::Mat &grey, int side) {
  Texture out = blocks_of(grey, side);
  out.features.resize(size_t(out.columns) * out.rows * block_features);
  cv::Mat energy = spread(out.energy), cos2 = spread(out.cos2), sin2 = spread(out.sin2), cos4 = spread(out.cos4),
          sin4 = spread(out.sin4), energy2 = spread(out.energy2), sum = spread(out.sum), mean_low = spread(out.low),
          mean_high = spread(out.high), squared = spread(out.energy.mul(out.energy)), low, high;
  cv::Mat box = cv::Mat::ones(2 * reach + 1, 2 * reach + 1, CV_8U);
  cv::erode(out.low, low, box, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
  cv::dilate(out.high, high, box, cv::Point(-1, -1), 1, cv::BORDER_REPLICATE);
  float pixels = float(side) * float(side);
  float *to = out.features.data();
  for (int row = 0; row < out.rows; row++)
    for (int column = 0; column < out.columns; column++, to += block_features) {
      auto at = [&](const cv::Mat &mat) { return mat.at<float>(row, column); };
      float full = std::max(at(high) - at(low), 1.0f), mean_energy = at(energy) / pixels;
      float deviation = std::sqrt(std::max(at(squared) - at(energy) * at(energy), 0.0f));
      to[0] = std::log(mean_energy / (full * full) + 1e-4f);  // density of edges
      to[1] = length(at(cos2), at(sin2)) / std::max(at(energy), 1e-3f);   // 1 for parallel bars
      to[2] = length(at(cos4), at(sin4)) / std::max(at(energy2), 1e-3f);  // 1 for right angles too
      to[3] = (at(sum) / pixels - at(low)) / full;                            // fraction of light
      to[4] = std::log(full);
      to[5] = (at(mean_high) - at(mean_low)) / full;  // whether all blocks have dark and light parts
      to[6] = std::min(deviation / std::max(at(energy), 1e-3f), 5.0f);  // unevenness
      to[7] = std::log(at(energy2) * pixels / std::max(at(energy) * at(energy), 1e-3f) + 1e-3f);  // few edges or many
      to[8] = std::log(mean_energy + 0.5f);
      to[9] = at(high) / 255;
    }
  return out;
}

namespace {

/// Returns the likeness of each block's surroundings to a code's, 0 to 1.
cv::Mat likeness_of(const Texture &texture) {
  cv::Mat out(texture.rows, texture.columns, CV_32F);
  const float *from = texture.features.data();
  for (int row = 0; row < texture.rows; row++)
    for (int column = 0; column < texture.columns; column++, from += block_features)
      out.at<float>(row, column) = answer(from, block_in, block_bias, block_out, block_last);
  return out;
}

/// Fits the line v = a + b u to points (u, v) by least squares, without the fifth of the points that is farthest off.
void fit(std::vector<cv::Point2d> points, double &a, double &b) {
  for (int round = 0; round < 2; round++) {
    double n = double(points.size()), su = 0, sv = 0, suu = 0, suv = 0;
    for (auto &p : points) su += p.x, sv += p.y, suu += p.x * p.x, suv += p.x * p.y;
    double determinant = n * suu - su * su;
    b = std::abs(determinant) > 1e-9 ? (n * suv - su * sv) / determinant : 0;
    a = n > 0 ? (sv - b * su) / n : 0;
    if (round == 1 || points.size() < 6) return;
    std::sort(points.begin(), points.end(), [&](auto &p, auto &q) {
      return std::abs(p.y - a - b * p.x) < std::abs(q.y - a - b * q.x);
    });
    points.resize(points.size() * 4 / 5);
  }
}

/// Finds four corners around blocks, in blocks: a line along each side of their smallest enclosing rectangle.
void corners_of(const std::vector<cv::Point> &blocks, cv::Point2f out[4]) {
  cv::RotatedRect rectangle = cv::minAreaRect(blocks);
  double angle = rectangle.angle * CV_PI / 180, c = std::cos(angle), s = std::sin(angle);
  double width = rectangle.size.width, height = rectangle.size.height;
  double cx = rectangle.center.x, cy = rectangle.center.y;
  int across = int(width) + 1, down = int(height) + 1;
  std::vector<double> top(across, 1e9), bottom(across, -1e9), left(down, 1e9), right(down, -1e9);
  for (auto &p : blocks) {
    double x = p.x - cx, y = p.y - cy, u = x * c + y * s, v = -x * s + y * c;
    int i = std::clamp(int(u + width / 2), 0, across - 1), j = std::clamp(int(v + height / 2), 0, down - 1);
    top[i] = std::min(top[i], v);
    bottom[i] = std::max(bottom[i], v);
    left[j] = std::min(left[j], u);
    right[j] = std::max(right[j], u);
  }
  auto side = [](const std::vector<double> &values, double half, double &a, double &b) {
    std::vector<cv::Point2d> points;
    int n = int(values.size()), margin = n / 8;
    for (int i = margin; i < n - margin; i++)
      if (std::abs(values[i]) < 1e8) points.push_back({i + 0.5 - half, values[i]});
    fit(points, a, b);
    b = std::clamp(b, -1.0, 1.0);
  };
  double ta, tb, ba, bb, la, lb, ra, rb;
  side(top, width / 2, ta, tb);
  side(bottom, width / 2, ba, bb);
  side(left, height / 2, la, lb);
  side(right, height / 2, ra, rb);
  // v = a + b u and u = e + f v: u = (e + f a) / (1 - f b).
  auto meet = [&](double a, double b, double e, double f) {
    double u = (e + f * a) / std::max(1 - f * b, 0.1), v = a + b * u;
    return cv::Point2f(float(cx + u * c - v * s + 0.5), float(cy + u * s + v * c + 0.5));
  };
  const double half = 0.5;  // of a block: from its centre to its edge
  out[0] = meet(ta - half, tb, la - half, lb);
  out[1] = meet(ta - half, tb, ra + half, rb);
  out[2] = meet(ba + half, bb, ra + half, rb);
  out[3] = meet(ba + half, bb, la - half, lb);
}

double length(cv::Point2f a, cv::Point2f b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// The outline of four corners, enlarged by `margin` pixels on each side.
std::vector<cv::Point> outline_of(const cv::Point2f corners[4], float margin = 0) {
  cv::Point2f middle = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25f;
  std::vector<cv::Point> out;
  for (int i = 0; i < 4; i++) {
    // A corner is farther out than a side by the square root of two.
    cv::Point2f outward = corners[i] - middle;
    outward *= 1 + 1.4f * margin / std::max(length(outward.x, outward.y), 1.0f);
    out.push_back(cv::Point(cvRound(middle.x + outward.x), cvRound(middle.y + outward.y)));
  }
  return out;
}

/// Adds the regions of blocks whose likeness exceeds a level, in a picture reduced by `reduction`.
void add_candidates(const Texture &texture, const cv::Mat &likeness, float level, int reduction,
                    std::vector<Candidate> &out) {
  int side = texture.side;
  cv::Mat mask = likeness > level, labels, stats, centres;
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::Mat::ones(3, 3, CV_8U));
  int count = cv::connectedComponentsWithStats(mask, labels, stats, centres, 8, CV_32S);
  float pixels = float(side) * float(side);
  for (int label = 1; label < count; label++) {
    int area = stats.at<int>(label, cv::CC_STAT_AREA);
    if (area < least_area) continue;
    int left = stats.at<int>(label, cv::CC_STAT_LEFT), top = stats.at<int>(label, cv::CC_STAT_TOP);
    int right = left + stats.at<int>(label, cv::CC_STAT_WIDTH), bottom = top + stats.at<int>(label, cv::CC_STAT_HEIGHT);
    std::vector<cv::Point> blocks;
    float like = 0, energy = 0, cos2 = 0, sin2 = 0, cos4 = 0, sin4 = 0, energy2 = 0, light = 0;
    float means[block_features] = {};
    for (int y = top; y < bottom; y++)
      for (int x = left; x < right; x++) {
        if (labels.at<int>(y, x) != label) continue;
        blocks.push_back({x, y});
        like += likeness.at<float>(y, x);
        energy += texture.energy.at<float>(y, x);
        cos2 += texture.cos2.at<float>(y, x);
        sin2 += texture.sin2.at<float>(y, x);
        cos4 += texture.cos4.at<float>(y, x);
        sin4 += texture.sin4.at<float>(y, x);
        energy2 += texture.energy2.at<float>(y, x);
        light += texture.high.at<float>(y, x);
        const float *from = &texture.features[(size_t(y) * size_t(texture.columns) + size_t(x)) * block_features];
        for (int f = 0; f < block_features; f++) means[f] += from[f];
      }
    float n = float(area);
    for (float &mean : means) mean /= n;
    light /= n;
    Candidate candidate;
    candidate.block = side * reduction;
    cv::Point2f corners[4];
    corners_of(blocks, corners);
    double sides[4];
    for (int i = 0; i < 4; i++) sides[i] = std::max(length(corners[i], corners[(i + 1) % 4]), 0.5);
    double across = (sides[0] + sides[2]) / 2, down = (sides[1] + sides[3]) / 2;
    auto ratio = [](double a, double b) { return std::max(a, b) / std::min(a, b); };
    // A code is surrounded by paper as light as its light parts.
    std::vector<cv::Point> outline = outline_of(corners);
    cv::Rect frame = (cv::boundingRect(outline) + cv::Size(6, 6) - cv::Point(3, 3)) &
                     cv::Rect(0, 0, texture.columns, texture.rows);
    for (auto &point : outline) point -= frame.tl();
    cv::Mat inside = cv::Mat::zeros(frame.size(), CV_8U), near;
    cv::fillConvexPoly(inside, outline, 255);
    float covered = float(cv::countNonZero(inside)), both = 0;
    for (auto &block : blocks) both += frame.contains(block) && inside.at<uint8_t>(block - frame.tl());
    cv::dilate(inside, near, cv::Mat::ones(5, 5, CV_8U));
    float around = 0, paper = 0, contrast = std::exp(means[4]);
    for (int y = 0; y < frame.height; y++)
      for (int x = 0; x < frame.width; x++) {
        if (!near.at<uint8_t>(y, x) || inside.at<uint8_t>(y, x)) continue;
        around++;
        if (texture.sum.at<float>(y + frame.y, x + frame.x) / pixels >= light - 0.35f * contrast) paper++;
      }
    float *to = candidate.features;
    *to++ = like / n;
    *to++ = std::hypot(cos2, sin2) / std::max(energy, 1e-3f);
    *to++ = std::hypot(cos4, sin4) / std::max(energy2, 1e-3f);
    *to++ = around > 0 ? paper / around : 0;
    *to++ = both / std::max(covered, 1.0f);  // 1 if it fills its corners
    *to++ = both / n;                        // 1 if it stays within them
    *to++ = std::log(n);
    *to++ = float(std::log(ratio(across, down)));
    *to++ = float(std::min(std::max(ratio(sides[0], sides[2]), ratio(sides[1], sides[3])), 4.0));
    *to++ = reduction == 1;
    for (float mean : means) *to++ = mean;
    for (int i = 0; i < 4; i++) candidate.corners[i] = corners[i] * float(candidate.block);
    cv::convexHull(blocks, candidate.hull);
    cv::Point2f middle = cv::minAreaRect(blocks).center;
    for (auto &point : candidate.hull) {
      // The likeness of a block is that of its surroundings: half of those of an edge block are outside the code.
      cv::Point2f outward = cv::Point2f(point) - middle;
      outward *= std::max(0.0f, 1 - 1.5f / std::max(length(outward.x, outward.y), 1.5f));
      point = cv::Point((middle + outward + cv::Point2f(0.5f, 0.5f)) * float(candidate.block));
    }
    candidate.likeness = answer(candidate.features, region_in, region_bias, region_out, region_last);
    out.push_back(candidate);
  }
}

/// Adds the regions of a picture reduced by `reduction`.
void add_candidates(const cv::Mat &grey, int reduction, std::vector<Candidate> &out) {
  int side = std::max(least_side, std::max(grey.cols, grey.rows) / blocks_across);
  if (grey.cols <= 2 * side || grey.rows <= 2 * side) return;
  Texture texture = texture_of(grey, side);
  cv::Mat likeness = likeness_of(texture);
  // At the lower level, a code is connected with somewhat similar texture close to it.
  for (float level : {0.5f, 0.9f}) add_candidates(texture, likeness, level, reduction, out);
}

/// Samples a square of the picture at the size of a view; beyond the picture, its edge is repeated.
void view_of(const cv::Mat &whole, cv::Point2f middle, float extent, uint8_t *out) {
  // By an integer factor first, which takes a third of the time.
  int step = int(extent / float(2 * view_side));
  cv::Mat grey = whole;
  if (step > 1) {
    cv::Point2f half(extent / 2 + float(step), extent / 2 + float(step));
    cv::Rect part = cv::Rect(cv::Point(middle - half), cv::Point(middle + half)) & cv::Rect(0, 0, whole.cols, whole.rows);
    part.width -= part.width % step;
    part.height -= part.height % step;
    if (!part.empty()) {
      cv::resize(whole(part), grey, part.size() / step, 0, 0, cv::INTER_AREA);
      middle = (middle - cv::Point2f(part.tl())) / float(step);
      extent /= float(step);
    }
  }
  int side = std::max(1, cvRound(extent)), left = cvRound(middle.x - extent / 2), top = cvRound(middle.y - extent / 2);
  cv::Rect part = cv::Rect(left, top, side, side) & cv::Rect(0, 0, grey.cols, grey.rows);
  cv::Mat view(view_side, view_side, CV_8U, out), small;
  if (part.empty()) {
    view.setTo(0);
    return;
  }
  auto place = [&](int value) { return std::clamp(value * view_side / side, 0, view_side); };
  int x = std::min(place(part.x - left), view_side - 1), y = std::min(place(part.y - top), view_side - 1);
  int width = std::max(1, place(part.x + part.width - left) - x), height = std::max(1, place(part.y + part.height - top) - y);
  cv::resize(grey(part), small, cv::Size(width, height), 0, 0, cv::INTER_AREA);
  cv::copyMakeBorder(small, view, y, view_side - y - height, x, view_side - x - width, cv::BORDER_REPLICATE);
}

/// A 3 x 3 convolution over all channels, with stride 2 and ReLU.
template <int side, int channels, int filters>
void convolve(const float *in, const int8_t (&weights)[9 * channels][filters], float scale, const float (&biases)[filters],
              float *out) {
  for (int row = 0; row < side; row += 2)
    for (int column = 0; column < side; column += 2, out += filters) {
      float sums[filters] = {};
      for (int k = 0; k < 9; k++) {
        int y = row + k / 3 - 1, x = column + k % 3 - 1;
        if (y < 0 || x < 0 || y >= side || x >= side) continue;
        const float *from = in + (y * side + x) * channels;
        for (int channel = 0; channel < channels; channel++)
          for (int f = 0; f < filters; f++) sums[f] += from[channel] * float(weights[k * channels + channel][f]);
      }
      for (int f = 0; f < filters; f++) out[f] = std::max(sums[f] * scale + biases[f], 0.0f);
    }
}

/// Returns the likeness of a region to a code by its pixels, 0 to 1: by two views and its features.
float judged(const cv::Mat &grey, const Candidate &candidate) {
  uint8_t views[2][view_side * view_side];
  views_of(grey, candidate, views);
  const int pooled = sizeof conv4_bias / sizeof *conv4_bias;
  float in[2 * pooled + region_features] = {}, *to = in;
  for (auto &view : views) {
    const int pixels = view_side * view_side;
    float sum = 0, squares = 0, first[pixels], second[pixels / 4 * 8], third[pixels / 16 * 16], fourth[pixels / 64 * 24],
          last[pixels / 256 * pooled];
    for (uint8_t level : view) sum += float(level), squares += float(level) * float(level);
    float mean = sum / pixels, deviation = std::sqrt(std::max(squares / pixels - mean * mean, 0.0f)) + 4;
    for (int i = 0; i < pixels; i++) first[i] = (float(view[i]) - mean) / deviation;
    convolve<view_side, 1>(first, conv1, conv1_scale, conv1_bias, second);
    convolve<view_side / 2, 8>(second, conv2, conv2_scale, conv2_bias, third);
    convolve<view_side / 4, 16>(third, conv3, conv3_scale, conv3_bias, fourth);
    convolve<view_side / 8, 24>(fourth, conv4, conv4_scale, conv4_bias, last);
    const int cells = pixels / 256;
    for (int i = 0; i < cells; i++)
      for (int f = 0; f < pooled; f++) to[f] += last[i * pooled + f] / cells;
    to += pooled;
  }
  std::copy(candidate.features, candidate.features + region_features, to);
  return answer(in, judge_in, judge_bias, judge_out, judge_last);
}

/// Returns the `share` quantile of a histogram.
int quantile(const std::vector<int> &counts, double share) {
  double total = 0, sum = 0;
  for (int n : counts) total += n;
  for (size_t i = 0; i < counts.size(); i++) {
    sum += counts[i];
    if (sum >= share * total) return int(i);
  }
  return int(counts.size()) - 1;
}

/// Returns the mean pixels between edges along a direction, inside a mask, on at most 48 lines; `ends` receives those
/// of the first and of the last third.
double run_along(const cv::Mat &relative, const cv::Mat &mask, double angle, float threshold, double ends[2] = nullptr) {
  double dx = std::cos(angle), dy = std::sin(angle), half = std::hypot(mask.cols, mask.rows) / 2;
  struct {
    double pixels, edges;
  } bins[30] = {};  // along the direction
  double pixels = 0, edges = 0, step = std::max(1.0, half / 24);
  for (double offset = -half; offset < half; offset += step) {
    int state = 0;
    double since = 0, x = mask.cols / 2.0 - half * dx - offset * dy, y = mask.rows / 2.0 - half * dy + offset * dx;
    for (double along = -half; along < half; along += 0.5, x += dx / 2, y += dy / 2) {
      int column = int(std::floor(x)), row = int(std::floor(y));
      if (column < 0 || row < 0 || column >= mask.cols || row >= mask.rows || !mask.at<uint8_t>(row, column)) {
        state = 0;
        continue;
      }
      float value = relative.at<float>(row, column);
      int now = value > threshold ? 1 : value < -threshold ? -1 : state;
      since += 0.5;
      if (now == state) continue;
      if (state != 0) {
        auto &bin = bins[std::clamp(int((along + half) / (2 * half) * 30), 0, 29)];
        pixels += since, edges++;
        bin.pixels += since, bin.edges++;
      }
      since = 0;
      state = now;
    }
  }
  if (ends && edges > 0) {
    int first = 0, last = 29;
    while (bins[first].edges == 0) first++;
    while (bins[last].edges == 0) last--;
    for (int end = 0; end < 2; end++) {
      double sum = 0, count = 0;
      for (int i = 0; i < (last - first + 1) / 3; i++) {
        sum += bins[end ? last - i : first + i].pixels;
        count += bins[end ? last - i : first + i].edges;
      }
      ends[end] = count > 0 ? sum / count : pixels / edges;
    }
  }
  return edges > 0 ? pixels / edges : std::max(mask.cols, mask.rows);
}

/// The two directions of a region, each twice as long as the mean of two opposite sides.
struct Sides {
  cv::Point2f one, other;
  explicit Sides(const cv::Point2f corners[4])
      : one(corners[1] - corners[0] + corners[2] - corners[3]), other(corners[3] - corners[0] + corners[2] - corners[1]) {}
};

/// Returns a candidate's extent closer to a direction, over the other one.
float elongation_of(const cv::Point2f corners[4], double direction) {
  Sides sides(corners);
  cv::Point2f unit(float(std::cos(direction)), float(std::sin(direction)));
  float one = length(sides.one.x, sides.one.y), other = length(sides.other.x, sides.other.y);
  float ratio = std::max(one, 1.0f) / std::max(other, 1.0f);
  bool is_one = std::abs(sides.one.dot(unit)) * other >= std::abs(sides.other.dot(unit)) * one;
  return is_one ? ratio : 1 / ratio;
}

/// Returns the deviation, in degrees, of bars and the line of their ends from a right angle; `across` is the direction
/// from bar to bar.
float slant_of(const cv::Point2f corners[4], double across) {
  Sides sides(corners);
  auto apart = [&](cv::Point2f side) {
    double angle = std::abs(std::remainder(std::atan2(side.y, side.x) - across, CV_PI));
    return float(angle * 180 / CV_PI);
  };
  return std::min(apart(sides.one), apart(sides.other));
}

/// Returns the fraction of the squares inside a shape that are entirely white.
float white_squares(const cv::Mat &grey, std::vector<cv::Point> shape, int square) {
  cv::Rect box = cv::boundingRect(shape) & cv::Rect(0, 0, grey.cols, grey.rows);
  if (box.empty()) return 0;
  for (auto &point : shape) point -= box.tl();
  cv::Mat inside = cv::Mat::zeros(box.size(), CV_8U), part = grey(box);
  cv::fillConvexPoly(inside, shape, 255);
  int last = square - 1, step = std::max(1, square / 3);
  double all = 0, white = 0;
  for (int y = 0; y + square <= part.rows; y += step)
    for (int x = 0; x + square <= part.cols; x += step) {
      if (!inside.at<uint8_t>(y, x) || !inside.at<uint8_t>(y, x + last) || !inside.at<uint8_t>(y + last, x) ||
          !inside.at<uint8_t>(y + last, x + last))
        continue;
      all++;
      bool is_white = true;
      for (int v = 0; is_white && v < square; v++)
        for (int u = 0; is_white && u < square; u++) is_white = part.at<uint8_t>(y + v, x + u) >= white_from;
      white += is_white;
    }
  return all > 0 ? float(white / all) : 0;
}

/// Measures the fraction of a code that is white without texture; `levels` is the histogram of its pixels.
void measure_glare(const cv::Mat &grey, const Candidate &candidate, const std::vector<int> &levels, cvision_code_place &place) {
  const int dull = white_from - 5, light = quantile(levels, 0.95);
  std::vector<int> lighter(levels);
  std::fill(lighter.begin(), lighter.begin() + (quantile(levels, 0.05) + light) / 2, 0);
  // The paper around the code; some of it may be the background on which the paper lies.
  std::vector<cv::Point> code = outline_of(candidate.corners), around = outline_of(candidate.corners, std::max(3 * place.module, 6.0f));
  cv::Rect box = cv::boundingRect(around) & cv::Rect(0, 0, grey.cols, grey.rows);
  cv::Mat ring = cv::Mat::zeros(box.size(), CV_8U), part = grey(box);
  auto fill = [&](std::vector<cv::Point> points, int value) {
    for (auto &point : points) point -= box.tl();
    cv::fillConvexPoly(ring, points, value);
  };
  fill(around, 255);
  fill(code, 0);
  std::vector<int> beside(256, 0);
  for (int y = 0; y < box.height; y++)
    for (int x = 0; x < box.width; x++)
      if (ring.at<uint8_t>(y, x)) beside[part.at<uint8_t>(y, x)]++;
  // On paper as white as a reflection, only areas larger than the widest space of a code are significant.
  place.is_on_white = quantile(lighter, 0.5) >= dull || quantile(beside, 0.75) >= dull;
  if (place.is_on_white) {
    place.glare = white_squares(grey, candidate.hull, std::max(3 * least_side, int(6 * place.module + 0.5f)));
    return;
  }
  // A reflection at a code's edge hides the edge, and the corners are then inside it. If almost nothing of the code is
  // white, the smallest spot counts; otherwise light squares may be overexposed.
  place.glare = white_squares(grey, around, light < dull ? least_side : std::max(least_side, int(1.5f * place.module + 0.5f)));
}

/// Returns the sides of the picture that a region touches, with more than paper in between; `inside` is a mask of
/// `box`.
int32_t cut_of(const cv::Mat &grey, const cv::Mat &inside, cv::Rect box, float light, float contrast) {
  // Closer to the edge than texture can be resolved.
  int margin = std::max(grey.cols, grey.rows) / 40;
  int32_t cut = 0;
  for (int side = 0; side < 4; side++) {
    int gap[] = {box.x, box.y, grey.cols - box.x - box.width, grey.rows - box.y - box.height};
    bool is_row = side % 2 == 1;
    int depth = is_row ? box.height : box.width, length = is_row ? box.width : box.height;
    if (gap[side] > margin) continue;
    // For each row or column of the region that comes as close as that, the levels at the picture's edge.
    std::vector<int> levels(256, 0);
    int count = 0, reach = std::min(depth, margin - gap[side] + 1);
    for (int i = 0; i < length; i++) {
      bool is_near = false;
      for (int k = 0; k < reach && !is_near; k++) {
        int at = side < 2 ? k : depth - 1 - k;
        is_near = is_row ? inside.at<uint8_t>(at, i) : inside.at<uint8_t>(i, at);
      }
      if (!is_near) continue;
      for (int k = 0; k < 3; k++) {
        int at = side == 0 || side == 1 ? k : (is_row ? grey.rows : grey.cols) - 1 - k;
        levels[is_row ? grey.at<uint8_t>(at, box.x + i) : grey.at<uint8_t>(box.y + i, at)]++;
      }
      count++;
    }
    if (count >= least_side && quantile(levels, 0.05) < light - contrast / 2) cut |= 1 << side;
  }
  return cut;
}

/// Measures the inside of a candidate's corners at full resolution. Returns false if it is too small.
bool measure(const cv::Mat &grey, const Candidate &candidate, cvision_code_place &place) {
  std::vector<cv::Point> outline = outline_of(candidate.corners);
  cv::Rect box = cv::boundingRect(outline) & cv::Rect(0, 0, grey.cols, grey.rows);
  if (box.width < 8 || box.height < 8) return false;
  for (auto &point : outline) point -= box.tl();
  cv::Mat inside = cv::Mat::zeros(box.size(), CV_8U), part = grey(box);
  cv::fillConvexPoly(inside, outline, 255);
  // For large regions, every second row or fewer suffices.
  int step = std::max(1, box.area() / 60000);
  std::vector<int> levels(256, 0), slopes(512, 0);
  const int turns = 60;
  std::vector<double> weights(turns, 0), smooth(turns, 0);
  double count = 0, cos2 = 0, sin2 = 0, energy = 0;
  for (int y = 0; y + 1 < part.rows; y += step) {
    const uint8_t *a = part.ptr(y), *b = part.ptr(y + 1), *m = inside.ptr(y);
    for (int x = 0; x + 1 < part.cols; x++) {
      if (!m[x]) continue;
      count++;
      levels[a[x]]++;
      int diagonal = b[x + 1] - a[x], other = a[x + 1] - b[x];
      float dx = float(diagonal + other) * 0.5f, dy = float(diagonal - other) * 0.5f, squared = dx * dx + dy * dy;
      slopes[std::min(511, int(std::sqrt(squared) + 0.5f))]++;
      if (squared < 16) continue;
      energy += squared;
      cos2 += dx * dx - dy * dy;
      sin2 += 2 * dx * dy;
      double angle = std::atan2(dy, dx);
      weights[std::min(turns - 1, int((angle < 0 ? angle + CV_PI : angle) / CV_PI * turns))] += squared;
    }
  }
  if (count < 64) return false;
  place.contrast = float(quantile(levels, 0.95) - quantile(levels, 0.05));
  place.edge = place.contrast / float(std::max(1, quantile(slopes, 0.98)));
  // The edges of matrix codes have two directions; those of bars, and nearly those of PDF417, one.
  place.is_linear = std::hypot(cos2, sin2) > linear_from * std::max(energy, 1e-3);
  for (int i = 0; i < turns; i++)
    for (int k = -2; k <= 2; k++) smooth[i] += weights[(i + k + turns) % turns] * (3 - std::abs(k));
  int first = int(std::max_element(smooth.begin(), smooth.end()) - smooth.begin()), second = -1;
  for (int i = 0; i < turns; i++) {
    int apart = std::min((i - first + turns) % turns, (first - i + turns) % turns);
    // 24 degrees: a closer one would be the same direction.
    if (apart >= 8 && smooth[i] >= smooth[(i + 1) % turns] && smooth[i] >= smooth[(i + turns - 1) % turns] &&
        (second < 0 || smooth[i] > smooth[second]))
      second = i;
  }
  double across = (first + 0.5) / turns * CV_PI;
  double along = place.is_linear || second < 0 ? across + CV_PI / 2 : (second + 0.5) / turns * CV_PI;
  place.slant = place.is_linear ? slant_of(candidate.corners, across)
                                : float(std::abs(90 - std::abs(across - along) * 180 / CV_PI));
  cv::Mat deep, mean;
  part.convertTo(deep, CV_32F);
  int around = std::clamp(std::min(box.width, box.height) / 4, 9, 61) | 1;
  cv::boxFilter(deep, mean, CV_32F, cv::Size(around, around), cv::Point(-1, -1), true, cv::BORDER_REPLICATE);
  deep -= mean;
  // An eighth of the contrast is above noise.
  double ends[2] = {1, 1}, one = run_along(deep, inside, across, place.contrast / 8, ends);
  double other = place.is_linear ? one : run_along(deep, inside, along, place.contrast / 8);
  place.module = float(std::min(one, other) / elements_a_run);
  place.stretch = place.is_linear ? 0 : float(std::max(one, other) / std::min(one, other));
  place.elongation = elongation_of(candidate.corners, one > other ? across : along);
  double sides[4];
  for (int i = 0; i < 4; i++) sides[i] = std::max(length(candidate.corners[i], candidate.corners[(i + 1) % 4]), 1.0);
  auto ratio = [](double a, double b) { return std::max(a, b) / std::min(a, b); };
  // Perspective affects the lengths of the sides and, squared, the widths of bars.
  place.taper = float(std::max(ratio(sides[0], sides[2]), ratio(sides[1], sides[3])));
  if (place.is_linear) place.taper = std::max(place.taper, float(std::sqrt(ratio(ends[0], ends[1]))));
  measure_glare(grey, candidate, levels, place);
  for (int i = 0; i < 4; i++) {
    place.corners[2 * i] = candidate.corners[i].x;
    place.corners[2 * i + 1] = candidate.corners[i].y;
  }
  place.cut = cut_of(grey, inside, box, float(quantile(levels, 0.95)), place.contrast);
  place.likeness = candidate.likeness;
  return true;
}

/// Returns the overlap of two candidates' upright bounding boxes, as a fraction of the smaller one.
double overlap(const Candidate &a, const Candidate &b) {
  auto box = [](const Candidate &candidate) {
    return cv::boundingRect(std::vector<cv::Point2f>(candidate.corners, candidate.corners + 4));
  };
  cv::Rect one = box(a), other = box(b);
  return double((one & other).area()) / std::max(1, std::min(one.area(), other.area()));
}

}  // namespace

void views_of(const cv::Mat &grey, const Candidate &candidate, uint8_t views[2][view_side * view_side]) {
  cv::Point2f low = candidate.corners[0], high = low;
  for (auto &corner : candidate.corners) {
    low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
    high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
  }
  cv::Point2f middle = (low + high) * 0.5f;
  // The region with some surroundings; then its middle, at the resolution of blocks with the minimum side.
  view_of(grey, middle, 1.25f * std::max(high.x - low.x, high.y - low.y), views[0]);
  view_of(grey, middle, float(candidate.block * view_side / least_side), views[1]);
}

std::vector<Candidate> candidates_of(const cv::Mat &grey) {
  std::vector<Candidate> out;
  add_candidates(grey, 1, out);
  if (std::min(grey.cols, grey.rows) >= 3 * 8 * least_side) {
    cv::Mat third;
    cv::resize(grey, third, cv::Size(grey.cols / 3, grey.rows / 3), 0, 0, cv::INTER_AREA);
    add_candidates(third, 3, out);
  }
  return out;
}

}  // namespace cvision

using namespace cvision;

cvision_status cvision_find_codes(cvision_grey picture, int32_t most, cvision_code_place *out, int32_t *count,
                                  char *message) {
  if (!out || !count) return CVISION_E_ARGUMENT;
  *count = 0;
  if (!picture.pixels || picture.width <= 0 || picture.height <= 0 || picture.stride < picture.width || most < 1) {
    return fail(message, CVISION_E_ARGUMENT, "no picture, or no code is asked for");
  }
  return guarded(message, [&] {
    // A call uses one thread. OpenCV would use all cores, for a twentieth less time and a sixth to a third more CPU
    // time.
    static const bool is_alone = (cv::setNumThreads(1), true);
    (void)is_alone;
    cv::Mat grey(picture.height, picture.width, CV_8U, const_cast<uint8_t *>(picture.pixels), size_t(picture.stride));
    std::vector<Candidate> candidates = candidates_of(grey), kept;
    auto sort = [&] {
      std::sort(candidates.begin(), candidates.end(), [](auto &a, auto &b) { return a.likeness > b.likeness; });
    };
    sort();
    if (candidates.size() > most_judged) candidates.resize(most_judged);
    for (auto &candidate : candidates)
      if (candidate.likeness >= possible_from) candidate.likeness = judged(grey, candidate);
    sort();
    for (auto &candidate : candidates) {
      if (int(kept.size()) == most || candidate.likeness < likely_from) break;
      // The same region at the other scale.
      bool is_known = std::any_of(kept.begin(), kept.end(), [&](auto &other) { return overlap(candidate, other) > 0.5; });
      if (is_known) continue;
      cvision_code_place place = {};
      if (!measure(grey, candidate, place)) continue;
      out[(*count)++] = place;
      kept.push_back(candidate);
    }
    return CVISION_OK;
  });
}

cvision_status cvision_resize_part(cvision_grey picture, int32_t x, int32_t y, int32_t width, int32_t height,
                               int32_t columns, int32_t rows, int sharpened, float bend_x, float bend_y, uint8_t *out) {
  if (!picture.pixels || !out || x < 0 || y < 0 || width <= 0 || height <= 0 || picture.width - x < width ||
      picture.height - y < height || columns <= 0 || rows <= 0 || columns > side_limit || rows > side_limit ||
      !(std::abs(bend_x) < 1) || !(std::abs(bend_y) < 1)) {
    return CVISION_E_ARGUMENT;
  }
  return guarded(nullptr, [&] {
    cv::Mat grey(picture.height, picture.width, CV_8U, const_cast<uint8_t *>(picture.pixels), size_t(picture.stride));
    cv::Mat target(rows, columns, CV_8U, out), smooth;
    if (bend_x == 0 && bend_y == 0) {
      cv::resize(grey(cv::Rect(x, y, width, height)), target, target.size(), 0, 0,
                 columns < width ? cv::INTER_AREA : cv::INTER_CUBIC);
    } else {
      cv::Mat from(rows, columns, CV_32FC2);
      for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
          float u = (float(column) + 0.5f) / float(columns), v = (float(row) + 0.5f) / float(rows);
          from.at<cv::Vec2f>(row, column) = {
              (u + bend_x / 2 * (2 * v - 1) * (2 * v - 1)) * float(width) - 0.5f,
              (v + bend_y / 2 * (2 * u - 1) * (2 * u - 1)) * float(height) - 0.5f};
        }
      cv::remap(grey(cv::Rect(x, y, width, height)), target, from, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    }
    if (sharpened) {
      // An unsharp mask with a sigma of 1.5 pixels of the part and an amount of 2.
      cv::GaussianBlur(target, smooth, cv::Size(0, 0), 1.5 * columns / width);
      cv::addWeighted(target, 3, smooth, -2, 0, target);
    }
    return target.data == out ? CVISION_OK : CVISION_E_INTERNAL;
  });
}

cvision_status cvision_rectify(cvision_grey picture, const float corners[8], int32_t columns, int32_t rows,
                               uint8_t *out) {
  if (!picture.pixels || !corners || !out || columns <= 0 || rows <= 0 || columns > side_limit || rows > side_limit ||
      picture.width <= 0 || picture.height <= 0 || picture.width > 2 * side_limit || picture.height > 2 * side_limit) {
    return CVISION_E_ARGUMENT;
  }
  for (int i = 0; i < 8; i++)
    if (!(std::abs(corners[i]) < float(1 << 20))) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    cv::Mat grey(picture.height, picture.width, CV_8U, const_cast<uint8_t *>(picture.pixels), size_t(picture.stride));
    // Corners are relative to the corner of the first pixel, OpenCV's coordinates to its centre.
    cv::Point2f from[4], to[4] = {{-0.5f, -0.5f},
                                  {float(columns) - 0.5f, -0.5f},
                                  {float(columns) - 0.5f, float(rows) - 0.5f},
                                  {-0.5f, float(rows) - 0.5f}};
    for (int i = 0; i < 4; i++) from[i] = {corners[2 * i] - 0.5f, corners[2 * i + 1] - 0.5f};
    cv::Mat target(rows, columns, CV_8U, out);
    cv::warpPerspective(grey, target, cv::getPerspectiveTransform(to, from), target.size(),
                        cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return target.data == out ? CVISION_OK : CVISION_E_INTERNAL;
  });
}
