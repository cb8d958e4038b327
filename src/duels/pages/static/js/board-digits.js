// A large number that grows by its digits, what is said about it, and a keypad.

import { el, fill, hasModifier } from "./dom.js";
import { digitsOf, newTiles, showNumbers } from "./tile.js";
import { roving } from "./roving.js";

export function digitsBoard(onPlay) {
  const number = el("p.growing");
  const check = el("p.remainder");
  const pad = el("div.pad", { role: "group", "aria-label": "Digits" });
  const element = el("div.board.digits-board", el("div.display.stack", number, check), pad);
  pad.append(...newTiles(9, onPlay));
  const keys = roving(pad);

  function show(view) {
    showNumbers(pad.children, view);
    keys.keepOneStop(pad.querySelector(".legal"));
    fill(
      number,
      view.moves.length
        ? [
            el("span.unseen", view.board.number),
            el("span.digits", { "aria-hidden": "true" }, digitsOf(view.moves)),
          ]
        : el("span.none", "–"),
    );
    fill(check, el("span", view.board.words));
  }

  pad.addEventListener("keydown", (event) => {
    if (/^[1-9]$/.test(event.key) && !hasModifier(event)) {
      event.preventDefault();
      event.stopPropagation();
      pad.querySelector(`[data-number="${event.key}"]`).click();
    }
  });

  return { element, show, focus: keys.focus };
}
