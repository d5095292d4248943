// Puts decoded rows into a target that may be smaller: each pixel of it is the mean of a square.
#pragma once

#include <algorithm>
#include <vector>

#include "codecs.hpp"

namespace cvision {

/// Puts pixels, in whatever order, into the picture. Where it is reduced, each output pixel is the mean of a square:
/// `sums` then holds one row of sums, or all of them if rows do not come in order (interlaced).
struct Placer {
  const Target &target;
  bool alpha;
  bool interlaced;
  std::vector<uint16_t> sums;  // 64 * 255 fits

  Placer(const Target &target, bool alpha, bool interlaced) : target(target), alpha(alpha), interlaced(interlaced) {
    if (target.reduction > 1) sums.resize(3 * size_t(target.columns()) * size_t(interlaced ? target.rows() : 1));
  }

  void place(const uint8_t *row, int32_t y, int32_t first, int32_t step) {
    size_t stride = 3 * size_t(target.columns());
    if (target.reduction == 1) {
      uint8_t *out = target.rgb + stride * size_t(y);
      if (step == 1 && !alpha) {
        std::memcpy(out, row, stride);
      } else {
        spread(row, first, step, [&](int32_t x, int channel, uint8_t value) { out[3 * size_t(x) + channel] = value; });
      }
      return;
    }
    uint16_t *sum = sums.data() + (interlaced ? stride * size_t(y / target.reduction) : 0);
    int shift = target.reduction == 2 ? 1 : target.reduction == 4 ? 2 : 3;
    spread(row, first, step,
           [&](int32_t x, int channel, uint8_t value) { sum[3 * size_t(x >> shift) + channel] += value; });
    bool last = y % target.reduction == target.reduction - 1 || y == target.height - 1;
    if (last && !interlaced) average(y / target.reduction, sum);
  }

  /// Gives each channel of each pixel of a row, over white, to `put`.
  template <typename Put>
  void spread(const uint8_t *row, int32_t first, int32_t step, Put put) {
    if (alpha) {
      for (int32_t x = first; x < target.width; x += step, row += 4) {
        for (int channel = 0; channel < 3; channel++) put(x, channel, over_white(row[channel], row[3]));
      }
    } else {
      for (int32_t x = first; x < target.width; x += step, row += 3) {
        for (int channel = 0; channel < 3; channel++) put(x, channel, row[channel]);
      }
    }
  }

  /// Turns one row of sums into output and clears it.
  void average(int32_t out_row, uint16_t *sum) {
    int32_t side = target.reduction;
    uint8_t *out = target.rgb + 3 * size_t(target.columns()) * size_t(out_row);
    int32_t rows = std::min(side, target.height - out_row * side);
    for (int32_t column = 0; column < target.columns(); column++) {
      uint32_t count = uint32_t(rows * std::min(side, target.width - column * side));
      for (int channel = 0; channel < 3; channel++, sum++) {
        *out++ = uint8_t((*sum + count / 2) / count);
        *sum = 0;
      }
    }
  }

  void finish() {
    if (target.reduction == 1 || !interlaced) return;
    size_t stride = 3 * size_t(target.columns());
    for (int32_t row = 0; row < target.rows(); row++) average(row, sums.data() + stride * size_t(row));
  }
};

}  // namespace cvision
