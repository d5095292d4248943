// Dumps what the document finder finds for fit.py, or with an argument its candidates: reads from standard input binary
// PPM pictures, each followed by the network's maps: their size, and the likelihoods as 32-bit numbers. Writes for each,
// as 32-bit numbers, the number of outlines, of each outline the corners, features and score, and the CPU time in ms.
#include <cstdio>
#include <ctime>

#include "../../Sources/CVision/outlines.hpp"

// Referenced by OpenCV's archive, for windows that are never opened.
extern "C" void *glXGetProcAddressARB(const unsigned char *) { return nullptr; }
extern "C" void *glXGetCurrentContext() { return nullptr; }
extern "C" void *glXGetCurrentDisplay() { return nullptr; }

static void write(float value) { std::fwrite(&value, sizeof value, 1, stdout); }

int main(int count, char **) {
  cv::setNumThreads(1);
  int width, height, columns, rows;
  while (std::scanf("P6 %d %d %d %d", &width, &height, &columns, &rows) == 4) {
    std::getchar();
    cv::Mat rgb(height, width, CV_8UC3), inside(rows, columns, CV_32F), edge(rows, columns, CV_32F);
    if (std::fread(rgb.data, 3, rgb.total(), stdin) != rgb.total()) return 1;
    if (std::fread(inside.data, 4, inside.total(), stdin) != inside.total()) return 1;
    if (std::fread(edge.data, 4, edge.total(), stdin) != edge.total()) return 1;
    std::clock_t start = std::clock();
    auto outlines = count > 1 ? cvision::candidates_in(rgb, {inside, edge}, cvision::searched_sides[0]) : cvision::outlines_in(rgb, {inside, edge});
    double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
    write(float(outlines.size()));
    for (auto &outline : outlines) {
      for (auto &corner : outline.corners) write(float(corner.x)), write(float(corner.y));
      for (float feature : outline.features) write(feature);
      write(outline.score);
    }
    write(float(1000 * taken));
    std::fflush(stdout);
  }
}
