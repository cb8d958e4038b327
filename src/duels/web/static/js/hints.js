// Hints in stages, each only when asked for. What is asked, and what is answered, the server says.

import { hint } from "./api.js";
import { button, el, fill } from "./dom.js";

const FIRST = "Can I win?";

export function hintsPanel(table) {
  const said = el("ol", { class: "hints", "aria-live": "polite" });
  const ask = button("", next, "wide");
  const element = el("section", { class: "panel hint-panel" }, el("h2", {}, "Coach"), said, ask);
  let stage = 0;
  let ply = -1;

  async function next() {
    const asked = ply;
    const answer = await table.attempt(() => hint(table.id, table.token, stage + 1));
    if (!answer || asked !== ply) return;
    stage = answer.stage;
    said.append(el("li", {}, el("span", { class: "question" }, answer.question), answer.text));
    offer(answer.next);
  }

  function offer(question) {
    ask.textContent = question;
    ask.hidden = !question;
  }

  function show(state) {
    element.hidden = !table.canMove();
    if (state.ply === ply) return;
    ply = state.ply;
    stage = 0;
    fill(said);
    offer(FIRST);
  }

  return { element, show };
}
