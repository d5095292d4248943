/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layout of structs and values of constants, as assumed by the bindings. Also: each _INIT macro equals
 * fv_struct_init(), and programs compiled with an older, shorter struct continue to work.
 */
#include <stddef.h>

#include "test.h"

#include "generated_layout.h"

/* Fields are contiguous. */
static void the_layout_matches_the_headers(void) {
  size_t end = 0;
#define FIELD(type, name, offset, size)                                                      \
  CHECK(offsetof(type, name) == (offset) && sizeof(((type *)0)->name) == (size));            \
  CHECK((offset) == ((offset) == 0 ? 0 : end));                                              \
  end = (offset) + (size);
#define END(type, size) CHECK(end == (size) && sizeof(type) == (size));
  EACH_FIELD(FIELD, END)
}

/* Rows: J84 */
static void numbers_and_names_match_the_headers(void) {
#define NUMBER(name, value) CHECK(name == (value));
  EACH_NUMBER(NUMBER)
#define CASE(type, name, value, text)  \
  CHECK(name == (value));              \
  CHECK_TEXT(text, type##_name(name));
  EACH_CASE(CASE)
  CHECK(sizeof(fv_status) == 4 && (fv_status)-1 < 0 && FV_E_CANCELLED == -18);
  CHECK(FV_CHALLENGE_BIT(FV_CHALLENGE_BLINK) == 2 && FV_CHALLENGE_BIT(FV_CHALLENGE_HOLD_STILL) == 4096);
}

static void numbers_outside_of_a_list_have_no_name(void) {
#define LIST(type, end)                                                                      \
  CHECK_TEXT("unknown", type##_name(end));                                                   \
  CHECK_TEXT("unknown", type##_name((end) < 0 ? 1 : -1));                                    \
  CHECK_TEXT("unknown", type##_name((type)(sizeof(type) == 4 ? INT32_MAX : INT64_MAX)));     \
  CHECK_TEXT("unknown", type##_name((type)(sizeof(type) == 4 ? INT32_MIN : INT64_MIN)));     \
  CHECK_TEXT((end) < 0 ? "ok" : "none", type##_name(0));
  EACH_LIST(LIST)
}

static void macro_and_function_initialise_equally(void) {
#define STRUCT(type, initialiser)                                 \
  {                                                               \
    const type by_macro = initialiser;                            \
    type by_function;                                             \
    memset(&by_function, 0xAA, sizeof by_function);               \
    fv_struct_init(&by_function, sizeof by_function);             \
    CHECK(memcmp(&by_macro, &by_function, sizeof by_macro) == 0); \
    CHECK(by_macro.struct_size == sizeof by_macro);               \
  }
  EACH_STRUCT(STRUCT)
}

/* A struct of `size` bytes as in an older program: memory after it must not be touched. */
static void *older(size_t size) {
  void *structure = guarded(size);
  fv_struct_init(structure, size);
  return structure;
}

/* Rows: V6-support */
static void older_input_is_accepted(void) {
  fv_engine *engine = NULL;
  fv_engine_options *options = (fv_engine_options *)older(offsetof(fv_engine_options, model_set));
  fv_image *image = NULL;
  fv_image_limits *limits = (fv_image_limits *)older(offsetof(fv_image_limits, maximum_bytes));
  fv_comparison_policy *policy = (fv_comparison_policy *)older(offsetof(fv_comparison_policy, portrait));
  fv_budget *budget = (fv_budget *)older(offsetof(fv_budget, cancellation));
  fv_decision *decision = NULL;
  fv_input *input = (fv_input *)older(offsetof(fv_input, image));
  CHECK_STATUS(FV_OK, fv_engine_create(&engine, FV_VERSION_NUMBER, options, NULL, 0));
  if (has_samples()) {
    input->path = sample_path("obama.jpg");
    CHECK_STATUS(FV_OK, fv_image_from_file(&image, input->path, limits, NULL, 0));
    CHECK_STATUS(FV_OK, fv_engine_compare(&decision, engine, input, input, policy, budget, NULL, 0));
    /* The same file on both sides proves nothing. */
    CHECK(fv_decision_result(decision) == FV_RESULT_REFUSED);
  }
  fv_decision_free(decision);
  fv_image_free(image);
  fv_engine_free(engine);
}

static void older_output_is_filled(void) {
  fv_engine *engine = make_engine(NULL, 0);
  fv_threshold full = FV_THRESHOLD_INIT;
  fv_threshold *threshold = (fv_threshold *)older(offsetof(fv_threshold, false_matches));
  CHECK_STATUS(FV_OK, fv_engine_threshold(&full, engine, 1e-3, NULL, 0));
  CHECK_STATUS(FV_OK, fv_engine_threshold(threshold, engine, 1e-3, NULL, 0));
  CHECK(threshold->false_match_rate == full.false_match_rate && threshold->score == full.score);
  CHECK(threshold->struct_size == offsetof(fv_threshold, false_matches) && full.struct_size == sizeof full);
  fv_engine_free(engine);
}

int main(void) {
  RUN(the_layout_matches_the_headers);
  RUN(numbers_and_names_match_the_headers);
  RUN(numbers_outside_of_a_list_have_no_name);
  RUN(macro_and_function_initialise_equally);
  RUN(older_input_is_accepted);
  RUN(older_output_is_filled);
  return finish();
}
