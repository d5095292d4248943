/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header is self-contained, may be included twice, its macros serve as initialisers, and its functions link. Built as
 * C99 and as C++.
 */
#include <faceverify.h>
#include <faceverify/documents.h>

#include "test.h"

#include "generated_layout.h"

#define DECLARE(type, initialiser) static const type made_##type = initialiser;
EACH_STRUCT(DECLARE)

static void initialisers_are_accepted(void) {
#define HOLDS_ITS_SIZE(type, initialiser) CHECK(made_##type.struct_size == sizeof(type));
  EACH_STRUCT(HOLDS_ITS_SIZE)
}

static void functions_are_linked(void) {
  fv_engine *engine = NULL;
  CHECK(fv_version_number() == FV_VERSION_NUMBER);
  CHECK_STATUS(FV_E_VERSION, fv_engine_create(&engine, 10000 + FV_VERSION_NUMBER, NULL, NULL, 0));
}

int main(void) {
  RUN(initialisers_are_accepted);
  RUN(functions_are_linked);
  return finish();
}
