// The one line over the board: whose turn it is and what fits, what went wrong, what is asked.

import { el, fill, mark, noticePlace, say, warn } from "./dom.js";
import { saidTo } from "./words.js";

const LENGTHY = 90;

/** Its height is kept free: nothing that it says moves the board. */
export function lineOver() {
  const status = el("p.status");
  const why = el("p.why");
  const notice = noticePlace();
  const answers = el("div.row.answers");
  const element = el(
    "div.over-board",
    el("div.said.row", el("div.line-words", status, why, notice), answers),
  );
  let shown = "";

  /** `news`, an offer {words, buttons} and a question {player, said, buttons} may be nothing. */
  function show({ state, you: mine, invited }, news, offer, question) {
    const you = mine.length ? mine : invited;
    const words = saidTo(state, you);
    const ended = Boolean(state.outcome);
    const player = question?.player ?? (ended ? state.outcome.winner : state.to_move);
    const said = question?.said ?? (ended ? words.status : `${news} ${words.status}`.trim());
    const more = ended ? `${words.why} ${offer?.words ?? news}`.trim() : you.length ? "" : "You are watching.";
    const buttons = (question ?? offer)?.buttons;
    const now = JSON.stringify([player, said, more, ended, Boolean(buttons)]);
    if (now === shown) return; // The buttons stay, and the focus with them.
    shown = now;
    fill(status, player && mark(player), said);
    say(why, more);
    element.classList.toggle("ended", ended);
    element.classList.toggle("lengthy", said.length > LENGTHY);
    fill(answers, buttons?.() ?? []);
  }

  return { element, show, warn: (trouble) => warn(notice, trouble) };
}
