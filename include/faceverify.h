/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * faceverify: offline face verification and liveness for identity documents.
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
 * **Headers.** faceverify/core.h has the engine, images, comparisons, quality and templates; faceverify/liveness.h
 * liveness sessions; faceverify/documents.h document pages and chips; faceverify/codes.h QR codes, bar codes and other
 * codes; faceverify/journey.h complete identity checks; faceverify/specification.h the terms of identity-check SDKs.
 * Each header begins with what most programs need and can be included alone; this one includes all of them.
 *
 * **Results and errors.** A negative answer (no match, poor quality) is a result: the status is FV_OK, and the object
 * holds the findings and the reasons. A status other than FV_OK is a usage error or a runtime error.
 *
 * **Messages.** Functions that create, read or analyse end with the parameters `message` and `message_bytes`: a buffer
 * for one zero-terminated line that states what was wrong and what to do; it is empty on success. A longer line is
 * truncated between characters; FV_MESSAGE_BYTES are always enough. Pass NULL and 0 for no message. Plain lookups have
 * a status only.
 *
 * **Ownership.** A handle returned through the first parameter, `out`, is owned by the caller: free it with the `_free`
 * of its type. After a failure a handle is NULL, and a struct is unchanged. A handle or text returned as a `const`
 * pointer is borrowed: it is valid as long as the handle it was obtained from, unless stated otherwise. `_free(NULL)`,
 * and freeing a borrowed handle, does nothing. Arguments are used during the call only, and copied if they are needed
 * later. Handles may be freed in any order.
 *
 * **Handles.** A handle is a number, not an address, and is never dereferenced: a freed handle, a handle of another
 * type and an invalid pointer give FV_E_BAD_ARGUMENT (or NULL, or 0), not a crash. Numbers are never reused.
 *
 * **Threads.** Objects are thread-safe: immutable, or synchronised internally. Not thread-safe are fv_liveness_session,
 * fv_journey, fv_code_scanner and fv_quality_policy: a concurrent call returns FV_E_BUSY; consecutive calls may be on
 * different threads. There is no initialisation, no global setting and no clock; the library never prints and opens no
 * network connection. Only fv_card_readers_list() and fv_live_chip_read() without a transport use a service of the
 * machine, pcscd.
 *
 * **Structs.** Each begins with `struct_size`, which its _INIT macro or fv_struct_init() sets; in all other fields 0
 * selects the default. Later releases only append fields, so programs need not be recompiled. If a struct is longer
 * than the library's, the rest must be 0 in an input, and is set to 0 in an output. A `struct_size` larger than the
 * memory behind it cannot be detected, and is undefined behaviour.
 *
 * **Enumerations.** Each has its own 64-bit integer type (fv_result, fv_challenge...), not an `enum`, whose size C does
 * not fix. Its constants begin with the name of the type, are numbered from 1 without a gap, and never change; later
 * releases append some. `fv_x_name` returns the name of an fv_x as used in JSON: kebab-case, "none" for 0, and
 * "unknown" for any number without a constant, which also ends a loop over all of them. An fv_x_set is a set of them,
 * made of FV_X_BIT() values.
 *
 * **Truth values.** Parameters, fields and results that answer yes or no are fv_bool: 1 or 0.
 *
 * **Buffers.** The names of capacities and counts contain their unit: `capacity_bytes`, `capacity_points`. NULL with a
 * capacity of 0 returns the required count. If the capacity is too small, the call returns FV_E_BUFFER_TOO_SMALL and
 * the required count, and writes nothing to the buffer.
 *
 * **Values.** Text is UTF-8 and zero-terminated. Positions are pixels of the upright image: x to the right, y down, (0,
 * 0) is the outer corner of the first pixel; left and right are the subject's own. A value that was not measured is
 * NaN.
 *
 * Since: 0.3.0, everything that is not marked FV_SINCE(). docs/c-api.md describes the conventions in detail.
 */
#ifndef FACEVERIFY_H
#define FACEVERIFY_H

#include "faceverify/codes.h"
#include "faceverify/core.h"
#include "faceverify/documents.h"
#include "faceverify/journey.h"
#include "faceverify/liveness.h"
#include "faceverify/specification.h"

#endif
