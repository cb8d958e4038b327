// Numbers in a grid, ten wide on every screen.

import { el } from "./dom.js";
import { newTiles, showNumbers } from "./tile.js";
import { roving } from "./roving.js";

const WIDE = 10;

export function gridBoard(onPlay) {
  const element = el("div.board.grid", { role: "group", "aria-label": "Board" });
  const keys = roving(element);

  function show(view) {
    build(view.board.count);
    showNumbers(element.children, view);
    keys.keepOneStop(element.querySelector(".legal"));
  }

  function build(numbers) {
    if (element.childElementCount === numbers) return;
    element.style.setProperty("--across", Math.min(WIDE, numbers));
    element.style.setProperty("--down", Math.min(WIDE, Math.ceil(numbers / WIDE))); // of which a screen has the whole
    element.replaceChildren(...newTiles(numbers, onPlay));
  }

  return { element, show, focus: keys.focus };
}
