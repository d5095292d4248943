/** The page's controller: it renders views and turns button presses into calls. */
import * as api from "./api.js";
import { allow, open as openBridge, post } from "./bridge.js";
import { Camera, reason } from "./camera.js";
import { h } from "./dom.js";
import { FrameStream, HIDDEN } from "./frames.js";
import { callsToScan, callsWithoutCamera, facing, nextPart, plan, TABLE, takesFile } from "./machine.js";
import { errorText, SCREENS } from "./screens.js";
import { $, dialog, frame, speech, toast } from "./shell.js";
import { choose, language, minutes, speak, t } from "./words.js";

/** Seconds: until an unanswered permission prompt is explained; minimum reading time of a consent. */
const LATE = 20, READING = 1.05;
/** Seconds before the end at which an extension is offered (WCAG 2.2.1: at least 20) and the remaining time is shown.
*/
const ASK_FOR_TIME = 60, SHOW_TIME = 120;
/** Seconds until the page goes back to the shop. */
const LEAVE = 10;
/** Seconds of a passive recording (at least 3 are needed). */
const PASSIVE = 5;
/** Maximum number of consecutive calls without user action; a whole journey needs fewer. */
const MOST_AUTOMATIC = 20;

const main = $("main"), root = document.documentElement;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const isDemo = location.pathname === "/";
const wantedLanguage = new URLSearchParams(location.search).get("lang");

const video = h("video", { playsinline: true, autoplay: true, muted: true, "aria-hidden": "true", tabindex: -1 });
let screen = "boot", shownKey = "", update = null, timer = 0, stream = null, automatic = 0, epoch = 0, busy = false;
let deadline = null, consentShown = 0, observer = null, pictureURL = null, wakeLock = null, shownLight = null;
let wasHidden = false, leaving = 0;

const page = {
  view: null,
  blocked: "none",
  local: { camera: false, trouble: null, skipped: new Set() },
  camera: new Camera(video, () => {
    page.local.trouble = "ended";
    happen("gone");
    giveBack();
  }),
  /** Why the last try of the face failed, if it did; seconds for which the face was visible in a passive recording. */
  note: null, seen: 0, seenAt: 0,
  mayRestart: isDemo,
  isFinishing: false,
  allowsLight: !reducedMotion.matches,
  get credential() { return page.view?.credentials?.[page.view.credential] ?? null; },
  happen, act, changeLanguage,
  get hasFormer() { return api.hasFormer(); },

  async openCamera() {
    const { view, local, camera } = page;
    local.trouble = null;
    happen("open");
    try {
      const facts = await camera.open(facing(view, local));
      if (!facts || screen !== "asking") return camera.close();
      happen("opened");
      const start = { camera: facts, clock: camera.clock, mirrored: false, light: page.allowsLight };
      await act(callsToScan(page.view, local, start));
    } catch (error) {
      noCamera(error);
    }
  },

  async switchCamera(id) {
    stopStream();
    try {
      if (await page.camera.open(page.camera.facing, id)) {
        shownKey = "";
        show(page.view);
      }
    } catch (error) {
      noCamera(error);
      giveBack();
    }
  },

  withoutCamera() {
    const calls = callsWithoutCamera(page.view, page.local);
    return calls.length ? act(calls) : show(page.view);
  },

  giveUp: () => act([{ call: "report", code: "H000000" }, { call: "cancel" }]),
  fallback: () => act([{ call: "fallback" }]),

  scanAgain() {
    const mode = page.view.part?.mode;
    if (mode === "file" || takesFile(mode, page.local)) act(callsToScan(page.view, page.local));
    else page.openCamera();
  },

  skip(part) {
    page.local.skipped.add(`${page.view.credential} ${part}`);
    if (page.view.part) act([{ call: "cancel-part" }]);
    else show(page.view);
  },

  async consent(decisions) {
    await new Promise((done) => setTimeout(done, Math.max(0, READING * 1000 - (performance.now() - consentShown))));
    for (let item = 0; item < decisions.length; item += 1) {
      if (page.view.consents[item].decision !== decisions[item]) await act([{ call: "consent", item, isGiven: decisions[item] }]);
    }
  },

  async decline() {
    if (await dialog(t("consent.no.title"), [t("consent.no.text")], [["back", ""], ["end", "end", "danger"]]) !== "end") return;
    await page.consent([false]);
    act([{ call: "cancel" }]);
  },

  async cannot() {
    const { part } = page.view;
    const hasOther = part?.fallback || part?.try < part?.tries;
    const answer = await dialog(t("cannot.title"), hasOther ? [t("cannot.text"), t("cannot.lowers")] : [t("cannot.none")], [
      part?.try < part?.tries && ["cannot.other", "other", "quiet"], part?.fallback && [`fallback.${part.fallback}`, "fallback", "quiet"],
      ["end", "end", "quiet"], ["back", ""]]);
    if (answer === "end") act([{ call: "cancel" }]);
    // The declined movement is sent to the server and listed in the result.
    if (answer === "fallback") act([{ call: "fallback", declined: "movement" }]);
    // Ended this early, the try is undecided, and the next one has other challenges.
    if (answer === "other" && page.view.state === "scanning") act([{ call: "finish-part", declined: "movement" }]);
  },

  async askEnd() {
    if (await dialog(t("end.title"), [t("end.text")], [["end.stay", ""], ["end", "end", "danger"]]) === "end") act([{ call: "cancel" }]);
  },

  sendPhoto: (file) => send(() => api.photo(file)),
  sendChip: (files) => send(() => api.chip(files)),
  /** A refusal, such as that of a reader in use, is in the view. */
  readChip: (isConfirmed, number) => take(() => api.readChip(isConfirmed, number).catch((error) => {
    if (error.status !== 409 || !error.problem.view?.reader) throw error;
    return error.problem.view;
  })),
  stopReading: () => take(api.stopReading),
  handOff: () => take(async () => {
    const link = await api.handOff();
    page.local.link = { ...link, until: performance.now() + link.secondsLeft * 1000 };
    return page.view;
  }),
  stay() {
    page.local.link = null;
    show(page.view);
  },
  /** Goes back to the shop after a while, unless the person stays, reads or is in a frame. */
  leave(url) {
    clearTimeout(leaving);
    leaving = setTimeout(() => document.querySelector("dialog") || location.replace(url), LEAVE * 1000);
    return () => clearTimeout(leaving);
  },
  beginAgain: () => take(() => api.begin("/v1/page/again")),
  demo: (requests) => take(() => api.begin("/v1/page/demo", { requests, ui: { language } })),

  async endFormer() {
    await api.endFormer().catch(() => {});
    location.reload();
  },

  restart() {
    api.setSession(null);
    Object.assign(page, { view: null, local: { camera: false, trouble: null, skipped: new Set() } });
    enter("chooser");
  },

  async showPicture(image) {
    try {
      pictureURL = URL.createObjectURL(await api.picture());
      image.src = pictureURL;
    } catch { /* the alternative text remains */ }
  },

  watch(element, draw) {
    observer?.disconnect();
    observer = new ResizeObserver(draw);
    observer.observe(element);
  },

  urge: (words) => speech.say(words),

  /** Returns the progress of a passive recording, from 0 to 1. At 1 the part is finished. */
  watched(feedback) {
    const now = performance.now() / 1000;
    if (feedback?.face && !feedback.hint) page.seen += Math.min(now - page.seenAt, 0.5);
    page.seenAt = now;
    if (page.seen >= PASSIVE && !busy) {
      page.seen = 0;
      stopStream();
      act([{ call: "finish-part" }]);
    }
    return Math.min(1, page.seen / PASSIVE);
  },

  lightUp(light) {
    const isOn = Boolean(light && page.allowsLight && !reducedMotion.matches);
    document.body.classList.toggle("lit", isOn);
    if (!isOn) return void (shownLight = null);
    root.style.setProperty("--light", `rgb(${light.rgb.map((value) => Math.round(value * 255)).join(" ")})`);
    // The change is visible only after the next rendered frame.
    requestAnimationFrame(() => requestAnimationFrame(() => (shownLight = light.index)));
  },
};

// MARK: Screens

function happen(event) {
  const next = TABLE[screen].on?.[event];
  if (!next) return;
  // Without a view, the link itself has had no answer.
  if (next === "ask") page.view ? refresh() : location.reload();
  else if (next === "poll") poll();
  else if (next === "view") show(page.view);
  else {
    if (event === "time" && next === "trouble") page.local.trouble = "time";
    enter(next);
  }
}

/** Restarts the timeout of the screen. */
function arm() {
  clearTimeout(timer);
  const { limit } = TABLE[screen];
  if (limit) timer = setTimeout(() => happen("time"), limit * 1000);
}

function enter(next) {
  const { view } = page, row = TABLE[next];
  const wasCamera = TABLE[screen].camera;
  screen = next;
  if (!row.camera) {
    stopStream();
    page.camera.close();
    page.local.camera = false;
    wakeLock?.release().catch(() => {});
    wakeLock = null;
  }
  if (next !== "face") page.lightUp(null);
  arm();
  const part = view?.part;
  const key = [next, language, view?.state, view?.credential, part?.part, part?.side, part?.mode, part?.try, page.local.trouble, page.blocked, view?.reader?.fault,
    next === "intro" && nextPart(view, page.local)].join();
  if (key === shownKey) update?.(view);
  // A spinner visible only for a moment would flicker.
  else if (shownKey && (next === "joining" || (next === "working" && !wasCamera))) later = setTimeout(() => screen === next && draw(key), 400);
  else draw(key);
  if (row.camera && next !== "asking") startStream();
}
let later = 0;

function draw(key) {
  clearTimeout(later);
  speech.stop();
  if (pictureURL) URL.revokeObjectURL(pictureURL);
  pictureURL = null;
  shownKey = key;
  const [content, renew, late] = SCREENS[screen](page, page.view);
  update = renew ?? null;
  main.replaceChildren(...content.flat(9).filter(Boolean));
  main.className = `screen-${screen}${TABLE[screen].camera && screen !== "asking" ? " camera" : ""}`;
  if (late) setTimeout(() => shownKey === key && late(), LATE * 1000);
  update?.(page.view);
  frame(page, screen);
  tellTime();
  main.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function changeLanguage(name) {
  await speak(name);
  shownKey = "";
  const restarts = stream;
  enter(screen);
  if (restarts) update?.(page.view);
}

// MARK: Views and calls

function show(view) {
  const isNew = view.state !== page.view?.state;
  page.view = view;
  allow(view.embedding);
  if (performance.now() > page.local.link?.until) page.local.link = null;
  const interrupted = view.events?.find(({ event }) => event === "interrupted");
  // Missing or late frames while the page was visible were lost by the network.
  if (interrupted) page.note = interrupted.reason === "page-hidden" || wasHidden ? "interrupted" : "connection";
  else if (!["choosing", "scanning"].includes(view.state)) page.note = null;
  deadline = view.session ? performance.now() + view.session.secondsLeft * 1000 : null;
  if (isNew) {
    if (view.state === "consenting") consentShown = performance.now();
    const { isComplete = false, result = null, error } = view.result ?? {};
    const code = (view.error ?? error)?.code ?? null;
    post("STATE", { state: view.state, workflowExecutionId: view.session?.workflowExecutionId,
      ...(view.state === "finished" && { isComplete, result, error: code }) });
  }
  // A permission prompt is open: the view is handled after the answer.
  if (screen === "asking") return;
  page.local.camera = page.camera.isOn;
  if (["scanning", "captured", "finished"].includes(view.state) && page.local.camera) page.local.trouble = null;
  const { screen: next, calls } = plan(view, page.local);
  if (!calls.length) {
    if (next !== "working") automatic = 0;
    enter(next);
    if (next === "working") setTimeout(() => screen === "working" && !busy && refresh(), 1000);
    return;
  }
  automatic += 1;
  if (automatic > MOST_AUTOMATIC) return enter("stuck");
  page.isFinishing = calls[0].call === "finish";
  if (!["boot", "joining"].includes(screen)) enter("working");
  return act(calls);
}

/** Makes calls and shows the resulting view. */
function act(list) {
  return take(() => api.calls(list, { keepalive: document.hidden }));
}

async function take(request) {
  if (busy) return;
  busy = true;
  epoch += 1;
  main.setAttribute("aria-busy", "true");
  let next;
  try {
    const view = await request();
    next = () => show(view);
  } catch (error) {
    next = () => refused(error);
  } finally {
    busy = false;
    epoch += 1;
    main.removeAttribute("aria-busy");
  }
  await next();
}

function refused(error) {
  if (error instanceof api.Unreachable) return happen("lost");
  if (!(error instanceof api.Refused)) throw error;
  const { status, problem } = error;
  if (problem.view) {
    if (status === 503 || problem.view.state === page.view?.state) toast(t(status === 503 ? "busy" : "error"), true);
    if (screen === "joining") page.camera.close();
    return show(problem.view);
  }
  if ([401, 403, 404, 410].includes(status) || !page.view) {
    if (isDemo && !page.view) return page.restart();
    page.blocked = status === 410 || problem.code?.startsWith("J") ? "over" : "refused";
    if (api.hasSession()) api.setSession(null);
    return happen("refused");
  }
  toast(problem.code ? errorText(problem) : t("error"), true);
  if (screen === "working") setTimeout(refresh, 1000);
}

const refresh = () => (busy ? undefined : take(api.view));

/** Shows the progress, unless a button was pressed meanwhile. */
async function poll() {
  const stamp = epoch;
  try {
    const view = await api.view();
    if (!busy && stamp === epoch) show(view);
  } catch (error) {
    refused(error);
    arm();
  }
}

/** Sends a file: a paused part is resumed, and paused again if the file is rejected. */
async function send(put) {
  if (busy) return false;
  let isTaken = true;
  await take(async () => {
    if (page.view.state === "paused") page.view = await api.calls([{ call: "resume" }]);
    try {
      return await put();
    } catch (error) {
      if (![400, 413, 415, 422].includes(error.status)) throw error;
      isTaken = false;
      return error.problem.view ?? api.view();
    }
  });
  return isTaken;
}

// MARK: Camera

function noCamera(error) {
  if (screen !== "asking" && !TABLE[screen].camera) return;
  page.camera.close();
  page.local.trouble = reason(error);
  happen("gone");
}

/** Handles the loss of the camera: a face part is cancelled, because it may have no gaps; any other part is paused. */
function giveBack() {
  const { state, part } = page.view ?? {};
  if (state !== "scanning") return;
  if (part.part === "face") page.note = "interrupted";
  return act([{ call: part.part === "face" ? "cancel-part" : "pause" }]);
}

function startStream() {
  const { view, camera } = page;
  if (stream || busy || !view.frames || !camera.isOn) return;
  stream = new FrameStream(video, camera.clock, {
    wanted: view.frames, expectedSeq: view.expectedSeq ?? 1, light: () => shownLight, stamp: () => epoch,
    answer(next, stamp) {
      // A request sent before the last call is stale.
      if (busy || stamp !== epoch) return;
      arm();
      show(next);
    },
    failed: refused,
  });
  if (wasHidden) stream.flags |= HIDDEN;
  wasHidden = false;
  navigator.wakeLock?.request("screen").then((lock) => (stream ? (wakeLock = lock) : lock.release())).catch(() => {});
}

function stopStream() {
  stream?.stop();
  stream = null;
}

document.addEventListener("visibilitychange", () => {
  document.body.classList.toggle("veiled", document.hidden);
  if (!document.hidden) {
    if (page.view && !TABLE[screen].final && !TABLE[screen].camera) refresh();
    return;
  }
  if (!TABLE[screen].camera || screen === "asking") return;
  wasHidden = true;
  stopStream();
  page.camera.close();
  page.local.camera = false;
  enter("paused");
  giveBack();
});
addEventListener("pagehide", () => page.camera.close());
// Another link was opened in this window.
addEventListener("hashchange", () => location.reload());
// The browser kept this page in memory: the window may have begun another session meanwhile.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
addEventListener("words", () => changeLanguage(language));
addEventListener("online", () => screen === "lost" && happen("retry"));

// MARK: Time

function tellTime() {
  const left = $("left");
  if (!left || deadline === null) return;
  const seconds = (deadline - performance.now()) / 1000;
  const text = page.view && !TABLE[screen].final && seconds < SHOW_TIME ? t("time", { time: minutes(seconds) }) : "";
  if (left.textContent !== text) left.textContent = text;
}

let asked = null;
setInterval(async () => {
  tellTime();
  const { view } = page, { session } = view ?? {};
  if (!session || TABLE[screen].final) return;
  const seconds = (deadline - performance.now()) / 1000;
  if (seconds < 0) return refresh();
  if (seconds > ASK_FOR_TIME || !session.mayExtend || asked === session.workflowExecutionId) return;
  asked = session.workflowExecutionId;
  const answer = await dialog(t("time.title"), [t("time.text", { time: minutes(seconds) })], [["time.more", "more"], ["time.no", "", "quiet"]],
    { modal: !TABLE[screen].camera });
  if (answer !== "more") return;
  try {
    const next = await api.extend();
    Object.assign(page.view, { session: next.session });
    deadline = performance.now() + next.session.secondsLeft * 1000;
  } catch (error) {
    refused(error);
  }
}, 1000);

// MARK: Begin

async function begin() {
  openBridge(toast);
  const params = new URLSearchParams(location.hash.slice(1));
  // Any fragment is a link, even a truncated one. After it was read, the history entry keeps it.
  const token = location.hash ? params.get("t") ?? "" : null;
  const spoken = speak(choose([wantedLanguage, ...navigator.languages])).then(() => enter("boot"));
  const isOwn = api.resume(token ?? history.state?.link ?? null, isDemo);
  const claimed = isOwn ? api.view() : token !== null ? api.claim(token, params.get("n")) : null;
  claimed?.catch(() => {});
  await spoken;
  if (!claimed) return enter(isDemo ? "chooser" : "blocked");
  try {
    const view = await claimed;
    if (token) history.replaceState({ link: token }, "", location.pathname + location.search);
    if (!wantedLanguage && view.ui?.language) await speak(choose([view.ui.language]));
    await show(view);
  } catch (error) {
    if (error.status === 409 && !error.problem.view) {
      page.blocked = "used";
      return happen("refused");
    }
    refused(error);
  }
}

begin();
