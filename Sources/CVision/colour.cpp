// Embedded colour profiles through Little CMS: conversion from any colour space of a picture to sRGB.
//
// A profile is advisory: one that is malformed, or of a kind that no camera or program embeds, is ignored with a
// warning. Photos in sRGB, which are most, are recognised by their primaries and curves and need no conversion.
#include <lcms2.h>
#include <lcms2_plugin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "codecs.hpp"

namespace {

/// The tables of a printer's profile have half a megabyte, and Little CMS derives tables of that size from them.
const cmsUInt32Number allocation_limit = 16 << 20;

void *allocate(cmsContext, cmsUInt32Number size) { return size > allocation_limit ? nullptr : std::malloc(size); }
void *reallocate(cmsContext, void *memory, cmsUInt32Number size) {
  return size > allocation_limit ? nullptr : std::realloc(memory, size);
}
void release(cmsContext, void *memory) { std::free(memory); }

cmsPluginMemHandler memory_plugin = {
    {cmsPluginMagicNumber, 2060, cmsPluginMemHandlerSig, nullptr}, allocate, release, reallocate, nullptr, nullptr,
    nullptr};

using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, cvision::Closer<cmsDeleteContext>>;
using Profile = std::unique_ptr<void, cvision::Closer<cmsCloseProfile>>;
using Transform = std::unique_ptr<void, cvision::Closer<cmsDeleteTransform>>;

/// The content of a display's profile: the light of each channel's values, and the matrix from light to that of sRGB.
/// Equivalent to Little CMS, with a twentieth of its set-up time and a third of its time per pixel.
struct Primaries {
  float light[3][256];
  float matrix[3][3];
};

}  // namespace

struct cvision_colour {
  Context context;  // freed last
  bool inks = false;
  std::unique_ptr<Primaries> primaries;  // one of these three
  std::vector<uint8_t> greys;            // for a grey picture: the output of each of the 256 levels
  Transform transform;
};

namespace cvision {
namespace {

/// IEC 61966-2-1: the light of a value, both 0 to 1.
double srgb_light(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// From X, Y and Z, adapted to D50 as in ICC profiles, to linear sRGB: the inverse of the colorants (0.43607, 0.22249,
/// 0.01392), (0.38515, 0.71687, 0.09708) and (0.14307, 0.06061, 0.71410).
const double to_srgb[3][3] = {
    {3.13410, -0.97879, 0.07197}, {-1.61740, 1.91629, -0.22899}, {-0.49064, 0.03345, 1.40538}};

/// sRGB's value for an amount of light, in steps finer than the steepest part of its curve.
struct Values {
  static const int steps = 16384;
  uint8_t table[steps + 1];

  Values() {
    for (int step = 0; step <= steps; step++) {
      double light = double(step) / steps;
      double value = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
      table[step] = uint8_t(value * 255 + 0.5);
    }
  }

  uint8_t operator()(float light) const {
    // In this order, NaN becomes 0.
    return table[int(std::min(1.0f, std::max(0.0f, light)) * steps + 0.5f)];
  }
};

/// Reads the curves and primaries of a profile that has nothing else; NULL if it has more, or lacks these.
std::unique_ptr<Primaries> read_primaries(cmsHPROFILE profile) {
  if (!cmsIsMatrixShaper(profile) || cmsIsTag(profile, cmsSigAToB0Tag) || cmsGetPCS(profile) != cmsSigXYZData) {
    return nullptr;
  }
  auto found = std::make_unique<Primaries>();
  const cmsTagSignature colorants[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  const cmsTagSignature curves[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
  for (int channel = 0; channel < 3; channel++) {
    auto colorant = static_cast<cmsCIEXYZ *>(cmsReadTag(profile, colorants[channel]));
    auto curve = static_cast<cmsToneCurve *>(cmsReadTag(profile, curves[channel]));
    if (!colorant || !curve) return nullptr;
    for (int value = 0; value < 256; value++) {
      found->light[channel][value] = cmsEvalToneCurveFloat(curve, float(value) / 255);
    }
    for (int out = 0; out < 3; out++) {
      found->matrix[out][channel] = float(
          colorant->X * to_srgb[0][out] + colorant->Y * to_srgb[1][out] + colorant->Z * to_srgb[2][out]);
    }
  }
  return found;
}

/// Whether these are sRGB's. The tolerance is that of profiles that call themselves sRGB; it corresponds to less than
/// half an 8-bit level in the middle.
bool is_srgb(const Primaries &primaries) {
  const double tolerance = 0.002;
  for (int channel = 0; channel < 3; channel++) {
    for (int out = 0; out < 3; out++) {
      double wanted = out == channel ? 1 : 0;
      if (!(std::fabs(primaries.matrix[out][channel] - wanted) <= 2 * tolerance)) return false;
    }
    for (int value = 0; value < 256; value++) {
      if (!(std::fabs(primaries.light[channel][value] - srgb_light(value / 255.0)) <= tolerance)) return false;
    }
  }
  return true;
}

void apply(const Primaries &primaries, uint8_t *rgb, size_t pixels) {
  static const Values values;
  float matrix[3][3];  // a copy: the bytes written may alias the original, which would be reloaded each time
  std::memcpy(matrix, primaries.matrix, sizeof matrix);
  for (uint8_t *end = rgb + 3 * pixels; rgb < end; rgb += 3) {
    float red = primaries.light[0][rgb[0]], green = primaries.light[1][rgb[1]], blue = primaries.light[2][rgb[2]];
    for (int out = 0; out < 3; out++) {
      rgb[out] = values(matrix[out][0] * red + matrix[out][1] * green + matrix[out][2] * blue);
    }
  }
}

/// Whether a profile is for pictures: not one that maps colours to names or to another device, nor one with chains of
/// floating-point steps, which may be of any length.
bool is_of_a_picture(cmsHPROFILE profile) {
  switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass:
      break;
    default:
      return false;
  }
  for (cmsTagSignature tag : {cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag}) {
    if (cmsIsTag(profile, tag)) return false;
  }
  return true;
}

/// Creates a profile for code points of ITU-T H.273: Display P3 (12) and BT.2020 (9) have other primaries than sRGB;
/// NULL for those that are close to it. `understood` is false for light that needs tone mapping.
cmsHPROFILE from_code_points(cmsContext context, uint32_t primaries, uint32_t transfer, bool &understood) {
  understood = transfer != 16 && transfer != 18;  // PQ, HLG
  if (!understood || (primaries != 9 && primaries != 12)) return nullptr;
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE p3 = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
  const cmsCIExyYTRIPLE bt2020 = {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
  const double gamma = transfer == 4 ? 2.2 : transfer == 5 ? 2.8 : transfer == 8 ? 1 : 0;
  // sRGB's curve, with the parameters of ICC.1's type 3. Pictures with the curves 1, 6, 14 and 15, made for television,
  // are shown with it too.
  const double parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve *curve =
      gamma > 0 ? cmsBuildGamma(context, gamma) : cmsBuildParametricToneCurve(context, 4, parameters);
  cmsToneCurve *curves[] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfileTHR(context, &white, primaries == 12 ? &p3 : &bt2020, curves);
  cmsFreeToneCurve(curve);
  return profile;
}

}  // namespace

cvision_colour *colour_make(const Colours &colours, bool inks, bool grey, bool &warning) {
  const std::vector<uint8_t> &bytes = colours.profile;
  warning = colours.broken || bytes.size() > profile_limit;
  if (warning || (bytes.empty() && colours.primaries == 0)) return nullptr;

  auto made = std::make_unique<cvision_colour>();
  made->context.reset(cmsCreateContext(&memory_plugin, nullptr));
  cmsContext context = made->context.get();
  if (!context) throw std::bad_alloc();
  bool understood = true;
  Profile source(bytes.empty() ? from_code_points(context, colours.primaries, colours.transfer, understood)
                               : cmsOpenProfileFromMemTHR(context, bytes.data(), cmsUInt32Number(bytes.size())));
  if (!source) {
    warning = !bytes.empty() || !understood;
    return nullptr;
  }
  warning = true;  // until everything has succeeded
  if (!is_of_a_picture(source.get())) return nullptr;
  cmsColorSpaceSignature space = cmsGetColorSpace(source.get());
  cmsUInt32Number format = 0;
  if (space == cmsSigRgbData && !inks) format = TYPE_RGB_8;
  if (space == cmsSigGrayData && grey) format = TYPE_GRAY_8;
  if (space == cmsSigCmykData && inks) format = TYPE_CMYK_8;
  if (format == 0) return nullptr;
  if (format == TYPE_RGB_8 && (made->primaries = read_primaries(source.get()))) {
    warning = false;
    return is_srgb(*made->primaries) ? nullptr : made.release();
  }
  Profile target(cmsCreate_sRGBProfileTHR(context));
  if (!target) return nullptr;
  // Perceptual intent: of the tables, the one that looks right.
  made->transform.reset(cmsCreateTransformTHR(context, source.get(), format, target.get(), TYPE_RGB_8,
                                              INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE));
  if (!made->transform) return nullptr;
  made->inks = inks;
  if (format == TYPE_GRAY_8) {
    uint8_t levels[256], shown[3 * 256];
    for (int level = 0; level < 256; level++) levels[level] = uint8_t(level);
    cmsDoTransform(made->transform.get(), levels, shown, 256);
    for (int level = 0; level < 256; level++) made->greys.push_back(shown[3 * level + 1]);
    made->transform.reset();
  }
  warning = false;
  return made.release();
}

bool colour_takes_inks(const cvision_colour *colour) { return colour && colour->inks; }

void colour_apply_inks(const cvision_colour *colour, const uint8_t *inks, size_t pixels, uint8_t *rgb) {
  cmsDoTransform(colour->transform.get(), inks, rgb, cmsUInt32Number(pixels));
}

}  // namespace cvision

using namespace cvision;

cvision_status cvision_colour_create(const uint8_t *profile, size_t size, int grey, cvision_colour **out,
                                     char *message) {
  if (!profile || !out) return fail(message, CVISION_E_ARGUMENT, "no profile");
  *out = nullptr;
  return guarded(message, [&] {
    Colours colours;
    colours.profile.assign(profile, profile + size);
    bool warning = false;
    *out = colour_make(colours, false, grey != 0, warning);
    return warning ? fail(message, CVISION_E_DAMAGED, "the colour profile cannot be applied") : CVISION_OK;
  });
}

void cvision_colour_apply(const cvision_colour *colour, uint8_t *rgb, size_t pixels) {
  if (!colour || colour->inks) return;
  if (colour->primaries) {
    apply(*colour->primaries, rgb, pixels);
  } else if (colour->transform) {
    cmsDoTransform(colour->transform.get(), rgb, rgb, cmsUInt32Number(pixels));
  } else {
    for (size_t i = 0; i < 3 * pixels; i++) rgb[i] = colour->greys[rgb[i]];
  }
}

void cvision_colour_free(cvision_colour *colour) { delete colour; }
