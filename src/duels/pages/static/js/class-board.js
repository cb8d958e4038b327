// One board large, for all to see: with or without what the coach knows.

import { boardFor } from "./board.js";
import { el, fill, mark, say, tick, versus } from "./dom.js";
import { gradesOf } from "./words.js";

const NOBODY = [
  { name: "Player 1", kind: "person" },
  { name: "Player 2", kind: "person" },
];

/** `show(state)` of a match, or of a position without players; `solve(state)` asks the coach. */
export function largeBoard(state, coachWords, solve) {
  const board = boardFor(() => {});
  const players = el("p.large-players");
  const status = el("p.status");
  const reason = el("p.reason", { hidden: true });
  const element = el(
    "div.large-board.stack.loose",
    players,
    status,
    board.element,
    tick(coachWords, false, (on) => {
      isCoached = on;
      look();
    }),
    reason,
  );
  let isCoached = false;
  let now = state;
  let answer = null;
  let asked = 0;

  async function look() {
    const number = (asked += 1);
    answer = null;
    draw();
    if (!isCoached || now.outcome) return;
    const found = await solve(now).catch((error) => ({ trouble: error.message }));
    if (number !== asked || !isCoached) return;
    answer = found;
    draw();
  }

  function show(next) {
    const isNews = next.moves.length !== now.moves.length || Boolean(next.outcome) !== Boolean(now.outcome);
    now = next;
    if (isNews) look();
    else draw();
  }

  function draw() {
    const people = now.players ?? NOBODY;
    fill(players, now.players && versus(now.players));
    players.hidden = !now.players;
    const mover = now.outcome ? now.outcome.winner : now.to_move;
    fill(status, mark(mover), ` ${now.status ?? now.question}`);
    board.show({
      ...now,
      names: people.map(({ name }) => name),
      active: false,
      showLegal: false,
      grades: answer?.position ? gradesOf(answer) : null,
    });
    say(reason, answer?.reason ?? answer?.trouble ?? "");
    reason.hidden = !reason.textContent;
  }

  draw();
  return { element, show };
}
