// Codes, read and written by zxing-cpp through its C interface.
#include <ZXingC.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cvision.h"

int32_t cvision_code_format(const char *name) {
  ZXing_BarcodeFormat format = ZXing_BarcodeFormatFromString(name);
  return format == ZXing_BarcodeFormat_Invalid ? 0 : (int32_t)format;
}

/// Takes ownership of what zxing-cpp allocates for a code. Returns 0 if memory ran out.
static int take(const ZXing_Barcode *code, cvision_code *out) {
  int count = 0;
  out->format = (int32_t)ZXing_Barcode_format(code);
  out->content = (int32_t)ZXing_Barcode_contentType(code);
  char *identifier = ZXing_Barcode_symbologyIdentifier(code);
  if (identifier) snprintf(out->identifier, sizeof out->identifier, "%s", identifier);
  ZXing_free(identifier);
  out->bytes = ZXing_Barcode_bytes(code, &count);
  out->byte_count = count > 0 ? (size_t)count : 0;
  out->marked = ZXing_Barcode_bytesECI(code, &count);
  out->marked_count = count > 0 ? (size_t)count : 0;
  out->text = ZXing_Barcode_text(code);
  ZXing_Position position = ZXing_Barcode_position(code);
  const ZXing_PointI corners[] = {position.topLeft, position.topRight, position.bottomRight, position.bottomLeft};
  for (int i = 0; i < 4; i++) {
    out->corners[2 * i] = corners[i].x;
    out->corners[2 * i + 1] = corners[i].y;
  }
  out->is_inverted = ZXing_Barcode_isInverted(code);
  out->is_mirrored = ZXing_Barcode_isMirrored(code);
  out->unused_correction = ZXing_Barcode_extra(code, "UEC");
  out->sequence_index = ZXing_Barcode_sequenceIndex(code);
  out->sequence_size = ZXing_Barcode_sequenceSize(code);
  return out->bytes && out->marked && out->text && out->unused_correction;
}

static ZXing_ReaderOptions *make_options(const int32_t *formats, int32_t count, int32_t looks, int32_t most) {
  ZXing_ReaderOptions *options = ZXing_ReaderOptions_new();
  ZXing_BarcodeFormat *list = malloc((size_t)count * sizeof *list);
  if (!options || !list) {
    ZXing_ReaderOptions_delete(options);
    free(list);
    return NULL;
  }
  for (int32_t i = 0; i < count; i++) list[i] = (ZXing_BarcodeFormat)formats[i];
  ZXing_ReaderOptions_setFormats(options, list, count);
  free(list);
  ZXing_ReaderOptions_setTryRotate(options, (looks & CVISION_CODES_TURNED) != 0);
  ZXing_ReaderOptions_setTryInvert(options, (looks & CVISION_CODES_INVERTED) != 0);
  ZXing_ReaderOptions_setTryDownscale(options, (looks & CVISION_CODES_REDUCED) != 0);
  ZXing_ReaderOptions_setTryHarder(options, (looks & CVISION_CODES_HARDER) != 0);
  if (looks & CVISION_CODES_ONE_LEVEL) ZXing_ReaderOptions_setBinarizer(options, ZXing_Binarizer_GlobalHistogram);
  ZXing_ReaderOptions_setTextMode(options, ZXing_TextMode_Plain);
  ZXing_ReaderOptions_setMaxNumberOfSymbols(options, most);
  return options;
}

static cvision_status fail(char *message, cvision_status status, const char *text) {
  if (message) snprintf(message, CVISION_MESSAGE, "%s", text);
  return status;
}

cvision_status cvision_read_codes(cvision_grey picture, const int32_t *formats, int32_t count, int32_t looks, int32_t most,
                                  cvision_code **out, int32_t *out_count, char *message) {
  if (!out || !out_count) return CVISION_E_ARGUMENT;
  *out = NULL;
  *out_count = 0;
  if (!picture.pixels || picture.width <= 0 || picture.height <= 0 || picture.stride < picture.width || !formats ||
      count <= 0 || most < 1 || most > 255) {
    return fail(message, CVISION_E_ARGUMENT, "no picture, no formats, or no code is requested");
  }
  ZXing_ReaderOptions *options = make_options(formats, count, looks, most);
  ZXing_ImageView *view = ZXing_ImageView_new(picture.pixels, picture.width, picture.height, ZXing_ImageFormat_Lum,
                                              picture.stride, 1);
  ZXing_Barcodes *found = options && view ? ZXing_ReadBarcodes(view, options) : NULL;
  ZXing_ReaderOptions_delete(options);
  ZXing_ImageView_delete(view);
  if (!found) {
    char *why = ZXing_LastErrorMsg();
    fail(message, CVISION_E_INTERNAL, why ? why : "zxing-cpp failed");
    ZXing_free(why);
    return CVISION_E_INTERNAL;
  }
  cvision_status status = CVISION_OK;
  int size = ZXing_Barcodes_size(found);
  cvision_code *codes = size > 0 ? calloc((size_t)size, sizeof *codes) : NULL;
  if (size > 0 && !codes) status = fail(message, CVISION_E_MEMORY, "out of memory");
  for (int i = 0; codes && i < size; i++) {
    if (!take(ZXing_Barcodes_at(found, i), &codes[i])) status = fail(message, CVISION_E_MEMORY, "out of memory");
  }
  ZXing_Barcodes_delete(found);
  if (status != CVISION_OK) {
    cvision_codes_free(codes, size);
    return status;
  }
  *out = codes;
  *out_count = codes ? size : 0;
  return status;
}

void cvision_codes_free(cvision_code *codes, int32_t count) {
  for (int32_t i = 0; codes && i < count; i++) {
    ZXing_free((void *)codes[i].bytes);
    ZXing_free((void *)codes[i].marked);
    ZXing_free((void *)codes[i].text);
    ZXing_free((void *)codes[i].unused_correction);
  }
  free(codes);
}

cvision_status cvision_write_qr(const char *text, uint8_t modules[CVISION_QR_MAX_SIDE * CVISION_QR_MAX_SIDE], int32_t *side,
                                char *message) {
  if (!text || !*text || !modules || !side) return fail(message, CVISION_E_ARGUMENT, "no text");
  ZXing_CreatorOptions *options = ZXing_CreatorOptions_new(ZXing_BarcodeFormat_QRCode);
  ZXing_WriterOptions *drawing = ZXing_WriterOptions_new();
  ZXing_Barcode *code = NULL;
  ZXing_Image *picture = NULL;
  cvision_status status = CVISION_E_MEMORY;
  if (options && drawing) {
    ZXing_CreatorOptions_setOptions(options, "{\"ecLevel\":\"4\"}");  // of 8: M
    ZXing_WriterOptions_setScale(drawing, 1);
    ZXing_WriterOptions_setAddQuietZones(drawing, false);
    code = ZXing_CreateBarcodeFromText(text, 0, options);
    picture = code ? ZXing_WriteBarcodeToImage(code, drawing) : NULL;
    status = code ? CVISION_E_MEMORY : CVISION_E_LIMIT;
  }
  int width = picture ? ZXing_Image_width(picture) : 0;
  if (width > 0 && width <= CVISION_QR_MAX_SIDE && ZXing_Image_height(picture) == width) {
    memcpy(modules, ZXing_Image_data(picture), (size_t)width * (size_t)width);
    *side = width;
    status = CVISION_OK;
  }
  ZXing_Image_delete(picture);
  ZXing_Barcode_delete(code);
  ZXing_WriterOptions_delete(drawing);
  ZXing_CreatorOptions_delete(options);
  return status == CVISION_OK ? status : fail(message, status, "no QR code can be made of this text");
}
