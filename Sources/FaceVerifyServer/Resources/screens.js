/** The content of each screen. `page` is the controller of app.js: its view, and the actions of buttons. */
import { h, s } from "./dom.js";
import { CAMERA_MODES, hasCode, modesOf, modeWithoutCamera, nextPart, takesFile } from "./machine.js";
import { contains, ellipse, onScreen, pageOnScreen, placed } from "./oval.js";
import { pictogram } from "./pictograms.js";
import { country, has, minutes, number, t } from "./words.js";

/** Maximum size in bytes of a picture that the server accepts. */
const LARGEST_PHOTO = 32 * 1024 * 1024;

/** Number of countries above which there is a search field. */
const MANY = 12;
/** Normalises text for searching: no case, accents or punctuation. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

const button = (text, click, kind = "primary", icon) =>
  h("button", { type: "button", class: kind, click }, icon && pictogram(icon), h("span", {}, text));
const actions = (...list) => h("div", { class: "actions" }, list);
const title = (text, icon, kind) => [icon && h("div", { class: `emblem ${kind ?? ""}` }, pictogram(icon)), h("h1", { tabindex: -1 }, text)];
const text = (words, kind) => h("p", { class: kind }, words);
const rows = (list) => h("ul", { class: "rows" }, list.map(([icon, head, more]) =>
  h("li", {}, h("span", { class: "badge" }, pictogram(icon)), h("span", {}, h(more ? "strong" : "span", {}, head), more && h("small", {}, more)))));
const another = (mode, click) => mode && button(t(`fallback.${mode}`), click, "quiet");

/** The text of an error, by the first letter of its code. */
export const errorText = (error) =>
  error ? t(`error.${error.code?.[0]}`, { or: error.message ?? t("error") }) : t("error");

const docIcon = (page, part) => part === "back" ? (hasCode(page.view, part) ? "code" : "back") : page.credential?.choice?.type ?? (part === "document" ? "document" : "id-card");

function consentText({ text: words, url, link }) {
  const at = link ? words.indexOf(link) : -1;
  if (!/^https?:\/\//.test(url ?? "")) return words;
  const anchor = h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, at < 0 ? url : link,
    h("span", { class: "unseen" }, ` (${t("new.window")})`));
  return at < 0 ? [words, " ", anchor] : [words.slice(0, at), anchor, words.slice(at + link.length)];
}

/** A file button: the input itself receives clicks and focus. */
function filePicker(page, words, icon, { send, ...options }) {
  const note = h("p", { class: "note", role: "alert" });
  const pick = async ({ target }) => {
    const files = [...target.files];
    if (!files.length) return;
    const isLarge = files.some(({ size }) => size > LARGEST_PHOTO);
    label.classList.add("busy");
    note.textContent = isLarge ? t("file.large") : "";
    if (!isLarge && !(await send(files))) note.textContent = t("file.failed");
    label.classList.remove("busy");
    target.value = "";
  };
  const label = h("label", { class: "button primary" }, h("input", { type: "file", change: pick, ...options }),
    pictogram(icon), h("span", {}, words));
  return [label, note];
}

/** The preview with its guide. Returns the element and the functions that update it. */
function stage(page, kind) {
  const { video } = page.camera;
  const mask = s("path", { class: "mask", "fill-rule": "evenodd" });
  const guide = s("path", { class: "guide" }), progress = s("path", { class: "progress", pathLength: 100 });
  const svg = s("svg", { class: "overlay", "aria-hidden": "true" }, mask, guide, progress);
  const box = h("div", { class: `preview ${kind}`, role: "img", "aria-label": t(kind === "oval" ? "face.preview" : "finder.preview") }, video, svg);
  const size = () => [video.videoWidth || 4, video.videoHeight || 3];
  const draw = () => {
    const { clientWidth: w, clientHeight: ht } = box;
    if (!w || !ht) return;
    svg.setAttribute("viewBox", `0 0 ${w} ${ht}`);
    let d;
    video.style.cssText = "";
    if (kind === "oval") {
      const { x, y, width, height } = placed(...size(), w, ht);
      Object.assign(video.style, { inset: `${y}px auto auto ${x}px`, width: `${width}px`, height: `${height}px` });
      d = ellipse(onScreen(...size(), w, ht));
    } else {
      const { x, y, width, height } = pageOnScreen(page.credential?.choice?.type, w, ht), r = 14;
      d = `M${x + r} ${y}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - 2 * r}q0 ${r} ${-r} ${r}h${2 * r - width}q${-r} 0 ${-r} ${-r}v${2 * r - height}q0 ${-r} ${r} ${-r}z`;
    }
    mask.setAttribute("d", `M0 0h${w}v${ht}h${-w}z${d}`);
    guide.setAttribute("d", d);
    progress.setAttribute("d", d);
  };
  video.classList.toggle("mirrored", page.camera.isMirrored);
  video.onresize = draw;
  page.watch(box, draw);
  const describe = (words) => box.setAttribute("aria-label", `${t(kind === "oval" ? "face.preview" : "finder.preview")} ${words}`);
  const show = (share, isGood) => {
    progress.style.strokeDasharray = `${100 * share} 200`;
    progress.style.opacity = share > 0 ? 1 : 0;
    box.classList.toggle("good", Boolean(isGood));
  };
  show(0);
  return { box, describe, show, holds: (face) => Boolean(face) && contains(face, ...size()) };
}

/** The instruction above the preview, near the camera, with its pictogram. */
function plate() {
  const icon = h("div", { class: "what" }), words = h("h1", { tabindex: -1 }), more = h("p", { class: "more" });
  let shown;
  return {
    element: h("div", { class: "plate" }, icon, h("div", {}, words, more)),
    say(code, name, extra = "") {
      if (name !== shown) icon.replaceChildren(pictogram((shown = name)));
      if (words.textContent !== code) words.textContent = code;
      if (more.textContent !== extra) more.textContent = extra;
    },
  };
}

/** The camera menu and the torch. */
function cameraTools(page) {
  const { devices, deviceId, hasTorch, facing } = page.camera;
  const menu = devices?.length > 1 && h("label", { class: "tool" }, h("span", { class: "unseen" }, t("camera.menu")), pictogram("camera"),
    h("select", { change: ({ target }) => page.switchCamera(target.value) },
      devices.map((device, index) => h("option", { value: device.deviceId, selected: device.deviceId === deviceId },
        device.label || `${t("camera.menu")} ${number(index + 1)}`))));
  const torch = hasTorch && facing === "environment" && h("button", { type: "button", class: "tool", "aria-pressed": "false",
    click: ({ currentTarget }) => {
      const on = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", on);
      page.camera.torch(on);
    } }, pictogram("light"), t("camera.torch"));
  return (menu || torch) && h("div", { class: "tools" }, menu, torch);
}

const secondsLeft = (view) => view.part?.secondsLeft != null && view.part.secondsLeft < 15
  ? t("seconds", { time: minutes(view.part.secondsLeft) }) : "";

function documentHint(view, page) {
  const told = (view.events ?? []).filter(({ event }) => event === "document-hint").at(-1);
  if (told) page.documentHint = told.hint;
  return view.feedback ? view.feedback.hint : page.documentHint;
}

/** What a pass proved: one line per axis. A missing comparison is mentioned only if a person was seen. */
function proved(assurance) {
  const list = Object.entries({ presence: "face", document: "id-card", binding: "consent" })
    .map(([axis, icon]) => [icon, `assurance.${axis}.${assurance?.[axis]}`])
    .filter(([, code]) => has(code) && (code !== "assurance.binding.none" || assurance.presence !== "none"));
  return list.length > 0 && rows(list.map(([icon, code]) => [icon, t(code)]));
}

/** Why the code of a licence could not be read. */
const codeFault = ({ codeFault: name }) => name && t(`code.${name}`, { or: t("code.not-decoded") });

/** Each screen: (page, view) -> [content, update]; `update(view)` refreshes it while the screen stays. */
export const SCREENS = {
  boot: () => [[h("div", { class: "wheel" }), h("h1", { class: "calm", tabindex: -1 }, t("wait"))]],
  joining: () => SCREENS.boot(),
  working: (page, view) => [[h("div", { class: "wheel" }), h("h1", { class: "calm", tabindex: -1 },
    t(view?.state === "finishing" || page.isFinishing ? "wait.finish" : "wait"))]],

  chooser: (page) => {
    const choice = (icon, code, requests) => h("button", { type: "button", class: "choice", click: () => page.demo(requests) },
      h("span", { class: "badge" }, pictogram(icon)), h("span", {}, h("strong", {}, t(code)), h("small", {}, t(`${code}.text`))));
    return [[title(t("chooser.title"), "face-frame"), text(t("chooser.text"), "lead"),
      h("div", { class: "choices" }, choice("face", "chooser.face", [{ category: "face" }]),
        choice("id-card", "chooser.both", [{ category: "id" }, { category: "face" }]))]];
  },

  blocked: (page) => [[title(t(`blocked.${page.blocked}.title`), "lock"), text(t(`blocked.${page.blocked}.text`), "lead"),
    page.mayRestart && actions(button(t("finished.restart"), page.restart))]],

  lost: (page) => [[title(t("lost.title"), "lost"), text(t("lost.text"), "lead"), actions(button(t("again"), () => page.happen("retry")))]],
  stuck: (page) => [[title(t("stuck.title"), "unknown"), text(t("stuck.text"), "lead"), actions(button(t("again"), () => location.reload()))]],

  welcome: (page, view) => {
    const needs = [...new Set(view.credentials.map(({ category }) => category))].filter((name) => has(`welcome.${name}`));
    const icons = { id: "id-card", face: "face", document: "document" };
    const kinds = [...new Set(view.credentials.flatMap(({ types }) => types ?? []))].map((type) => t(`type.${type}`, { or: type }));
    const more = (name) => (name === "id" && kinds.length ? kinds.join(" · ") : t(`welcome.${name}.text`));
    return [[title(t("welcome.title"), "face-frame"), text(t("welcome.text"), "lead"),
      rows(needs.map((name) => [icons[name], t(`welcome.${name}`), more(name)])),
      text(t("welcome.time", { time: minutes(view.session.lifetime ?? view.session.secondsLeft) }), "fine"),
      actions(button(t("welcome.go"), () => page.act([{ call: "start" }])))]];
  },

  consent: (page, view) => {
    const note = h("p", { class: "note", role: "alert" });
    const boxes = view.consents.map((item, index) => item.isActive
      ? h("label", { class: "tick" }, h("input", { type: "checkbox", "data-item": index }), h("span", { dir: "auto" }, consentText(item)))
      : h("p", { class: "tick passive", dir: "auto" }, consentText(item)));
    const go = () => {
      const missing = boxes.map((box) => box.querySelector("input")).find((input) => input && !input.checked);
      if (!missing) return page.consent(view.consents.map(() => true));
      note.textContent = t("consent.tick");
      missing.focus();
    };
    return [[title(t("consent.title"), "consent"), text(t("consent.text"), "lead"), h("div", { class: "ticks" }, boxes), note,
      actions(button(t("consent.go"), go), button(t("consent.no"), page.decline, "quiet"))]];
  },

  select: (page, view) => {
    const countries = [...new Set(view.choices.map(({ country: code }) => code))];
    const named = countries.map((code) => [code, country(code)]).sort((a, b) => a[1].localeCompare(b[1], document.documentElement.lang));
    const note = h("p", { class: "note", role: "alert" }), kinds = h("div", { class: "kinds" }), found = h("p", { class: "fine", role: "status" });
    const chosen = { country: countries.length === 1 ? countries[0] : "", type: "", variant: "" };
    const radios = (name, legend, values, icon) => h("fieldset", {}, h("legend", {}, t(legend)), h("div", { class: "choices row" }, values.map((value) =>
      h("label", { class: "choice" }, h("input", { type: "radio", name, value, checked: chosen[name] === value,
        change: () => { chosen[name] = value; draw(); } }), icon && h("span", { class: "badge" }, pictogram(value)), h("strong", {}, t(`${name}.${value}`))))));
    const draw = () => {
      const focused = document.activeElement?.value;
      const fits = view.choices.filter(({ country: code }) => code === chosen.country);
      const types = [...new Set(fits.map(({ type }) => type))];
      if (!types.includes(chosen.type)) chosen.type = types.length === 1 ? types[0] : "";
      const variants = fits.filter(({ type }) => type === chosen.type).map(({ variant }) => variant);
      if (!variants.includes(chosen.variant)) chosen.variant = variants.length === 1 ? variants[0] : "";
      kinds.replaceChildren(...[types.length && radios("type", "select.type", types, true),
        variants.length > 1 && radios("variant", "select.variant", variants)].filter(Boolean));
      [...kinds.querySelectorAll("input")].find(({ value }) => value === focused)?.focus();
    };
    const go = () => {
      const choice = view.choices.find((one) => ["country", "type", "variant"].every((name) => one[name] === chosen[name]));
      if (choice) page.act([{ call: "configure", ...choice }]);
      else note.textContent = t("select.missing");
    };
    const choose = (code) => { chosen.country = code; note.textContent = ""; draw(); };
    const menu = h("select", { change: ({ target }) => choose(target.value) });
    const list = (some, isOpen) => {
      menu.replaceChildren(...countries.length > 1 && !isOpen ? [h("option", { value: "" }, t("select.choose"))] : [],
        ...some.map(([code, name]) => h("option", { value: code, selected: code === chosen.country }, name)));
      if (isOpen) menu.size = Math.min(some.length, 6);
      else menu.removeAttribute("size");
    };
    /** Matches the beginning of a word or the code, and selects a single match. The list opens if the browser allows it. */
    const search = ({ target }) => {
      const sought = plain(target.value), some = named.filter(([code, name]) => plain(code) === sought || ` ${plain(name)}`.includes(` ${sought}`));
      if (!some.some(([code]) => code === chosen.country)) choose(some.length === 1 ? some[0][0] : "");
      list(some, sought && some.length > 1);
      found.textContent = sought ? t("select.found", { n: number(some.length) }) : "";
    };
    list(named);
    draw();
    // The list needs the emblem's space.
    return [[title(t("select.title"), countries.length <= MANY && "id-card"),
      countries.length > MANY && h("div", {}, h("label", { class: "field" }, h("span", {}, t("select.search")),
        h("input", { type: "search", autocomplete: "off", spellcheck: "false", input: search })), found),
      h("label", { class: "field" }, h("span", {}, t("select.country")), menu),
      kinds, note, actions(button(t("next"), go))]];
  },

  advice: (page, view) => [[title(t("advice.title"), "warning"), h("p", { class: "lead", dir: "auto" }, view.advice ?? ""),
    actions(button(t("advice.go"), () => page.act([{ call: "acknowledge" }])))]],

  intro: (page, view) => {
    const part = nextPart(view, page.local);
    if (part === "chip") {
      const isOptional = page.credential.optional?.includes("chip");
      return [[title(t("intro.chip.title"), "chip"), text(t("intro.chip.text"), "lead"),
        actions(button(t("intro.chip.go"), () => page.act([{ call: "start-part", part, mode: null }])),
          isOptional && button(t("intro.skip"), () => page.skip(part), "quiet"))]];
    }
    const modes = modesOf(view, part), isCode = hasCode(view, part), head = t(`intro.${isCode ? "code" : part}.title`);
    if (modes.length && !modes.some((mode) => CAMERA_MODES.includes(mode))) {
      return [[title(head, docIcon(page, part)), text(t(isCode ? "file.code" : "file.text"), "lead"),
        actions(button(t("next"), () => page.act([{ call: "start-part", part, mode: null }])))]];
    }
    const isFace = part === "face";
    const tips = isFace ? [["light", t("intro.face.1")], ["camera", t("intro.face.2")], ["glasses", t("intro.face.3")]]
      : isCode ? [["code", t("intro.code.1")], ["document", t("intro.code.2")], ["light", t("intro.doc.2")]]
        : [["document", t("intro.doc.1")], ["light", t("intro.doc.2")], [docIcon(page, part), t("intro.doc.3")]];
    const lowers = h("p", { class: "fine", role: "status" }), tell = () => (lowers.textContent = page.allowsLight ? "" : t("light.lowers"));
    const light = isFace && view.ui?.light && [h("label", { class: "tick" },
      h("input", { type: "checkbox", checked: page.allowsLight, change: ({ target }) => { page.allowsLight = target.checked; tell(); } }),
      h("span", {}, h("strong", {}, t("light.tick")), h("small", {}, t("light.text")))), lowers];
    tell();
    return [[title(head, isFace ? "face-frame" : docIcon(page, part)), page.note ? h("p", { class: "reason" }, t(`retry.${page.note}`)) : isFace && text(t("intro.face.text"), "lead"),
      rows(tips), light, text(t("camera.privacy"), "fine"), actions(button(t("camera.open"), page.openCamera, "primary", "camera"))]];
  },

  asking: () => {
    const late = text("", "fine");
    return [[title(t("asking.title"), "camera"), text(t("asking.text"), "lead"), h("div", { class: "wheel" }), late],
      null, () => (late.textContent = t("asking.late"))];
  },

  trouble: (page, view) => {
    const why = page.local.trouble, other = modeWithoutCamera(view, page.local);
    return [[title(t(`trouble.${why}.title`), "no-camera", "amber"), text(t(`trouble.${why}.text`), "lead"),
      actions(why !== "unsupported" && button(t("again"), page.openCamera), other && button(t("trouble.file"), page.withoutCamera, "quiet"),
        (why === "unsupported" || !other) && button(t("end"), page.giveUp, "quiet"))]];
  },

  face: (page, view) => {
    const { box, describe, show, holds } = stage(page, "oval"), board = plate(), isAsked = view.part.mode !== "passive";
    page.seen = 0; // Discards the previous try's progress.
    const update = (now) => {
      const { feedback = null, light } = now, { challenge, phase } = feedback ?? {};
      const rest = feedback?.secondsLeft ? minutes(Math.ceil(feedback.secondsLeft)) : "";
      const returning = phase === "returning" || phase === "passed";
      let words = t("face.ready"), icon = "face";
      if (challenge && !returning) [words, icon] = [t(`challenge.${challenge}`), challenge];
      else if (challenge) [words, icon] = [t("face.return"), "face"];
      let more = "";
      if (feedback?.hint === "hold-still" && challenge) more = `${t("hint.hold-still")} ${rest}`;
      else if (feedback?.hint && challenge) more = t(`hint.${feedback.hint}`, { or: feedback.text });
      else if (feedback?.hint) [words, icon] = [t(`hint.${feedback.hint}`, { or: feedback.text }), feedback.hint === "hold-still" ? "hold-still" : "face"];
      else if (feedback && !challenge) more = t(holds(feedback.face) ? "hint.hold-still" : "face.oval");
      board.say(words, icon, more);
      describe(words);
      page.urge(more && feedback?.hint ? `${words}. ${more}` : words);
      show(isAsked ? feedback?.progress ?? 0 : page.watched(feedback), feedback && !feedback.hint && holds(feedback.face));
      page.lightUp(light);
    };
    return [[board.element, box, cameraTools(page), actions(isAsked && button(t("cannot"), page.cannot, "plain"))], update];
  },

  finder: (page, view) => {
    const { box, describe, show } = stage(page, "frame"), board = plate();
    page.documentHint = null;
    const update = (now) => {
      const isCode = hasCode(now, now.part?.side), hint = isCode ? now.codeFault : documentHint(now, page);
      const words = isCode ? codeFault(now) ?? t("finder.code") : hint ? t(`hint.${hint}`, { or: now.feedback?.text }) : t("finder.ready");
      board.say(words, hint === "flip" ? "back" : docIcon(page, now.part?.side), secondsLeft(now));
      describe(words);
      page.urge(words);
      show(0, !hint && now.feedback);
    };
    return [[board.element, box, cameraTools(page), actions(another(view.part.fallback, page.fallback))], update];
  },

  shutter: (page, view) => {
    const isFace = view.part.mode === "face-manual", { box, describe } = stage(page, isFace ? "oval" : "frame"), board = plate();
    const take = button(t("photo.take"), () => page.act([{ call: "take-picture" }]), "primary", "camera");
    const update = (now) => {
      const words = t(isFace ? "shutter.face" : "shutter.ready");
      board.say(words, isFace ? "face" : docIcon(page, now.part?.side), secondsLeft(now));
      describe(words);
      take.disabled = !now.part?.isShutterDue || !now.taken;
    };
    return [[board.element, box, cameraTools(page), actions(take, another(view.part.fallback, page.fallback))], update];
  },

  file: (page, view) => {
    const isFace = view.part.part === "face";
    return [[title(t("file.title"), isFace ? "face" : docIcon(page, view.part.side)), text(t(hasCode(view, view.part.side) ? "file.code" : "file.text"), "lead"),
      codeFault(view) && h("p", { class: "reason" }, codeFault(view)),
      actions(filePicker(page, t("file.go"), "file", {
        // Naming JPEG prevents phones from passing HEIC.
        accept: "image/jpeg,image/png,image/webp", capture: isFace ? "user" : null, send: ([file]) => page.sendPhoto(file) }),
      another(takesFile(view.part.mode, page.local) ? view.part.fallback : null, page.fallback))]];
  },

  chip: (page) => [[title(t("chip.title"), "chip"), text(t("chip.text"), "lead"), text(t("intro.chip.text"), "fine"),
    actions(filePicker(page, t("intro.chip.go"), "file", { multiple: true, send: (files) => page.sendChip(files) }),
      page.credential?.optional?.includes("chip") && button(t("intro.skip"), () => page.skip("chip"), "quiet"))]],

  paused: (page, view) => [[title(t("paused.title"), "pause"), text(t("paused.text"), "lead"),
    actions(button(t("paused.go"), page.openCamera, "primary", "camera"), another(view.part?.fallback, page.fallback))]],

  confirm: (page, view) => {
    const image = h("img", { class: "taken", alt: t("confirm.picture") });
    page.showPicture(image);
    return [[h("h1", { tabindex: -1 }, t("confirm.title")), image,
      codeFault(view) && h("p", { class: "reason" }, codeFault(view)),
      actions(button(t("confirm.go"), () => page.act([{ call: "confirm" }])), button(t("confirm.again"), page.scanAgain, "quiet"))]];
  },

  rejected: (page, view) => [[title(t("rejected.title"), docIcon(page, view.part?.side), "amber"),
    h("ul", { class: "reasons" }, [...(view.rejections ?? []).map((reason) => t(`reject.${reason}`)), codeFault(view)].filter(Boolean)
      .map((words) => h("li", {}, words))),
    actions(button(t("again"), page.scanAgain), another(codeFault(view) && view.part?.fallback, page.fallback))]],

  retrying: (page, view) => {
    const { part } = view, icon = part?.part === "face" ? "face-frame" : docIcon(page, part?.side);
    return [[title(t("retry.title"), icon, "amber"), text(t(`retry.${view.retry ?? "generic"}`, { or: t("retry.generic") }), "lead"),
      part?.tries && text(t("try", { n: number(part.try + 1), of: number(part.tries) }), "fine"),
      actions(button(t("again"), page.scanAgain), another(part?.fallback, page.fallback))]];
  },

  failed: (page, view) => [[title(t("failed.title"), "warning", "amber"), text(errorText(view.error), "lead"),
    actions(button(t("again"), () => page.act([{ call: "retry" }])), button(t("end"), page.askEnd, "quiet"))]],
  halted: (page, view) => [[title(t("finished.error.title"), "no", "red"), text(errorText(view.error), "lead"),
    actions(button(t("close"), () => page.act([{ call: "cancel" }])))]],
  interrupted: (page) => [[title(t("interrupted.title"), "lost", "amber"), text(t("interrupted.text"), "lead"),
    actions(button(t("interrupted.go"), page.beginAgain))]],

  finished: (page, view) => {
    const result = view.result ?? {}, error = view.error ?? result.error;
    const shown = error || result.isComplete === false ? "error" : result.result;
    const [icon, kind] = { error: ["clock", "amber"], passed: ["done", "green"], failed: ["no", "red"], "not-checked": ["unknown", "amber"] }[shown] ?? ["done", "green"];
    const head = shown ? `finished.${shown}` : "finished";
    const list = shown === "passed" && proved(result.assurance);
    return [[h("div", { class: "secret" }, title(t(`${head}.title`), icon, kind),
      text(error ? errorText(error) : t(shown === "passed" && !list ? "finished.text" : `${head}.text`), "lead"), list,
      result.reasons?.length > 0 && [h("h2", {}, t("finished.why")), h("ul", { class: "reasons" }, result.reasons.map((one) => h("li", { lang: "en", dir: "auto" }, one)))]),
      page.mayRestart && actions(button(t("finished.restart"), page.restart))]];
  },
};
