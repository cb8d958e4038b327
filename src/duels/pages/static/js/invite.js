// Two people by link: the invitation to send, and the door for whoever was invited.

import { join } from "./api.js";
import { el, fill, named } from "./dom.js";
import { sitDown, USED } from "./enter.js";
import { fieldForm } from "./forms.js";
import { linkBox, onlyHere } from "./link-box.js";
import { remember, remembered } from "./memory.js";
import { seatLink } from "./seat.js";

/** The panel of the one who waits, with the link to send. */
export function invitation(table) {
  const link = linkBox("The invitation", "Copy the invitation", "primary");
  const element = el(
    "section.panel.call.stack",
    el("h2", "Invite a friend"),
    el("p", "Send this link. The first person to open it takes the other seat, on any phone or computer."),
    link.element,
    onlyHere(),
  );

  function show(state) {
    const open = state.mode === "friend" && !state.outcome && state.joined.includes(false);
    element.hidden = !(open && table.seat?.invite);
    if (table.seat?.invite) link.show(seatLink(table.id, table.seat.invite));
  }

  return { element, show };
}

/** The panel of the one who was invited: a name, and in. */
export function door(table) {
  const name = el("input", { name: "name", maxlength: 40, autocomplete: "nickname", required: true });
  name.value = table.seat?.name ?? remembered("name", "");
  const host = el("span");
  let entering = false;
  const form = fieldForm("Your name", name, "Join the game", "primary", submit);
  const element = el("section.panel.call.stack", { hidden: true }, el("h2", "You are invited"), host, form);

  async function submit() {
    entering = true;
    const state = await table.send(() => come(name.value.trim()));
    entering = false;
    if (!state) return;
    remember("name", name.value.trim());
    table.focusBoard();
  }

  async function come(called) {
    if (!table.invited.length) return join(table.id, table.token, { name: called, own: undefined }, table.onTrouble);
    try {
      const entered = await sitDown(table.id, table.seat, table.invited, called, table.onTrouble);
      table.sit(entered);
      return entered.state;
    } catch (error) {
      if (error.status === 403) table.sit({ seat: null }); // somebody else was there before
      throw error;
    }
  }

  /** Whoever followed to a rematch with the page before their eyes need not be asked again. */
  function enter() {
    if (table.seat?.name && !element.hidden && document.visibilityState === "visible") form.requestSubmit();
  }

  /** Somebody else came in by the same invitation, while the page was open here. */
  function news(state) {
    if (entering || !table.invited.some((player) => state.joined[player - 1])) return "";
    table.sit({ seat: null });
    return USED;
  }

  function show(state) {
    const seats = table.invited.length ? table.invited : table.you;
    const mine = seats.length === 1 ? seats[0] : 0;
    element.hidden = !(mine && state.mode === "friend" && !state.outcome && !state.joined[mine - 1]);
    if (!element.hidden)
      fill(
        host,
        el("p", named(state.players[2 - mine].name), ` asks you to a game of ${state.title}.`),
        !state.coach && el("p.quiet", "There are no hints in this game."),
      );
  }

  return { element, show, enter, news, waits: () => !element.hidden };
}
