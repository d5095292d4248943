/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of codes, used according to the header, on the drawn codes. */
#include "json.h"
#include "test.h"

static fv_image *open_code(const char *name) {
  fv_image *image = NULL;
  require(fv_image_from_file(&image, code_path(name), NULL, said, sizeof said), name, said);
  return image;
}

static fv_codes *read_codes(const char *name, const fv_code_options *options) {
  fv_codes *codes = NULL;
  fv_image *image = open_code(name);
  require(fv_codes_read(&codes, image, options, NULL, said, sizeof said), "fv_codes_read", said);
  fv_image_free(image);
  return codes;
}

static fv_code code_at(const fv_codes *codes, size_t index) {
  fv_code code = FV_CODE_INIT;
  CHECK_STATUS(FV_OK, fv_codes_at(&code, codes, index));
  return code;
}

static void a_code_is_read(void) {
  unsigned char bytes[64];
  size_t count = 0;
  fv_codes *codes = read_codes("qr.png", NULL);
  fv_code code = code_at(codes, 0);
  CHECK(fv_codes_count(codes) == 1 && fv_codes_fault(codes) == 0);
  CHECK(code.format == FV_CODE_FORMAT_QR && !code.is_inverted && !code.is_mirrored);
  CHECK_TEXT("https://example.org/a?b=1", code.text);
  CHECK_TEXT("ASCII", code.encoding);
  CHECK_TEXT("]Q1", code.identifier);
  CHECK_TEXT("link", code.purpose);
  CHECK(code.upper_left.x < code.upper_right.x && code.upper_right.y < code.lower_right.y);
  CHECK(code.lower_left.x < code.lower_right.x && code.upper_left.y < code.lower_left.y);
  CHECK_STATUS(FV_OK, fv_codes_bytes(codes, 0, NULL, 0, &count));
  CHECK(count == strlen(code.text));
  CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_codes_bytes(codes, 0, bytes, count - 1, &count));
  CHECK_STATUS(FV_OK, fv_codes_bytes(codes, 0, bytes, sizeof bytes, &count));
  CHECK(memcmp(bytes, code.text, count) == 0);
  CHECK_STATUS(FV_E_ABSENT, fv_codes_bytes(codes, 1, bytes, sizeof bytes, &count));
  CHECK_STATUS(FV_E_ABSENT, fv_codes_at(&code, codes, 1));
  CHECK(strstr(fv_codes_json(codes), "\"identifier\"") != NULL);
  fv_codes_free(codes);
}

static void bytes_that_are_not_text_remain_bytes(void) {
  unsigned char bytes[256];
  size_t count = 0, i;
  fv_codes *codes = read_codes("qr-bytes.png", NULL);
  CHECK(code_at(codes, 0).text == NULL && code_at(codes, 0).encoding == NULL);
  CHECK_STATUS(FV_OK, fv_codes_bytes(codes, 0, bytes, sizeof bytes, &count));
  for (i = 0; i < count; i++) CHECK(bytes[i] == i);
  CHECK(count == 256);
  fv_codes_free(codes);
}

static void a_failure_has_its_reason(void) {
  fv_code_options options = FV_CODE_OPTIONS_INIT;
  fv_code_fault fault;
  fv_codes *codes;
  fv_image *image;
  options.formats = FV_CODE_FORMAT_BIT(FV_CODE_FORMAT_PDF417) | FV_CODE_FORMAT_BIT(FV_CODE_FORMAT_AZTEC);
  codes = read_codes("qr.png", &options);
  CHECK(fv_codes_count(codes) == 0 && fv_codes_fault(codes) != 0);
  CHECK(strstr(fv_codes_json(codes), fv_code_fault_name(fv_codes_fault(codes))) != NULL);
  fv_codes_free(codes);
  codes = read_codes("pdf417.png", &options);
  CHECK_TEXT("aamva-licence", code_at(codes, 0).purpose);
  fv_codes_free(codes);
  for (fault = 1; strcmp(fv_code_fault_name(fault), "unknown") != 0; fault++) CHECK(*fv_code_fault_text(fault) != '\0');
  CHECK(fault == FV_CODE_FAULT_NOT_DECODED + 1);
  CHECK_TEXT("", fv_code_fault_text(0));
  CHECK_TEXT("", fv_code_fault_text(fault));
  image = open_code("qr.png");
  codes = NULL;
  options.formats = 1;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_codes_read(&codes, image, &options, NULL, said, sizeof said));
  options.formats = FV_CODE_FORMAT_BIT(FV_CODE_FORMAT_DATABAR_EXPANDED + 1);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_codes_read(&codes, image, &options, NULL, said, sizeof said));
  options.formats = 0;
  options.is_frame = 2;
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_codes_read(&codes, image, &options, NULL, said, sizeof said));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_codes_read(&codes, NULL, NULL, NULL, said, sizeof said));
  CHECK(codes == NULL);
  fv_image_free(image);
}

/* ---- Scanner ---- */

static fv_code_scanner *make_scanner(const fv_code_scanner_options *options) {
  fv_code_scanner *scanner = NULL;
  require(fv_code_scanner_create(&scanner, options, said, sizeof said), "fv_code_scanner_create", said);
  return scanner;
}

static fv_code_scanner_info info_of(const fv_code_scanner *scanner) {
  fv_code_scanner_info info = FV_CODE_SCANNER_INFO_INIT;
  CHECK_STATUS(FV_OK, fv_code_scanner_describe(&info, scanner));
  return info;
}

static fv_code_scan look(fv_code_scanner *scanner, const fv_image *frame) {
  fv_code_scan scan = FV_CODE_SCAN_INIT;
  CHECK_STATUS(FV_OK, fv_code_scanner_process(&scan, scanner, frame, NULL, said, sizeof said));
  return scan;
}

/* Rows: ST1 ST2 ST3 ST6 */
static void a_scanner_confirms_a_code(void) {
  fv_code_scanner_options options = FV_CODE_SCANNER_OPTIONS_INIT;
  fv_code_scanner *scanner;
  fv_code_scan scan = FV_CODE_SCAN_INIT;
  fv_image *frame = open_code("qr.png"), *picture = NULL;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  fv_codes *codes = NULL;
  int i;
  options.prefix = "https://example.org/";
  options.frames_to_confirm = 3;
  options.specimen_side = 128;
  options.has_torch = 1;
  scanner = make_scanner(&options);
  CHECK_STATUS(FV_E_ABSENT, fv_code_scanner_process(&scan, scanner, frame, NULL, said, sizeof said));
  CHECK_STATUS(FV_E_ABSENT, fv_code_scanner_codes(&codes, scanner));
  CHECK_STATUS(FV_OK, fv_code_scanner_start(scanner));
  CHECK(info_of(scanner).is_source_wanted && info_of(scanner).is_processing && !info_of(scanner).is_torch_wanted);
  CHECK_STATUS(FV_OK, fv_code_scanner_set_torch(scanner, 1));
  CHECK(info_of(scanner).is_torch_wanted);
  for (i = 0; i < 2; i++) {
    scan = look(scanner, frame);
    CHECK(scan.report == FV_CODE_REPORT_IN_PROGRESS && scan.state == FV_CODE_STATE_OK && !scan.is_final);
    CHECK(scan.fault == 0 && isnan(scan.resolution));
    CHECK_STATUS(FV_E_ABSENT, fv_code_scanner_specimen(&picture, scanner));
  }
  scan = look(scanner, frame);
  CHECK(scan.report == FV_CODE_REPORT_COMPLETED && scan.state == FV_CODE_STATE_OK && scan.is_final);
  CHECK(scan.resolution > 0 && scan.edge > 0 && scan.contrast > 200);
  CHECK(!info_of(scanner).is_processing && info_of(scanner).is_source_wanted);
  CHECK_STATUS(FV_OK, fv_code_scanner_codes(&codes, scanner));
  CHECK_TEXT("https://example.org/a?b=1", code_at(codes, 0).text);
  fv_codes_free(codes);
  CHECK_STATUS(FV_OK, fv_code_scanner_specimen(&picture, scanner));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, picture));
  CHECK(info.width == 128 && info.height == 128);
  fv_image_free(picture);
  picture = NULL;
  CHECK_STATUS(FV_E_ABSENT, fv_code_scanner_zone(&picture, scanner));
  CHECK_STATUS(FV_OK, fv_code_scanner_resume(scanner));
  CHECK(look(scanner, frame).report == FV_CODE_REPORT_IN_PROGRESS);
  CHECK_STATUS(FV_OK, fv_code_scanner_pause(scanner));
  CHECK(!info_of(scanner).is_processing && !info_of(scanner).is_source_wanted);
  fv_code_scanner_free(scanner);
  fv_image_free(frame);
}

/* The result of one frame. */
static void check_scan(fv_code_scanner_options options, const char *name, fv_code_report report, fv_code_state state) {
  fv_code_scanner *scanner = make_scanner(&options);
  fv_image *frame = open_code(name);
  fv_code_scan scan;
  CHECK_STATUS(FV_OK, fv_code_scanner_start(scanner));
  scan = look(scanner, frame);
  if (!CHECK(scan.report == report && scan.state == state))
    printf("  %s: %s %s\n", name, fv_code_report_name(scan.report), fv_code_state_name(scan.state));
  fv_code_scanner_free(scanner);
  fv_image_free(frame);
}

/* Rows: ST4 ST5 ST8 ST9 */
static void a_frame_has_its_state(void) {
  fv_code_scanner_options options = FV_CODE_SCANNER_OPTIONS_INIT;
  fv_code_scanner_options zone = options, small = options, blurry = options, poor = options, limited = options;
  options.pattern = "mdoc:*";
  check_scan(options, "qr.png", FV_CODE_REPORT_COMPLETED, FV_CODE_STATE_NOT_PROPRIETARY);
  check_scan(options, "qr-mdoc.png", FV_CODE_REPORT_IN_PROGRESS, FV_CODE_STATE_OK);
  zone.zone_x = 1.1;
  zone.zone_width = zone.zone_height = 1;
  check_scan(zone, "qr.png", FV_CODE_REPORT_IN_PROGRESS, FV_CODE_STATE_ZONE_NOT_IN_FRAME);
  small.least_side = 1000;
  check_scan(small, "qr.png", FV_CODE_REPORT_IN_PROGRESS, FV_CODE_STATE_TOO_SMALL);
  blurry.most_edge = 0.01;
  check_scan(blurry, "qr.png", FV_CODE_REPORT_IN_PROGRESS, FV_CODE_STATE_BLURRY);
  blurry.frames_to_give_up = 1;
  check_scan(blurry, "qr.png", FV_CODE_REPORT_COMPLETED, FV_CODE_STATE_BLURRY);
  poor.is_camera_unsupported = 1;
  check_scan(poor, "qr.png", FV_CODE_REPORT_UNSUPPORTED, FV_CODE_STATE_OK);
  limited.is_limited = 1;
  check_scan(limited, "qr.png", FV_CODE_REPORT_COMPLETED, FV_CODE_STATE_OK);
  check_scan(limited, "aztec.png", FV_CODE_REPORT_IN_PROGRESS, FV_CODE_STATE_UNREADABLE);
}

static void a_zone_next_to_the_code_is_returned(void) {
  fv_code_scanner_options options = FV_CODE_SCANNER_OPTIONS_INIT;
  fv_code_scanner *scanner;
  fv_image *frame = open_code("qr.png"), *zone = NULL;
  fv_image_info info = FV_IMAGE_INFO_INIT;
  options.zone_x = options.zone_y = -0.1;
  options.zone_width = 1.2;
  options.zone_height = 0.6;
  options.frames_to_confirm = 1;
  scanner = make_scanner(&options);
  CHECK_STATUS(FV_OK, fv_code_scanner_start(scanner));
  CHECK(look(scanner, frame).is_final);
  CHECK_STATUS(FV_OK, fv_code_scanner_zone(&zone, scanner));
  CHECK_STATUS(FV_OK, fv_image_describe(&info, zone));
  CHECK(info.width == 256 && info.height == 128);
  fv_image_free(zone);
  fv_code_scanner_free(scanner);
  fv_image_free(frame);
}

static void invalid_settings_are_rejected(void) {
  fv_code_scanner *scanner = NULL;
  fv_code_scanner_options options[9], *one;
  size_t i;
  for (i = 0; i < COUNT(options); i++) fv_struct_init(&options[i], sizeof options[i]);
  options[0].prefix = options[0].pattern = "a";
  options[1].public_key = PUBLIC_KEY;
  options[2].separator = "&s=";
  options[3].specimen_side = 4097;
  options[4].least_side = -1;
  options[5].most_edge = NAN;
  options[6].frames_to_confirm = 1001;
  options[7].zone_width = 1;
  options[8].has_torch = 2;
  for (one = options; one < options + COUNT(options); one++)
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_code_scanner_create(&scanner, one, said, sizeof said));
  fv_struct_init(options, sizeof *options);
  options->public_key = "no key";
  options->separator = "&s=";
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_code_scanner_create(&scanner, options, said, sizeof said));
  options->public_key = PUBLIC_KEY;
  check_scan(*options, "qr.png", FV_CODE_REPORT_COMPLETED, FV_CODE_STATE_NOT_PROPRIETARY);
  scanner = make_scanner(NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_code_scanner_set_torch(scanner, 1));
  fv_code_scanner_free(scanner);
}

/* ---- Licences ---- */

/* The contents of the drawn PDF417; returns the length. */
static size_t licence(unsigned char *bytes, size_t capacity) {
  size_t count = 0;
  fv_codes *codes = read_codes("pdf417.png", NULL);
  CHECK_STATUS(FV_OK, fv_codes_bytes(codes, 0, bytes, capacity, &count));
  fv_codes_free(codes);
  return count;
}

static void a_licence_without_its_front_is_read(void) {
  unsigned char bytes[1024];
  fv_engine *engine = make_engine(NULL, 0);
  fv_document_input input = FV_DOCUMENT_INPUT_INIT;
  fv_document_info info = FV_DOCUMENT_INFO_INIT;
  fv_document_field name = FV_DOCUMENT_FIELD_INIT;
  fv_document *document = NULL;
  input.code = bytes;
  input.code_bytes = licence(bytes, sizeof bytes);
  input.date = "2024-01-01";
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, &input, NULL, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_document_describe(&info, document));
  CHECK(info.type == FV_DOCUMENT_TYPE_DRIVING_LICENCE);
  CHECK_STATUS(FV_OK, fv_document_field_by_name(&name, document, FV_DOCUMENT_SOURCE_BEST, "surname"));
  CHECK_TEXT("SAMPLE", name.value);
  /* The code is not signed. */
  CHECK(info.result == FV_CHECK_STATUS_NOT_CHECKED && info.assurance == FV_DOCUMENT_ASSURANCE_DATA_ONLY);
  fv_document_free(document);
  input.accepts_licence_code = 1;
  CHECK_STATUS(FV_OK, fv_document_read(&document, engine, &input, NULL, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_document_describe(&info, document));
  CHECK(info.result == FV_CHECK_STATUS_PASSED);
  fv_document_free(document);
  document = NULL;
  input.code_bytes = 24;
  CHECK_STATUS(FV_E_DAMAGED, fv_document_read(&document, engine, &input, NULL, said, sizeof said));
  input.code = "P<UTO";
  input.code_bytes = 5;
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_read(&document, engine, &input, NULL, said, sizeof said));
  fv_engine_free(engine);
}

int main(void) {
  RUN(a_code_is_read);
  RUN(bytes_that_are_not_text_remain_bytes);
  RUN(a_failure_has_its_reason);
  RUN(a_scanner_confirms_a_code);
  RUN(a_frame_has_its_state);
  RUN(a_zone_next_to_the_code_is_returned);
  RUN(invalid_settings_are_rejected);
  RUN(a_licence_without_its_front_is_read);
  CHECK(fv_live_objects() == 0);
  return finish();
}
