// Two people by link: the invitation to send, and the door for whoever was invited.

import { join } from "./api.js";
import { copyButton } from "./copy.js";
import { button, el, field, fill, named } from "./dom.js";
import { remember, remembered, seatLink } from "./seat.js";

/** The panel of the one who waits, with the link to send. */
export function invitation(table) {
  const link = el("input", { class: "link", readonly: true, "aria-label": "The invitation" });
  link.addEventListener("focus", () => link.select());
  const share = button("Share …", () => navigator.share({ url: link.value }).catch(() => {}), "");
  share.hidden = !navigator.share;
  const element = el(
    "section",
    { class: "panel call" },
    el("h2", {}, "Invite a friend"),
    el("p", {}, "Send this link. Whoever opens it has the other seat, on any phone or computer."),
    link,
    el(
      "div",
      { class: "row" },
      copyButton("Copy the invitation", () => link.value, "primary"),
      share,
    ),
  );

  function show(state) {
    const open = state.mode === "friend" && !state.outcome && state.joined.includes(false);
    element.hidden = !(open && table.seat?.invite);
    if (table.seat?.invite) link.value = seatLink(table.id, table.seat.invite);
  }

  return { element, show };
}

/** The panel of the one who was invited: a name, and in. */
export function door(table) {
  const name = el("input", { name: "name", maxlength: 40, autocomplete: "nickname", required: true });
  name.value = table.seat?.name ?? remembered("name", "");
  const host = el("span", {});
  const form = el(
    "form",
    { class: "row end" },
    field("Your name", name),
    el("button", { class: "button primary" }, "Join the game"),
  );
  const element = el(
    "section",
    { class: "panel call", hidden: true },
    el("h2", {}, "You are invited"),
    host,
    form,
  );

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const state = await table.send(() => join(table.id, table.token, name.value.trim(), table.onTrouble));
    if (!state) return;
    remember("name", name.value.trim());
    table.focusBoard();
  });

  /** Whoever followed to a rematch with the page before their eyes need not be asked again. */
  function enter() {
    if (table.seat?.name && !element.hidden && document.visibilityState === "visible") form.requestSubmit();
  }

  function show(state) {
    const mine = table.you.length === 1 ? table.you[0] : 0;
    element.hidden = !(mine && state.mode === "friend" && !state.outcome && !state.joined[mine - 1]);
    if (!element.hidden)
      fill(host, el("p", {}, named(state.players[2 - mine].name), ` asks you to a game of ${state.title}.`));
  }

  return { element, show, enter, waits: () => !element.hidden };
}
