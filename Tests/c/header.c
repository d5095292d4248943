/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header stands alone, may be included twice, its macros serve as initialisers, and its functions link. Built as
 * C99 and as C++.
 */
#include <faceverify.h>

static const fv_engine_options options = FV_ENGINE_OPTIONS_INIT;
static const fv_threshold threshold = FV_THRESHOLD_INIT;
static const fv_model model = FV_MODEL_INIT;
static const fv_image_limits limits = FV_IMAGE_LIMITS_INIT;
static const fv_image_view view = FV_IMAGE_VIEW_INIT;
static const fv_image_info info = FV_IMAGE_INFO_INIT;
static const fv_policy policy = FV_POLICY_INIT;
static const fv_input input = FV_INPUT_INIT;
static const fv_comparison comparison = FV_COMPARISON_INIT;
static const fv_face face = FV_FACE_INIT;
static const fv_check one_check = FV_CHECK_INIT;
static const fv_template_info template_info = FV_TEMPLATE_INFO_INIT;
static const fv_liveness_draw draw = FV_LIVENESS_DRAW_INIT;
static const fv_liveness_request_info request_info = FV_LIVENESS_REQUEST_INFO_INIT;
static const fv_liveness_colour colour = FV_LIVENESS_COLOUR_INIT;
static const fv_liveness_task task = FV_LIVENESS_TASK_INIT;
static const fv_liveness_options liveness_options = FV_LIVENESS_OPTIONS_INIT;
static const fv_liveness_frame frame = FV_LIVENESS_FRAME_INIT;
static const fv_liveness_state state = FV_LIVENESS_STATE_INIT;
static const fv_liveness_check liveness_check = FV_LIVENESS_CHECK_INIT;
static const fv_liveness_answer answer = FV_LIVENESS_ANSWER_INIT;
static const fv_liveness_evidence evidence = FV_LIVENESS_EVIDENCE_INIT;
static const fv_document_options document_options = FV_DOCUMENT_OPTIONS_INIT;
static const fv_document_info document_info = FV_DOCUMENT_INFO_INIT;
static const fv_field field = FV_FIELD_INIT;
static const fv_finding finding = FV_FINDING_INIT;
static const fv_page_check page_check = FV_PAGE_CHECK_INIT;
static const fv_binding binding = FV_BINDING_INIT;

#define HOLDS_ITS_SIZE(variable) ((variable).struct_size == sizeof(variable))

#include "test.h"

static void initialisers(void) {
  CHECK(HOLDS_ITS_SIZE(options) && HOLDS_ITS_SIZE(threshold) && HOLDS_ITS_SIZE(model) && HOLDS_ITS_SIZE(limits));
  CHECK(HOLDS_ITS_SIZE(view) && HOLDS_ITS_SIZE(info) && HOLDS_ITS_SIZE(policy) && HOLDS_ITS_SIZE(input));
  CHECK(HOLDS_ITS_SIZE(comparison) && HOLDS_ITS_SIZE(face) && HOLDS_ITS_SIZE(one_check));
  CHECK(HOLDS_ITS_SIZE(template_info) && HOLDS_ITS_SIZE(colour) && HOLDS_ITS_SIZE(draw));
  CHECK(HOLDS_ITS_SIZE(request_info));
  CHECK(HOLDS_ITS_SIZE(task) && HOLDS_ITS_SIZE(liveness_options) && HOLDS_ITS_SIZE(frame));
  CHECK(HOLDS_ITS_SIZE(state) && HOLDS_ITS_SIZE(liveness_check) && HOLDS_ITS_SIZE(answer) && HOLDS_ITS_SIZE(evidence));
  CHECK(HOLDS_ITS_SIZE(document_options) && HOLDS_ITS_SIZE(document_info) && HOLDS_ITS_SIZE(field));
  CHECK(HOLDS_ITS_SIZE(finding) && HOLDS_ITS_SIZE(page_check) && HOLDS_ITS_SIZE(binding));
}

static void links(void) {
  fv_engine *engine = NULL;
  CHECK(fv_version_number() == FV_VERSION_NUMBER);
  CHECK_STATUS(FV_E_VERSION, fv_engine_create(&engine, 10000 + FV_VERSION_NUMBER, NULL, NULL, 0));
}

int main(void) {
  RUN(initialisers);
  RUN(links);
  return finish();
}
