// How players, moves and counts are written. No rule of a game is known here. A sentence is one whole template, in
// which values are filled in by name: fragments are never glued together.

import { el } from "./dom.js";

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

/** The numbers of a written move: "28" or "5-6". */
export const numbersOf = (move) => move.split("-").map(Number);

/** The status for these seats, as the server words it: {status, why}. */
export const statusFor = (state, you) => (you.length === 1 ? state.seen_by[you[0] - 1] : state);

/** The end of a match for these seats, from its review: {turning_point, challenge, lines, moves}. */
export const endFor = (review, you) => (you.length === 1 ? review.seen_by[you[0] - 1] : review.end);

/** The player who makes the move at a ply. */
export const playerAt = (ply) => 1 + (ply % 2);

/** The grade of each legal move, from the server's verdict: "win" or "lose". */
export function gradesOf({ position, winning }) {
  const wins = new Set(winning);
  return new Map(position.legal.map((move) => [move, wins.has(move) ? "win" : "lose"]));
}

/** The mark of a player; it is drawn, so that it looks the same in every font. */
export const playerMark = (player) => el("i", { class: `mark mark-${player}`, "aria-hidden": "true" });

/** The lines of a review, each in a `tag`, without the row of marks: pages draw their own. */
export const reviewLines = (lines, tag) =>
  lines
    .filter(({ kind }) => kind !== "strip")
    .map(({ kind, text, player }) =>
      el(tag, { class: kind === "why" ? "quiet" : "" }, player && playerMark(player), player && " ", text),
    );

/** A typed name, isolated because it may be written in another direction. */
export const nameElement = (name) => el("bdi.name", name);

/** A player's name; a computer also has its figure and its level. */
export const playerName = ({ name, kind, level, figure }) =>
  kind === "computer"
    ? [nameElement(name), " ", el("span.kind", computerFigure(figure), level || "computer")]
    : [nameElement(name)];

/** The small figure of a level of the computer: 1 is the weakest. */
export const computerFigure = (figure) => el("i", { class: `figure figure-${figure ?? 1}`, "aria-hidden": "true" });

/** Two players, each with their mark. */
export const versus = ([one, two]) => [playerSide(1, one), " – ", playerSide(2, two)];

const playerSide = (player, seat) => el("span.marked", playerMark(player), " ", playerName(seat));

/** The parts of a sentence: its template "{name} is here." with the values, which may be nodes. */
export const sentenceParts = (template, values) =>
  template.split(/\{(\w+)\}/).flatMap((part, index) => (index % 2 ? values[part] : part));

/** A sentence as a text. */
export const sentence = (template, values) => sentenceParts(template, values).join("");

/** A sentence with a {count}, in one of two forms: plural(2, "{count} move", "{count} moves") is "2 moves". */
export const plural = (count, one, other, values = {}) =>
  sentence(count === 1 ? one : other, { count: withCommas(count), ...values });

const withCommas = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** "5 and 6", "1, 2, and 3". */
export const listInWords = (items) => new Intl.ListFormat("en").format(items);

export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An address as people type it. */
export const withoutScheme = (link) => link.replace(/^\w+:\/\//, "");
