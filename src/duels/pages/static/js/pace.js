// A computer's answer comes after half a second, so that one sees one's own move and then the answer.

const ANSWER_AFTER = 500;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** How long a move is to be seen; for those who want no motion, not at all. */
const pause = () => (calm.matches ? 0 : ANSWER_AFTER);
export const seen = () => new Promise((resolve) => setTimeout(resolve, pause()));

/** Hands states on to `take`, the newest alone, and none before a pause is over. */
export function paced(take) {
  let held = null;
  let next = 0;

  function give(state) {
    if (held && state.version < held.version) return;
    const wait = next - performance.now();
    if (wait <= 0) return take(state);
    if (!held) setTimeout(release, wait);
    held = state;
  }

  function release() {
    const state = held;
    held = null;
    take(state);
  }

  /** After a move that a computer answers. */
  function pauseFor({ players, to_move: mover }) {
    if (players[mover - 1]?.kind === "computer") next = performance.now() + pause();
  }

  return { give, pauseFor };
}
