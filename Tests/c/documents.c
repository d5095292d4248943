/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of documents, used according to the header: typed zones, photos of pages, and generated chips. */
#include "json.h"
#include "test.h"

static fv_engine *engine;

/* ---- Names ---- */

static void names_are_listed(void) {
  size_t i;
  CHECK_TEXT("documentNumber", fv_document_field_name_at(0));
  for (i = 0; fv_document_field_name_at(i) != NULL; i++) CHECK(*fv_document_field_name_at(i) != '\0');
  CHECK(i >= 30 && fv_document_field_name_at(SIZE_MAX) == NULL && fv_document_field_name_at(SIZE_MAX / 2) == NULL);
}

/* ---- Contents of a document ---- */

static fv_document_info info_of(const fv_document *document) {
  fv_document_info info = FV_DOCUMENT_INFO_INIT;
  CHECK_STATUS(FV_OK, fv_document_describe(&info, document));
  return info;
}

static fv_document_field field_of(const fv_document *document, const char *name) {
  fv_document_field field = FV_DOCUMENT_FIELD_INIT;
  CHECK_STATUS(FV_OK, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_BEST, name));
  return field;
}

static fv_document_check check_of(const fv_document *document, const char *name) {
  fv_document_check found = FV_DOCUMENT_CHECK_INIT;
  size_t i;
  for (i = 0; i < fv_document_check_count(document); i++) {
    CHECK_STATUS(FV_OK, fv_document_check_at(&found, document, i));
    if (strcmp(found.name, name) == 0) return found;
  }
  CHECK(!"there is such a check");
  return found;
}

static fv_document_check step_of(const fv_document *document, const char *name) {
  fv_document_check found = FV_DOCUMENT_CHECK_INIT;
  size_t i;
  for (i = 0; i < fv_document_step_count(document); i++) {
    CHECK_STATUS(FV_OK, fv_document_step_at(&found, document, i));
    if (strcmp(found.name, name) == 0) return found;
  }
  CHECK(!"there is such a step");
  return found;
}

/* Each field and check has a status, and a reason unless it is passed or not applicable. */
static void check_document(const fv_document *document) {
  size_t i, j;
  fv_document_source source;
  CHECK(fv_document_check_count(document) == 8);
  for (i = 0; i < fv_document_check_count(document); i++) {
    fv_document_check one = FV_DOCUMENT_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_document_check_at(&one, document, i));
    CHECK(*one.name != '\0' && (one.status == FV_CHECK_STATUS_PASSED) == (one.reason == NULL));
  }
  for (i = 0; i < fv_document_step_count(document); i++) {
    fv_document_check one = FV_DOCUMENT_CHECK_INIT;
    CHECK_STATUS(FV_OK, fv_document_step_at(&one, document, i));
    CHECK(*one.name != '\0' && *one.text != '\0' && (one.status == FV_CHECK_STATUS_PASSED) == (one.reason == NULL));
  }
  for (i = 0; i < fv_document_page_count(document); i++) {
    CHECK(fv_document_page_check_count(document, i) >= 11);
    for (j = 0; j < fv_document_page_check_count(document, i); j++) {
      fv_page_check one = FV_PAGE_CHECK_INIT;
      CHECK_STATUS(FV_OK, fv_document_page_check_at(&one, document, i, j));
      CHECK(*one.reason != '\0' && one.unit != NULL);
      CHECK((one.status == FV_CHECK_STATUS_PASSED) == (*one.text == '\0'));
      CHECK((one.status != FV_CHECK_STATUS_NOT_CHECKED || isnan(one.value)) && isnan(one.value) == isnan(one.limit));
    }
  }
  for (source = FV_DOCUMENT_SOURCE_BEST; source <= FV_DOCUMENT_SOURCE_CHIP; source++)
    for (i = 0; fv_document_field_name_at(i) != NULL; i++) {
      fv_document_field field = FV_DOCUMENT_FIELD_INIT;
      fv_status status = fv_document_field_by_name(&field, document, source, fv_document_field_name_at(i));
      CHECK(status == FV_OK || (status == FV_E_ABSENT && source != FV_DOCUMENT_SOURCE_BEST));
      if (status == FV_OK) CHECK((field.status == FV_CHECK_STATUS_PASSED) == (field.reason == NULL));
    }
  CHECK(is_json(fv_document_json(document)));
}

static fv_document_binding binding_of(const fv_document *document, const void *photo, size_t count, const char *data) {
  fv_document_info info = info_of(document);
  fv_document_binding binding = FV_DOCUMENT_BINDING_INIT;
  CHECK_STATUS(FV_OK, verify(&binding, info.portrait_sha256, info.data_sha256, photo, count, data));
  return binding;
}

/* ---- Typed zones ---- */

/* Rows: DR14 */
static void a_typed_zone_is_judged(void) {
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01");
  fv_document_info info = info_of(document);
  fv_document_field field = FV_DOCUMENT_FIELD_INIT;
  size_t count;
  check_document(document);
  CHECK(info.type == FV_DOCUMENT_TYPE_PASSPORT);
  CHECK_TEXT("Passport", info.type_name);
  CHECK_TEXT("2010-01-01", info.date);
  CHECK(info.portrait_sha256 == NULL && info.portrait_problem == NULL && strlen(info.data_sha256) == 64);
  CHECK(info.portrait_source == 0 && info.has_chip == 0 && info.verdict == 0);
  CHECK(info.result != 0 && check_of(document, "chip-read").status == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK_TEXT("L898902C3", field_of(document, "documentNumber").value);
  CHECK(field_of(document, "documentNumber").status == FV_CHECK_STATUS_PASSED);
  CHECK_TEXT("1974-08-12", field_of(document, "dateOfBirth").value);
  CHECK_TEXT("35", field_of(document, "age").value);
  CHECK_TEXT("2012-04-15", field_of(document, "dateOfExpiry").value);
  CHECK_TEXT("27", field_of(document, "monthsToExpiry").value);
  CHECK_TEXT("ERIKSSON", field_of(document, "surname").value);
  CHECK_TEXT("ANNA MARIA", field_of(document, "givenNames").value);
  CHECK_TEXT("ZE184226B", field_of(document, "personalNumber").value);
  CHECK_TEXT(SPECIMEN, field_of(document, "mrzLines").value);
  CHECK_TEXT("td3", field_of(document, "mrzFormat").value);
  CHECK(field_of(document, "address").value == NULL);
  CHECK(field_of(document, "address").status == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK_TEXT("absent", field_of(document, "address").reason);
  CHECK_STATUS(FV_OK, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_PAGE, "surname"));
  CHECK_TEXT("ERIKSSON", field.value);
  CHECK_STATUS(FV_E_ABSENT, fv_document_field_by_name(&field, document, FV_DOCUMENT_SOURCE_CHIP, "surname"));
  CHECK(fv_document_page_count(document) == 0 && fv_document_step_count(document) == 0);
  CHECK(fv_document_mismatch_count(document) == 0 && fv_document_sample(document) == NULL);
  CHECK_STATUS(FV_E_ABSENT, fv_document_portrait(document, NULL, 0, &count));
  CHECK(is_json(fv_document_data_json(document)));
  CHECK(check_of(document, "expiry").status == FV_CHECK_STATUS_PASSED);
  CHECK(check_of(document, "validation").status != FV_CHECK_STATUS_FAILED);
  fv_document_free(document);
  document = parse_mrz(SPECIMEN, "2012-04-16");
  CHECK(check_of(document, "expiry").status == FV_CHECK_STATUS_FAILED);
  CHECK(info_of(document).result == FV_CHECK_STATUS_FAILED);
  CHECK_TEXT("37", field_of(document, "age").value);
  fv_document_free(document);
}

static void a_wrong_check_digit_fails(void) {
  fv_document *document = parse_mrz(
      "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C37UTO7408122F1204159ZE184226B<<<<<10", "2010-01-01");
  fv_document_field field = field_of(document, "documentNumber");
  CHECK_TEXT("L898902C3", field.value);
  CHECK_TEXT("check-digit-wrong", field.reason);
  CHECK(field.status == FV_CHECK_STATUS_FAILED);
  CHECK(check_of(document, "validation").status == FV_CHECK_STATUS_FAILED);
  CHECK_TEXT("7", field_of(document, "documentNumberCheckDigit").value);
  CHECK(strstr(field_of(document, "mrzLinesWithCorrectCheckDigits").value, "L898902C36UTO") != NULL);
  CHECK(strstr(field_of(document, "mrzLines").value, "L898902C37UTO") != NULL);
  check_document(document);
  fv_document_free(document);
}

static void text_that_is_not_a_zone_is_rejected(void) {
  fv_document *document = NULL;
  char message[FV_MESSAGE_BYTES];
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_from_mrz(&document, "P<UTO", "2010-01-01", message, sizeof message));
  CHECK(document == NULL && strstr(message, "machine readable zone") != NULL);
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_document_from_mrz(&document, "", "2010-01-01", NULL, 0));
  CHECK_STATUS(FV_E_DAMAGED, fv_document_from_mrz(&document, "p<uto", "2010-01-01", message, sizeof message));
  CHECK(strstr(message, "column 1") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&document, SPECIMEN, "1/1/2010", message, sizeof message));
  CHECK(strstr(message, "1/1/2010") != NULL);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_document_from_mrz(&document, SPECIMEN, "2010-02-29", NULL, 0));
  CHECK(document == NULL);
}

/* Rows: DR12 */
static void hashes_bind_portrait_and_data(void) {
  fv_document *document = parse_mrz(SPECIMEN, "2010-01-01"), *later = parse_mrz(SPECIMEN, "2011-01-01");
  fv_document_binding binding = binding_of(document, NULL, 0, fv_document_data_json(document));
  CHECK(binding.portrait == FV_CHECK_STATUS_NOT_CHECKED && binding.data == FV_CHECK_STATUS_PASSED);
  binding = binding_of(document, "photo", 5, fv_document_data_json(later));
  CHECK(binding.portrait == FV_CHECK_STATUS_NOT_CHECKED && binding.data == FV_CHECK_STATUS_FAILED);
  binding = binding_of(document, NULL, 0, NULL);
  CHECK(binding.portrait == FV_CHECK_STATUS_NOT_CHECKED && binding.data == FV_CHECK_STATUS_NOT_CHECKED);
  /* SHA-256 of "abc" (FIPS 180-2, B.1). */
  CHECK_STATUS(FV_OK, verify(&binding, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", NULL, "abc",
                             3, NULL));
  CHECK(binding.portrait == FV_CHECK_STATUS_PASSED && binding.data == FV_CHECK_STATUS_NOT_CHECKED);
  fv_document_free(later);
  fv_document_free(document);
}

/* ---- Photos of pages ---- */

static fv_document *read_page(const char *sample) {
  fv_document *document = NULL;
  fv_image *image = open_sample(sample);
  const fv_image *pages[1];
  pages[0] = image;
  require(read_document(&document, engine, pages, 1, NULL, NULL, "2026-06-01"), "fv_document_read", said);
  fv_image_free(image);
  return document;
}

static fv_decision *compare_with(const char *selfie, const fv_document *document) {
  fv_decision *decision = NULL;
  fv_input input = FV_INPUT_INIT;
  input.path = sample_path(selfie);
  require(compare_document(&decision, engine, &input, document), "fv_engine_compare_document",
          said);
  return decision;
}

static int has_reason(const fv_decision *decision, const char *code) {
  size_t i;
  for (i = 0; i < fv_decision_reason_count(decision); i++)
    if (strcmp(reason_of(decision, i).code, code) == 0) return *reason_of(decision, i).text != '\0';
  return 0;
}

/* No document, but a portrait. */
static void a_photo_of_a_person_is_not_a_document(void) {
  fv_document *document = read_page("obama.jpg");
  fv_document_info info = info_of(document);
  fv_decision *decision;
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_document_binding binding;
  size_t count = 0, again = 0;
  unsigned char *portrait;
  check_document(document);
  CHECK(info.type == 0);
  CHECK(info.type_name == NULL && info.data_sha256 == NULL && fv_document_data_json(document) == NULL);
  CHECK(info.portrait_source == FV_DOCUMENT_SOURCE_PAGE && info.portrait_problem == NULL);
  CHECK(fv_document_page_count(document) == 1 && fv_document_page_check_count(document, 1) == 0);
  CHECK(check_of(document, "validation").status == FV_CHECK_STATUS_FAILED);
  CHECK(check_of(document, "chip-read").status == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK_STATUS(FV_OK, fv_document_portrait(document, NULL, 0, &count));
  CHECK(count > 1000);
  portrait = (unsigned char *)guarded(count);
  CHECK_STATUS(FV_E_BUFFER_TOO_SMALL, fv_document_portrait(document, portrait, count - 1, &again));
  CHECK(again == count && portrait[0] == 0);
  CHECK_STATUS(FV_OK, fv_document_portrait(document, portrait, count, &again));
  CHECK(again == count && memcmp(portrait, "\x89PNG", 4) == 0);
  binding = binding_of(document, portrait, count, NULL);
  CHECK(binding.portrait == FV_CHECK_STATUS_PASSED && binding.data == FV_CHECK_STATUS_NOT_CHECKED);
  portrait[count / 2] ^= 1;
  CHECK(binding_of(document, portrait, count, NULL).portrait == FV_CHECK_STATUS_FAILED);
  CHECK(fv_sample_check_count(fv_document_sample(document)) > 0);
  CHECK(fv_document_sample(document) == fv_document_sample(document));

  decision = compare_with("obama2.jpg", document);
  /* A photo without a zone is not a document, and matches nobody. */
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && has_reason(decision, "document.portrait-page"));
  CHECK(has_reason(decision, "document.validation") && fv_decision_portrait(decision) != NULL);
  CHECK_STATUS(FV_E_ABSENT, fv_decision_comparison(&comparison, decision));
  CHECK(strstr(fv_decision_json(decision), "\"match\" : true") != NULL);
  CHECK(is_json(fv_decision_json(decision)) && strstr(fv_decision_json(decision), "\"document\"") != NULL);
  fv_decision_free(decision);
  decision = compare_with("biden.jpg", document);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && has_reason(decision, "score-beyond-threshold"));
  fv_decision_free(decision);
  fv_document_free(document);
}

static void settings_are_applied(void) {
  fv_image *image = open_sample("biden.jpg");
  const fv_image *pages[2];
  fv_document *document = NULL;
  fv_document_input input = FV_DOCUMENT_INPUT_INIT;
  fv_budget budget = FV_BUDGET_INIT;
  pages[0] = pages[1] = image;
  input.pages = pages;
  input.page_count = 2;
  input.date = "2026-06-01";
  for (input.is_chip_expected = 0; input.is_chip_expected <= 1; input.is_chip_expected++) {
    input.is_single_page = input.is_chip_expected;
    CHECK_STATUS(FV_OK, fv_document_read(&document, engine, &input, NULL, said, sizeof said));
    CHECK(fv_document_page_count(document) == 2);
    CHECK(check_of(document, "chip-read").status ==
          (input.is_chip_expected ? FV_CHECK_STATUS_FAILED : FV_CHECK_STATUS_NOT_CHECKED));
    fv_document_free(document);
  }
  input.is_chip_expected = input.is_single_page = 0;
  budget.seconds = 1e-9;
  CHECK_STATUS(FV_E_TIMEOUT, fv_document_read(&document, engine, &input, &budget, said, sizeof said));
  CHECK(document == NULL && *said != '\0');
  fv_image_free(image);
}

/* ---- Trust ---- */

static void trust_anchors_are_read_from_files(void) {
  fv_trust_store *folder, *files = NULL, *alone = NULL;
  static const char *const names[] = {"two.pem", "csca-0.cer", "csca-1.cer", "nist.crl"};
  char message[FV_MESSAGE_BYTES], path[64], digits[65];
  const char *pin;
  unsigned char *bytes;
  size_t count, i;
  if (!has_documents()) return;
  folder = open_trust();
  CHECK(fv_trust_store_anchor_count(folder) == 4 && is_json(fv_trust_store_json(folder)));
  CHECK_STATUS(FV_OK, fv_trust_store_create(&files, NULL, NULL, 0));
  CHECK(fv_trust_store_anchor_count(files) == 0 && is_json(fv_trust_store_json(files)));
  for (i = 0; i < COUNT(names); i++) {
    snprintf(path, sizeof path, "trust/%s", names[i]);
    bytes = read_file(document_path(path), &count);
    CHECK_STATUS(FV_OK, fv_trust_store_add(files, names[i], bytes, count, message, sizeof message));
    CHECK_TEXT("", message);
    free(bytes);
  }
  CHECK(fv_trust_store_anchor_count(files) == 4);
  CHECK(strstr(fv_trust_store_json(files), "csca-0.cer") != NULL);
  /* A list with a wrong signature adds nothing; one with a valid signature adds known certificates. */
  bytes = read_file(document_path("masterlist/broken.ml"), &count);
  CHECK_STATUS(FV_E_DAMAGED, fv_trust_store_add(files, "broken.ml", bytes, count, message, sizeof message));
  CHECK(strstr(message, "signature") != NULL && fv_trust_store_anchor_count(files) == 4);
  CHECK(strstr(fv_trust_store_json(files), "broken.ml") != NULL);
  free(bytes);
  bytes = read_file(document_path("masterlist/test.ml"), &count);
  CHECK_STATUS(FV_OK, fv_trust_store_add(files, "test.ml", bytes, count, NULL, 0));
  CHECK(strstr(fv_trust_store_json(files), "is a trusted certificate") != NULL);
  /* In a separate store, nothing shows that it is trusted, until its CSCA is pinned. */
  CHECK_STATUS(FV_OK, fv_trust_store_create(&alone, NULL, NULL, 0));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_store_add(alone, "test.ml", bytes, count, message, sizeof message));
  CHECK(strstr(message, "pin that") != NULL && fv_trust_store_anchor_count(alone) == 0);
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_store_pin(alone, "12", message, sizeof message));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_trust_store_pin(alone, NULL, message, sizeof message));
  pin = strstr(fv_trust_store_json(alone), "fingerprint ");
  CHECK(pin != NULL);
  memcpy(digits, pin + strlen("fingerprint "), 64);
  digits[64] = '\0';
  CHECK_STATUS(FV_OK, fv_trust_store_pin(alone, digits, message, sizeof message));
  CHECK_STATUS(FV_OK, fv_trust_store_add(alone, "test.ml", bytes, count, NULL, 0));
  CHECK(fv_trust_store_anchor_count(alone) == 4);
  fv_trust_store_free(alone);
  CHECK(fv_trust_store_anchor_count(files) == 4);
  free(bytes);
  fv_trust_store_free(files);
  fv_trust_store_free(folder);
}

static void invalid_trust_anchors_are_rejected(void) {
  fv_trust_store *trust = NULL;
  char message[FV_MESSAGE_BYTES];
  CHECK_STATUS(FV_E_UNREADABLE, fv_trust_store_create(&trust, "/nowhere", message, sizeof message));
  CHECK(trust == NULL && strstr(message, "/nowhere") != NULL);
  CHECK_STATUS(FV_OK, fv_trust_store_create(&trust, NULL, message, sizeof message));
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_store_add(trust, "notes.txt", "hello", 5, message, sizeof message));
  CHECK(strstr(message, "notes.txt") != NULL);
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_trust_store_add(trust, "nothing", "", 0, NULL, 0));
  CHECK(fv_trust_store_anchor_count(trust) == 0);
  fv_trust_store_free(trust);
}

/* ---- Chips ---- */

static void add_files(fv_chip *chip, const char *const *names, size_t number) {
  size_t i, count;
  for (i = 0; i < number; i++) {
    char path[64];
    unsigned char *file;
    snprintf(path, sizeof path, "td3-jpeg/%s", names[i]);
    file = read_file(document_path(path), &count);
    CHECK_STATUS(FV_OK, fv_chip_add(chip, names[i], file, count, NULL, 0));
    free(file);
  }
}

static void a_genuine_chip_is_authentic(void) {
  static const char *const files[] = {"EF.COM",  "EF.DG1",  "EF.DG2",        "EF.DG11",         "EF.DG12",
                                      "EF.DG14", "EF.DG15", "EF.CardAccess", "EF.CardSecurity", "EF.SOD"};
  fv_chip *chip, *from_files = NULL;
  fv_trust_store *trust;
  fv_document *document, *same;
  fv_document_info info;
  fv_decision *decision;
  fv_document_check step;
  fv_image *portrait = NULL;
  unsigned char bytes[200000];
  size_t count;
  if (!has_documents()) return;
  chip = open_chip("td3-jpeg");
  trust = open_trust();
  document = read_chip(engine, chip, trust);
  info = info_of(document);
  check_document(document);
  CHECK(info.verdict == FV_VERDICT_AUTHENTIC && info.has_chip == 1);
  CHECK(check_of(document, "passive-authentication").status == FV_CHECK_STATUS_PASSED);
  CHECK(info.portrait_source == FV_DOCUMENT_SOURCE_CHIP && info.portrait_problem == NULL);
  CHECK(info.type == FV_DOCUMENT_TYPE_PASSPORT);
  CHECK(field_of(document, "surname").status == FV_CHECK_STATUS_PASSED);
  CHECK_TEXT("ERIKSSON", field_of(document, "surname").value);
  CHECK_TEXT("2023-05-05", field_of(document, "dateOfIssue").value);
  CHECK(strstr(field_of(document, "signerSubject").value, "DS rsa") != NULL);
  CHECK(check_of(document, "expiry").status == FV_CHECK_STATUS_FAILED && info.result == FV_CHECK_STATUS_FAILED);
  step = step_of(document, "chain");
  CHECK(step.status == FV_CHECK_STATUS_PASSED);
  CHECK(step_of(document, "hash-dg2").status == FV_CHECK_STATUS_PASSED);
  CHECK_STATUS(FV_OK, fv_document_portrait(document, bytes, sizeof bytes, &count));
  CHECK(memcmp(bytes, "\xFF\xD8\xFF", 3) == 0);
  CHECK_STATUS(FV_OK, fv_image_from_bytes(&portrait, bytes, count, NULL, NULL, 0));
  fv_image_free(portrait);
  CHECK(binding_of(document, bytes, count, fv_document_data_json(document)).portrait == FV_CHECK_STATUS_PASSED);
  CHECK(binding_of(document, bytes, count, fv_document_data_json(document)).data == FV_CHECK_STATUS_PASSED);
  CHECK(fv_sample_is_accepted(fv_document_sample(document)) == 1 && fv_document_page_count(document) == 0);

  decision = compare_with("obama2.jpg", document);
  /* It is the holder, but the document has expired. */
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && !has_reason(decision, "document.portrait-authentic"));
  CHECK(has_reason(decision, "document.expiry") && strstr(fv_decision_json(decision), "\"match\" : true"));
  fv_decision_free(decision);
  decision = compare_with("biden.jpg", document);
  CHECK(fv_decision_result(decision) == FV_RESULT_NO_MATCH);
  fv_decision_free(decision);

  CHECK_STATUS(FV_OK, fv_chip_create(&from_files, NULL, NULL, 0));
  add_files(from_files, files, COUNT(files));
  add_files(from_files, files, COUNT(files)); /* the same files again */
  same = read_chip(engine, from_files, trust);
  CHECK_TEXT(fv_document_json(document), fv_document_json(same));
  fv_document_free(same);
  fv_chip_free(from_files);
  fv_document_free(document);

  document = read_chip(engine, chip, NULL);
  info = info_of(document);
  CHECK(info.verdict == FV_VERDICT_VALID_WITHOUT_ANCHOR && info.portrait_source == FV_DOCUMENT_SOURCE_CHIP);
  CHECK(check_of(document, "passive-authentication").status == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK(step_of(document, "chain").status == FV_CHECK_STATUS_NOT_CHECKED);
  CHECK_TEXT("no-trust-anchor", step_of(document, "chain").reason);
  decision = compare_with("obama2.jpg", document);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED);
  CHECK(has_reason(decision, "document.portrait-valid-without-anchor"));
  fv_decision_free(decision);
  fv_document_free(document);
  fv_trust_store_free(trust);
  fv_chip_free(chip);
}

/* The same person, but not trustworthy. */
static void an_altered_chip_is_invalid(void) {
  static const char *const chips[] = {"wrong-hash", "wrong-signature", "revoked-signer", "wrong-country"};
  fv_trust_store *trust;
  size_t i;
  if (!has_documents()) return;
  trust = open_trust();
  for (i = 0; i < COUNT(chips); i++) {
    fv_chip *chip = open_chip(chips[i]);
    fv_document *document = read_chip(engine, chip, trust);
    fv_document_info info = info_of(document);
    fv_decision *decision = compare_with("obama2.jpg", document);
    fv_comparison comparison = FV_COMPARISON_INIT;
    check_document(document);
    CHECK(info.verdict == FV_VERDICT_INVALID && info.portrait_source == FV_DOCUMENT_SOURCE_CHIP);
    CHECK(check_of(document, "passive-authentication").status == FV_CHECK_STATUS_FAILED);
    CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && has_reason(decision, "document.portrait-invalid"));
    CHECK_STATUS(FV_E_ABSENT, fv_decision_comparison(&comparison, decision));
    CHECK(comparison.is_match == 0 && is_json(fv_decision_json(decision)));
    fv_decision_free(decision);
    fv_document_free(document);
    fv_chip_free(chip);
  }
  fv_trust_store_free(trust);
}

/* Damage is reported, and does not affect the rest. */
static void a_damaged_portrait_is_reported(void) {
  fv_chip *chip;
  fv_document *document;
  fv_decision *decision = NULL;
  fv_input input = FV_INPUT_INIT;
  size_t count;
  if (!has_documents()) return;
  chip = open_chip("truncated-dg2");
  document = read_chip(engine, chip, NULL);
  check_document(document);
  CHECK(info_of(document).portrait_problem != NULL && info_of(document).portrait_source == 0);
  CHECK_TEXT("L898902C3", field_of(document, "documentNumber").value);
  CHECK_STATUS(FV_E_ABSENT, fv_document_portrait(document, NULL, 0, &count));
  input.path = sample_path("obama.jpg");
  CHECK_STATUS(FV_E_NO_FACE, compare_document(&decision, engine, &input, document));
  CHECK(decision == NULL && strstr(said, "document: ") != NULL);
  fv_document_free(document);
  fv_chip_free(chip);
}

/* The files that would fail are omitted. */
static void a_chip_without_its_signature_is_incomplete(void) {
  static const char *const files[] = {"EF.COM", "EF.DG1", "EF.DG2", "EF.DG11", "EF.DG12", "EF.DG14", "EF.DG15"};
  fv_chip *chip = NULL;
  fv_document *document;
  fv_decision *decision;
  if (!has_documents()) return;
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  add_files(chip, files, COUNT(files));
  document = read_chip(engine, chip, NULL);
  check_document(document);
  CHECK_TEXT("sod-unusable", check_of(document, "chip-read").reason);
  CHECK(info_of(document).result == FV_CHECK_STATUS_FAILED);
  decision = compare_with("obama2.jpg", document);
  CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED && has_reason(decision, "document.sod-unusable"));
  fv_decision_free(decision);
  fv_document_free(document);
  fv_chip_free(chip);
}

static void input_that_is_not_a_chip_is_rejected(void) {
  static const unsigned char one[] = {0x61, 0x02, 0x5F, 0x1F}, other[] = {0x61, 0x00};
  fv_chip *chip = NULL;
  fv_document *document = NULL;
  char message[FV_MESSAGE_BYTES];
  CHECK_STATUS(FV_E_UNREADABLE, fv_chip_create(&chip, "/nowhere", message, sizeof message));
  CHECK(chip == NULL && strstr(message, "/nowhere") != NULL);
  if (has_samples()) {
    CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_create(&chip, sample_path(""), message, sizeof message));
    CHECK(chip == NULL && strstr(message, "EF.DG1") != NULL);
  }
  CHECK_STATUS(FV_OK, fv_chip_create(&chip, NULL, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, read_document(&document, engine, NULL, 0, chip, NULL, "2026-06-01"));
  CHECK(document == NULL && strstr(said, "no files") != NULL);
  CHECK_STATUS(FV_E_UNKNOWN_FORMAT, fv_chip_add(chip, "notes", "\x01\x02\x03", 3, message, sizeof message));
  CHECK(strstr(message, "notes") != NULL);
  CHECK_STATUS(FV_OK, fv_chip_add(chip, "EF.DG1", one, sizeof one, NULL, 0));
  CHECK_STATUS(FV_E_BAD_ARGUMENT, fv_chip_add(chip, "dg1.bin", other, sizeof other, message, sizeof message));
  CHECK(strstr(message, "dg1.bin") != NULL && strstr(message, "EF.DG1") != NULL);
  /* The first one remains: an unreadable chip is a result. */
  document = read_chip(engine, chip, NULL);
  CHECK(check_of(document, "chip-read").status == FV_CHECK_STATUS_FAILED);
  CHECK_TEXT("chip-unreadable", check_of(document, "chip-read").reason);
  CHECK(info_of(document).verdict == FV_VERDICT_NOT_CHECKED && fv_document_data_json(document) == NULL);
  check_document(document);
  fv_document_free(document);
  fv_chip_free(chip);
}

/* The page of one document with the chip of another. */
/* Rows: DR26 */
static void page_and_chip_of_two_documents_differ(void) {
  fv_image *image = NULL;
  const fv_image *pages[1];
  fv_chip *chip;
  fv_document *document = NULL;
  fv_document_field page = FV_DOCUMENT_FIELD_INIT, on_chip = FV_DOCUMENT_FIELD_INIT;
  size_t i;
  if (!has_documents()) return;
  CHECK_STATUS(FV_OK, fv_image_from_file(&image, test_document_path("pages/clean-0.png"), NULL, NULL, 0));
  pages[0] = image;
  chip = open_chip("td1-39794-jp2");
  CHECK_STATUS(FV_OK, read_document(&document, engine, pages, 1, chip, NULL, "2026-06-01"));
  check_document(document);
  CHECK(check_of(document, "mrz-matches-chip").status == FV_CHECK_STATUS_FAILED);
  CHECK(fv_document_mismatch_count(document) > 0);
  for (i = 0; i < fv_document_mismatch_count(document); i++) {
    const char *name = fv_document_mismatch_at(document, i);
    CHECK_STATUS(FV_OK, fv_document_field_by_name(&page, document, FV_DOCUMENT_SOURCE_PAGE, name));
    CHECK_STATUS(FV_OK, fv_document_field_by_name(&on_chip, document, FV_DOCUMENT_SOURCE_CHIP, name));
    CHECK(page.value == NULL || on_chip.value == NULL || strcmp(page.value, on_chip.value) != 0);
  }
  CHECK(fv_document_mismatch_at(document, i) == NULL);
  fv_document_free(document);
  fv_chip_free(chip);
  fv_image_free(image);
}

int main(void) {
  RUN(names_are_listed);
  RUN(a_typed_zone_is_judged);
  RUN(a_wrong_check_digit_fails);
  RUN(text_that_is_not_a_zone_is_rejected);
  RUN(hashes_bind_portrait_and_data);
  RUN(trust_anchors_are_read_from_files);
  RUN(invalid_trust_anchors_are_rejected);
  engine = make_engine(NULL, 0);
  RUN(input_that_is_not_a_chip_is_rejected);
  if (!has_samples()) return finish();
  RUN(a_photo_of_a_person_is_not_a_document);
  RUN(settings_are_applied);
  RUN(a_genuine_chip_is_authentic);
  RUN(an_altered_chip_is_invalid);
  RUN(a_damaged_portrait_is_reported);
  RUN(a_chip_without_its_signature_is_incomplete);
  RUN(page_and_chip_of_two_documents_differ);
  fv_engine_free(engine);
  CHECK(fv_live_objects() == 0);
  return finish();
}
