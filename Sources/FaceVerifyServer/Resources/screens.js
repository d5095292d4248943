/** The content of each screen. `page` is the controller of app.js: its view, and the actions of buttons. */
import { h, s } from "./dom.js";
import { CAMERA_MODES, hasCode, modesOf, modeWithoutCamera, nextPart, takesFile } from "./machine.js";
import { actions, button, cameraTools, filePicker, plate, rows, stage, text, title } from "./parts.js";
import { pictogram } from "./pictograms.js";
import { selection } from "./select.js";
import { accept } from "./signals.js";
import { has, minutes, number, percent, t } from "./words.js";

const another = (mode, click) => mode && button(t(`fallback.${mode}`), click, "quiet");

/** The text of an error, by the first letter of its code. */
export const errorText = (error) =>
  error ? t(`error.${error.code?.[0]}`, { or: error.message ?? t("error") }) : t("error");

/** Anything but a phone or tablet offers a phone, whose cameras are better. */
const touch = matchMedia("(pointer: coarse)");
const toPhone = (page, isNeeded) => page.view.mayHandOff && (isNeeded || !touch.matches) && button(t("phone.go"), page.handOff, "quiet", "phone");

/** The texts of reasons by their codes or kinds; in English if there is none. */
function reasons(result) {
  const known = (code) => [code, code.split(".")[0]].map((name) => `reason.${name}`).find(has);
  const list = result.reasons.map(({ code, text: words }) => (known(code) ? t(known(code)) : [words]));
  return [...new Set(list)].map((one) => (Array.isArray(one) ? h("span", { lang: "en", dir: "auto" }, one) : one));
}

/** The way back to the shop: by a button, and by itself if there is nothing to read. */
function wayBack(page, { returnUrl, session, state, result }) {
  if (!returnUrl) return null;
  const url = new URL(returnUrl);
  url.searchParams.set("workflowExecutionId", session.workflowExecutionId);
  url.searchParams.set("state", state);
  const isFramed = parent !== window;
  const link = h("a", { class: "button primary", href: url, target: isFramed && "_top", rel: "noreferrer" }, t("return.go", { place: url.host }));
  if (isFramed || result?.result) return actions(link);
  const note = text(t("return.soon", { place: url.host }), "fine"), stay = page.leave(url);
  const keep = button(t("return.stay"), () => { stay(); note.remove(); keep.remove(); }, "quiet");
  return [note, actions(link, keep)];
}

const docIcon = (page, part) => part === "back" ? (hasCode(page.view, part) ? "code" : "back") : page.credential?.choice?.type ?? (part === "document" ? "document" : "id-card");

function consentText({ text: words, url, link }) {
  const at = link ? words.indexOf(link) : -1;
  if (!/^https?:\/\//.test(url ?? "")) return words;
  const anchor = h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, at < 0 ? url : link,
    h("span", { class: "unseen" }, ` (${t("new.window")})`));
  return at < 0 ? [words, " ", anchor] : [words.slice(0, at), anchor, words.slice(at + link.length)];
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

const scene = (board, box) => h("div", { class: "scene" }, board.element, box);

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
    page.hasFormer && [text(t("blocked.former")), actions(button(t("end"), page.endFormer, "danger"))],
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
      actions(button(t("welcome.go"), () => page.act([{ call: "start" }])), toPhone(page))]];
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

  select: selection,

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
    return [[title(head, isFace ? "hold-phone" : "hold-document", "wide"), page.note ? h("p", { class: "reason" }, t(`retry.${page.note}`)) : isFace && text(t("intro.face.text"), "lead"),
      rows(tips), light, text(t("camera.privacy"), "fine"), actions(button(t("camera.open"), page.openCamera, "primary", "camera"), toPhone(page))]];
  },

  asking: () => {
    const late = text("", "fine");
    return [[title(t("asking.title"), "camera"), text(t("asking.text"), "lead"), h("div", { class: "wheel" }), late],
      null, () => (late.textContent = t("asking.late"))];
  },

  trouble: (page, view) => {
    const why = page.local.trouble, other = modeWithoutCamera(view, page.local);
    return [[title(t(`trouble.${why}.title`), "no-camera", "amber"), text(t(`trouble.${why}.text`), "lead"),
      actions(why !== "unsupported" && button(t("again"), page.openCamera), toPhone(page, true), other && button(t("trouble.file"), page.withoutCamera, "quiet"),
        (why === "unsupported" || !other) && button(t("end"), page.giveUp, "quiet"))]];
  },

  face: (page, view) => {
    const { box, describe, show, aim, holds } = stage(page, "oval"), board = plate(), isAsked = view.part.mode !== "passive";
    let answers = 0;
    page.seen = 0; // Discards the previous try's progress.
    const update = (now) => {
      const { feedback = null, light } = now, { challenge, phase, target } = feedback ?? {};
      const rest = feedback?.secondsLeft ? minutes(Math.ceil(feedback.secondsLeft)) : "";
      const returning = phase === "returning" || phase === "passed";
      let words = t("face.ready"), icon = "face";
      if (target) [words, icon] = [t(`challenge.${target.movement}`), target.movement];
      else if (challenge && !returning) [words, icon] = [t(`challenge.${challenge}`), challenge];
      else if (challenge) [words, icon] = [t("face.return"), "face"];
      let more = "";
      if (target && !feedback.hint) more = t("challenge.follow");
      else if (feedback?.hint === "hold-still" && challenge) more = `${t("hint.hold-still")} ${rest}`;
      else if (feedback?.hint && challenge) more = t(`hint.${feedback.hint}`, { or: feedback.text });
      else if (feedback?.hint) [words, icon] = [t(`hint.${feedback.hint}`, { or: feedback.text }), feedback.hint === "hold-still" ? "hold-still" : "face"];
      else if (feedback && !challenge) more = t(holds(feedback.face) ? "hint.hold-still" : "face.oval");
      if (feedback?.answers?.length > answers) accept();
      answers = feedback?.answers?.length ?? 0;
      board.say(words, icon, more);
      describe(words);
      page.urge(more && feedback?.hint ? `${words}. ${more}` : words);
      show(isAsked ? feedback?.progress ?? 0 : page.watched(feedback), feedback && !feedback.hint && holds(feedback.face));
      page.lightUp(light);
      aim(target);
    };
    return [[scene(board, box), cameraTools(page, isAsked && button(t("cannot"), page.cannot, "plain"))], update];
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
    return [[scene(board, box), cameraTools(page), actions(another(view.part.fallback, page.fallback))], update];
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
    return [[scene(board, box), cameraTools(page), actions(take, another(view.part.fallback, page.fallback))], update];
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

  chip: (page, { reader }) => {
    const skip = page.credential?.optional?.includes("chip") && button(t("intro.skip"), () => page.skip("chip"), "quiet");
    const files = (code, kind) => filePicker(page, t(code), "file", { kind, multiple: true, send: (chosen) => page.sendChip(chosen) });
    if (!reader) {
      return [[title(t("chip.title"), "chip"), text(t("chip.text"), "lead"), text(t("intro.chip.text"), "fine"),
        actions(files("intro.chip.go", "primary"), skip)]];
    }
    const { hasKey, mustConfirm, attemptsLeft } = reader, note = h("p", { class: "note", role: "alert" });
    const fault = reader.fault ?? (mustConfirm ? "password-refused" : null);
    // Each attempt has a number that was typed for it.
    const asksNumber = !hasKey || mustConfirm || fault === "number-refused";
    const field = h("input", { type: "text", inputmode: "numeric", maxlength: 6, autocomplete: "off", spellcheck: "false", keydown: ({ key }) => key === "Enter" && withNumber() });
    const withNumber = () => {
      const digits = field.value.trim().replace(/[\u0660-\u0669]/g, (digit) => digit.charCodeAt(0) & 15);
      if (/^\d{6}$/.test(digits)) return page.readChip(["number-refused", "confirmation-needed"].includes(fault), digits);
      note.textContent = t("reader.number.missing");
      field.focus();
    };
    const withPage = (code, kind) => button(t(code), () => page.readChip(mustConfirm), kind);
    return [[title(t(fault ? "reader.fault.title" : "intro.chip.title"), "chip", fault && "amber"),
      fault ? h("p", { class: "reason", role: "alert" }, t(`reader.${fault}`, { or: reader.detail })) : text(t("reader.text"), "lead"),
      attemptsLeft !== null && text(t("reader.left", { n: number(attemptsLeft) }), "fine"),
      asksNumber && h("div", {}, h("label", { class: "field" }, h("span", {}, t("reader.number")), field), text(t("reader.number.text"), "fine"), note),
      actions(asksNumber ? [button(t("reader.go"), withNumber), hasKey && withPage("reader.confirm", "quiet")]
        : withPage(fault ? "again" : "reader.go"), files("reader.files", "quiet"), skip)]];
  },

  reading: (page) => {
    const head = h("h1", { tabindex: -1 }), wheel = h("div", { class: "wheel" }), file = text("", "fine");
    const bar = h("progress", { max: 1, "aria-label": t("reader.progress") });
    const update = ({ reader }) => {
      head.textContent = t(reader.state === "waiting" ? "reader.waiting" : "reader.reading");
      [wheel.hidden, bar.hidden, bar.value] = [Boolean(reader.file), !reader.file, reader.fraction];
      file.textContent = reader.file ? `${reader.file} · ${percent(reader.fraction)}` : "";
      page.urge(head.textContent);
    };
    return [[h("div", { class: "emblem" }, pictogram("chip")), head, text(t("reader.keep"), "lead"), wheel, bar, file,
      actions(button(t("reader.stop"), page.stopReading, "quiet"))], update];
  },

  paused: (page, view) => [[title(t("paused.title"), "pause"), text(t("paused.text"), "lead"),
    actions(button(t("paused.go"), page.openCamera, "primary", "camera"), another(view.part?.fallback, page.fallback))]],

  phone: (page) => {
    const { code: { size, path }, secondsLeft } = page.local.link;
    return [[title(t("phone.title")), text(t("phone.text", { time: minutes(secondsLeft) }), "lead"),
      h("div", { class: "code", role: "img", "aria-label": t("phone.code") }, s("svg", { viewBox: `-4 -4 ${size + 8} ${size + 8}` }, s("path", { d: path }))),
      text(t("phone.wait"), "fine"), actions(button(t("back"), page.stay, "quiet"))]];
  },
  elsewhere: () => [[title(t("elsewhere.title"), "phone"), text(t("elsewhere.text"), "lead"), text(t("elsewhere.other"), "fine")]],

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
      result.reasons?.length > 0 && [h("h2", {}, t("finished.why")), h("ul", { class: "reasons" }, reasons(result).map((one) => h("li", {}, one)))]),
      view.wasHandedOff && !view.isElsewhere && text(t("finished.elsewhere")), wayBack(page, view),
      page.mayRestart && actions(button(t("finished.restart"), page.restart))]];
  },
};
