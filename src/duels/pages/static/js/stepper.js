// Buttons that walk through the moves of a game.

import { button, el, hasModifier, set } from "./dom.js";

/** `go(step)` when one is pressed; `show(here, end, words)` says where one is; `onKey` lets keys do the same. */
export function stepper(go, first, last) {
  let [at, count] = [0, 0];
  const where = el("span.where");
  const back = [button(first, () => go(0), "small"), button("◀ Back", () => go(at - 1), "small")];
  const on = [button("Next ▶", () => go(at + 1), "small"), button(last, () => go(count), "small")];

  function show(here, end, words) {
    [at, count] = [here, end];
    where.textContent = words;
    // Never `disabled`: a button that loses the focus under the finger breaks the keyboard.
    for (const control of back) set(control, "aria-disabled", String(here === 0));
    for (const control of on) set(control, "aria-disabled", String(here === end));
  }

  function onKey(event) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count }[event.key];
    const isTaken = hasModifier(event) || event.target.closest?.("input, select, textarea, summary");
    if (to === undefined || isTaken) return;
    event.preventDefault();
    go(to);
  }

  return { element: el("div.stepper.row.center", back, where, on), show, onKey };
}
