// Buttons that walk through the moves of a game.

import { button, el } from "./dom.js";

/** `go(step)` when one is pressed; `show(here, end, words)` says where one is. */
export function stepper(go, first, last) {
  let [at, count] = [0, 0];
  const where = el("span", { class: "where" });
  const back = [button(first, () => go(0), "small"), button("◀ Back", () => go(at - 1), "small")];
  const on = [button("Next ▶", () => go(at + 1), "small"), button(last, () => go(count), "small")];

  function show(here, end, words) {
    [at, count] = [here, end];
    where.textContent = words;
    // Never `disabled`: a button that loses the focus under the finger breaks the keyboard.
    for (const control of back) control.setAttribute("aria-disabled", String(here === 0));
    for (const control of on) control.setAttribute("aria-disabled", String(here === end));
  }

  return { element: el("div", { class: "row stepper" }, back, where, on), show };
}
