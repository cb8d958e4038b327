// What a player may do besides moving: in the bar under the board, and behind its menu.

import { rulesInHtml } from "./api.js";
import { button, el, fill, linkButton, tick } from "./dom.js";
import { askingButton } from "./forms.js";
import { copiedLink, linkBox, onlyHere } from "./link-box.js";
import { address, hasServer } from "./root.js";
import { newToken, replayLink, seatLink, watchLink } from "./seat.js";
import { soundIsOn, switchSound } from "./sound.js";

/** A button that opens a panel over the page; a tap elsewhere or Escape closes it. */
function opener(label, panel, onOpen = () => {}) {
  panel.addEventListener("beforetoggle", ({ newState }) => newState === "open" && onOpen());
  return button(label, () => {}, "", { popovertarget: panel.id });
}

/** The rule in short and who wins, as the rules say it. */
export function rulesInShort(table) {
  const words = el("div.stack");
  const { game, title, options_words: options } = table.state;
  const panel = el(
    "section.panel.over-page",
    { id: "rules-in-short", popover: "auto" },
    el("h2", title),
    words,
    el("p.quiet", options),
    el("p", el("a", { href: address(`/learn/${game}`) }, "All rules, and how it is won")),
  );

  async function read() {
    if (words.childElementCount) return;
    const rules = await table.attempt(() => rulesInHtml(game));
    if (rules) fill(words, ...rules.querySelector(".lead").childNodes);
  }

  return { panel, opener: opener("Rules", panel, read) };
}

/** Everything that is seldom wanted: typing a move, how the page shows and sounds, links, giving up. */
export function menu(table, typed) {
  const moves = tick("Show possible moves", table.showMoves, (on) => table.setShowMoves(on));
  const watch = copiedLink("link to watch", () => watchLink(table.id));
  const replay = copiedLink("replay link", () => replayLink(table.id));
  const device = otherDevice(table);
  const resignation = resigning(table);
  const panel = el(
    "section.panel.over-page.menu",
    { id: "menu", popover: "auto", "aria-label": "Menu" },
    typed,
    moves,
    tick("Sound for new moves", soundIsOn(), switchSound),
    el("div.stack", hasServer && [watch, device.element, replay], onlyHere(), resignation.element),
  );

  function show(state) {
    moves.hidden = !state.show_moves || Boolean(state.outcome);
    replay.hidden = !state.outcome;
    device.show();
    resignation.show(state);
  }

  return { panel, opener: opener("Menu", panel), show, open: () => panel.matches(":popover-open") || panel.showPopover() };
}

/** A link for another device of the same player, made when it is wanted; it works once. */
function otherDevice(table) {
  const make = button("Play on another device", invite, "wide");
  const note = el("p.note", "Open this link there. It works once, and for you only.");
  const link = linkBox("My link for another device", "Copy my link");
  const shown = el("div.stack", { hidden: true }, note, link.element);
  const element = el("div.stack", make, shown);

  async function invite() {
    const token = newToken();
    if (!(await table.act("devices", { token }))) return;
    link.show(seatLink(table.id, token));
    shown.hidden = false;
    make.textContent = "Make a new link";
  }

  return { element, show: () => (element.hidden = !table.you.length) };
}

function resigning(table) {
  const question = "Really resign?";
  const words = { label: "Resign", kind: "wide", question, yes: "Yes, resign", no: "Keep playing" };
  const element = askingButton(words, () => {
    element.closest("[popover]").hidePopover?.();
    table.act("resign");
  });

  function show(state) {
    element.hidden = !table.you.some((player) => state.joined[player - 1]) || Boolean(state.outcome);
  }

  return { element, show };
}

/** Once it is over: its review, the button for another one, or something else. */
export function afterGame(again, review) {
  const look = button("Review", review, "primary");
  const other = linkButton("/", "Another game");
  const element = el("div.row.after", look, again, other);

  function show(state, reviewing) {
    element.hidden = !state.outcome;
    look.hidden = reviewing;
    look.classList.toggle("primary", !state.class_code); // in a class the way back is the obvious one
    other.hidden = Boolean(state.class_code);
  }

  return { element, show };
}
