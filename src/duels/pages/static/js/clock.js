// The clock of a turn. The server keeps the time; the page only counts down what it was told.

import { say } from "./dom.js";

const WARNING = 10;

/** When a turn's time is called low: ten seconds, of a short turn the last third; never of a moment. */
const lowTime = (limit) => (limit < 3 ? 0 : Math.min(WARNING, Math.ceil(limit / 3)));

/** Shows the time left of whoever moves in `places[player - 1]`; `onLow(seconds)` once a turn. */
export function clock(places, onLow) {
  let state = null;
  let ahead = 0;
  let warned = -1;

  function show(next) {
    if (next !== state && next.clock) ahead = next.clock.now - performance.now(); // else it is no news
    state = next;
    draw();
  }

  function draw() {
    places.forEach((place, index) => {
      place.hidden = !state?.clock || Boolean(state.outcome);
      if (place.hidden) return;
      const mine = state.to_move === index + 1;
      const left = mine ? secondsLeft() : state.clock.limit;
      const low = mine && left <= lowTime(state.clock.limit);
      say(place, clockFace(left));
      place.classList.toggle("running", mine);
      place.classList.toggle("urgent", low);
      if (low && left > 0 && warned !== state.ply) {
        warned = state.ply;
        onLow(Math.ceil(left));
      }
    });
  }

  function secondsLeft() {
    const { deadline, limit } = state.clock;
    if (!deadline) return limit;
    return Math.max(0, (deadline - performance.now() - ahead) / 1000);
  }

  setInterval(() => state?.clock && draw(), 200);
  return { show };
}

/** "0:09", "1:30". */
function clockFace(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
