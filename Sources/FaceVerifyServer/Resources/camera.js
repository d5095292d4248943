/** The camera: on only while its preview is shown. */
import { clockOf, eachPicture } from "./frames.js";

/** Seconds within which an opened camera must deliver its first frame. */
const FIRST_PICTURE = 8;

/** Maps an error of getUserMedia to the reason why there is no camera. */
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

/** In an insecure context mediaDevices is undefined, without an error. */
export const isSupported = () => Boolean(globalThis.isSecureContext && navigator.mediaDevices?.getUserMedia);

const remembered = {};

export class Camera {
  track = null;
  facing = null;
  clock = null;
  attempt = 0;

  /** @param ended called when the camera ends unexpectedly. */
  constructor(video, ended) {
    this.video = video;
    this.ended = ended;
    // iOS pauses a video when another medium plays.
    video.addEventListener("pause", () => {
      if (this.track?.readyState === "live") {
        video.srcObject = this.stream;
        video.play().catch(() => {});
      }
    });
  }

  get isOn() { return this.track?.readyState === "live"; }

  /** Opens the camera and waits for its first frame. Returns null if closed meanwhile; throws getUserMedia's errors. */
  async open(facing, deviceId = remembered[facing]) {
    this.close(); // First: on some phones, opening a second camera ends the first.
    const attempt = this.attempt;
    if (!isSupported()) throw Object.assign(new Error("no camera API"), { name: "SecurityError" });
    const size = facing === "user" ? { width: { ideal: 1280 }, height: { ideal: 960 }, frameRate: { ideal: 30 } }
      : { width: { ideal: 1920 }, height: { ideal: 1080 } };
    // Only a camera chosen by the person is a hard constraint, because ideal sizes would override it; it may be gone,
    // though.
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
    // A track may be muted briefly; one that remains muted was taken away.
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

  /** The camera properties sent to the server. */
  facts() {
    const { width, height, frameRate, facingMode, deviceId } = this.track.getSettings();
    const ids = this.devices.map((device) => device.deviceId);
    return {
      label: this.track.label, facingMode: facingMode ?? null, width: width ?? this.video.videoWidth,
      height: height ?? this.video.videoHeight, frameRate: frameRate ?? null, devices: ids.length,
      // Tracks that a program makes claim a device that is not listed. Ids stay in the page.
      isListed: deviceId && ids.some(Boolean) ? ids.includes(deviceId) : null,
    };
  }

  /** The preview of a front camera is mirrored, unless its settings say that it faces away; frames never are. */
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
