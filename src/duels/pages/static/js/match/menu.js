// The menu below the board, and the notifications that are turned on in it.

import { button, checkbox, confirmButton, popoverButton } from "../lib/controls.js";
import { el, setText } from "../lib/dom.js";
import { isSoundOn, setSound } from "../lib/effects.js";
import { copyLinkRow, linkBox, localOnlyNote } from "../lib/links.js";
import { statusFor } from "../lib/notation.js";
import { loadItem, saveItem } from "../lib/storage.js";
import { hasServer } from "../lib/urls.js";
import { newToken, replayLink, seatLink, watchLink } from "./seats.js";

const NOTIFY_ITEM = "notify-turn";
const NOTIFY_REFUSED = "Your browser does not allow this site to notify you.";
const canNotify = hasServer && "Notification" in window && "serviceWorker" in navigator;
const isNotifying = () => canNotify && loadItem(NOTIFY_ITEM, false) && Notification.permission === "granted";

/** The menu: typing a move, display and sound, links, resigning. */
export function menuPanel(match, moveForm) {
  const moves = checkbox("Show possible moves", match.showMoves, (on) => match.setShowMoves(on));
  const watch = copyLinkRow("Copy link to watch", "QR code: link to watch", () => watchLink(match.id));
  const replay = copyLinkRow("Copy replay link", "QR code: replay link", () => replayLink(match.id));
  const deviceSection = deviceLink(match);
  const resignSection = resignButton(match);
  const panel = el(
    "section.panel.popover.menu",
    { id: "menu", popover: "auto", "aria-label": "Menu" },
    moveForm,
    moves,
    checkbox("Sound", isSoundOn(), setSound),
    match.notifications.element,
    el("div.stack", hasServer && [watch, deviceSection.element, replay], localOnlyNote(), resignSection.element),
  );

  function show(state) {
    moves.hidden = !state.show_moves || Boolean(state.outcome);
    replay.hidden = !state.outcome;
    deviceSection.show();
    resignSection.show(state);
  }

  return { panel, opener: popoverButton("Menu", panel), show, open: () => panel.matches(":popover-open") || panel.showPopover() };
}

/** A link for another device of the same player; it works once. */
function deviceLink(match) {
  const make = button("Play on another device", invite, "wide");
  const note = el("p.note", "Open this link there. It works once, and for you only.");
  const link = linkBox("My link for another device", "Copy my link", "QR code: my link for another device");
  const linkArea = el("div.stack", { hidden: true }, note, link.element);
  const element = el("div.stack", make, linkArea);

  async function invite() {
    const token = newToken();
    if (!(await match.act("devices", { token }))) return;
    link.show(seatLink(match.id, token));
    linkArea.hidden = false;
    make.textContent = "Make a new link";
  }

  return { element, show: () => (element.hidden = !match.you.length) };
}

function resignButton(match) {
  const question = "Really resign?";
  const text = { label: "Resign", kind: "wide", question, yes: "Yes, resign", no: "Keep playing" };
  const element = confirmButton(text, () => {
    element.closest("[popover]").hidePopover?.();
    match.act("resign");
  });

  function show(state) {
    element.hidden = !match.you.some((player) => state.joined[player - 1]) || Boolean(state.outcome);
  }

  return { element, show };
}

/**
 * Notifications that it is the player's turn, while the page is open in a window that is not in view: a checkbox,
 * which asks the browser for permission, and `notify(state)` for each state with a new move.
 */
export function turnNotifications(match) {
  const note = el("p.note");
  const element = el("div", checkbox("Notify me when it is my turn", isNotifying(), turn), note);
  const input = element.querySelector("input");

  async function turn(on) {
    const isAllowed = on && (await Notification.requestPermission()) === "granted";
    saveItem(NOTIFY_ITEM, isAllowed);
    input.checked = isAllowed;
    setText(note, on && !isAllowed ? NOTIFY_REFUSED : "");
  }

  async function notify(state) {
    if (!isNotifying() || document.visibilityState === "visible" || !match.canMove() || match.you.length !== 1) return;
    const registration = await navigator.serviceWorker.getRegistration();
    registration?.showNotification(`Your turn in ${state.title}`, {
      body: statusFor(state, match.you).played,
      tag: match.id,
      data: { url: location.href },
    });
  }

  /** Remove the notification of a match that is in view. */
  async function clear() {
    if (!isNotifying() || document.visibilityState !== "visible") return;
    const registration = await navigator.serviceWorker.getRegistration();
    for (const shown of (await registration?.getNotifications({ tag: match.id })) ?? []) shown.close();
  }

  function show(state) {
    element.hidden = !canNotify || state.mode !== "friend" || !match.you.length || Boolean(state.outcome);
  }

  document.addEventListener("visibilitychange", clear);

  return { element, notify, show };
}
