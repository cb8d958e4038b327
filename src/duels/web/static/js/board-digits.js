// A large number that grows by its digits, what is said about it, and a keypad.

import { el, fill, mark } from "./dom.js";
import { newTile, showTile } from "./tile.js";
import { columnsOf, roving } from "./roving.js";
import { playerAt, takers } from "./words.js";

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
  pad.append(...Array.from({ length: 9 }, (_, index) => newTile(index + 1, press)));
  const keys = roving(
    pad,
    () => [...pad.children],
    () => columnsOf(pad),
  );
  let view = null;

  function press(digit) {
    if (view.active) onPlay(String(digit));
  }

  function show(next) {
    view = next;
    const taken = takers(view.moves);
    const legal = new Set(view.legal);
    for (const tile of pad.children) {
      const name = tile.dataset.number;
      const chosen = view.chosen?.includes(name);
      showTile(tile, view, {
        number: name,
        taker: taken.get(Number(name)) ?? 0,
        last: name === view.moves.at(-1),
        legal: view.active && view.showLegal && legal.has(name),
        grade: view.grades?.get(name),
        pending: name === view.pending,
        next: name === view.next,
        chosen,
        words: chosen ? "chosen" : "",
      });
    }
    keys.keepOneStop(pad.querySelector(".legal"));
    drawNumber();
  }

  function drawNumber() {
    const digits = view.moves.map((digit, ply) =>
      el(
        "span",
        { class: ply === view.moves.length - 1 ? "digit last" : "digit" },
        el("span", {}, digit),
        mark(playerAt(ply)),
      ),
    );
    fill(
      number,
      digits.length
        ? [
            el("span", { class: "unseen" }, view.board.number),
            el("span", { class: "digits", "aria-hidden": "true" }, digits),
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

  return { element, show, focus: () => pad.querySelector("[tabindex='0']")?.focus() };
}
