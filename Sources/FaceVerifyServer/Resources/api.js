/** Requests to the server, each with a timeout. Requests that are safe to repeat are retried for a limited time. */

/** Seconds without a response after which the connection counts as lost. */
export const LOST = 15;
const KEY = "faceverify.session";

/** The server refused the request: `problem` is the response (RFC 9457). */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    Object.assign(this, { status, problem });
  }
}

/** The server did not respond. */
export class Unreachable extends Error {}

/** `link`: the page token that began the session; "" in a demonstration. */
const session = { token: null, node: null, link: "" };
/** The window's last session. It is used only by the link that began it: another link may be another person's. */
let stored = null;
try {
  stored = JSON.parse(sessionStorage.getItem(KEY));
} catch { /* no storage: a reload starts a new session */ }

export const hasSession = () => session.token !== null;
/** Whether the window has a session that this link may not use. */
export const hasFormer = () => Boolean(stored?.token) && !hasSession();

/** Continues the window's session, unless another link began it. An address without a link, null, is a reload. */
export function resume(link, isDemo) {
  const isOwn = link === null ? isDemo === !stored?.link : link !== "" && stored?.link === link;
  if (isOwn && stored?.token) Object.assign(session, stored);
  return hasSession();
}

/** Ends the session that another link left in this window. If the server refuses, it has ended or is elsewhere. */
export async function endFormer() {
  Object.assign(session, stored);
  await calls([{ call: "cancel" }]).catch((error) => { if (error instanceof Unreachable) throw error; });
  setSession(null);
}

export function setSession(token, link = session.link) {
  Object.assign(session, token ? { token, link } : { token: null, node: null, link: "" });
  stored = token && { ...session };
  try {
    if (token) sessionStorage.setItem(KEY, JSON.stringify(session));
    else sessionStorage.removeItem(KEY);
  } catch { /* as above */ }
}

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

async function once(method, path, { body, type, limit = 10, keepalive = false, as }) {
  const headers = {};
  if (session.token) headers.Authorization = `Bearer ${session.token}`;
  if (session.node) headers["FV-Node"] = session.node;
  if (type) headers["Content-Type"] = type;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limit * 1000);
  try {
    const answer = await fetch(path, { method, headers, body, keepalive, signal: abort.signal, cache: "no-store" });
    const node = answer.headers.get("FV-Node");
    if (node && node !== session.node) {
      session.node = node;
      if (session.token) setSession(session.token);
    }
    if (answer.ok) return as === "blob" ? await answer.blob() : await answer.json();
    const problem = await answer.json().catch(() => ({}));
    throw Object.assign(new Refused(answer.status, problem), { after: Number(answer.headers.get("Retry-After")) });
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Unreachable(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** `repeats`: seconds for which the request is retried if there is no response. */
export async function ask(method, path, options = {}) {
  const end = performance.now() + (options.repeats ?? 0) * 1000;
  for (let pause = 0.3; ; pause = Math.min(pause * 2, 2)) {
    try {
      return await once(method, path, options);
    } catch (error) {
      const busy = error instanceof Refused && [429, 502, 503, 504].includes(error.status);
      if (error instanceof Refused && !busy) throw error;
      // Honours Retry-After, but at most for as long as a person watches a spinner.
      const wait = busy ? Math.min(Math.max(error.after || 1, 0.2), 10) : pause;
      const until = busy ? end + 20000 : end;
      if (performance.now() + wait * 1000 >= until) throw error;
      await sleep(wait);
    }
  }
}

export const json = (value) => ({ body: JSON.stringify(value), type: "application/json" });
export const view = () => ask("GET", "/v1/page", { repeats: LOST });

/** Without a response it is unknown whether the calls were made: the view shows it. */
export async function calls(list, { keepalive } = {}) {
  try {
    return await ask("POST", "/v1/page/calls", { ...json({ calls: list }), keepalive, limit: 60 });
  } catch (error) {
    if (error instanceof Unreachable && !keepalive) return view();
    throw error;
  }
}

/** `node`: the one that has the session, from a link for another device. */
export async function claim(pageToken, node) {
  if (/^\w{1,16}$/.test(node ?? "")) session.node = node;
  const answer = await ask("POST", "/v1/page/claim", { ...json({ pageToken }), repeats: LOST });
  setSession(answer.sessionToken, pageToken);
  return answer.view;
}

export async function begin(path, body) {
  const answer = await ask("POST", path, body ? json(body) : {});
  setSession(answer.sessionToken);
  return answer.view;
}

export const photo = (file) =>
  ask("POST", "/v1/page/photo", { body: file, type: file.type || "application/octet-stream", limit: 60 });

export function chip(files) {
  const form = new FormData();
  for (const file of files) form.append(file.name, file, file.name);
  return ask("POST", "/v1/page/chip", { body: form, limit: 60 });
}

/** Starts to read the chip on the server's reader, with the page's zone or a card access number. */
export const readChip = (isConfirmed, cardAccessNumber) => ask("POST", "/v1/page/chip/reader", json({ isConfirmed, cardAccessNumber }));
export const handOff = () => ask("POST", "/v1/page/hand-off");
export const stopReading = () => ask("DELETE", "/v1/page/chip/reader");
export const picture = () => ask("GET", "/v1/page/picture", { as: "blob", repeats: 5 });
export const extend = () => ask("POST", "/v1/page/extend", {});
export const entity = (payload) => ask("POST", "/v1/entities", json({ payload }));
/** Sequence numbers make a batch safe to send twice. */
export const frames = (body) =>
  ask("POST", "/v1/page/frames", { body, type: "application/vnd.faceverify.frames", limit: 5, repeats: LOST });
