/** The guide for the position of the face. It is only a guide: the server decides. */

/** The oval in a picture of W x H: 0.6 of the height, so that the head can turn without leaving the picture. */
export function oval(W, H) {
  const height = Math.min(0.6 * H, 0.97 * W);
  return { cx: W / 2, cy: 0.48 * H, width: height / 1.35, height };
}

/** Fraction of the picture's height that is always visible, around the oval's centre: room for hair, chin and turning.
*/
const SEEN = 0.85;

/** The position of a W x H picture that covers a cw x ch box; at least SEEN of its height stays visible. */
export function placed(W, H, cw, ch) {
  const scale = Math.min(Math.max(cw / W, ch / H), ch / (SEEN * H));
  const width = W * scale, height = H * scale;
  return { scale, width, height, x: (cw - width) / 2, y: Math.max(ch - height, Math.min(0, ch / 2 - 0.48 * height)) };
}

/** The oval in that box, horizontally centred, so that it is the same in a mirrored preview. */
export function onScreen(W, H, cw, ch) {
  const { scale, y } = placed(W, H, cw, ch), { cy, width, height } = oval(W, H);
  return { cx: cw / 2, cy: cy * scale + y, rx: Math.min((width * scale) / 2, cw * 0.46), ry: (height * scale) / 2 };
}

/** The oval moved to where the face should be to follow a path (`target` of the feedback), and the dot to point the nose at. */
export function towards(oval, target, width, isMirrored) {
  const side = isMirrored ? -1 : 1, { cx, cy, rx, ry } = oval;
  const moved = { cx: cx + side * target.x * width, cy, rx: rx * target.scale, ry: ry * target.scale };
  return { ...moved, dot: { cx: moved.cx + side * moved.rx * target.yaw / FULL_YAW, cy: cy + moved.ry * target.pitch / FULL_PITCH } };
}

/** The angles in degrees for which the dot is on the oval. */
const FULL_YAW = 26, FULL_PITCH = 20;

/** Whether a face is entirely inside the oval. `face` spans forehead, cheeks and chin, as fractions of the picture. */
export function contains(face, W, H) {
  const { cx, cy, width, height } = oval(W, H), { x, y } = face;
  const [left, middle, right] = [x, x + face.width / 2, x + face.width].map((at) => (at * W - cx) / (width / 2));
  const [top, centre, bottom] = [y, y + face.height / 2, y + face.height].map((at) => (at * H - cy) / (height / 2));
  return [[middle, top], [middle, bottom], [left, centre], [right, centre]].every(([across, down]) => across ** 2 + down ** 2 <= 1);
}

/** The guide for a document: ID-1 of ISO/IEC 7810 for plastic cards, ID-2 or ID-3 otherwise; all of it stays in the picture. */
export function pageOnScreen(variant, cw, ch) {
  const ratio = variant === "plastic" ? 85.6 / 53.98 : 125 / 88;
  const width = Math.min(cw * 0.9, ch * 0.82 * ratio);
  const height = width / ratio;
  return { x: (cw - width) / 2, y: (ch - height) / 2, width, height };
}

/** An ellipse that starts at its top, for a progress ring. */
export const ellipse = ({ cx, cy, rx, ry }) =>
  `M${cx} ${cy - ry}a${rx} ${ry} 0 1 1 0 ${2 * ry}a${rx} ${ry} 0 1 1 0 ${-2 * ry}z`;
