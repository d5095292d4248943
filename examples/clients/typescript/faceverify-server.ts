// A typed client of `faceverify serve`, for one key: for Node.js 18 or later, without dependencies.
//
//   const client = new Client("https://check.example", key);
//   const session = await client.createSession({ requests: [{ category: "face" }] });
//
// Keys belong on a server, never in a page. A result counts only after its record was verified: docs/records.md.

/** A refused request: the HTTP status, the problem (RFC 9457; empty if it is no JSON), and when to retry, in seconds. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly problem: Partial<Problem>, readonly retryAfter: number | null) {
    super(`${status}: ${problem.detail ?? "no problem was described"}`);
  }
}

export type FormValue = string | Blob;

/** Sends requests with a key. */
export class Transport {
  constructor(private readonly url: string, private readonly key: string) {}

  protected async call(
    method: string, path: string, query: Record<string, unknown>, headers: Record<string, unknown>, body?: unknown,
    form?: Record<string, FormValue | FormValue[]>
  ): Promise<Response> {
    const sent = new Headers({ Authorization: `Bearer ${this.key}` });
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, String(value));
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
    let data: BodyInit | undefined;
    if (form) {
      const parts = new FormData();
      for (const [name, values] of Object.entries(form)) {
        for (const value of Array.isArray(values) ? values : [values]) parts.append(name, value);
      }
      data = parts;
    } else if (body !== undefined) {
      sent.set("Content-Type", "application/json");
      data = JSON.stringify(body);
    }
    const search = asked.toString();
    // A redirect would send the key elsewhere.
    const answer = await fetch(this.url.replace(/\/$/, "") + path + (search && "?" + search), {
      method, headers: sent, body: data, redirect: "error",
    });
    if (answer.ok) return answer;
    const retry = answer.headers.get("Retry-After");
    const problem = await answer.json().catch(() => ({}));
    throw new ApiError(answer.status, problem, retry === null ? null : Number(retry));
  }
}

// Generated below this line by scripts/generate-clients from openapi.json.

export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string | null;
  logicalError: "need-to-consent-first" | "multiple-credentials" | "multiple-scan-parts" | "unknown-credential" | "unknown-scan-part" | "dead-credential" | "dead-scan-part" | "dead-controller" | "scan-part-not-completed" | "credential-not-completed" | "controller-not-completed" | "no-fallback-available" | "take-picture-not-allowed" | "error-not-retryable" | "is-being-finished" | "not-yet-implemented" | "dependency-wrong-version" | "data-centre-validation-failed" | "token-validation-failed" | "wrong-order" | null;
  retryable: boolean;
  detail: string;
  requestId: string;
  error?: string;
  position?: number;
  expectedSeq?: number;
}

export interface ListSessionsAnswer {
  sessions: Session[];
  before: string | null;
}

export interface Session {
  workflowExecutionId: string;
  accountId: string;
  mode: Mode;
  state: "created" | "claimed" | "active" | "finished" | "interrupted" | "expired" | "cleared";
  created: string;
  startBy: string;
  expires: string;
  finished: string | null;
  error: Failure | null;
  runs: number;
  result: "passed" | "failed" | "not-checked" | null;
  assurance: Assurance | null;
  customerInternalReference: string | null;
  userReference: string | null;
  node: string;
  commitment: string;
}

export type Mode = "live" | "test";

export interface Failure {
  code: string;
  message: string;
  isRetryable: boolean;
}

export interface Assurance {
  presence: Presence;
  document: DocumentAssurance;
  binding: Binding;
}

export type Presence = "none" | "photo" | "passive-video" | "challenge-answered" | "trusted-capture";

export type DocumentAssurance = "none" | "data-only" | "page-seen" | "page-consistent" | "chip-copy-authentic" | "chip-authentic";

export type Binding = "none" | "same-picture" | "supplied-photo" | "page-portrait" | "chip-portrait" | "enrolled-template";

export interface SessionRequest {
  requests?: DocumentRequest[] | null;
  workflowDefinition?: WorkflowDefinition | null;
  consents?: ConsentItem[] | null;
  customerInternalReference?: string | null;
  reportingCriteria?: string | null;
  userReference?: string | null;
  merchantScanReference?: string | null;
  merchantReportingCriteria?: string | null;
  customerId?: string | null;
  account?: string | null;
  region?: "US" | "EU" | "SG" | "local" | null;
  requiresRegion?: boolean | null;
  requiredVersion?: string | null;
  comparison?: SessionRequestComparison | null;
  assurance?: SessionRequestAssurance | null;
  documentModes?: ("doc-finder" | "manual" | "file")[] | null;
  faceModes?: ("liveness" | "strict" | "passive" | "face-manual")[] | null;
  challengeCount?: number | null;
  challenges?: string[] | null;
  script?: SessionRequestScript[] | null;
  readsPages?: boolean | null;
  readsChip?: boolean | null;
  requiresChip?: boolean | null;
  readsText?: boolean | null;
  isMultipart?: boolean | null;
  asksConfirmation?: boolean | null;
  givesInstantFeedback?: boolean | null;
  date?: string | null;
  authentication?: "standard" | "strict" | null;
  extractsOnly?: boolean | null;
  comparesFace?: boolean | null;
  startBy?: number | null;
  partTimeout?: number | null;
  maximumTries?: number | null;
  legalAdvice?: Record<string, unknown> | null;
  isMirrored?: boolean | null;
  rotation?: 0 | 90 | 180 | 270 | null;
  recordsPersonalData?: boolean | null;
  callbackUrl?: string | null;
  test?: SessionRequestTest | null;
  returnUrl?: string | null;
  portrait?: string | null;
  light?: "off" | "on" | null;
  ui?: UserInterface | null;
  retention?: SessionRequestRetention | null;
  lifetime?: number | null;
}

export interface DocumentRequest {
  category: "id" | "face" | "document";
  countries?: string[] | null;
  types?: string[] | null;
  variants?: ("paper" | "plastic")[] | null;
}

export interface WorkflowDefinition {
  key?: string | null;
  credentials: WorkflowDefinitionCredentials[];
}

export interface WorkflowDefinitionCredentials {
  category: "ID" | "FACE" | "DOCUMENT";
  type?: WorkflowDefinitionCredentialsType | null;
  country?: WorkflowDefinitionCredentialsCountry | null;
}

export interface WorkflowDefinitionCredentialsType {
  values: ("PASSPORT" | "ID_CARD" | "VISA" | "DRIVING_LICENSE")[];
}

export interface WorkflowDefinitionCredentialsCountry {
  values: string[];
}

export interface ConsentItem {
  text: string;
  isActive: boolean;
  url?: string | null;
  link?: string | null;
}

export interface SessionRequestComparison {
  falseMatchRate?: string;
  selfie?: string;
  portrait?: string;
}

export interface SessionRequestAssurance {
  presence?: Presence;
  document?: DocumentAssurance;
  binding?: Binding;
  accepted?: ("page-only" | "licence-code")[];
}

export interface SessionRequestScript {
  challenge: string;
  hold?: number;
  pause?: number;
}

export interface SessionRequestTest {
  outcome?: string;
}

export interface UserInterface {
  language?: string | null;
  showsResult?: boolean | null;
  showRFIDInstructions?: boolean | null;
  scannerTimeout?: number | null;
}

export interface SessionRequestRetention {
  images?: number | null;
  result?: number | null;
}

export interface NewSession {
  accountId: string;
  mode: Mode;
  workflowExecutionId: string;
  state: "created" | "claimed" | "active" | "finished" | "interrupted" | "expired" | "cleared";
  pageUrl: string;
  startBy: string;
  expires: string;
  commitment: string;
  warnings: string[];
}

export interface SessionResult {
  workflowExecutionId: string;
  accountId: string;
  mode: Mode;
  isComplete: boolean;
  result: "passed" | "failed" | "not-checked" | null;
  assurance: Assurance;
  error: Failure | null;
  transport: Record<string, unknown>;
  consents: (Record<string, unknown>)[];
  commitment: string;
  nonce: string;
  audit: SessionResultAudit;
  record: DecisionRecord | null;
}

export interface SessionResultAudit {
  sequence: number;
  head: string;
}

export interface DecisionRecord {
  schema: "faceverify-record-1";
  body: Record<string, unknown>;
  signature: DecisionRecordSignature;
}

export interface DecisionRecordSignature {
  algorithm: "Ed25519";
  key: string;
  value: string;
}

export interface ClearSessionAnswer {
  workflowExecutionId: string;
  state: "cleared";
  mode: Mode;
}

export interface Events {
  events: Event[];
  before: string | null;
}

export interface Event {
  id: string;
  event: "session.finished" | "session.expired" | "session.interrupted";
  workflowExecutionId: string;
  state: "finished" | "expired" | "interrupted";
  at: string;
  mode: Mode;
  result: "passed" | "failed" | "not-checked" | null;
  assurance: Assurance | null;
  delivery: EventDelivery | null;
}

export interface EventDelivery {
  url: string;
  state: "waiting" | "delivered" | "given-up";
  attempts: number;
  lastAttempt: string | null;
  lastStatus: number | null;
  fault: "no-key" | "address-refused" | "no-response" | "refused" | null;
  nextAttempt: string | null;
}

export interface Compared {
  result: "match" | "no-match" | "refused";
  reasons: (Record<string, unknown>)[];
}

export type DocumentRead = Record<string, unknown>;

export interface Quality {
  photos: (Record<string, unknown>)[];
}

export interface Liveness {
  result: string;
  reasons: (Record<string, unknown>)[];
}

/** The operations of one key. */
export class Client extends Transport {
  /** List sessions, the last created first. */
  async listSessions(query: { "userReference"?: string; "state"?: "created" | "claimed" | "active" | "finished" | "interrupted" | "expired" | "cleared"; "before"?: string; "limit"?: number } = {}): Promise<ListSessionsAnswer> {
    return (await this.call("GET", `/v1/sessions`, query, {})).json();
  }

  /** Create a session. */
  async createSession(body: SessionRequest, header: { "Idempotency-Key"?: string } = {}): Promise<NewSession> {
    return (await this.call("POST", `/v1/sessions`, {}, header, body)).json();
  }

  /** Get the state of a session. */
  async getSession(id: string): Promise<Session> {
    return (await this.call("GET", `/v1/sessions/${encodeURIComponent(id)}`, {}, {})).json();
  }

  /** Change an interrupted or expired session, which can then be opened again. */
  async changeSession(id: string, body: SessionRequest): Promise<NewSession> {
    return (await this.call("PATCH", `/v1/sessions/${encodeURIComponent(id)}`, {}, {}, body)).json();
  }

  /** Delete a session that has ended. */
  async deleteSession(id: string): Promise<void> {
    await this.call("DELETE", `/v1/sessions/${encodeURIComponent(id)}`, {}, {});
  }

  /** Get the result with its signed record. */
  async getResult(id: string): Promise<SessionResult> {
    return (await this.call("GET", `/v1/sessions/${encodeURIComponent(id)}/result`, {}, {})).json();
  }

  /** Get the best picture of the face, if retention.images keeps it. */
  async getSelfie(id: string): Promise<Blob> {
    return (await this.call("GET", `/v1/sessions/${encodeURIComponent(id)}/selfie`, {}, {})).blob();
  }

  /** Wipe the result of a session. */
  async clearSession(id: string): Promise<ClearSessionAnswer> {
    return (await this.call("POST", `/v1/sessions/${encodeURIComponent(id)}/clear`, {}, {})).json();
  }

  /** List the events of sessions and the state of their webhooks, the last event first. */
  async listEvents(query: { "workflowExecutionId"?: string; "delivery"?: "waiting" | "delivered" | "given-up"; "before"?: string; "limit"?: number } = {}): Promise<Events> {
    return (await this.call("GET", `/v1/events`, query, {})).json();
  }

  /** Get an event and the state of its webhook. */
  async getEvent(id: string): Promise<Event> {
    return (await this.call("GET", `/v1/events/${encodeURIComponent(id)}`, {}, {})).json();
  }

  /** Send the webhook of an event again, with the same id. */
  async redeliverEvent(id: string): Promise<Event> {
    return (await this.call("POST", `/v1/events/${encodeURIComponent(id)}/redeliver`, {}, {})).json();
  }

  /** Compare a selfie with a portrait or a document. */
  async compareFaces(form: Record<string, FormValue | FormValue[]>): Promise<Compared> {
    return (await this.call("POST", `/v1/compare`, {}, {}, undefined, form)).json();
  }

  /** Read the pages and the chip of a document. */
  async readDocument(form: Record<string, FormValue | FormValue[]>): Promise<DocumentRead> {
    return (await this.call("POST", `/v1/document`, {}, {}, undefined, form)).json();
  }

  /** Measure the quality of photos. */
  async measureQuality(form: Record<string, FormValue | FormValue[]>): Promise<Quality> {
    return (await this.call("POST", `/v1/quality`, {}, {}, undefined, form)).json();
  }

  /** Judge whether a recording shows a living person. */
  async judgeVideo(form: Record<string, FormValue | FormValue[]>): Promise<Liveness> {
    return (await this.call("POST", `/v1/liveness/video`, {}, {}, undefined, form)).json();
  }

  /** Get entries of the audit. */
  async getAudit(query: { "after"?: number; "limit"?: number } = {}): Promise<Blob> {
    return (await this.call("GET", `/v1/audit`, query, {})).blob();
  }
}
