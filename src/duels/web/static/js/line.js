// The one line over the board: whose turn it is and what fits, what went wrong, what is asked.

import { el, fill, mark, say } from "./dom.js";

/** Its height is kept free: nothing that it says moves the board. */
export function lineOver() {
  const status = el("p", { class: "status" });
  const why = el("p", { class: "why" });
  const notice = el("p", { class: "notice", role: "alert", hidden: true });
  const answers = el("div", { class: "row answers" });
  const words = el("div", { class: "line-words" }, status, why, notice);
  const element = el("div", { class: "over-board" }, el("div", { class: "said" }, words, answers));
  let shown = "";

  /** `player` is whose mark stands there; `buttons()` are made anew only for other words. */
  function show({ player, said, more = "", ended, buttons = null }) {
    const now = JSON.stringify([player, said, more, ended, Boolean(buttons)]);
    if (now === shown) return;
    shown = now;
    fill(status, player && mark(player), said);
    say(why, more);
    element.classList.toggle("ended", ended);
    fill(answers, buttons?.() ?? []);
  }

  /** What went wrong stands alone, until the next act takes it away. */
  function warn(trouble) {
    say(notice, trouble);
    notice.hidden = !trouble;
    status.hidden = why.hidden = Boolean(trouble);
  }

  return { element, show, warn };
}
