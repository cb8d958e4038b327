// One move on a board: what it looks like and what it is called, the same on all boards.

import { el, mark, set } from "./dom.js";
import { LOSING, playerAt, takers, WINNING } from "./words.js";

/** A tile with room for a move, as it is written, and a mark; `onPress(move)` while the board is active. */
export function newTile(move, onPress) {
  const tile = el(
    "button",
    { type: "button", class: move.length > 2 ? "tile long" : "tile", "data-number": move },
    el("span.number", move),
    el("span.badge", { "aria-hidden": "true" }),
  );
  tile.addEventListener("click", () => tile.ariaDisabled !== "true" && onPress(move));
  return tile;
}

/** The tiles 1, 2, 3 … */
export const newTiles = (count, onPress) =>
  Array.from({ length: count }, (_, index) => newTile(String(index + 1), onPress));

/** Show tiles of numbers, each of which is a move. */
export function showNumbers(tiles, view) {
  const taken = takers(view.moves);
  const legal = new Set(view.legal);
  for (const tile of tiles) {
    const { number } = tile.dataset;
    const chosen = view.chosen?.includes(number);
    showTile(tile, view, {
      number,
      taker: taken.get(Number(number)) ?? 0,
      last: number === view.moves.at(-1),
      legal: view.active && view.showLegal && legal.has(number),
      grade: view.grades?.get(number),
      pending: number === view.pending,
      next: number === view.next,
      chosen,
      words: chosen ? "chosen" : "",
    });
  }
}

/**
 * Show a tile. `facts`: number, taker (player or 0), last, legal (as far as it is shown), grade ("win",
 * "lose" or nothing), pending, chosen, words (something to add to its name).
 */
export function showTile(tile, view, facts) {
  const { taker, last, legal, grade, pending, chosen } = facts;
  const looks = {
    gone: taker,
    "by-1": taker === 1,
    "by-2": taker === 2,
    last,
    legal: legal && !taker,
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

/** Each digit over the mark of who added it, the newest underlined. */
export const digitsOf = (moves) =>
  moves.map((digit, ply) =>
    el(
      "span",
      { class: ply === moves.length - 1 ? "digit last" : "digit" },
      el("span", digit),
      mark(playerAt(ply)),
    ),
  );
