// Sounds, what the screen allows, and the short pause that makes the other player's move noticeable.

import { loadItem, saveItem } from "./storage.js";

let audio = null;

export const isSoundOn = () => loadItem("sound", false);

export function setSound(on) {
  saveItem("sound", on);
  if (on) playSound("move-1");
}

/** Sounds by name: notes of a frequency in Hz, each with its start and length in seconds. */
const SOUNDS = {
  "move-1": [[587, 0, 0.16]],
  "move-2": [[440, 0, 0.16]],
  illegal: [
    [165, 0, 0.09],
    [165, 0.13, 0.09],
  ],
  win: [
    [523, 0, 0.18],
    [659, 0.13, 0.18],
    [784, 0.26, 0.18],
    [1047, 0.39, 0.45],
  ],
  loss: [
    [392, 0, 0.22],
    [330, 0.2, 0.22],
    [262, 0.4, 0.5],
  ],
};
const LOUDNESS = 0.12;

/** Play a sound if the player wants any. */
export function playSound(name) {
  if (!isSoundOn()) return;
  try {
    audio ??= new AudioContext();
    for (const [frequency, start, length] of SOUNDS[name]) playNote(audio, frequency, audio.currentTime + start, length);
  } catch {
    // No sound on this device.
  }
}

function playNote(context, frequency, start, length) {
  const [wave, gain] = [context.createOscillator(), context.createGain()];
  wave.type = "triangle";
  wave.frequency.value = frequency;
  gain.gain.setValueAtTime(LOUDNESS, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  wave.connect(gain).connect(context.destination);
  wave.start(start);
  wave.stop(start + length);
}

const REPLY_DELAY = 500;
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** Whether there is a column next to the board, as in the style sheets. */
export const wideScreen = matchMedia("(min-width: 901px)");

/** How long a move is shown before the reply; not at all with reduced motion. */
const replyDelay = () => (reducedMotion.matches ? 0 : REPLY_DELAY);

export const pauseForMove = () => new Promise((resolve) => setTimeout(resolve, replyDelay()));

/** Passes states on to `onState`: only the newest, and none before a pause is over. */
export function pacedStates(onState) {
  let pendingState = null;
  let earliest = 0;

  function push(state) {
    if (pendingState && state.version < pendingState.version) return;
    const wait = earliest - performance.now();
    if (wait <= 0) return onState(state);
    if (!pendingState) setTimeout(deliver, wait);
    pendingState = state;
  }

  function deliver() {
    const state = pendingState;
    pendingState = null;
    onState(state);
  }

  /** Pause if the computer moves next. */
  function pauseBeforeReply({ players, to_move: mover }) {
    if (players[mover - 1]?.kind === "computer") earliest = performance.now() + replyDelay();
  }

  return { push, pauseBeforeReply };
}
