// A small drawing of each game in its real look, made of the same tiles as the boards.

import { el, mark } from "./dom.js";
import { digitsOf } from "./tile.js";
import { numbersOf, takers } from "./words.js";

const DRAWINGS = { digits, grid: numbers, line: numbers };
const MOST_NUMBERS = 20;
const MOST_MOVES = 5;

/** The position that the server has chosen to show a game. */
export const preview = ({ preview: position }) => drawing(position, MOST_NUMBERS);

/** Any position in small. */
export const drawing = (position, most = Infinity) =>
  el(
    "div.preview",
    { "aria-hidden": "true" },
    (DRAWINGS[position.board.kind] ?? tiles)(position, most),
  );

function numbers({ board, moves, legal }, most) {
  const taken = takers(moves);
  const last = new Set(numbersOf(moves.at(-1) ?? ""));
  const free = new Set(legal.flatMap(numbersOf));
  return el(
    "div",
    { class: `preview-${board.kind}` },
    Array.from({ length: Math.min(board.count, most) }, (_, index) => {
      const number = index + 1;
      const by = taken.get(number);
      const look = by ? `gone by-${by}${last.has(number) ? " last" : ""}` : free.has(number) ? "legal" : "";
      return tile(number, look, by);
    }),
  );
}

function digits({ board, moves }) {
  return el(
    "div.preview-number",
    el("div.digits", digitsOf(moves)),
    el("div.preview-words", board.words),
  );
}

function tiles({ board, legal }) {
  return el(
    "div.preview-tiles.stack",
    el("div", { class: `state-words${board.words.length > 14 ? " long" : ""}` }, board.words),
    el("div.tiles", legal.slice(0, MOST_MOVES).map((move) => tile(move, "legal"))),
  );
}

const tile = (words, look, by = 0) =>
  el(
    "span",
    { class: `tile ${look}` },
    el("span.number", String(words)),
    el("span.badge", by > 0 && mark(by)),
  );
