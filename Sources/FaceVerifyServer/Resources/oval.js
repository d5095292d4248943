/** Where a face should be: a guide alone, what counts is what the server says. */

/** The oval in a picture of W x H: 0.6 of the height, so that the head can turn without leaving the picture. */
export function oval(W, H) {
  const height = Math.min(0.6 * H, 0.97 * W);
  return { cx: W / 2, cy: 0.48 * H, width: height / 1.35, height };
}

/** The same on a screen of cw x ch that the picture covers (object-fit: cover). */
export function onScreen(W, H, cw, ch, mirrored) {
  const scale = Math.max(cw / W, ch / H);
  const { cx, cy, width, height } = oval(W, H);
  const x = cx * scale + (cw - W * scale) / 2;
  return {
    cx: mirrored ? cw - x : x,
    cy: cy * scale + (ch - H * scale) / 2,
    rx: Math.min((width * scale) / 2, cw * 0.46),
    ry: Math.min((height * scale) / 2, ch * 0.48),
  };
}

/** The frame for a page: sizes of ISO/IEC 7810, ID-1 for cards, ID-3 for all else; the whole of it stays in the picture. */
export function pageOnScreen(type, cw, ch) {
  const ratio = ["id-card", "driving-licence"].includes(type) ? 85.6 / 53.98 : 125 / 88;
  const width = Math.min(cw * 0.9, ch * 0.82 * ratio);
  const height = width / ratio;
  return { x: (cw - width) / 2, y: (ch - height) / 2, width, height };
}

/** An ellipse that begins at its top, for progress along it. */
export const ellipse = ({ cx, cy, rx, ry }) =>
  `M${cx} ${cy - ry}a${rx} ${ry} 0 1 1 0 ${2 * ry}a${rx} ${ry} 0 1 1 0 ${-2 * ry}z`;
