#include "cpage.h"

// #embed is C23; clang accepts it in all versions of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../FaceVerifyServer/openapi.json"
};
static const unsigned char api_js[] = {
#embed "../FaceVerifyServer/Resources/api.js"
};
static const unsigned char app_css[] = {
#embed "../FaceVerifyServer/Resources/app.css"
};
static const unsigned char app_js[] = {
#embed "../FaceVerifyServer/Resources/app.js"
};
static const unsigned char bridge_js[] = {
#embed "../FaceVerifyServer/Resources/bridge.js"
};
static const unsigned char camera_js[] = {
#embed "../FaceVerifyServer/Resources/camera.js"
};
static const unsigned char dom_js[] = {
#embed "../FaceVerifyServer/Resources/dom.js"
};
static const unsigned char frames_js[] = {
#embed "../FaceVerifyServer/Resources/frames.js"
};
static const unsigned char i18n_ar_json[] = {
#embed "../FaceVerifyServer/Resources/i18n/ar.json"
};
static const unsigned char i18n_de_json[] = {
#embed "../FaceVerifyServer/Resources/i18n/de.json"
};
static const unsigned char i18n_en_json[] = {
#embed "../FaceVerifyServer/Resources/i18n/en.json"
};
static const unsigned char icon_svg[] = {
#embed "../FaceVerifyServer/Resources/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../FaceVerifyServer/Resources/index.html"
};
static const unsigned char machine_js[] = {
#embed "../FaceVerifyServer/Resources/machine.js"
};
static const unsigned char oval_js[] = {
#embed "../FaceVerifyServer/Resources/oval.js"
};
static const unsigned char pictograms_js[] = {
#embed "../FaceVerifyServer/Resources/pictograms.js"
};
static const unsigned char screens_js[] = {
#embed "../FaceVerifyServer/Resources/screens.js"
};
static const unsigned char theme_css[] = {
#embed "../FaceVerifyServer/Resources/theme.css"
};
static const unsigned char words_js[] = {
#embed "../FaceVerifyServer/Resources/words.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const cpage_file files[] = {
    FILE("openapi.json", openapi_json),
    FILE("api.js", api_js),
    FILE("app.css", app_css),
    FILE("app.js", app_js),
    FILE("bridge.js", bridge_js),
    FILE("camera.js", camera_js),
    FILE("dom.js", dom_js),
    FILE("frames.js", frames_js),
    FILE("i18n/ar.json", i18n_ar_json),
    FILE("i18n/de.json", i18n_de_json),
    FILE("i18n/en.json", i18n_en_json),
    FILE("icon.svg", icon_svg),
    FILE("index.html", index_html),
    FILE("machine.js", machine_js),
    FILE("oval.js", oval_js),
    FILE("pictograms.js", pictograms_js),
    FILE("screens.js", screens_js),
    FILE("theme.css", theme_css),
    FILE("words.js", words_js),
};

const cpage_file *cpage_file_at(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
