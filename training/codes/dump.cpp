// Dumps the code locator's features for train.py: `dump MODEL blocks|regions FILE...` reads binary grey PGM files and
// writes 32-bit numbers to standard output.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "../../Sources/CVision/codelocator.hpp"

using namespace cvision;

// Referenced by OpenCV's archive, for windows that are never opened.
extern "C" void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }
extern "C" void *glXGetCurrentContext() { return nullptr; }
extern "C" void *glXGetCurrentDisplay() { return nullptr; }

static cv::Mat read(const char *path) {
  FILE *file = std::fopen(path, "rb");
  int width, height, most;
  if (!file || std::fscanf(file, "P5 %d %d %d", &width, &height, &most) != 3) return {};
  std::fgetc(file);
  cv::Mat grey(height, width, CV_8U);
  size_t count = std::fread(grey.data, 1, grey.total(), file);
  std::fclose(file);
  return count == grey.total() ? grey : cv::Mat();
}

static void write(const float *values, size_t count) { std::fwrite(values, sizeof *values, count, stdout); }

int main(int count, char **arguments) {
  if (count < 3) return 1;
  std::ifstream model(arguments[1], std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(model)), {});
  cvision_code_networks *networks;
  char message[CVISION_MESSAGE];
  if (cvision_code_networks_create(reinterpret_cast<uint8_t *>(bytes.data()), bytes.size(), &networks, message) !=
      CVISION_OK) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], message);
    return 1;
  }
  bool blocks = !std::strcmp(arguments[2], "blocks");
  cv::setNumThreads(1);
  for (int i = 3; i < count; i++) {
    cv::Mat grey = read(arguments[i]), third;
    if (grey.empty()) return 1;
    if (blocks) {
      for (int reduction : {1, 3}) {
        cv::resize(grey, third, cv::Size(grey.cols / reduction, grey.rows / reduction), 0, 0, cv::INTER_AREA);
        Texture texture = texture_of(third, std::max(4, std::max(third.cols, third.rows) / 160));
        float size[] = {float(texture.rows), float(texture.columns), float(texture.side * reduction)};
        write(size, 3);
        write(texture.features.data(), texture.features.size());
      }
    } else {
      auto candidates = candidates_of(grey, *networks);
      float size = float(candidates.size());
      write(&size, 1);
      for (auto &candidate : candidates) {
        write(&candidate.corners[0].x, 8);
        write(candidate.features, region_features);
        write(&candidate.likeness, 1);
        uint8_t views[2][view_side * view_side];
        views_of(grey, candidate, views);
        std::fwrite(views, sizeof views, 1, stdout);
      }
    }
  }
}
