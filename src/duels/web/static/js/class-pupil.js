// A pupil's page: a name, waiting together, and by itself to the board when a round starts.

import { matchState } from "./api.js";
import { classEvents, classView, joinClass } from "./class-api.js";
import { dropClass } from "./class-key.js";
import { button, el, field, fill, named } from "./dom.js";
import { announce } from "./announce.js";
import { goToBoard } from "./match-class.js";
import { address } from "./root.js";
import { remember, remembered } from "./seat.js";
import { listen } from "./stream.js";
import { capital, plural } from "./words.js";

export function pupilPage({ code, main, token, view: first, onConnection, over }) {
  const notice = el("p", { class: "notice", role: "alert", hidden: true });
  let view = first;
  let shown = "";
  draw();
  listen(() => classEvents(code), { class: look }, look, onConnection);

  async function look() {
    try {
      take(await classView(code, token));
    } catch (error) {
      if (error.status !== 404) throw error;
      over();
    }
  }

  function take(next) {
    view = next;
    draw();
  }

  async function draw() {
    if (view.role === "pupil" && view.match && (await goes(view.match))) return;
    const now = JSON.stringify({ ...view, version: 0 });
    if (now === shown) return; // what somebody is typing stays
    const isNew = !shown || JSON.parse(shown).role !== view.role;
    shown = now;
    if (view.role !== "door") fill(main, ...(view.role === "pupil" ? waitingRoom() : asking()));
    else if (isNew) fill(main, ...door());
    if (isNew) main.focus({ preventScroll: true });
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
    name.value = remembered("name", "");
    const form = el(
      "form",
      { class: "row end" },
      field("Your first name", name),
      el("button", { class: "button primary large" }, "Come in"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      come(name.value.trim());
    });
    return [
      el("h1", {}, "Come in"),
      el("p", { class: "lead" }, "What shall the others call you?"),
      el("section", { class: "panel door" }, form, button("Give me a made-up name", () => come(null), "small")),
      notice,
      el("p", { class: "note" }, el("a", { href: address("/class/privacy") }, "What is stored, and for how long")),
    ];
  }

  async function come(name) {
    notice.hidden = true;
    try {
      take(await joinClass(code, token, name));
      if (name) remember("name", name);
    } catch (error) {
      notice.textContent = error.message;
      notice.hidden = false;
    }
  }

  function asking() {
    return [
      el("h1", {}, "One moment"),
      el("p", { class: "lead" }, "There is a ", named(view.name), " in this class already. If that is you, your teacher lets you in."),
      el("p", {}, button("Take another name", again, "")),
    ];
  }

  /** Another secret is another device: the one that asks stays with the name. */
  function again() {
    dropClass(code);
    location.reload();
  }

  function waitingRoom() {
    const { name, points, here, plan, round, match } = view;
    const status = view.is_paused ? "The class is paused." : round ? "Wait for the next round." : "Wait for the first round.";
    announce(status);
    return [
      el("h1", {}, "Hello, ", named(name)),
      el("p", { class: "lead" }, status, " Your board opens here by itself."),
      round > 0 && el("p", {}, `You have ${plural(points, "point")}.`),
      match && el("p", {}, el("a", { class: "button", href: address(`/m/${match}`) }, "Look at your game")),
      plan && el("p", { class: "quiet" }, `${plan.title}. ${capital(plan.options_words)}.`),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, plural(here.length, "pupil is here", "pupils are here")),
        el(
          "ul",
          { class: "people" },
          here.map((one) => el("li", {}, named(one))),
        ),
      ),
    ];
  }
}
