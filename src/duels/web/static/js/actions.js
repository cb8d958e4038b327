// What a player may do besides moving, quietly at the side.

import { rematch, resign } from "./api.js";
import { copyButton } from "./copy.js";
import { button, el, fill, tick } from "./dom.js";
import { keepSeat, replayLink, seatLink, watchLink } from "./seat.js";
import { soundIsOn, switchSound } from "./sound.js";
import { takebackButton } from "./takeback.js";

/** Take back and resign, while the game is on. */
export function gameActions(table) {
  const takeback = takebackButton(table);
  const resigning = el("span", { class: "row" });
  const element = el("div", { class: "row actions" }, takeback.element, resigning);

  function ask() {
    const sure = button(
      "Yes, resign",
      () => table.send(() => resign(table.id, table.token, table.onTrouble)),
      "danger",
    );
    fill(
      resigning,
      el("span", { class: "question" }, "Really resign?"),
      sure,
      button("Keep playing", () => rest().focus()),
    );
    sure.focus();
  }

  function rest() {
    const resignButton = button("Resign", ask);
    fill(resigning, resignButton);
    return resignButton;
  }

  function show(state) {
    const seated = table.you.some((player) => state.joined[player - 1]);
    element.hidden = !seated || Boolean(state.outcome);
    takeback.show(state);
  }

  rest();
  return { element, show };
}

/** Once it is over: another one with the sides swapped, or something else. */
export function afterGame(table) {
  const again = button("Rematch, sides swapped", playAgain, "primary");
  const there = el("a", { class: "button primary", hidden: true }, "Go to the rematch");
  const element = el(
    "div",
    { class: "row after" },
    again,
    there,
    el("a", { class: "button", href: "/" }, "Another game"),
  );

  async function playAgain() {
    const answer = await table.attempt(() => rematch(table.id, table.token, table.onTrouble));
    if (answer) goToRematch(table, answer.id);
  }

  function show(state) {
    element.hidden = !state.outcome;
    again.hidden = !table.you.length || Boolean(state.rematch);
    there.hidden = !state.rematch;
    if (!state.rematch) return;
    there.href = `/m/${state.rematch}`;
    keepForRematch(table, state.rematch);
  }

  return { element, show };
}

/** The seats stay the same people's: the same secrets open the new match. */
export function goToRematch(table, id) {
  keepForRematch(table, id);
  location.assign(`/m/${id}`);
}

/** The secret, and the name to sit down with. */
function keepForRematch(table, id) {
  if (!table.seat) return;
  const name = table.you.length === 1 ? table.state.players[table.you[0] - 1].name : "";
  const { token, invite } = table.seat;
  keepSeat(id, { token, invite, name });
}

/** How this page shows and sounds; the links to hand on. */
export function settings(table) {
  const moves = tick("Show possible moves", table.showMoves, (on) => table.setShowMoves(on));
  const links = el("div", { class: "stack" });
  const element = el(
    "section",
    { class: "panel settings" },
    el("h2", {}, "This page"),
    moves,
    tick("Sound for new moves", soundIsOn(), switchSound),
    links,
  );
  links.append(copyButton("Copy link to watch", () => watchLink(table.id)));
  if (table.you.length)
    links.append(copyButton("Copy my link for another device", () => seatLink(table.id, table.token)));
  const replay = copyButton("Copy replay link", () => replayLink(table.id));
  links.append(replay);

  function show(state) {
    moves.hidden = !state.show_moves || Boolean(state.outcome);
    replay.hidden = !state.outcome;
  }

  return { element, show };
}
