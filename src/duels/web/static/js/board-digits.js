// A large number that grows by its digits, what is said about it, and a keypad.

import { el, fill } from "./dom.js";
import { digitsOf, newTiles, showNumbers } from "./tile.js";
import { roving } from "./roving.js";

export function digitsBoard(onPlay) {
  const number = el("p", { class: "growing" });
  const check = el("p", { class: "remainder" });
  const pad = el("div", { class: "pad", role: "group", "aria-label": "Digits" });
  const element = el(
    "div",
    { class: "board digits-board" },
    el("div", { class: "display" }, number, check),
    pad,
  );
  pad.append(...newTiles(9, press));
  const keys = roving(pad);
  let view = null;

  function press(digit) {
    if (view.active) onPlay(String(digit));
  }

  function show(next) {
    view = next;
    showNumbers(pad.children, view);
    keys.keepOneStop(pad.querySelector(".legal"));
    drawNumber();
  }

  function drawNumber() {
    fill(
      number,
      view.moves.length
        ? [
            el("span", { class: "unseen" }, view.board.number),
            el("span", { class: "digits", "aria-hidden": "true" }, digitsOf(view.moves)),
          ]
        : el("span", { class: "none" }, "–"),
    );
    fill(check, el("span", {}, view.board.words));
  }

  pad.addEventListener("keydown", (event) => {
    if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      press(event.key);
    }
  });

  return { element, show, focus: keys.focus };
}
