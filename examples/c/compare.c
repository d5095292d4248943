/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare SELFIE PORTRAIT: compares a selfie with a portrait.
 *
 *   cc -std=c99 compare.c $(pkg-config --cflags --libs faceverify) -o compare
 *
 * Either file is an image or a template. Exit codes: 0 match, 1 no match, 2 usage error, 3 runtime error, 4 refused: a
 * photo is not good enough.
 */
#include <faceverify.h>
#include <stdio.h>

enum { MATCH = 0, NO_MATCH = 1, USAGE = 2, FAILED = 3, REFUSED = 4 };

static void print(const fv_decision *decision) {
  fv_comparison comparison = FV_COMPARISON_INIT;
  fv_reason reason = FV_REASON_INIT;
  size_t i;
  puts(fv_result_name(fv_decision_result(decision)));
  if (fv_decision_comparison(&comparison, decision) == FV_OK) {
    printf("score %.2f, threshold %.2f (lower is closer)\n", comparison.score, comparison.threshold);
    printf("similarity %.0f of 100\n", comparison.similarity);
  }
  for (i = 0; i < fv_decision_reason_count(decision); i++)
    if (fv_decision_reason_at(&reason, decision, i) == FV_OK) puts(reason.text);
}

static int exit_code(const fv_decision *decision) {
  switch (fv_decision_result(decision)) {
    case FV_RESULT_MATCH:
      return MATCH;
    case FV_RESULT_NO_MATCH:
      return NO_MATCH;
    default:
      return REFUSED;
  }
}

int main(int count, char **arguments) {
  fv_engine *engine = NULL;
  fv_decision *decision = NULL;
  fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
  char message[FV_MESSAGE_BYTES] = "";
  int code = FAILED;

  if (count != 3) {
    fprintf(stderr, "usage: compare SELFIE PORTRAIT\n");
    return USAGE;
  }
  selfie.path = arguments[1];
  portrait.path = arguments[2];
  if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK ||
      fv_engine_compare(&decision, engine, &selfie, &portrait, NULL, NULL, message, sizeof message) != FV_OK) {
    fprintf(stderr, "compare: %s\n", message);
  } else {
    print(decision);
    code = exit_code(decision);
  }
  fv_decision_free(decision);
  fv_engine_free(engine);
  return code;
}
