// One move on a board: what it looks like and what it is called, the same on all boards.

import { el, mark, set } from "./dom.js";
import { LOSING, WINNING } from "./words.js";

const LONG = 14;

/** A tile with room for a text and a mark; `move` is what it plays, as it is written. */
export const newTile = (text, move) =>
  el(
    "button",
    { type: "button", class: text.length > 2 ? "tile long" : "tile", "data-number": move },
    el("span.number", text),
    el("span.badge", { "aria-hidden": "true" }),
  );

/** The cells of a board in one list; null is an empty place. A cell that is a text is also the move of that name. */
export const readCells = ({ rows }) =>
  rows.flat().map((cell) => (typeof cell === "string" ? { text: cell, move: cell } : cell && withMove(cell)));

const withMove = (cell) => ({ ...cell, move: cell.move === undefined ? cell.text : cell.move });

/** By legal move: the numbers of the cells that play it. */
export function movesOf(cells, links, legal) {
  const places = new Map(links.filter(({ move }) => move).map((link) => [link.move, link.cells]));
  cells.forEach((cell, number) => cell?.move && places.set(cell.move, [number]));
  return new Map(legal.filter((move) => places.has(move)).map((move) => [move, places.get(move)]));
}

/** What is large above the cells: digits with the marks of the players who added them, or words. */
export function headlineOf({ headline }) {
  const text = headline.map((cell) => cell.text).join("");
  const isWords = !headline.some(({ by }) => by);
  const digits = el("span.digits", { "aria-hidden": "true" }, headline.map(digitOf));
  return { text, isWords, isLong: text.length > LONG, content: isWords ? text : [el("span.unseen", text), digits] };
}

const digitOf = ({ text, by, last }) => el("span", { class: last ? "digit last" : "digit" }, el("span", text), mark(by));

/**
 * Show a tile. `facts`: number, taker (player or 0), gone, last, legal (as far as it is shown), grade ("win",
 * "lose" or nothing), pending, chosen, words (something to add to its name).
 */
export function showTile(tile, view, facts) {
  const { taker, last, legal, grade, pending, chosen } = facts;
  const looks = {
    gone: taker || facts.gone,
    "by-1": taker === 1,
    "by-2": taker === 2,
    last,
    legal: legal && !taker && !facts.gone,
    win: grade === "win",
    lose: grade === "lose",
    pending,
    chosen,
    next: facts.next,
  };
  for (const [name, on] of Object.entries(looks)) tile.classList.toggle(name, Boolean(on));
  const sign = grade === "win" ? WINNING : grade === "lose" ? LOSING : "";
  const badge = tile.lastElementChild;
  const shown = `${taker}${sign}`;
  if (badge.dataset.shown !== shown) {
    badge.dataset.shown = shown;
    badge.replaceChildren(...(taker ? [mark(taker)] : sign ? [sign] : []));
  }
  set(tile, "aria-label", [facts.number, ...wordsFor(view, facts)].join(", "));
  set(tile, "aria-disabled", view.active ? null : "true");
}

function wordsFor(view, { taker, last, legal, grade, pending, next, words }) {
  const said = [];
  if (taker) said.push(`${view.verb.done} ${view.names[taker - 1]}`);
  if (last) said.push("last move");
  if (pending) said.push("being sent");
  if (grade === "win") said.push("wins");
  else if (grade === "lose") said.push("loses");
  else if (legal && !taker) said.push("can be played");
  if (next) said.push("played next");
  if (words) said.push(words);
  return said;
}
