// Text on a picture, in Inter (fonts/LICENSE: SIL Open Font License 1.1), of which fonts/ has the Latin, Greek and Cyrillic
// letters: pyftsubset of fonttools, --layout-features=kern --no-hinting, of the files of Debian's fonts-inter 4.0~beta7.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "guard.hpp"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma clang diagnostic pop

using namespace cvision;

namespace {

// C23 and C++26; clang accepts it in all versions.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
const unsigned char medium[] = {
#embed "fonts/Inter-Medium.otf"
};
const unsigned char semi_bold[] = {
#embed "fonts/Inter-SemiBold.otf"
};
#pragma clang diagnostic pop

const double far = 1 << 20;  // pixels; nothing is drawn beyond

struct Typeface {
  stbtt_fontinfo font;
  float capital = 1;  // height of an H, in font units

  explicit Typeface(const unsigned char *file) {
    stbtt_InitFont(&font, file, 0);
    int left, below, right, above;
    if (stbtt_GetCodepointBox(&font, 'H', &left, &below, &right, &above)) capital = float(above);
  }

  static const Typeface &of(bool is_strong) {
    static const Typeface plain(medium), strong(semi_bold);
    return is_strong ? strong : plain;
  }
};

// Returns the next code point and advances; U+FFFD for malformed UTF-8.
uint32_t next(const unsigned char *&text) {
  uint32_t first = *text++;
  if (first < 0x80) return first;
  int more = first >= 0xF0 && first < 0xF8 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : -1;
  if (more < 0 || first >= 0xF8) return 0xFFFD;
  uint32_t point = first & (0x3F >> more);
  for (; more > 0; more--) {
    if ((*text & 0xC0) != 0x80) return 0xFFFD;
    point = point << 6 | (*text++ & 0x3F);
  }
  return point;
}

// Calls `visit(glyph, x)` for each glyph with its origin in pixels; returns the width of the line.
template <typename Visit>
double lay_out(const Typeface &face, float scale, const char *text, Visit &&visit) {
  double x = 0;
  int last = 0;
  auto rest = reinterpret_cast<const unsigned char *>(text);
  while (*rest) {
    int glyph = stbtt_FindGlyphIndex(&face.font, int(next(rest)));
    if (!glyph) glyph = stbtt_FindGlyphIndex(&face.font, '?');
    if (last) x += scale * float(stbtt_GetGlyphKernAdvance(&face.font, last, glyph));
    visit(glyph, x);
    int advance, bearing;
    stbtt_GetGlyphHMetrics(&face.font, glyph, &advance, &bearing);
    x += scale * float(advance);
    last = glyph;
  }
  return x;
}

bool is_size(double size) { return size >= 1 && size <= 4096; }

struct Canvas {
  uint8_t *rgb;
  int width, height;

  void blend(int x, int y, const uint8_t colour[3], int opacity) {
    if (x < 0 || y < 0 || x >= width || y >= height || opacity == 0) return;
    uint8_t *pixel = rgb + 3 * (size_t(y) * size_t(width) + size_t(x));
    for (int i = 0; i < 3; i++) pixel[i] = uint8_t((pixel[i] * (255 - opacity) + colour[i] * opacity + 127) / 255);
  }
};

}  // namespace

void cvision_draw_text(uint8_t *rgb, int32_t width, int32_t height, double x, double y, const char *text, double size,
                       uint32_t colour, int32_t strong, int32_t plated) {
  if (!rgb || width <= 0 || height <= 0 || !text || !*text || !is_size(size)) return;
  if (!(std::abs(x) < far) || !(std::abs(y) < far)) return;  // NaN too
  guarded(nullptr, [&] {
    Canvas canvas{rgb, width, height};
    const Typeface &face = Typeface::of(strong != 0);
    const float scale = float(size) / face.capital;
    const int baseline = int(std::lround(y));
    if (plated) {
      const uint8_t black[3] = {0, 0, 0};
      const int margin = std::max(3, int(size / 2));
      const int columns = int(std::ceil(lay_out(face, scale, text, [](int, double) {})));
      const int left = std::max(0, int(x) - margin), top = std::max(0, baseline - int(size) - margin);
      const int right = std::min(int(width), int(x) + columns + margin), bottom = std::min(int(height), baseline + margin);
      for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) canvas.blend(column, row, black, 178);
    }
    const uint8_t ink[3] = {uint8_t(colour >> 16), uint8_t(colour >> 8), uint8_t(colour)};
    std::vector<uint8_t> mask;
    lay_out(face, scale, text, [&](int glyph, double at) {
      const double start = x + at, column = std::floor(start);
      const float shift = float(start - column);
      int left, top, right, bottom;
      stbtt_GetGlyphBitmapBoxSubpixel(&face.font, glyph, scale, scale, shift, 0, &left, &top, &right, &bottom);
      const int columns = right - left, rows = bottom - top;
      if (columns <= 0 || rows <= 0 || column + left >= width || column + right < 0) return;
      mask.assign(size_t(columns) * size_t(rows), 0);
      stbtt_MakeGlyphBitmapSubpixel(&face.font, mask.data(), columns, rows, columns, scale, scale, shift, 0, glyph);
      for (int row = 0; row < rows; row++)
        for (int i = 0; i < columns; i++)
          canvas.blend(int(column) + left + i, baseline + top + row, ink, mask[size_t(row) * size_t(columns) + size_t(i)]);
    });
    return CVISION_OK;
  });
}

double cvision_text_width(const char *text, double size, int32_t strong) {
  if (!text || !is_size(size)) return 0;
  double columns = 0;
  guarded(nullptr, [&] {
    const Typeface &face = Typeface::of(strong != 0);
    columns = lay_out(face, float(size) / face.capital, text, [](int, double) {});
    return CVISION_OK;
  });
  return columns;
}
