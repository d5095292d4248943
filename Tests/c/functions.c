/* SPDX-License-Identifier: Apache-2.0 */
/* Every exported function, used according to the header, with real photos and their expected results. */
#include <sys/stat.h>

#include "json.h"
#include "test.h"

static fv_engine *engine;

static int is_hexadecimal(const char *text, size_t length) {
  return text != NULL && strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

static int is_near(double found, double expected, double tolerance) { return fabs(found - expected) <= tolerance; }

/* Rows: J3 */
static void the_version_matches_the_header(void) {
  unsigned major, minor, patch;
  CHECK(fv_version_number() == FV_VERSION_NUMBER);
  CHECK(sscanf(fv_version_string(), "%u.%u.%u", &major, &minor, &patch) == 3);
  CHECK(major == FV_VERSION_MAJOR && minor == FV_VERSION_MINOR && patch == FV_VERSION_PATCH);
  CHECK(10000 * major + 100 * minor + patch == FV_VERSION_NUMBER);
}

static void statuses_have_names(void) {
  static const struct {
    fv_status status;
    const char *name;
    fv_bool is_retryable;
  } all[] = {
      {FV_OK, "ok", 0},
      {FV_E_BAD_ARGUMENT, "bad-argument", 0},
      {FV_E_UNREADABLE, "unreadable", 1},
      {FV_E_UNKNOWN_FORMAT, "unknown-format", 1},
      {FV_E_DAMAGED, "damaged", 1},
      {FV_E_TOO_LARGE, "too-large", 1},
      {FV_E_NO_FACE, "no-face", 1},
      {FV_E_INCOMPATIBLE_TEMPLATE, "incompatible-template", 0},
      {FV_E_MODEL_MISSING, "model-missing", 0},
      {FV_E_MODEL_MISMATCH, "model-mismatch", 0},
      {FV_E_UNSUPPORTED_RATE, "unsupported-rate", 0},
      {FV_E_UNWRITABLE, "unwritable", 0},
      {FV_E_WRONG_STATE, "wrong-state", 0},
      {FV_E_INTERNAL, "internal", 0},
      {FV_E_BUSY, "busy", 1},
      {FV_E_ABSENT, "absent", 0},
      {FV_E_VERSION, "version", 0},
      {FV_E_TIMEOUT, "timeout", 1},
      {FV_E_CANCELLED, "cancelled", 0},
      {FV_E_BUFFER_TOO_SMALL, "buffer-too-small", 0},
      {FV_E_NO_TEMPLATE, "no-template", 1},
      {1, "unknown", 0},
      {-21, "unknown", 0},
      {INT32_MIN, "unknown", 0},
  };
  size_t i;
  for (i = 0; i < COUNT(all); i++) {
    CHECK_TEXT(all[i].name, fv_status_name(all[i].status));
    CHECK(fv_status_is_retryable(all[i].status) == all[i].is_retryable);
  }
}

/* Rows: J11 V4.9-d */
static void an_engine_is_preloaded_and_described(void) {
  char message[FV_MESSAGE_BYTES] = "not touched";
  CHECK_STATUS(FV_OK, fv_engine_preload(engine, message, sizeof message));
  CHECK_TEXT("", message);
  CHECK(is_json(fv_engine_json(engine)));
  CHECK(strstr(fv_engine_json(engine), fv_version_string()) != NULL);
  CHECK(fv_engine_json(engine) == fv_engine_json(engine));
}

static void thresholds_have_their_rates(void) {
  static const double rates[] = {1e-2, 5e-3, 1e-3, 5e-4, 1e-4};
  double last = INFINITY, missed = 0;
  char message[FV_MESSAGE_BYTES];
  size_t i;
  fv_threshold threshold = FV_THRESHOLD_INIT;
  for (i = 0; i < COUNT(rates); i++) {
    CHECK_STATUS(FV_OK, fv_engine_threshold(&threshold, engine, rates[i], NULL, 0));
    CHECK(threshold.false_match_rate == rates[i]);
    CHECK(threshold.score < last && (threshold.false_matches >= 1) == (rates[i] > 2e-4));
    CHECK(threshold.false_match_rate_lower <= rates[i] && rates[i] <= threshold.false_match_rate_upper);
    CHECK(threshold.false_non_match_rate_lower <= threshold.false_non_match_rate);
    CHECK(threshold.false_non_match_rate <= threshold.false_non_match_rate_upper);
    CHECK(threshold.false_non_match_rate > missed && threshold.false_non_match_rate_upper < 0.5);
    last = threshold.score;
    missed = threshold.false_non_match_rate;
  }
  CHECK_STATUS(FV_E_UNSUPPORTED_RATE, fv_engine_threshold(&threshold, engine, 1e-9, message, sizeof message));
  CHECK(*message != '\0' && strchr(message, '\n') == NULL);
}

static void a_rate_holds_among_people(void) {
  fv_threshold worst = FV_THRESHOLD_INIT, group = FV_THRESHOLD_INIT, all = FV_THRESHOLD_INIT;
  char message[FV_MESSAGE_BYTES];
  CHECK_STATUS(FV_OK, fv_engine_threshold(&worst, engine, 1e-3, NULL, 0));
  CHECK_STATUS(FV_OK, fv_engine_threshold_among(&group, engine, 1e-3, "worst-group", NULL, 0));
  CHECK(memcmp(&worst, &group, sizeof worst) == 0 && worst.false_match_rate_upper == 1e-3);
  CHECK_STATUS(FV_OK, fv_engine_threshold_among(&all, engine, 1e-3, "all", NULL, 0));
  CHECK(all.score > worst.score && all.overall_false_match_rate_upper == 1e-3 && all.false_match_rate_upper > 1e-3);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_threshold_among(&all, engine, 1e-3, "some", message, sizeof message));
  CHECK(strstr(message, "worst-group, all") != NULL);
}

/* Rows: J12 */
static void models_are_listed(void) {
  fv_models *all = NULL;
  size_t i;
  CHECK_STATUS(FV_OK, fv_models_check(&all, NULL, NULL, 0));
  CHECK(fv_models_count(all) > 4);
  CHECK(is_json(fv_models_json(all)));
  for (i = 0; i < fv_models_count(all); i++) {
    fv_model model = FV_MODEL_INIT;
    struct stat file;
    CHECK_STATUS(FV_OK, fv_models_at(&model, all, i));
    CHECK(*model.id && *model.role && *model.version && *model.licence);
    CHECK(strstr(fv_models_json(all), model.id) != NULL);
    if (model.is_optional && model.state == FV_MODEL_STATE_MISSING) {
      CHECK(strstr(model.remedy, "set retail") != NULL);
      continue;
    }
    CHECK(model.state == FV_MODEL_STATE_OK);
    CHECK_TEXT("", model.remedy);
    CHECK(stat(model.path, &file) == 0 && file.st_size == model.byte_count);
  }
  fv_models_free(all);
}

static void images_are_read(void) {
  const char *path = sample_path("obama.jpg");
  fv_image *from_file = NULL, *from_bytes = NULL;
  fv_image_info file = FV_IMAGE_INFO_INIT, memory = FV_IMAGE_INFO_INIT;
  fv_image_limits limits = FV_IMAGE_LIMITS_INIT;
  char message[FV_MESSAGE_BYTES];
  size_t count;
  unsigned char *bytes = read_file(path, &count);
  CHECK_STATUS(FV_OK, fv_image_from_file(&from_file, path, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_describe(&file, from_file));
  CHECK(file.width == 910 && file.height == 1137);
  CHECK_TEXT("jpeg", file.format);
  CHECK(is_hexadecimal(file.sha256, 64));

  CHECK_STATUS(FV_OK, fv_image_from_bytes(&from_bytes, bytes, count, &limits, NULL, 0));
  memset(bytes, 0, count);
  CHECK_STATUS(FV_OK, fv_image_describe(&memory, from_bytes));
  CHECK_TEXT(file.sha256, memory.sha256);
  fv_image_free(from_bytes);
  fv_image_free(from_file);
  free(bytes);

  limits.maximum_pixels = 910 * 1137 - 1;
  CHECK_STATUS(FV_E_TOO_LARGE, fv_image_from_file(&from_file, path, &limits, message, sizeof message));
  CHECK(from_file == NULL && strstr(message, "910") != NULL);
  limits.maximum_pixels++;
  CHECK_STATUS(FV_OK, fv_image_from_file(&from_file, path, &limits, NULL, 0));
  fv_image_free(from_file);
  limits.maximum_bytes = (int64_t)count - 1;
  CHECK_STATUS(FV_E_TOO_LARGE, fv_image_from_file(&from_file, path, &limits, NULL, 0));
}

/* The same 2 x 2 pixels in every order, with and without padding between the rows. */
static void pixels_are_read(void) {
  static const struct {
    int64_t format, row_stride;
    unsigned char bytes[18];
    size_t count;
  } views[] = {
      {FV_PIXEL_FORMAT_RGB8, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12},
      {FV_PIXEL_FORMAT_RGB8, 6, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12},
      {FV_PIXEL_FORMAT_RGB8, 9, {1, 2, 3, 4, 5, 6, 0, 0, 0, 7, 8, 9, 10, 11, 12}, 15},
      {FV_PIXEL_FORMAT_BGR8, 0, {3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10}, 12},
      {FV_PIXEL_FORMAT_RGBA8, 0, {1, 2, 3, 0, 4, 5, 6, 9, 7, 8, 9, 0, 10, 11, 12, 9}, 16},
      {FV_PIXEL_FORMAT_BGRA8, 0, {3, 2, 1, 0, 6, 5, 4, 9, 9, 8, 7, 0, 12, 11, 10, 9}, 16},
  };
  static const char *const sha256 = "206402cab345415716d9a33469feba57a90dc200c064bc0190b4191af058b0eb";
  static const unsigned char grey[] = {1, 2, 3, 4}, as_rgb[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
  char hash_of_grey[65] = "";
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  fv_image *image = NULL;
  size_t i;
  view.width = view.height = 2;
  for (i = 0; i < COUNT(views); i++) {
    unsigned char *bytes = (unsigned char *)guarded(views[i].count);
    memcpy(bytes, views[i].bytes, views[i].count);
    view.data = bytes;
    view.byte_count = views[i].count;
    view.row_stride = views[i].row_stride;
    view.pixel_format = views[i].format;
    CHECK_STATUS(FV_OK, fv_image_from_pixels(&image, &view, NULL, NULL, 0));
    CHECK_STATUS(FV_OK, fv_image_describe(&info, image));
    CHECK(info.width == 2 && info.height == 2);
    CHECK_TEXT("pixels", info.format);
    CHECK_TEXT(sha256, info.sha256);
    fv_image_free(image);
  }

  view.row_stride = 0;
  view.pixel_format = FV_PIXEL_FORMAT_GRAY8;
  view.data = grey;
  view.byte_count = sizeof grey;
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&image, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, image));
  snprintf(hash_of_grey, sizeof hash_of_grey, "%s", info.sha256);
  fv_image_free(image);
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  view.data = as_rgb;
  view.byte_count = sizeof as_rgb;
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&image, &view, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, image));
  CHECK_TEXT(hash_of_grey, info.sha256);
  fv_image_free(image);
}

static void measures_are_listed(void) {
  static const char *const names[] = {"single-face-present",
                                      "inter-eye-distance",
                                      "head-size",
                                      "leftward-crop",
                                      "rightward-crop",
                                      "margin-above",
                                      "margin-below",
                                      "head-pose-yaw",
                                      "head-pose-pitch",
                                      "head-pose-roll",
                                      "eyes-open",
                                      "eyes-visible",
                                      "mouth-closed",
                                      "mouth-occlusion-prevention",
                                      "sharpness",
                                      "under-exposure",
                                      "over-exposure",
                                      "dynamic-range",
                                      "illumination-uniformity",
                                      "natural-colour"};
  size_t i;
  for (i = 0; i < COUNT(names); i++) CHECK_TEXT(names[i], fv_quality_measure_at(i));
  CHECK(fv_quality_measure_at(COUNT(names)) == NULL);
}

static int is_left_of(fv_point a, fv_point b) { return a.x < b.x; }

/* Within a picture of obama2.jpg's size. */
static int is_inside(double x, double y) { return x >= 0 && y >= 0 && x <= 626 && y <= 1200; }

static void faces_are_described(void) {
  fv_image *image = open_sample("obama2.jpg");
  fv_faces *found = NULL, *more = NULL;
  fv_face face = FV_FACE_INIT;
  size_t count = 0, i;
  double *mesh = (double *)guarded(FV_MESH_POINTS * 3 * sizeof(double));
  fv_point *left = (fv_point *)guarded(FV_EYE_POINTS * sizeof(fv_point));
  fv_point *right = (fv_point *)guarded(FV_EYE_POINTS * sizeof(fv_point));
  CHECK_STATUS(FV_OK, detect_faces(&found, engine, image, 0));
  CHECK_STATUS(FV_OK, detect_faces(&more, engine, image, 1));
  CHECK(fv_faces_count(found) == 1 && fv_faces_count(more) >= 1);
  CHECK_STATUS(FV_OK, fv_faces_at(&face, found, 0));
  CHECK(is_near(face.x, 174.3, 2) && is_near(face.y, 289.8, 2));
  CHECK(is_near(face.width, 316.4, 2) && is_near(face.height, 316.4, 2));
  CHECK(face.score > 0.5 && face.score <= 1 && face.turn == 0);
  CHECK(is_left_of(face.right_eye_outer, face.right_eye_inner));
  CHECK(is_left_of(face.right_eye_inner, face.left_eye_inner));
  CHECK(is_left_of(face.left_eye_inner, face.left_eye_outer));
  CHECK(face.nose_base.y > face.left_eye_inner.y);
  CHECK(is_near(face.inter_eye_distance, 117.7, 1));
  CHECK(is_near(face.yaw, -16.7, 1) && is_near(face.pitch, 0.1, 1) && is_near(face.roll, -6.9, 1));
  CHECK(is_near(face.left_eye_openness, 0.22, 0.02) && is_near(face.right_eye_openness, 0.24, 0.02));

  CHECK_STATUS(FV_OK, fv_faces_mesh(found, 0, NULL, 0, &count));
  CHECK(count == FV_MESH_POINTS);
  CHECK_STATUS(FV_OK, fv_faces_mesh(found, 0, mesh, FV_MESH_POINTS, &count));
  for (i = 0; i < count; i++) CHECK(is_inside(mesh[3 * i], mesh[3 * i + 1]) && fabs(mesh[3 * i + 2]) < face.width);
  /* Points 10 and 152 are the top of the forehead and the chin, 1 is the tip of the nose. */
  CHECK(mesh[3 * 10 + 1] < face.left_eye_inner.y && mesh[3 * 152 + 1] > face.nose_base.y);
  CHECK(mesh[3 * 1 + 2] < mesh[3 * 10 + 2] && mesh[3 * 1 + 2] < mesh[3 * 152 + 2]);

  count = 0;
  CHECK_STATUS(FV_OK, fv_faces_eye(found, 0, FV_EYE_LEFT, NULL, 0, &count));
  CHECK(count == FV_EYE_POINTS);
  CHECK_STATUS(FV_OK, fv_faces_eye(found, 0, FV_EYE_LEFT, left, FV_EYE_POINTS, &count));
  CHECK_STATUS(FV_OK, fv_faces_eye(found, 0, FV_EYE_RIGHT, right, FV_EYE_POINTS, &count));
  for (i = 0; i < count; i++) CHECK(is_left_of(right[i], left[i]) && is_inside(left[i].x, left[i].y));
  /* The iris's centre, 16, is between the centres of the lids, 4 and 12. */
  CHECK(left[12].y < left[16].y && left[16].y < left[4].y);

  CHECK(is_json(fv_faces_json(found)));
  fv_faces_free(more);
  fv_faces_free(found);
  fv_image_free(image);
}

static void a_picture_without_a_face_has_none(void) {
  unsigned char *grey = (unsigned char *)calloc(200, 200);
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_image *image = NULL;
  fv_faces *found = NULL;
  fv_sample *sample = NULL;
  view.data = grey;
  view.byte_count = 200 * 200;
  view.width = view.height = 200;
  view.pixel_format = FV_PIXEL_FORMAT_GRAY8;
  CHECK_STATUS(FV_OK, fv_image_from_pixels(&image, &view, NULL, NULL, 0));
  free(grey);
  CHECK_STATUS(FV_OK, detect_faces(&found, engine, image, 0));
  CHECK(found != NULL && fv_faces_count(found) == 0);
  CHECK(is_json(fv_faces_json(found)));
  CHECK_STATUS(FV_E_NO_FACE, sample_image(&sample, engine, image, NULL));
  CHECK(sample == NULL && strstr(said, "200") != NULL);
  CHECK_STATUS(FV_E_NO_FACE, assess_image(&sample, engine, image, NULL));
  fv_faces_free(found);
  fv_image_free(image);
}

static void check_quality(const fv_sample *sample) {
  double least = 100;
  size_t i;
  CHECK(is_json(fv_sample_json(sample)));
  for (i = 0; i < fv_sample_check_count(sample); i++) {
    fv_quality_check one = FV_QUALITY_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_sample_check_at(&one, sample, i));
    CHECK_TEXT(fv_quality_measure_at(i), one.measure);
    CHECK(*one.unit != '\0');
    CHECK((one.status == FV_CHECK_STATUS_PASSED) == (*one.advice == '\0'));
    CHECK((one.status == FV_CHECK_STATUS_FAILED) == (one.consequence != 0));
    if (one.status == FV_CHECK_STATUS_PASSED)
      CHECK(!(one.value < one.minimum) && !(one.value > one.maximum) && !(isnan(one.minimum) && isnan(one.maximum)));
    if (one.status == FV_CHECK_STATUS_FAILED) CHECK(one.value < one.minimum || one.value > one.maximum);
    CHECK(isnan(one.value) ? isnan(one.score) : one.score >= 0 && one.score <= 100);
    if (one.status != FV_CHECK_STATUS_NOT_CHECKED && one.score < least) least = one.score;
  }
  CHECK(i == 20 && fv_quality_measure_at(i) == NULL);
  CHECK(fv_sample_quality(sample) >= least && fv_sample_quality(sample) <= 100);
}

static void samples_are_described(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_sample *full = NULL, *quick = NULL;
  fv_face face = FV_FACE_INIT;
  CHECK_STATUS(FV_OK, sample_image(&full, engine, image, NULL));
  CHECK_STATUS(FV_OK, assess_image(&quick, engine, image, NULL));
  CHECK(fv_sample_is_accepted(full) == 1 && fv_sample_is_accepted(quick) == 1);
  check_quality(full);
  check_quality(quick);
  CHECK(fv_sample_quality(full) == fv_sample_quality(quick));
  CHECK(fv_sample_template(full) != NULL && fv_sample_template(quick) == NULL);
  CHECK(fv_sample_faces(full) == fv_sample_faces(full));
  CHECK_STATUS(FV_OK, fv_faces_at(&face, fv_sample_faces(full), 0));
  CHECK(face.inter_eye_distance > 100);
  fv_sample_free(quick);
  fv_sample_free(full);
  fv_image_free(image);
}

static void quality_policies_are_applied(void) {
  static const char *const names[] = {"selfie", "document-portrait", "chip-portrait"};
  fv_image *image = open_sample("obama.jpg");
  size_t i;
  for (i = 0; i < COUNT(names); i++) {
    fv_quality_policy *policy = NULL;
    fv_sample *sample = NULL;
    fv_quality_check eyes = FV_QUALITY_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_quality_policy_create(&policy, names[i], NULL, 0));
    CHECK_STATUS(FV_OK, fv_quality_policy_require(policy, "inter-eye-distance", 5000, NAN, 4000, NAN, NULL, 0));
    CHECK_STATUS(FV_OK, sample_image(&sample, engine, image, policy));
    CHECK(fv_sample_is_accepted(sample) == 0 && fv_sample_template(sample) == NULL);
    CHECK_STATUS(FV_OK, fv_sample_check_at(&eyes, sample, 1));
    CHECK_TEXT("inter-eye-distance", eyes.measure);
    CHECK(eyes.status == FV_CHECK_STATUS_FAILED && eyes.consequence == FV_CONSEQUENCE_REFUSE);
    CHECK(eyes.minimum == 5000 && isnan(eyes.maximum) && *eyes.advice != '\0');
    fv_sample_free(sample);

    CHECK_STATUS(FV_OK, fv_quality_policy_require(policy, "inter-eye-distance", 5000, NAN, NAN, NAN, NULL, 0));
    CHECK_STATUS(FV_OK, assess_image(&sample, engine, image, policy));
    CHECK_STATUS(FV_OK, fv_sample_check_at(&eyes, sample, 1));
    CHECK(eyes.status == FV_CHECK_STATUS_FAILED && eyes.consequence == FV_CONSEQUENCE_WARN);
    fv_sample_free(sample);

    CHECK_STATUS(FV_OK, fv_quality_policy_require(policy, "inter-eye-distance", NAN, NAN, NAN, NAN, NULL, 0));
    CHECK_STATUS(FV_OK, assess_image(&sample, engine, image, policy));
    CHECK_STATUS(FV_OK, fv_sample_check_at(&eyes, sample, 1));
    CHECK(eyes.status == FV_CHECK_STATUS_NOT_CHECKED && eyes.value > 100 && isnan(eyes.minimum));
    fv_sample_free(sample);
    fv_quality_policy_free(policy);
  }
  fv_image_free(image);
}

static void templates_survive_serialisation(void) {
  fv_sample *sample = take_sample(engine, "obama.jpg");
  const fv_template *made = fv_sample_template(sample);
  fv_template *read = NULL;
  fv_template_info before = FV_TEMPLATE_INFO_INIT, after = FV_TEMPLATE_INFO_INIT;
  fv_comparison comparison = FV_COMPARISON_INIT;
  char message[FV_MESSAGE_BYTES];
  size_t count = 0, again = 0;
  unsigned char *bytes = (unsigned char *)guarded(580), *copy = (unsigned char *)guarded(580);
  CHECK_STATUS(FV_OK, fv_template_serialise(made, NULL, 0, &count));
  CHECK(count == 580);
  CHECK_STATUS(FV_OK, fv_template_serialise(made, bytes, count, &again));
  CHECK(again == 580 && memcmp(bytes, "FVTEMPL", 7) == 0);
  CHECK_STATUS(FV_OK, fv_template_from_bytes(&read, bytes, count, NULL, 0));
  CHECK_STATUS(FV_OK, fv_template_serialise(read, copy, count, &again));
  CHECK(memcmp(bytes, copy, count) == 0);

  CHECK_STATUS(FV_OK, fv_template_describe(&before, made));
  CHECK_STATUS(FV_OK, fv_template_describe(&after, read));
  CHECK(is_hexadecimal(before.sha256, 64) && strlen(before.model_identifier) == 16);
  CHECK_TEXT(before.sha256, after.sha256);
  CHECK_TEXT(before.model_identifier, after.model_identifier);
  CHECK(before.quality == fv_sample_quality(sample) && after.quality == before.quality);

  CHECK_STATUS(FV_OK, compare_templates(&comparison, engine, made, read));
  CHECK(comparison.is_match == 1 && comparison.similarity == 100 && comparison.is_beyond_calibration == 1);
  fv_template_free(read);

  bytes[300] ^= 1;
  CHECK_STATUS(FV_E_DAMAGED, fv_template_from_bytes(&read, bytes, count, message, sizeof message));
  CHECK(read == NULL && *message != '\0');
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_template_from_bytes(&read, "no template", 11, NULL, 0));
  fv_sample_free(sample);
}

static void check_comparison(const fv_comparison *comparison, double rate) {
  double similarity = -25 * log10(comparison->false_match_rate_upper_bound);
  CHECK(comparison->struct_size == sizeof *comparison);
  CHECK(comparison->decided_at == rate);
  CHECK(comparison->is_match == (comparison->score <= comparison->threshold));
  CHECK(comparison->false_match_rate > 0 && comparison->false_match_rate <= 1);
  CHECK(comparison->false_match_rate <= comparison->false_match_rate_upper_bound);
  CHECK(is_near(comparison->similarity, similarity > 100 ? 100 : similarity, 1e-6));
  CHECK(comparison->is_match == (comparison->false_match_rate_upper_bound <= rate));
}

static void photos_of_one_person_match(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "obama2.jpg");
  fv_decision *again = compare_samples(engine, "obama.jpg", "obama2.jpg");
  fv_comparison comparison = FV_COMPARISON_INIT, of_templates = FV_COMPARISON_INIT;
  const fv_sample *selfie = fv_decision_selfie(decision), *portrait = fv_decision_portrait(decision);
  size_t i;
  CHECK(fv_decision_result(decision) == FV_RESULT_MATCH);
  CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, decision));
  check_comparison(&comparison, 1e-3);
  CHECK(comparison.score < -9 && comparison.is_match == 1);
  CHECK(selfie != NULL && portrait != NULL && selfie != portrait);
  CHECK_STATUS(FV_OK, compare_templates(&of_templates, engine, fv_sample_template(selfie),
                                        fv_sample_template(portrait)));
  CHECK(memcmp(&comparison, &of_templates, sizeof comparison) == 0);
  CHECK_TEXT("", said);
  for (i = 0; i < fv_decision_reason_count(decision); i++) {
    CHECK(strncmp(reason_of(decision, i).code, "portrait.", 9) == 0 ||
          strncmp(reason_of(decision, i).code, "selfie.", 7) == 0);
    CHECK(*reason_of(decision, i).text != '\0');
  }
  CHECK(reason_of(decision, i).code == NULL && reason_of(decision, i).text == NULL);
  CHECK(is_json(fv_decision_json(decision)));
  CHECK_TEXT(fv_decision_json(decision), fv_decision_json(again));
  fv_decision_free(again);
  fv_decision_free(decision);
}

static void copies_of_one_picture_do_not_match(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "obama.jpg");
  fv_comparison comparison = FV_COMPARISON_INIT;
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED);
  CHECK_TEXT("same-picture", reason_of(decision, 0).code);
  CHECK_STATUS(FV_E_ABSENT, fv_decision_comparison(&comparison, decision));
  fv_decision_free(decision);
}

static void photos_of_two_people_do_not_match(void) {
  fv_decision *decision = compare_samples(engine, "obama.jpg", "biden.jpg");
  fv_comparison comparison = FV_COMPARISON_INIT;
  CHECK(fv_decision_result(decision) == FV_RESULT_NO_MATCH);
  CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, decision));
  check_comparison(&comparison, 1e-3);
  CHECK(comparison.score > 3 && comparison.is_match == 0 && comparison.is_beyond_calibration == 0);
  CHECK(fv_decision_reason_count(decision) >= 1);
  CHECK_TEXT("score-beyond-threshold", reason_of(decision, 0).code);
  fv_decision_free(decision);
}

static fv_decision *compare_under(const fv_comparison_policy *policy) {
  fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
  fv_decision *decision = NULL;
  selfie.path = sample_path("obama.jpg");
  portrait.path = sample_path("obama2.jpg");
  require(fv_engine_compare(&decision, engine, &selfie, &portrait, policy, NULL, said, sizeof said), "compare", said);
  return decision;
}

static void policies_are_applied(void) {
  fv_quality_policy *strict = NULL;
  fv_comparison_policy policy = FV_COMPARISON_POLICY_INIT;
  fv_decision *decision;
  fv_comparison comparison = FV_COMPARISON_INIT;
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&strict, "selfie", NULL, 0));
  CHECK_STATUS(FV_OK, fv_quality_policy_require(strict, "inter-eye-distance", 5000, NAN, 5000, NAN, NULL, 0));
  policy.portrait = strict;
  policy.false_match_rate = 1e-4;
  decision = compare_under(&policy);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED);
  CHECK_TEXT("portrait.inter-eye-distance", reason_of(decision, 0).code);
  CHECK_STATUS(FV_E_ABSENT, fv_decision_comparison(&comparison, decision));
  CHECK(fv_sample_is_accepted(fv_decision_selfie(decision)) && !fv_sample_is_accepted(fv_decision_portrait(decision)));
  CHECK(is_json(fv_decision_json(decision)));
  fv_decision_free(decision);

  CHECK_STATUS(FV_OK, fv_quality_policy_require(strict, "inter-eye-distance", NAN, NAN, NAN, NAN, NULL, 0));
  decision = compare_under(&policy);
  CHECK_STATUS(FV_OK, fv_decision_comparison(&comparison, decision));
  check_comparison(&comparison, 1e-4);
  fv_decision_free(decision);
  fv_quality_policy_free(strict);
}

/* A PNG is lossless, a JPEG nearly. */
static void images_are_encoded(void) {
  static const struct {
    fv_image_encoding encoding;
    const char *start;
    int is_exact;
  } all[] = {{FV_IMAGE_ENCODING_PNG, "\x89PNG", 1}, {FV_IMAGE_ENCODING_JPEG, "\xFF\xD8\xFF", 0}};
  fv_image *image = open_sample("obama2.jpg");
  fv_sample *sample = take_sample(engine, "obama2.jpg");
  unsigned char *pixels[2];
  size_t count, i;
  CHECK_STATUS(FV_OK, fv_image_pixels(image, NULL, 0, &count, NULL, 0));
  pixels[0] = (unsigned char *)malloc(count);
  pixels[1] = (unsigned char *)malloc(count);
  CHECK_STATUS(FV_OK, fv_image_pixels(image, pixels[0], count, &count, NULL, 0));
  for (i = 0; i < COUNT(all); i++) {
    fv_image *again = NULL;
    fv_sample *of_file = NULL;
    fv_comparison comparison = FV_COMPARISON_INIT;
    size_t size = 0, written = 0;
    unsigned char *file;
    CHECK_STATUS(FV_OK, fv_image_encode(image, all[i].encoding, NULL, 0, &size, said, sizeof said));
    file = (unsigned char *)guarded(size);
    CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_image_encode(image, all[i].encoding, file, size - 1, &written, NULL, 0));
    CHECK(size > 1000 && written == size && file[0] == 0);
    CHECK_STATUS(FV_OK, fv_image_encode(image, all[i].encoding, file, size, &written, NULL, 0));
    CHECK(memcmp(file, all[i].start, strlen(all[i].start)) == 0);
    CHECK_STATUS(FV_OK, fv_image_from_bytes(&again, file, size, NULL, NULL, 0));
    CHECK_STATUS(FV_OK, fv_image_pixels(again, pixels[1], count, &written, NULL, 0));
    CHECK(written == count && (memcmp(pixels[0], pixels[1], count) == 0) == all[i].is_exact);
    CHECK_STATUS(FV_OK, sample_image(&of_file, engine, again, NULL));
    CHECK_STATUS(FV_OK,
                 compare_templates(&comparison, engine, fv_sample_template(sample), fv_sample_template(of_file)));
    CHECK(comparison.is_match == 1 && comparison.similarity == 100);
    fv_sample_free(of_file);
    fv_image_free(again);
  }
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_image_encode(image, 3, NULL, 0, &count, said, sizeof said));
  free(pixels[0]);
  free(pixels[1]);
  fv_sample_free(sample);
  fv_image_free(image);
}

typedef struct log {
  int lines[4];
  char last[FV_MESSAGE_BYTES];
} log_lines;

static void keep(fv_log_level level, const char *text, void *user) {
  log_lines *kept = (log_lines *)user;
  kept->lines[level]++;
  snprintf(kept->last, sizeof kept->last, "%s", text);
}

/* Logs describe the engine's calls, and contain no personal data. */
static void calls_are_logged(void) {
  log_lines kept = {{0, 0, 0, 0}, ""};
  fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
  fv_engine *talking = NULL;
  fv_image *image = open_sample("obama.jpg");
  fv_faces *found = NULL;
  fv_document *document = NULL;
  fv_document_input nothing = FV_DOCUMENT_INPUT_INIT;
  options.log = keep;
  options.log_user = &kept;
  CHECK_STATUS(FV_OK, fv_engine_create(&talking, FV_VERSION_NUMBER, &options, said, sizeof said));
  CHECK(kept.lines[FV_LOG_LEVEL_INFO] == 1 && strstr(kept.last, "loaded") != NULL);
  CHECK_STATUS(FV_OK, detect_faces(&found, talking, image, 0));
  CHECK(kept.lines[FV_LOG_LEVEL_DEBUG] == 1 && strncmp(kept.last, "detect: ok", 10) == 0);
  CHECK(strstr(kept.last, "obama") == NULL);
  CHECK_STATUS(FV_OK, fv_engine_preload(talking, said, sizeof said));
  CHECK(kept.lines[FV_LOG_LEVEL_DEBUG] == 2 && strncmp(kept.last, "preload: ok", 11) == 0);
  nothing.date = "2026-11-21";
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_read(&document, talking, &nothing, NULL, said, sizeof said));
  CHECK(strncmp(kept.last, "read-document: bad-argument", 27) == 0);
  fv_faces_free(found);
  fv_image_free(image);
  fv_engine_free(talking);
}

/* Comparing with many equals comparing each pair, for structs of any released length. */
static void one_template_is_compared_with_many(void) {
  static const char *const names[] = {"obama.jpg", "biden.jpg", "obama2.jpg"};
  struct longer {
    fv_comparison known;
    int64_t later;
  } found[3];
  fv_sample *samples[3];
  const fv_template *templates[3];
  fv_references references = FV_REFERENCES_INIT;
  fv_comparison expected = FV_COMPARISON_INIT;
  size_t i;
  for (i = 0; i < 3; i++) {
    samples[i] = take_sample(engine, names[i]);
    templates[i] = fv_sample_template(samples[i]);
  }
  references.templates = templates;
  references.template_count = 3;
  references.false_match_rate = 1e-4;
  memset(found, 0xAA, sizeof found);
  fv_struct_init(found, sizeof *found);
  CHECK_STATUS(FV_OK, fv_engine_compare_many(&found->known, engine, templates[0], &references, NULL, said,
                                             sizeof said));
  for (i = 0; i < 3; i++) {
    CHECK_STATUS(FV_OK, fv_engine_compare_templates(&expected, engine, templates[0], templates[i], 1e-4, NULL, 0));
    CHECK(found[i].known.struct_size == sizeof *found && found[i].later == 0);
    CHECK(memcmp(&found[i].known.score, &expected.score, sizeof expected - sizeof expected.struct_size) == 0);
    CHECK(found[i].known.is_match == (i != 1) && found[i].known.decided_at == 1e-4);
  }
  references.template_count = 0;
  CHECK_STATUS(FV_OK, fv_engine_compare_many(&found->known, engine, templates[0], &references, NULL, said,
                                             sizeof said));
  for (i = 0; i < 3; i++) fv_sample_free(samples[i]);
}

static void galleries_are_searched(void) {
  static const unsigned char key[32] = {1};
  fv_sample *one = take_sample(engine, "obama.jpg"), *same = take_sample(engine, "obama2.jpg");
  fv_sample *other = take_sample(engine, "biden.jpg");
  fv_candidates *found = NULL;
  fv_candidate first = FV_CANDIDATE_INIT;
  fv_candidates_info rests_on = FV_CANDIDATES_INFO_INIT;
  fv_gallery_info info = FV_GALLERY_INFO_INIT;
  fv_merge_options merged = FV_MERGE_OPTIONS_INIT;
  fv_budget over = {sizeof over, 1e-9, NULL};
  fv_gallery *gallery = make_gallery(engine), *again = NULL;
  fv_quality_policy *any = NULL;
  char path[64];
  snprintf(path, sizeof path, "%s", gallery_path(galleries_made));
  CHECK_STATUS(FV_OK, fv_quality_policy_create(&any, "any", said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_add(gallery, "one", fv_sample_template(one), said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_add(gallery, "other", fv_sample_template(other), said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_search(&found, gallery, fv_sample_template(same), 0, 0, NULL, said, sizeof said));
  CHECK(fv_candidates_count(found) == 2);
  CHECK_STATUS(FV_OK, fv_candidates_at(&first, found, 0));
  CHECK_TEXT("one", first.name);
  CHECK_TEXT("", first.other);
  CHECK(first.is_match == 1 && first.score < -9 && first.similarity == 100);
  CHECK_STATUS(FV_E_ABSENT, fv_candidates_at(&first, found, 2));
  CHECK_STATUS(FV_OK, fv_candidates_describe(&rests_on, found));
  CHECK(rests_on.template_count == 2 && rests_on.comparison_count == 2 && rests_on.rate == 1e-2);
  CHECK(rests_on.comparison_rate == 5e-3 && rests_on.threshold > first.score);
  CHECK_TEXT("", rests_on.note);
  CHECK(strstr(fv_candidates_json(found), "\"path\" : \"one\"") != NULL);
  fv_candidates_free(found);
  CHECK_STATUS(FV_OK, fv_gallery_search(&found, gallery, fv_sample_template(same), 1, 1e-9, NULL, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_candidates_describe(&rests_on, found));
  CHECK(fv_candidates_count(found) == 1 && isnan(rests_on.threshold) && strlen(rests_on.note) > 20);
  fv_candidates_free(found);
  CHECK_STATUS(FV_OK, fv_gallery_add(gallery, "again", fv_sample_template(same), said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_duplicates(&found, gallery, 1, 0, NULL, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_candidates_at(&first, found, 0));
  CHECK(first.is_match == 1 && strcmp(first.name, "one") == 0 && strcmp(first.other, "again") == 0);
  fv_candidates_free(found);
  CHECK_STATUS(FV_OK, fv_gallery_remove(gallery, "one", said, sizeof said));
  CHECK_STATUS(FV_E_ABSENT, fv_gallery_remove(gallery, "one", said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_describe(&info, gallery));
  CHECK(info.template_count == 2 && info.failure_count == 0 && info.is_encrypted == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_add(gallery, "", fv_sample_template(one), said, sizeof said));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_search(&found, gallery, fv_sample_template(one), 1001, 0, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_search(&found, gallery, fv_sample_template(one), 0, NAN, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_open(&again, engine, path, key, sizeof key, said, sizeof said));
  CHECK(strstr(said, "not encrypted") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_open(&again, engine, path, key, 31, said, sizeof said));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_open(&again, engine, path, NULL, 32, said, sizeof said));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_open(&again, engine, path, key, 0, said, sizeof said));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT,
               fv_gallery_open(&again, engine, sample_path("obama.jpg"), NULL, 0, said, sizeof said));
  fv_gallery_free(gallery);
  unlink(path);
  CHECK_STATUS(FV_OK, fv_gallery_open(&again, engine, path, key, sizeof key, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_describe(&info, again));
  CHECK(info.is_encrypted == 1 && info.template_count == 0);
  CHECK_STATUS(FV_OK, fv_gallery_enrol(again, sample_path("biden.jpg"), NULL, NULL, said, sizeof said));
  CHECK_TEXT("", said);
  CHECK_STATUS(FV_E_NO_TEMPLATE, fv_gallery_enrol(again, "/nowhere.jpg", any, NULL, said, sizeof said));
  CHECK(strstr(said, "/nowhere.jpg") != NULL);
  CHECK_STATUS(FV_E_NO_TEMPLATE, fv_gallery_enrol(again, "/nowhere.jpg", any, NULL, NULL, 0));
  CHECK_STATUS(FV_OK, fv_gallery_describe(&info, again));
  CHECK(info.template_count == 1 && info.failure_count == 1);
  CHECK(fv_gallery_is_enrolled(again, sample_path("biden.jpg"), NULL) == 1);
  CHECK(fv_gallery_is_enrolled(again, sample_path("biden.jpg"), any) == 0);
  CHECK(fv_gallery_is_enrolled(again, "/nowhere.jpg", any) == 0);
  CHECK(fv_gallery_is_enrolled(again, NULL, any) == 0);
  gallery = make_gallery(engine);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_merge(gallery, path, NULL, NULL, said, sizeof said));
  CHECK_STATUS(FV_E_UNREADABLE, fv_gallery_merge(gallery, "/nowhere", NULL, NULL, said, sizeof said));
  merged.key = key;
  merged.key_byte_count = sizeof key;
  merged.first = SIZE_MAX;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_gallery_merge(gallery, path, &merged, NULL, said, sizeof said));
  merged.first = 0;
  CHECK_STATUS(FV_E_TIMEOUT, fv_gallery_merge(gallery, path, &merged, &over, said, sizeof said));
  CHECK_STATUS(FV_E_TIMEOUT, fv_gallery_enrol(gallery, sample_path("biden.jpg"), NULL, &over, said, sizeof said));
  CHECK_STATUS(FV_E_TIMEOUT, fv_gallery_search(&found, gallery, fv_sample_template(one), 0, 0, &over, said,
                                               sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_describe(&info, gallery));
  CHECK(info.template_count == 0 && info.failure_count == 0);
  CHECK_STATUS(FV_OK, fv_gallery_merge(gallery, path, &merged, NULL, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_gallery_describe(&info, gallery));
  CHECK(info.template_count == 1 && info.failure_count == 1 && info.is_encrypted == 0);
  fv_gallery_free(gallery);
  fv_gallery_free(again);
  fv_quality_policy_free(any);
  fv_sample_free(one);
  fv_sample_free(same);
  fv_sample_free(other);
}

static void budgets_end_calls(void) {
  fv_image *image = open_sample("obama.jpg");
  fv_input input = FV_INPUT_INIT;
  fv_budget budget = FV_BUDGET_INIT;
  fv_cancellation *cancellation = NULL;
  fv_decision *decision = NULL;
  fv_sample *sample = NULL;
  fv_faces *found = NULL;
  char message[FV_MESSAGE_BYTES] = "";
  input.image = image;
  budget.seconds = 60;
  CHECK_STATUS(FV_OK, fv_cancellation_create(&cancellation, message, sizeof message));
  budget.cancellation = cancellation;
  CHECK_STATUS(FV_OK, fv_engine_compare(&decision, engine, &input, &input, NULL, &budget, message, sizeof message));
  fv_decision_free(decision);
  budget.seconds = 1e-9;
  CHECK_STATUS(FV_E_TIMEOUT, fv_engine_compare(&decision, engine, &input, &input, NULL, &budget, message,
                                               sizeof message));
  CHECK(decision == NULL && *message != '\0');
  CHECK_STATUS(FV_E_TIMEOUT, fv_engine_detect(&found, engine, image, NULL, &budget, message, sizeof message));
  budget.seconds = 0;
  fv_cancellation_cancel(cancellation);
  CHECK_STATUS(FV_E_CANCELLED, fv_engine_sample(&sample, engine, image, NULL, &budget, message, sizeof message));
  CHECK(sample == NULL && *message != '\0');
  fv_cancellation_free(cancellation);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_engine_assess(&sample, engine, image, NULL, &budget, message, sizeof message));
  fv_image_free(image);
}

/* A template's file, an image and a template yield the decision of the photo's file. */
static void every_input_is_accepted(void) {
  fv_sample *sample = take_sample(engine, "obama2.jpg");
  const char *const path = "template.bin";
  unsigned char bytes[580];
  size_t count, i;
  fv_image *image = open_sample("obama.jpg");
  fv_input selfie = FV_INPUT_INIT, portraits[2] = {FV_INPUT_INIT, FV_INPUT_INIT};
  fv_decision *of_photos = compare_samples(engine, "obama.jpg", "obama2.jpg");
  fv_comparison expected = FV_COMPARISON_INIT, found = FV_COMPARISON_INIT;
  FILE *file = fopen(path, "wb");
  CHECK_STATUS(FV_OK, fv_decision_comparison(&expected, of_photos));
  CHECK_STATUS(FV_OK, fv_template_serialise(fv_sample_template(sample), bytes, sizeof bytes, &count));
  CHECK(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
  selfie.image = image;
  portraits[0].path = path;
  portraits[1].face_template = fv_sample_template(sample);
  for (i = 0; i < COUNT(portraits); i++) {
    fv_decision *decision = NULL;
    CHECK_STATUS(FV_OK, compare_inputs(&decision, engine, &selfie, &portraits[i]));
    CHECK_STATUS(FV_OK, fv_decision_comparison(&found, decision));
    CHECK(memcmp(&expected, &found, sizeof found) == 0);
    CHECK(fv_decision_selfie(decision) != NULL && fv_decision_portrait(decision) == NULL);
    fv_decision_free(decision);
  }
  remove(path);
  fv_decision_free(of_photos);
  fv_image_free(image);
  fv_sample_free(sample);
}

static void an_incompatible_template_is_rejected(void) {
  fv_engine *other = make_engine("dlib", 0);
  fv_sample *sample = take_sample(engine, "obama.jpg");
  fv_comparison comparison = FV_COMPARISON_INIT;
  const fv_template *ours = fv_sample_template(sample);
  CHECK_STATUS(FV_E_INCOMPATIBLE_TEMPLATE, compare_templates(&comparison, other, ours, ours));
  CHECK(strstr(said, "made with the model set ") != NULL && strstr(said, "this engine uses dlib") != NULL);
  fv_sample_free(sample);
  fv_engine_free(other);
}

/* Values that the "dlib" set lacks are NaN, absent or not checked. */
static void the_dlib_set_compares(void) {
  fv_engine *other = make_engine("dlib", 0);
  fv_decision *decision = compare_samples(other, "obama.jpg", "obama2.jpg");
  const fv_faces *found = fv_sample_faces(fv_decision_selfie(decision));
  fv_face face = FV_FACE_INIT;
  fv_quality_check yaw = FV_QUALITY_CHECK_INIT;
  size_t count = 7;
  CHECK(fv_decision_result(decision) == FV_RESULT_MATCH);
  CHECK_STATUS(FV_OK, fv_faces_at(&face, found, 0));
  CHECK(isnan(face.yaw) && isnan(face.pitch) && isnan(face.roll));
  CHECK(isnan(face.left_eye_openness) && isnan(face.right_eye_openness) && face.inter_eye_distance > 100);
  CHECK_STATUS(FV_E_ABSENT, fv_faces_mesh(found, 0, NULL, 0, &count));
  CHECK_STATUS(FV_E_ABSENT, fv_faces_eye(found, 0, FV_EYE_RIGHT, NULL, 0, &count));
  CHECK_STATUS(FV_OK, fv_sample_check_at(&yaw, fv_decision_selfie(decision), 7));
  CHECK_TEXT("head-pose-yaw", yaw.measure);
  CHECK(yaw.status == FV_CHECK_STATUS_NOT_CHECKED && isnan(yaw.value) && isnan(yaw.score));
  fv_decision_free(decision);
  fv_engine_free(other);
}

static void results_have_names(void) {
  CHECK_TEXT("match", fv_result_name(FV_RESULT_MATCH));
  CHECK_TEXT("no-match", fv_result_name(FV_RESULT_NO_MATCH));
  CHECK_TEXT("refused", fv_result_name(FV_RESULT_REFUSED));
  CHECK_TEXT("none", fv_result_name(0));
  CHECK_TEXT("unknown", fv_result_name(-1));
}

/* After all of the above, only the objects of main() are left. */
static void live_objects_are_counted(void) {
  CHECK(fv_live_objects() == 1);
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
}

int main(void) {
  RUN(the_version_matches_the_header);
  RUN(statuses_have_names);
  RUN(measures_are_listed);
  RUN(results_have_names);
  RUN(pixels_are_read);
  RUN(models_are_listed);
  if (!has_samples()) return finish();
  engine = make_engine(NULL, 0);
  RUN(an_engine_is_preloaded_and_described);
  RUN(thresholds_have_their_rates);
  RUN(a_rate_holds_among_people);
  RUN(images_are_read);
  RUN(faces_are_described);
  RUN(a_picture_without_a_face_has_none);
  RUN(samples_are_described);
  RUN(quality_policies_are_applied);
  RUN(templates_survive_serialisation);
  RUN(photos_of_one_person_match);
  RUN(copies_of_one_picture_do_not_match);
  RUN(photos_of_two_people_do_not_match);
  RUN(policies_are_applied);
  RUN(images_are_encoded);
  RUN(calls_are_logged);
  RUN(one_template_is_compared_with_many);
  RUN(galleries_are_searched);
  RUN(budgets_end_calls);
  RUN(every_input_is_accepted);
  RUN(an_incompatible_template_is_rejected);
  RUN(the_dlib_set_compares);
  RUN(live_objects_are_counted);
  return finish();
}
