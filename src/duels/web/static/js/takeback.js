// Taking a move back: at once against the computer or on one screen, by consent between two people.

import { answerTakeback, askTakeback } from "./api.js";
import { button, el, fill } from "./dom.js";

/** The button of the one who asks. It says which move. */
export function takebackButton(table) {
  const element = button("", () =>
    table.send(() => askTakeback(table.id, table.token, table.state.ply, table.onTrouble)),
  );

  function show(state) {
    const move = moveToTakeBack(state, table.you);
    element.hidden = !move || Boolean(state.outcome) || Boolean(state.takeback);
    element.textContent = state.mode === "friend" ? `Ask to take back ${move}` : `Take back ${move}`;
  }

  return { element, show };
}

/** The panel of the one who is asked; the asker sees that it waits. */
export function takebackPanel(table) {
  const element = el("section", { class: "panel call", hidden: true, role: "alert" });
  let shown = "";

  function answer(agree) {
    const { ply } = table.state.takeback;
    return table.send(() => answerTakeback(table.id, table.token, ply, agree, table.onTrouble));
  }

  function show(state) {
    const ask = state.takeback;
    element.hidden = !ask || !table.you.length;
    const now = ask ? `${ask.by} ${ask.ply} ${ask.text}` : "";
    if (!ask || now === shown) {
      shown = now;
      return;
    }
    shown = now;
    const asksMe = !table.you.includes(ask.by);
    fill(
      element,
      el("h2", {}, "Take a move back?"),
      el("p", {}, ask.text),
      asksMe
        ? el(
            "div",
            { class: "row" },
            button("Agree", () => answer(true), "primary"),
            button("Refuse", () => answer(false)),
          )
        : el(
            "div",
            { class: "row" },
            el("span", { class: "quiet" }, "Waiting for the answer."),
            button("Withdraw", () => answer(false)),
          ),
    );
    if (asksMe) element.scrollIntoView({ block: "center" }); // far down a long board it would be missed
  }

  return { element, show };
}

/** The last move of a player's own; on one screen the last move. */
function moveToTakeBack(state, you) {
  for (let ply = state.moves.length - 1; ply >= 0; ply -= 1) {
    if (you.includes(1 + (ply % 2))) return state.moves[ply];
  }
  return null;
}
