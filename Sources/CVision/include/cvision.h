// The C interface of everything written in C++: image codecs, pixel geometry, drawing, and dlib.
//
// Internal: only Imaging/Backend and DocumentImaging/Codes/CodeBackend.swift import it. Every function is thread-safe on
// different objects, never throws, and never prints. Functions that can fail return a `cvision_status` and write one
// line for people into `message` (capacity CVISION_MESSAGE).
// Pixels are 8-bit RGB, three bytes per pixel, rows tightly packed, origin at the top left.
#ifndef CVISION_H
#define CVISION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CVISION_MESSAGE = 256 };

typedef enum cvision_status {
  CVISION_OK = 0,
  CVISION_E_ARGUMENT = 1,     // inconsistent sizes or pointers
  CVISION_E_FORMAT = 2,       // not a picture of a supported format
  CVISION_E_DAMAGED = 3,      // a supported format, but truncated or malformed
  CVISION_E_LIMIT = 4,        // exceeds the caller's limits
  CVISION_E_UNSUPPORTED = 5,  // a valid but unsupported variant
  CVISION_E_MEMORY = 6,
  CVISION_E_INTERNAL = 7,
  CVISION_E_STOPPED = 8,      // the caller's `cvision_stop` was due
} cvision_status;

// ---- Image codecs (decode.cpp, one decode_*.cpp per format, encode.cpp) ----

typedef enum cvision_codec {
  CVISION_JPEG = 1,
  CVISION_PNG = 2,
  CVISION_JP2 = 3,  // JPEG 2000, boxed or raw code stream
  CVISION_WEBP = 4,
  CVISION_HEIC = 5,  // HEIF with any codec except AV1
  CVISION_AVIF = 6,  // HEIF with AV1
} cvision_codec;

/// Defects of a picture that is decoded nevertheless; bits.
enum {
  CVISION_TRUNCATED = 1,        // the end of the file is missing: `cvision_decode` decides whether enough is present
  CVISION_PROFILE_IGNORED = 2,  // the colour profile is malformed or of an unsupported kind
};

typedef struct cvision_image_info {
  cvision_codec codec;
  int32_t width;   // as stored, before EXIF orientation; of HEIC and AVIF as displayed, since libheif rotates them
  int32_t height;
  int32_t components;        // 1 grey, 2 grey + alpha, 3 colour, 4 colour + alpha or CMYK
  int32_t bits;              // per component as stored
  int32_t warnings;
  struct {                   // JPEG only: values of its segments, so that they are parsed once
    size_t size;             // of the file up to a truncated segment
    size_t exif_at, exif_size;  // the TIFF header in its EXIF segment; 0 if absent
    int32_t scans;
    int32_t is_adobe;        // CMYK is stored inverted
    int32_t may_do;          // a file without its end may contain most of its picture
  } jpeg;
} cvision_image_info;

/// The caller's deadline. `is_due` returns 0 if at least `needed` seconds are left; `needed` is 0 between rows, and an
/// estimate where a library cannot be interrupted.
typedef struct cvision_stop {
  int (*is_due)(const void *context, double needed);
  const void *context;
} cvision_stop;

/// A conversion of one picture's colours to sRGB. Immutable and thread-safe.
typedef struct cvision_colour cvision_colour;

/// Returns the `cvision_codec` of a file by its first bytes (64 suffice), 0 if there is none.
int cvision_sniff(const uint8_t *bytes, size_t size);

/// Reads only the header: format and size, with no allocation that grows with the announced size. `colour` receives the
/// conversion from the embedded colour profile for `cvision_decode`, NULL if the picture is in sRGB.
cvision_status cvision_read_header(const uint8_t *bytes, size_t size, cvision_image_info *out, cvision_colour **colour,
                                   char *message);

/// Decodes to RGB at 1/`reduction` of the size (1, 2, 4 or 8; each side rounded up). `out` holds
/// 3 * ceil(width / reduction) * ceil(height / reduction) bytes; `info` and `colour` are from `cvision_read_header`.
/// JPEG is reduced in the inverse DCT, JPEG 2000 by omitting resolution levels, WebP by its own rescaler, the others by
/// area averaging; colours are converted after that.
/// Grey is copied to the three channels; CMYK and YCCK are converted; 16-bit is rounded to 8; alpha is blended over
/// white. `stop`, which may be NULL, ends the decoding of JPEG and PNG after a row and of WebP after 256 kB; the others
/// cannot be interrupted, and do not begin without the time that they are likely to take.
cvision_status cvision_decode(const uint8_t *bytes, size_t size, const cvision_image_info *info, int32_t reduction,
                              const cvision_colour *colour, const cvision_stop *stop, uint8_t *out, size_t out_size,
                              char *message);

/// Creates a conversion from a profile outside a picture file. `out` is set to NULL if the profile is sRGB's; the
/// status is CVISION_E_DAMAGED if it is malformed or of an unsupported kind.
cvision_status cvision_colour_create(const uint8_t *profile, size_t size, int grey, cvision_colour **out,
                                     char *message);
/// Converts in place; NULL has no effect.
void cvision_colour_apply(const cvision_colour *colour, uint8_t *rgb, size_t pixels);
void cvision_colour_free(cvision_colour *colour);

/// Encodes RGB as PNG into memory that `cvision_free` releases.
cvision_status cvision_encode_png(const uint8_t *rgb, int32_t width, int32_t height, uint8_t **out, size_t *out_size,
                                  char *message);

/// Encodes RGB as JPEG likewise; `quality` is 1 to 100.
cvision_status cvision_encode_jpeg(const uint8_t *rgb, int32_t width, int32_t height, int32_t quality, uint8_t **out,
                                   size_t *out_size, char *message);

/// Releases the output of a `cvision_encode_*` function; NULL has no effect.
void cvision_free(void *memory);

// ---- Pixel geometry (geometry.cpp) ----

typedef struct cvision_image {
  const uint8_t *rgb;
  int32_t width;
  int32_t height;
} cvision_image;

/// Rotates and mirrors stored pixels upright by an EXIF orientation 1-8. For 5-8 `out` is height x width.
cvision_status cvision_orient(cvision_image image, int32_t orientation, uint8_t *out);

/// Resizes by area averaging when shrinking, bilinear when enlarging.
cvision_status cvision_resize(cvision_image image, int32_t width, int32_t height, uint8_t *out);

/// Averages squares of `side` pixels (1 to 64), starting at the first pixel; at the far edges, the existing part of a
/// square. `out` holds 3 * ceil(width / side) * ceil(height / side) bytes.
cvision_status cvision_reduce(cvision_image image, int32_t side, uint8_t *out);

/// Warps a `width` x `height` crop. `map` takes crop pixel centres to image pixel centres:
///   x_image = map[0] * x + map[1] * y + map[2],  y_image = map[3] * x + map[4] * y + map[5].
/// Bilinear; where the map shrinks by two or more, the part of the image that is used is first reduced by area
/// averaging to avoid aliasing. Outside, the image is black or, if `mirrored`, mirrored at its edges.
cvision_status cvision_crop(cvision_image image, const double map[6], int32_t width, int32_t height, int mirrored,
                            uint8_t *out);

enum { CVISION_INTERLEAVED, CVISION_PLANES, CVISION_PLANES_BGR };

/// out = (byte + bias[channel]) * scale, for `pixels` RGB pixels; `planar` is one of the three layouts above.
void cvision_normalise(const uint8_t *rgb, size_t pixels, const float bias[3], float scale, int planar, float *out);

/// A camera frame in luma and chroma (BT.601; luma 16 to 235, chroma 16 to 240 with 128 neutral), planar or
/// interleaved.
typedef struct cvision_yuv {
  const uint8_t *y, *u, *v;
  size_t y_stride, uv_stride;  // bytes between rows
  int32_t y_step, uv_step;     // bytes between samples; a chroma sample covers two pixels of a row
  int32_t rows;                // rows that a row of chroma covers
} cvision_yuv;

void cvision_yuv_to_rgb(const cvision_yuv *frame, int32_t width, int32_t height, uint8_t *out);

/// Rec. 601 luma of each pixel, rounded.
void cvision_luma(const uint8_t *rgb, size_t pixels, uint8_t *out);

// ---- Lines of text (textregions.cpp) ----

/// A rotated rectangle around a line of text.
typedef struct cvision_text_region {
  float x, y;           // its centre, in pixels from the corner of the first pixel
  float width, height;  // of its sides
  float angle;          // radians, clockwise, from the x-axis to the side `width`
} cvision_text_region;

/// Finds lines of text in the output of a network that was trained for differentiable binarisation (Liao et al. 2020):
/// the likelihood of each pixel to be in the core of a line. Writes up to `capacity` lines and their number.
cvision_status cvision_text_regions(const float *likelihood, int32_t width, int32_t height, cvision_text_region *out,
                                    size_t capacity, size_t *count, char *message);

// ---- Outlines of documents (outlines.cpp) ----

/// The corners of a document (x and y of each), clockwise on the screen from any of them, in pixels from the corner of
/// the first pixel; they may be outside the picture.
typedef struct cvision_outline {
  float corners[8];
  float ratio;  // of its width to its height, if the first corner is the upper left one
} cvision_outline;

/// A network's output for a picture divided into square cells: the likelihoods of each to be inside a document and on its
/// edge, by rows.
typedef struct cvision_likelihoods {
  const float *inside;
  const float *edge;
  int32_t width, height;  // in cells
} cvision_likelihoods;

/// Finds cards and pages of the sizes of ISO/IEC 7810 by their edges, the most likely first. Writes up to `capacity`
/// outlines that do not overlap, and their number.
cvision_status cvision_find_outlines(cvision_image picture, cvision_likelihoods likely, cvision_outline *out,
                                     size_t capacity, size_t *count, char *message);

// ---- Drawing (draw.cpp), in place, anti-aliased, colours 0xRRGGBB, coordinates in pixels ----

void cvision_draw_line(uint8_t *rgb, int32_t width, int32_t height, double x0, double y0, double x1, double y1,
                       uint32_t colour, double thickness);
void cvision_draw_disc(uint8_t *rgb, int32_t width, int32_t height, double x, double y, double radius,
                       uint32_t colour);
/// A filled rectangle with its upper left corner at (x, y); `opacity` is 0 to 1.
void cvision_draw_rectangle(uint8_t *rgb, int32_t width, int32_t height, double x, double y, double columns,
                            double rows, uint32_t colour, double opacity);

// ---- Text (text.cpp), in UTF-8; `size` is the height of a capital letter, `strong` is 0 or 1 ----

/// Draws a line of text with the left end of its baseline at (x, y), on a dark plate if `plated` is not 0.
void cvision_draw_text(uint8_t *rgb, int32_t width, int32_t height, double x, double y, const char *text,
                       double size, uint32_t colour, int32_t strong, int32_t plated);
/// Returns the width of such a line in pixels; 0 for a size outside 1 to 4096.
double cvision_text_width(const char *text, double size, int32_t strong);

// ---- dlib (dlib.cpp, resnet.cpp) ----

typedef struct cvision_box {
  double x, y, width, height;
  double score;
} cvision_box;

/// dlib's frontal HOG detector. Not thread-safe.
typedef struct cvision_hog cvision_hog;
cvision_status cvision_hog_create(cvision_hog **out, char *message);
void cvision_hog_free(cvision_hog *detector);
/// Writes up to `capacity` boxes, best first, and their number. Finds faces of 80 pixels and more.
cvision_status cvision_hog_detect(cvision_hog *detector, cvision_image image, cvision_box *out, size_t capacity,
                                  size_t *count, char *message);

/// dlib's 5-point predictor. Immutable and thread-safe.
typedef struct cvision_points5 cvision_points5;
cvision_status cvision_points5_create(const uint8_t *bytes, size_t size, cvision_points5 **out, char *message);
void cvision_points5_free(cvision_points5 *predictor);
/// Predicts five points x, y in the order of the chip template: the corners of the eye on the image's right (outer,
/// inner), of the eye on the image's left (outer, inner), the nose base.
cvision_status cvision_points5_predict(const cvision_points5 *predictor, cvision_image image, cvision_box box,
                                       double points[10], char *message);

/// A convolution with its normalisation folded in, or the last, fully connected layer (kernel 0). `weights` is
/// [outputs][inputs][kernel][kernel].
typedef struct cvision_layer {
  int32_t inputs, outputs, kernel, stride, padding;
  const float *weights;
  const float *bias;  // NULL for the fully connected layer
} cvision_layer;

/// dlib's face recognition network. Not thread-safe.
typedef struct cvision_resnet cvision_resnet;
/// Copies the layers, which must be in the order of the forward pass: the first convolution, two for each residual
/// block, the fully connected layer.
cvision_status cvision_resnet_create(const cvision_layer *layers, size_t count, cvision_resnet **out, char *message);
void cvision_resnet_free(cvision_resnet *network);
/// Computes the 128 numbers of one 150 x 150 chip.
cvision_status cvision_resnet_embed(cvision_resnet *network, const uint8_t *chip, float out[128], char *message);

// ---- Codes: read by zxing-cpp (codes.c), located and measured by texture (codelocator.cpp, codemeasures.cpp) ----

/// Grey pixels, one byte each, `stride` bytes between rows.
typedef struct cvision_grey {
  const uint8_t *pixels;
  int32_t width;
  int32_t height;
  int32_t stride;
} cvision_grey;

/// Searches beyond upright dark codes; bits.
enum {
  CVISION_CODES_TURNED = 1,
  CVISION_CODES_INVERTED = 2,
  CVISION_CODES_REDUCED = 4,
  CVISION_CODES_HARDER = 8,  // more rows of a linear code, more methods of finding the corners of others
  CVISION_CODES_ONE_LEVEL = 16,  // one black level for the whole picture, not one for each part
};

/// The content type of a code, numbered as in ZXing_ContentType.
enum { CVISION_CODE_BINARY = 1, CVISION_CODE_GS1 = 3 };

/// A decoded code. Pointers are valid until it is freed.
typedef struct cvision_code {
  int32_t format;       // one of `cvision_code_format`
  int32_t content;
  char identifier[4];   // ISO/IEC 15424: "]Q1"
  const uint8_t *bytes;  // as in the code
  size_t byte_count;
  const uint8_t *marked;  // the same after the identifier, with ECI marks of seven bytes, as a scanner sends them
  size_t marked_count;
  const char *text;       // UTF-8
  int32_t corners[8];     // x and y: upper left in reading direction, then clockwise
  int32_t is_inverted, is_mirrored;
  const char *unused_correction;  // unused fraction of the error correction, 0 to 1, in digits; empty if unknown
  int32_t sequence_index, sequence_size;  // of codes that form one message; -1 if not
} cvision_code;

/// Returns the number of a format by zxing-cpp's name for it, 0 if the name is unknown.
int32_t cvision_code_format(const char *name);

/// Reads codes of `count` formats, at most `most` (1 to 255), into memory that `cvision_codes_free` releases. `out` is
/// set to NULL if none was read.
cvision_status cvision_read_codes(cvision_grey picture, const int32_t *formats, int32_t count, int32_t looks, int32_t most,
                                  cvision_code **out, int32_t *out_count, char *message);
void cvision_codes_free(cvision_code *codes, int32_t count);

/// Makes a QR code of UTF-8 text with error correction level M and no quiet zone: `modules` receives `*side` rows of as
/// many bytes, 0 for dark and 255 for light. CVISION_E_LIMIT if the text is too long.
enum { CVISION_QR_MAX_SIDE = 177 };
cvision_status cvision_write_qr(const char *text, uint8_t modules[CVISION_QR_MAX_SIDE * CVISION_QR_MAX_SIDE], int32_t *side,
                                char *message);

/// The location and measurements of a probable code.
typedef struct cvision_code_place {
  float corners[8];    // x and y of each, around it
  float likeness;      // 0 to 1: similarity of its texture to a code's
  float contrast;      // grey levels between its dark and its light
  float edge;          // pixels from dark to light at its sharpest edges
  float module;        // pixels across its narrowest bars or smallest squares
  float stretch;       // their length over their width; 0 for linear codes
  float elongation;    // its extent along the longer sides of its squares over that across them
  float taper;         // its longer side over the opposite one, for the pair that differs more
  float slant;         // degrees from a right angle of its two directions, or of bars and the line of their ends
  float glare;         // fraction of its area that is white and without texture
  int32_t is_on_white; // whether its paper is as white as a reflection
  int32_t is_linear;
  int32_t cut;         // sides of the picture that it touches; bits: left, top, right, bottom
} cvision_code_place;

/// The networks of the code locator. Immutable and thread-safe.
typedef struct cvision_code_networks cvision_code_networks;
/// Copies the networks from the content of models/code-locator.bin. Returns CVISION_E_DAMAGED if it is none.
cvision_status cvision_code_networks_create(const uint8_t *bytes, size_t size, cvision_code_networks **out,
                                            char *message);
void cvision_code_networks_free(cvision_code_networks *networks);

/// Locates codes, readable or not, the most likely first: at most `most`; `count` receives their number.
cvision_status cvision_find_codes(const cvision_code_networks *networks, cvision_grey picture, int32_t most,
                                  cvision_code_place *out, int32_t *count, char *message);

/// Enlarges (bicubic) or shrinks (means) a part of a picture to `columns` x `rows` and optionally sharpens it, or bends
/// it: columns by `bend_x` of the width, and rows by `bend_y` of the height, at the ends against the middle.
cvision_status cvision_resize_part(cvision_grey picture, int32_t x, int32_t y, int32_t width, int32_t height,
                               int32_t columns, int32_t rows, int sharpened, float bend_x, float bend_y, uint8_t *out);

/// Rectifies the quadrilateral of four corners (x and y of each; upper left, then clockwise) to an upright rectangle.
cvision_status cvision_rectify(cvision_grey picture, const float corners[8], int32_t columns, int32_t rows,
                               uint8_t *out);

/// As above, in colour and black outside the picture.
cvision_status cvision_rectify_colour(cvision_image image, const float corners[8], int32_t columns, int32_t rows,
                                      uint8_t *out);

// ---- Libraries in use (libraries.cpp) ----

/// Returns the name of a third-party library, NULL past the last one, and writes its version, or the name of its file,
/// into CVISION_MESSAGE bytes: empty if it is not installed or unknown.
const char *cvision_library(size_t index, char *version);

#ifdef __cplusplus
}
#endif

#endif
