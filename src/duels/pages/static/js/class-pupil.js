// A pupil's page: a name, waiting together, and by itself to the board when a round starts.

import { announce } from "./announce.js";
import { matchState } from "./api.js";
import { classEvents, joinClass, lookingAt } from "./class-api.js";
import { privacy } from "./class-door.js";
import { keepClass, keptClass } from "./class-key.js";
import { attempt, button, el, fill, linkButton, named, noticePlace, warn } from "./dom.js";
import { fieldForm } from "./forms.js";
import { goToBoard } from "./match-class.js";
import { listen } from "./stream.js";
import { capital, plural } from "./words.js";

const WHY_OUT = {
  pupil: "You are not in this class any more. If that is a mistake, come in again.",
  waiting: "Your teacher did not let this device in. Take another name.",
};

export function pupilPage({ code, main, token, view: first, onConnection, over }) {
  const notice = noticePlace();
  let view = first;
  let shown = "";
  let isChoosing = false; // another name than the one that is taken
  draw();
  const look = lookingAt(code, token, take, over);
  const stream = listen(() => classEvents(code, view.stream_key), { class: look }, look, onConnection);

  function take(next) {
    const isOther = next.stream_key !== view.stream_key;
    view = next;
    draw();
    if (isOther) stream.now(); // from now on it counts to the class
  }

  async function draw() {
    if (view.role === "pupil" && view.match && (await goes(view.match))) return;
    const role = view.role === "waiting" && isChoosing ? "visitor" : view.role;
    const now = JSON.stringify({ ...view, role, version: 0 });
    if (now === shown) return; // what somebody is typing stays
    const isNew = !shown || JSON.parse(shown).role !== role;
    shown = now;
    if (role !== "visitor") fill(main, ...(role === "pupil" ? waitingRoom() : asking()));
    else if (isNew) fill(main, ...door());
    if (isNew) main.focus({ preventScroll: true });
    if (isNew) remember();
  }

  /** Whoever was let out, or not in, finds the door, and a sentence there. */
  function remember() {
    const { was } = keptClass(code);
    if (view.role === "visitor" && was) warn(notice, WHY_OUT[was]);
    keepClass(code, { was: view.role === "visitor" ? null : view.role });
  }

  /** To the board of this round, unless its game is over: then the next round is waited for. */
  async function goes(match) {
    const { outcome } = await matchState(match, token);
    if (outcome) return false;
    goToBoard(code, match, token);
    return true;
  }

  function door() {
    const name = el("input", { name: "name", maxlength: 40, autocomplete: "nickname", required: true });
    const form = fieldForm("Your first name", name, "Come in", "primary large", () => come(name.value.trim()));
    return [
      el("h1", "Come in"),
      el("p.lead", "What shall the others call you?"),
      el("section.panel.door.stack", form, button("Give me a made-up name", () => come(null), "small")),
      notice,
      el("p.note", privacy()),
    ];
  }

  async function come(name) {
    const next = await attempt(notice, () => joinClass(code, token, name));
    if (!next) return;
    isChoosing = false;
    take(next);
  }

  function asking() {
    return [
      el("h1", "One moment"),
      el("p.lead", "There is already a pupil called ", named(view.name), " already. If that is you, your teacher lets you in."),
      el("p", "Tell your teacher that this device shows: ", el("strong", view.device)),
      el("p", button("Take another name", again)),
    ];
  }

  /** Back to the door; with another name this device does not ask any more. */
  function again() {
    isChoosing = true;
    draw();
  }

  function waitingRoom() {
    const { name, points, here, plan, round, match, why } = view;
    const status = view.is_paused ? "The class is paused." : round ? "Wait for the next round." : "Wait for the first round.";
    announce(status);
    return [
      el("h1", "Hello, ", named(name)),
      el("p.lead", status, " Your board opens here by itself."),
      why && el("p.notice", why),
      round > 0 && el("p", `You have ${plural(points, "point")}.`),
      match && el("p", linkButton(`/m/${match}`, "Look at your game")),
      plan && el("p.quiet", `${plan.title}. ${capital(plan.options_words)}.`),
      el(
        "section.panel",
        el("h2", plural(here.length, "pupil is here", "pupils are here")),
        el("ul.people.row", here.map((one) => el("li", named(one)))),
      ),
    ];
  }
}
