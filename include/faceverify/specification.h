/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The terms of the identity-check SDK specifications for the values of this library (docs/specification-terms.md), for
 * integrations that expect those. Nothing else in the library uses them. faceverify.h has the conventions.
 *
 * Texts live as long as the process. A value without a counterpart has NULL.
 */
#ifndef FACEVERIFY_SPECIFICATION_H
#define FACEVERIFY_SPECIFICATION_H

#include "documents.h"
#include "journey.h"
#include "liveness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Enumerations ------------------------------------------------------------------------------------------------ */

/** Returns the status of a field of a document: "OK", "ERROR" or "NOT_CHECKED"; NULL for another number. */
FV_API const char *fv_check_status_specification_name(fv_check_status check_status);
/** Returns the document type, such as "ID_CARD"; NULL for another number. */
FV_API const char *fv_document_type_specification_name(fv_document_type type);
/** Returns the type of such a name; 0 for another name. */
FV_API fv_document_type fv_document_type_of_specification_name(const char *name);
/** Returns the part of a credential, such as "nfc" for the chip; NULL for another number. */
FV_API const char *fv_journey_part_specification_name(fv_journey_part part);
/** Returns the part of such a name; 0 for another name. */
FV_API fv_journey_part fv_journey_part_of_specification_name(const char *name);
/** Returns the scan mode, such as "livenessPremium"; NULL without a counterpart. */
FV_API const char *fv_scan_mode_specification_name(fv_scan_mode mode);
/** Returns the mode of such a name; 0 for another name. */
FV_API fv_scan_mode fv_scan_mode_of_specification_name(const char *name);
/** Returns the step of a scan part that corresponds to the state of a session, such as "scanView"; NULL for another
 * number. */
FV_API const char *fv_liveness_session_state_specification_name(fv_liveness_session_state state);
/** Returns the name of a hint, such as "tiltFaceUp" for a chin to be raised; NULL for another number. */
FV_API const char *fv_liveness_hint_specification_name(fv_liveness_hint hint);
/** Returns the name of a retry reason, such as "eyesClosed"; NULL for another number. The number of the constant is the
 * specification's code. */
FV_API const char *fv_retry_reason_specification_name(fv_retry_reason reason);
/** Returns the name of a logical error, such as "deadController"; NULL without a counterpart. */
FV_API const char *fv_logical_error_specification_name(fv_logical_error error);

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/** Returns the name of a field of fv_document_field_name_at(), such as "mrzStrings" for "mrzLines"; NULL for a name
 * that is not listed. */
FV_API const char *fv_specification_field_name(const char *name);
/** Returns the name of the step, update or callback that corresponds to the name of an event of a journey, such as
 * "didInitialize" for "initialized". */
FV_API const char *fv_specification_event_name(const char *name);
/** Returns the name of a hint of the event "document-hint", such as "centerId" for "centre-document"; NULL for a hint
 * that is not known. */
FV_API const char *fv_specification_document_hint(const char *hint);
/** Returns the number of a reason for rejecting a photo of a document (fv_page_check): 102 for "black-white-copy"; 0
 * without a counterpart. */
FV_API int64_t fv_specification_rejection_number(const char *reason);
/** Returns the older generation's code for the error code of a journey: "A10000" for "A000000"; NULL without a
 * counterpart. */
FV_API const char *fv_specification_older_error_code(const char *code);

/* ---- Statuses of a document -------------------------------------------------------------------------------------- */

/** Returns the status of the chip: "SUCCESS" if it is authentic, "ERROR" if it is not or is unreadable, otherwise
 * "UNDEFINED"; NULL if there is no such document. */
FV_API const char *fv_document_specification_chip_status(const fv_document *document);
/** Returns the number of statuses: "OK" or "NOT_CHECKED" alone, or one for each failure, such as "EXPIRED_DOCUMENT". */
FV_API size_t fv_document_specification_status_count(const fv_document *document);
/** Returns a status; NULL if `index` is not below the count. */
FV_API const char *fv_document_specification_status_at(const fv_document *document, size_t index);

#ifdef __cplusplus
}
#endif

#endif
