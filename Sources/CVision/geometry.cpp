// Rotating, resizing and sampling of pixels, and pixel arithmetic that is worth vectorising.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "guard.hpp"

using namespace cvision;

namespace {

// OpenCV's warps have 16-bit fixed-point coordinates and are safe up to this limit. Larger crops are made of tiles.
const int32_t warp_limit = 8192;
const double crop_scale_limit = 4096;

bool is_valid(cvision_image image) { return image.rgb && image.width > 0 && image.height > 0; }

/// A view: OpenCV has no read-only matrices, but nothing here writes to a source.
cv::Mat view(cvision_image image) {
  return cv::Mat(image.height, image.width, CV_8UC3, const_cast<uint8_t *>(image.rgb));
}
cv::Mat view(cvision_grey picture) {
  return cv::Mat(picture.height, picture.width, CV_8U, const_cast<uint8_t *>(picture.pixels), size_t(picture.stride));
}

bool is_valid_target(int32_t columns, int32_t rows, const uint8_t *out) {
  return out && columns > 0 && rows > 0 && columns <= warp_limit && rows <= warp_limit;
}

/// An inclusive range.
struct Span {
  int first, last;
  int length() const { return last - first + 1; }
};

/// The pixels of one image axis that a crop touches, clamped to the image, with `margin` more on each side for the
/// bilinear neighbours.
Span touched(double along_x, double along_y, double origin, int32_t width, int32_t height, int32_t side, int margin) {
  double right = along_x * (width - 1), down = along_y * (height - 1);
  double low = origin + std::min(right, 0.0) + std::min(down, 0.0);
  double high = origin + std::max(right, 0.0) + std::max(down, 0.0);
  low = std::floor(low) - margin;
  high = std::ceil(high) + margin;
  if (high < 0 || low > side - 1) return {0, -1};
  return {int(std::max(low, 0.0)), int(std::min(high, double(side - 1)))};
}

/// Widens a span to whole blocks of `factor` pixels, aligned to the image's origin so that the blocks do not move with
/// the crop.
Span in_blocks(Span span, int factor, int32_t side) {
  int first = span.first / factor * factor;
  int last = std::min((span.last / factor + 1) * factor, int(side)) - 1;
  return {first, last};
}

/// Averages blocks of `fx` x `fy` pixels; at the image's edge, the existing part of a block.
cv::Mat averaged(const cv::Mat &region, int fx, int fy) {
  cv::Mat out((region.rows + fy - 1) / fy, (region.cols + fx - 1) / fx, CV_8UC3);
  if (fx == 2 && fy == 2 && out.size() * 2 == region.size()) {  // only here is OpenCV faster
    cv::resize(region, out, out.size(), 0, 0, cv::INTER_AREA);
    return out;
  }
  std::vector<uint32_t> sums(3 * size_t(region.cols));  // per column of a block; 4096 * 4096 * 255 fits
  for (int row = 0; row < out.rows; row++) {
    std::fill(sums.begin(), sums.end(), 0);
    int first = row * fy, last = std::min(first + fy, region.rows);
    for (int y = first; y < last; y++) {
      const uint8_t *line = region.ptr(y);
      for (size_t i = 0; i < sums.size(); i++) sums[i] += line[i];
    }
    uint8_t *to = out.ptr(row);
    const uint32_t *from = sums.data();
    for (int left = region.cols; left > 0; left -= fx) {
      int width = std::min(fx, left);
      uint32_t red = 0, green = 0, blue = 0;
      for (int x = 0; x < width; x++, from += 3) {
        red += from[0];
        green += from[1];
        blue += from[2];
      }
      float share = 1.0f / float((last - first) * width);
      *to++ = uint8_t(float(red) * share + 0.5f);
      *to++ = uint8_t(float(green) * share + 0.5f);
      *to++ = uint8_t(float(blue) * share + 0.5f);
    }
  }
  return out;
}

/// Whether an OpenCV call wrote into the caller's memory, as it does if size and type match.
cvision_status written(const cv::Mat &mat, const uint8_t *out) {
  return mat.data == out ? CVISION_OK : CVISION_E_INTERNAL;
}

}  // namespace

cvision_status cvision_orient(cvision_image image, int32_t orientation, uint8_t *out) {
  if (!is_valid(image) || !out || orientation < 1 || orientation > 8) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    cv::Mat source = view(image);
    bool turned = orientation >= 5;
    cv::Mat target(turned ? image.width : image.height, turned ? image.height : image.width, CV_8UC3, out);
    if (turned) cv::transpose(source, target);
    // Orientations 1 to 4, and 5 to 8 of the transposed picture: as it is, flipped left to right, turned, upside down.
    const int flips[] = {0, 1, -1, 0};
    bool is_flipped = orientation % 4 != 1;
    if (is_flipped) cv::flip(turned ? target : source, target, flips[(orientation - 1) % 4]);
    if (!is_flipped && !turned) source.copyTo(target);
    return written(target, out);
  });
}

cvision_status cvision_resize(cvision_image image, int32_t width, int32_t height, uint8_t *out) {
  if (!is_valid(image) || !out || width <= 0 || height <= 0) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    cv::Mat source = view(image), target(height, width, CV_8UC3, out);
    // Area averaging where a side shrinks; what remains can only grow.
    cv::Size shrunk(std::min(width, image.width), std::min(height, image.height));
    bool grows = shrunk != target.size();
    if (!grows) {
      cv::resize(source, target, target.size(), 0, 0, cv::INTER_AREA);
      return written(target, out);
    }
    cv::Mat middle = source;
    if (shrunk != source.size()) cv::resize(source, middle, shrunk, 0, 0, cv::INTER_AREA);
    cv::resize(middle, target, target.size(), 0, 0, cv::INTER_LINEAR);
    return written(target, out);
  });
}

cvision_status cvision_reduce(cvision_image image, int32_t side, uint8_t *out) {
  if (!is_valid(image) || !out || side < 1 || side > 64) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    cv::Mat means = averaged(view(image), side, side);
    means.copyTo(cv::Mat(means.rows, means.cols, CV_8UC3, out));
    return CVISION_OK;
  });
}

namespace {

/// Fills `target`, a part of a crop no larger than `warp_limit`; `map` is relative to its first pixel.
cvision_status crop_into(cv::Mat target, cvision_image image, const double map[6], double scale_x, double scale_y,
                         int mirrored) {
  int fx = std::max(1, int(scale_x)), fy = std::max(1, int(scale_y));
  Span x = touched(map[0], map[1], map[2], target.cols, target.rows, image.width, fx);
  Span y = touched(map[3], map[4], map[5], target.cols, target.rows, image.height, fy);
  if (x.length() <= 0 || y.length() <= 0) {
    target.setTo(cv::Scalar::all(0));
    return CVISION_OK;
  }
  x = in_blocks(x, fx, image.width);
  y = in_blocks(y, fy, image.height);
  cv::Mat region = view(image)(cv::Rect(x.first, y.first, x.length(), y.length()));
  if (fx > 1 || fy > 1) region = averaged(region, fx, fy);
  // The centre of block i of f pixels is at f * i + (f - 1) / 2 of the region.
  cv::Matx23d inner(map[0] / fx, map[1] / fx, (map[2] - x.first - (fx - 1) / 2.0) / fx,  //
                    map[3] / fy, map[4] / fy, (map[5] - y.first - (fy - 1) / 2.0) / fy);
  uint8_t *out = target.data;
  cv::warpAffine(region, target, inner, target.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                 mirrored ? cv::BORDER_REFLECT : cv::BORDER_CONSTANT);
  return written(target, out);
}

}  // namespace

cvision_status cvision_crop(cvision_image image, const double map[6], int32_t width, int32_t height, int mirrored,
                            uint8_t *out) {
  if (!is_valid(image) || !map || !out || width <= 0 || height <= 0) return CVISION_E_ARGUMENT;
  // Image pixels per step in the crop, along each image axis.
  double scale_x = std::hypot(map[0], map[1]), scale_y = std::hypot(map[3], map[4]);
  if (!(scale_x <= crop_scale_limit) || !(scale_y <= crop_scale_limit)) return CVISION_E_ARGUMENT;
  if (!std::isfinite(map[2]) || !std::isfinite(map[5])) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    cv::Mat whole(height, width, CV_8UC3, out);
    cvision_status status = CVISION_OK;
    for (int32_t top = 0; top < height && status == CVISION_OK; top += warp_limit) {
      for (int32_t left = 0; left < width && status == CVISION_OK; left += warp_limit) {
        cv::Rect tile(left, top, std::min(warp_limit, width - left), std::min(warp_limit, height - top));
        double from[6] = {map[0], map[1], map[2] + map[0] * left + map[1] * top,
                          map[3], map[4], map[5] + map[3] * left + map[4] * top};
        status = crop_into(whole(tile), image, from, scale_x, scale_y, mirrored);
      }
    }
    return status;
  });
}

void cvision_normalise(const uint8_t *rgb, size_t pixels, const float bias[3], float scale, int planar, float *out) {
  if (!planar && bias[0] == bias[1] && bias[1] == bias[2]) {  // one loop over all bytes, which vectorises
    for (size_t i = 0; i < 3 * pixels; i++) out[i] = (rgb[i] + bias[0]) * scale;
    return;
  }
  size_t step = planar ? 1 : 3, plane = planar ? pixels : 1;
  for (size_t channel = 0; channel < 3; channel++) {
    const uint8_t *in = rgb + channel;
    float *to = out + (planar == CVISION_PLANES_BGR ? 2 - channel : channel) * plane;
    for (size_t i = 0; i < pixels; i++) to[i * step] = (in[3 * i] + bias[channel]) * scale;
  }
}

namespace {

/// The steps are constants so that the compiler can vectorise each layout.
template <int y_step, int uv_step>
void yuv_row(const uint8_t *y, const uint8_t *u, const uint8_t *v, int32_t width, uint8_t *out) {
  // BT.601: 255/219 for luma, and for chroma of 224 steps 1.402, 0.344, 0.714 and 1.772 times 255/224; times 256.
  auto byte = [](int32_t value) { return uint8_t(std::min(std::max((value + 128) >> 8, 0), 255)); };
  for (int32_t x = 0; x < width; x++, out += 3) {
    int32_t luma = 298 * (y[y_step * x] - 16), cb = u[uv_step * (x / 2)] - 128, cr = v[uv_step * (x / 2)] - 128;
    out[0] = byte(luma + 409 * cr);
    out[1] = byte(luma - 100 * cb - 208 * cr);
    out[2] = byte(luma + 516 * cb);
  }
}

}  // namespace

void cvision_yuv_to_rgb(const cvision_yuv *frame, int32_t width, int32_t height, uint8_t *out) {
  auto row = frame->y_step == 2 ? yuv_row<2, 4> : frame->uv_step == 2 ? yuv_row<1, 2> : yuv_row<1, 1>;
  for (int32_t line = 0; line < height; line++, out += 3 * size_t(width)) {
    size_t chroma = size_t(line / frame->rows) * frame->uv_stride;
    row(frame->y + size_t(line) * frame->y_stride, frame->u + chroma, frame->v + chroma, width, out);
  }
}

void cvision_luma(const uint8_t *rgb, size_t pixels, uint8_t *out) {
  // 0.299, 0.587 and 0.114 in 16-bit fixed point; they add up to 65536, so that white stays white.
  for (size_t i = 0; i < pixels; i++, rgb += 3) {
    out[i] = uint8_t((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 32768u) >> 16);
  }
}

cvision_status cvision_resize_part(cvision_grey picture, int32_t x, int32_t y, int32_t width, int32_t height,
                                   int32_t columns, int32_t rows, int sharpened, float bend_x, float bend_y,
                                   uint8_t *out) {
  if (!picture.pixels || x < 0 || y < 0 || width <= 0 || height <= 0 || picture.width - x < width ||
      picture.height - y < height || !is_valid_target(columns, rows, out) || !(std::abs(bend_x) < 1) ||
      !(std::abs(bend_y) < 1)) {
    return CVISION_E_ARGUMENT;
  }
  return guarded(nullptr, [&] {
    cv::Mat part = view(picture)(cv::Rect(x, y, width, height)), target(rows, columns, CV_8U, out), smooth;
    if (bend_x == 0 && bend_y == 0) {
      cv::resize(part, target, target.size(), 0, 0, columns < width ? cv::INTER_AREA : cv::INTER_CUBIC);
    } else {
      cv::Mat from(rows, columns, CV_32FC2);
      for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
          float u = (float(column) + 0.5f) / float(columns), v = (float(row) + 0.5f) / float(rows);
          from.at<cv::Vec2f>(row, column) = {
              (u + bend_x / 2 * (2 * v - 1) * (2 * v - 1)) * float(width) - 0.5f,
              (v + bend_y / 2 * (2 * u - 1) * (2 * u - 1)) * float(height) - 0.5f};
        }
      cv::remap(part, target, from, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    }
    if (sharpened) {
      // An unsharp mask with a sigma of 1.5 pixels of the part and an amount of 2.
      cv::GaussianBlur(target, smooth, cv::Size(0, 0), 1.5 * columns / width);
      cv::addWeighted(target, 3, smooth, -2, 0, target);
    }
    return written(target, out);
  });
}

namespace {

/// Samples a quadrilateral of a picture as an upright rectangle.
cvision_status rectify_into(cv::Mat target, const cv::Mat &picture, const float corners[8], int border) {
  if (picture.cols > 2 * warp_limit || picture.rows > 2 * warp_limit) return CVISION_E_ARGUMENT;
  for (int i = 0; i < 8; i++)
    if (!(std::abs(corners[i]) < float(1 << 20))) return CVISION_E_ARGUMENT;
  // Corners are relative to the corner of the first pixel, OpenCV's coordinates to its centre.
  float right = float(target.cols) - 0.5f, bottom = float(target.rows) - 0.5f;
  cv::Point2f from[4], to[] = {{-0.5f, -0.5f}, {right, -0.5f}, {right, bottom}, {-0.5f, bottom}};
  for (int i = 0; i < 4; i++) from[i] = {corners[2 * i] - 0.5f, corners[2 * i + 1] - 0.5f};
  const uint8_t *out = target.data;
  cv::warpPerspective(picture, target, cv::getPerspectiveTransform(to, from), target.size(),
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, border);
  return written(target, out);
}

}  // namespace

cvision_status cvision_rectify(cvision_grey picture, const float corners[8], int32_t columns, int32_t rows,
                               uint8_t *out) {
  if (!picture.pixels || !corners || !is_valid_target(columns, rows, out) || picture.width <= 0 || picture.height <= 0)
    return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    return rectify_into(cv::Mat(rows, columns, CV_8U, out), view(picture), corners, cv::BORDER_REPLICATE);
  });
}

cvision_status cvision_rectify_colour(cvision_image image, const float corners[8], int32_t columns, int32_t rows,
                                      uint8_t *out) {
  if (!is_valid(image) || !corners || !is_valid_target(columns, rows, out)) return CVISION_E_ARGUMENT;
  return guarded(nullptr, [&] {
    return rectify_into(cv::Mat(rows, columns, CV_8UC3, out), view(image), corners, cv::BORDER_CONSTANT);
  });
}
