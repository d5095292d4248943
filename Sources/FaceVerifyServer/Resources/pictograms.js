/** Pictograms as strokes in the text colour on a 64 x 64 grid. Directions are the person's own, as in a mirror. */
import { s } from "./dom.js";

const path = (d, kind) => s("path", { d, class: kind });
const line = (...list) => list.map((d) => path(d));

const EYES = "M25 28v2.5M39 28v2.5", MOUTH = "M27 41.5q5 1.5 10 0";
const LIDS = "M22.5 29.5q2.5 2.5 5 0M36.5 29.5q2.5 2.5 5 0", SMILE = "M24 39.5q8 8.5 16 0";
const OPEN = "M32 37.5c3.5 0 5 2 5 4.5s-1.5 5-5 5-5-2.5-5-5 1.5-4.5 5-4.5z";
/** One shape, or two that alternate. */
const turns = (shape, other) => (other ? [path(shape, "first"), path(other, "second")] : path(shape));
const ARROWS = {
  left: "M13 22C7.5 26 7.5 38 13 42M13 42.5v-6M13 42.5H7",
  right: "M51 22c5.5 4 5.5 16 0 20M51 42.5v-6M51 42.5h6",
  up: "M32 12V3M32 3l-4 4M32 3l4 4",
  down: "M32 52v9M32 61l-4-4M32 61l4-4",
  tiltLeft: "M26 5Q14 7 8 17M8 17v-6.5M8 17l6-2",
  tiltRight: "M38 5q12 2 18 12M56 17v-6.5M56 17l-6-2",
  closer: "M10 16V9h7M54 16V9h-7M10 48v7h7M54 48v7h-7",
  back: "M17 8v7h-7M47 8v7h7M17 56v-7h-7M47 56v-7h7",
  still: "M9 22v20M55 22v20",
  toLeft: "M12 32H3M3 32l4-4M3 32l4 4",
  toRight: "M52 32h9M61 32l-4-4M61 32l-4 4",
};

/** A head; classes select the animation of its features or of the whole. */
function head({ eyes, mouth, arrow, move, whole }) {
  return [
    s("g", { class: whole },
      s("ellipse", { cx: 32, cy: 32, rx: 15.5, ry: 20 }),
      s("g", { class: move }, turns(EYES, eyes), turns(MOUTH, mouth), path("M32 31v4.5"))),
    arrow && path(ARROWS[arrow], "arrow"),
  ];
}

const card = () => s("rect", { x: 7, y: 15, width: 50, height: 34, rx: 5 });
const person = () => [s("circle", { cx: 20.5, cy: 27.5, r: 4.5 }), path("M13 41c0-5 3-7.5 7.5-7.5S28 36 28 41")];

const DRAWINGS = {
  "blink": () => head({ eyes: LIDS }),
  "turn-left": () => head({ arrow: "left", move: "to-left" }),
  "turn-right": () => head({ arrow: "right", move: "to-right" }),
  "look-up": () => head({ arrow: "up", move: "to-up" }),
  "look-down": () => head({ arrow: "down", move: "to-down" }),
  "tilt-left": () => head({ arrow: "tiltLeft", whole: "tilt-left" }),
  "tilt-right": () => head({ arrow: "tiltRight", whole: "tilt-right" }),
  "smile": () => head({ mouth: SMILE }),
  "open-mouth": () => head({ mouth: OPEN }),
  "move-closer": () => head({ arrow: "closer", whole: "grow" }),
  "move-back": () => head({ arrow: "back", whole: "shrink" }),
  "move-left": () => head({ arrow: "toLeft" }),
  "move-right": () => head({ arrow: "toRight" }),
  "hold-still": () => head({ arrow: "still" }),
  "face": () => head({}),
  "face-frame": () => [head({}), path("M7 18v-6q0-5 5-5h6M46 7h6q5 0 5 5v6M57 46v6q0 5-5 5h-6M18 57h-6q-5 0-5-5v-6")],
  "id-card": () => [card(), person(), line("M35 26h15M35 33h15M35 40h9")],
  "driving-licence": () => [card(), s("circle", { cx: 23, cy: 39, r: 3 }), s("circle", { cx: 41, cy: 39, r: 3 }),
    line("M20 39h-5v-5l5-2 4-8h13l6 8 6 2v5h-5M26 39h12M20 32h23")],
  "hold-phone": () => [s("g", { transform: "translate(6 2)" }, head({})), path("M62 32h26", "dashes"), path("M18 62q4-9 14-9h12q10 0 14 9"),
    s("rect", { x: 92, y: 12, width: 22, height: 40, rx: 4 }), line("M101 46h4")],
  "hold-document": () => [s("rect", { x: 40, y: 8, width: 48, height: 7, rx: 3 }), path("M64 21L44 48M64 21l20 27", "dashes"),
    s("rect", { x: 40, y: 51, width: 48, height: 4, rx: 1 }), line("M10 59h108")],
  "phone": () => [s("rect", { x: 19, y: 5, width: 26, height: 54, rx: 5 }), line("M29 51h6")],
  "sound": () => [path("M9 25h10l13-11v36L19 39H9z"), line("M41 24q7 8 0 16M48 17q13 15 0 30")],
  "code": () => [card(), line("M14 23v11M19.5 23v11M23.5 23v11M29.5 23v11M34 23v11M40.5 23v11M45 23v11M50 23v11M14 42h20")],
  "back": () => [card(), line("M13 23h20M13 29h13M12 37.5h40M12 43h40")],
  "passport": () => [s("rect", { x: 14, y: 6, width: 36, height: 52, rx: 5 }), s("circle", { cx: 32, cy: 27, r: 9 }),
    line("M23 27h18M32 18c-5 5.5-5 12.5 0 18M32 18c5 5.5 5 12.5 0 18M25 47h14")],
  "visa": () => [s("rect", { x: 7, y: 12, width: 50, height: 40, rx: 5 }), person(), line("M35 22h15M35 29h15M35 36h9M13 46h38")],
  "document": () => [path("M17 6h20l11 11v36q0 5-5 5H21q-5 0-5-5V7zM37 6v11h11"), line("M24 29h16M24 37h16M24 45h10")],
  "chip": () => [s("rect", { x: 9, y: 14, width: 46, height: 36, rx: 5 }), s("rect", { x: 22, y: 24, width: 20, height: 16, rx: 3 }),
    line("M9 32h13M42 32h13M32 24v16M22 32h5M37 32h5")],
  "file": () => [path("M17 6h20l11 11v36q0 5-5 5H21q-5 0-5-5V7zM37 6v11h11"), line("M32 48V30M25 36l7-7 7 7")],
  "camera": () => [path("M9 20h10l4-7h18l4 7h10q3 0 3 3v26q0 3-3 3H9q-3 0-3-3V23q0-3 3-3z"), s("circle", { cx: 32, cy: 35, r: 9 })],
  "no-camera": () => [DRAWINGS.camera(), path("M8 8l48 48", "strike")],
  "light": () => [s("circle", { cx: 32, cy: 32, r: 10 }), line("M32 6v8M32 50v8M6 32h8M50 32h8M13.5 13.5l6 6M44.5 44.5l6 6M13.5 50.5l6-6M44.5 19.5l6-6")],
  "glasses": () => [s("circle", { cx: 19, cy: 34, r: 10 }), s("circle", { cx: 45, cy: 34, r: 10 }), line("M29 33q3-3 6 0M9 31l5-10M55 31l-5-10")],
  "consent": () => [path("M17 6h30q4 0 4 4v44q0 4-4 4H17q-4 0-4-4V10q0-4 4-4z"), line("M22 20h20M22 28h20M22 44l4 4 8-9")],
  "done": () => [s("circle", { cx: 32, cy: 32, r: 25 }), path("M20.5 33l8 8 15.5-17", "draw")],
  "no": () => [s("circle", { cx: 32, cy: 32, r: 25 }), line("M23 23l18 18M41 23L23 41")],
  "unknown": () => [s("circle", { cx: 32, cy: 32, r: 25 }), line("M24.5 25.5c0-4.5 3.5-7 7.5-7s7.5 2.5 7.5 6.5c0 6-7.5 5.5-7.5 11.5M32 45v.5")],
  "warning": () => [path("M32 8q2 0 3 1.800l22 40q2 4.200-2.5 4.200h-45Q5 54 7 49.800l22-40Q30 8 32 8z"), line("M32 24v14M32 45.5v.5")],
  "clock": () => [s("circle", { cx: 32, cy: 32, r: 25 }), line("M32 17v15l10 7")],
  "pause": () => [s("circle", { cx: 32, cy: 32, r: 25 }), line("M25 22v20M39 22v20")],
  "lost": () => [line("M8 25q24-20 48 0M16 35q16-13 32 0M24 45q8-6 16 0M32 53v.5"), path("M8 8l48 48", "strike")],
  "lock": () => [s("rect", { x: 13, y: 27, width: 38, height: 29, rx: 5 }), path("M21 27v-7q0-11 11-11t11 11v7M32 38v7")],
};

export function pictogram(name, kind = "") {
  const draw = DRAWINGS[name] ?? DRAWINGS.face;
  return s("svg", { viewBox: `0 0 ${name.startsWith("hold-") && name !== "hold-still" ? 128 : 64} 64`, class: `pictogram ${kind}`, "aria-hidden": "true", focusable: "false" }, draw());
}

export const pictograms = Object.keys(DRAWINGS);
