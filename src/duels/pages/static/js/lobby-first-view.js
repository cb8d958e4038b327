// The first view of the lobby: rows are reserved for the player's open games before the page is painted, so that
// nothing moves when they are listed.

import { el, fill } from "./lib/dom.js";
import { loadItems } from "./lib/storage.js";

const MAX_ROWS = 8; // as many games as lobby-page.js lists
const section = /** @type {HTMLElement} */ (document.querySelector(".own"));
const seats = loadItems("seat.").filter(([, { token, over }]) => token && !over);

section.hidden = !seats.length;
fill(section.querySelector("ul"), seats.slice(0, MAX_ROWS).map(emptyRow));

function emptyRow() {
  const players = [el("span.marked", "…"), " – ", el("span.marked", "…")];
  return el("li", el("span.match-row", el("span.match-title", "…"), el("span", players), el("span", "…")));
}
