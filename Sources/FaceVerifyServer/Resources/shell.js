/** What surrounds the screens: header, footer, dialogs, announcements. */
import { h } from "./dom.js";
import { steps, TABLE } from "./machine.js";
import { pictogram } from "./pictograms.js";
import { language, LANGUAGES, number, t } from "./words.js";

/** Minimum seconds between announcements to a screen reader. */
const SPEECH = 1.5;

export const $ = (id) => document.getElementById(id);

/** Announcements to screen readers: the latest text, at a limited rate. */
export const speech = {
  last: 0, text: "", pending: 0,
  say(text) {
    if (text === this.text && !this.pending) return;
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      this.pending = 0;
      if (text === this.text) return;
      $("urgent").textContent = this.text = text;
      this.last = performance.now();
    }, Math.max(0, this.last + SPEECH * 1000 - performance.now()));
  },
  stop() {
    clearTimeout(this.pending);
    this.pending = 0;
    $("urgent").textContent = this.text = "";
  },
};

/** The header and footer of every screen. */
export function frame({ view, askEnd, changeLanguage }, screen) {
  const list = steps(view), current = list.findIndex(({ isCurrent }) => isCurrent);
  const name = (step) => t(`step.${step.name}`);
  $("header").replaceChildren(
    h("div", { class: "bar" }, h("span", { class: "brand" }, pictogram("face-frame"), h("span", {}, t("title"))),
      h("label", { class: "languages" }, h("span", { class: "unseen" }, t("language")),
        h("select", { change: ({ target }) => changeLanguage(target.value) },
          Object.entries(LANGUAGES).map(([code, text]) => h("option", { value: code, lang: code, selected: code === language }, text))))),
    ...(current < 0 ? [] : [h("nav", { "aria-label": t("steps") },
      h("ol", { class: "steps" }, list.map((step) => h("li", { class: step.isDone ? "over" : step.isCurrent ? "now" : "",
        "aria-current": step.isCurrent ? "step" : null }, h("span", {}, name(step))))),
      h("p", { class: "step" }, t("step", { n: number(current + 1), of: number(list.length), name: name(list[current]) })))]));
  const mayEnd = view && !TABLE[screen].final && !["halted", "elsewhere"].includes(screen);
  $("footer").replaceChildren(h("button", { type: "button", class: "plain", click: help }, t("help")), h("span", { id: "left", class: "left" }),
    mayEnd ? h("button", { type: "button", class: "plain", click: askEnd }, t("end")) : "");
}

function help() {
  dialog(t("help.title"), [t("help.light"), t("help.steady"), t("help.time"), t("help.text")], [["close", ""]]);
}

/** Buttons are [code, value, class]; Escape returns "". */
export function dialog(title, texts, buttons, { modal = true } = {}) {
  return new Promise((done) => {
    const heading = h("h2", { id: "dialog", tabindex: -1 }, title);
    const box = h("dialog", { "aria-labelledby": "dialog", close: () => { box.remove(); done(box.returnValue); } }, heading,
      texts.map((text) => h("p", {}, text)), h("div", { class: "actions" }, buttons.filter(Boolean).map(([code, answer, kind = "primary"]) =>
        h("button", { type: "button", class: kind, click: () => box.close(answer) }, t(code)))));
    document.body.append(box);
    if (modal) box.showModal();
    else box.show();
    heading.focus();
  });
}

export function toast(text, isError = false) {
  $("toast").replaceChildren(...(text ? [h("span", { dir: "auto" }, text), h("button", { type: "button", class: "plain", click: () => toast("") }, t("close"))] : []));
  $(isError ? "urgent" : "polite").textContent = text;
}
