/** The building blocks of screens. `page` is the controller of app.js. */
import { h, s } from "./dom.js";
import { contains, ellipse, onScreen, pageOnScreen, placed, towards } from "./oval.js";
import { pictogram } from "./pictograms.js";
import { isOn, toggle } from "./signals.js";
import { number, t } from "./words.js";

/** Maximum size in bytes of a picture that the server accepts. */
const LARGEST_PHOTO = 32 * 1024 * 1024;

export const button = (text, click, kind = "primary", icon) =>
  h("button", { type: "button", class: kind, click }, icon && pictogram(icon), h("span", {}, text));
export const actions = (...list) => h("div", { class: "actions" }, list);
export const title = (text, icon, kind) => [icon && h("div", { class: `emblem ${kind ?? ""}` }, pictogram(icon)), h("h1", { tabindex: -1 }, text)];
export const text = (words, kind) => h("p", { class: kind }, words);
export const rows = (list) => h("ul", { class: "rows" }, list.map(([icon, head, more]) =>
  h("li", {}, h("span", { class: "badge" }, pictogram(icon)), h("span", {}, h(more ? "strong" : "span", {}, head), more && h("small", {}, more)))));

/** A file button: the input itself receives clicks and focus. */
export function filePicker(page, words, icon, { send, kind = "primary", ...options }) {
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
  const label = h("label", { class: `button ${kind}` }, h("input", { type: "file", change: pick, ...options }),
    pictogram(icon), h("span", {}, words));
  return [label, note];
}

/** The preview with its guide. Returns the element and the functions that update it. */
export function stage(page, kind) {
  const { video } = page.camera;
  const mask = s("path", { class: "mask", "fill-rule": "evenodd" });
  const guide = s("path", { class: "guide" }), progress = s("path", { class: "progress", pathLength: 100 });
  const dot = s("circle", { class: "dot", r: 11 });
  const svg = s("svg", { class: "overlay", "aria-hidden": "true" }, mask, guide, progress, dot);
  const box = h("div", { class: `preview ${kind}`, role: "img", "aria-label": t(kind === "oval" ? "face.preview" : "finder.preview") }, video, svg);
  const size = () => [video.videoWidth || 4, video.videoHeight || 3];
  // Where the oval is; its target is updated with each answer of the server, and approached in each frame.
  let place = null, goal = null;
  const draw = () => {
    const { clientWidth: w, clientHeight: ht } = box;
    if (!w || !ht) return;
    svg.setAttribute("viewBox", `0 0 ${w} ${ht}`);
    let d;
    video.style.cssText = "";
    if (kind === "oval") {
      const { x, y, width, height } = placed(...size(), w, ht);
      Object.assign(video.style, { inset: `${y}px auto auto ${x}px`, width: `${width}px`, height: `${height}px` });
      let shape = onScreen(...size(), w, ht);
      if (place) shape = towards(shape, place, width, page.camera.isMirrored);
      for (const name of ["cx", "cy"]) dot.setAttribute(name, shape.dot?.[name] ?? 0);
      d = ellipse(shape);
    } else {
      const { x, y, width, height } = pageOnScreen(page.credential?.choice?.variant, w, ht), r = 14;
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
  const approach = () => {
    if (!goal || !box.isConnected) return;
    for (const name of ["x", "scale", "yaw", "pitch"]) place[name] += 0.2 * (goal[name] - place[name]);
    draw();
    requestAnimationFrame(approach);
  };
  /** Moves the oval to a target of the feedback, or back if there is none. */
  const aim = (target) => {
    const isStart = target && !goal;
    goal = target;
    if (isStart) requestAnimationFrame(approach);
    if (isStart || !target) {
      place = target && { x: 0, scale: 1, yaw: 0, pitch: 0 };
      svg.classList.toggle("following", Boolean(target));
      draw();
    }
  };
  show(0);
  return { box, describe, show, aim, holds: (face) => Boolean(face) && contains(face, ...size()) };
}

/** The instruction at the top of the preview, near the lens, with its animated pictogram. */
export function plate() {
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

/** The camera menu, the torch, and for movements sound and the way out. */
export function cameraTools(page, cannot) {
  const { devices, deviceId, hasTorch, facing } = page.camera;
  const menu = devices?.length > 1 && h("label", { class: "tool" }, h("span", { class: "unseen" }, t("camera.menu")), pictogram("camera"),
    h("select", { change: ({ target }) => page.switchCamera(target.value) },
      devices.map((device, index) => h("option", { value: device.deviceId, selected: device.deviceId === deviceId },
        device.label || `${t("camera.menu")} ${number(index + 1)}`))));
  const turn = (icon, code, isPressed, set) => h("button", { type: "button", class: "tool", "aria-pressed": String(isPressed),
    click: ({ currentTarget }) => {
      const on = currentTarget.getAttribute("aria-pressed") !== "true";
      currentTarget.setAttribute("aria-pressed", on);
      set(on);
    } }, pictogram(icon), t(code));
  return h("div", { class: "tools" }, menu, hasTorch && facing === "environment" && turn("light", "camera.torch", false, (on) => page.camera.torch(on)),
    cannot && [turn("sound", "signals", isOn(), toggle), cannot]);
}
