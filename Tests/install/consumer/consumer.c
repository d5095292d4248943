/*
 * consumer                    prints the versions of the header and of the library
 * consumer SELFIE PORTRAIT    prints the result of a comparison
 */
#include <faceverify.h>
#include <stdio.h>

int main(int count, char **arguments) {
  fv_engine *engine = NULL;
  fv_decision *decision = NULL;
  fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
  char message[FV_MESSAGE_BYTES] = "";
  fv_status status;

  if (count != 3) {
    printf("%u %s\n", (unsigned)FV_VERSION_NUMBER, fv_version_string());
    return fv_version_number() != FV_VERSION_NUMBER;
  }
  selfie.path = arguments[1];
  portrait.path = arguments[2];
  status = fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message);
  if (status == FV_OK)
    status = fv_engine_compare(&decision, engine, &selfie, &portrait, NULL, NULL, message, sizeof message);
  if (status == FV_OK)
    puts(fv_result_name(fv_decision_result(decision)));
  else
    fprintf(stderr, "%s: %s\n", fv_status_name(status), message);
  fv_decision_free(decision);
  fv_engine_free(engine);
  return status != FV_OK || fv_live_objects() != 0;
}
