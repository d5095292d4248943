/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * faceverify: is this the person on the document?
 *
 *     #include <faceverify.h>
 *     #include <stdio.h>
 *
 *     int main(void) {
 *       char message[FV_MESSAGE_BYTES] = "";
 *       fv_engine *engine = NULL;
 *       fv_decision *decision = NULL;
 *       fv_input selfie = FV_INPUT_INIT, portrait = FV_INPUT_INIT;
 *       selfie.path = "selfie.jpg";
 *       portrait.path = "portrait.jpg";
 *       if (fv_engine_create(&engine, FV_VERSION_NUMBER, NULL, message, sizeof message) != FV_OK ||
 *           fv_engine_compare(&decision, engine, &selfie, &portrait, NULL, NULL, message, sizeof message) != FV_OK)
 *         puts(message);
 *       else
 *         puts(fv_result_name(fv_decision_result(decision)));
 *       fv_decision_free(decision);
 *       fv_engine_free(engine);
 *       return 0;
 *     }
 *
 * **Headers.** faceverify/core.h has the engine, pictures, comparisons, quality and templates; faceverify/liveness.h
 * the sessions that watch a person; faceverify/documents.h passport pages and chips; faceverify/codes.h QR codes, bar
 * codes and the like; faceverify/journey.h leads a person through all of it. Each begins with what most programs need, and stands alone; this one includes them all.
 *
 * **Results and errors.** A negative answer (no match, poor quality) is a result: the status is FV_OK, and the object
 * says what was found and why. A status other than FV_OK says that something could not be done.
 *
 * **Messages.** What makes, reads or analyses something ends with `message` and `message_bytes`: the function writes
 * one line there that says what was wrong and what to do, and ends it with a 0 byte, or an empty line if all is well. A
 * longer line is cut off between characters; FV_MESSAGE_BYTES hold every line. NULL and 0: no message is wanted. What
 * only looks something up has a status that says it all.
 *
 * **Ownership.** What a function hands out through its first parameter, `out`, is yours: free it with the `_free` of
 * its type. After a failure a handle is NULL, and a struct is left as it was. What a function returns as a `const`
 * pointer is borrowed: it lives as long as the handle that it was asked of, unless said otherwise. `_free(NULL)`, and
 * freeing what is borrowed, does nothing. What you pass in is used during the call only, and copied where it is needed
 * later; handles may be freed in any order.
 *
 * **Handles.** A handle is a number that is looked up, never memory that is followed: one that was freed, that
 * belongs to another type or that never was one gives FV_E_BAD_ARGUMENT (or NULL, or 0), not a crash. Numbers are not
 * used again.
 *
 * **Threads.** Any threads may use an object at the same time: it is never changed after it was made, or looks after
 * itself. But fv_liveness_session, fv_journey, fv_code_scanner and fv_quality_policy serve one thread at a time, and a call meanwhile is
 * answered with FV_E_BUSY. There is no initialisation, no global setting and no clock; the library never prints and opens no
 * connection.
 *
 * **Structs.** Each begins with `struct_size`, which its _INIT macro or fv_struct_init() sets; in all other fields 0
 * stands for the default. Later releases only append fields: programs go on working without being compiled anew. Of a
 * struct longer than the library knows, the rest must be 0 when it is passed in, and is set to 0 when it is filled. A
 * `struct_size` that is larger than the memory behind it is a mistake that nobody can see: it can end the process.
 *
 * **Values from lists.** Each list has a type of its own (fv_result, fv_challenge...), a number of 64 bits whose
 * constants begin with its name, are counted from 1 without a gap, and never change; later releases add some.
 * `fv_x_name` gives the name of an fv_x as JSON has it: kebab-case, "none" for 0, and "unknown" for any number without
 * a constant, which also ends a loop over all of them.
 *
 * **Buffers.** A capacity and a count say in their name what they count: `capacity_bytes`, `capacity_points`. NULL and
 * a capacity of 0 ask for the count. A capacity that is too small is FV_E_BAD_ARGUMENT, and nothing is written.
 *
 * Text is UTF-8 and ends with a 0 byte. Positions are pixels of the upright picture: x to the right, y down, (0, 0)
 * is the outer corner of the first pixel; left and right are the subject's. What was not measured is NaN.
 *
 * Since: all of it, 0.2.0. docs/c-api.md has the conventions at length.
 */
#ifndef FACEVERIFY_H
#define FACEVERIFY_H

#include "faceverify/codes.h"
#include "faceverify/core.h"
#include "faceverify/documents.h"
#include "faceverify/journey.h"
#include "faceverify/liveness.h"

#endif
