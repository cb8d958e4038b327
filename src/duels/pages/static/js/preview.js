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
  const drawn = el("div", { class: isTiles ? "tiles" : `preview-${board.layout}` }, shown);
  if (!isTiles) {
    if (board.layout === "grid") drawn.style.setProperty("--across", String(acrossOf(board)));
    return drawn;
  }
  const head = headlineOf(board);
  return el(
    "div.preview-tiles.stack",
    el("div", { class: `state-words${head.isLong ? " long" : ""}` }, head.content),
    drawn,
  );
}

/** Columns of a small drawing: the board's own if it has several short rows, five if it is only a list of numbers. */
const acrossOf = ({ rows }) => (rows.length > 1 && rows[0].length <= 8 ? rows[0].length : 5);

function tile({ text, by = 0, gone, last }, isLegal) {
  const look = by || gone ? `gone ${by ? `by-${by}` : ""}${last ? " last" : ""}` : isLegal ? "legal" : "";
  return el("span", { class: `tile ${look}` }, el("span.number", text), el("span.badge", by > 0 && mark(by)));
}
