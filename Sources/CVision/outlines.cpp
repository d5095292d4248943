// Finds documents by their four straight edges: a Hough transform proposes lines, four of them with edges along the
// sides of a rectangle seen in perspective propose an outline, and a linear model decides. A network (training/outlines)
// has found where documents and their edges are likely.
#include "outlines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "guard.hpp"

namespace cvision {

namespace {

using Point = cv::Point2d;

// What is an edge, in levels and levels per pixel.
constexpr float least_slope = 2;         // twice the noise of phone cameras in dim light
constexpr float full_slope = 12;         // no more votes above: long weak edges count more than short strong ones
constexpr double same_direction = 0.94;  // cosine of 20 degrees between an edge and the normal of a line along it
constexpr float tangent_67 = 2.414f;     // the sector of a gradient, for the maximum across an edge
constexpr int reach_across = 2;          // pixels between a line and its edges; of a sample of a side: 1

// Likelihoods of the network (chosen).
constexpr float possible_edge = 0.1f;  // a document with a band along an edge: it may be the band's, and ...
constexpr int searched_cells = 7;      // ... the document's is searched around it
constexpr float likely_edge = 0.5f;

// Lines.
constexpr int angles = 180, spread = 3;  // degrees; the direction of an edge of a few pixels is uncertain
constexpr float least_votes = 20;
constexpr int most_lines = 140;         // of 510 generated photos 489 have the document with 120, 493 with 140, 494 with 160
constexpr double same_line = 0.99;      // cosine of 8 degrees: beyond, edges of another line
constexpr double least_sine = 0.5;      // lines that cross: 30 degrees at least
constexpr double least_opposite = 0.85; // cosine of 32 degrees: two opposite sides at most

// Quadrilaterals, relative to the picture's side or to their own.
constexpr double least_side = 0.11;       // shorter documents have too few pixels to be read
constexpr double outside = 0.3;           // corners may be cut off by a part of the picture's side
constexpr double least_share = 0.45;      // of a side, with edges along it: below, chance finds too many
constexpr double least_visible = 0.5;     // of a side, inside the picture
constexpr double most_beyond = 0.6;       // of the sides' continuations with edges: above, it is a grid
constexpr double most_shape_error = 0.06; // real documents are below both within the focal lengths
constexpr double most_squareness = 0.1;
constexpr double trimmed = 0.04;          // of a side at each end: the round corners of ID-1, 3.48 mm at most
constexpr double aspects[] = {85.60 / 53.98, 105.0 / 74};  // ID-1; ID-2 and ID-3, which differ by 0.1 % (ISO/IEC 7810)
constexpr double focal_lengths[] = {0.65, 0.8, 1, 1.3, 2};  // long sides: wide-angle cameras to cropped pictures and scans

// Bounds of the time for pictures full of lines; photos have some thousand shapes.
constexpr size_t most_shapes = 20000, most_refined = 64;

/// Edges of a colour picture near likely edges of documents: the gradient of the channel with the steepest one, levels per
/// pixel.
struct Edges {
  cv::Mat x, y, slope;  // floats
  cv::Mat ridge;        // bytes: whether the slope is a maximum across the edge
  Likelihoods likely;
  double cell;          // pixels

  Edges(const cv::Mat &rgb, const Likelihoods &likely);
  int width() const { return slope.cols; }
  int height() const { return slope.rows; }
  bool contains(cv::Point p) const { return p.x >= 0 && p.y >= 0 && p.x < width() && p.y < height(); }
  /// The slope along a normal if there is an edge across it, else 0.
  float along(cv::Point p, Point normal) const {
    if (!ridge.at<uint8_t>(p)) return 0;
    double slope = x.at<float>(p) * normal.x + y.at<float>(p) * normal.y;
    return std::abs(slope) > same_direction * this->slope.at<float>(p) ? float(slope) : 0;
  }
  /// The likelihood of a document or an edge at a pixel.
  float in(const cv::Mat &map, Point p) const {
    cv::Point at(int((p.x + 0.5) / cell), int((p.y + 0.5) / cell));
    return contains(p) && at.x < map.cols && at.y < map.rows ? map.at<float>(at) : 0;
  }
  bool is_edge(cv::Point p, Point normal) const {
    return along(p, normal) != 0 || in(likely.edge, p) > likely_edge;
  }
};

Edges::Edges(const cv::Mat &rgb, const Likelihoods &likely)
    : ridge(cv::Mat::zeros(rgb.size(), CV_8U)), likely(likely),
      cell(double(std::max(rgb.cols, rgb.rows)) / std::max(likely.edge.cols, likely.edge.rows)) {
  cv::Mat near;
  cv::dilate(likely.edge > possible_edge, near, cv::Mat::ones(2 * searched_cells + 1, 2 * searched_cells + 1, CV_8U));
  cv::resize(near, near, rgb.size(), 0, 0, cv::INTER_NEAREST);
  cv::Mat smooth, across, down;
  cv::GaussianBlur(rgb, smooth, {5, 5}, 1);
  cv::Sobel(smooth, across, CV_16S, 1, 0);
  cv::Sobel(smooth, down, CV_16S, 0, 1);
  x.create(rgb.size(), CV_32F);
  y.create(rgb.size(), CV_32F);
  slope.create(rgb.size(), CV_32F);
  for (int row = 0; row < rgb.rows; row++) {
    auto *a = across.ptr<cv::Vec3s>(row), *d = down.ptr<cv::Vec3s>(row);
    for (int column = 0; column < rgb.cols; column++) {
      int best = -1, steepest = 0;
      for (int channel = 0; channel < 3; channel++) {
        int square = a[column][channel] * a[column][channel] + d[column][channel] * d[column][channel];
        if (square > best) best = square, steepest = channel;
      }
      // The kernel's weights add up to 8.
      x.at<float>(row, column) = float(a[column][steepest]) / 8;
      y.at<float>(row, column) = float(d[column][steepest]) / 8;
      slope.at<float>(row, column) = std::sqrt(float(best)) / 8;
    }
  }
  for (int row = 1; row < rgb.rows - 1; row++)
    for (int column = 1; column < rgb.cols - 1; column++) {
      float here = slope.at<float>(row, column), gx = x.at<float>(row, column), gy = y.at<float>(row, column);
      if (here < least_slope || !near.at<uint8_t>(row, column)) continue;
      int dx = std::abs(gy) <= tangent_67 * std::abs(gx), dy = std::abs(gx) <= tangent_67 * std::abs(gy);
      if (dx && gx * gy < 0) dy = -dy;
      if (here > slope.at<float>(row - dy, column - dx) && here >= slope.at<float>(row + dy, column + dx))
        ridge.at<uint8_t>(row, column) = 1;
    }
}

/// A line with the edges along it.
struct Line {
  Point normal;
  double offset;          // normal · p = offset
  double start = 0;       // the position along the line where it enters the picture
  std::vector<int> hits;  // the number of edges before each pixel along it

  Point direction() const { return {-normal.y, normal.x}; }
  double position(Point p) const { return direction().dot(p); }
  Point at(double position) const { return normal * offset + direction() * position; }
  double distance(Point p) const { return std::abs(normal.dot(p) - offset); }

  /// The part inside a picture; empty if `second` is not above `first`.
  std::pair<double, double> inside(const Edges &edges) const {
    double low = -1e6, high = 1e6;
    auto clip = [&](double from, double step, double most) {
      if (std::abs(step) < 1e-9) {
        if (from < 0 || from > most) high = low;
        return;
      }
      double a = -from / step, b = (most - from) / step;
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    };
    clip(at(0).x, direction().x, edges.width() - 1);
    clip(at(0).y, direction().y, edges.height() - 1);
    return {low, high};
  }

  /// Moves the line to the edges within `reach` pixels between two positions, by total least squares.
  void fit(const Edges &edges, int reach, double from, double to) {
    auto [low, high] = inside(edges);
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    cv::Point across = std::abs(normal.y) > std::abs(normal.x) ? cv::Point(0, 1) : cv::Point(1, 0);
    for (double t = std::max(low, from); t <= std::min(high, to); t++)
      for (int step = -reach; step <= reach; step++) {
        cv::Point p = cv::Point(at(t)) + across * step;
        float slope = edges.contains(p) ? std::abs(edges.along(p, normal)) : 0;
        double weight = std::min(1.0f, slope / (full_slope / 2));
        sum += weight, x += weight * p.x, y += weight * p.y;
        xx += weight * p.x * p.x, xy += weight * p.x * p.y, yy += weight * p.y * p.y;
      }
    if (sum < 5) return;
    x /= sum, y /= sum;
    double angle = std::atan2(2 * (xy / sum - x * y), xx / sum - x * x - (yy / sum - y * y)) / 2;
    Point fitted(-std::sin(angle), std::cos(angle));
    if (fitted.dot(normal) < 0) fitted = -fitted;
    if (fitted.dot(normal) < same_line) return;
    normal = fitted;
    offset = normal.dot({x, y});
  }

  void find_hits(const Edges &edges) {
    auto [low, high] = inside(edges);
    start = low;
    hits.assign(1, 0);
    for (double t = low; t <= high; t++) {
      bool is_hit = false;
      for (int step = -reach_across; step <= reach_across && !is_hit; step++) {
        cv::Point p(at(t) + normal * step);
        is_hit = edges.contains(p) && edges.is_edge(p, normal);
      }
      hits.push_back(hits.back() + is_hit);
    }
  }
};

/// The share of a length with edges.
struct Support {
  int hits = 0, pixels = 0;

  double share() const { return pixels ? double(hits) / pixels : 0; }
  void add(const Line &line, double from, double to) {
    int last = int(line.hits.size()) - 1;
    int a = std::clamp(cvRound(std::min(from, to) - line.start), 0, last);
    int b = std::clamp(cvRound(std::max(from, to) - line.start), 0, last);
    hits += line.hits[b] - line.hits[a];
    pixels += b - a;
  }
};

/// The strongest lines: local maxima of a Hough transform in which an edge votes for lines along it only.
std::vector<Line> lines_in(const Edges &edges) {
  const int reach = int(std::hypot(edges.width(), edges.height())) + 2;
  cv::Mat votes = cv::Mat::zeros(angles, 2 * reach + 1, CV_32F);
  std::array<Point, angles> normals;
  for (int i = 0; i < angles; i++) normals[i] = {std::cos(i * CV_PI / angles), std::sin(i * CV_PI / angles)};
  for (int y = 0; y < edges.height(); y++)
    for (int x = 0; x < edges.width(); x++) {
      if (!edges.ridge.at<uint8_t>(y, x)) continue;
      int middle = cvRound(std::atan2(edges.y.at<float>(y, x), edges.x.at<float>(y, x)) * angles / CV_PI);
      float weight = std::min(1.0f, edges.slope.at<float>(y, x) / full_slope);
      for (int i = middle - spread; i <= middle + spread; i++) {
        int angle = (i + 2 * angles) % angles;
        votes.at<float>(angle, cvRound(normals[angle].dot({double(x), double(y)})) + reach) += weight;
      }
    }
  cv::boxFilter(votes, votes, -1, {3, 1}, {-1, -1}, false);
  struct Peak {
    float votes;
    int angle, offset;
  };
  std::vector<Peak> peaks;
  for (int angle = 0; angle < angles; angle++)
    for (int offset = 2; offset < 2 * reach - 1; offset++) {
      float here = votes.at<float>(angle, offset);
      bool is_peak = here >= least_votes;
      for (int i = -2; i <= 2 && is_peak; i++)
        for (int j = -2; j <= 2 && is_peak; j++) {
          int row = angle + i, column = offset + j;
          // Half a turn further, the same lines have the opposite sign.
          if (row < 0 || row >= angles) row = (row + angles) % angles, column = 2 * reach - column;
          float other = votes.at<float>(row, column);
          is_peak = other < here || (other == here && std::pair(i, j) >= std::pair(0, 0));
        }
      if (is_peak) peaks.push_back({here, angle, offset - reach});
    }
  std::sort(peaks.begin(), peaks.end(), [](auto &a, auto &b) {
    return std::tuple(-a.votes, a.angle, a.offset) < std::tuple(-b.votes, b.angle, b.offset);
  });
  std::vector<Line> lines;
  Point middle(edges.width() / 2.0, edges.height() / 2.0);
  const double apart = std::max(edges.width(), edges.height()) / 5.0;
  for (auto &peak : peaks) {
    if (lines.size() == most_lines) break;
    Line line{normals[peak.angle], double(peak.offset)};
    for (int reach : {3, 2}) line.fit(edges, reach, -1e6, 1e6);
    double position = line.position(middle);
    Point one = line.at(position - apart), other = line.at(position + apart);
    bool is_new = std::none_of(lines.begin(), lines.end(), [&](const Line &known) {
      return std::abs(known.normal.dot(line.normal)) > same_line && known.distance(one) < 1.5 && known.distance(other) < 1.5;
    });
    if (is_new) lines.push_back(line);
  }
  for (auto &line : lines) line.find_hits(edges);
  return lines;
}

/// The intersection of two lines, unless they are nearly parallel.
std::optional<Point> crossing(const Line &a, const Line &b) {
  double sine = a.normal.cross(b.normal);
  if (std::abs(sine) <= least_sine) return {};
  return Point((a.offset * b.normal.y - b.offset * a.normal.y) / sine, (a.normal.x * b.offset - b.normal.x * a.offset) / sine);
}

/// The shape of a quadrilateral in space, if it is a rectangle seen by a camera (Zhang and He, 2007, whiteboard
/// scanning): for the focal length and the format that suit it best.
struct Shape {
  double error = 1e6, squareness = 1e6;
  double ratio = 1;  // of the upper side to the left one, of the format

  Shape(const Quadrilateral &corners, cv::Size picture) {
    double side = std::max(picture.width, picture.height);
    auto ray = [&](Point p) { return cv::Vec3d(p.x - picture.width / 2.0, p.y - picture.height / 2.0, side); };
    cv::Vec3d a = ray(corners[0]), b = ray(corners[1]), c = ray(corners[3]), d = ray(corners[2]), ad = a.cross(d);
    cv::Vec3d wide = ad.dot(c) / b.cross(d).dot(c) * b - a, high = ad.dot(b) / c.cross(d).dot(b) * c - a;
    for (double focal : focal_lengths) {
      auto dot = [&](cv::Vec3d a, cv::Vec3d b) { return (a[0] * b[0] + a[1] * b[1]) / (focal * focal) + a[2] * b[2]; };
      double ratio = std::log(dot(wide, wide) / dot(high, high)) / 2;
      double cosine = std::abs(dot(wide, high)) / std::sqrt(dot(wide, wide) * dot(high, high));
      for (double aspect : aspects) {
        double off = std::abs(std::abs(ratio) - std::log(aspect));
        if (off + cosine >= error + squareness) continue;
        error = off, squareness = cosine;
        this->ratio = ratio > 0 ? aspect : 1 / aspect;
      }
    }
  }
  bool is_possible() const { return error < most_shape_error && squareness < most_squareness; }
};

/// Twice the area, positive if clockwise on the screen; 0 if not convex.
double doubled_area(const Quadrilateral &corners) {
  double area = 0;
  int turns = 0;
  for (int i = 0; i < 4; i++) {
    Point here = corners[i], next = corners[(i + 1) % 4], after = corners[(i + 2) % 4];
    area += here.cross(next);
    turns += (next - here).cross(after - next) > 0 ? 1 : -1;
  }
  return std::abs(turns) == 4 ? area : 0;
}

/// Four lines of a picture, clockwise or not; side `i` is between corners `i` and `i + 1`.
struct Proposal {
  std::array<int, 4> lines;
  Quadrilateral corners;
  double score;
};

/// Proposes quadrilaterals of a document's shape with edges along their sides.
std::vector<Proposal> proposals_of(const std::vector<Line> &lines, cv::Size picture) {
  const int count = int(lines.size());
  const double side = std::max(picture.width, picture.height), least = least_side * side;
  const cv::Rect2d field(-outside * picture.width, -outside * picture.height, (1 + 2 * outside) * picture.width,
                         (1 + 2 * outside) * picture.height);
  std::vector<std::optional<Point>> crossings(size_t(count) * count);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      auto found = crossing(lines[i], lines[j]);
      if (found && field.contains(*found)) crossings[i * count + j] = crossings[j * count + i] = found;
    }
  auto are_opposite = [&](int i, int j) { return std::abs(lines[i].normal.dot(lines[j].normal)) > least_opposite; };
  /// The support of a line between two others; none if it is too short or too weak.
  auto support = [&](int line, int one, int other) {
    double a = lines[line].position(*crossings[line * count + one]);
    double b = lines[line].position(*crossings[line * count + other]);
    Support found;
    if (std::abs(a - b) < least) return found;
    found.add(lines[line], a, b);
    bool is_side = found.pixels > least_visible * std::abs(a - b) && found.share() > least_share;
    return is_side ? found : Support();
  };
  std::vector<Proposal> proposals;
  size_t shapes = 0;
  for (int left = 0; left < count; left++)
    for (int right = 0; right < left; right++) {
      if (!are_opposite(left, right)) continue;
      std::vector<std::pair<int, double>> between;
      for (int line = 0; line < count; line++) {
        if (!crossings[line * count + left] || !crossings[line * count + right]) continue;
        Support found = support(line, left, right);
        if (found.hits) between.push_back({line, found.share()});
      }
      for (auto &[top, top_share] : between)
        for (auto &[bottom, bottom_share] : between) {
          if (bottom >= top || !are_opposite(top, bottom)) continue;
          Support of_left = support(left, top, bottom), of_right = support(right, top, bottom);
          if (!of_left.hits || !of_right.hits) continue;
          Proposal found{{top, right, bottom, left},
                         {*crossings[top * count + left], *crossings[top * count + right],
                          *crossings[bottom * count + right], *crossings[bottom * count + left]},
                         0};
          double area = std::abs(doubled_area(found.corners)) / 2 / picture.area();
          if (area == 0) continue;
          double shares[] = {top_share, of_right.share(), bottom_share, of_left.share()}, beyond = 0;
          for (int i = 0; i < 4; i++) {
            const Line &line = lines[found.lines[i]];
            double from = line.position(found.corners[i]), to = line.position(found.corners[(i + 1) % 4]);
            double length = std::copysign(std::min(30.0, std::abs(to - from) / 4), to - from);
            double gap = std::copysign(3, length);  // the reach of the edge across
            Support continuation;
            continuation.add(line, from - gap - length, from - gap);
            continuation.add(line, to + gap, to + gap + length);
            beyond += continuation.share() / 4;
          }
          if (beyond > most_beyond) continue;
          if (++shapes > most_shapes) return proposals;
          Shape shape(found.corners, picture);
          if (!shape.is_possible()) continue;
          // Weights by eye; the model below decides on what is refined.
          found.score = (shares[0] + shares[1] + shares[2] + shares[3]) / 4 +
                        *std::min_element(shares, shares + 4) / 2 - 0.4 * beyond + 0.1 * std::log(area) -
                        std::pow(shape.error / 0.15, 2) - std::pow(shape.squareness / 0.2, 2);
          proposals.push_back(found);
        }
    }
  return proposals;
}

/// Fits the sides of a quadrilateral to the edges along them. Returns false if they do not meet.
bool refine(Quadrilateral &corners, std::array<Line, 4> sides, const Edges &edges) {
  for (int i = 0; i < 4; i++) {
    double a = sides[i].position(corners[i]), b = sides[i].position(corners[(i + 1) % 4]);
    sides[i].fit(edges, reach_across, std::min(a, b), std::max(a, b));
  }
  for (int i = 0; i < 4; i++) {
    auto corner = crossing(sides[(i + 3) % 4], sides[i]);
    if (!corner) return false;
    corners[i] = *corner;
  }
  double area = doubled_area(corners);
  if (area < 0) std::reverse(corners.begin(), corners.end());
  return area != 0;
}

/// The slope along a normal of the edge within a pixel of a place, 0 without one; nothing outside the picture.
std::optional<float> sample(const Edges &edges, Point at, Point normal) {
  std::optional<float> slope;
  for (int step : {0, 1, -1}) {
    cv::Point p(at + normal * step);
    if (slope.value_or(0) == 0 && edges.contains(p)) slope = edges.along(p, normal);
  }
  return slope;
}

std::array<float, feature_count> features_of(const Quadrilateral &corners, const Edges &edges, const cv::Mat &rgb) {
  std::array<float, feature_count> features{};
  std::array<cv::Vec3d, 4> margins;
  std::array<std::array<double, 2>, 4> beyond;
  double visible_length = 0, whole_length = 0;
  features[least_support] = features[one_sign] = features[least_likely] = 1;
  double around = 0;
  for (int i = 0; i < 4; i++) {
    Point from = corners[i], along = corners[(i + 1) % 4] - from;
    double length = cv::norm(along), trim = trimmed * length;
    along *= 1 / length;
    Point inward(-along.y, along.x);
    Support support;
    double signs = 0, slopes = 0, likely = 0;
    int pixels = 0;
    for (double t = trim; t <= length - trim; t++, whole_length++) {
      auto slope = sample(edges, from + along * t, inward);
      if (!slope) continue;
      support.pixels++;
      float most = 0;
      for (int cells : {0, -1, 1})
        most = std::max(most, edges.in(edges.likely.edge, from + along * t + inward * (cells * edges.cell)));
      likely += most;
      around += edges.in(edges.likely.inside, from + along * t - inward * (3 * edges.cell));
      if (*slope != 0) {
        support.hits++;
        signs += *slope > 0 ? 1 : -1;
        slopes += std::min(std::abs(*slope), 20.0f) / 20;
      }
      cv::Point inside(from + along * t + inward * 4);
      if (edges.contains(inside)) margins[i] += cv::Vec3d(rgb.at<cv::Vec3b>(inside)), pixels++;
    }
    margins[i] /= std::max(pixels, 1);
    visible_length += support.pixels;
    int hits = std::max(support.hits, 1);
    features[mean_support] += float(support.share() / 4);
    features[least_support] = std::min(features[least_support], float(support.share()));
    float share = float(likely / std::max(support.pixels, 1));
    features[least_likely] = std::min(features[least_likely], share);
    features[mean_likely] += share / 4;
    features[one_sign] = std::min(features[one_sign], float(std::abs(signs) / hits));
    features[strength] += float(slopes / hits / 4);
    for (int end = 0; end < 2; end++) {
      Support continuation;
      for (int step = 2; step <= 8; step++) {
        auto slope = sample(edges, from + along * (end ? length + step : -step), inward);
        continuation.pixels += slope.has_value();
        continuation.hits += slope.value_or(0) != 0;
      }
      beyond[i][end] = continuation.share();
      features[continued] += float(continuation.share() / 8);
    }
  }
  for (int i = 0; i < 4; i++) {
    double both = std::min(beyond[(i + 3) % 4][1], beyond[(i + 1) % 4][0]);
    features[both_continued] = std::max(features[both_continued], float(both));
    features[unlike] += float(std::min(80.0, cv::norm(margins[i] - margins[(i + 1) % 4])) / 80 / 4);
  }
  int printed = 0, pixels = 0;
  double inside = 0;
  for (int i = 1; i < 32; i++)
    for (int j = 1; j < 32; j++) {
      double u = i / 32.0, v = j / 32.0;
      cv::Point p((corners[0] * (1 - u) + corners[1] * u) * (1 - v) + (corners[3] * (1 - u) + corners[2] * u) * v);
      if (!edges.contains(p)) continue;
      pixels++;
      printed += edges.ridge.at<uint8_t>(p);
      inside += edges.in(edges.likely.inside, p);
    }
  features[print] = float(printed) / std::max(pixels, 1);
  features[filled] = float(inside / std::max(pixels, 1));
  features[surrounded] = float(around / std::max(visible_length, 1.0));
  features[support_square] = features[mean_support] * features[mean_support];
  Shape shape(corners, rgb.size());
  features[shape_error] = float(std::min(shape.error, 0.1));
  features[squareness] = float(std::min(shape.squareness, 0.2));
  features[log_area] = float(std::log(doubled_area(corners) / 2 / rgb.size().area()));
  features[visible] = float(visible_length / std::max(whole_length, 1.0));
  return features;
}

float score_of(const std::array<float, feature_count> &features) {
  // Fitted by training/outlines/fit.py, see its README.md.
  const float weights[feature_count] = {7.426f, 4.464f,  -12.323f, -2.466f, -78.106f, -42.234f, 2.366f, 0.510f, 2.660f,
                                        -0.749f, 18.853f, 16.311f, 2.525f, 1.453f, 7.360f, -5.080f, 4.451f};
  const float bias = -34.636f;
  return std::inner_product(features.begin(), features.end(), weights, bias);
}

/// The largest distance of a corner of one from the nearest corner of the other.
double distance(const Quadrilateral &one, const Quadrilateral &other) {
  double largest = 0;
  for (auto &corner : one) {
    double nearest = 1e6;
    for (auto &near : other) nearest = std::min(nearest, cv::norm(corner - near));
    largest = std::max(largest, nearest);
  }
  return largest;
}

/// Whether the middle of one is inside the other.
bool overlap(const Outline &one, const Outline &other) {
  auto contains = [](const Quadrilateral &outer, const Quadrilateral &inner) {
    Point middle = (inner[0] + inner[1] + inner[2] + inner[3]) / 4;
    for (int i = 0; i < 4; i++)
      if ((outer[(i + 1) % 4] - outer[i]).cross(middle - outer[i]) < 0) return false;
    return true;
  };
  return contains(one.corners, other.corners) || contains(other.corners, one.corners);
}

}  // namespace

std::vector<Outline> candidates_in(const cv::Mat &rgb, const Likelihoods &likely, int side) {
  double most = 0;
  cv::minMaxLoc(likely.edge, nullptr, &most);
  if (most < likely_edge) return {};
  double scale = std::max(1.0, double(std::max(rgb.cols, rgb.rows)) / side);
  cv::Mat small = rgb;
  if (scale > 1)
    cv::resize(rgb, small, {std::max(1, cvRound(rgb.cols / scale)), std::max(1, cvRound(rgb.rows / scale))}, 0, 0,
               cv::INTER_AREA);
  Edges edges(small, likely);
  std::vector<Line> lines = lines_in(edges);
  std::vector<Proposal> proposals = proposals_of(lines, small.size()), kept;
  std::stable_sort(proposals.begin(), proposals.end(), [](auto &a, auto &b) { return a.score > b.score; });
  std::vector<Outline> outlines;
  for (auto &proposal : proposals) {
    if (kept.size() == most_refined) break;
    bool is_new = std::none_of(kept.begin(), kept.end(),
                               [&](auto &other) { return distance(proposal.corners, other.corners) < 5; });
    if (!is_new) continue;
    kept.push_back(proposal);
    Outline outline{proposal.corners, {}, 0};
    auto &numbers = proposal.lines;
    if (!refine(outline.corners, {lines[numbers[0]], lines[numbers[1]], lines[numbers[2]], lines[numbers[3]]}, edges))
      continue;
    outline.features = features_of(outline.corners, edges, small);
    outline.score = score_of(outline.features);
    for (auto &corner : outline.corners)
      corner = {(corner.x + 0.5) * rgb.cols / small.cols, (corner.y + 0.5) * rgb.rows / small.rows};
    outlines.push_back(outline);
  }
  std::stable_sort(outlines.begin(), outlines.end(), [](auto &a, auto &b) { return a.score > b.score; });
  return outlines;
}

std::vector<Outline> outlines_in(const cv::Mat &rgb, const Likelihoods &likely) {
  std::vector<Outline> found;
  for (int side : searched_sides) {
    for (auto &outline : candidates_in(rgb, likely, side)) {
      if (outline.score < least_score) break;
      bool is_apart = std::none_of(found.begin(), found.end(), [&](auto &other) { return overlap(outline, other); });
      if (is_apart) found.push_back(outline);
    }
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace cvision

using namespace cvision;

cvision_status cvision_find_outlines(cvision_image picture, cvision_likelihoods likely, cvision_outline *out,
                                     size_t capacity, size_t *count, char *message) {
  if (!picture.rgb || picture.width <= 0 || picture.height <= 0 || !out || !count)
    return fail(message, CVISION_E_ARGUMENT, "no picture");
  if (!likely.inside || !likely.edge || likely.width <= 0 || likely.height <= 0)
    return fail(message, CVISION_E_ARGUMENT, "no likelihoods");
  *count = 0;
  return guarded(message, [&] {
    cv::Mat rgb(picture.height, picture.width, CV_8UC3, const_cast<uint8_t *>(picture.rgb));
    auto map = [&](const float *values) {
      return cv::Mat(likely.height, likely.width, CV_32F, const_cast<float *>(values));
    };
    for (auto &outline : outlines_in(rgb, {map(likely.inside), map(likely.edge)})) {
      if (*count == capacity) break;
      cvision_outline &found = out[(*count)++];
      for (int i = 0; i < 4; i++) {
        found.corners[2 * i] = float(outline.corners[i].x);
        found.corners[2 * i + 1] = float(outline.corners[i].y);
      }
      found.ratio = float(Shape(outline.corners, rgb.size()).ratio);
    }
    return CVISION_OK;
  });
}
