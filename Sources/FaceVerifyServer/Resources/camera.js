/** The camera: on only while its picture is shown. */
import { clockOf, eachPicture } from "./frames.js";

/** Seconds in which a camera that was opened must give its first picture. */
const FIRST_PICTURE = 8;

/** Why there is no camera. */
export function reason(error) {
  switch (error?.name) {
    case "NotAllowedError": return "denied";
    case "NotFoundError": return "none";
    case "NotReadableError":
    case "AbortError": return "busy";
    case "TimeoutError": return "silent";
    default: return "unsupported";
  }
}

/** Without a secure context there is no mediaDevices at all: no error, a missing object. */
export const isSupported = () => Boolean(globalThis.isSecureContext && navigator.mediaDevices?.getUserMedia);

const remembered = {};

export class Camera {
  track = null;
  facing = null;
  clock = null;
  attempt = 0;

  /** @param ended called when the camera goes away without our doing. */
  constructor(video, ended) {
    this.video = video;
    this.ended = ended;
    // iOS pauses a video when something else plays.
    video.addEventListener("pause", () => {
      if (this.track?.readyState === "live") {
        video.srcObject = this.stream;
        video.play().catch(() => {});
      }
    });
  }

  get isOn() { return this.track?.readyState === "live"; }

  /** Opens the camera and waits for its first picture. Throws what getUserMedia throws; null: closed meanwhile. */
  async open(facing, deviceId = remembered[facing]) {
    this.close(); // Before the next one: on some phones a second camera ends the first.
    const attempt = this.attempt;
    if (!isSupported()) throw Object.assign(new Error("no camera API"), { name: "SecurityError" });
    const size = facing === "user" ? { width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 30 } }
      : { width: { ideal: 1920 }, height: { ideal: 1080 } };
    // All is a wish but the camera that the person chose, against which wishes of size would win; it may be gone, though.
    const video = { ...size, ...(deviceId ? { deviceId: { exact: deviceId } } : { facingMode: facing }) };
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    } catch (error) {
      if (attempt !== this.attempt) return null;
      if (error.name !== "OverconstrainedError") throw error;
      if (deviceId) return this.open(facing, null);
      stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: false });
    }
    const track = stream.getVideoTracks()[0];
    if (attempt !== this.attempt) {
      track.stop();
      return null;
    }
    Object.assign(this, { track, facing, stream });
    const gone = () => track === this.track && (this.close(), this.ended());
    track.addEventListener("ended", gone);
    // A track may be mute for a moment; one that stays so was taken away.
    let mute;
    track.addEventListener("mute", () => (mute = setTimeout(() => track.muted && gone(), 1500)));
    track.addEventListener("unmute", () => clearTimeout(mute));
    this.video.srcObject = stream;
    this.video.play().catch(() => {});
    const meta = await this.firstPicture();
    if (attempt !== this.attempt) return null;
    this.clock = clockOf(meta);
    const settings = track.getSettings();
    if (settings.deviceId) remembered[facing] = settings.deviceId;
    this.devices = await this.list();
    return attempt === this.attempt ? this.facts() : null;
  }

  firstPicture() {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        cancel();
        fail(Object.assign(new Error("no picture"), { name: "TimeoutError" }));
      }, FIRST_PICTURE * 1000);
      const cancel = eachPicture(this.video, (meta) => {
        cancel();
        clearTimeout(timer);
        done(meta);
      });
    });
  }

  async list() {
    try {
      return (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
    } catch {
      return [];
    }
  }

  /** What the server is told. */
  facts() {
    const { width, height, frameRate, facingMode } = this.track.getSettings();
    return {
      label: this.track.label, facingMode: facingMode ?? null, width: width ?? this.video.videoWidth,
      height: height ?? this.video.videoHeight, frameRate: frameRate ?? null, devices: this.devices.length,
    };
  }

  /** A face is shown as in a mirror, unless the camera says that it looks the other way; frames are never mirrored. */
  get isMirrored() {
    return this.facing === "user" && this.track?.getSettings().facingMode !== "environment";
  }

  get deviceId() { return this.track?.getSettings().deviceId; }

  get hasTorch() {
    try {
      return Boolean(this.track?.getCapabilities?.().torch);
    } catch {
      return false;
    }
  }

  async torch(isOn) {
    await this.track?.applyConstraints({ advanced: [{ torch: isOn }] }).catch(() => {});
  }

  close() {
    this.attempt += 1;
    this.track?.stop();
    this.track = null;
    this.stream = null;
    this.video.srcObject = null;
  }
}
