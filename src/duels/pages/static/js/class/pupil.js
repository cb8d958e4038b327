// A pupil's page: a name, the waiting room, and the board as soon as a round starts.

import { fetchMatch } from "../lib/api.js";
import { button, fieldForm, linkButton } from "../lib/controls.js";
import { announce, attempt, el, fill, newNotice, warn } from "../lib/dom.js";
import { capitalize, nameElement, plural, sentenceParts } from "../lib/notation.js";
import { createBoardPreview } from "../lib/rules.js";
import { followEvents } from "../lib/stream.js";
import { classEventsPath, classLoader, joinClass, loadClass, openBoard, privacyLink, saveClass } from "./client.js";

const NAME_TAKEN = "There is already a pupil called {name}. If that is you, your teacher can let you in.";
const REMOVED_TEXT = {
  pupil: "You are not in this class any more. If that is a mistake, come in again.",
  waiting: "Your teacher did not let this device in. Take another name.",
};

export function pupilPage({ code, main, token, view: first, onConnection, onOver }) {
  const notice = newNotice();
  let view = first;
  let shownKey = "";
  let isChoosingName = false; // instead of the name that is taken
  let preview = null;
  draw();
  const reload = classLoader(code, token, onClass, onOver);
  const stream = followEvents(() => classEventsPath(code, view.stream_key), { class: reload }, reload, onConnection);

  function onClass(next) {
    const hasNewKey = next.stream_key !== view.stream_key;
    view = next;
    draw();
    if (hasNewKey) stream.reconnect(); // from now on it is charged to the class
  }

  async function draw() {
    if (view.role === "pupil" && view.match && (await openCurrentBoard(view.match))) return;
    const role = view.role === "waiting" && isChoosingName ? "visitor" : view.role;
    const key = JSON.stringify({ ...view, role, version: 0 });
    if (key === shownKey) return; // keep what is being typed
    const isNewRole = !shownKey || JSON.parse(shownKey).role !== role;
    shownKey = key;
    if (role !== "visitor") fill(main, ...(role === "pupil" ? waitingRoom() : waitingForTeacher()));
    else if (isNewRole) fill(main, ...nameForm());
    if (isNewRole) main.focus({ preventScroll: true });
    if (isNewRole) explainRemoval();
  }

  /** Tell a pupil who was removed or refused what happened. */
  function explainRemoval() {
    const { was: previousRole } = loadClass(code);
    if (view.role === "visitor" && previousRole) warn(notice, REMOVED_TEXT[previousRole]);
    saveClass(code, { was: view.role === "visitor" ? null : view.role });
  }

  /** Open the board of this round, unless its game is over. */
  async function openCurrentBoard(match) {
    const { outcome } = await fetchMatch(match, token);
    if (outcome) return false;
    openBoard(code, match, token);
    return true;
  }

  function nameForm() {
    const name = el("input", { name: "name", maxlength: 40, autocomplete: "nickname", required: true });
    const form = fieldForm("Your first name", name, "Join", "primary large", () => joinAs(name.value.trim()));
    return [
      el("h1", "Join the class"),
      el("p.lead", "What should the others call you?"),
      el("section.panel.entrance.stack", form, button("Give me a made-up name", () => joinAs(null), "small")),
      notice,
      el("p.note", privacyLink()),
    ];
  }

  async function joinAs(name) {
    const next = await attempt(notice, () => joinClass(code, token, name));
    if (!next) return;
    isChoosingName = false;
    onClass(next);
  }

  function waitingForTeacher() {
    return [
      el("h1", "One moment"),
      el("p.lead", sentenceParts(NAME_TAKEN, { name: nameElement(view.name) })),
      el("p", sentenceParts("Tell your teacher that this device shows: {words}", { words: el("strong", view.device) })),
      el("p", button("Take another name", chooseAnotherName)),
    ];
  }

  /** Show the name form again. */
  function chooseAnotherName() {
    isChoosingName = true;
    draw();
  }

  /** The board of the round, and how it is played: something to look at for a pupil without a game. */
  function planPreview({ game, options }) {
    const key = JSON.stringify([game, options]);
    if (preview?.key !== key) {
      preview = { key, ...createBoardPreview({ game }) };
      preview.show(options);
    }
    return preview.element;
  }

  function waitingRoom() {
    const { name, points, here, plan, round, match, why } = view;
    const status = view.is_paused ? "The class is paused." : round ? "Wait for the next round." : "Wait for the first round.";
    announce(status);
    return [
      el("h1", sentenceParts("Hello, {name}", { name: nameElement(name) })),
      el("p.lead", status, " Your board opens here by itself."),
      why && el("p.notice", why),
      round > 0 && el("p", plural(points, "You have {count} point.", "You have {count} points.")),
      match && el("p", linkButton(`/m/${match}`, "Look at your game")),
      plan && el("p.quiet", `${plan.title}. ${capitalize(plan.options_words)}.`),
      plan && !match && planPreview(plan),
      el(
        "section.panel",
        el("h2", plural(here.length, "{count} pupil is here", "{count} pupils are here")),
        el("ul.people.row", here.map((pupil) => el("li", nameElement(pupil)))),
      ),
    ];
  }
}
