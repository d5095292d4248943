/* SPDX-License-Identifier: Apache-2.0 */
/* Clearing a journey overwrites the pictures that it kept: no block that is freed still has their bytes. */
#include <malloc.h>

#include "test.h"

enum { SIDE = 100 };

static unsigned char secret[3 * SIDE * SIDE];
/* Blocks of a picture's size that this thread freed while watching, and those that had its bytes. */
static __thread int watching, freed, readable;

extern void __libc_free(void *block);

/* Replaces that of the C library, also for the library. */
void free(void *block) {
  size_t size = block != NULL && watching ? malloc_usable_size(block) : 0;
  if (size >= sizeof secret) {
    freed++;
    readable += memmem(block, size, secret + 3 * SIDE, 64) != NULL;
  }
  __libc_free(block);
}

static void watch(void) {
  watching = 1;
  freed = readable = 0;
}

static void a_freed_block_is_inspected(void) {
  unsigned char *block = (unsigned char *)malloc(sizeof secret);
  memcpy(block, secret, sizeof secret);
  watch();
  free(block);
  watching = 0;
  CHECK(freed == 1 && readable == 1);
}

/* Rows: NV23 */
static void clearing_a_journey_overwrites_its_pictures(void) {
  const double now = 1.7e9;
  fv_engine *engine = make_engine(NULL, 1);
  fv_journey *journey = NULL;
  fv_journey_options options = FV_JOURNEY_OPTIONS_INIT;
  fv_image_view view = FV_IMAGE_VIEW_INIT;
  fv_image *image = NULL;
  options.json = "{\"requests\": [{\"category\": \"document\"}], \"documentModes\": [\"file\"], \"keepsPictures\": true}";
  view.data = secret;
  view.byte_count = sizeof secret;
  view.width = view.height = SIDE;
  view.pixel_format = FV_PIXEL_FORMAT_RGB8;
  require(fv_image_from_pixels(&image, &view, NULL, said, sizeof said), "fv_image_from_pixels", said);
  require(fv_journey_create(&journey, engine, &options, now, said, sizeof said), "fv_journey_create", said);
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_START, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_start_credential(journey, 0, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_start_part(journey, FV_JOURNEY_PART_DOCUMENT, 0, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_attach_image(journey, image, now, said, sizeof said));
  fv_image_free(image);
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_PART, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH_CREDENTIAL, now, said, sizeof said));
  CHECK_STATUS(FV_OK, fv_journey_perform(journey, FV_JOURNEY_CALL_FINISH, now, said, sizeof said));
  watch();
  CHECK_STATUS(FV_OK, fv_journey_clear(journey, said, sizeof said));
  CHECK(freed > 0);
  fv_journey_free(journey);
  watching = 0;
  CHECK(readable == 0);
  fv_engine_free(engine);
}

int main(void) {
  size_t i;
  srand(1);
  for (i = 0; i < sizeof secret; i++) secret[i] = (unsigned char)rand();
  RUN(a_freed_block_is_inspected);
  RUN(clearing_a_journey_overwrites_its_pictures);
  return finish();
}
