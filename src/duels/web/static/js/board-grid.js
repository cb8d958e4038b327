// Numbers in a grid, ten wide on every screen.

import { el } from "./dom.js";
import { newTile, showTile } from "./tile.js";
import { columnsOf, roving } from "./roving.js";
import { takers } from "./words.js";

const WIDE = 10;

export function gridBoard(onPlay) {
  const element = el("div", { class: "board grid", role: "group", "aria-label": "Board" });
  const keys = roving(
    element,
    () => [...element.children],
    () => columnsOf(element),
  );
  let view = null;

  function press(number) {
    if (view.active) onPlay(String(number));
  }

  function show(next) {
    view = next;
    build(view.board.count);
    const taken = takers(view.moves);
    const legal = new Set(view.legal);
    const last = view.moves.at(-1);
    for (const tile of element.children) {
      const name = tile.dataset.number;
      const chosen = view.chosen?.includes(name);
      showTile(tile, view, {
        number: name,
        taker: taken.get(Number(name)) ?? 0,
        last: name === last,
        legal: view.active && view.showLegal && legal.has(name),
        grade: view.grades?.get(name),
        pending: name === view.pending,
        next: name === view.next,
        chosen,
        words: chosen ? "chosen" : "",
      });
    }
    keys.keepOneStop(element.querySelector(".legal"));
  }

  function build(numbers) {
    if (element.childElementCount === numbers) return;
    element.style.setProperty("--across", Math.min(WIDE, numbers));
    element.style.setProperty("--down", Math.min(WIDE, Math.ceil(numbers / WIDE))); // of which a screen has the whole
    element.replaceChildren(...Array.from({ length: numbers }, (_, index) => newTile(index + 1, press)));
  }

  return { element, show, focus: () => element.querySelector("[tabindex='0']")?.focus() };
}
