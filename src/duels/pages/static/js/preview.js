// A small drawing of each game in its real look, made of the same cells as the boards.

import { el, mark } from "./dom.js";
import { headlineOf, movesOf, readCells } from "./tile.js";

const MOST_CELLS = 20;
const MOST_MOVES = 5;

/** The position that the server has chosen to show a game. */
export const preview = ({ preview: position }) => drawing(position, MOST_CELLS);

/** Any position in small. */
export const drawing = (position, most = Infinity) =>
  el("div.preview", { "aria-hidden": "true" }, position.board.layout === "keypad" ? number(position) : cells(position, most));

function number({ board }) {
  return el("div.preview-number", headlineOf(board).content, el("div.preview-words", board.caption));
}

function cells({ board, legal }, most) {
  const all = readCells(board);
  const free = new Set([...movesOf(all, board.links, legal).values()].flat());
  const isTiles = board.layout === "tiles";
  const shown = all.slice(0, isTiles ? MOST_MOVES : most).map((cell, place) => cell && tile(cell, free.has(place)));
  const across = Math.min(5, ...board.rows.map((row) => row.length));
  const drawn = el("div", { class: isTiles ? "tiles" : `preview-${board.layout}` }, shown);
  if (!isTiles) {
    if (board.layout === "grid") drawn.style.setProperty("--across", String(board.rows[0].length > 9 ? across : board.rows[0].length));
    return drawn;
  }
  const head = headlineOf(board);
  return el(
    "div.preview-tiles.stack",
    el("div", { class: `state-words${head.isLong ? " long" : ""}` }, head.content),
    drawn,
  );
}

function tile({ text, by = 0, gone, last }, isLegal) {
  const look = by || gone ? `gone ${by ? `by-${by}` : ""}${last ? " last" : ""}` : isLegal ? "legal" : "";
  return el("span", { class: `tile ${look}` }, el("span.number", text), el("span.badge", by > 0 && mark(by)));
}
