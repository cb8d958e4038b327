// Words and small readings of a state that more than one page needs. No rule lives here.

import { address } from "./root.js";

export const WINNING = "★";
export const LOSING = "✕";

/** The marks of moves in a review, by their kinds. */
export const KIND_MARKS = {
  kept: WINNING,
  took: WINNING,
  "gave-away": LOSING,
  "lost-at-once": LOSING,
  "lost-sooner": LOSING,
};

/** The numbers of a move as it is written: "28" or "5-6". */
export const numbersOf = (move) => move.split("-").map(Number);

/** What the server says over the board to somebody with these seats: {status, why}. */
export const saidTo = (state, you) => (you.length === 1 ? state.seen_by[you[0] - 1] : state);

/** Who made the move after so many others. */
export const playerAt = (ply) => 1 + (ply % 2);

/** Who took each number that is gone: a map from number to player. */
export function takers(moves) {
  const taken = new Map();
  moves.forEach((move, ply) => numbersOf(move).forEach((number) => taken.set(number, playerAt(ply))));
  return taken;
}

/** What the server's verdict says about each move: "win" or "lose". */
export function gradesOf({ position, winning }) {
  const wins = new Set(winning);
  return new Map(position.legal.map((move) => [move, wins.has(move) ? "win" : "lose"]));
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** Games, to choose one of them. */
export const gameItems = (games) => games.map(({ game, title }) => ({ value: game, label: title }));

/** The first letter large, as a sentence begins. */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The address of a position on the analysis board. */
export const analysisAddress = (...position) => address(`/analysis?${queryOf(...position)}`);

/** The path of the picture of that position. */
export const picturePath = (...position) => `api/picture.svg?${queryOf(...position)}`;

function queryOf(game, options, moves) {
  const query = new URLSearchParams({ game });
  for (const [name, value] of Object.entries(options)) query.set(name, value);
  if (moves.length) query.set("moves", moves.join("."));
  return String(query).replaceAll("%2C", ",");
}

export const plural = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

/** An address as one types it. */
export const shortly = (link) => link.replace(/^\w+:\/\//, "");
