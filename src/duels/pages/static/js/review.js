// After the game: step through it, with the truth about every move.

import { review as fetchReview, saveRecord, showPicture, solve, stepPicturePath } from "./api.js";
import { announce } from "./announce.js";
import { button, el, fill, mark, reviewLines, set } from "./dom.js";
import { stepper } from "./stepper.js";
import { analysisAddress, gradesOf, KIND_MARKS, playerAt, plural } from "./words.js";

/** `controls` go under the board, `panel` to the side; `onView(view, step)` shows a step on the board. */
export function reviewOf(table, onView) {
  const strip = el("div.strip", { role: "group", "aria-label": "Who was winning after each move" });
  const steps = stepper(go, "First", "Last");
  const controls = el("div.review-controls.stack.loose", { hidden: true }, steps.element, strip);
  const lines = el("ul.stack");
  const about = el("div.about-move.stack", { "aria-live": "polite" });
  const picture = el("img.picture", { alt: "", loading: "lazy" });
  const details = el("details", el("summary", "Show the strategy as a picture"), picture);
  const analyse = el("a.button", "Analyse from here");
  const panel = el(
    "section.panel.review",
    { hidden: true },
    el("h2", "Review"),
    lines,
    about,
    details,
    el(
      "div.stack",
      analyse,
      button("Download the record", () => table.attempt(() => saveRecord(table.id))),
    ),
  );
  const solved = new Map();
  let data = null;
  let step = 0;
  let stepped = false;

  const state = () => table.state;
  const count = () => state().moves.length;

  async function open() {
    data = await table.attempt(() => fetchReview(table.id));
    if (!data) return;
    fill(lines, reviewLines(data.lines ?? [], "li"));
    fill(strip, data.moves.map(stripMark));
    controls.hidden = panel.hidden = false;
    await show(count());
  }

  function stripMark({ winner_after: winner }, ply) {
    const name = state().players[winner - 1].name;
    const turning = data.turning_points.includes(ply + 1);
    return el(
      "button",
      {
        type: "button",
        class: `strip-step${turning ? " turn" : ""}`,
        "aria-label": `Move ${ply + 1}: ${name} was winning${turning ? ", turning point" : ""}`,
        onclick: () => go(ply + 1),
      },
      mark(winner),
    );
  }

  function go(to) {
    if (to < 0 || to > count()) return;
    stepped = true;
    show(to);
  }

  async function show(to) {
    step = to;
    const asked = to;
    steps.show(to, count(), to ? `Move ${to} of ${count()}` : `Start of ${plural(count(), "move")}`);
    [...strip.children].forEach((child, ply) => set(child, "aria-current", ply + 1 === to ? "step" : null));
    describe();
    const moves = state().moves.slice(0, to);
    analyse.href = analysisAddress(state().game, state().options, moves);
    if (details.open) drawPicture();
    const answer = await truth(moves);
    if (asked !== step || !answer) return;
    onView(
      {
        moves,
        legal: answer.position.legal,
        board: answer.position.board,
        grades: gradesOf(answer),
        next: state().moves[to],
      },
      to,
    );
  }

  async function truth(moves) {
    const key = moves.join(".");
    if (!solved.has(key)) {
      const answer = await table.attempt(() => solve(state().game, state().options, moves));
      if (answer) solved.set(key, answer);
    }
    return solved.get(key);
  }

  function describe() {
    if (!step)
      return fill(
        about,
        el("p", `${state().players[data.winner_at_start - 1].name} could force a win from the start.`),
      );
    const move = data.moves[step - 1];
    const name = state().players[move.player - 1].name;
    const sign = KIND_MARKS[move.kind] ?? "";
    const written = state().moves[step - 1];
    fill(
      about,
      el(
        "p.headline",
        mark(playerAt(step - 1)),
        ` ${name} ${state().verb.did} ${written}: ${sign} ${move.label}.`,
      ),
      data.turning_points.includes(step) && el("p.kind.turning", "The game turned here."),
      move.better && el("p", `Better: ${move.better}. `, move.why),
    );
    if (stepped) announce(`Move ${step}: ${name} ${state().verb.did} ${written}, ${move.label}.`);
  }

  function drawPicture() {
    showPicture(picture, stepPicturePath(table.id, step));
    picture.alt = `The strategy after move ${step}`;
  }

  details.addEventListener("toggle", () => details.open && drawPicture());
  document.addEventListener("keydown", (event) => data && steps.onKey(event));

  return { controls, panel, open, go, data: () => data, step: () => step };
}
