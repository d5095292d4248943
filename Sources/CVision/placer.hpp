// Writes decoded rows to a target that may be smaller: each of its pixels is the mean of a square.
#pragma once

#include <algorithm>
#include <vector>

#include "codecs.hpp"

namespace cvision {

/// Writes rows to the picture. If it is reduced, each output pixel is the mean of a square.
struct Placer {
  const Target &target;
  int channels;  // of a row: 1 grey, 3 RGB, 4 RGBA
  bool interlaced;
  /// If the picture is reduced: sums of each column over the rows of one output row; for interlaced pictures, whose
  /// rows are out of order, of each square.
  std::vector<uint16_t> sums;  // 64 * 255 fits

  Placer(const Target &target, int channels, bool interlaced)
      : target(target), channels(channels), interlaced(interlaced) {
    if (target.reduction > 1) sums.resize(interlaced ? 3 * target.pixels() : shown() * size_t(target.width));
  }

  /// Number of channels that are summed: alpha is blended over white before.
  size_t shown() const { return channels == 1 ? 1 : 3; }

  void place(const uint8_t *row, int32_t y, int32_t first, int32_t step) {
    size_t stride = 3 * size_t(target.columns());
    if (target.reduction == 1) {
      uint8_t *out = target.rgb + stride * size_t(y);
      if (step == 1 && channels == 3) {
        std::memcpy(out, row, stride);
      } else {
        spread(row, first, step, [&](int32_t x, int channel, uint8_t value) { out[3 * size_t(x) + channel] = value; });
      }
      return;
    }
    if (interlaced) {
      uint16_t *sum = sums.data() + stride * size_t(y / target.reduction);
      int shift = target.reduction == 2 ? 1 : target.reduction == 4 ? 2 : 3;
      spread(row, first, step,
             [&](int32_t x, int channel, uint8_t value) { sum[3 * size_t(x >> shift) + channel] += value; });
      return;
    }
    if (channels == 4) {
      spread(row, 0, 1, [&](int32_t x, int channel, uint8_t value) { sums[3 * size_t(x) + channel] += value; });
    } else {
      for (size_t i = 0; i < sums.size(); i++) sums[i] += row[i];
    }
    if (y % target.reduction != target.reduction - 1 && y != target.height - 1) return;
    switch (target.reduction * 4 + int(shown())) {
      case 2 * 4 + 1: return average_columns<2, 1>(y / 2);
      case 2 * 4 + 3: return average_columns<2, 3>(y / 2);
      case 4 * 4 + 1: return average_columns<4, 1>(y / 4);
      case 4 * 4 + 3: return average_columns<4, 3>(y / 4);
      case 8 * 4 + 1: return average_columns<8, 1>(y / 8);
      default: return average_columns<8, 3>(y / 8);
    }
  }

  /// Passes each channel of each pixel of a row, over white, to `put`.
  template <typename Put>
  void spread(const uint8_t *row, int32_t first, int32_t step, Put put) {
    for (int32_t x = first; x < target.width; x += step, row += channels) {
      for (int channel = 0; channel < 3; channel++) {
        put(x, channel, channels == 4 ? over_white(row[channel], row[3]) : row[channels == 1 ? 0 : channel]);
      }
    }
  }

  /// The mean of a square of `count` pixels, rounded.
  static uint8_t mean(uint32_t sum, uint32_t count) { return uint8_t((sum + count / 2) / count); }

  /// Converts the sums of columns to a row of output and clears them.
  template <int side, int channels>
  void average_columns(int32_t out_row) {
    uint8_t *out = target.rgb + 3 * size_t(target.columns()) * size_t(out_row);
    uint32_t rows = uint32_t(std::min(side, target.height - out_row * side));
    const uint16_t *from = sums.data();
    auto put = [&](uint32_t width, uint32_t count) {
      uint32_t sum[channels] = {};
      for (uint32_t x = 0; x < width; x++) {
        for (int channel = 0; channel < channels; channel++) sum[channel] += *from++;
      }
      for (int channel = 0; channel < 3; channel++) *out++ = mean(sum[channels == 1 ? 0 : channel], count);
    };
    int32_t whole = target.width / side;
    if (rows == side) {  // the usual case, with constants
      for (int32_t column = 0; column < whole; column++) put(side, side * side);
    } else {
      for (int32_t column = 0; column < whole; column++) put(side, side * rows);
    }
    if (uint32_t rest = uint32_t(target.width % side)) put(rest, rest * rows);
    std::fill(sums.begin(), sums.end(), 0);
  }

  /// Converts the sums of an interlaced picture to output.
  void finish() {
    if (target.reduction == 1 || !interlaced) return;
    int32_t side = target.reduction;
    const uint16_t *sum = sums.data();
    uint8_t *out = target.rgb;
    for (int32_t row = 0; row < target.rows(); row++) {
      int32_t rows = std::min(side, target.height - row * side);
      for (int32_t column = 0; column < target.columns(); column++) {
        uint32_t count = uint32_t(rows * std::min(side, target.width - column * side));
        for (int channel = 0; channel < 3; channel++) *out++ = mean(*sum++, count);
      }
    }
  }
};

}  // namespace cvision
