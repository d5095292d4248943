// dlib's face recognition network. In a file of its own: dlib's templates take most of the C++ build's time.
#include <dlib/dnn.h>

#include <deque>
#include <sstream>
#include <vector>

#include "dlib_input.hpp"
#include "guard.hpp"

namespace {

// The architecture of dlib_face_recognition_resnet_model_v1.dat: a residual network of 29 convolutions. The type has
// to be spelled as it was when the file was written, since the file holds no description of it.
template <int channels, int stride, typename Below>
using Branch = dlib::affine<
    dlib::con<channels, 3, 3, 1, 1, dlib::relu<dlib::affine<dlib::con<channels, 3, 3, stride, stride, Below>>>>>;
template <int channels, typename Below>
using Same = dlib::relu<dlib::add_prev1<Branch<channels, 1, dlib::tag1<Below>>>>;
template <int channels, typename Below>
using Down = dlib::relu<
    dlib::add_prev2<dlib::avg_pool<2, 2, 2, 2, dlib::skip1<dlib::tag2<Branch<channels, 2, dlib::tag1<Below>>>>>>>;

template <typename Below>
using Stem = dlib::max_pool<3, 3, 2, 2, dlib::relu<dlib::affine<dlib::con<32, 7, 7, 2, 2, Below>>>>;
template <typename Below>
using Level32 = Same<32, Same<32, Same<32, Below>>>;
template <typename Below>
using Level64 = Same<64, Same<64, Same<64, Down<64, Below>>>>;
template <typename Below>
using Level128 = Same<128, Same<128, Down<128, Below>>>;
template <typename Below>
using Level256 = Same<256, Same<256, Down<256, Below>>>;
template <typename Below>
using Last = Down<256, Below>;
using Network = dlib::loss_metric<dlib::fc_no_bias<
    128, dlib::avg_pool_everything<Last<Level256<Level128<Level64<Level32<Stem<dlib::input_rgb_image_sized<150>>>>>>>>>>;

struct Layer {
  cvision_layer shape;
  std::vector<float> weights, bias;
};

// Walks from the output to the input, so each affine layer comes just before the convolution it belongs to.
struct FoldingVisitor {
  std::deque<Layer> &layers;
  dlib::resizable_tensor scale_and_shift;

  template <typename Other>
  void operator()(Other &) {}

  void operator()(dlib::affine_ &affine) {
    std::stringstream stream;  // the layer's numbers are private, but it writes them down
    serialize(affine, stream);
    std::string version;
    dlib::deserialize(version, stream);
    dlib::deserialize(scale_and_shift, stream);
  }

  template <long filters, long rows, long columns, int stride_y, int stride_x, int padding_y, int padding_x>
  void operator()(dlib::con_<filters, rows, columns, stride_y, stride_x, padding_y, padding_x> &convolution) {
    const dlib::tensor &parameters = convolution.get_layer_params();
    const float *from = parameters.host();
    const float *gamma = scale_and_shift.host();
    const float *beta = gamma + filters;
    const size_t each = (parameters.size() - filters) / filters;
    Layer layer;
    layer.shape = {int32_t(each / (rows * columns)), int32_t(filters), int32_t(rows), stride_y, padding_y, nullptr,
                   nullptr};
    for (size_t f = 0; f < size_t(filters); f++) {
      for (size_t i = 0; i < each; i++) layer.weights.push_back(from[f * each + i] * gamma[f]);
      layer.bias.push_back(from[filters * each + f] * gamma[f] + beta[f]);
    }
    layers.push_front(std::move(layer));
  }

  template <unsigned long outputs, dlib::fc_bias_mode bias>
  void operator()(dlib::fc_<outputs, bias> &connected) {
    const dlib::tensor &parameters = connected.get_layer_params();
    const size_t inputs = parameters.size() / outputs;
    Layer layer;
    layer.shape = {int32_t(inputs), int32_t(outputs), 0, 1, 0, nullptr, nullptr};
    layer.weights.resize(parameters.size());
    for (size_t i = 0; i < inputs; i++) {
      for (size_t o = 0; o < outputs; o++) layer.weights[o * inputs + i] = parameters.host()[i * outputs + o];
    }
    layers.push_front(std::move(layer));
  }
};

}  // namespace

struct cvision_resnet {
  Network network;
  std::deque<Layer> layers;
};

extern "C" cvision_status cvision_resnet_create(const uint8_t *bytes, size_t size, cvision_resnet **out,
                                                char *message) {
  return cvision::guarded(message, [&] {
    auto network = std::make_unique<cvision_resnet>();
    cvision::MemoryStream stream(bytes, size);
    deserialize(network->network, stream);
    *out = network.release();
    return CVISION_OK;
  });
}

extern "C" void cvision_resnet_free(cvision_resnet *network) { delete network; }

extern "C" cvision_status cvision_resnet_embed(cvision_resnet *network, const uint8_t *chip, float out[128],
                                               char *message) {
  return cvision::guarded(message, [&] {
    const dlib::matrix<float, 0, 1> &vector = network->network(cvision::dlib_image({chip, 150, 150}));
    std::copy(vector.begin(), vector.end(), out);
    return CVISION_OK;
  });
}

extern "C" cvision_status cvision_resnet_layers(cvision_resnet *network, cvision_layer *out, size_t capacity,
                                                size_t *count, char *message) {
  return cvision::guarded(message, [&] {
    if (network->layers.empty()) {
      FoldingVisitor visitor{network->layers};
      dlib::visit_computational_layers(network->network, visitor);
    }
    if (network->layers.size() > capacity) return cvision::fail(message, CVISION_E_ARGUMENT, "too many layers");
    *count = network->layers.size();
    for (size_t i = 0; i < *count; i++) {
      Layer &layer = network->layers[i];
      out[i] = layer.shape;
      out[i].weights = layer.weights.data();
      out[i].bias = layer.bias.empty() ? nullptr : layer.bias.data();
    }
    return CVISION_OK;
  });
}
