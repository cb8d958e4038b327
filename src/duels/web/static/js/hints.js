// Hints in stages: can I win, how many moves win, which, why. Each only when asked for.

import { hint } from "./api.js";
import { button, el, fill } from "./dom.js";
import { HINTS } from "./words.js";

/** Where no move wins there is nothing to count or to name. */
const LOST = [HINTS[0], HINTS[3]];

export function hintsPanel(table) {
  const said = el("ol", { class: "hints", "aria-live": "polite" });
  const ask = button("", next, "wide");
  const element = el("section", { class: "panel hint-panel" }, el("h2", {}, "Coach"), said, ask);
  let stage = 0;
  let ply = -1;
  let questions = HINTS;

  async function next() {
    const asked = ply;
    const answer = await table.attempt(() => hint(table.id, table.token, stage + 1));
    if (!answer || asked !== ply) return;
    questions = answer.stages === LOST.length ? LOST : HINTS;
    stage += 1;
    said.append(el("li", {}, el("span", { class: "question" }, questions[stage - 1]), answer.text));
    draw();
  }

  function draw() {
    ask.textContent = questions[stage] ?? "";
    ask.hidden = stage >= questions.length;
  }

  function show(state) {
    element.hidden = !table.canMove();
    if (state.ply === ply) return;
    ply = state.ply;
    stage = 0;
    questions = HINTS;
    fill(said);
    draw();
  }

  return { element, show };
}
