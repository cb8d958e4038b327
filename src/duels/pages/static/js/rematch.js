// Another game with the sides swapped: offered and accepted between two people, at once otherwise.

import { button } from "./dom.js";
import { address } from "./root.js";
import { keepSeat } from "./seat.js";

export function rematches(table) {
  let endedHere = false; // by this page, which need not be told
  const answer = (agree) => {
    endedHere = !agree;
    return table.act("rematch/answer", { agree });
  };
  const element = button("Rematch", () => table.act("rematch"), "", { "aria-label": "Rematch, sides swapped" });

  function show(state) {
    element.hidden = !table.you.length || Boolean(state.rematch || state.rematch_offer || state.class_code);
  }

  /** What the line over the board says: {words, buttons}, or null. */
  function offer({ rematch: id, rematch_offer: by, players }) {
    if (id) {
      const go = button(table.you.length ? "Go" : "Watch it", () => goTo(id), "small primary");
      return { words: "There is a rematch.", buttons: () => [go] };
    }
    if (!by) return null;
    const words = `${players[by - 1].name} offers a rematch.`;
    if (!table.you.length) return { words, buttons: () => [] };
    if (!table.you.includes(by))
      return {
        words,
        buttons: () => [
          button("Accept", () => answer(true), "small primary"),
          button("Not now", () => answer(false), "small"),
        ],
      };
    return {
      words: "You offer a rematch. There is no answer yet.",
      buttons: () => [button("Withdraw", () => answer(false), "small")],
    };
  }

  /** What has changed about it, in a sentence. */
  function news(before, state) {
    const { rematch_offer: by, players } = state;
    if (by && !before.rematch_offer) return table.you.includes(by) ? "" : offer(state).words;
    if (state.rematch) return before.rematch ? "" : offer(state).words;
    if (by || !before.rematch_offer) return "";
    const isKnown = endedHere;
    endedHere = false;
    if (isKnown) return "";
    const asker = before.rematch_offer;
    if (table.you.includes(asker)) return `${players[2 - asker].name} does not want a rematch now.`;
    return "The rematch is off.";
  }

  /** Both have agreed, so the page goes along; whoever only watches, and reads the review, may stay. */
  function follow(before, state, isReading) {
    if (state.rematch && !before.rematch && (table.you.length || !isReading)) goTo(state.rematch);
  }

  /** The seats stay the same people's: the same tokens open the new match. */
  function goTo(id) {
    if (table.seat) {
      const name = table.you.length === 1 ? table.state.players[table.you[0] - 1].name : "";
      const { token, invite } = table.seat;
      if (!keepSeat(id, { token, invite, name })) return location.assign(address(`/m/${id}#seat=${token}`));
    }
    return location.assign(address(`/m/${id}`));
  }

  return { element, show, offer, news, follow };
}
