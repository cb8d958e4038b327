// The two players over the board: mark, name, clock, and who is to move.

import { clock } from "./clock.js";
import { el, fill, mark, shown } from "./dom.js";
import { plural } from "./words.js";

export function playersStrip(onLow) {
  const chips = [1, 2].map((player) => ({
    chip: el("div", { class: `player player-${player}` }),
    who: el("span.who"),
    note: el("span.player-note"),
    time: el("span.clock", { hidden: true }),
    player,
  }));
  for (const { chip, who, note, time, player } of chips)
    chip.append(mark(player), el("span.player-words", who, note), time);
  const element = el("div.players", chips.map(({ chip }) => chip));
  const clocks = clock(
    chips.map(({ time }) => time),
    onLow,
  );

  function show(state, you) {
    for (const { chip, who, note, player } of chips) {
      fill(who, shown(state.players[player - 1]));
      note.textContent = notes(state, player, you).join(" · ");
      chip.classList.toggle("moving", state.to_move === player);
      chip.classList.toggle("winner", state.outcome?.winner === player);
    }
    clocks.show(state);
  }

  return { element, show };
}

function notes(state, player, you) {
  const words = [];
  if (you.length === 1 && you[0] === player) words.push("you");
  if (!state.joined[player - 1]) words.push("not here yet");
  if (state.outcome?.winner === player) words.push("★ won");
  const [one, two] = state.score;
  if (one + two > (state.outcome ? 1 : 0)) words.push(plural(state.score[player - 1], "win"));
  if (state.hints?.some(Boolean) && state.players[player - 1].kind === "person")
    words.push(plural(state.hints[player - 1], "hint"));
  return words;
}
