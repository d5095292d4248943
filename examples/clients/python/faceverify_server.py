"""A typed client of `faceverify serve`, for one key: Python 3.11 or later, without dependencies.

    client = Client("https://check.example", key)
    session = client.create_session({"requests": [{"category": "face"}]})

A result counts only after its record was verified: examples/server/client.py does that.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Literal, Mapping, NotRequired, Sequence, TypedDict


class ApiError(Exception):
    """A refused request: the HTTP status, the problem (RFC 9457; empty if it is no JSON), and the headers."""

    def __init__(self, status: int, problem: dict[str, Any], headers: http.client.HTTPMessage):
        super().__init__(f"{status}: {problem.get('detail', 'no problem was described')}")
        self.status, self.problem, self.headers = status, problem, headers
        self.retry_after = int(headers["Retry-After"]) if headers.get("Retry-After") else None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests with a key."""

    def __init__(self, url: str, key: str, timeout: float = 60):
        self.url, self.key, self.timeout = url.rstrip("/"), key, timeout
        self.opener = urllib.request.build_opener(_NoRedirect)

    def _call(self, method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, Any], body: Any = None,
              form: "Mapping[str, str | bytes | Sequence[str | bytes]] | None" = None) -> bytes:
        sent = {"Authorization": f"Bearer {self.key}", **{name: str(value) for name, value in headers.items() if value is not None}}
        data = None
        if form is not None:
            boundary = uuid.uuid4().hex
            sent["Content-Type"] = f"multipart/form-data; boundary={boundary}"
            data = b""
            for name, values in form.items():
                for value in [values] if isinstance(values, (str, bytes)) else values:
                    file = "" if isinstance(value, str) else f'; filename="{name}"'
                    data += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode()
                    data += (value.encode() if isinstance(value, str) else value) + b"\r\n"
            data += f"--{boundary}--\r\n".encode()
        elif body is not None:
            sent["Content-Type"], data = "application/json", json.dumps(body).encode()
        asked = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(self.url + path + (asked and "?" + asked), data, sent, method=method)
        try:
            with self.opener.open(request, timeout=self.timeout) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            try:
                problem = json.loads(error.read())
            except ValueError:
                problem = {}
            raise ApiError(error.code, problem if isinstance(problem, dict) else {}, error.headers) from None


# Generated below this line by scripts/generate-clients from openapi.json.


Problem = TypedDict("Problem", {
    "type": "str",
    "title": "str",
    "status": "int",
    "code": "str | None",
    "logicalError": "Literal['need-to-consent-first', 'multiple-credentials', 'multiple-scan-parts', 'unknown-credential', 'unknown-scan-part', 'dead-credential', 'dead-scan-part', 'dead-controller', 'scan-part-not-completed', 'credential-not-completed', 'controller-not-completed', 'no-fallback-available', 'take-picture-not-allowed', 'error-not-retryable', 'is-being-finished', 'not-yet-implemented', 'dependency-wrong-version', 'data-centre-validation-failed', 'token-validation-failed', 'wrong-order'] | None",
    "retryable": "bool",
    "detail": "str",
    "requestId": "str",
    "error": "NotRequired[str]",
    "position": "NotRequired[int]",
    "expectedSeq": "NotRequired[int]",
})
ListSessionsAnswer = TypedDict("ListSessionsAnswer", {
    "sessions": "list[Session]",
    "before": "str | None",
})
Session = TypedDict("Session", {
    "workflowExecutionId": "str",
    "accountId": "str",
    "mode": "Mode",
    "state": "Literal['created', 'claimed', 'active', 'finished', 'interrupted', 'expired', 'cleared']",
    "created": "str",
    "startBy": "str",
    "expires": "str",
    "finished": "str | None",
    "error": "Failure | None",
    "runs": "int",
    "result": "Literal['passed', 'failed', 'not-checked'] | None",
    "assurance": "Assurance | None",
    "customerInternalReference": "str | None",
    "userReference": "str | None",
    "node": "str",
    "commitment": "str",
})
Mode = Literal['live', 'test']
Failure = TypedDict("Failure", {
    "code": "str",
    "message": "str",
    "isRetryable": "bool",
})
Assurance = TypedDict("Assurance", {
    "presence": "Presence",
    "document": "DocumentAssurance",
    "binding": "Binding",
})
Presence = Literal['none', 'photo', 'passive-video', 'challenge-answered', 'trusted-capture']
DocumentAssurance = Literal['none', 'data-only', 'page-seen', 'page-consistent', 'chip-copy-authentic', 'chip-authentic']
Binding = Literal['none', 'same-picture', 'supplied-photo', 'page-portrait', 'chip-portrait', 'enrolled-template']
SessionRequest = TypedDict("SessionRequest", {
    "requests": "NotRequired[list[DocumentRequest] | None]",
    "workflowDefinition": "NotRequired[WorkflowDefinition | None]",
    "consents": "NotRequired[list[ConsentItem] | None]",
    "customerInternalReference": "NotRequired[str | None]",
    "reportingCriteria": "NotRequired[str | None]",
    "userReference": "NotRequired[str | None]",
    "merchantScanReference": "NotRequired[str | None]",
    "merchantReportingCriteria": "NotRequired[str | None]",
    "customerId": "NotRequired[str | None]",
    "account": "NotRequired[str | None]",
    "region": "NotRequired[Literal['US', 'EU', 'SG', 'local'] | None]",
    "requiresRegion": "NotRequired[bool | None]",
    "requiredVersion": "NotRequired[str | None]",
    "comparison": "NotRequired[SessionRequestComparison | None]",
    "assurance": "NotRequired[SessionRequestAssurance | None]",
    "documentModes": "NotRequired[list[Literal['doc-finder', 'manual', 'file']] | None]",
    "faceModes": "NotRequired[list[Literal['liveness', 'strict', 'passive', 'face-manual']] | None]",
    "challengeCount": "NotRequired[int | None]",
    "challenges": "NotRequired[list[str] | None]",
    "script": "NotRequired[list[SessionRequestScript] | None]",
    "readsPages": "NotRequired[bool | None]",
    "readsChip": "NotRequired[bool | None]",
    "requiresChip": "NotRequired[bool | None]",
    "readsText": "NotRequired[bool | None]",
    "isMultipart": "NotRequired[bool | None]",
    "asksConfirmation": "NotRequired[bool | None]",
    "givesInstantFeedback": "NotRequired[bool | None]",
    "date": "NotRequired[str | None]",
    "authentication": "NotRequired[Literal['standard', 'strict'] | None]",
    "extractsOnly": "NotRequired[bool | None]",
    "comparesFace": "NotRequired[bool | None]",
    "startBy": "NotRequired[float | None]",
    "partTimeout": "NotRequired[float | None]",
    "maximumTries": "NotRequired[int | None]",
    "legalAdvice": "NotRequired[dict[str, Any] | None]",
    "isMirrored": "NotRequired[bool | None]",
    "rotation": "NotRequired[Literal[0, 90, 180, 270] | None]",
    "recordsPersonalData": "NotRequired[bool | None]",
    "callbackUrl": "NotRequired[str | None]",
    "test": "NotRequired[SessionRequestTest | None]",
    "returnUrl": "NotRequired[str | None]",
    "portrait": "NotRequired[str | None]",
    "light": "NotRequired[Literal['off', 'on'] | None]",
    "ui": "NotRequired[UserInterface | None]",
    "retention": "NotRequired[SessionRequestRetention | None]",
    "lifetime": "NotRequired[float | None]",
})
DocumentRequest = TypedDict("DocumentRequest", {
    "category": "Literal['id', 'face', 'document']",
    "countries": "NotRequired[list[str] | None]",
    "types": "NotRequired[list[str] | None]",
    "variants": "NotRequired[list[Literal['paper', 'plastic']] | None]",
})
WorkflowDefinition = TypedDict("WorkflowDefinition", {
    "key": "NotRequired[str | None]",
    "credentials": "list[WorkflowDefinitionCredentials]",
})
WorkflowDefinitionCredentials = TypedDict("WorkflowDefinitionCredentials", {
    "category": "Literal['ID', 'FACE', 'DOCUMENT']",
    "type": "NotRequired[WorkflowDefinitionCredentialsType | None]",
    "country": "NotRequired[WorkflowDefinitionCredentialsCountry | None]",
})
WorkflowDefinitionCredentialsType = TypedDict("WorkflowDefinitionCredentialsType", {
    "values": "list[Literal['PASSPORT', 'ID_CARD', 'VISA', 'DRIVING_LICENSE']]",
})
WorkflowDefinitionCredentialsCountry = TypedDict("WorkflowDefinitionCredentialsCountry", {
    "values": "list[str]",
})
ConsentItem = TypedDict("ConsentItem", {
    "text": "str",
    "isActive": "bool",
    "url": "NotRequired[str | None]",
    "link": "NotRequired[str | None]",
})
SessionRequestComparison = TypedDict("SessionRequestComparison", {
    "falseMatchRate": "NotRequired[str]",
    "selfie": "NotRequired[str]",
    "portrait": "NotRequired[str]",
})
SessionRequestAssurance = TypedDict("SessionRequestAssurance", {
    "presence": "NotRequired[Presence]",
    "document": "NotRequired[DocumentAssurance]",
    "binding": "NotRequired[Binding]",
    "accepted": "NotRequired[list[Literal['page-only', 'licence-code']]]",
})
SessionRequestScript = TypedDict("SessionRequestScript", {
    "challenge": "str",
    "hold": "NotRequired[float]",
    "pause": "NotRequired[float]",
})
SessionRequestTest = TypedDict("SessionRequestTest", {
    "outcome": "NotRequired[str]",
})
UserInterface = TypedDict("UserInterface", {
    "language": "NotRequired[str | None]",
    "showsResult": "NotRequired[bool | None]",
    "showRFIDInstructions": "NotRequired[bool | None]",
    "scannerTimeout": "NotRequired[float | None]",
})
SessionRequestRetention = TypedDict("SessionRequestRetention", {
    "images": "NotRequired[float | None]",
    "result": "NotRequired[float | None]",
})
NewSession = TypedDict("NewSession", {
    "accountId": "str",
    "mode": "Mode",
    "workflowExecutionId": "str",
    "state": "Literal['created', 'claimed', 'active', 'finished', 'interrupted', 'expired', 'cleared']",
    "pageUrl": "str",
    "startBy": "str",
    "expires": "str",
    "commitment": "str",
    "warnings": "list[str]",
})
SessionResult = TypedDict("SessionResult", {
    "workflowExecutionId": "str",
    "accountId": "str",
    "mode": "Mode",
    "isComplete": "bool",
    "result": "Literal['passed', 'failed', 'not-checked'] | None",
    "assurance": "Assurance",
    "error": "Failure | None",
    "transport": "dict[str, Any]",
    "consents": "list[dict[str, Any]]",
    "commitment": "str",
    "nonce": "str",
    "audit": "SessionResultAudit",
    "record": "DecisionRecord | None",
})
SessionResultAudit = TypedDict("SessionResultAudit", {
    "sequence": "int",
    "head": "str",
})
DecisionRecord = TypedDict("DecisionRecord", {
    "schema": "Literal['faceverify-record-1']",
    "body": "dict[str, Any]",
    "signature": "DecisionRecordSignature",
})
DecisionRecordSignature = TypedDict("DecisionRecordSignature", {
    "algorithm": "Literal['Ed25519']",
    "key": "str",
    "value": "str",
})
ClearSessionAnswer = TypedDict("ClearSessionAnswer", {
    "workflowExecutionId": "str",
    "state": "Literal['cleared']",
    "mode": "Mode",
})
Events = TypedDict("Events", {
    "events": "list[Event]",
    "before": "str | None",
})
Event = TypedDict("Event", {
    "id": "str",
    "event": "Literal['session.finished', 'session.expired', 'session.interrupted']",
    "workflowExecutionId": "str",
    "state": "Literal['finished', 'expired', 'interrupted']",
    "at": "str",
    "mode": "Mode",
    "result": "Literal['passed', 'failed', 'not-checked'] | None",
    "assurance": "Assurance | None",
    "delivery": "EventDelivery | None",
})
EventDelivery = TypedDict("EventDelivery", {
    "url": "str",
    "state": "Literal['waiting', 'delivered', 'given-up']",
    "attempts": "int",
    "lastAttempt": "str | None",
    "lastStatus": "int | None",
    "fault": "Literal['no-key', 'address-refused', 'no-response', 'refused'] | None",
    "nextAttempt": "str | None",
})
Compared = TypedDict("Compared", {
    "result": "Literal['match', 'no-match', 'refused']",
    "reasons": "list[dict[str, Any]]",
})
DocumentRead = dict[str, Any]
Quality = TypedDict("Quality", {
    "photos": "list[dict[str, Any]]",
})
Liveness = TypedDict("Liveness", {
    "result": "str",
    "reasons": "list[dict[str, Any]]",
})


class Client(Transport):
    """The operations of one key."""

    def list_sessions(self, *, user_reference: str | None = None, state: Literal['created', 'claimed', 'active', 'finished', 'interrupted', 'expired', 'cleared'] | None = None, before: str | None = None, limit: int | None = None) -> ListSessionsAnswer:
        """List sessions, the last created first."""
        return json.loads(self._call("GET", f"/v1/sessions", {"userReference": user_reference, "state": state, "before": before, "limit": limit}, {}))

    def create_session(self, body: SessionRequest, *, idempotency_key: str | None = None) -> NewSession:
        """Create a session."""
        return json.loads(self._call("POST", f"/v1/sessions", {}, {"Idempotency-Key": idempotency_key}, body))

    def get_session(self, id: str) -> Session:
        """Get the state of a session."""
        return json.loads(self._call("GET", f"/v1/sessions/{urllib.parse.quote(id, safe='')}", {}, {}))

    def change_session(self, id: str, body: SessionRequest) -> NewSession:
        """Change an interrupted or expired session, which can then be opened again."""
        return json.loads(self._call("PATCH", f"/v1/sessions/{urllib.parse.quote(id, safe='')}", {}, {}, body))

    def delete_session(self, id: str) -> None:
        """Delete a session that has ended."""
        self._call("DELETE", f"/v1/sessions/{urllib.parse.quote(id, safe='')}", {}, {})

    def get_result(self, id: str) -> SessionResult:
        """Get the result with its signed record."""
        return json.loads(self._call("GET", f"/v1/sessions/{urllib.parse.quote(id, safe='')}/result", {}, {}))

    def get_selfie(self, id: str) -> bytes:
        """Get the best picture of the face, if retention.images keeps it."""
        return self._call("GET", f"/v1/sessions/{urllib.parse.quote(id, safe='')}/selfie", {}, {})

    def clear_session(self, id: str) -> ClearSessionAnswer:
        """Wipe the result of a session."""
        return json.loads(self._call("POST", f"/v1/sessions/{urllib.parse.quote(id, safe='')}/clear", {}, {}))

    def list_events(self, *, workflow_execution_id: str | None = None, delivery: Literal['waiting', 'delivered', 'given-up'] | None = None, before: str | None = None, limit: int | None = None) -> Events:
        """List the events of sessions and the state of their webhooks, the last event first."""
        return json.loads(self._call("GET", f"/v1/events", {"workflowExecutionId": workflow_execution_id, "delivery": delivery, "before": before, "limit": limit}, {}))

    def get_event(self, id: str) -> Event:
        """Get an event and the state of its webhook."""
        return json.loads(self._call("GET", f"/v1/events/{urllib.parse.quote(id, safe='')}", {}, {}))

    def redeliver_event(self, id: str) -> Event:
        """Send the webhook of an event again, with the same id."""
        return json.loads(self._call("POST", f"/v1/events/{urllib.parse.quote(id, safe='')}/redeliver", {}, {}))

    def compare_faces(self, form: "Mapping[str, str | bytes | Sequence[str | bytes]]") -> Compared:
        """Compare a selfie with a portrait or a document."""
        return json.loads(self._call("POST", f"/v1/compare", {}, {}, form=form))

    def read_document(self, form: "Mapping[str, str | bytes | Sequence[str | bytes]]") -> DocumentRead:
        """Read the pages and the chip of a document."""
        return json.loads(self._call("POST", f"/v1/document", {}, {}, form=form))

    def measure_quality(self, form: "Mapping[str, str | bytes | Sequence[str | bytes]]") -> Quality:
        """Measure the quality of photos."""
        return json.loads(self._call("POST", f"/v1/quality", {}, {}, form=form))

    def judge_video(self, form: "Mapping[str, str | bytes | Sequence[str | bytes]]") -> Liveness:
        """Judge whether a recording shows a living person."""
        return json.loads(self._call("POST", f"/v1/liveness/video", {}, {}, form=form))

    def get_audit(self, *, after: int | None = None, limit: int | None = None) -> bytes:
        """Get entries of the audit."""
        return self._call("GET", f"/v1/audit", {"after": after, "limit": limit}, {})
