// A lesson: one board, one question, an answer at once; at the end a game. What is taught, the server knows.

import { answerStep, lesson as fetchLesson, lessonHint } from "./api.js";
import { button, el, fill } from "./dom.js";
import { typedForm } from "./forms.js";
import { remember, remembered } from "./memory.js";
import { ownGame } from "./own-games.js";
import { posing } from "./posing.js";
import { startMatch } from "./setup.js";
import { capital } from "./words.js";

const DONE = "lessons";
const MATCH = "lesson-match";

/** The lesson of a game; it goes on where this device left it. */
export async function lessonOf(game) {
  const { steps } = await fetchLesson(game);
  const where = el("p.note");
  const title = el("h2", { id: "lesson-title", tabindex: "-1" });
  const text = el("div.lesson-text.stack");
  const posed = posing(tap);
  const element = el(
    "section.lesson",
    { "aria-labelledby": "lesson-title" },
    el("header.lesson-head.stack", where, title, text),
    posed.element,
  );
  let at = 0;
  let wrong = 0;
  let open = false;
  let parts = [];
  let typed = null;

  const step = () => steps[at];
  const done = () => remembered(DONE, {})[game] ?? 0;

  function note(count) {
    remember(DONE, { ...remembered(DONE, {}), [game]: count });
  }

  function go(to) {
    at = to;
    wrong = 0;
    open = !step().opponent;
    parts = [];
    say();
    posed.warn("");
    posed.tell([]);
    answering();
    draw();
    offer();
    if (step().opponent) playedAlready();
  }

  function say() {
    where.textContent = `Lesson · Step ${at + 1} of ${steps.length}`;
    title.textContent = step().title;
    fill(
      text,
      step().text.map((paragraph) => el("p", paragraph)),
    );
  }

  function draw(position = step().position) {
    const { you, question, opponent, taps, shows_moves: showLegal } = step();
    const asked = opponent ? `Now beat ${opponent}.` : question;
    posed.show(position, you, asked, { active: open && taps !== "none", showLegal, chosen: parts });
  }

  /** How an answer is given: by a tap, by one of some words, or typed. */
  function answering() {
    const { choices, taps, opponent } = step();
    typed = null;
    if (opponent || (taps === "answer" && !choices.length)) return posed.answerWith();
    if (choices.length)
      return posed.answerWith(
        el("div.row", choices.map((word) => button(capital(word), () => give(word)))),
      );
    typed = el("input", { id: "lesson-answer", autocomplete: "off", maxlength: 100, inputmode: "text" });
    typed.addEventListener("input", () => {
      parts = typed.value.split(/[\s,;]+/).filter(Boolean);
      draw();
    });
    const answer = () => typed.value.trim() && give(typed.value.trim());
    const label = taps === "part" ? "Tap, or type" : "Your answer";
    posed.answerWith(typedForm(label, typed, "Answer", "primary", answer));
  }

  function tap(move) {
    if (step().taps === "answer") return give(move);
    parts = parts.includes(move) ? parts.filter((one) => one !== move) : [...parts, move];
    typed.value = parts.join(" ");
    draw();
  }

  async function give(answer) {
    if (!open) return;
    const asked = at;
    const reply = await posed.attempt(() => answerStep(game, at + 1, answer, wrong));
    if (!reply || asked !== at || !open) return;
    if (!reply.is_right) wrong += 1;
    if (reply.is_right || reply.is_shown) {
      open = false;
      if (done() < at + 1) note(at + 1);
      posed.answerWith();
      draw(reply.position);
    }
    offer();
    posed.tell(reply.lines, reply.is_right ? "right" : "wrong");
  }

  async function hint() {
    const answer = await posed.attempt(() => lessonHint(game, at + 1));
    if (answer) posed.tell([answer.text]);
  }

  function offer() {
    const { opponent, has_hint: hasHint } = step();
    const next = !open && !opponent && button("Next step", () => goOn(at + 1), "primary");
    const play = opponent && button(`Play against ${opponent}`, beat, "primary");
    posed.offer(
      next,
      play,
      open && hasHint && button("Hint", hint),
      at > 0 && button("Step back", () => goOn(at - 1)),
      at > 0 && opponent && button("From the start", () => goOn(0)),
    );
    if (next) next.focus({ preventScroll: true });
  }

  function goOn(to) {
    go(to);
    title.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  }

  /** The game at the end begins where the lesson says, on the side that can win. */
  async function beat() {
    const { position, you, opponent } = step();
    const name = remembered("name", "");
    const body = {
      game,
      options: position.options,
      moves: position.moves,
      mode: "computer",
      level: opponent,
      first: you,
    };
    return posed.attempt(() =>
      startMatch({ ...body, ...(name && { names: [name] }) }, (id) => remember(MATCH, { game, id })),
    );
  }

  /** What is said to somebody who comes back from that game. */
  async function playedAlready() {
    const last = remembered(MATCH, {});
    const played = last.game === game && ownGame(last.id);
    if (!played) return;
    const reply = await posed.attempt(() => answerStep(game, at + 1, played.won ? "won" : "lost", 0));
    if (!reply || !step().opponent) return;
    if (reply.is_right) note(steps.length);
    posed.tell(reply.lines, reply.is_right ? "right" : "wrong");
  }

  go(Math.min(done(), steps.length - 1));
  return element;
}
