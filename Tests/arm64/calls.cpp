// Calls the C and C++ modules on fixed inputs and writes every output to a file, for a comparison between processors.
//
//   calls FOLDER LOCATOR PICTURES... -- NETWORKS...
//
// LOCATOR is models/code-locator.bin, PICTURES are files of any supported format, NETWORKS models of one f32 input. FOLDER
// receives raw numbers: NAME.u8 or NAME.f32.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cvision.h"
extern "C" {
#include "copenssl.h"
#include "copenvino.h"
}

namespace {

using Bytes = std::vector<uint8_t>;
std::string folder;
char message[COPENVINO_MESSAGE];

void write(const std::string &name, const void *data, size_t size) {
  std::ofstream(folder + "/" + name, std::ios::binary).write(static_cast<const char *>(data), long(size));
}
void write(const std::string &name, const Bytes &bytes) { write(name + ".u8", bytes.data(), bytes.size()); }
void write(const std::string &name, const std::vector<float> &numbers) {
  write(name + ".f32", numbers.data(), numbers.size() * sizeof(float));
}

// A failure is an output, too: damaged files fail alike everywhere.
bool ok(const std::string &name, cvision_status status) {
  if (status != CVISION_OK) write(name + "-status", Bytes{uint8_t(status)});
  return status == CVISION_OK;
}
void require(bool condition, const char *what) {
  if (condition) return;
  std::fprintf(stderr, "calls: %s: %s\n", what, message);
  std::exit(3);
}

Bytes read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), path.c_str());
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

// Numbers from 0 to 1: a linear congruential generator with Knuth's constants (MMIX).
struct Noise {
  uint64_t state = 1;
  float operator()() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return float(state >> 40) / float(1 << 24);
  }
};

Bytes decoded(const std::string &name, const Bytes &file, cvision_image_info &info, int reduction) {
  cvision_colour *colour = nullptr;
  Bytes pixels;
  if (ok(name + "-header", cvision_read_header(file.data(), file.size(), &info, &colour, message)) &&
      int64_t(info.width) * info.height <= 16'000'000) {
    const int width = (info.width + reduction - 1) / reduction, height = (info.height + reduction - 1) / reduction;
    pixels.resize(3 * size_t(width) * size_t(height));
    const auto status = cvision_decode(file.data(), file.size(), &info, reduction, colour, nullptr, pixels.data(),
                                       pixels.size(), message);
    info.width = width, info.height = height;
    if (!ok(name, status)) pixels.clear();
  }
  cvision_colour_free(colour);
  return pixels;
}

void geometry(const std::string &name, cvision_image image) {
  const size_t count = size_t(image.width) * size_t(image.height);
  Bytes out(3 * count);
  ok(name, cvision_orient(image, 6, out.data()));
  write(name + "-orient", out);
  for (int scale : {3, 10}) {  // tenths and thirds: smaller by 3.3, and larger by 1.25
    const int width = scale == 3 ? image.width * 3 / 10 : image.width * 5 / 4, height = image.height * 3 / 4;
    out.assign(3 * size_t(width) * size_t(height), 0);
    ok(name, cvision_resize(image, width, height, out.data()));
    write(name + "-resize-" + std::to_string(scale), out);
  }
  out.assign(3 * size_t((image.width + 4) / 5) * size_t((image.height + 4) / 5), 0);
  ok(name, cvision_reduce(image, 5, out.data()));
  write(name + "-reduce", out);
  for (double scale : {0.7, 3.3}) {
    for (int mirrored : {0, 1}) {
      const double c = scale * std::cos(0.3), s = scale * std::sin(0.3), map[6] = {c, -s, 5.25, s, c, -12.5};
      out.assign(3 * 112 * 96, 0);
      ok(name, cvision_crop(image, map, 112, 96, mirrored, out.data()));
      write(name + "-crop-" + std::to_string(int(scale * 10)) + (mirrored ? "m" : ""), out);
    }
  }
  const float bias[3] = {-123.7f, -116.3f, -103.5f};
  std::vector<float> numbers(3 * count);
  cvision_normalise(image.rgb, count, bias, 1 / 58.8f, CVISION_PLANES, numbers.data());
  write(name + "-normalise", numbers);
  Bytes grey(count);
  cvision_luma(image.rgb, count, grey.data());
  write(name + "-luma", grey);
  const float corners[8] = {20, 10, image.width - 30.f, 25, image.width - 12.f, image.height - 9.f, 5, image.height - 40.f};
  const cvision_grey plane{grey.data(), image.width, image.height, image.width};
  out.assign(200 * 120, 0);
  ok(name, cvision_rectify(plane, corners, 200, 120, out.data()));
  write(name + "-rectify", out);
  ok(name, cvision_resize_part(plane, 10, 10, image.width / 2, image.height / 2, 200, 120, 1, 0.02f, 0.01f, out.data()));
  write(name + "-part", out);
  out.assign(3 * 200 * 120, 0);
  ok(name, cvision_rectify_colour(image, corners, 200, 120, out.data()));
  write(name + "-rectify-colour", out);
  const int columns = image.width / 2 * 2, rows = image.height / 2;
  const cvision_yuv frame{grey.data(), grey.data(), grey.data() + count / 2, size_t(image.width), size_t(columns / 2), 1, 1, 2};
  out.assign(3 * size_t(columns) * size_t(rows), 0);
  cvision_yuv_to_rgb(&frame, columns, rows, out.data());
  write(name + "-yuv", out);
}

void findings(const std::string &name, cvision_image image, const cvision_code_networks *networks) {
  cvision_outline outlines[8];
  size_t count = 0;
  const std::vector<float> certain(128 * 96, 1);
  const cvision_likelihoods likely{certain.data(), certain.data(), 128, 96};
  if (ok(name + "-outlines", cvision_find_outlines(image, likely, outlines, 8, &count, message))) {
    write(name + "-outlines.f32", outlines, count * sizeof *outlines);
  }
  Bytes grey(size_t(image.width) * size_t(image.height));
  cvision_luma(image.rgb, grey.size(), grey.data());
  const cvision_grey plane{grey.data(), image.width, image.height, image.width};
  cvision_code_place places[8];
  int32_t found = 0;
  if (ok(name + "-places", cvision_find_codes(networks, plane, 8, places, &found, message))) {
    std::vector<float> numbers;
    for (int i = 0; i < found; i++) numbers.insert(numbers.end(), places[i].corners, &places[i].glare + 1);
    write(name + "-places", numbers);
  }
  std::vector<int32_t> formats;
  for (const char *one : {"QRCode", "Aztec", "DataMatrix", "PDF417", "EAN13", "Code128"}) {
    formats.push_back(cvision_code_format(one));
  }
  cvision_code *codes = nullptr;
  if (ok(name + "-codes", cvision_read_codes(plane, formats.data(), int32_t(formats.size()),
                                             CVISION_CODES_TURNED | CVISION_CODES_HARDER, 4, &codes, &found, message))) {
    for (int i = 0; i < found; i++) write(name + "-codes-" + std::to_string(i) + ".u8", codes[i].bytes, codes[i].byte_count);
    cvision_codes_free(codes, found);
  }
}

void drawing() {
  Bytes picture(3 * 400 * 300, 90);
  cvision_draw_rectangle(picture.data(), 400, 300, 60, 50, 260, 164, 0xf2efe8, 0.9);
  cvision_draw_line(picture.data(), 400, 300, 10.5, 20.25, 390, 280, 0x2060c0, 3);
  cvision_draw_disc(picture.data(), 400, 300, 200.5, 150.25, 40, 0xc02040);
  cvision_draw_text(picture.data(), 400, 300, 70, 120, "P<UTOERIKSSON Zażółć", 14, 0x101010, 1, 1);
  write("draw", picture);
  uint8_t *file = nullptr;
  size_t size = 0;
  require(cvision_encode_png(picture.data(), 400, 300, &file, &size, message) == CVISION_OK, "PNG");
  write("encode-png.u8", file, size), cvision_free(file);
  require(cvision_encode_jpeg(picture.data(), 400, 300, 90, &file, &size, message) == CVISION_OK, "JPEG");
  write("encode-jpeg.u8", file, size), cvision_free(file);

  std::vector<float> likelihood(320 * 240);
  for (int y = 0; y < 240; y++) {
    for (int x = 0; x < 320; x++) {
      const double along = x * std::cos(0.1) + y * std::sin(0.1), across = y * std::cos(0.1) - x * std::sin(0.1);
      likelihood[size_t(y * 320 + x)] = along > 40 && along < 280 && std::fmod(across + 400, 40) < 12 ? 0.9f : 0.05f;
    }
  }
  cvision_text_region lines[32];
  size_t count = 0;
  require(cvision_text_regions(likelihood.data(), 320, 240, lines, 32, &count, message) == CVISION_OK, "text lines");
  write("text-lines.f32", lines, count * sizeof *lines);
}

void faces(const std::string &name, cvision_image image) {
  cvision_hog *detector = nullptr;
  require(cvision_hog_create(&detector, message) == CVISION_OK, "dlib's detector");
  cvision_box boxes[8];
  size_t count = 0;
  require(cvision_hog_detect(detector, image, boxes, 8, &count, message) == CVISION_OK, "dlib's detector");
  std::vector<float> numbers;
  for (size_t i = 0; i < count; i++) {
    for (double number : {boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height, boxes[i].score}) {
      numbers.push_back(float(number));
    }
  }
  write(name + "-hog", numbers);
  cvision_hog_free(detector);
}

void digests() {
  Bytes data(100'003), sealed(1000 + COPENSSL_GCM_TAG), digest(32);
  Noise noise;
  for (auto &byte : data) byte = uint8_t(noise() * 256);
  require(copenssl_sha256(data.data(), data.size(), digest.data()) == 1, "SHA-256");
  write("sha256", digest);
  copenssl_gcm *gcm = copenssl_gcm_new(data.data());
  require(gcm && copenssl_gcm_seal_with(gcm, data.data() + 32, data.data(), 20, data.data() + 64, 1000, sealed.data()), "GCM");
  write("gcm", sealed);
  copenssl_gcm_free(gcm);
}

// Networks computed by OpenVINO, from the file and from their compiled form.
void network(copenvino_core *core, const std::string &path) {
  const std::string name = "net-" + path.substr(path.rfind('/') + 1);
  copenvino_model *model = nullptr, *imported = nullptr;
  require(copenvino_model_compile(core, path.c_str(), &model, message), path.c_str());
  uint8_t *bytes = nullptr;
  size_t size = 0, count = 0;
  require(copenvino_model_export(model, &bytes, &size, message), "export");
  require(copenvino_model_import(core, bytes, size, &imported, message), "import");
  for (auto *one : {model, imported}) {
    copenvino_request *request = nullptr;
    float *input = nullptr;
    const float *output = nullptr;
    require(copenvino_request_create(one, &request, message), "request");
    require(copenvino_request_input(request, &input, &count, message), "input");
    Noise noise;
    for (size_t i = 0; i < count; i++) input[i] = noise();
    require(copenvino_request_run(request, message), "inference");
    require(copenvino_request_output(request, 0, &output, &count, message), "output");
    write(name + (one == model ? "" : "-imported"), std::vector<float>(output, output + count));
    copenvino_request_free(request);
    copenvino_model_free(one);
  }
  std::free(bytes);  // the imported model reads its weights there
}

}  // namespace

int main(int count, char **words) {
  require(count > 2, "usage: calls FOLDER LOCATOR PICTURES... -- NETWORKS...");
  folder = words[1];
  const Bytes weights = read(words[2]);
  cvision_code_networks *networks = nullptr;
  require(cvision_code_networks_create(weights.data(), weights.size(), &networks, message) == CVISION_OK, "the locator");
  int word = 3;
  for (; word < count && std::strcmp(words[word], "--") != 0; word++) {
    const std::string path = words[word];
    const Bytes file = read(path);
    cvision_image_info info{};
    for (int reduction : {8, 4, 2, 1}) {
      const std::string name = path.substr(path.rfind('/') + 1) + "-" + std::to_string(reduction);
      const Bytes pixels = decoded(name, file, info, reduction);
      if (pixels.empty()) continue;
      write(name, pixels);
      const cvision_image image{pixels.data(), info.width, info.height};
      if (std::min(info.width, info.height) < 100 || info.width * info.height > 500'000) continue;
      geometry(name, image);
      findings(name, image, networks);
      if (path.find("obama") != std::string::npos) faces(name, image);
    }
  }
  cvision_code_networks_free(networks);
  drawing();
  digests();
  copenvino_core *core = nullptr;
  if (word + 1 < count) require(copenvino_core_create(&core, "f32", message), "OpenVINO");
  for (word++; word < count; word++) network(core, words[word]);
  copenvino_core_free(core);
}
