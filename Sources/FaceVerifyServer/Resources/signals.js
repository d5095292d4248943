/** A tone and a vibration for each accepted movement, if the person turns them on. */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
let audio = null;

export const isOn = () => audio !== null;

export function accept() {
  if (!audio) return;
  const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.2, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.25);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.25);
  if (!calm.matches) navigator.vibrate?.(60);
}

/** Browsers allow sound only after a click. */
export function toggle() {
  if (audio) audio.close();
  audio = audio ? null : new AudioContext();
  accept();
}
