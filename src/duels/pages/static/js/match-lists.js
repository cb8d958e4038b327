// Lists of matches on the first page: one's own that go on, and public ones to watch.

import { matchState, publicMatches } from "./api.js";
import { el, fill, shown, versus } from "./dom.js";
import { address } from "./root.js";
import { keepSeat, keptSeats, dropSeat } from "./seat.js";
import { plural } from "./words.js";

const MOST = 8;

export const matchList = (title, kind) =>
  el("section", { class: `matches ${kind}`, hidden: true }, el("h2", title), el("ul.match-list.stack"));

export async function showPublic(section) {
  const { matches } = await publicMatches().catch(() => ({ matches: [] }));
  show(
    section,
    matches.map((match) => row(match, el("span.quiet", plural(match.ply, "move")))),
  );
}

/** The matches in which this device has a seat and which are not over. */
export async function showOwn(section) {
  const seats = keptSeats()
    .filter((seat) => !seat.over)
    .slice(0, MOST);
  const found = await Promise.all(seats.map(look));
  show(
    section,
    found.filter(Boolean).map((state) => row(state, turn(state))),
  );
}

/** A match of ours as it stands; null if it is over or gone, which is remembered. */
async function look({ id, ...seat }) {
  try {
    const state = await matchState(id, seat.token);
    if (!state.outcome) return state;
    keepSeat(id, { ...seat, over: true });
  } catch (error) {
    if (error.status === 404) dropSeat(id);
  }
  return null;
}

function turn({ joined, players, to_move: mover, you = [] }) {
  if (!you.length) return el("strong", "you are invited");
  if (!joined.every(Boolean)) return el("span.quiet", "waiting for your friend");
  if (you.length === 1 && you[0] === mover) return el("strong", "your turn");
  return el("span.quiet", shown(players[mover - 1]), " to move");
}

const row = ({ id, title, players }, last) =>
  el(
    "li",
    el(
      "a.match-row",
      { href: address(`/m/${id}`) },
      el("span.match-title", title),
      el("span", versus(players)),
      last,
    ),
  );

function show(section, rows) {
  section.hidden = !rows.length;
  fill(section.querySelector("ul"), rows);
}
