/** The upload of camera frames: one request at a time, with all frames captured since the previous one. */
import * as api from "./api.js";

/** Flag bits of a frame. */
export const HIDDEN = 1, DROPPED = 2;
const NO_LIGHT = 255;
/** Maximum queue length, reached only if the server is far too slow: the oldest frames are dropped. */
const LONGEST_QUEUE = 24;

/** Encodes a batch: "FVF1", count, and for each frame number, seconds, light, flags, length and JPEG; all big-endian.
*/
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

/** The size of the frames to send: even, with at most `shortSide` on the shorter side. */
export function scaled(width, height, shortSide) {
  const scale = Math.min(1, shortSide / Math.min(width, height));
  return [Math.round((width * scale) / 2) * 2, Math.round((height * scale) / 2) * 2];
}

/** The most precise clock that the frame metadata provide. */
export const clockOf = (meta) => (meta?.captureTime ? "captureTime" : meta ? "presentationTime" : "performance.now");

/** Calls `take` for each new frame. Returns a function that stops it. */
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
   * @param wanted  `frames` of the view: fps, quality, shortSide, maxBytes, maxBatch
   * @param light   () => index of the colour on the screen, or null
   * @param stamp   () => value passed to `answer` with the response to the batch
   * @param answer  (view, stamp), called for each response
   * @param failed  (error), called once, on a timeout or a refusal
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

  /** Stops sending; `answer` is not called any more. */
  stop() {
    this.cancel();
    this.stopped = true;
    this.queue = [];
  }

  async take(meta, now) {
    const { clock, video, wanted } = this;
    const time = clock === "performance.now" ? now : meta?.[clock];
    const interval = 1000 / wanted.fps;
    // Tolerates jitter: a frame up to 4 ms early is not skipped.
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
