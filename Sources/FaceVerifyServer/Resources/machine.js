/**
 * The page's state machine: which screen is shown, and which calls are automatic. The journey exists only on the
 * server: its view has the state, and the page adds only its own (start, camera, connection).
 */

/** Timeouts in seconds. */
const START = 15, PROMPT = 60, WORK = 60, ANSWER = 15;
/** Polling interval in seconds while the server waits for the person. */
const POLL = 20;
/** The same while a chip is read, and while another device is awaited or followed. */
const PROGRESS = 1, FOLLOW = 3;

/** A screen that waits for the person, whose buttons are the other transitions. */
const person = (on = {}) => ({ limit: POLL, on: { view: "view", time: "ask", lost: "lost", refused: "blocked", ...on } });
const camera = { limit: ANSWER, camera: true, on: { view: "view", time: "lost", lost: "lost", refused: "blocked", gone: "trouble" } };

/**
 * Screen and event -> screen. "view": the screen of the view; "ask": requests a new view; "poll": the same, while buttons work.
 * `limit`: seconds until the event "time"; `final`: no event is expected. Without `camera` the camera is off.
 */
export const TABLE = {
  boot: { limit: START, on: { view: "view", time: "lost", lost: "lost", refused: "blocked", chooser: "chooser" } },
  chooser: { final: true, on: { view: "view", lost: "lost", refused: "blocked" } },
  blocked: { final: true, on: {} },
  lost: person({ retry: "ask" }),
  working: { limit: WORK, on: { view: "view", time: "ask", lost: "lost", refused: "blocked" } },
  welcome: person(),
  consent: person(),
  select: person(),
  advice: person(),
  intro: person({ open: "asking" }),
  asking: { limit: PROMPT, camera: true, on: { view: "view", opened: "joining", time: "trouble", lost: "lost", refused: "blocked", gone: "trouble" } },
  joining: { limit: WORK, camera: true, on: { view: "view", time: "lost", lost: "lost", refused: "blocked", gone: "trouble" } },
  trouble: person({ open: "asking" }),
  face: camera,
  shutter: camera,
  finder: camera,
  file: person(),
  chip: person(),
  reading: { ...person({ time: "poll" }), limit: PROGRESS },
  phone: { ...person({ time: "poll" }), limit: FOLLOW },
  elsewhere: { ...person({ time: "poll" }), limit: FOLLOW },
  paused: person({ open: "asking" }),
  confirm: person({ open: "asking" }),
  rejected: person({ open: "asking" }),
  retrying: person({ open: "asking" }),
  failed: person(),
  halted: person(),
  interrupted: person(),
  stuck: person(),
  finished: { final: true, on: { chooser: "chooser" } },
};

export const CAMERA_MODES = ["liveness", "strict", "passive", "face-manual", "doc-finder", "barcode", "manual"];
const MODE_SCREENS = {
  liveness: "face", strict: "face", passive: "face", "face-manual": "shutter", manual: "shutter", "doc-finder": "finder",
  barcode: "finder", file: "file", "chip-files": "chip",
};

/** The next part of the active credential, required ones first; null if there is none. */
export function nextPart(view, local) {
  const { open = [], optional = [] } = view.credentials[view.credential] ?? {};
  return open[0] ?? optional.find((part) => !local.skipped.has(`${view.credential} ${part}`)) ?? null;
}

/** Whether this side has a code that is scanned instead of the text, as on a driving licence. */
export const hasCode = (view, side) => Boolean(side) && side === view.credentials[view.credential]?.codeSide;

/** The allowed scan modes of a part of the active credential. */
export function modesOf(view, part) {
  const left = part === "document" ? ["doc-finder", "barcode"] : hasCode(view, part) ? ["doc-finder"] : ["barcode"];
  return (view.credentials[view.credential]?.modes ?? []).filter((mode) => !left.includes(mode));
}

/** Whether a photo file may replace the camera in this mode. */
export const takesFile = (mode, local) => mode === "file" || (["face-manual", "barcode"].includes(mode) && local.trouble !== null);

/** The first remaining mode of the part that needs no camera; null if there is none. */
export function modeWithoutCamera(view, local) {
  const modes = modesOf(view, view.part?.part ?? nextPart(view, local));
  return modes.slice(Math.max(0, modes.indexOf(view.part?.mode))).find((mode) => takesFile(mode, local)) ?? null;
}

/** The calls that switch to that mode, for one request: no try is spent on modes that need a camera. */
export function callsWithoutCamera(view, local) {
  const { state, part } = view, mode = modeWithoutCamera(view, local);
  if (!part) return [{ call: "start-part", part: nextPart(view, local), mode }];
  const modes = modesOf(view, part.part), count = modes.indexOf(mode) - modes.indexOf(part.mode);
  const first = ["rejected", "confirming"].includes(state) ? [{ call: "retake" }] : state === "retrying" && !count ? [{ call: "retry-part" }] : [];
  return [...first, ...Array(count).fill({ call: "fallback" })];
}

/**
 * The next screen or calls.
 * @param local {camera: whether it is on, trouble: why there is none or null, skipped: Set of parts, link: for a phone}
 * @returns {screen, calls}: `calls` are made immediately, without user action.
 */
export function plan(view, local) {
  const { state, part } = view;
  const go = (...calls) => ({ screen: "working", calls });
  const show = (screen) => ({ screen, calls: [] });
  const needsCamera = CAMERA_MODES.includes(part?.mode) && !takesFile(part?.mode, local);
  if (view.isElsewhere && state !== "finished") return show("elsewhere");
  if (local.link && view.mayHandOff) return show("phone");
  switch (state) {
    case "created": return show("welcome");
    case "consenting": return show("consent");
    case "ready": {
      const credential = view.credentials.findIndex(({ isDone }) => !isDone);
      return go(credential < 0 ? { call: "finish" } : { call: "start-credential", credential });
    }
    case "configuring":
      return view.choices?.length === 1 ? go({ call: "configure", ...view.choices[0] }) : show("select");
    case "advising": return show("advice");
    case "choosing": {
      const next = nextPart(view, local);
      if (!next) return go({ call: "finish-credential" });
      if (next === "chip" && (view.reader || view.ui?.showRFIDInstructions === false)) return go({ call: "start-part", part: next, mode: null });
      return show(local.trouble ? "trouble" : "intro");
    }
    case "scanning":
      if (needsCamera && local.camera) return show(MODE_SCREENS[part.mode]);
      // A face part may have no gaps. While the person selects a file, the part's time is paused.
      return go({ call: needsCamera && part.part === "face" ? "cancel-part" : "pause" });
    case "paused":
      if (needsCamera) return show(local.trouble ? "trouble" : "paused");
      if (part.mode === "chip-files") return show((view.reader?.state ?? "idle") === "idle" ? "chip" : "reading");
      return show("file");
    case "confirming": return show("confirm");
    case "rejected": return show(local.trouble ? "trouble" : "rejected");
    case "retrying": return show(local.trouble ? "trouble" : "retrying");
    case "captured": return go({ call: "finish-part" });
    case "finishing": return go();
    case "failed":
    case "halted":
    case "interrupted":
    case "finished": return show(state);
    default: return show("stuck");
  }
}

/** The calls that lead from the view's state to scanning. */
export function callsToScan(view, local, start) {
  switch (view.state) {
    case "choosing": return [{ call: "start-part", part: nextPart(view, local), mode: null, ...start }];
    case "paused": return [{ call: "resume" }];
    case "confirming":
    case "rejected": return [{ call: "retake" }];
    case "retrying": return [{ call: "retry-part" }];
    default: return [];
  }
}

/** The camera that the part needs: front or rear. */
export function facing(view, local) {
  const part = view.part?.side ?? view.part?.part ?? nextPart(view, local);
  return part === "face" ? "user" : "environment";
}

/** The progress steps: [{name, isDone, isCurrent}]. */
export function steps(view) {
  if (!view || !view.credentials) return [];
  const over = view.state === "finished" && !view.error;
  const before = ["created", "consenting"].includes(view.state);
  const list = view.consents?.length ? [{ name: "consent", isDone: !before }] : [];
  view.credentials.forEach(({ category, isDone }, index) =>
    list.push({ name: category, isDone: isDone || over, isCurrent: index === view.credential }));
  list.push({ name: "done", isDone: over, isCurrent: over });
  if (!list.some(({ isCurrent }) => isCurrent)) {
    const current = list.find(({ isDone }) => !isDone);
    if (current) current.isCurrent = true;
  }
  return list;
}
