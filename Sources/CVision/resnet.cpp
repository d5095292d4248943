// The forward pass of dlib's face recognition network: a residual network of 29 convolutions, each a matrix product
// that BLAS computes.
#include <cblas.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "guard.hpp"

namespace {

/// The activations of one picture: `channels` planes of `height` x `width`.
struct Planes {
  int channels = 0, height = 0, width = 0;
  std::vector<float> values;

  size_t area() const { return size_t(height) * width; }

  void resize(int channels_, int height_, int width_) {
    channels = channels_, height = height_, width = width_;
    values.resize(channels * area());
  }
};

struct Layer {
  cvision_layer shape;
  std::vector<float> weights, bias;
};

int steps(int side, int kernel, int stride) { return (side - kernel) / stride + 1; }

}  // namespace

struct cvision_resnet {
  std::vector<Layer> layers;
  // Kept between passes, so that a pass does not allocate.
  std::vector<float> columns;
  Planes x, middle, branch, shortcut;

  /// Unrolls the input for a matrix product: a row per filter weight, a column per output pixel.
  void unroll(const Planes &in, const cvision_layer &shape, int height, int width) {
    columns.resize(size_t(shape.inputs) * shape.kernel * shape.kernel * height * width);
    float *row = columns.data();
    for (int channel = 0; channel < shape.inputs; channel++) {
      const float *plane = in.values.data() + channel * in.area();
      for (int ky = 0; ky < shape.kernel; ky++) {
        for (int kx = 0; kx < shape.kernel; kx++) {
          // The outputs whose source is inside the picture: from `first` to before `last`.
          int left = kx - shape.padding;
          int first = left < 0 ? (-left + shape.stride - 1) / shape.stride : 0;
          int last = std::max(first, std::min(width, (in.width - 1 - left) / shape.stride + 1));
          for (int y = 0; y < height; y++, row += width) {
            int source = y * shape.stride + ky - shape.padding;
            if (source < 0 || source >= in.height) {
              std::fill(row, row + width, 0.0f);
              continue;
            }
            const float *line = plane + size_t(source) * in.width;
            std::fill(row, row + first, 0.0f);
            if (shape.stride == 1) {
              std::memcpy(row + first, line + left + first, (last - first) * sizeof(float));
            } else {
              for (int x = first; x < last; x++) row[x] = line[left + x * shape.stride];
            }
            std::fill(row + last, row + width, 0.0f);
          }
        }
      }
    }
  }

  void convolve(const Planes &in, const Layer &layer, Planes &out) {
    const cvision_layer &shape = layer.shape;
    out.resize(shape.outputs, steps(in.height + 2 * shape.padding, shape.kernel, shape.stride),
               steps(in.width + 2 * shape.padding, shape.kernel, shape.stride));
    unroll(in, shape, out.height, out.width);
    const int pixels = int(out.area()), each = shape.inputs * shape.kernel * shape.kernel;
    for (int i = 0; i < out.channels; i++) std::fill_n(out.values.begin() + size_t(i) * pixels, pixels, layer.bias[i]);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, out.channels, pixels, each, 1, layer.weights.data(), each,
                columns.data(), pixels, 1, out.values.data(), pixels);
  }

  static void rectify(Planes &planes) {
    for (float &value : planes.values) value = std::max(value, 0.0f);
  }

  template <typename Reduce>
  static void pool(const Planes &in, int kernel, Planes &out, Reduce reduce) {
    out.resize(in.channels, steps(in.height, kernel, 2), steps(in.width, kernel, 2));
    float *to = out.values.data();
    for (int channel = 0; channel < in.channels; channel++) {
      const float *plane = in.values.data() + channel * in.area();
      for (int y = 0; y < out.height; y++) {
        for (int x = 0; x < out.width; x++) *to++ = reduce(plane + size_t(2 * y) * in.width + 2 * x, in.width);
      }
    }
  }

  /// out = max(0, a + b), where the smaller one is padded with zeros at the end of each axis.
  static void add(const Planes &a, const Planes &b, Planes &out) {
    out.resize(std::max(a.channels, b.channels), std::max(a.height, b.height), std::max(a.width, b.width));
    std::fill(out.values.begin(), out.values.end(), 0.0f);
    for (const Planes *part : {&a, &b}) {
      const float *from = part->values.data();
      for (int channel = 0; channel < part->channels; channel++) {
        for (int y = 0; y < part->height; y++) {
          float *to = out.values.data() + channel * out.area() + size_t(y) * out.width;
          for (int x = 0; x < part->width; x++) to[x] += *from++;
        }
      }
    }
    rectify(out);
  }

  /// Computes the vector of the chip in `x`.
  void run(float *vector) {
    convolve(x, layers[0], middle);
    rectify(middle);
    pool(middle, 3, x, [](const float *corner, int width) {
      float most = *corner;
      for (int y = 0; y < 3; y++) most = std::max(most, *std::max_element(corner + y * width, corner + y * width + 3));
      return most;
    });
    for (size_t i = 1; i + 1 < layers.size(); i += 2) {
      convolve(x, layers[i], middle);
      rectify(middle);
      convolve(middle, layers[i + 1], branch);
      if (layers[i].shape.stride == 2) {
        pool(x, 2, shortcut, [](const float *corner, int width) {
          return (corner[0] + corner[1] + corner[width] + corner[width + 1]) / 4;
        });
      } else {
        std::swap(x, shortcut);
      }
      add(branch, shortcut, x);
    }
    const Layer &last = layers.back();
    std::vector<float> means(x.channels);
    for (int i = 0; i < x.channels; i++) {
      const float *plane = x.values.data() + i * x.area();
      means[i] = std::accumulate(plane, plane + x.area(), 0.0f) / float(x.area());
    }
    cblas_sgemv(CblasRowMajor, CblasNoTrans, last.shape.outputs, x.channels, 1, last.weights.data(), x.channels,
                means.data(), 1, 0, vector, 1);
  }
};

/// Whether the layers form a network that `run` can evaluate: all sizes match.
static bool fit(const cvision_layer *layers, size_t count) {
  if (count < 4 || count % 2 != 0) return false;
  int channels = 3;
  for (size_t i = 0; i < count; i++) {
    const cvision_layer &layer = layers[i];
    const bool is_last = i + 1 == count;
    if (layer.inputs != channels || layer.outputs < 1 || layer.outputs > 1024 || !layer.weights) return false;
    if (is_last ? layer.kernel != 0 || layer.outputs != 128
                : layer.kernel < 1 || layer.kernel > 7 || layer.stride < 1 || layer.stride > 2 || layer.padding < 0 ||
                      layer.padding > 3 || !layer.bias) {
      return false;
    }
    channels = layer.outputs;
  }
  return true;
}

extern "C" cvision_status cvision_resnet_create(const cvision_layer *layers, size_t count, cvision_resnet **out,
                                                char *message) {
  return cvision::guarded(message, [&] {
    if (!fit(layers, count)) return cvision::fail(message, CVISION_E_FORMAT, "not the face recognition network");
    auto network = std::make_unique<cvision_resnet>();
    for (size_t i = 0; i < count; i++) {
      const cvision_layer &shape = layers[i];
      const size_t each = size_t(shape.inputs) * std::max(1, shape.kernel * shape.kernel);
      Layer layer{shape, {shape.weights, shape.weights + shape.outputs * each}, {}};
      if (shape.bias) layer.bias.assign(shape.bias, shape.bias + shape.outputs);
      network->layers.push_back(std::move(layer));
    }
    *out = network.release();
    return CVISION_OK;
  });
}

extern "C" void cvision_resnet_free(cvision_resnet *network) { delete network; }

extern "C" cvision_status cvision_resnet_embed(cvision_resnet *network, const uint8_t *chip, float out[128],
                                               char *message) {
  return cvision::guarded(message, [&] {
    // The means of dlib's input layer, as stored in the file.
    static const float bias[3] = {-122.782f, -117.001f, -104.298f};
    network->x.resize(3, 150, 150);
    cvision_normalise(chip, 150 * 150, bias, 1 / 256.0f, 1, network->x.values.data());
    network->run(out);
    return CVISION_OK;
  });
}
