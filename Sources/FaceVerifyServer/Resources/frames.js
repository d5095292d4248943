/** Pictures of the camera on their way to the server: one request at a time, which carries all since the last one. */
import * as api from "./api.js";

/** Bits of a frame's flags. */
export const HIDDEN = 1, DROPPED = 2;
const NO_LIGHT = 255;
/** More than this many wait only if the server is far too slow: the oldest go. */
const LONGEST_QUEUE = 24;

/** A batch: "FVF1", count, and for each frame number, seconds, light, flags, length and JPEG; all big-endian. */
export function pack(frames, first) {
  const size = frames.reduce((sum, frame) => sum + 18 + frame.jpeg.byteLength, 5);
  const bytes = new Uint8Array(size), data = new DataView(bytes.buffer);
  bytes.set([0x46, 0x56, 0x46, 0x31, frames.length]);
  let at = 5;
  frames.forEach((frame, index) => {
    data.setUint32(at, first + index);
    data.setFloat64(at + 4, frame.time);
    data.setUint8(at + 12, frame.light ?? NO_LIGHT);
    data.setUint8(at + 13, frame.flags);
    data.setUint32(at + 14, frame.jpeg.byteLength);
    bytes.set(new Uint8Array(frame.jpeg), at + 18);
    at += 18 + frame.jpeg.byteLength;
  });
  return bytes;
}

/** The size that frames are sent in: even, the short side no longer than asked for. */
export function scaled(width, height, shortSide) {
  const scale = Math.min(1, shortSide / Math.min(width, height));
  return [Math.round((width * scale) / 2) * 2, Math.round((height * scale) / 2) * 2];
}

/** What the time of a picture rests on, the best first. */
export const clockOf = (meta) => (meta?.captureTime ? "captureTime" : meta ? "presentationTime" : "performance.now");

/** Calls back for each new picture, until the answer is called. */
export function eachPicture(video, take) {
  let on = true;
  if ("requestVideoFrameCallback" in video) {
    const next = (now, meta) => on && (video.requestVideoFrameCallback(next), take(meta, now));
    video.requestVideoFrameCallback(next);
  } else {
    let last = -1;
    const next = (now) => {
      if (!on) return;
      requestAnimationFrame(next);
      if (video.currentTime !== last) take(null, now);
      last = video.currentTime;
    };
    requestAnimationFrame(next);
  }
  return () => (on = false);
}

export class FrameStream {
  /**
   * @param wanted  what the view says of frames: fps, quality, shortSide, maxBytes, maxBatch
   * @param light   () => index of the colour that is on the screen, or null
   * @param stamp   () => what `answer` is given back with the view that came for it
   * @param answer  (view, stamp) for each answer
   * @param failed  (error) once, when no answer came for too long, or the server refused
   */
  constructor(video, clock, { wanted, expectedSeq, light, stamp, answer, failed }) {
    Object.assign(this, { video, clock, wanted, light, stamp, answer, failed });
    this.seq = expectedSeq;
    this.queue = [];
    this.flags = 0;
    this.due = 0;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.cancel = eachPicture(video, (meta, now) => this.take(meta, now));
  }

  /** Nothing is sent any more, and no answer comes back. */
  stop() {
    this.cancel();
    this.stopped = true;
    this.queue = [];
  }

  async take(meta, now) {
    const { clock, video, wanted } = this;
    const time = clock === "performance.now" ? now : meta?.[clock];
    const interval = 1000 / wanted.fps;
    // Pictures come when they come: one that is 4 ms early is not left out for the next one.
    if (this.stopped || time === undefined || time + 4 < this.due || !video.videoWidth) return;
    if (this.encoding) return void (this.flags |= DROPPED);
    this.due = Math.max(this.due + interval, time + interval / 2);
    this.encoding = true;
    try {
      const [width, height] = scaled(video.videoWidth, video.videoHeight, wanted.shortSide);
      if (this.canvas.width !== width) this.canvas.width = width;
      if (this.canvas.height !== height) this.canvas.height = height;
      this.context.drawImage(video, 0, 0, width, height);
      const frame = { time: (performance.timeOrigin + time) / 1000, light: this.light() };
      let blob = await this.jpeg(wanted.quality);
      if (blob?.size > wanted.maxBytes) blob = await this.jpeg(0.85);
      if (!blob || blob.size > wanted.maxBytes) return void (this.flags |= DROPPED);
      frame.jpeg = await blob.arrayBuffer();
      frame.flags = this.flags;
      this.flags = 0;
      this.queue.push(frame);
      if (this.queue.length > LONGEST_QUEUE) {
        this.queue.shift();
        this.queue[0].flags |= DROPPED;
      }
      this.send();
    } finally {
      this.encoding = false;
    }
  }

  jpeg(quality) {
    return new Promise((done) => this.canvas.toBlob(done, "image/jpeg", quality));
  }

  async send() {
    if (this.sending || this.stopped) return;
    this.sending = true;
    while (this.queue.length && !this.stopped) {
      const batch = this.queue.splice(0, this.wanted.maxBatch), stamp = this.stamp();
      try {
        const view = await api.frames(pack(batch, this.seq));
        this.seq = view.expectedSeq ?? this.seq + batch.length;
        if (view.frames) this.wanted = view.frames;
        if (!this.stopped) this.answer(view, stamp);
      } catch (error) {
        const { problem } = error;
        if (error.status === 409 && problem.expectedSeq && problem.expectedSeq !== this.seq) {
          this.seq = problem.expectedSeq;
          this.flags |= DROPPED;
          continue;
        }
        if (!this.stopped) this.failed(error);
        break;
      }
    }
    this.sending = false;
  }
}
