// A short soft tone when somebody else has moved. Off until it is switched on.

import { remember, remembered } from "./memory.js";

let context = null;

export const soundIsOn = () => remembered("sound", false);

export function switchSound(on) {
  remember("sound", on);
  if (on) tone();
}

export function tone() {
  if (!soundIsOn()) return;
  try {
    context ??= new AudioContext();
    const [wave, gain] = [context.createOscillator(), context.createGain()];
    wave.frequency.value = 523;
    gain.gain.setValueAtTime(0.12, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.25);
    wave.connect(gain).connect(context.destination);
    wave.start();
    wave.stop(context.currentTime + 0.25);
  } catch {
    // No sound on this device.
  }
}
