#include "cpage.h"

#include <malloc.h>
#include <string.h>
#include <zlib.h>

// #embed is C23; clang accepts it in all versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Text files, which contain no NUL.
static const struct { const char *name, *text; } files[] = {
    {"openapi.json", (const char[]){
#embed "../FaceVerifyServer/openapi.json" suffix(, 0)
    }}, {"api.js", (const char[]){
#embed "../FaceVerifyServer/Resources/api.js" suffix(, 0)
    }}, {"app.css", (const char[]){
#embed "../FaceVerifyServer/Resources/app.css" suffix(, 0)
    }}, {"app.js", (const char[]){
#embed "../FaceVerifyServer/Resources/app.js" suffix(, 0)
    }}, {"bridge.js", (const char[]){
#embed "../FaceVerifyServer/Resources/bridge.js" suffix(, 0)
    }}, {"camera.js", (const char[]){
#embed "../FaceVerifyServer/Resources/camera.js" suffix(, 0)
    }}, {"dom.js", (const char[]){
#embed "../FaceVerifyServer/Resources/dom.js" suffix(, 0)
    }}, {"frames.js", (const char[]){
#embed "../FaceVerifyServer/Resources/frames.js" suffix(, 0)
    }}, {"i18n/ar.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/ar.json" suffix(, 0)
    }}, {"i18n/de.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/de.json" suffix(, 0)
    }}, {"i18n/en.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/en.json" suffix(, 0)
    }}, {"i18n/es.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/es.json" suffix(, 0)
    }}, {"i18n/fr.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/fr.json" suffix(, 0)
    }}, {"i18n/it.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/it.json" suffix(, 0)
    }}, {"i18n/pl.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/pl.json" suffix(, 0)
    }}, {"i18n/pt.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/pt.json" suffix(, 0)
    }}, {"i18n/tr.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/tr.json" suffix(, 0)
    }}, {"i18n/uk.json", (const char[]){
#embed "../FaceVerifyServer/Resources/i18n/uk.json" suffix(, 0)
    }}, {"icon.svg", (const char[]){
#embed "../FaceVerifyServer/Resources/icon.svg" suffix(, 0)
    }}, {"index.html", (const char[]){
#embed "../FaceVerifyServer/Resources/index.html" suffix(, 0)
    }}, {"machine.js", (const char[]){
#embed "../FaceVerifyServer/Resources/machine.js" suffix(, 0)
    }}, {"oval.js", (const char[]){
#embed "../FaceVerifyServer/Resources/oval.js" suffix(, 0)
    }}, {"parts.js", (const char[]){
#embed "../FaceVerifyServer/Resources/parts.js" suffix(, 0)
    }}, {"pictograms.js", (const char[]){
#embed "../FaceVerifyServer/Resources/pictograms.js" suffix(, 0)
    }}, {"screens.js", (const char[]){
#embed "../FaceVerifyServer/Resources/screens.js" suffix(, 0)
    }}, {"select.js", (const char[]){
#embed "../FaceVerifyServer/Resources/select.js" suffix(, 0)
    }}, {"shell.js", (const char[]){
#embed "../FaceVerifyServer/Resources/shell.js" suffix(, 0)
    }}, {"signals.js", (const char[]){
#embed "../FaceVerifyServer/Resources/signals.js" suffix(, 0)
    }}, {"theme.css", (const char[]){
#embed "../FaceVerifyServer/Resources/theme.css" suffix(, 0)
    }}, {"words.js", (const char[]){
#embed "../FaceVerifyServer/Resources/words.js" suffix(, 0)
    }},
};

cpage_file cpage_file_at(size_t index) {
  if (index >= sizeof files / sizeof *files) return (cpage_file){0};
  return (cpage_file){files[index].name, files[index].text, strlen(files[index].text)};
}

size_t cpage_gzip(const unsigned char *bytes, size_t size, unsigned char *out, size_t capacity) {
  z_stream stream = {0};
  // A window of 15 bits; 16 selects the gzip format (zlib.h, deflateInit2).
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  const int status = deflate(&stream, Z_FINISH);
  const size_t written = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? written : 0;
}

void cpage_trim(void) { malloc_trim(0); }

void cpage_share_heap(void) { mallopt(M_ARENA_MAX, 1); }
