// Hints in stages, each only when asked for. What is asked, and what is answered, the server says.

import { hint } from "./api.js";
import { button, el, fill, set } from "./dom.js";

/** `ask` goes into the bar; `element` has what was answered, and the next question. */
export function hintsPanel(table) {
  const said = el("ol.hints.stack", { "aria-live": "polite" });
  const further = button("", next, "wide");
  const ask = button("Hint", next);
  const element = el("section.panel.hint-panel", el("h2", "Coach"), said, further);
  let stage = 0;
  let ply = -1;
  let question = null;

  async function next() {
    if (stage && !question) return;
    const asked = ply;
    const answer = await table.attempt(() => hint(table.id, table.token, stage + 1));
    if (!answer || asked !== ply) return;
    stage = answer.stage;
    said.append(el("li", el("span.question", answer.question), answer.text));
    question = answer.next;
    draw();
    if (said.childElementCount === 1) element.scrollIntoView({ block: "nearest" });
  }

  function draw() {
    ask.hidden = !table.canMove() || !table.state.coach;
    set(ask, "aria-disabled", String(Boolean(stage) && !question));
    element.hidden = ask.hidden || !stage;
    further.textContent = question ?? "";
    further.hidden = !question;
  }

  function show(state) {
    if (state.ply !== ply) {
      ply = state.ply;
      stage = 0;
      fill(said);
    }
    draw();
  }

  return { element, ask, show };
}
